"""From a region that may be the cloth to a camera fitted to the four noses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.cloth import ClothLook, Image
from calibration.edges import Edges, sections
from calibration.errors import NO_NOSES, ONE_END_HIDDEN, CalibrationError
from calibration.landmarks import POCKET_GROUP, SIGHT_GROUP, RailPoints, rail_points
from calibration.lens_pose import LensPose, LensPrior
from calibration.noses import (
    STRAIGHT,
    NosePath,
    common_offset_m,
    curve_scatter_m,
    nose_curve,
    nose_observations,
    nose_paths,
)
from calibration.observations import Observations, joined
from calibration.rim import Rim, find_rim
from calibration.solve import Fit, fit_camera
from calibration.strips import Strip, cut_strip, nose_height_m, rails_of
from calibration.view import camera_of, metres_per_px
from table.geometry import TableSpec

_NINE_FOOT_M: Final = 2.54
_MAX_SHIFT_M: Final = 0.009
"""If pockets and sights say that the middle lies further off, one end's nose is wrong."""
_TRIES: Final = 3
_FAINT: Final = 1.5
_SIDE_SIGMA_PX: Final = 0.12
"""How far a whole side's nose may be seen off, in pixels: blur and shadow err alike."""
_FAINT_SIGMA_PX: Final = 2.0
"""The same, beyond that, for one that can hardly be made out."""
_CUSHION_M: Final = (0.034, 0.085)
"""Least and most width of the cushion tops."""
_ASTRAY_M: Final = 0.003
"""A side's nose that lies further from where all else has it, all along, is another edge."""
_LEAST_SIGHTS: Final = 6
_CLEAR: Final = 0.5
"""Noses as clear as this need no other reading."""

Cut = dict[str, tuple[Strip, Edges]]
"""The strip of each rail and the edges across it."""


@dataclass(frozen=True, eq=False)
class FittedCamera:
    """A camera fitted to noses, the observations it was fitted to."""

    fit: Fit
    observed: Observations
    points: RailPoints
    clearness: float
    """How clearly the four noses are seen, 0 .. 1."""

    @property
    def support(self) -> float:
        """How much speaks for this reading: noses, sights and side pockets in their places."""
        sights = self.points.sights * self._agreement(SIGHT_GROUP)
        pockets = self.points.gaps * self._agreement(POCKET_GROUP)
        misfit = self.fit.cost / len(self.observed)
        return self.clearness + 0.03 * sights + 0.15 * pockets - 0.1 * misfit

    def _agreement(self, group: str) -> float:
        rows = self.observed.group == group
        return float(np.mean(self.fit.weight[rows])) if np.any(rows) else 0.0


def refined(
    frames_bgr: Sequence[Image],
    pose: LensPose,
    look: ClothLook,
    table: TableSpec,
    prior: LensPrior,
    *,
    near_given: bool = False,
) -> FittedCamera:
    """Find the noses near where a first camera has them, and fit the camera to them.

    Args:
        near_given: the first camera is by given corners, so the noses lie close to its lines.

    Raises:
        CalibrationError: when the noses are not to be seen.
    """
    if near_given:
        return _fit_free(frames_bgr, pose, look, table, prior, 0.02)
    free: FittedCamera | None = None
    refusal = CalibrationError(NO_NOSES)
    try:
        free = _fit_free(frames_bgr, pose, look, table, prior, 0.12)
    except CalibrationError as error:
        refusal = error
    if free is not None and free.clearness >= _CLEAR:
        return free
    rim = find_rim(frames_bgr, pose, table, prior)
    within = None if rim is None else _fit_within(frames_bgr, rim, look, table, prior)
    readings = [reading for reading in (free, within) if reading is not None]
    if not readings:
        raise refusal
    return max(readings, key=lambda reading: reading.support)


