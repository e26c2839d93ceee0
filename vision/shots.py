"""Rest, strike, rest: joins strikes, contacts and departures into the ordered event stream.

Of all meetings that the paths allow, each break of motion keeps the one that explains it
best.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from vision.ball_meetings import ball_meetings
from vision.contacts import BallMeeting, Motion, NoseMeeting, breaks_of
from vision.cushion_meetings import nose_meetings
from vision.departures import Departure, departure_of
from vision.first_contact import FirstContact, first_contact_of
from vision.legs import Path, legs_of
from vision.nudges import nudge_meetings
from vision.rebounds import hidden_rebounds
from vision.recut import recut
from vision.spans import Clock, Span, moving_at, spans_of

_SURE_COST: Final = 16.0
_WORST_COST: Final = 60.0
_FALLING_SIGHTINGS: Final = 2
_SAME_CONTACT_S: Final = 0.1
"""A ball cannot leave a nose and come back to it sooner."""


def read_shots(
    motions: Mapping[BallName, Motion], table: TableSpec, clock: Clock
) -> tuple[ShotEvent, ...]:
    """All shot events of a clip, ordered by shot and time."""
    departures = _departures(motions, table, clock)
    motions = {
        name: _until(motion, departures[name]) if name in departures else motion
        for name, motion in motions.items()
    }
    motions = recut(motions, table)
    breaks = breaks_of(motions)
    noses = nose_meetings(breaks, table)
    balls = [*ball_meetings(breaks, motions, table), *nudge_meetings(breaks, motions, table)]
    balls, noses = _best_explanations(balls, noses)
    noses = _once_each([*noses, *hidden_rebounds(balls, breaks, motions, table)])
    events: list[ShotEvent] = []
    for number, span in enumerate(spans_of(motions, breaks, balls, noses, departures, clock), 1):
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
    before = motion.leg_before(departure.t_s)
    if before is not None and before.at_rest:
        # A ball that hung in the jaws falls as it is struck: its first way tells of the blow.
        keep = max(keep, min(len(path), before.last + 1 + _FALLING_SIGHTINGS))
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
    return kept_balls, _once_each(kept_noses)


def _once_each(noses: Sequence[NoseMeeting]) -> list[NoseMeeting]:
    """One contact where two breaks side by side tell of the same one."""
    kept: list[NoseMeeting] = []
    for meeting in sorted(noses, key=lambda m: m.cost):
        same = [
            k
            for k in kept
            if (k.ball, k.cushion, k.jaw) == (meeting.ball, meeting.cushion, meeting.jaw)
            and abs(k.t_s - meeting.t_s) < _SAME_CONTACT_S
        ]
        if not same:
            kept.append(meeting)
    return kept


def _events_of(
    number: int,
    span: Span,
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
    span: Span,
    motions: Mapping[BallName, Motion],
    departures: Mapping[BallName, Departure],
    table: TableSpec,
    clock: Clock,
) -> ShotStarted:
    standing = _positions(motions, departures, span.from_s - 0.5 * clock.frame_s)
    if span.strike is None:
        at_first = _positions(motions, departures, clock.from_s + 0.5 * clock.frame_s)
        return ShotStarted(shot=number, t_s=None, balls=at_first, started_before_clip=True)
    moving = moving_at(motions, span.from_s - clock.frame_s)
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
    t_s, dt_s, p = departure.t_s, departure.dt_s, departure.probability
    ball = departure.ball
    if departure.kind == "pocketed" and departure.pocket is not None:
        pocket = departure.pocket
        return BallPocketed(shot=number, t_s=t_s, dt_s=dt_s, confidence=p, ball=ball, pocket=pocket)
    if departure.kind == "off_table":
        return BallOffTable(shot=number, t_s=t_s, dt_s=dt_s, confidence=p, ball=ball)
    return OtherEvent(
        shot=number, t_s=t_s, dt_s=dt_s, confidence=p, name="hidden", fields={"ball": ball}
    )


def _ended(
    number: int,
    span: Span,
    motions: Mapping[BallName, Motion],
    departures: Mapping[BallName, Departure],
    clock: Clock,
) -> ShotEnded:
    when_s = span.until_s + (0.3 if span.at_rest else 0.0) if span.ends else clock.until_s
    places = _positions(motions, departures, when_s)
    if span.ends:
        return ShotEnded(shot=number, t_s=span.until_s, dt_s=0.1, balls=places, confidence=0.98)
    reason = "the picture was cut within the shot" if clock.ended_by_cut else None
    return ShotEnded(shot=number, t_s=None, balls=places, ended_after_clip=True, incomplete=reason)
