"""Calibrate again after the camera moved.

What was known before helps: the lens is the same unless somebody zoomed, the table is the
same, and where the picture has gone (`calibration.drift`) says where the noses are and
which end is which. When that does not do, the table is looked for as if for the first time,
and its ends are told by what the table looked like before (`calibration.which_end`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.cloth import Image, look_inside, small_picture
from calibration.drift import DriftWatch, Stillness
from calibration.errors import CalibrationError
from calibration.find import find_camera
from calibration.found import Calibration, calibration_of, check_fit, check_sigma
from calibration.lens import Array
from calibration.lens_pose import LensPose, LensPrior
from calibration.refine import refined
from calibration.strips import nose_height_m, rails_of
from calibration.view import camera_of
from calibration.which_end import is_turned
from table.geometry import TableSpec

STILL_MOVED: Final = "the camera is still being moved: fix it"
_FOCAL_SIGMA: Final = 0.03
"""A calibration's own focal length may be off by this share; a small zoom is within it."""
_BEND_SIGMA: Final = 0.004
_CENTER_SIGMA: Final = 0.002
_ALONG: Final = np.linspace(-0.9, 0.9, 7)
"""Places along each rail by which a moved picture tells the moved camera."""


@dataclass(frozen=True, eq=False)
class Recalibration:
    """A camera found again."""

    calibration: Calibration
    adjusted: bool
    """True: the old camera, shifted and turned; false: found as if for the first time."""
    end_known: bool
    """False: nothing tells which end is the one that was the head."""

    @property
    def camera(self) -> Camera:
        """The camera, its head end where it was."""
        return self.calibration.camera


def recalibrate(
    camera: Camera,
    frames_bgr: Sequence[Image],
    motion: Array | None = None,
    before_bgr: Image | None = None,
) -> Recalibration:
    """Find a camera again that has moved.

    Args:
        camera: as it was calibrated before it moved.
        frames_bgr: frames (H, W, 3) after the move, a second or two apart.
        motion: (2, 3) from pixels then to pixels now (`DriftWatch.motion`), where it is known.
        before_bgr: the last frame before the move, where there is one: tells the ends apart.

    Raises:
        CalibrationError: one sentence: the reason and what to do.
        ValueError: for frames of different sizes.
    """
    height, width = frames_bgr[0].shape[:2]
    if motion is not None and (width, height) == camera.image_size:
        try:
            adjusted = _adjusted(camera, frames_bgr, motion)
        except CalibrationError:
            pass
        else:
            return Recalibration(adjusted, adjusted=True, end_known=True)
    found = find_camera(frames_bgr, _as_made(camera.table))
    turned = None
    if before_bgr is not None:
        turned = is_turned(camera, before_bgr, found.camera, frames_bgr[0])
    if turned is None:
        return Recalibration(found, False, found.head_from in ("rack", "line"))
    way = found.camera.turned() if turned else found.camera
    way = replace(way, head=way.side_of_head(), head_from=camera.head_from)
    notes = tuple(note for note in found.notes if "head end" not in note)
    kept = replace(found, camera=way, head=way.head, head_from=way.head_from, notes=notes)
    return Recalibration(kept, adjusted=False, end_known=True)


def trusted_again(
    camera: Camera,
    frames_bgr: Sequence[Image],
    motion: Array | None = None,
    before_bgr: Image | None = None,
) -> Recalibration:
    """Find a camera again, to go on with while nobody looks.

    As `recalibrate`, but refused as well: when the camera still moves from frame to frame,
    when its ends cannot be told apart, and when it would place a ball wrong by more than a
    move that is an alarm.

    Raises:
        CalibrationError: one sentence: the reason and what to do.
        ValueError: for frames of different sizes.
    """
    again = recalibrate(camera, frames_bgr, motion, before_bgr)
    if not again.end_known:
        raise CalibrationError(
            "the table is found, but not which of its ends is the head: calibrate with --head"
        )
    check_sigma(again.calibration)
    if not all(stood_still(again.camera, frames_bgr[-1], frames_bgr[:-1])):
        raise CalibrationError(STILL_MOVED)
    return again


