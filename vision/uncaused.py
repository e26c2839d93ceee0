"""Motion that nothing played explains: a ball that falls by itself, a ball that was touched.

A ball on a pocket's lip may fall seconds after everything stopped: a late drop (8.3), told
with the seconds since. An object ball that leaves its rest while no ball is near it was touched
by something; whether that is a foul (6.6) only a person can say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from table.balls import CUE, BallName
from table.events import LateDrop, OtherEvent
from table.geometry import TableSpec
from vision.contacts import Break, Motion
from vision.departures import Departure
from vision.spans import Span

_LATE_S: Final = 0.1
"""Sooner after the rest it fell in the shot."""
_NEAR_M: Final = 0.03
"""A ball that passes this close may have done it, whatever the measurement says."""
_LEAST_WAY_M: Final = 0.006
_AROUND_S: Final = 0.2
_SUSPICION: Final = 0.5


def late_drops(number: int, span: Span, departures: Iterable[Departure]) -> Iterator[LateDrop]:
    """Balls that fell after everything had stopped and before the next stroke."""
    if not span.ends or not span.at_rest:
        return
    for one in departures:
        seconds = one.t_s - span.until_s
        late = seconds > _LATE_S and one.t_s < span.next_s - _LATE_S
        if one.kind == "pocketed" and one.pocket is not None and late and one.ball != CUE:
            yield LateDrop(
                shot=number,
                t_s=one.t_s,
                dt_s=one.dt_s,
                confidence=one.probability,
                ball=one.ball,
                pocket=one.pocket,
                seconds=round(seconds, 3),
            )


def touched(
    number: int,
    span: Span,
    breaks: Sequence[Break],
    explained: Iterable[int],
    motions: Mapping[BallName, Motion],
    table: TableSpec,
) -> Iterator[OtherEvent]:
    """Object balls that left their rest within the shot with no ball near them."""
    known, told = set(explained), set[BallName]()
    for index, kink in enumerate(breaks):
        inside = span.from_s + _AROUND_S < kink.from_s and kink.to_s < span.until_s
        if index in known or kink.ball in (CUE, *told) or not kink.before.at_rest or not inside:
            continue
        way = _way_m(motions[kink.ball], kink)
        if way > _LEAST_WAY_M and not _passed(kink, motions, table):
            told.add(kink.ball)
            yield OtherEvent(
                shot=number,
                t_s=0.5 * (kink.from_s + kink.to_s),
                dt_s=0.5 * (kink.to_s - kink.from_s),
                confidence=_SUSPICION,
                name="ball_touched",
                fields={"ball": kink.ball, "moved_m": round(way, 4)},
            )


def _way_m(motion: Motion, kink: Break) -> float:
    """How far from its spot the ball went, as far as it was seen for a second."""
    path = motion.path
    first, last = np.searchsorted(path.t_s, (kink.to_s - 1e-6, kink.to_s + 1.0))
    if first == last:
        return 0.0
    away = np.hypot(*(path.xy_m[first:last] - kink.before.p_m).T)
    return float(np.median(away[len(away) // 2 :]))


def _passed(kink: Break, motions: Mapping[BallName, Motion], table: TableSpec) -> bool:
    """True when another ball was near, or was out of sight and may have been."""
    times = np.linspace(kink.from_s - _AROUND_S, kink.to_s + _AROUND_S, 17)
    for other in motions.values():
        if other.name == kink.ball:
            continue
        for t_s in times:
            leg = other.leg_before(float(t_s))
            if leg is None:
                continue
            away = float(np.hypot(*(leg.position(float(t_s)) - kink.before.p_m)))
            unseen = not leg.at_rest and t_s > other.end_of(leg) + _AROUND_S
            if unseen or (not leg.at_rest and away < table.ball_diameter_m + _NEAR_M):
                return True
    return False
