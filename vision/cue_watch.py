"""The cue through one view of the table: what was seen of it, frame by frame."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.cue import CueLine, LyingCue, find_cues, strike_time_s
from vision.finds import Finds, Floats, Kind
from vision.frames import Image
from vision.topview import TopView

_AIMS_WITHIN_M: Final = 0.04
"""How far beside the cue ball's centre a cue's line may pass for it to aim at it."""
_REACH_M: Final = 0.35
"""How far a tip may be from the ball it aims at."""
_RISE_RAD: Final = math.radians(0.6)
"""What the unknown rise of the stick leaves open (measured: benchmarks/cue_accuracy.py)."""
_BEFORE_S: Final = 0.6
_HAND_NEAR_M: Final = 0.5


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
class CueWatch:
    """Everything seen of cues in one unbroken view; places with the picture's shift taken out."""

    top: TopView
    seen: list[tuple[float, CueLine]] = field(default_factory=list)
    """Time and line of each cue that was seen, in order of time."""
    lying_since_s: list[float] = field(default_factory=list)
    """Since when a cue lay on the cloth, once for each time it did."""
    _lying: LyingCue = field(default_factory=LyingCue)

    def update(
        self, t_s: float, foreground: Image, finds: Finds, moved_m: tuple[float, float]
    ) -> None:
        """Take a frame's mask of all that is not cloth, and what the network last saw."""
        tips = finds.of(Kind.TIP, least=0.3).centers_px
        cues = [_moved(cue, moved_m) for cue in find_cues(foreground, self.top, tips)]
        self.seen += [(t_s, cue) for cue in cues]
        # Two eyes again: where a cue lay when the cloth was learned, bare cloth looks like one.
        held = [not cue.by_network or self._is_held(cue, foreground) for cue in cues]
        since_s = self._lying.update(t_s, cues, held)
        if since_s is not None and (not self.lying_since_s or since_s > self.lying_since_s[-1]):
            self.lying_since_s.append(since_s)

    def _is_held(self, cue: CueLine, foreground: Image) -> bool:
        """True when the cue reaches over the table's edge or somebody is near it."""
        back = cue.ahead(-cue.length_m)
        if not self.top.camera.table.contains(back):
            return True
        ends = self.top.from_table(np.array([cue.tip_m, back]))
        reach = round(_HAND_NEAR_M * self.top.px_per_m)
        low = np.maximum(ends.min(axis=0) - reach, 0).astype(int)
        high = (ends.max(axis=0) + reach).astype(int)
        patch = foreground[low[1] : high[1] : 4, low[0] : high[0] : 4]
        largest = 6.0 * math.pi * (self.top.ball_radius_px / 4) ** 2
        thick = (cue.length_m * 0.03 * self.top.px_per_m**2) / 16
        return float((patch > 0).sum()) > largest + thick

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
        strike = strike_time_s(aims, cue_ball_m, self.top.camera.table.ball_radius_m)
        return Aim(aims[-1][0], aims[-1][1].tip_m, direction, sigma, strike)

    def _aims_at(self, cue: CueLine, ball_m: tuple[float, float]) -> bool:
        dx, dy = ball_m[0] - cue.tip_m[0], ball_m[1] - cue.tip_m[1]
        ux, uy = math.cos(cue.direction_rad), math.sin(cue.direction_rad)
        along, across = dx * ux + dy * uy, abs(dx * uy - dy * ux)
        return across < _AIMS_WITHIN_M and 0.0 < along < _REACH_M


def _away(cue: CueLine, ball_m: tuple[float, float]) -> float:
    return math.dist(cue.tip_m, ball_m)


def _moved(cue: CueLine, moved_m: tuple[float, float]) -> CueLine:
    tip = (cue.tip_m[0] - moved_m[0], cue.tip_m[1] - moved_m[1])
    return CueLine(tip, cue.direction_rad, cue.length_m, cue.by_network)


def _mean_direction(angles: Floats, weights: Floats) -> tuple[float, float]:
    """Weighted mean of directions and its standard error (radians)."""
    mean = math.atan2(
        float((weights * np.sin(angles)).sum()), float((weights * np.cos(angles)).sum())
    )
    off = np.array([math.remainder(float(a) - mean, math.tau) for a in angles])
    spread = math.sqrt(float((weights * off**2).sum() / weights.sum()))
    return mean, math.hypot(spread / math.sqrt(len(angles)), _RISE_RAD)
