"""Streaks too faint for the threshold: a fast ball of nearly the cloth's colour."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from vision.found import Found, found_streak
from vision.frames import Image
from vision.patches import HALF, over, patches_of
from vision.streaks import fit_streak

_LEAST_OVERLAP: Final = 0.7
_WORSE: Final = 0.6
_AREAS: Final = (0.6, 12.0)
"""Smallest and largest area of a faint streak, in areas of a ball's disc."""


@dataclass(eq=False)
class Faint:
    """Looks for faint streaks, frame by frame, at half size.

    `level`: what noise alone shows, 8-bit levels; `bed` (h, w) uint8: where a ball may be.
    """

    level: int
    bed: Image
    _last: Image | None = field(default=None, init=False)

    def streaks(self, difference: Image, explained: Image, radius_px: float) -> list[Found]:
        """Faint streaks in a half-size difference from the cloth, (h, w) uint8.

        Only away from what was read already (`explained`, non-zero), whose shadows are as
        faint, and only while the picture changes. Such a streak continues a track, it begins
        none.
        """
        last, self._last = self._last, difference
        reach = max(3, round(0.45 * radius_px) | 1)
        around = cv2.dilate(explained, np.ones((reach, reach), np.uint8))
        faint = over(difference, self.level) & self.bed
        faint[around > 0] = 0
        if last is not None:
            changed = over(np.asarray(cv2.absdiff(difference, last), np.uint8), self.level)
            if cv2.countNonZero(changed & faint) == 0:
                return []
        disc_px = np.pi * radius_px**2
        found: list[Found] = []
        for patch in patches_of(faint, _AREAS[0] * disc_px, 4, 8):
            if patch.area_px > _AREAS[1] * disc_px:
                continue
            own = np.ascontiguousarray(patch.own[::HALF, ::HALF])
            streak = fit_streak(own, radius_px / HALF)
            if streak is None or streak.overlap < _LEAST_OVERLAP:
                continue
            u0, v0 = patch.corner
            one = found_streak(streak, u0 // HALF, v0 // HALF, _WORSE)
            # The middle of a half-size pixel lies between two pixels.
            middle = (HALF - 1) / 2
            found.append(
                Found(
                    HALF * one.u + middle,
                    HALF * one.v + middle,
                    HALF * one.streak_u,
                    HALF * one.streak_v,
                    one.quality,
                    HALF * one.sigma_px,
                    alone=False,
                )
            )
        return found
