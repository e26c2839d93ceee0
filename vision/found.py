"""One ball-like thing in top-view pixels, as the localizer's parts hand it on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.discs import Disc
from vision.streaks import Streak


@dataclass(frozen=True, slots=True)
class Found:
    """A ball or a moving ball's streak, top-view pixels.

    `u`, `v`: centre, of a streak its middle; `streak_u`, `streak_v`: half the streak's way;
    `alone`: apart from anything that reaches over the table's edge.
    """

    u: float
    v: float
    streak_u: float
    streak_v: float
    quality: float
    sigma_px: float
    alone: bool = True

    def near(self, other: Found, reach_px: float) -> bool:
        """True when the centres lie within `reach_px` of each other."""
        return bool(np.hypot(self.u - other.u, self.v - other.v) <= reach_px)

    def moved(self, du: float, dv: float) -> Found:
        """The same, elsewhere."""
        return replace(self, u=self.u + du, v=self.v + dv)


def found_disc(disc: Disc, u0: int, v0: int) -> Found:
    """A disc of the patch whose first pixel is (u0, v0)."""
    sigma = 0.12 + 0.25 * disc.scatter_px * (1.2 - disc.support)
    return Found(disc.u + u0, disc.v + v0, 0.0, 0.0, disc.support, sigma)


def found_streak(streak: Streak, u0: int, v0: int, worse: float = 1.0) -> Found:
    """A streak of the patch whose first pixel is (u0, v0); `worse` (0..1) lowers its quality."""
    length = float(np.hypot(streak.half_u, streak.half_v))
    sigma = 0.4 + 0.08 * length + (1 - worse) * 3.0
    return Found(
        streak.u + u0, streak.v + v0, streak.half_u, streak.half_v, streak.overlap * worse, sigma
    )


def without_doubles(found: list[Found], radius_px: float) -> list[Found]:
    """Of several that lie nearer than balls can, the best."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda each: -each.quality):
        if not any(one.near(other, 1.2 * radius_px) for other in kept):
            kept.append(one)
    return kept
