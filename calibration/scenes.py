"""Frames of one scene: what was filmed by one camera in one place.

The first seconds of a clip may hold a title, a fade-in or a cut; the table is calibrated
from the frames that belong together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from calibration.cloth import Image

_SIZE: Final = (64, 36)
_DIFFERENT: Final = 28.0
"""Difference of a value (0 .. 255) that counts."""
_SAME_SHARE: Final = 0.65
"""Share of the picture that stays alike within a scene, whoever walks through it."""


_BLOCK_PX: Final = 16
_NOISE: Final = 25.0
"""Standard deviation of the grain from which a picture is noise; cameras in the dark have 10."""


def is_noise(frame_bgr: Image) -> bool:
    """True for a picture that is grain all over: no signal, or far too little light.

    Source: Immerkaer, "Fast noise variance estimation", 1996; here of the median block, so
    that edges and textures do not count.
    """
    rows, columns = (size // _BLOCK_PX * _BLOCK_PX for size in frame_bgr.shape[:2])
    if min(rows, columns) == 0:
        return False
    grey = cv2.cvtColor(frame_bgr, cv2.COLOR_BGR2GRAY)[:rows, :columns].astype(np.float32)
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    grain = np.abs(cv2.filter2D(grey, -1, mask))
    blocks = cv2.resize(
        grain, (columns // _BLOCK_PX, rows // _BLOCK_PX), interpolation=cv2.INTER_AREA
    )
    return bool(float(np.median(blocks)) * np.sqrt(np.pi / 2.0) / 6.0 > _NOISE)


def scenes(frames_bgr: Sequence[Image]) -> list[list[int]]:
    """Group frames by scene, the scene with most frames first, then the earlier one.

    Returns:
        Indices of the frames of each scene.
    """
    small = [
        cv2.resize(frame, _SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
        for frame in frames_bgr
    ]
    groups: list[list[int]] = []
    for index, picture in enumerate(small):
        for group in groups:
            far = np.max(np.abs(picture - small[group[-1]]), axis=2)
            if float(np.mean(far < _DIFFERENT)) > _SAME_SHARE:
                group.append(index)
                break
        else:
            groups.append([index])
    return sorted(groups, key=lambda group: (-len(group), group[0]))
