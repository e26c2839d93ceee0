"""From a play to the shot log that is its truth."""

from __future__ import annotations

import math
from collections.abc import Mapping

from synthetic.physics.motion import ON_THE_BED, BallPath, Motion
from synthetic.physics.play import REST_SPEED_MPS, Leave, Play, PlayHit, slow_from
from synthetic.physics.pool import BallHit, CushionHit, Drop
from synthetic.scene.stick import stick_for
from synthetic.shots.draft import Carry, Draft, Told
from table.balls import CUE, BallName, ball_order
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CueSeen,
    CushionContact,
    OtherEvent,
    ShotEnded,
    ShotEvent,
    ShotStarted,
    Source,
)
from table.geometry import Point
from table.log import ShotLog, in_order

_TRAVELLING = (Motion.ROLL, Motion.SLIDE, Motion.FLY)

REST_SPAN_S = 0.5
"""Rest means slower than 5 mm/s for this long."""

TOGETHER_S = 0.02
"""Contacts of the same two balls that follow each other within this time are one."""

TOUCHING_M = 0.001
"""A ball this near a nose at the start, and pressed into it at once, touched it already."""


def shot_events(play: Play, shot: int = 1, *, racked: bool = False) -> list[ShotEvent]:
    """The events of a play with one stroke, in order of time, exact."""
    strike_s = play.strokes[-1].t_s
    events: list[ShotEvent] = [start_event(play, shot, strike_s, racked=racked)]
    hits = [hit_event(play, shot, hit, strike_s) for hit in play.hits if hit.t_s >= strike_s]
    events += _once_together(hits)
    events.append(end_event(play, shot, play.end_s))
    return events


def _once_together(events: list[ShotEvent]) -> list[ShotEvent]:
    """One contact for two balls that push each other along.

    The simulation knows only instants: balls that roll together meet in it again and again,
    a few milliseconds apart, where real ones stay in touch.
    """
    last: dict[frozenset[str], float] = {}
    kept = []
    for event in sorted(events, key=lambda e: e.t_s or 0.0):
        if isinstance(event, BallContact) and event.t_s is not None:
            pair = frozenset((event.a, event.b))
            again = event.t_s - last.get(pair, float("-inf")) < TOGETHER_S
            last[pair] = event.t_s
            if again:
                continue
        kept.append(event)
    return kept


def told(play: Play) -> Told:
    """The last stroke of a play in the words of the kinds' conditions."""
    return Told(tuple(shot_events(play)))


def start_event(play: Play, shot: int, strike_s: float, *, racked: bool = False) -> ShotStarted:
    """The strike: where every ball on the bed is, and which ones still move."""
    just_before = strike_s - 1e-6
    speeds = {
        name: float(path.speeds_mps([just_before])[0])
        for name, path in play.paths.items()
        if path.motion_at(just_before) in ON_THE_BED
    }
    moving = {name: v for name, v in speeds.items() if v > REST_SPEED_MPS}
    return ShotStarted(
        shot=shot,
        t_s=strike_s,
        balls=bed_positions(play.paths, just_before),
        moving=tuple(sorted(moving, key=ball_order)),
        moving_speeds_mps=moving,
        racked=racked,
    )


def end_event(play: Play, shot: int, t_s: float) -> ShotEnded:
    """Rest: where every ball on the bed has stopped (half a second later)."""
    return ShotEnded(shot=shot, t_s=t_s, balls=bed_positions(play.paths, t_s + REST_SPAN_S))


def rest_before(play: Play, next_strike_s: float) -> float:
    """When the balls came to rest before a stroke; the stroke itself when they did not."""
    last = 0.0
    for path in play.paths.values():
        for index, piece in enumerate(path.pieces):
            if piece.t_s >= next_strike_s or piece.motion not in _TRAVELLING:
                continue
            if piece.r_m[2] < 0.0:
                continue
            last = max(last, min(slow_from(path, index), next_strike_s))
    return last


def hit_event(play: Play, shot: int, hit: PlayHit, strike_s: float) -> ShotEvent:
    """One hit as an event of the shot log."""
    match hit:
        case BallHit():
            a, b = sorted((hit.a, hit.b), key=ball_order)
            return BallContact(shot=shot, t_s=hit.t_s, a=a, b=b)
        case CushionHit():
            return CushionContact(
                shot=shot,
                t_s=hit.t_s,
                ball=hit.ball,
                cushion=hit.cushion,
                jaw=hit.jaw,
                from_rest=not hit.jaw and _from_rest(play, hit, strike_s),
            )
        case Drop():
            return BallPocketed(shot=shot, t_s=hit.t_s, ball=hit.ball, pocket=hit.pocket)
        case Leave():
            return BallOffTable(shot=shot, t_s=hit.t_s, ball=hit.ball)