def _fit_free(
    frames_bgr: Sequence[Image],
    pose: LensPose,
    look: ClothLook,
    table: TableSpec,
    prior: LensPrior,
    search_m: float,
) -> FittedCamera:
    """Fit to the noses alone, wherever they are seen within `search_m` of a first camera.

    Raises:
        CalibrationError: when the noses are not to be seen.
    """
    size = table.length_m / _NINE_FOOT_M
    reach = search_m * size
    wide = _cut(frames_bgr, pose, table, look, (reach + 0.07 * size, 0.008, 0.002, 0.10))
    edges = {name: part for name, (_, part) in wide.items()}
    sets = nose_paths(edges, (-reach, reach), 0.015 * size, table)

    def fit_along(paths: dict[str, NosePath]) -> FittedCamera | None:
        try:
            return _fit_along(frames_bgr, wide, paths, pose, look, table, prior)
        except CalibrationError:
            return None

    for index, paths in enumerate(sets[:_TRIES]):
        fitted = fit_along(paths)
        if fitted is None:
            continue
        shift_m = fitted.points.shift_m(fitted.fit.pose)
        if shift_m is None or abs(shift_m) < _MAX_SHIFT_M * size:
            return fitted
        for other in _centred_sets(sets[index:], shift_m, size)[:_TRIES]:
            again = fit_along(other)
            rest_m = None if again is None else again.points.shift_m(again.fit.pose)
            if again is not None and rest_m is not None and abs(rest_m) < _MAX_SHIFT_M * size:
                return again
        raise CalibrationError(ONE_END_HIDDEN)
    raise CalibrationError(NO_NOSES)


def _fit_within(
    frames_bgr: Sequence[Image],
    rim: Rim,
    look: ClothLook,
    table: TableSpec,
    prior: LensPrior,
) -> FittedCamera | None:
    """Fit to the cloth's rim and to the noses at one distance inside it, where they are seen.

    None when neither noses nor sights tell how wide the cushions are, or the sights and side
    pockets say that the table's middle lies elsewhere.
    """
    image_size = _size_of(frames_bgr)
    size = table.length_m / _NINE_FOOT_M
    pose = rim.fit.pose
    wide = _cut(frames_bgr, pose, table, look, (0.07 * size, 0.008, 0.002, 0.10))
    edges = {name: part for name, (_, part) in wide.items()}
    limits = (_CUSHION_M[0] * size - pose.cushion_m, _CUSHION_M[1] * size - pose.cushion_m)
    found = common_offset_m(edges, limits)
    fit, observed = rim.fit, rim.observed
    if found is not None:
        offset_m, clear = found
        paths = dict.fromkeys(edges, NosePath(offset_m))
        seen = _observe(wide, table, pose, paths, 0.008 * size, clear)
        fit, observed = _without_astray(fit.pose, [rim.observed, *seen], prior, image_size, size)
        straight = dict.fromkeys(paths, STRAIGHT)
        for reach_m in (0.010 * size, 0.006 * size, 0.005 * size):
            near = _cut(frames_bgr, fit.pose, table, None, (0.030 * size, 0.005, 0.0007, 0.045))
            seen = _observe(near, table, fit.pose, straight, reach_m, clear)
            parts = [rim.observed, *seen]
            fit, observed = _without_astray(fit.pose, parts, prior, image_size, size)
    points = rail_points(frames_bgr, camera_of(fit.pose, table, image_size), look, table)
    noses = len(set(observed.group.tolist())) - 1
    if noses == 0 and points.sights < _LEAST_SIGHTS and points.gaps == 0:
        return None
    further = [part for part in points.observed if part.group[0] != rim.observed.group[0]]
    observed = joined([observed, *further])
    fit = fit_camera(fit.pose, observed, prior, image_size)
    shift_m = points.shift_m(fit.pose)
    if shift_m is not None and abs(shift_m) > _MAX_SHIFT_M * size:
        return None
    clearness = 0.0 if found is None else sum(found[1].values()) / 4.0
    return FittedCamera(fit, observed, points, clearness)


def _without_astray(
    start: LensPose,
    parts: list[Observations],
    prior: LensPrior,
    image_size: tuple[int, int],
    size: float,
) -> tuple[Fit, Observations]:
    """Fit to all parts but those sides' noses that the others contradict.

    `parts` begins with the rim, which stays.
    """
    while True:
        observed = joined(parts)
        fit = fit_camera(start, observed, prior, image_size)
        off = [_off_m(fit, observed, part.group[0]) for part in parts[1:]]
        worst = max(range(len(off)), key=lambda i: off[i], default=-1)
        limit = max(_ASTRAY_M * size, 0.3 * metres_per_px(fit.pose))
        if worst < 0 or off[worst] < limit:
            return fit, observed
        del parts[1 + worst]


