"""From the events of a shot log to the facts of a shot, in rule words.

This is the seam between seeing and ruling: `rules.first_contact`, `rules.rail_contacts`
and `rules.departures` read their part of the events; here they become one `ShotFacts`.
Nothing is guessed: what the events leave open is undecided, with the margin by which it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rules.declarations import NOTHING_SAID, Before
from rules.departures import read_departures
from rules.facts import (
    CERTAIN,
    Advisory,
    BallFact,
    Blocker,
    Mark,
    Placement,
    ShotFacts,
    Truth,
)
from rules.first_contact import frozen_ball_moved, read_first_contact
from rules.rack import Phase, Rack
from rules.rail_contacts import read_rails
from rules.shot_record import (
    DEFAULT_READING,
    ReadingSettings,
    ShotRecord,
    clip_of,
    reference,
)
from rules.standing import racked_end
from table.balls import CUE, Ball, is_ball_name
from table.events import BallPocketed, CushionContact, OtherEvent, ShotEvent
from table.geometry import NINE_FOOT, Cushion, Pocket, TableSpec

__all__ = ["DEFAULT_READING", "ReadingSettings", "read_shot"]


def read_shot(
    events: Sequence[ShotEvent],
    rack: Rack,
    before: Before = NOTHING_SAID,
    table: TableSpec = NINE_FOOT,
    settings: ReadingSettings = DEFAULT_READING,
) -> ShotFacts:
    """The facts of one shot.

    `events` are those of the shot, ordered by time; `rack` the state that was carried to
    it (it decides what is in play); `before` what was declared before the stroke.
    """
    record = ShotRecord(events, rack, before, table, settings)
    gone = read_departures(record)
    placement, placement_mark = _placement(record)
    return ShotFacts(
        first_contact=read_first_contact(record),
        rails=read_rails(record) + gone.rails,
        pocketed=gone.pocketed,
        pocket_order_known=gone.pocket_order_known,
        off_table=gone.off_table,
        moving_at_start=_moving(record),
        outside_objects=gone.outside_objects,
        lip_drops=gone.lip_drops,
        supported=gone.supported,
        rebounded=gone.rebounded,
        cue_ball_touched_pocketed_ball=gone.cue_ball_touched_pocketed_ball,
        frozen_ball_moved=frozen_ball_moved(record),
        placement=placement,
        placement_mark=placement_mark,
        advisories=_advisories(record),
        reached_head_string=_reached_head_string(record),
        blockers=_blockers(record),
        table=table,
        incomplete=record.incomplete,
        clip=record.clip,
    )


def _advisories(record: ShotRecord) -> tuple[Advisory, ...]:
    """What the camera suspects and only a person may call: a touched ball, a cue laid down."""
    found = []
    for event in record.events:
        if not isinstance(event, OtherEvent) or not _is_within(record, event):
            continue
        if event.name == "ball_touched":
            name = event.fields.get("ball")
            ball = record.ball(str(name)) if is_ball_name(name) else None
            found.append(Advisory("6.6", _suspicion(event), ball))
        elif event.name == "cue_on_table" and event.fields.get("held") is not True:
            found.append(Advisory("6.12", _suspicion(event)))
    return tuple(found)


def _is_within(record: ShotRecord, event: ShotEvent) -> bool:
    """True between the stroke and the rest; hands work on the table before and after."""
    if record.start is None or event.t_s is None:
        return False
    begins = record.start.t_s if record.start.t_s is not None else -math.inf
    ends = record.end.t_s if record.end is not None and record.end.t_s is not None else math.inf
    return begins <= event.t_s <= ends


def _suspicion(event: ShotEvent) -> Mark:
    p = event.confidence
    return Mark(Truth.UNDECIDED, p, f"p {p:.2f}", (reference(event),), clip_of(event))


def _blockers(record: ShotRecord) -> tuple[Blocker, ...]:
    """Where the balls rest after the shot: what may be in the way of spotting the ten (1.4)."""
    foot_x, _ = record.table.foot_spot
    found = [
        Blocker(Ball.from_text(name), point)
        for name, point in record.end_balls.items()
        if record.is_in_play(name) and name != Ball.TEN.text
    ]
    return tuple(sorted(found, key=lambda blocker: abs(_x_m(blocker) - foot_x)))


def _x_m(blocker: Blocker) -> float:
    return 0.0 if isinstance(blocker.at, str) else blocker.at[0]


def _moving(record: ShotRecord) -> tuple[BallFact, ...]:
    """Balls in play that moved when the tip met the cue ball (6.9)."""
    if record.start is None:
        return ()
    facts = []
    for name in record.start.moving:
        ball = record.ball(name)
        if name in record.moving and ball is not None:
            mark = record.mark(record.start, name)
            speed = record.start.moving_speeds_mps.get(name)
            if speed is not None and mark.margin is None:
                mark = replace(mark, margin=f"{speed * 1000:.0f} mm/s")
            facts.append(BallFact(ball, mark))
    return tuple(facts)


def _placement(record: ShotRecord) -> tuple[Placement | None, Mark]:
    """The cue ball's centre against the head string, on the break only (6.10)."""
    point = record.start_balls.get(CUE)
    if record.rack.phase is not Phase.BREAK or record.start is None or point is None:
        return None, CERTAIN
    toward_foot = racked_end(record.start_balls, record.table) or 1
    in_front_m = toward_foot * point[0] - record.table.head_string_x_m
    settings = record.settings
    side = "in front of" if in_front_m > 0 else "behind"
    margin = f"{abs(in_front_m) * 1000:.1f} mm {side} the head string"
    mark = replace(record.mark(record.start, CUE), margin=margin)
    if abs(in_front_m) <= settings.line_sigmas * settings.position_sigma_m:
        return Placement.UNSURE, replace(mark, truth=Truth.UNDECIDED, probability=0.5)
    return (Placement.IN_FRONT if in_front_m > 0 else Placement.BEHIND), mark


def _reached_head_string(record: ShotRecord) -> frozenset[Ball]:
    """Object balls seen at or behind the head string after the stroke (three-point break)."""
    reached = {
        name for name, (x_m, _) in record.end_balls.items() if x_m <= record.table.head_string_x_m
    }
    for event in record.events:
        match event:
            case (
                CushionContact(cushion=Cushion.HEAD, ball=ball)
                | BallPocketed(pocket=Pocket.HL | Pocket.HR, ball=ball)
            ):
                reached.add(ball)
    return frozenset(Ball.from_text(b) for b in reached if b != CUE and record.is_in_play(b))
