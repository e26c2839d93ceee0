"""Which end of the table is which, after the camera was turned: by what the table looks like.

Seen from above a table is the same both ways round, but not its balls, its marks, and what
stands around it. The picture before and the one after are laid flat through their cameras; of
each what is not the same after half a turn is kept, and the two are compared.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.cloth import Image
from calibration.filters import smoothed_picture
from calibration.lens import Array

_STEP_M: Final = 0.02
_AROUND_M: Final = 0.3
"""So much floor around the noses is compared; where a picture does not reach nothing is."""
_SOFT_M: Final = 0.025
_WIDE_M: Final = 0.3
"""Details between these sizes are compared: not noise, not the light."""
_LIKE: Final = 0.2
"""Least correlation, one way or the other, that tells the ends."""
_TURN_DEG: Final = 45.0
"""A camera that was turned by less than this was not turned by half a turn as well."""


def is_turned(before: Camera, before_bgr: Image, after: Camera, after_bgr: Image) -> bool | None:
    """Does `after` have the table the other way round than `before`? None: not to be told.

    Args:
        before: the camera that knows its ends, and a frame (H, W, 3) it saw.
        after: a camera over the same table, and a frame that it sees.
    """
    likeness = _likeness(before, before_bgr, after, after_bgr)
    if abs(likeness) > _LIKE:
        return likeness < 0.0
    turn_deg = abs(_turn_deg(before, after))
    if turn_deg < _TURN_DEG:
        return False
    return True if turn_deg > 180.0 - _TURN_DEG else None


def _likeness(before: Camera, before_bgr: Image, after: Camera, after_bgr: Image) -> float:
    """Correlation of what differs from end to end: 1 as before, -1 turned by half a turn."""
    old, old_seen = _uneven(*_flat(before, before_bgr))
    new, new_seen = _uneven(*_flat(after, after_bgr))
    return _correlation(old, new, old_seen * new_seen)


def _uneven(flat: Array, seen: Array) -> tuple[Array, Array]:
    """What of a picture (h, w) is not the same after half a turn, and 1 where that can be told."""
    return flat - flat[::-1, ::-1], seen * seen[::-1, ::-1]


def _flat(camera: Camera, frame_bgr: Image) -> tuple[Array, Array]:
    """The details (h, w) of a picture laid flat, and 1 where it reaches."""
    table = camera.table
    a, b = table.length_m / 2 + _AROUND_M, table.width_m / 2 + _AROUND_M
    x, y = (np.linspace(-far, far, 2 * round(far / _STEP_M) + 1) for far in (a, b))
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    pixels = camera.project_on_plane(grid.reshape(-1, 2)).reshape(grid.shape)
    height, width = frame_bgr.shape[:2]
    inside = (pixels > 1.0) & (pixels < np.array([width, height]) - 2.0)
    seen = np.all(inside, axis=2).astype(np.float64)
    maps = np.nan_to_num(pixels, nan=-10.0).astype(np.float32)
    grey = cv2.cvtColor(frame_bgr, cv2.COLOR_BGR2GRAY)
    px_a_step = float(camera.px_per_m([(0.0, 0.0)])[0]) * _STEP_M
    if px_a_step > 2.0:
        grey = cv2.GaussianBlur(grey, (0, 0), 0.4 * px_a_step)
    flat = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    level = float(np.sum(flat * seen)) / max(float(np.sum(seen)), 1.0)
    flat = np.where(seen > 0.0, flat, level)
    fine, wide = _SOFT_M / _STEP_M, _WIDE_M / _STEP_M
    return smoothed_picture(flat, fine, fine) - smoothed_picture(flat, wide, wide), seen


def _correlation(a: Array, b: Array, weight: Array) -> float:
    """Correlation of two pictures about zero; bounded, so that one spot does not decide."""
    limits = [2.5 * float(np.sqrt(np.sum(weight * p**2) / max(weight.sum(), 1.0))) for p in (a, b)]
    p, q = (np.clip(v, -limit, limit) for v, limit in zip((a, b), limits, strict=True))
    both = np.sqrt(float(np.sum(weight * p * p)) * float(np.sum(weight * q * q)))
    return float(np.sum(weight * p * q)) / max(float(both), 1e-9)


def _turn_deg(before: Camera, after: Camera) -> float:
    """By how much the table turned in the picture, -180 to 180."""
    angles = []
    for camera in (before, after):
        foot, head = camera.project_on_plane([(0.3, 0.0), (-0.3, 0.0)])
        angles.append(np.degrees(np.arctan2(*(foot - head)[::-1])))
    return float((angles[1] - angles[0] + 180.0) % 360.0 - 180.0)
