"""A table's bed told by its edges alone, where the floor or the rails have its colour.

A bed is a large, four-sided, even area with edges all round: the shadows under its noses. In
`calibration.cloth` colour tells where a cloth ends; here any change of light or colour does. It
costs more and says less (the area may end at the noses or at the rails), so it comes last.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.cloth import ClothRegion, Image, is_same, parts_of, region_of
from calibration.cloth_look import Floats32, look_of

_LEAST_AREA: Final = 0.02
_PARTS: Final = 6
_OPEN_PX: Final = 2
_GAP: Final = 0.015
_SOFTER_PX: Final = 1.5
_STEEP: Final = (3.5, 2.0, 6.0)
"""So many times as steep as half the picture is: there an area ends."""
_AT_EDGE: Final = 0.02
_LEAST_FILL: Final = 0.8


def enclosed_regions(small_bgr: Image, small_scale: float) -> list[ClothRegion]:
    """Even four-sided areas that are enclosed by edges, the likeliest to be a bed first.

    Args:
        small_bgr: the reduced picture (see `calibration.cloth.small_picture`).
        small_scale: its pixels per pixel of the full picture.
    """
    soft = cv2.GaussianBlur(small_bgr, (0, 0), 1.2)
    lab = np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), np.uint8).astype(np.float32)
    found: list[ClothRegion] = []
    for softer_px in (_SOFTER_PX, 0.0):
        steep = _steepness(lab, softer_px)
        usual = float(np.median(steep))
        for times in _STEEP:
            for part in parts_of(steep < times * usual, _OPEN_PX, _LEAST_AREA)[:_PARTS]:
                gap_px = _GAP * max(part.shape)
                region = region_of(part, part, look_of(lab, part), gap_px, small_scale)
                if region is None or region.at_edge > _AT_EDGE or region.fill < _LEAST_FILL:
                    continue
                if not any(is_same(region, other) for other in found):
                    found.append(region)
    return sorted(found, key=lambda region: -region.score)


def _steepness(lab: Floats32, softer_px: float) -> Floats32:
    """(h, w) how steeply lightness and colour change, 8-bit Lab a pixel."""
    soft = cv2.GaussianBlur(lab, (0, 0), softer_px) if softer_px else lab
    across = cv2.Scharr(soft, cv2.CV_32F, 1, 0, scale=1 / 32)
    down = cv2.Scharr(soft, cv2.CV_32F, 0, 1, scale=1 / 32)
    return np.asarray(np.sqrt(np.sum(across**2 + down**2, axis=2)), np.float32)