def bed_positions(paths: Mapping[BallName, BallPath], t_s: float) -> dict[BallName, Point]:
    """Centres of the balls that lie or move on the bed at a time (also in the air over it)."""
    positions: dict[BallName, Point] = {}
    for name in sorted(paths, key=ball_order):
        path = paths[name]
        motion = path.motion_at(t_s)
        if motion in ON_THE_BED:
            x, y, _ = path.sample([t_s]).r_m[0]
            positions[name] = (float(x), float(y))
    return positions


def _from_rest(play: Play, hit: CushionHit, strike_s: float) -> bool:
    path = play.paths[hit.ball]
    shape = play.table.cushions[hit.cushion]
    start, now = path.sample([strike_s - 1e-6, hit.t_s]).r_m[:, :2]
    gap = shape.distance_m((float(start[0]), float(start[1]))) - play.table.ball_radius_m
    return abs(gap) < TOUCHING_M and math.dist(start, now) < 2 * TOUCHING_M


def draft_log(
    draft: Draft,
    *,
    file: str,
    fps: float,
    frames: int,
    head: str,
    ball_set: str,
    size: tuple[int, int],
    conditions: str,
) -> ShotLog:
    """The whole truth of a drafted clip, all strokes."""
    play, events = draft.play, list[ShotEvent]()
    starts = [stroke.t_s for stroke in play.strokes]
    ends = [*starts[1:], math.inf]
    if draft.starts_within:
        events += _shot_before(play, starts[0])
    for shot, (start, end) in enumerate(zip(starts, ends, strict=True), start=draft.first_shot):
        racked = draft.racked and shot == draft.first_shot
        events.append(start_event(play, shot, start, racked=racked))
        hits = [hit for hit in play.hits if start <= hit.t_s < end]
        events += [hit_event(play, shot, hit, start) for hit in hits]
        events.append(_seen_stick(draft, shot, start))
        rest = play.end_s if end == math.inf else rest_before(play, end)
        events.append(end_event(play, shot, rest))
    for carry in draft.carries:
        shot = draft.first_shot + max(sum(s <= carry.from_s for s in starts) - 1, 0)
        events += _carry_events(play, shot, carry)
    more = {"size": list(size), "conditions": conditions, "shot_kind": draft.kind}
    source = Source(
        file, fps, frames, play.table.length_m, play.table.width_m, head, "given", ball_set, more
    )
    return ShotLog(source, tuple(in_order(events)))


def _shot_before(play: Play, strike_s: float) -> list[ShotEvent]:
    """The stroke that was played before the clip began, as far as the clip shows it."""
    first = ShotStarted(
        shot=1, t_s=None, balls=bed_positions(play.paths, 0.0), started_before_clip=True
    )
    hits = [hit_event(play, 1, hit, 0.0) for hit in play.hits if hit.t_s < strike_s]
    rest = rest_before(play, strike_s)
    last = ShotEnded(shot=1, t_s=rest, balls=bed_positions(play.paths, rest))
    return [first, *hits, last]


def _seen_stick(draft: Draft, shot: int, strike_s: float) -> CueSeen:
    stroke = next(s for s in draft.play.strokes if s.t_s == strike_s)
    x, y, _ = draft.play.paths[CUE].sample([strike_s - 1e-6]).r_m[0]
    stick = stick_for(draft.table, (float(x), float(y)), stroke, strike_s)
    tip = stick.tip_m(strike_s)
    return CueSeen(
        shot=shot,
        t_s=strike_s,
        tip_m=(tip[0], tip[1]),
        direction_deg=stick.direction_deg(),
        sigma_deg=0.0,
    )


def _carry_events(play: Play, shot: int, carry: Carry) -> list[ShotEvent]:
    x, y, _ = play.paths[carry.ball].sample([carry.to_s + 1e-3]).r_m[0]
    at = [round(float(x), 5), round(float(y), 5)]
    taken = OtherEvent(
        shot=shot, t_s=carry.from_s, name="ball_in_hand", fields={"ball": carry.ball}
    )
    placed = OtherEvent(
        shot=shot, t_s=carry.to_s, name="ball_placed", fields={"ball": carry.ball, "at_m": at}
    )
    return [taken, placed]
