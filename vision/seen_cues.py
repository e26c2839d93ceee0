"""What was seen of cues in one view of the table, and which of it aimed at a stroke."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.cue import CueLine, strike_time_s
from vision.finds import Floats

_AIMS_WITHIN_M: Final = 0.04
"""How far beside the cue ball's centre a cue's line may pass for it to aim at it."""
_REACH_M: Final = 0.35
"""How far a tip may be from the ball it aims at."""
_RISE_RAD: Final = math.radians(0.6)
"""What the unknown rise of the stick leaves open (measured: benchmarks/cue_accuracy.py)."""
_BEFORE_S: Final = 0.6


@dataclass(frozen=True, slots=True)
class Aim:
    """The cue just before a stroke: the last look, the line of all looks, and the strike."""

    t_s: float
    tip_m: tuple[float, float]
    direction_rad: float
    sigma_rad: float
    strike_s: float | None
    """When the tip met the ball by the tip's own way; None when that was not seen."""


@dataclass(eq=False)
class SeenCues:
    """Everything seen of cues in one unbroken view; places with the picture's shift taken out."""

    ball_radius_m: float
    seen: list[tuple[float, CueLine]] = field(default_factory=list)
    """Time and line of each cue that was seen, in order of time."""
    lying_since_s: list[float] = field(default_factory=list)
    """Since when a cue lay on the cloth, once for each time it did."""

    def forget_before(self, t_s: float) -> None:
        """Let go of what was seen before `t_s`."""
        del self.seen[: bisect_left(self.seen, t_s, key=lambda row: row[0])]
        # The last one is kept: the same cue is not to be told anew.
        del self.lying_since_s[: bisect_left(self.lying_since_s[:-1], t_s)]

    def aim_before(
        self, strike_s: float, cue_ball_m: tuple[float, float], frame_s: float
    ) -> Aim | None:
        """The cue that aimed at a resting cue ball before it was struck at `strike_s`."""
        last = bisect_right([t for t, _ in self.seen], strike_s + 0.5 * frame_s)
        nearest: dict[float, CueLine] = {}
        for t, cue in self.seen[:last]:
            if t > strike_s - _BEFORE_S and self._aims_at(cue, cue_ball_m):
                # A mechanical bridge ends behind the tip of the cue that lies on it.
                rival = nearest.get(t)
                if rival is None or _away(cue, cue_ball_m) < _away(rival, cue_ball_m):
                    nearest[t] = cue
        if not nearest:
            return None
        aims = sorted(nearest.items())
        angles = np.array([cue.direction_rad for _, cue in aims])
        weights = np.array([cue.length_m**2 for _, cue in aims])
        direction, sigma = _mean_direction(angles, weights)
        strike = strike_time_s(aims, cue_ball_m, self.ball_radius_m)
        return Aim(aims[-1][0], aims[-1][1].tip_m, direction, sigma, strike)

    def _aims_at(self, cue: CueLine, ball_m: tuple[float, float]) -> bool:
        dx, dy = ball_m[0] - cue.tip_m[0], ball_m[1] - cue.tip_m[1]
        ux, uy = math.cos(cue.direction_rad), math.sin(cue.direction_rad)
        along, across = dx * ux + dy * uy, abs(dx * uy - dy * ux)
        return across < _AIMS_WITHIN_M and 0.0 < along < _REACH_M


def _away(cue: CueLine, ball_m: tuple[float, float]) -> float:
    return math.dist(cue.tip_m, ball_m)


def _mean_direction(angles: Floats, weights: Floats) -> tuple[float, float]:
    """Weighted mean of directions and its standard error (radians)."""
    mean = math.atan2(
        float((weights * np.sin(angles)).sum()), float((weights * np.cos(angles)).sum())
    )
    off = np.array([math.remainder(float(a) - mean, math.tau) for a in angles])
    spread = math.sqrt(float((weights * off**2).sum() / weights.sum()))
    return mean, math.hypot(spread / math.sqrt(len(angles)), _RISE_RAD)
