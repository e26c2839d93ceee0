"""Where the cloth is now, for a camera whose rails cannot be found again where they were."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.cloth import ClothRegion, Image, cloth_regions, small_picture
from calibration.lens import Array
from calibration.strips import nose_height_m

_DISPLACED_MM: Final = 35.0
"""Shift of a corner of the cloth's outline that cannot be chance. One or two corners may be
covered by somebody; three are displaced by a move alone."""
_SURE_CLOTH: Final = 0.1
_FURTHER: Final = 0.2
"""Least score of a cloth as a share of what it had in its place: from twice as far it has a
third."""
_OVERLAP: Final = 0.6
_SAME_COLOUR: Final = 20.0
_FILLED: Final = 0.7


def cloth_in_place(frame_bgr: Image, camera: Camera) -> ClothRegion | None:
    """The region that is the cloth over which the camera was calibrated; None: it is not clear."""
    small, scale = small_picture([frame_bgr])
    corners = np.array(list(camera.corner_pixels(nose_height_m(camera.table)).values()))
    outline = cv2.convexHull(((corners + 0.5) * scale - 0.5).astype(np.float32))
    bed = np.zeros(small.shape[:2], np.uint8)
    cv2.fillConvexPoly(bed, np.rint(outline).astype(np.int32), 1)
    for region in cloth_regions(small, scale):
        both = np.count_nonzero((bed > 0) & region.mask_small)
        if both > _OVERLAP * np.count_nonzero((bed > 0) | region.mask_small):
            return region
    return None


def same_cloth(frame_bgr: Image, was: ClothRegion) -> ClothRegion | None:
    """The likeliest cloth of the remembered colour, None when none is seen.

    It may be seen from further away than it was.
    """
    small, scale = small_picture([frame_bgr])
    for region in cloth_regions(small, scale):
        off = np.hypot(*(region.look.colour - was.look.colour)[1:])
        sure = region.score > min(_SURE_CLOTH, _FURTHER * was.score)
        if sure and off < _SAME_COLOUR and region.fill > _FILLED:
            return region
    return None


def displaced(camera: Camera, was_px: Array, now_px: Array) -> int:
    """How many of the cloth's four corners are no longer where they were."""
    per_px_mm = 1e3 / float(camera.px_per_m([(0.0, 0.0)], 0.0)[0])
    turned = [np.roll(now_px, turn, axis=0) - was_px for turn in range(4)]
    off = min((np.hypot(*step.T) for step in turned), key=lambda far: float(np.sum(far)))
    return int(np.count_nonzero(off * per_px_mm > _DISPLACED_MM))
