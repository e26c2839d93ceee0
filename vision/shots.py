"""Rest, strike, rest: joins strikes, contacts and departures into the ordered event stream.

Of all meetings that the paths allow, each break of motion keeps the one that explains it
best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from table.balls import CUE, BallName
from table.events import OtherEvent, ShotEvent
from table.geometry import TableSpec
from table.log import in_order
from vision.ball_meetings import ball_meetings
from vision.contacts import BallMeeting, Motion, NoseMeeting, breaks_of
from vision.cushion_meetings import nose_meetings
from vision.departures import Departure
from vision.first_contact import FirstContact, first_contact_of
from vision.lives import Part, Return, parts_of, piece_of
from vision.nudges import nudge_meetings
from vision.rebounds import hidden_rebounds
from vision.recut import recut
from vision.shot_events import events_of_shot
from vision.spans import Clock, Span, spans_of
from vision.uncaused import late_drops, touched
from vision.unseen import lacks_a_cause, unseen_meetings

_SURE_COST: Final = 16.0
_WORST_COST: Final = 30.0
_FALLING_SIGHTINGS: Final = 2
_PLACED: Final = 0.95
_UNSEEN_PROBABILITY: Final = 0.9
"""Of a first contact with a ball that was out of sight: a question, not a fact."""
_SAME_CONTACT_S: Final = 0.1
"""A ball cannot leave a nose and come back to it sooner."""
_PARTED_S: Final = 0.03
"""Two balls that touched are apart for at least this long."""


def read_shots(
    motions: Mapping[BallName, Motion], table: TableSpec, clock: Clock
) -> tuple[ShotEvent, ...]:
    """All shot events of a clip, ordered by shot and time."""
    events: list[ShotEvent] = []
    last = 0
    for part in parts_of(motions, table, clock):
        if last:
            events += [_placed(last, one) for one in part.returns]
        events += _read_part(part, table, last + 1)
        last = max((event.shot for event in events), default=0)
    return tuple(in_order(events))


def _placed(number: int, one: Return) -> OtherEvent:
    return OtherEvent(
        shot=number,
        t_s=one.t_s,
        dt_s=0.1,
        confidence=_PLACED,
        name="ball_placed",
        fields={"ball": one.ball, "at_m": [round(x, 4) for x in one.at_m]},
    )


def _read_part(part: Part, table: TableSpec, first_number: int) -> list[ShotEvent]:
    """The events of a stretch in which no ball is brought back to the table."""
    departures, clock = part.departures, part.clock
    motions: Mapping[BallName, Motion] = {
        name: _until(motion, departures[name]) if name in departures else motion
        for name, motion in part.motions.items()
    }
    motions = recut(motions, table)
    breaks = breaks_of(motions)
    noses = nose_meetings(breaks, table)
    balls = [*ball_meetings(breaks, motions, table), *nudge_meetings(breaks, motions, table)]
    balls, noses = _best_explanations(balls, noses)
    noses = _once_each([*noses, *hidden_rebounds(balls, breaks, motions, table)])
    meetings: list[BallMeeting | NoseMeeting] = [*balls, *noses]
    known = {i for m in meetings for i in m.breaks}
    unseen = unseen_meetings(breaks, known, motions, table, clock.from_s)
    balls += unseen
    known |= {i for m in unseen for i in m.breaks}
    events: list[ShotEvent] = []
    spans = spans_of(motions, breaks, balls, noses, departures, clock)
    for number, span in enumerate(spans, first_number):
        there = {
            name: motion
            for name, motion in motions.items()
            if not _left_before(departures.get(name), span.from_s - clock.frame_s)
        }
        first = first_contact_of(there, breaks, span.from_s, span.until_s, table)
        if span.strike is None:
            first = None
        met_s = span.until_s if first is None else first.t_s
        if first is not None and lacks_a_cause(breaks, balls, noses, span.from_s, met_s):
            # Something that was not seen may have been struck before.
            first = replace(first, probability=0.5 * first.probability)
        first = _unseen_before(first, balls, motions, span)
        events += events_of_shot(
            number, span, motions, table, clock, balls, noses, departures, first
        )
        events += late_drops(number, span, departures.values())
        events += touched(number, span, breaks, known, motions, table)
    return events


def _left_before(departure: Departure | None, t_s: float) -> bool:
    return departure is not None and departure.is_gone and departure.t_s < t_s


def _unseen_before(
    first: FirstContact | None,
    balls: Sequence[BallMeeting],
    motions: Mapping[BallName, Motion],
    span: Span,
) -> FirstContact | None:
    """The first contact, or an earlier one with a ball that was out of sight then."""
    if span.strike is None:
        return first
    until_s = span.until_s if first is None else first.t_s - 1e-3
    earlier = [
        m
        for m in balls
        if m.a == CUE
        and span.from_s < m.t_s < until_s
        and m.b in motions
        and m.t_s < motions[m.b].path.t_s[0]
    ]
    if not earlier:
        return first
    one = min(earlier, key=lambda m: m.t_s)
    return FirstContact(one.b, one.t_s, one.dt_s, _UNSEEN_PROBABILITY, (), crowded=False)


def _until(motion: Motion, departure: Departure) -> Motion:
    """The motion up to the ball's departure; what a pocket shows later is not play."""
    if not departure.is_gone:
        return motion
    path = motion.path
    keep = max(1, int(np.searchsorted(path.t_s, departure.t_s + 1e-6)))
    # A ball that hung in the jaws falls as it is struck: its first way tells of the blow.
    rests = [leg.last for leg in motion.legs if leg.at_rest and leg.first < keep]
    keep = max(keep, min(len(path), max(rests, default=-1) + 1 + _FALLING_SIGHTINGS))
    return piece_of(motion, 0, keep)


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
        if isinstance(meeting, BallMeeting) and _follows_itself(meeting, kept_balls):
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


def _follows_itself(meeting: BallMeeting, kept: Sequence[BallMeeting]) -> bool:
    """True where the same two balls touch already at nearly the same time.

    A blow parts them; what moves one of them again so soon is a nose.
    """
    pair = {meeting.a, meeting.b}
    return any({k.a, k.b} == pair and abs(k.t_s - meeting.t_s) < _PARTED_S for k in kept)


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
