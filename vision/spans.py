"""The shots of a clip in time: from the tip's stroke to rest.

A shot begins when the cue ball is kicked by the tip: it leaves its rest and neither a ball nor
a cushion explains it. It ends when every ball rests, or with the next stroke.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from table.balls import CUE, BallName
from vision.contacts import BallMeeting, Break, Motion, NoseMeeting
from vision.departures import Departure
from vision.legs import Leg

_STRIKE_MPS: Final = 0.10
_STRIKE_WHILE_ROLLING_MPS: Final = 0.5
_EXPLAINED_COST: Final = 16.0
_BLOW_MPS: Final = 0.5
_MOVING_MPS: Final = 0.015
"""Slower than this a ball is at rest as far as a camera can tell."""
_REST_MPS: Final = 0.005
"""Slower than this a ball is at rest by definition (docs/formats.md)."""
_ROLLING_MPS2: Final = 0.1
"""Rolling deceleration on a usual cloth (Marlow, ch. 3: rolling resistance about 0.01 g)."""
_LONGEST_CREEP_S: Final = 0.6
_ALL_STILL_S: Final = 0.5
"""After so long a rest of all balls the shot is over."""
_FALL_S: Final = 0.15
"""A fall of eleven centimetres, to the bottom of a usual pocket."""
_UNDER_WAY_S: Final = 1.0
_AT_ONCE_S: Final = 0.2
_LEAST_WAY_M: Final = 0.02
"""What a cue ball rolls at least, struck as softly as a stroke can be told."""
FIRST_SEEN_S: Final = 0.3
"""A ball that moves as the view begins may take some frames to be told from a passing thing."""
_OUT_OF_SIGHT_S: Final = 0.3
"""A ball that is not seen for longer may have rolled on."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The frames of a source: first and last time, time between frames, and cuts."""

    from_s: float
    until_s: float
    frame_s: float
    ended_by_cut: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """One shot: from the strike (None: before the clip) to rest (None: after the clip).

    `ends` is False where neither rest nor the next stroke ends it: the clip does. `next_s`:
    when the next stroke falls or the view ends; what moves after the rest was not played.
    """

    strike: Break | None
    from_s: float
    until_s: float
    at_rest: bool
    next_s: float
    ends: bool = True


def spans_of(
    motions: Mapping[BallName, Motion],
    breaks: Sequence[Break],
    balls: Sequence[BallMeeting],
    noses: Sequence[NoseMeeting],
    departures: Mapping[BallName, Departure],
    clock: Clock,
) -> list[Span]:
    """The shots of the clip, in order."""
    strikes = _strikes(motions, breaks, balls, noses)
    spans: list[Span] = []
    first_s = strikes[0].to_s if strikes else clock.until_s
    if first_s > clock.from_s + 3 * clock.frame_s and _is_under_way(motions, clock, first_s):
        spans.append(_span(None, clock.from_s, strikes[:1], motions, breaks, departures, clock))
    for index, strike in enumerate(strikes):
        start_s = _strike_time(strike, breaks)
        following = strikes[index + 1 : index + 2]
        spans.append(_span(strike, start_s, following, motions, breaks, departures, clock))
    return spans


def _span(
    strike: Break | None,
    from_s: float,
    following: Sequence[Break],
    motions: Mapping[BallName, Motion],
    breaks: Sequence[Break],
    departures: Mapping[BallName, Departure],
    clock: Clock,
) -> Span:
    """The shot that begins at `from_s`; the next stroke, if there is one, ends it at last."""
    until_s = _strike_time(following[0], breaks) if following else clock.until_s
    end_s, rests = _rest_after(motions, departures, from_s, until_s, clock)
    if not rests and following:
        return Span(strike, from_s, until_s, at_rest=False, next_s=until_s)
    return Span(strike, from_s, end_s, rests, until_s, ends=rests)


def _strikes(
    motions: Mapping[BallName, Motion],
    breaks: Sequence[Break],
    balls: Sequence[BallMeeting],
    noses: Sequence[NoseMeeting],
) -> list[Break]:
    """Breaks of the cue ball that only the tip explains."""
    if CUE not in motions:
        return []
    explained = {i for m in balls if m.cost < _EXPLAINED_COST for i in m.breaks}
    explained |= {i for m in noses for i in m.breaks}
    found: list[Break] = []
    for index, kink in enumerate(breaks):
        if kink.ball != CUE or index in explained:
            continue
        middle = (kink.from_s + kink.to_s) / 2
        slow_before = np.hypot(*kink.before.velocity(kink.from_s)) < 0.05
        kick = float(np.hypot(*kink.kick(middle)))
        least = _STRIKE_MPS if kink.before.at_rest else _STRIKE_WHILE_ROLLING_MPS
        if not (kink.before.at_rest or slow_before) or kick < least:
            continue
        if _is_carried(motions[CUE], kink) or not _goes(motions[CUE], kink, breaks):
            continue
        if found and kink.from_s - found[-1].to_s < 0.3:
            continue
        found.append(kink)
    return found


