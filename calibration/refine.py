"""From a region that may be the cloth to a camera fitted to the four noses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.cloth import Image
from calibration.cloth_look import ClothLook
from calibration.errors import NO_NOSES, ONE_END_HIDDEN, CalibrationError
from calibration.landmarks import POCKET_GROUP, SIGHT_GROUP, RailPoints, rail_points
from calibration.lens_pose import LensPose, LensPrior
from calibration.nose_lines import Cut, cut_rails, observe_noses
from calibration.noses import (
    STRAIGHT,
    NosePath,
    common_offset_m,
    nose_paths,
    strongest_paths,
)
from calibration.observations import Observations, joined
from calibration.rim import Rim, find_rim, rim_observations
from calibration.solve import Fit, fit_camera
from calibration.view import camera_of, metres_per_px
from table.geometry import TableSpec

_NINE_FOOT_M: Final = 2.54
_MAX_SHIFT_M: Final = 0.009
"""If pockets and sights say that the middle lies further off, one end's nose is wrong."""
_TRIES: Final = 3
_CUSHION_M: Final = (0.034, 0.085)
"""Least and most width of the cushion tops."""
_ASTRAY_M: Final = 0.003
"""A side's nose that lies further from where all else has it, all along, is another edge."""
_LEAST_SIGHTS: Final = 6
"""So many sights tell a table's scale without its noses."""
_LEAST_POCKETS: Final = 0.6
"""So many side pockets, each counted as far as it lies in its place, tell a table."""
_RIM_REACHES_M: Final = (0.020, 0.008)
_LARGEST_STRETCH: Final = 0.03
"""Home tables were 2 % narrower than 2 : 1."""
_FREE_WORTH: Final = 0.05
"""How much more the noses count that were found without a belief of the cushions' width."""
_UNSEEN: Final = 0.1
_LOOSE: Final = 0.6
_LEAST_SUPPORT: Final = 0.2
"""Lines for which hardly any nose, sight or pocket speaks may be any lines."""
_SEARCHES_M: Final = (0.12, 0.20)
"""How far from a first camera noses are searched; further where an end's cushion was no part of
the region, for it lies in a light of another colour."""
_CLEAR: Final = 0.5
"""Noses as clear as this need no other reading."""


@dataclass(frozen=True, eq=False)
class FittedCamera:
    """A camera fitted to noses, the observations it was fitted to."""

    fit: Fit
    observed: Observations
    points: RailPoints
    clearness: float
    """How clearly the four noses are seen, 0 .. 1."""

    @property
    def misfit(self) -> float:
        """Robust cost an observation: about 0.3 for lines that fit."""
        return self.fit.cost / len(self.observed)

    @property
    def is_loose(self) -> bool:
        """True when no nose is seen clearly and what is left fits badly: it may be anything."""
        return self.clearness < _UNSEEN and self.misfit > _LOOSE

    @property
    def support(self) -> float:
        """How much speaks for this reading: noses, sights and side pockets in their places."""
        sights = self.points.sights * self._agreement(SIGHT_GROUP)
        pockets = self.points.gaps * self._agreement(POCKET_GROUP)
        return self.clearness + 0.03 * sights + 0.15 * pockets - 0.1 * self.misfit

    @property
    def shows_marks(self) -> bool:
        """True when sights or side pockets lie where a table has them."""
        sights = self.points.sights * self._agreement(SIGHT_GROUP)
        pockets = self.points.gaps * self._agreement(POCKET_GROUP)
        return sights > _LEAST_SIGHTS or pockets > _LEAST_POCKETS

    @property
    def thinnest(self) -> float:
        """How much of its length the least seen nose shows, against the best seen one, 0 .. 1."""
        seen = [
            int(np.count_nonzero(self.observed.group == name)) / length
            for name, length in (("HEAD", 1.0), ("FOOT", 1.0), ("LEFT", 2.0), ("RIGHT", 2.0))
        ]
        return min(seen) / max(*seen, 1e-9)

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
    clean_border: bool = False,
) -> FittedCamera:
    """Find the noses near where a first camera has them, and fit the camera to them.

    Args:
        near_given: the first camera is by given corners, so the noses lie close to its lines.
        clean_border: the first camera fits the border of the cloth so well that this border
            alone, a believed cushion's width outside the noses, may carry the camera.

    Raises:
        CalibrationError: when the noses are not to be seen.
    """
    if near_given:
        return _fit_free(frames_bgr, pose, look, table, prior, 0.02)
    free: FittedCamera | None = None
    refusal = CalibrationError(NO_NOSES)
    for search_m in _SEARCHES_M:
        try:
            free = _fit_free(frames_bgr, pose, look, table, prior, search_m)
            break
        except CalibrationError as error:
            refusal = error
    if free is not None and free.clearness >= _CLEAR and _is_straight(free):
        return free
    rim = find_rim(frames_bgr, pose, table, prior)
    within = None
    if rim is not None:
        within = _fit_within(frames_bgr, rim, look, table, prior, clean_border)
    readings = [
        (reading.support + worth, reading)
        for reading, worth, least in (
            (free, _FREE_WORTH, _LEAST_SUPPORT),
            (within, 0.0, -np.inf if clean_border else _LEAST_SUPPORT),
        )
        if reading is not None
        and _is_straight(reading)
        and not reading.is_loose
        and reading.support >= least
    ]
    if not readings:
        raise refusal
    return max(readings, key=lambda entry: entry[0])[1]


