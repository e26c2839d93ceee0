"""Rest, strike, rest: joins strikes, contacts and departures into the ordered event stream.

A shot begins when the cue ball is kicked from the tip: it starts (or changes its motion) and
neither a ball nor a cushion explains it. It ends when every ball rests, or with the next
stroke. Of all meetings that the paths allow, each break of motion keeps the one that
explains it best.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from table.balls import CUE, BallName, ball_order
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    OtherEvent,
    ShotEnded,
    ShotEvent,
    ShotStarted,
)
from table.geometry import Point, TableSpec
from table.log import in_order
from vision.contacts import (
    BallMeeting,
    Break,
    Motion,
    NoseMeeting,
    ball_meetings,
    breaks_of,
    nose_meetings,
)
from vision.departures import Departure, departure_of
from vision.first_contact import FirstContact, first_contact_of
from vision.legs import Leg, Path, legs_of

_STRIKE_MPS: Final = 0.10
_SURE_COST: Final = 16.0
_WORST_COST: Final = 60.0
_MOVING_MPS: Final = 0.012
"""Slower than this a ball is at rest as far as a camera can tell."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The frames of a source: first and last time, time between frames, and cuts."""

    from_s: float
    until_s: float
    frame_s: float
    ended_by_cut: bool = False


@dataclass(frozen=True, slots=True)
class _Span:
    """One shot: from the strike (None: before the clip) to rest (None: after the clip)."""

    strike: Break | None
    from_s: float
    until_s: float
    at_rest: bool


def read_shots(
    motions: Mapping[BallName, Motion], table: TableSpec, clock: Clock
) -> tuple[ShotEvent, ...]:
    """All shot events of a clip, ordered by shot and time."""
    departures = _departures(motions, table, clock)
    motions = {
        name: _until(motion, departures[name]) if name in departures else motion
        for name, motion in motions.items()
    }
    breaks = breaks_of(motions)
    noses = nose_meetings(breaks, table)
    balls = ball_meetings(breaks, motions, table)
    balls, noses = _best_explanations(balls, noses)
    events: list[ShotEvent] = []
    for number, span in enumerate(_spans(motions, breaks, balls, noses, departures, clock), 1):
        first = first_contact_of(motions, breaks, span.from_s, span.until_s, table)
        if span.strike is None:
            first = None
        events += _events_of(number, span, motions, table, clock, balls, noses, departures, first)
    return tuple(in_order(events))


def _departures(
    motions: Mapping[BallName, Motion], table: TableSpec, clock: Clock
) -> dict[BallName, Departure]:
    found = {}
    for name, motion in motions.items():
        departure = departure_of(motion, table, clock.frame_s, clock.until_s)
        if departure is not None:
            found[name] = departure
    return found


def _until(motion: Motion, departure: Departure) -> Motion:
    """The motion up to the ball's departure; what a pocket shows later is not play."""
    if departure.kind == "hidden":
        return motion
    path = motion.path
    keep = max(1, int(np.searchsorted(path.t_s, departure.t_s + 1e-6)))
    if keep == len(path):
        return motion
    cut = Path(path.t_s[:keep], path.xy_m[:keep], path.sigma_m[:keep], path.frame[:keep])
    return Motion(motion.name, cut, legs_of(cut))


def _best_explanations(
    balls: Sequence[BallMeeting], noses: Sequence[NoseMeeting]
) -> tuple[list[BallMeeting], list[NoseMeeting]]:
    """Each break keeps its cheapest explanation; a meeting needs one break of its own."""
    taken: dict[int, float] = {}
    kept_balls: list[BallMeeting] = []
    kept_noses: list[NoseMeeting] = []
    rows: list[BallMeeting | NoseMeeting] = sorted([*balls, *noses], key=lambda m: m.cost)
    for meeting in rows:
        limit = _WORST_COST if isinstance(meeting, BallMeeting) else _SURE_COST
        free = [index for index in meeting.breaks if index not in taken]
        if meeting.cost > limit or not free:
            continue
        if meeting.cost > _SURE_COST and len(free) < len(meeting.breaks):
            continue
        for index in free:
            taken[index] = meeting.cost
        if isinstance(meeting, BallMeeting):
            kept_balls.append(meeting)
        else:
            kept_noses.append(meeting)
    return kept_balls, kept_noses


def _spans(
    motions: Mapping[BallName, Motion],
    breaks: Sequence[Break],
    balls: Sequence[BallMeeting],
    noses: Sequence[NoseMeeting],
    departures: Mapping[BallName, Departure],
    clock: Clock,
) -> list[_Span]:
    """The shots of the clip, in order."""
    strikes = _strikes(motions, breaks, balls, noses)
    spans: list[_Span] = []
    if _anything_moves(motions, clock.from_s + 0.5 * clock.frame_s) and (
        not strikes or strikes[0].to_s > clock.from_s + 3 * clock.frame_s
    ):
        until = strikes[0].from_s if strikes else clock.until_s
        end_s, rests = _rest_after(motions, departures, clock.from_s, until, clock)
        spans.append(_Span(None, clock.from_s, end_s, rests))
    for index, strike in enumerate(strikes):
        until = strikes[index + 1].from_s if index + 1 < len(strikes) else clock.until_s
        start_s = _strike_time(strike)
        end_s, rests = _rest_after(motions, departures, start_s, until, clock)
        spans.append(_Span(strike, start_s, end_s, rests))
    return spans


