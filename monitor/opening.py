"""What is in play: at the start of a clip, and whenever a stroke finds the table otherwise.

The first rest tells what is on the table; everything that it cannot tell is assumed, and
said so. Later the carried rack decides; a difference from what is seen is a question and a
health note, never silently adopted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.facts import ClipSpan
from rules.players import Player
from rules.rack import ALL_BALLS, CueBall, Phase, Rack
from rules.ruling import Question
from rules.shot_record import clip_of, names_in
from rules.standing import RACK_BALLS, racked_end
from table.balls import CUE, Ball, BallName, is_ball_name, is_unknown
from table.events import BallOffTable, BallPocketed, OtherEvent, ShotEnded, ShotEvent, ShotStarted
from table.geometry import Point, TableSpec


@dataclass(frozen=True, slots=True)
class Opening:
    """The state at the start of a clip and what of it is assumed."""

    rack: Rack
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A ball of which the carried rack and the picture disagree."""

    question: Question
    note: str


def open_clip(events: Sequence[ShotEvent], table: TableSpec) -> Opening:
    """The state before the first shot of a clip, from its first rest.

    Object balls identified there are in play; the phase is the break when they stand
    racked, else normal; A is at the table; counters are 0; the cue ball is in place.
    """
    start = _start(events)
    seen = start.balls if start else {}
    is_break = (start is not None and start.racked) or racked_end(seen, table) != 0
    balls, told = _identified(events, seen, is_break)
    rack = Rack(
        balls=balls,
        at_table=Player.A,
        breaker=Player.A,
        phase=Phase.BREAK if is_break else Phase.NORMAL,
        cue_ball=CueBall.BEHIND_HEAD_STRING if is_break else CueBall.IN_PLACE,
    )
    cue_ball = "in hand behind the head string" if is_break else "in place"
    return Opening(
        rack,
        (
            told,
            f"phase {rack.phase}: the balls {'stand' if is_break else 'do not stand'} racked",
            "A is at the table",
            "nobody has fouls",
            f"the cue ball is {cue_ball}",
        ),
    )


def _start(events: Sequence[ShotEvent]) -> ShotStarted | None:
    return next((e for e in events if isinstance(e, ShotStarted)), None)


def _identified(
    events: Sequence[ShotEvent], seen: Mapping[BallName, Point], is_break: bool
) -> tuple[frozenset[Ball], str]:
    """The object balls of the first rest, and how they are known."""
    named = _object_balls(seen)
    unnamed = [name for name in seen if is_unknown(name)]
    if is_break and len(named) + len(unnamed) < RACK_BALLS:
        return ALL_BALLS, "balls in play: 1 to 10; the log calls it a break"
    full = _full_set(named, len(unnamed), is_break)
    if unnamed and full is not None:
        return full, f"balls in play: {_list(full)}; {len(unnamed)} of them taken by exclusion"
    if named or unnamed:
        more = f"; {len(unnamed)} more cannot be named" if unnamed else ""
        return named, f"balls in play: {_list(named)}, as identified at the first rest{more}"
    named = _object_balls(name for event in events for name in names_in(event))
    if named:
        return named, f"balls in play: {_list(named)}; no positions before the first shot"
    return ALL_BALLS, "balls in play: 1 to 10; no positions before the first shot"


def _full_set(named: frozenset[Ball], unnamed: int, is_break: bool) -> frozenset[Ball] | None:
    """All balls, when the unnamed ones are just those missing: ten, or nine that are racked."""
    nine = ALL_BALLS - {Ball.TEN}
    for full in (ALL_BALLS, nine) if is_break else (ALL_BALLS,):
        if named <= full and len(named) + unnamed == len(full):
            return full
    return None


def _object_balls(names: Iterable[BallName]) -> frozenset[Ball]:
    return frozenset(Ball.from_text(name) for name in names if name != CUE and not is_unknown(name))


def _list(balls: Iterable[Ball]) -> str:
    return " ".join(ball.text for ball in sorted(balls)) or "none"


def unnamed(rack: Rack, events: Sequence[ShotEvent]) -> tuple[Difference, ...]:
    """A question where a ball of the first rest has no name and could be any that is missing.

    What is in play then is not known. Where it may be the lowest of several balls, the shot's
    reading asks.
    """
    start = _start(events)
    seen = start.balls if start else {}
    count = sum(is_unknown(name) for name in seen)
    free = ALL_BALLS - rack.balls
    if not count or not free or (rack.balls and Ball.ONE not in rack.balls):
        return ()
    held = "A ball has" if count == 1 else f"{count} balls have"
    ask = f"{held} no name: are the balls in play just {_list(rack.balls)}?"
    if not rack.balls:
        ask = f"{held} no name and no other is in play: which is it?"
        if count > 1:
            ask = f"{held} no name and no others are in play: which are they?"
    note = f"{count} of the balls on the table cannot be named"
    return (Difference(Question("6.2", ask, clip_of(start) if start else None), note),)


