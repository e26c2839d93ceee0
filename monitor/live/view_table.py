"""The sections of the live state about the table: positions, paths, spotting, restoring."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from monitor.live.book import MatchBook, PlayedShot
from monitor.live.records import NOTE
from monitor.live.table_now import TableNow
from monitor.match import MatchFold, end_of, start_of
from monitor.store import Body
from monitor.wording import event_words
from rules.rack import CueBall
from rules.ruling import SpotPosition
from rules.spotting import spot
from table.balls import Ball, BallName
from table.events import BallContact, BallPocketed, CushionContact, ShotEnded, ShotStarted
from table.geometry import Point, TableSpec

_DONE_M: Final = 0.005
"""A ball so near to its point is there."""
_SPOT_WORDS: Final = {
    SpotPosition.FOOT_SPOT: ("on the foot spot", "na zadní bod"),
    SpotPosition.BEHIND_BLOCKER_TOUCHING: (
        "behind the {ball}, touching it",
        "za kouli {ball}, na dotek",
    ),
    SpotPosition.BEHIND_BLOCKER_WITH_GAP: (
        "behind the cue ball, with a small gap",
        "za bílou, s malou mezerou",
    ),
    SpotPosition.IN_FRONT_OF_FOOT_SPOT: (
        "in front of the foot spot, as near as possible",
        "před zadní bod, co nejblíž",
    ),
}


def table_section(table: TableSpec, head: str | None, now: TableNow, rest: Positions) -> Body:
    """The table's measures and the newest positions, those of the last rest without a camera."""
    balls = now.balls if now.t_s is not None else rest
    return {
        "length_m": table.length_m,
        "width_m": table.width_m,
        "ball_radius_m": table.ball_radius_m,
        "head": head,
        "pockets": {p.value: _point(shape.mouth_center) for p, shape in table.pockets.items()},
        "balls": {name: _point(point) for name, point in balls.items()},
        "t_s": now.t_s,
    }


Positions = Mapping[BallName, Point]


def _point(point: Point) -> list[float]:
    return [round(point[0], 4), round(point[1], 4)]


def paths_section(shot: PlayedShot | None) -> Body:
    """Where the balls of the last shot went, and what happened on the way."""
    if shot is None:
        return {"shot": None, "paths": {}, "events": []}
    return {
        "shot": shot.number,
        "paths": shot.record.body.get("paths") or {},
        "events": event_list(shot),
    }


def event_list(shot: PlayedShot) -> list[Body]:
    """The events of a shot in words, each with its place where the paths tell it."""
    paths = shot.record.body.get("paths")
    times = shot.record.body.get("path_times")
    rows = []
    for event in shot.events:
        row: Body = {"kind": event.kind, "t_s": event.t_s, "text": event_words(event)}
        ball = None
        match event:
            case BallContact():
                row |= {"a": event.a, "b": event.b}
                ball = event.a
            case CushionContact():
                row |= {"ball": event.ball, "cushion": event.cushion.value}
                ball = event.ball
            case BallPocketed():
                row |= {"ball": event.ball, "pocket": event.pocket.value}
                ball = event.ball
        row["confidence"] = round(event.confidence, 3)
        row["at"] = _place(ball, event.t_s, paths, times)
        rows.append(row)
    return rows


def _place(ball: str | None, t_s: float | None, paths: object, times: object) -> list[float] | None:
    """Where a ball was at a time, from its thinned path."""
    if ball is None or t_s is None or not isinstance(paths, dict) or not isinstance(times, dict):
        return None
    points, moments = paths.get(ball), times.get(ball)
    if not points or not moments:
        return None
    nearest = min(range(len(moments)), key=lambda i: abs(moments[i] - t_s))
    return list(points[nearest])


