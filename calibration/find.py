"""Find the camera over a table from ordinary frames of a table in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import SIDES, Camera
from calibration.cloth import (
    ClothRegion,
    Image,
    cloth_regions,
    look_inside,
    small_picture,
)
from calibration.cloth_look import ClothLook
from calibration.enclosed import enclosed_regions
from calibration.errors import NO_TABLE, NOISE, CalibrationError
from calibration.first_pose import BorderFit, fit_border, lens_starts, start_pose
from calibration.found import Calibration, calibration_of, check_fit, check_sigma
from calibration.head import default_side, facing, head_side_from_picture
from calibration.lens import Array, undistort
from calibration.lens_pose import LensPrior
from calibration.observations import Observations, joined, on_line
from calibration.refine import FittedCamera, refined
from calibration.scenes import is_noise, scenes
from calibration.solve import Fit, fit_camera
from calibration.strips import nose_height_m
from calibration.view import camera_of, check_tilt
from table.geometry import Pocket, Point, TableSpec

__all__ = ["Calibration", "find_camera"]

_REGIONS: Final = 4
_LEAST_SCORE: Final = 0.025
_WORTH: Final = 0.3
_BED_M: Final = -0.004
"""A region that ends at the noses ends in their shadow."""
_BED_SIGMA_M: Final = 0.006
_SCENES: Final = 2
_SURE_SUPPORT: Final = 0.6
"""So much support, and no other region need be looked at,..."""
_SURE_SHARE: Final = 0.4
"""...unless a side's nose is seen on far fewer sections than the others': it may be misread."""
_LEAST_ALONE: Final = 0.35
_MUCH_MORE: Final = 0.15
"""What edges alone enclose is believed for more support than what colour tells, by so much."""


def find_camera(
    frames_bgr: Sequence[Image],
    table: TableSpec,
    head: str | None = None,
    points: Mapping[Pocket, Point] | None = None,
    lens: LensPrior | None = None,
) -> Calibration:
    """Find the camera over a table.

    Args:
        frames_bgr: one to about seven frames (H, W, 3) uint8 of a camera that stands still,
            a second or two apart; what moves is ignored.
        table: the table's measures.
        head: the image side of the head end, when told.
        points: pixels of the nose lines' intersections HL, HR, FL, FR, when given by hand.
        lens: what is known of the lens (see `calibration.lens_file`).

    Raises:
        CalibrationError: one sentence: the reason and what to do.
        ValueError: for a head that is no image side or frames of different sizes.
    """
    if not frames_bgr:
        raise CalibrationError("there is no picture to calibrate from")
    if len({frame.shape for frame in frames_bgr}) != 1:
        raise ValueError("the frames differ in size")
    if head is not None and head not in SIDES:
        raise ValueError(f"head must be one of {', '.join(SIDES)}")
    if is_noise(frames_bgr[0]) and is_noise(frames_bgr[-1]):
        raise CalibrationError(NOISE)
    prior = lens or LensPrior()
    groups = scenes(frames_bgr)
    first: CalibrationError | None = None
    for group in groups[:_SCENES]:
        try:
            return _find_in_scene([frames_bgr[i] for i in group], table, head, points, prior)
        except CalibrationError as error:
            first = first or error
    raise first or CalibrationError(NO_TABLE)


def _find_in_scene(
    frames_bgr: Sequence[Image],
    table: TableSpec,
    head: str | None,
    points: Mapping[Pocket, Point] | None,
    prior: LensPrior,
) -> Calibration:
    small, scale = small_picture(frames_bgr)
    notes: list[str] = []
    if points is None:
        fitted, look = _fit_by_itself(frames_bgr, small, scale, table, prior)
        fit, observed = fitted.fit, fitted.observed
        table = _with_pockets_as_seen(table, fitted, notes)
    else:
        fit, observed, look = _fit_to_points(frames_bgr, small, scale, table, points, prior, notes)
    height, width = frames_bgr[0].shape[:2]
    camera = camera_of(fit.pose, table, (width, height))
    check_fit(camera, fit, observed)
    camera, head_from = _with_head(frames_bgr, camera, look, head, points is not None)
    if head_from == "assumed":
        notes.append(f"the head end is not known and assumed {camera.head}: --head tells it")
    found = calibration_of(replace(camera, head_from=head_from), fit, observed, notes)
    if points is None:
        check_sigma(found)
    return found


def _fit_by_itself(
    frames_bgr: Sequence[Image],
    small: Image,
    scale: float,
    table: TableSpec,
    prior: LensPrior,
) -> tuple[FittedCamera, ClothLook]:
    height, width = frames_bgr[0].shape[:2]
    first: CalibrationError | None = None
    best: tuple[FittedCamera, ClothLook] | None = None
    for region, border in _borders(small, scale, table, prior, (width, height)):
        try:
            if border.is_straight:
                check_tilt(border.pose, table, (width, height))
            clean = border.is_clean
            fitted = refined(frames_bgr, border.pose, region.look, table, prior, clean_border=clean)
            _check(fitted, table, (width, height))
        except CalibrationError as error:
            first = first or error
            continue
        if best is None or fitted.support > best[0].support:
            best = (fitted, region.look)
        if _is_sure(fitted):
            break
    if best is None or not _is_sure(best[0]):
        most = _REGIONS if best is None else 1
        other = _fit_enclosed(frames_bgr, small, scale, table, prior, most)
        least = _LEAST_ALONE if best is None else best[0].support + _MUCH_MORE
        if other is not None and other[0].support > least:
            best = other
    if best is None:
        raise first or CalibrationError(NO_TABLE)
    return best


def _fit_enclosed(
    frames_bgr: Sequence[Image],
    small: Image,
    scale: float,
    table: TableSpec,
    prior: LensPrior,
    most: int,
) -> tuple[FittedCamera, ClothLook] | None:
    """The reading with most support of the regions that edges enclose, whatever their colour.

    Any carpet is such a region: side pockets or sights must tell that it is a table.
    """
    height, width = frames_bgr[0].shape[:2]
    # Such a region ends at the noses, or at the rim of the cloth.
    at_noses = replace(prior, cushion_m=_BED_M, cushion_sigma_m=_BED_SIGMA_M)
    best: tuple[FittedCamera, ClothLook] | None = None
    for region in enclosed_regions(small, scale)[:most]:
        for belief in (at_noses, prior):
            border = fit_border(region, table, belief, (width, height))
            if border is None or not border.is_straight:
                continue
            pose = replace(border.pose, cushion_m=prior.cushion_m)
            try:
                check_tilt(pose, table, (width, height))
                fitted = refined(frames_bgr, pose, region.look, table, prior)
                _check(fitted, table, (width, height))
            except CalibrationError:
                continue
            if not fitted.shows_marks:
                continue
            if best is None or fitted.support > best[0].support:
                best = (fitted, region.look)
        if best is not None and _is_sure(best[0]):
            break
    return best


def _check(fitted: FittedCamera, table: TableSpec, image_size: tuple[int, int]) -> None:
    """Refuse a reading that is no camera over this table: another one may be."""
    camera = camera_of(fitted.fit.pose, table, image_size)
    check_fit(camera, fitted.fit, fitted.observed)


def _is_sure(fitted: FittedCamera) -> bool:
    """True for a reading that needs no other beside it."""
    return fitted.support > _SURE_SUPPORT and fitted.thinnest > _SURE_SHARE


def _borders(
    small: Image, scale: float, table: TableSpec, prior: LensPrior, image_size: tuple[int, int]
) -> list[tuple[ClothRegion, BorderFit]]:
    """The regions that may be the cloth with their borders, the likeliest first.

    The first region counts when its border is clean. Otherwise the one with the straightest
    border among those that look like a cloth as well: another reading of the same cloth, or
    without a rail of its hue.
    """
    regions = [region for region in cloth_regions(small, scale) if region.score > _LEAST_SCORE]
    found: list[tuple[ClothRegion, BorderFit]] = []
    for region in regions[:_REGIONS]:
        if region.score < _WORTH * regions[0].score:
            break
        border = fit_border(region, table, prior, image_size)
        if border is None:
            continue
        if border.is_clean:
            return [(region, border), *found]
        found.append((region, border))
    return sorted(found, key=lambda entry: entry[1].cost / entry[0].score)


def _fit_to_points(
    frames_bgr: Sequence[Image],
    small: Image,
    scale: float,
    table: TableSpec,
    points: Mapping[Pocket, Point],
    prior: LensPrior,
    notes: list[str],
) -> tuple[Fit, Observations, ClothLook]:
    corners = table.nose_corners
    missing = [corner.value for corner in corners if corner not in points]
    if missing:
        raise CalibrationError(f"the given corners lack {', '.join(missing)}")
    order = (Pocket.HL, Pocket.HR, Pocket.FR, Pocket.FL)
    quad = np.array([points[corner] for corner in order], dtype=np.float64)
    height, width = frames_bgr[0].shape[:2]
    if not cv2.isContourConvex(quad.astype(np.float32)) or _is_clockwise(quad):
        raise CalibrationError(
            "the given corners do not go round the table: seen from above, "
            "HL, HR, FR, FL follow each other counter-clockwise"
        )
    lens = lens_starts(prior, (width, height))[0]
    normal = undistort((quad - lens.center_px) / lens.focal_px, lens.dist)
    start = start_pose(normal, table, lens, 0.0, 0) if np.all(np.isfinite(normal)) else None
    if start is None:
        raise CalibrationError("no camera over the table can see the given corners there")
    z, per_px = (
        nose_height_m(table),
        table.length_m / float(np.linalg.norm(quad[2] - quad[1])),
    )
    parts = []
    for corner, pixel in zip(order, quad, strict=True):
        for axis in (0, 1):
            parts.append(
                on_line(
                    pixel[None, :],
                    axis=axis,
                    target_m=corners[corner][axis],
                    z_m=z,
                    sigma_m=1.5 * per_px,
                    group="corner",
                )
            )
    observed = joined(parts)
    fit = fit_camera(start, observed, prior, (width, height))
    look = look_inside(small, (quad + 0.5) * scale - 0.5)
    try:
        better = refined(frames_bgr, fit.pose, look, table, prior, near_given=True)
    except CalibrationError:
        notes.append("the noses are not to be seen near the given corners: the corners alone count")
        return fit, observed, look
    return better.fit, better.observed, look


def _with_pockets_as_seen(table: TableSpec, fitted: FittedCamera, notes: list[str]) -> TableSpec:
    """The table without pockets when its long cushions go on where side pockets would be."""
    if table.has_pockets and fitted.points.closed == 2 and fitted.points.gaps == 0:
        notes.append("the table has no pockets")
        return replace(table, has_pockets=False)
    return table


def _is_clockwise(quad: Array) -> bool:
    x, y = quad[:, 0], quad[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) > 0.0


def _with_head(
    frames_bgr: Sequence[Image],
    camera: Camera,
    look: ClothLook,
    head: str | None,
    by_points: bool,
) -> tuple[Camera, str]:
    if by_points:
        side = camera.side_of_head()
        return replace(camera, head=side), "given"
    if head is not None:
        return replace(facing(camera, head), head=head), "given"
    seen = head_side_from_picture(frames_bgr, camera, look)
    side, head_from = seen if seen is not None else (default_side(camera), "assumed")
    return replace(facing(camera, side), head=side), head_from
