"""When each frame was really taken, where timestamps do not say it.

Footage that was converted between rates or fields holds frames that advance by half a step:
every moving ball slows to half its speed for one frame and goes on as before, which no ball
does by itself. Such steps are found and shortened; all motion is then fitted in this
effective time, and event times are mapped back to presentation time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LEAST_STEP_M: Final = 0.006
_ALIKE: Final = 0.25
_ODD: Final = 0.2
_AGREE: Final = 0.12
_STRAIGHT: Final = 0.99


@dataclass(frozen=True, slots=True, eq=False)
class Cadence:
    """Presentation time and effective time of each frame, both increasing (N,)."""

    presented_s: Floats
    effective_s: Floats

    def effective(self, t_s: Floats) -> Floats:
        """Presentation times -> effective times; beyond the frames time goes on as presented.

        A hidden ball's last sightings may be older than the frames that are remembered.
        """
        beyond = t_s - np.clip(t_s, self.presented_s[0], self.presented_s[-1])
        return np.asarray(np.interp(t_s, self.presented_s, self.effective_s) + beyond)

    def presented(self, t_s: float) -> float:
        """An effective time -> presentation time."""
        first, last = float(self.effective_s[0]), float(self.effective_s[-1])
        if t_s < first or t_s > last:
            near = 0 if t_s < first else -1
            return t_s + float(self.presented_s[near] - self.effective_s[near])
        return float(np.interp(t_s, self.effective_s, self.presented_s))


def find_cadence(times_s: Sequence[float], tracks: Iterable[tuple[Floats, Floats]]) -> Cadence:
    """The cadence of a sequence of frames.

    `times_s`: presentation times of all frames; `tracks`: for each ball the times (n,) and
    positions (n, 2) in metres at which it was seen.
    """
    presented = np.asarray(times_s, np.float64)
    ratios: dict[int, list[float]] = {}
    for t_s, xy_m in tracks:
        for step, ratio in _odd_steps(presented, t_s, xy_m):
            ratios.setdefault(step, []).append(ratio)
    steps = np.diff(presented)
    for step, values in ratios.items():
        middle = float(np.median(values))
        spread = float(np.median(np.abs(np.array(values) - middle)))
        # One ball alone may be braked and pushed on, but not slow and recover.
        sure = len(values) > 1 or middle < 1
        if abs(middle - 1) > _ODD and spread < _AGREE and sure:
            steps[step] *= middle
    return Cadence(presented, np.concatenate(([presented[0]], presented[0] + np.cumsum(steps))))


def _odd_steps(presented: Floats, t_s: Floats, xy_m: Floats) -> list[tuple[int, float]]:
    """(step, share of the usual way) for the steps of a ball between two like steps."""
    if len(t_s) < 4:
        return []
    index = np.searchsorted(presented, t_s - 1e-6)
    way = np.diff(xy_m, axis=0)
    length = np.hypot(*way.T)
    speed = length / np.diff(t_s)
    consecutive = np.diff(index) == 1
    found = []
    for k in range(1, len(way) - 1):
        if not (consecutive[k - 1] and consecutive[k] and consecutive[k + 1]):
            continue
        before, after = speed[k - 1], speed[k + 1]
        mean = 0.5 * (before + after)
        if min(length[k - 1], length[k + 1]) < _LEAST_STEP_M or length[k] < 1e-4:
            continue
        if abs(before - after) > _ALIKE * mean:
            continue
        straight = (way[k - 1] @ way[k]) / (length[k - 1] * length[k])
        onward = (way[k] @ way[k + 1]) / (length[k] * length[k + 1])
        if min(straight, onward) > _STRAIGHT:
            found.append((int(index[k]), float(speed[k] / mean)))
    return found
