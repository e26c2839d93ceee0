"""Does a calibration still fit the picture? How far off, in millimetres at the cloth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.find import find_camera
from vision.frames import Image


def fit_mm(given: Camera, pictures: Sequence[Image]) -> float | None:
    """The largest distance of the table's corners from where they are seen; None: not seen.

    `pictures`: (h, w, 3) uint8 BGR, of the size that the camera is for.
    """
    try:
        seen = find_camera(pictures, given.table, given.head).camera
    except CalibrationError:
        return None
    return 1000.0 * apart_m(given, seen)


def apart_m(given: Camera, seen: Camera) -> float:
    """How far two calibrations of one picture place the table's corners apart."""
    corners = given.table.nose_corners
    places = np.array([corners[pocket] for pocket in corners])
    pixels = given.project_on_plane(places, 0.0)
    # Either end may be called the head.
    return min(
        float(np.max(np.hypot(*(seen.on_plane(pixels, 0.0) - side * places).T)))
        for side in (1.0, -1.0)
    )