def shot_section(book: MatchBook, now: TableNow) -> Body:
    """Where the present shot stands: waiting, moving, settling, ruled."""
    last = book.last_shot
    moving = now.moving_since_s is not None
    number = book.next_number if moving or last is None else last.number
    started_s = now.moving_since_s if moving else (None if last is None else start_of(last.events))
    ended_s = None if moving or last is None else end_of(last.events)
    until_s = None if moving else now.provisional_until_s
    if moving:
        phase = "moving"
    elif until_s is not None:
        phase = "settling"
    else:
        phase = "waiting" if last is None else "ruled"
    return {
        "number": number,
        "phase": phase,
        "started_s": _finite(started_s),
        "ended_s": _finite(ended_s),
        "provisional_until_s": until_s,
        "on_lip": list(now.on_lip),
        "locked": moving,
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def last_rest(book: MatchBook) -> Positions:
    """The positions at the end of the last shot that shows any."""
    for shot in reversed(book.shots.values()):
        for event in shot.events:
            if isinstance(event, ShotEnded) and event.balls:
                return event.balls
    return {}


def spotting_section(book: MatchBook, match: MatchFold, now: TableNow) -> Body | None:
    """The point where the ten has to be spotted now; None when nothing has to be."""
    ruled = match.ruled[-1] if match.ruled else None
    if ruled is None or not ruled.ruling.spot or match.rack.is_over:
        return None
    if _noted_since_last_shot(book, "spotted"):
        return None
    ruling = ruled.ruling
    resting = {
        Ball.from_text(name): point
        for name, point in (now.balls or last_rest(book)).items()
        if name in {ball.text for ball in (*match.rack.balls, Ball.CUE)} - {Ball.TEN.text}
    }
    in_hand = match.rack.cue_ball is not CueBall.IN_PLACE
    if in_hand:
        resting.pop(Ball.CUE, None)
    known = bool(resting) or ruling.spot_point is not None
    place = spot(book.header.table, resting)
    position = place.position if resting else (ruling.spot_position or SpotPosition.FOOT_SPOT)
    point = place.point if resting else ruling.spot_point
    there = now.balls.get(Ball.TEN.text)
    away_m = None if there is None or point is None else math.dist(there, point)
    english, czech = _SPOT_WORDS[position]
    against = None if place.against is None else place.against.text
    return {
        "ball": Ball.TEN.text,
        "point": None if point is None or not known else _point(point),
        "position": position.value,
        "against": against,
        "text": f"Spot the 10 {english.format(ball=against)}",
        "text_cs": f"Nastavte desítku {czech.format(ball=against)}",
        "now": None if there is None else _point(there),
        "distance_m": None if away_m is None else round(away_m, 4),
        "done": away_m is not None and away_m <= _DONE_M,
        "action": {"type": "spotted"},
    }


def restore_section(book: MatchBook, match: MatchFold, now: TableNow) -> Body | None:
    """Where balls have to be put back to; None when nothing has to be."""
    ruled = match.ruled[-1] if match.ruled else None
    if ruled is None or not ruled.ruling.restore or match.rack.is_over:
        return None
    if _noted_since_last_shot(book, "restored"):
        return None
    before = _before_shot(book) if ruled.ruling.replay else last_rest(book)
    balls = []
    for ball in ruled.ruling.restore:
        last, there = before.get(ball.text), now.balls.get(ball.text)
        away_m = None if last is None or there is None else math.dist(last, there)
        balls.append(
            {
                "ball": ball.text,
                "last": None if last is None else _point(last),
                "now": None if there is None else _point(there),
                "distance_m": None if away_m is None else round(away_m, 4),
            }
        )
    return {
        "why": "replay" if ruled.ruling.replay else "restore",
        "shot": ruled.shot,
        "balls": balls,
        "action": {"type": "restored"},
    }


def _before_shot(book: MatchBook) -> Positions:
    last = book.last_shot
    if last is None:
        return {}
    start = next((e for e in last.events if isinstance(e, ShotStarted)), None)
    return {} if start is None else start.balls


def _noted_since_last_shot(book: MatchBook, name: str) -> bool:
    """Did the referee tap that it is done?"""
    last = book.last_shot
    since = 0 if last is None else last.first_record
    return any(
        r.kind == NOTE and r.body.get("type") == name
        for r in book.records
        if r.id > since and r.id not in book.gone
    )