def _goes(cue: Motion, kink: Break, breaks: Sequence[Break]) -> bool:
    """True when the cue ball, or a ball that lay before it, goes anywhere after a kick.

    A ball of which little is seen seems to start now and then; it lies where it lay.
    """
    path = cue.path
    later = slice(*np.searchsorted(path.t_s, (kink.to_s - 1e-6, kink.to_s + _UNDER_WAY_S)))
    away = np.hypot(*(path.xy_m[later] - kink.before.position(kink.from_s)).T)
    if len(away) and away.max() > max(_LEAST_WAY_M, 5.0 * float(path.sigma_m[later].max())):
        return True
    until_s = kink.to_s + _AT_ONCE_S
    return any(
        other.ball != CUE and other.before.at_rest and kink.from_s - 1e-6 <= other.to_s <= until_s
        for other in breaks
    )


def _is_carried(cue: Motion, kink: Break) -> bool:
    """True when the cue ball's way after the start is a hand's: it turns without a cause.

    A struck ball goes straight and slows; within its first tenths of a second a carried one
    speeds up and wanders.
    """
    after = [leg for leg in cue.legs if cue.start_of(leg) >= kink.to_s - 1e-6]
    if not after:
        return False
    first = after[0]
    if cue.end_of(first) - cue.start_of(first) > 0.15:
        start = float(np.hypot(*first.velocity(cue.start_of(first))))
        end = float(np.hypot(*first.velocity(cue.end_of(first))))
        # A ball that jumps seems to speed up, too, but it starts with a blow.
        return start < _BLOW_MPS and end > 1.25 * start + 0.1
    return False


def _strike_time(strike: Break, breaks: Sequence[Break]) -> float:
    """When the cue ball left its place: where its first leg passes through it.

    A ball beside the cue ball may leave in the same frame: the stroke was before that.
    """
    step = strike.to_s - strike.from_s
    driven = [
        0.5 * (k.from_s + k.to_s) - 1e-3
        for k in breaks
        if k.ball != CUE and k.before.at_rest and abs(k.from_s - strike.from_s) < 0.5 * step
    ]
    times = np.linspace(strike.from_s - (strike.to_s - strike.from_s), strike.to_s, 81)
    away = [float(np.hypot(*(strike.after.position(t) - strike.before.position(t)))) for t in times]
    return min([float(times[int(np.argmin(away))]), *driven])


def _is_under_way(motions: Mapping[BallName, Motion], clock: Clock, until_s: float) -> bool:
    """True when a ball moves as the view begins, or as it is first seen soon after that."""
    soon_s = min(clock.from_s + FIRST_SEEN_S, until_s)
    going = {name: motion for name, motion in motions.items() if _goes_on(motion)}
    begins = [clock.from_s + 0.5 * clock.frame_s]
    # What is remembered of a ball that was hidden before the first frame tells nothing here.
    firsts = [float(m.path.t_s[0]) + 1e-6 for m in going.values()]
    begins += [t_s for t_s in firsts if clock.from_s <= t_s < soon_s]
    return any(moving_at(going, t_s) for t_s in begins)


def _goes_on(motion: Motion) -> bool:
    """True for a ball that goes anywhere in the second after it was first seen.

    Where balls touch, their centres creep by millimetres until they are told apart.
    """
    path = motion.path
    later = slice(0, int(np.searchsorted(path.t_s, path.t_s[0] + _UNDER_WAY_S)))
    away = np.hypot(*(path.xy_m[later] - path.xy_m[0]).T)
    return bool(away.max() > _LEAST_WAY_M)


def moving_at(motions: Mapping[BallName, Motion], t_s: float) -> dict[BallName, float]:
    """Speeds of the balls that move at time t."""
    moving = {}
    for name, motion in motions.items():
        leg = motion.leg_before(t_s)
        if leg is None or leg.at_rest or motion.end_of(motion.legs[-1]) < t_s - 0.1:
            continue
        speed = float(np.hypot(*leg.velocity(t_s)))
        if speed > _MOVING_MPS and _travels(motion, leg) and t_s < settled_s(motion, leg):
            moving[name] = speed
    return moving