def _off_m(fit: Fit, observed: Observations, group: str) -> float:
    return abs(float(np.mean(fit.residual_m[observed.group == group])))


def _centred_sets(
    sets: list[dict[str, NosePath]], shift_m: float, size: float
) -> list[dict[str, NosePath]]:
    """The other sets of noses that would put the table's middle where the rails say it is."""
    first = sets[0]
    centred = []
    for paths in sets[1:]:
        head = paths["HEAD"].offset_m - first["HEAD"].offset_m
        foot = paths["FOOT"].offset_m - first["FOOT"].offset_m
        if abs(shift_m - (head - foot) / 2.0) < _MAX_SHIFT_M * size:
            centred.append(paths)
    return centred


def _fit_along(
    frames_bgr: Sequence[Image],
    wide: Cut,
    paths: dict[str, NosePath],
    pose: LensPose,
    look: ClothLook,
    table: TableSpec,
    prior: LensPrior,
) -> FittedCamera:
    """Fit to the noses along first paths, ever closer, then to the rails' points as well."""
    image_size = _size_of(frames_bgr)
    size = table.length_m / _NINE_FOOT_M
    observed = joined(_observe(wide, table, pose, paths, 0.012 * size))
    fit = fit_camera(pose, observed, prior, image_size)
    straight = dict.fromkeys(paths, STRAIGHT)
    for reach_m in (0.010 * size, 0.006 * size, 0.005 * size):
        near = _cut(frames_bgr, fit.pose, table, None, (0.030 * size, 0.005, 0.0007, 0.045))
        observed = joined(_observe(near, table, fit.pose, straight, reach_m))
        fit = fit_camera(fit.pose, observed, prior, image_size)
    points = rail_points(frames_bgr, camera_of(fit.pose, table, image_size), look, table)
    if points.observed:
        observed = joined([observed, *points.observed])
        fit = fit_camera(fit.pose, observed, prior, image_size)
    wide = _cut(frames_bgr, fit.pose, table, look, (0.07 * size, 0.008, 0.002, 0.10))
    found = common_offset_m({name: part for name, (_, part) in wide.items()}, (-0.004, 0.004))
    clearness = 0.0 if found is None else sum(found[1].values()) / 4.0
    return FittedCamera(fit, observed, points, clearness)


def _size_of(frames_bgr: Sequence[Image]) -> tuple[int, int]:
    height, width = frames_bgr[0].shape[:2]
    return width, height


def _cut(
    frames_bgr: Sequence[Image],
    pose: LensPose,
    table: TableSpec,
    look: ClothLook | None,
    sampling: tuple[float, float, float, float],
) -> Cut:
    reach_m, step_u_m, step_v_m, section_m = sampling
    image_size = _size_of(frames_bgr)
    camera = camera_of(pose, table, image_size)
    cut: Cut = {}
    for name, rail in rails_of(camera.table).items():
        strip = cut_strip(frames_bgr, camera, rail, (-reach_m, reach_m), (step_u_m, step_v_m))
        count = max(8, round(2 * rail.half_length_m / section_m))
        cut[name] = (strip, sections(strip, look, image_size, count))
    return cut


def _observe(
    cut: Cut,
    table: TableSpec,
    pose: LensPose,
    paths: dict[str, NosePath],
    reach_m: float,
    clear: dict[str, float] | None = None,
) -> list[Observations]:
    """The noses along the paths, side by side.

    With `clear`, how clearly each is seen, a side may lack; without it that is an error.
    """
    per_px = metres_per_px(pose)
    sigma = float(np.hypot(0.4 * per_px, 0.0006))
    rails = rails_of(table)
    parts = []
    for name, (strip, edges) in cut.items():
        curve = nose_curve(edges, paths[name], reach_m, degree=2)
        if curve is None and clear is None:
            raise CalibrationError(NO_NOSES)
        if curve is None:
            continue
        # A faint nose scatters: it counts for less.
        own = float(np.hypot(sigma, _FAINT * curve_scatter_m(*curve)))
        seen = nose_observations(strip, rails[name], curve, nose_height_m(table), own)
        faint = 0.0 if clear is None else 1.0 - clear[name]
        common = np.full(len(seen), (_SIDE_SIGMA_PX + _FAINT_SIGMA_PX * faint**1.5) * per_px)
        parts.append(replace(seen, common_sigma_m=common))
    return parts