def _strikes(
    motions: Mapping[BallName, Motion],
    breaks: Sequence[Break],
    balls: Sequence[BallMeeting],
    noses: Sequence[NoseMeeting],
) -> list[Break]:
    """Breaks of the cue ball that only the tip explains."""
    if CUE not in motions:
        return []
    explained = {i for m in balls if m.cost < _SURE_COST for i in m.breaks}
    explained |= {i for m in noses for i in m.breaks}
    found: list[Break] = []
    for index, kink in enumerate(breaks):
        if kink.ball != CUE or index in explained:
            continue
        middle = (kink.from_s + kink.to_s) / 2
        slow_before = np.hypot(*kink.before.velocity(kink.from_s)) < 0.05
        kick = float(np.hypot(*kink.kick(middle)))
        if not (kink.before.at_rest or slow_before) or kick < _STRIKE_MPS:
            continue
        if _is_carried(motions[CUE], kink):
            continue
        if found and kink.from_s - found[-1].to_s < 0.3:
            continue
        found.append(kink)
    return found


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
        return end > 1.25 * start + 0.1
    return False


def _strike_time(strike: Break) -> float:
    """When the cue ball left its place: where its first leg passes through it."""
    times = np.linspace(strike.from_s - (strike.to_s - strike.from_s), strike.to_s, 81)
    away = [float(np.hypot(*(strike.after.position(t) - strike.before.position(t)))) for t in times]
    return float(times[int(np.argmin(away))])


def _anything_moves(motions: Mapping[BallName, Motion], t_s: float) -> bool:
    return bool(_moving_at(motions, t_s))


def _moving_at(motions: Mapping[BallName, Motion], t_s: float) -> dict[BallName, float]:
    """Speeds of the balls that move at time t."""
    moving = {}
    for name, motion in motions.items():
        leg = motion.leg_before(t_s)
        if leg is None or leg.at_rest or motion.end_of(motion.legs[-1]) < t_s - 0.1:
            continue
        speed = float(np.hypot(*leg.velocity(t_s)))
        if speed > _MOVING_MPS and _travels(motion, leg):
            moving[name] = speed
    return moving


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
    """When the last ball stops within the span, and whether it does before the span's end."""
    last = from_s
    for name, motion in motions.items():
        for leg in motion.legs:
            start, end = motion.start_of(leg), motion.end_of(leg)
            if leg.at_rest or end < from_s or start > until_s or not _travels(motion, leg):
                continue
            stop = _slow_down_time(leg, start, end)
            last = max(last, min(stop, until_s))
        if name in departures and from_s < departures[name].t_s <= until_s:
            last = max(last, departures[name].t_s)
    return last, last < until_s - max(0.3, 3 * clock.frame_s)


def _slow_down_time(leg: Leg, start: float, end: float) -> float:
    """When within a leg the ball becomes slower than a camera can see moving."""
    times = np.linspace(start, end, 41)
    fast = [t for t in times if np.hypot(*leg.velocity(t)) > _MOVING_MPS]
    return float(fast[-1]) if fast else start


def _events_of(
    number: int,
    span: _Span,
    motions: Mapping[BallName, Motion],
    table: TableSpec,
    clock: Clock,
    balls: Sequence[BallMeeting],
    noses: Sequence[NoseMeeting],
    departures: Mapping[BallName, Departure],
    first: FirstContact | None,
) -> list[ShotEvent]:
    low, high = span.from_s - clock.frame_s, span.until_s + 2 * clock.frame_s
    events: list[ShotEvent] = [_started(number, span, motions, departures, table, clock)]
    contacts = [_contact(number, m) for m in balls if low <= m.t_s <= high]
    events += _with_first(number, contacts, first)
    events += [_cushion(number, m) for m in noses if low <= m.t_s <= high]
    for departure in departures.values():
        if low <= departure.t_s <= high:
            events.append(_left(number, departure))
    events.append(_ended(number, span, motions, departures, clock))
    return [e for e in events if e.t_s is None or span.strike is None or e.t_s >= span.from_s]


def _started(
    number: int,
    span: _Span,
    motions: Mapping[BallName, Motion],
    departures: Mapping[BallName, Departure],
    table: TableSpec,
    clock: Clock,
) -> ShotStarted:
    standing = _positions(motions, departures, span.from_s - 0.5 * clock.frame_s)
    if span.strike is None:
        return ShotStarted(shot=number, t_s=None, balls={}, started_before_clip=True)
    moving = _moving_at(motions, span.from_s - clock.frame_s)
    moving.pop(CUE, None)
    return ShotStarted(
        shot=number,
        t_s=span.from_s,
        dt_s=0.5 * (span.strike.to_s - span.strike.from_s),
        balls=standing,
        moving=tuple(sorted(moving, key=ball_order)),
        moving_speeds_mps=moving,
        racked=_is_racked(standing, table),
        confidence=0.99,
    )


