"""Which balls left the table and which came back, read from the events (8.3, 8.5).

A ball that falls and is seen again rebounded; a ball that leaves and is seen again was
sent back by something: what, only a person can say. A ball that falls after the rest fell
by itself: how long after, decides the five-second rule.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from rules.facts import (
    BallFact,
    LipDrop,
    Mark,
    OutsideObject,
    PocketedBall,
    RailContact,
    RailDetail,
    SupportedBall,
    Truth,
)
from rules.rail_contacts import moment_of
from rules.shot_record import (
    ShotRecord,
    clip_of,
    names_in,
    placed_by_hand,
    precedes,
    reference,
)
from table.balls import CUE, Ball, BallName
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    LateDrop,
    ShotEvent,
)

IN_POCKET_S: Final = 0.1
"""A falling ball may still touch jaws and other balls this long after it counts as fallen."""
_NO_LIMIT_S: Final = 1e9


@dataclass(frozen=True, slots=True)
class Departures:
    """The balls that left, in the lists of `ShotFacts`."""

    pocketed: tuple[PocketedBall, ...] = ()
    pocket_order_known: bool = False
    off_table: tuple[BallFact, ...] = ()
    outside_objects: tuple[OutsideObject, ...] = ()
    lip_drops: tuple[LipDrop, ...] = ()
    supported: tuple[SupportedBall, ...] = ()
    rebounded: tuple[PocketedBall, ...] = ()
    cue_ball_touched_pocketed_ball: Mark | None = None
    rails: tuple[RailContact, ...] = ()
    """Rails that the departures show: a pocket's liner, the top of a rail."""


def read_departures(record: ShotRecord) -> Departures:
    """What left the table in this shot, and what of it came back."""
    lip_drops = tuple(_lip_drops(record))
    falls = [e for e in record.events if isinstance(e, BallPocketed) and not _late(record, e)]
    jumps = [e for e in record.events if isinstance(e, BallOffTable)]
    left: list[BallPocketed | BallOffTable] = [*falls, *jumps]
    back = {id(e): truth for e in left if (truth := _came_back(record, e))}
    gone = [e for e in falls if back.get(id(e)) is not Truth.YES]
    stayed = {e.ball for e in gone}
    rebounds = [e for e in falls if back.get(id(e)) is Truth.YES and e.ball not in stayed]
    pocketed = tuple(
        PocketedBall(ball, e.pocket, _doubted(record.mark(e, e.ball), id(e) in back))
        for e in gone
        if (ball := record.ball(e.ball)) is not None
    )
    off = [(e, ball) for e in jumps if (ball := record.ball(e.ball)) is not None]
    return Departures(
        pocketed=pocketed,
        pocket_order_known=all(precedes(a, b) for a, b in pairwise(gone)),
        off_table=tuple(BallFact(b, record.mark(e, e.ball)) for e, b in off if id(e) not in back),
        outside_objects=tuple(_sent_back(e, b) for e, b in off if id(e) in back),
        lip_drops=lip_drops,
        supported=tuple(_supported(record)),
        rebounded=tuple(
            PocketedBall(ball, e.pocket, record.mark(e, e.ball))
            for e in rebounds
            if (ball := record.ball(e.ball)) is not None
        ),
        cue_ball_touched_pocketed_ball=_touched_pocketed_ball(record, gone, rebounds),
        rails=tuple(_rails_shown(record, [e for e in left if id(e) in back])),
    )


def _came_back(record: ShotRecord, event: BallPocketed | BallOffTable) -> Truth | None:
    """Is the ball seen on the table after it left? None: no; else how sure that is.

    A ball that a hand puts down did not come back: it was spotted or placed.
    """
    later = [e for e in record.events if _seconds_between(event, e) > 0.0]
    if any(placed_by_hand(e) == event.ball for e in later):
        return None
    enough = record.settings.decide_probability
    if event.ball in record.end_balls:
        sure = record.end is not None and record.end.confidence >= enough
        return Truth.YES if sure else Truth.UNDECIDED
    again = [e for e in later if _shows_on_the_table(record, e, event)]
    if not again:
        return None
    left_again = any(isinstance(e, (BallPocketed, BallOffTable)) for e in again)
    sure = any(e.confidence >= enough and precedes(event, e) for e in again)
    return Truth.YES if sure and (left_again or not record.end_balls) else Truth.UNDECIDED


def _seconds_between(departure: ShotEvent, event: ShotEvent) -> float:
    if departure.t_s is None or event.t_s is None:
        return 0.0
    return event.t_s - departure.t_s


def _shows_on_the_table(
    record: ShotRecord, event: ShotEvent, departure: BallPocketed | BallOffTable
) -> bool:
    """True when an event shows the ball back on the table, not still falling."""
    if departure.ball not in names_in(event) or isinstance(event, LateDrop):
        return False
    return _seconds_between(departure, event) > IN_POCKET_S and not _within(record, event)


def _within(record: ShotRecord, contact: ShotEvent) -> bool:
    """True when two balls met in a pocket into which both had fallen."""
    if not isinstance(contact, BallContact):
        return False
    pockets = [
        {
            e.pocket
            for e in record.events
            if isinstance(e, BallPocketed) and e.ball == name and not precedes(contact, e)
        }
        for name in (contact.a, contact.b)
    ]
    return bool(pockets[0] & pockets[1])


