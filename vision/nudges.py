"""Grazes that hardly move a ball: found by its resting place before and after.

A ball that is touched at a few centimetres a second, or grazed, rolls on by millimetres, too
little to be seen moving. That it lies elsewhere afterwards is seen to a fraction of a
millimetre, and the ball that moved it was beside it just before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.balls import BallName
from table.geometry import TableSpec
from vision.contacts import BallMeeting, Break, Motion

Floats = NDArray[np.float64]

_LATE_STEPS: Final = 6.0
"""Frames by which a nudge may be noticed late."""
_BESIDE_M: Final = 0.004
_AWAY: Final = 0.3
"""Least cosine between the way that a ball was pushed and the line of centres."""
_SETTLING: Final = 1.5
_COST: Final = 9.0
_GRID: Final = 61


def nudge_meetings(
    breaks: Sequence[Break], motions: Mapping[BallName, Motion], table: TableSpec
) -> list[BallMeeting]:
    """For every resting ball that was nudged: the ball that rolled against it."""
    found = []
    for index, kink in enumerate(breaks):
        if kink.before.at_rest and kink.after.at_rest:
            options = list(_pushers(index, kink, motions, table))
            if options:
                found.append(min(options, key=lambda m: m.cost))
    return found


def _pushers(
    index: int, kink: Break, motions: Mapping[BallName, Motion], table: TableSpec
) -> Iterator[BallMeeting]:
    step = kink.to_s - kink.from_s
    times = np.linspace(kink.from_s - _LATE_STEPS * step, kink.to_s + step, _GRID)
    place, pushed = kink.before.p_m, kink.after.p_m - kink.before.p_m
    for other in motions.values():
        if other.name == kink.ball:
            continue
        offsets, moving = _offsets(other, place, times)
        gaps = np.hypot(*offsets.T) - table.ball_diameter_m
        near = np.flatnonzero(moving & (gaps < gaps.min() + 1e-3))
        if not len(near) or gaps[near[0]] > _BESIDE_M:
            continue
        at = int(near[0])
        along = float(pushed @ offsets[at]) / float(np.hypot(*pushed) * np.hypot(*offsets[at]))
        if along > _AWAY:
            late = float(abs(gaps[at])) / _BESIDE_M
            yield BallMeeting(
                kink.ball, other.name, float(times[at]), 2 * step, _COST + late, (index,), 0.05
            )


def _offsets(other: Motion, place: Floats, times: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """From the other ball to `place` at each time (N, 2), and whether it moved then (N,)."""
    offsets = np.empty((len(times), 2))
    settling_s = _SETTLING * float(times[-1] - times[0])
    moving = np.zeros(len(times), bool)
    for i, t_s in enumerate(times):
        leg = other.leg_before(float(t_s))
        if leg is None:
            offsets[i] = 1e3
            continue
        offsets[i] = place - leg.position(float(t_s))
        # A ball that dies against another one is seen at rest as it touches.
        moving[i] = not leg.at_rest or 0.0 < t_s - other.start_of(leg) < settling_s
    return offsets, moving