def _is_racked(balls: Mapping[BallName, Point], table: TableSpec) -> bool:
    """True when the object balls stand together around the foot spot as a rack."""
    objects = [point for name, point in balls.items() if name != CUE]
    if len(objects) < 7:
        return False
    center = np.mean(np.array(objects), axis=0)
    spread = max(math.dist(point, (float(center[0]), float(center[1]))) for point in objects)
    near_spot = abs(center[1]) < 0.05 and abs(abs(center[0]) - table.length_m / 4) < 0.16
    return spread < 3.2 * table.ball_diameter_m and near_spot


def _positions(
    motions: Mapping[BallName, Motion], departures: Mapping[BallName, Departure], t_s: float
) -> dict[BallName, Point]:
    """Where each ball lies at time t; balls that left before are not there."""
    places: dict[BallName, Point] = {}
    for name in sorted(motions, key=ball_order):
        if (
            name in departures
            and departures[name].t_s <= t_s
            and (departures[name].kind != "hidden")
        ):
            continue
        leg = motions[name].leg_before(t_s)
        if leg is None:
            continue
        held = min(t_s, motions[name].end_of(leg))
        x_m, y_m = leg.position(held)
        places[name] = (float(x_m), float(y_m))
    return places


def _contact(number: int, meeting: BallMeeting) -> BallContact:
    a, b = sorted((meeting.a, meeting.b), key=ball_order)
    return BallContact(
        shot=number,
        t_s=meeting.t_s,
        dt_s=meeting.dt_s,
        a=a,
        b=b,
        confidence=_confidence(meeting.cost),
    )


def _confidence(cost: float) -> float:
    """Probability that a meeting of this cost happened; to be calibrated on truth."""
    return float(np.clip(0.995 - 0.004 * max(0.0, cost - 4.0), 0.5, 0.995))


def _with_first(
    number: int, contacts: list[BallContact], first: FirstContact | None
) -> list[BallContact]:
    """The contacts with the first one of the cue ball as `first` judged it."""
    if first is None:
        return contacts
    same = [c for c in contacts if c.a == CUE and c.b == first.ball and c.t_s is not None]
    same = [c for c in same if abs((c.t_s or 0.0) - first.t_s) < 0.12]
    rest = [c for c in contacts if not (c.a == CUE and (c.t_s or 0.0) < first.t_s + 1e-4)]
    if same:
        chosen = min(same, key=lambda c: abs((c.t_s or 0.0) - first.t_s))
        rest = [c for c in rest if c is not chosen]
        when = first.t_s if first.crowded else chosen.t_s
        merged = replace(
            chosen, t_s=when, confidence=first.probability, alternatives=first.alternatives
        )
        return [merged, *rest]
    made = BallContact(
        shot=number,
        t_s=first.t_s,
        dt_s=first.dt_s,
        a=CUE,
        b=first.ball,
        confidence=first.probability,
        alternatives=first.alternatives,
    )
    return [made, *rest]


def _cushion(number: int, meeting: NoseMeeting) -> CushionContact:
    return CushionContact(
        shot=number,
        t_s=meeting.t_s,
        dt_s=meeting.dt_s,
        ball=meeting.ball,
        cushion=meeting.cushion,
        jaw=meeting.jaw,
        from_rest=meeting.from_rest,
        confidence=_confidence(meeting.cost),
    )


def _left(number: int, departure: Departure) -> ShotEvent:
    common = {"shot": number, "t_s": departure.t_s, "dt_s": departure.dt_s}
    confidence = departure.probability
    if departure.kind == "pocketed" and departure.pocket is not None:
        return BallPocketed(
            **common, ball=departure.ball, pocket=departure.pocket, confidence=confidence
        )
    if departure.kind == "off_table":
        return BallOffTable(**common, ball=departure.ball, confidence=confidence)
    return OtherEvent(
        **common, name="hidden", fields={"ball": departure.ball}, confidence=confidence
    )


def _ended(
    number: int,
    span: _Span,
    motions: Mapping[BallName, Motion],
    departures: Mapping[BallName, Departure],
    clock: Clock,
) -> ShotEnded:
    places = _positions(
        motions, departures, clock.until_s if not span.at_rest else span.until_s + 0.3
    )
    if span.at_rest:
        return ShotEnded(shot=number, t_s=span.until_s, dt_s=0.1, balls=places, confidence=0.98)
    reason = "the picture was cut within the shot" if clock.ended_by_cut else None
    return ShotEnded(shot=number, t_s=None, balls=places, ended_after_clip=True, incomplete=reason)