def _doubted(mark: Mark, doubtful: bool) -> Mark:
    if not doubtful:
        return mark
    return replace(mark, truth=Truth.UNDECIDED, probability=0.5, margin="seen again afterwards")


def _sent_back(event: BallOffTable, ball: Ball) -> OutsideObject:
    """8.5: a rail top lets a ball come back, a lamp or a person does not: a question."""
    p = 0.4 * event.confidence
    mark = Mark(Truth.UNDECIDED, p, "it came back", (reference(event),), clip_of(event))
    return OutsideObject(ball, "", mark)


def _rails_shown(
    record: ShotRecord, returned: list[BallPocketed | BallOffTable]
) -> Iterator[RailContact]:
    """Liners and rail tops are parts of the rails (8.1): who came back touched one."""
    for event in returned:
        ball = record.ball(event.ball)
        if ball is not None:
            jumped = isinstance(event, BallOffTable)
            detail = RailDetail.RAIL_TOP_RETURNED if jumped else None
            mark = record.mark(event, event.ball)
            yield RailContact(ball, moment_of(record, event), detail, None, mark)


def _touched_pocketed_ball(
    record: ShotRecord, gone: list[BallPocketed], rebounds: list[BallPocketed]
) -> Mark | None:
    """8.3: a cue ball that touches a ball in a pocket is pocketed, come back or not.

    Vision only suspects it: a contact in the pocket, or a ball that fell there before.
    """
    for fall in rebounds:
        lying = [e for e in gone if e.pocket is fall.pocket and precedes(e, fall)]
        if fall.ball != CUE or not lying:
            continue
        met = [
            c
            for c in record.contacts
            if c.a == CUE and any(c.b == e.ball and precedes(e, c) for e in lying)
        ]
        events = (fall, *(met or lying))
        refs = tuple(reference(e) for e in events)
        margin = "a ball lay in that pocket"
        return Mark(Truth.UNDECIDED, 0.45 if met else 0.2, margin, refs, clip_of(*events))
    return None


# Balls on the brink


def _late(record: ShotRecord, event: ShotEvent) -> bool:
    """True when the event happened after everything had stopped."""
    end = record.end
    if end is None or end.t_s is None or end.ended_after_clip or event.t_s is None:
        return False
    return event.t_s > end.t_s


def _lip_drops(record: ShotRecord) -> Iterator[LipDrop]:
    """Balls that fell by themselves after the rest, with the seconds since (8.3)."""
    told: set[BallName] = set()
    for event in record.events:
        if isinstance(event, LateDrop):
            told.add(event.ball)
            seconds, tolerance = _seconds_after_rest(record, event)
            if event.seconds is not None:
                seconds, tolerance = event.seconds, event.dt_s
            yield from _drop(record, event, seconds, tolerance)
    for event in record.events:
        if isinstance(event, BallPocketed) and _late(record, event) and event.ball not in told:
            told.add(event.ball)
            yield from _drop(record, event, *_seconds_after_rest(record, event))


def _seconds_after_rest(record: ShotRecord, event: ShotEvent) -> tuple[float, float]:
    """Seconds since everything stopped and their tolerance; no limit when not known."""
    end = record.end
    if end is None or end.t_s is None or event.t_s is None:
        return 5.0, _NO_LIMIT_S
    return event.t_s - end.t_s, math.hypot(event.dt_s, end.dt_s)


def _drop(
    record: ShotRecord, event: LateDrop | BallPocketed, seconds: float, tolerance: float
) -> Iterator[LipDrop]:
    ball = record.ball(event.ball)
    if ball is not None:
        mark = record.mark(event, event.ball)
        yield LipDrop(ball, event.pocket, max(0.0, seconds), tolerance, mark)


def _supported(record: ShotRecord) -> Iterator[SupportedBall]:
    """Balls that rest past the edge of a pocket and touch another ball (8.3)."""
    if record.end is None:
        return
    resting = record.end.balls
    error_m = record.settings.line_sigmas * record.settings.position_sigma_m
    fell = {e.ball for e in record.events if isinstance(e, (BallPocketed, LateDrop))}
    for name, point in resting.items():
        ball = record.ball(name)
        by = tuple(_touching(record, name, error_m))
        if ball is None or name in fell or not by:
            continue
        for shape in record.table.pockets.values():
            past_m = shape.depth_m(point) - shape.shelf_m
            if past_m > -error_m and abs(shape.offset_m(point)) < shape.mouth_m / 2:
                sure = past_m > record.table.ball_radius_m and record.is_in_play(name)
                margin = f"{past_m * 1000:.0f} mm past the edge"
                mark = Mark(
                    Truth.YES if sure else Truth.UNDECIDED,
                    1.0 if sure else 0.4,
                    margin,
                    (reference(record.end),),
                    clip_of(record.end),
                )
                yield SupportedBall(ball, shape.pocket, by, mark)


def _touching(record: ShotRecord, name: BallName, error_m: float) -> Iterator[Ball]:
    assert record.end is not None
    reach_m = record.table.ball_diameter_m + error_m * math.sqrt(2)
    point = record.end.balls[name]
    for other, place in record.end.balls.items():
        ball = record.ball(other)
        if other != name and ball is not None and math.dist(point, place) <= reach_m:
            yield ball