def _is_straight(reading: FittedCamera) -> bool:
    """False for a table that is no table's shape: a side was misread."""
    return abs(reading.fit.pose.stretch) < _LARGEST_STRETCH


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
    wide = cut_rails(frames_bgr, pose, table, look, (reach + 0.07 * size, 0.008, 0.002, 0.10))
    edges = {name: part for name, (_, part) in wide.items()}
    sets = nose_paths(edges, (-reach, reach), 0.015 * size, table)

    def fit_along(paths: dict[str, NosePath]) -> FittedCamera | None:
        try:
            return _fit_along(frames_bgr, wide, paths, pose, look, table, prior)
        except CalibrationError:
            return None

    even, refusal = _first_that_fits(sets, fit_along, size)
    other: FittedCamera | None = None
    strongest = strongest_paths(edges, (-reach, reach))
    if strongest is not None and strongest not in sets[:1]:
        other = fit_along(strongest)
    found = [
        reading for reading in (even, other) if reading is not None and _is_whole(reading, size)
    ]
    if not found:
        raise CalibrationError(refusal or NO_NOSES)
    return max(found, key=lambda reading: reading.support)


def _is_whole(reading: FittedCamera, size: float) -> bool:
    """True for a reading whose middle is about where pockets and sights have it, if they tell."""
    shift_m = reading.points.shift_m(reading.fit.pose)
    return _is_straight(reading) and (shift_m is None or abs(shift_m) < _MAX_SHIFT_M * size)


def _first_that_fits(
    sets: list[dict[str, NosePath]],
    fit_along: Callable[[dict[str, NosePath]], FittedCamera | None],
    size: float,
) -> tuple[FittedCamera | None, str]:
    """The likeliest set of noses that fits a camera and pockets and sights; else the reason."""
    for index, paths in enumerate(sets[:_TRIES]):
        fitted = fit_along(paths)
        if fitted is None:
            continue
        shift_m = fitted.points.shift_m(fitted.fit.pose)
        if shift_m is None or abs(shift_m) < _MAX_SHIFT_M * size:
            return fitted, ""
        for other in _centred_sets(sets[index:], shift_m, size)[:_TRIES]:
            again = fit_along(other)
            rest_m = None if again is None else again.points.shift_m(again.fit.pose)
            if again is not None and rest_m is not None and abs(rest_m) < _MAX_SHIFT_M * size:
                return again, ""
        return None, ONE_END_HIDDEN
    return None, NO_NOSES


def _fit_within(
    frames_bgr: Sequence[Image],
    rim: Rim,
    look: ClothLook,
    table: TableSpec,
    prior: LensPrior,
    rim_will_do: bool,
) -> FittedCamera | None:
    """Fit to the cloth's rim and to the noses at one distance inside it, where they are seen.

    None when neither noses nor sights tell how wide the cushions are (unless the rim will do),
    or the sights and side pockets say that the table's middle lies elsewhere.
    """
    image_size = _size_of(frames_bgr)
    size = table.length_m / _NINE_FOOT_M
    pose = rim.fit.pose
    wide = cut_rails(frames_bgr, pose, table, look, (0.07 * size, 0.008, 0.002, 0.10))
    edges = {name: part for name, (_, part) in wide.items()}
    limits = (_CUSHION_M[0] * size - pose.cushion_m, _CUSHION_M[1] * size - pose.cushion_m)
    found = common_offset_m(edges, limits)
    fit, observed = rim.fit, rim.observed
    if found is not None:
        offset_m, clear = found
        paths = dict.fromkeys(edges, NosePath(offset_m))
        seen = observe_noses(wide, table, pose, paths, 0.008 * size, clear)
        fit, observed = _without_astray(fit.pose, [rim.observed, *seen], prior, image_size, size)
        straight = dict.fromkeys(paths, STRAIGHT)
        for reach_m in (0.010 * size, 0.006 * size, 0.005 * size):
            near = cut_rails(
                frames_bgr, fit.pose, table, None, (0.030 * size, 0.005, 0.0007, 0.045)
            )
            seen = observe_noses(near, table, fit.pose, straight, reach_m, clear)
            parts = [rim.observed, *seen]
            fit, observed = _without_astray(fit.pose, parts, prior, image_size, size)
    points = rail_points(frames_bgr, camera_of(fit.pose, table, image_size), look)
    noses = len(set(observed.group.tolist())) - 1
    if noses == 0 and points.sights < _LEAST_SIGHTS and points.gaps == 0 and not rim_will_do:
        return None
    observed = joined([observed, *points.observed])
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
    observed = joined(observe_noses(wide, table, pose, paths, 0.012 * size))
    fit = fit_camera(pose, observed, prior, image_size)
    straight = dict.fromkeys(paths, STRAIGHT)
    for reach_m in (0.010 * size, 0.006 * size, 0.005 * size):
        near = cut_rails(frames_bgr, fit.pose, table, None, (0.030 * size, 0.005, 0.0007, 0.045))
        observed = joined(observe_noses(near, table, fit.pose, straight, reach_m))
        fit = fit_camera(fit.pose, observed, prior, image_size)
    points = rail_points(frames_bgr, camera_of(fit.pose, table, image_size), look)
    seen = [observed, *points.observed]
    for reach_m in _RIM_REACHES_M:
        wide_m = max(reach_m * size, 2.0 * metres_per_px(fit.pose))
        rim = rim_observations(frames_bgr, fit.pose, table, wide_m)
        observed = joined([*seen, *rim.values()])
        fit = fit_camera(fit.pose, observed, prior, image_size)
    wide = cut_rails(frames_bgr, fit.pose, table, look, (0.07 * size, 0.008, 0.002, 0.10))
    found = common_offset_m({name: part for name, (_, part) in wide.items()}, (-0.004, 0.004))
    clearness = 0.0 if found is None else sum(found[1].values()) / 4.0
    return FittedCamera(fit, observed, points, clearness)


def _size_of(frames_bgr: Sequence[Image]) -> tuple[int, int]:
    height, width = frames_bgr[0].shape[:2]
    return width, height