def stood_still(camera: Camera, seen_bgr: Image, others_bgr: Sequence[Image]) -> list[bool]:
    """Was the camera, when it saw other frames (H, W, 3), where it was when it saw this one?"""
    watch = DriftWatch(camera)
    watch.update(seen_bgr, 0.0)
    still = []
    for number, other_bgr in enumerate(others_bgr, start=1):
        look = watch.update(other_bgr, 10.0 * number)
        still.append(look is not None and look.kind in (Stillness.STEADY, Stillness.HIDDEN))
    return still


def _adjusted(camera: Camera, frames_bgr: Sequence[Image], motion: Array) -> Calibration:
    start = _moved_pose(camera, motion)
    table = camera.table
    small, scale = small_picture(frames_bgr)
    moved = camera_of(start, table, camera.image_size)
    corners = np.array(list(moved.corner_pixels(nose_height_m(table)).values()))
    outline = cv2.convexHull(corners.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    look = look_inside(small, (outline + 0.5) * scale - 0.5)
    prior = _prior_of(camera)
    fitted = refined(frames_bgr, start, look, table, prior, near_given=True)
    found = camera_of(fitted.fit.pose, table, camera.image_size)
    check_fit(found, fitted.fit, fitted.observed)
    found = replace(found, head=found.side_of_head(), head_from=camera.head_from)
    notes = ("the camera had moved and was calibrated again",)
    return calibration_of(found, fitted.fit, fitted.observed, notes)


def _moved_pose(camera: Camera, motion: Array) -> LensPose:
    """The lens as it was, at the pose at which the noses are seen where the picture has gone.

    Raises:
        CalibrationError: when there is no such pose.
    """
    table, z_m = camera.table, nose_height_m(camera.table)
    places = np.concatenate(
        [rail.points(_ALONG * rail.half_length_m, np.zeros(7)) for rail in rails_of(table).values()]
    )
    points = np.column_stack([places, np.full(len(places), z_m)])
    pixels = camera.project(points) @ motion[:, :2].T + motion[:, 2]
    turn, _ = cv2.Rodrigues(camera.r_camera_from_table)
    done, turn, shift = cv2.solvePnP(
        points,
        pixels,
        camera.camera_matrix,
        camera.dist,
        turn,
        camera.t_camera_from_table_m.reshape(3, 1).copy(),
        useExtrinsicGuess=True,
        flags=cv2.SOLVEPNP_ITERATIVE,
    )
    if not done:
        raise CalibrationError("no camera over the table can see it there")
    rotation, _ = cv2.Rodrigues(turn)
    k1, k2, p1, p2, k3 = (float(value) for value in camera.dist)
    return LensPose(
        camera.focal_px,
        k1,
        k2,
        camera.camera_matrix[:2, 2].copy(),
        np.asarray(rotation, dtype=np.float64),
        np.asarray(shift, dtype=np.float64).reshape(3),
        LensPrior().cushion_m,
        fixed_dist=np.array([p1, p2, k3]),
    )


def _prior_of(camera: Camera) -> LensPrior:
    """What a calibration says of its lens and table."""
    side = max(camera.image_size)
    k1, k2, p1, p2, k3 = (float(value) for value in camera.dist)
    edge = side / 2.0 / camera.focal_px
    middle = (np.array(camera.image_size, dtype=np.float64) - 1.0) / 2.0
    off = (camera.camera_matrix[:2, 2] - middle) / side
    return LensPrior(
        focal_share=camera.focal_px / side,
        focal_sigma=_FOCAL_SIGMA,
        focal_per_bend1=0.0,
        bend1=k1 * edge**2,
        bend1_sigma=_BEND_SIGMA,
        bend2=k2 * edge**4,
        bend2_sigma=_BEND_SIGMA,
        bend2_per_bend1_squared=0.0,
        k3_per_k1_cubed=0.0,
        center_offset_share=(float(off[0]), float(off[1])),
        center_sigma_share=_CENTER_SIGMA,
        fixed_dist=(p1, p2, k3),
    )


def _as_made(table: TableSpec) -> TableSpec:
    """The table by its measures: half as wide as long, if it was found about so."""
    if abs(table.width_m / table.length_m - 0.5) < 0.02:
        return replace(table, width_m=table.length_m / 2.0)
    return table
