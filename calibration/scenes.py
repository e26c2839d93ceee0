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