def settled_s(motion: Motion, leg: Leg) -> float:
    """When the ball, last seen moving on `leg`, lay where it is seen at rest next; inf: unknown.

    Out of sight it rolled on: evenly braked, over the way that was left.
    """
    rest = motion.leg_after(leg)
    if rest is None or not rest.at_rest:
        return float("inf")
    end, seen_s = motion.end_of(leg), motion.start_of(rest)
    if seen_s - end < _OUT_OF_SIGHT_S:
        return seen_s
    way = float(np.hypot(*(rest.p_m - leg.position(end))))
    speed = float(np.hypot(*leg.velocity(end)))
    return min(seen_s, end + 2.0 * way / max(speed, _MOVING_MPS))


def _travels(motion: Motion, leg: Leg) -> bool:
    """True when a leg covers more ground than a measurement's noise."""
    way = np.hypot(*(leg.position(motion.end_of(leg)) - leg.position(motion.start_of(leg))))
    return bool(way > 0.004)


def _rest_after(
    motions: Mapping[BallName, Motion],
    departures: Mapping[BallName, Departure],
    from_s: float,
    until_s: float,
    clock: Clock,
) -> tuple[float, bool]:
    """When the last ball stops within the span, and whether it does before the span's end.

    What begins to move once everything has lain still for a moment is no part of the shot.
    """
    ways = [
        way
        for name, motion in motions.items()
        for way in _ways(motion, departures.get(name), from_s, until_s)
    ]
    last = from_s
    for start_s, stop_s in sorted(ways):
        if start_s > last + _ALL_STILL_S:
            break
        last = max(last, min(stop_s, until_s))
    return last, last < until_s - _rest_shown_s(until_s, clock)


def _ways(
    motion: Motion, departure: Departure | None, from_s: float, until_s: float
) -> Iterator[tuple[float, float]]:
    """When a ball started and stopped, for each of its ways within a span."""
    for leg in motion.legs:
        start, end = motion.start_of(leg), motion.end_of(leg)
        if leg.at_rest or end < from_s or start > until_s or not _travels(motion, leg):
            continue
        after = motion.leg_after(leg)
        stop = _stop_time(leg, end) if after is None or after.at_rest else end
        if after is not None and motion.start_of(after) - end > _OUT_OF_SIGHT_S:
            stop = max(stop, min(settled_s(motion, leg), motion.start_of(after)))
        if after is None and departure is not None and departure.is_gone:
            stop = _lies_s(departure)
        yield (_seen_before(motion, leg, from_s), stop)
    if departure is not None and from_s < departure.t_s <= until_s:
        before = motion.leg_before(departure.t_s)
        moved = before is not None and not before.at_rest
        hid = not departure.is_gone and moved
        yield (from_s if hid else departure.t_s, _lies_s(departure))


def _lies_s(departure: Departure) -> float:
    """When a ball that left lies still: one that passed the edge still has to fall."""
    return departure.t_s + (_FALL_S if departure.kind == "pocketed" else 0.0)


def _seen_before(motion: Motion, leg: Leg, from_s: float) -> float:
    """When a way may have begun: at the sighting before it, if that was close; a ball that came
    out of hiding in motion had moved before."""
    if leg.first == 0:
        return from_s
    before_s, start = float(motion.path.t_s[leg.first - 1]), motion.start_of(leg)
    return before_s if start - before_s > _OUT_OF_SIGHT_S else start


def _rest_shown_s(until_s: float, clock: Clock) -> float:
    """How long rest must be seen before a stroke or a cut, or before the video's own end.

    At the end of the video nothing contradicts a table on which every ball has become slow.
    """
    if until_s >= clock.until_s - 1e-6 and not clock.ended_by_cut:
        return 2 * clock.frame_s
    return max(0.3, 3 * clock.frame_s)


def _stop_time(leg: Leg, end: float) -> float:
    """When a ball that was last seen moving on `leg` becomes slower than the rest speed.

    The last centimetre is slower than a camera can see: the ball's own deceleration, or a
    usual cloth's where the leg is too short to tell, carries it on.
    """
    velocity = leg.velocity(end)
    speed = float(np.hypot(*velocity))
    if speed <= _REST_MPS:
        times = np.linspace(float(leg.t0_s) - (end - leg.t0_s), end, 41)
        fast = [t for t in times if np.hypot(*leg.velocity(t)) > _REST_MPS]
        return float(fast[-1]) if fast else end
    braking = -float(leg.a_mps2 @ velocity) / speed
    if not 0.5 * _ROLLING_MPS2 < braking < 4 * _ROLLING_MPS2:
        braking = _ROLLING_MPS2
    return end + min(_LONGEST_CREEP_S, (speed - _REST_MPS) / braking)