def uncovered(rack: Rack, events: Sequence[ShotEvent]) -> tuple[Difference, ...]:
    """Balls not in play that only the first shot's end shows: was somebody before them?

    None where a ball of the start is not accounted for: it may have another name there.
    """
    start = _start(events)
    end = next((event for event in events if isinstance(event, ShotEnded)), None)
    if start is None or end is None or start.started_before_clip:
        return ()
    gone = {e.ball for e in events if isinstance(e, (BallPocketed, BallOffTable))}
    if not set(start.balls) - gone <= set(end.balls):
        return ()
    more = _object_balls(end.balls) - _object_balls(start.balls) - rack.balls
    return tuple(_covered(ball, clip_of(start)) for ball in sorted(more))


# Later shots


def stands_racked_anew(
    rack: Rack,
    events: Sequence[ShotEvent],
    last_rest: Mapping[BallName, Point],
    table: TableSpec,
) -> bool:
    """True when a full rack stands where the carried state has play under way.

    A rack that nobody touched yet (the break missed it) is not a new one.
    """
    start = _start(events)
    if start is None or rack.phase is Phase.BREAK:
        return False
    if not (start.racked or racked_end(start.balls, table)):
        return False
    new_balls = _object_balls(start.balls) - rack.balls
    return bool(new_balls) or (bool(last_rest) and racked_end(last_rest, table) == 0)


def differences(rack: Rack, events: Sequence[ShotEvent]) -> tuple[Difference, ...]:
    """Where the picture before a stroke disagrees with the carried rack."""
    start = _start(events)
    if start is None or start.started_before_clip or not set(start.balls) - {CUE}:
        return ()
    seen = _object_balls(start.balls)
    unnamed = sum(is_unknown(name) for name in start.balls)
    missing = sorted(rack.balls - seen - _object_balls(_hidden(events)))
    clip = clip_of(start)
    found = []
    if len(missing) > unnamed:
        found += [_missing(ball, clip) for ball in missing]
    return (*found, *(_extra(ball, clip) for ball in sorted(seen - rack.balls)))


def strange_departures(rack: Rack, events: Sequence[ShotEvent]) -> tuple[Difference, ...]:
    """Balls that left the table though neither the rack nor the picture had them there."""
    start = _start(events)
    known = rack.balls | _object_balls(start.balls if start else ())
    return tuple(
        _left(ball, clip_of(event))
        for event in events
        if isinstance(event, (BallPocketed, BallOffTable))
        for ball in _object_balls((event.ball,)) - known
    )


def _hidden(events: Sequence[ShotEvent]) -> Iterator[BallName]:
    """Balls that the log itself calls hidden: they are not gone."""
    for event in events:
        if isinstance(event, OtherEvent) and event.name == "hidden":
            named = (event.fields.get("ball"), *_listed(event.fields.get("balls")))
            yield from (name for name in named if is_ball_name(name) and isinstance(name, str))


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else ()


def _missing(ball: Ball, clip: ClipSpan | None) -> Difference:
    if ball is Ball.TEN:
        ask = "The ten is in play but is not seen: has it been spotted?"
        return Difference(Question("9.9", ask, clip, ball), "the 10 is in play but is not seen")
    ask = f"The {ball.text} is in play but is not seen: was it pocketed?"
    note = f"the {ball.text} is in play but is not seen"
    return Difference(Question("8.3", ask, clip, ball), note)


def _covered(ball: Ball, clip: ClipSpan | None) -> Difference:
    ask = f"The {ball.text} is seen only after the shot: was it on the table before?"
    note = f"the {ball.text} was not seen before the first shot"
    return Difference(Question("8.3", ask, clip, ball), note)


def _left(ball: Ball, clip: ClipSpan | None) -> Difference:
    ask = f"The {ball.text} left the table but is not in play: was it another ball?"
    note = f"the {ball.text} left the table but is not in play"
    return Difference(Question("8.3", ask, clip, ball), note)


def _extra(ball: Ball, clip: ClipSpan | None) -> Difference:
    ask = f"The {ball.text} stands on the table but is not in play: was it not pocketed?"
    note = f"the {ball.text} stands on the table but is not in play"
    return Difference(Question("8.3", ask, clip, ball), note)


def without_unseen_ten(rack: Rack, seen: frozenset[BallName]) -> Rack:
    """A new rack of the set that is played with: a ten never seen is not in play."""
    if Ball.TEN.text in seen:
        return rack
    return replace(rack, balls=rack.balls - {Ball.TEN})
