"""The camera that a fit means, and whether it looks from overhead."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from calibration.camera import Camera
from calibration.errors import NO_TABLE, CalibrationError, too_oblique
from calibration.lens_pose import LensPose
from table.geometry import TableSpec

MAX_TILT_DEG: Final = 30.0
"""Beyond this the far noses hide the bed and balls hide each other: not "overhead"."""


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


def metres_per_px(pose: LensPose) -> float:
    """About how many metres of the table one pixel shows, in the picture's middle."""
    return float(-(pose.rotation.T @ pose.translation_m)[2]) / pose.focal_px
