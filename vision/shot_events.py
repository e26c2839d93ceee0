"""What a shot's contacts, departures and rests are as events of the shot log."""

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
from vision.contacts import BallMeeting, Motion, NoseMeeting
from vision.departures import Departure
from vision.first_contact import FirstContact
from vision.jaw_touches import JawTouch, jaw_touches
from vision.soft_touches import SoftTouch, soft_touches
from vision.spans import FIRST_SEEN_S, Clock, Span, moving_at, settled_s

_MOST_CONFIDENCE: Final = 0.995
_LEAST_CONFIDENCE: Final = 0.35
_PATHS_APART: Final = 0.6
_AGREED: Final = 0.985
_SEEN_LEAVING: Final = 0.8
_OVER_A_NOSE: Final = 0.9


def events_of_shot(
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
    """The events of one shot, not yet in order."""
    low, high = span.from_s - clock.frame_s, span.until_s + 2 * clock.frame_s
    events: list[ShotEvent] = [_started(number, span, motions, departures, table, clock)]
    contacts = [_contact(number, m) for m in balls if low <= m.t_s <= high]
    events += _with_first(number, contacts, first)
    events += [_cushion(number, m) for m in noses if low <= m.t_s <= high]
    for departure in departures.values():
        if low <= departure.t_s <= high:
            events.append(_left(number, departure))
            events += _left_over(number, departure, motions, noses, table)
    told = {(m.ball, m.cushion) for m in noses if m.jaw and low <= m.t_s <= high}
    touches = [t for t in jaw_touches(motions, departures, table) if low <= t.t_s <= high]
    events += [_may_have_touched(number, t) for t in touches if (t.ball, t.cushion) not in told]
    soft = soft_touches(motions, noses, departures, table, span.from_s, span.until_s)
    events += [_may_have_touched(number, touch) for touch in soft]
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
        at_first = _soon_seen(motions, clock)
        at_first |= _positions(motions, departures, clock.from_s + 0.5 * clock.frame_s)
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


def _soon_seen(motions: Mapping[BallName, Motion], clock: Clock) -> dict[BallName, Point]:
    """Where each ball was first seen that showed itself soon after the view began."""
    firsts = {name: motions[name].path for name in sorted(motions, key=ball_order)}
    return {
        name: (float(path.xy_m[0, 0]), float(path.xy_m[0, 1]))
        for name, path in firsts.items()
        if path.t_s[0] < clock.from_s + FIRST_SEEN_S
    }


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
        departure = departures.get(name)
        if departure is not None and departure.is_gone and departure.t_s <= t_s:
            continue
        leg = motions[name].leg_before(t_s)
        if leg is None:
            continue
        motion = motions[name]
        if not leg.at_rest and t_s >= settled_s(motion, leg):
            leg = motion.leg_after(leg) or leg
        held = min(max(t_s, motion.start_of(leg)), motion.end_of(leg))
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
        confidence=_ball_confidence(meeting.cost),
    )


def _ball_confidence(cost: float) -> float:
    """Probability that a meeting of this cost happened.

    Fitted to simulated shots (docs/accuracy-shots.md): of meetings of cost 4 to 8 19 of 20 were
    true, of cost 8 to 15 two of three, beyond 15 one of three.
    """
    return float(max(_LEAST_CONFIDENCE, _MOST_CONFIDENCE / (1.0 + np.exp((cost - 15.0) / 2.5))))


def _nose_confidence(cost: float) -> float:
    """The same for a cushion, where a meeting that fits badly is true nearly as often."""
    return float(np.clip(_MOST_CONFIDENCE - 0.004 * max(0.0, cost - 4.0), 0.9, _MOST_CONFIDENCE))


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
        probability = first.probability
        if not first.crowded and probability >= _PATHS_APART:
            # The paths hardly meet, but momentum says that these two balls did.
            probability = max(probability, min(_AGREED, chosen.confidence))
        merged = replace(chosen, t_s=when, confidence=probability, alternatives=first.alternatives)
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
        confidence=_nose_confidence(meeting.cost),
    )


def _left_over(
    number: int,
    departure: Departure,
    motions: Mapping[BallName, Motion],
    noses: Sequence[NoseMeeting],
    table: TableSpec,
) -> list[CushionContact]:
    """The nose that a ball met as it left over it; one that came flying may have missed it."""
    if departure.kind != "off_table" or departure.probability < _SEEN_LEAVING:
        return []
    motion = motions[departure.ball]
    late = [m for m in noses if m.ball == departure.ball and departure.t_s - m.t_s < 0.15]
    legs = [leg for leg in motion.legs if not leg.at_rest and leg.last > leg.first]
    if late or not legs:
        return []
    leg = legs[-1]
    times = np.linspace(departure.t_s - 0.3, departure.t_s + 0.05, 176)
    places = leg.positions(times)
    for shape in table.cushions.values():
        gaps = (places - np.array(shape.start)) @ np.array(shape.inward) - table.ball_radius_m
        crossed = np.flatnonzero((gaps[:-1] > 0) & (gaps[1:] <= 0))
        if not len(crossed):
            continue
        at = int(crossed[0])
        along = shape.along_m((float(places[at][0]), float(places[at][1])))
        if 0.0 <= along <= shape.length_m:
            return [
                CushionContact(
                    shot=number,
                    t_s=min(float(times[at]), departure.t_s),
                    dt_s=departure.dt_s,
                    ball=departure.ball,
                    cushion=shape.cushion,
                    confidence=_OVER_A_NOSE,
                )
            ]
    return []


def _may_have_touched(number: int, touch: JawTouch | SoftTouch) -> CushionContact:
    return CushionContact(
        shot=number,
        t_s=touch.t_s,
        dt_s=touch.dt_s,
        ball=touch.ball,
        cushion=touch.cushion,
        jaw=isinstance(touch, JawTouch),
        confidence=touch.probability,
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
