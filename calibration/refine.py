"""From a region that may be the cloth to a camera fitted to the four noses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.camera import Camera
from calibration.cloth import ClothLook, Image
from calibration.edges import Edges, sections
from calibration.errors import (
    NO_NOSES,
    NO_TABLE,
    ONE_END_HIDDEN,
    CalibrationError,
    too_oblique,
)
from calibration.landmarks import RailPoints, rail_points
from calibration.noses import (
    STRAIGHT,
    NosePath,
    curve_scatter_m,
    nose_curve,
    nose_observations,
    nose_paths,
)
from calibration.solve import (
    Fit,
    LensPose,
    LensPrior,
    Observations,
    fit_camera,
    joined,
)
from calibration.strips import Strip, cut_strip, nose_height_m, rails_of
from table.geometry import TableSpec

MAX_TILT_DEG: Final = 30.0
"""Beyond this the far noses hide the bed and balls hide each other: not "overhead"."""

_NINE_FOOT_M: Final = 2.54
_MAX_SHIFT_M: Final = 0.009
"""If pockets and sights say that the middle lies further off, one end's nose is wrong."""
_TRIES: Final = 3
_FAINT: Final = 1.5

Cut = dict[str, tuple[Strip, Edges]]
"""The strip of each rail and the edges across it."""


@dataclass(frozen=True, eq=False)
class FittedCamera:
    """A camera fitted to noses, the observations it was fitted to."""

    fit: Fit
    observed: Observations
    points: RailPoints


def camera_of(pose: LensPose, table: TableSpec, image_size: tuple[int, int]) -> Camera:
    """The camera of a fitted lens and pose, over the table as wide as it was found.

    Raises:
        CalibrationError: when the fit went astray, so that no camera could be there.
    """
    try:
        return Camera(
            image_size,
            pose.camera_matrix,
            pose.dist,
            pose.rotation,
            pose.translation_m,
            replace(table, width_m=table.width_m * (1.0 + pose.stretch)),
        )
    except ValueError:
        raise CalibrationError(NO_TABLE) from None


def check_tilt(pose: LensPose, table: TableSpec, image_size: tuple[int, int]) -> None:
    """Refuse a first camera that looks from the side.

    Raises:
        CalibrationError: when the view is too oblique.
    """
    tilt = camera_of(pose, table, image_size).tilt_deg
    if tilt > MAX_TILT_DEG + 3.0:
        raise CalibrationError(too_oblique(tilt, MAX_TILT_DEG))


def refined(
    frames_bgr: Sequence[Image],
    pose: LensPose,
    look: ClothLook,
    table: TableSpec,
    prior: LensPrior,
    *,
    search_m: float = 0.12,
) -> FittedCamera:
    """Find the noses near where a first camera has them, and fit the camera to them.

    Args:
        search_m: how far inside or outside the first camera's lines the noses may lie.

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
    observed = _observe(wide, table, pose, paths, 0.012 * size)
    fit = fit_camera(pose, observed, prior, image_size)
    straight = dict.fromkeys(paths, STRAIGHT)
    for reach_m in (0.010 * size, 0.006 * size, 0.005 * size):
        near = _cut(frames_bgr, fit.pose, table, None, (0.030 * size, 0.005, 0.0007, 0.045))
        observed = _observe(near, table, fit.pose, straight, reach_m)
        fit = fit_camera(fit.pose, observed, prior, image_size)
    points = rail_points(frames_bgr, camera_of(fit.pose, table, image_size), look, table)
    if points.observed:
        observed = joined([observed, *points.observed])
        fit = fit_camera(fit.pose, observed, prior, image_size)
    return FittedCamera(fit, observed, points)


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
) -> Observations:
    per_px = float(-(pose.rotation.T @ pose.translation_m)[2]) / pose.focal_px
    sigma = float(np.hypot(0.4 * per_px, 0.0006))
    rails = rails_of(table)
    parts = []
    for name, (strip, edges) in cut.items():
        curve = nose_curve(edges, paths[name], reach_m, degree=2)
        if curve is None:
            raise CalibrationError(NO_NOSES)
        # A faint nose scatters: it counts for less.
        own = float(np.hypot(sigma, _FAINT * curve_scatter_m(*curve)))
        parts.append(nose_observations(strip, rails[name], curve, nose_height_m(table), own))
    return joined(parts)
