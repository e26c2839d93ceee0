"""Hypothesis strategies for lawful shot logs and declarations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import strategies as st

from table.events import (
    Alternative,
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    LateDrop,
    OtherEvent,
    ShotEnded,
    ShotEvent,
    ShotStarted,
    Source,
)
from table.geometry import Cushion, Pocket
from table.log import ShotLog, in_order
from tests.rules.replay.case_files import PLACES, Row, as_read, racked

SHOT_S = 20.0
"""Shots start this far apart."""
OBJECT_BALLS = ["1", "2", "3", "5", "9", "10"]
CONFIDENCES = st.one_of(st.just(1.0), st.just(1.0), st.floats(0, 1).map(lambda p: round(p, 3)))
HALF_WIDTHS = st.sampled_from([0.0, 0.002, 0.01, 0.05])


@st.composite
def _common(draw: st.DrawFn, shot: int) -> dict[str, object]:
    after_s = round(draw(st.floats(0, 6)), 3)
    return {
        "shot": shot,
        "t_s": (shot - 1) * SHOT_S + after_s,
        "dt_s": draw(HALF_WIDTHS),
        "confidence": draw(CONFIDENCES),
    }


@st.composite
def _event(draw: st.DrawFn, shot: int, unnamed: bool) -> ShotEvent:
    common: Mapping[str, object] = draw(_common(shot))
    names = st.sampled_from(["cue", *OBJECT_BALLS, *(["u1"] if unnamed else [])])
    ball = draw(names)
    kind = draw(st.integers(0, 9))
    if kind <= 3:
        other = draw(names.filter(lambda name: name not in (ball, "cue")))
        alternatives: tuple[Alternative, ...] = ()
        if draw(st.integers(0, 4)) == 0:
            alternatives = (Alternative(draw(st.sampled_from(OBJECT_BALLS)), 0.3),)
        return BallContact(a=ball, b=other, alternatives=alternatives, **common)  # type: ignore[arg-type]
    if kind <= 6:
        flags = draw(
            st.sampled_from([{}, {}, {"jaw": True}, {"rail_top": True}, {"from_rest": True}])
        )
        cushion = draw(st.sampled_from(Cushion))
        return CushionContact(ball=ball, cushion=cushion, **flags, **common)  # type: ignore[arg-type]
    pocket = draw(st.sampled_from(Pocket))
    if kind == 7:
        return BallPocketed(ball=ball, pocket=pocket, **common)  # type: ignore[arg-type]
    if kind == 8:
        return BallOffTable(ball=ball, **common)  # type: ignore[arg-type]
    if draw(st.booleans()):
        fields = {"ball": ball}
        return OtherEvent(name="ball_placed", fields=fields, **common)  # type: ignore[arg-type]
    seconds = draw(st.none() | st.floats(0, 9).map(lambda s: round(s, 3)))
    late = {**common, "t_s": (shot - 1) * SHOT_S + 12.0}
    return LateDrop(ball=ball, pocket=pocket, seconds=seconds, **late)  # type: ignore[arg-type]


@st.composite
def shots(draw: st.DrawFn, shot: int = 1, unnamed: bool = True) -> list[ShotEvent]:
    """The events of one shot, with its start and end."""
    begins = (shot - 1) * SHOT_S
    events: list[ShotEvent] = draw(st.lists(_event(shot, unnamed), max_size=8))
    balls = racked() if draw(st.integers(0, 3)) == 0 else _places(draw, unnamed)
    moving = draw(st.sampled_from([(), (), (), ("5",), ("cue",)]))
    start = ShotStarted(
        shot=shot,
        t_s=begins,
        dt_s=draw(HALF_WIDTHS),
        confidence=draw(CONFIDENCES),
        balls=balls,
        moving=moving,
        started_before_clip=shot == 1 and draw(st.integers(0, 9)) == 0,
    )
    end = ShotEnded(
        shot=shot,
        t_s=begins + 7.0,
        dt_s=draw(HALF_WIDTHS),
        confidence=draw(CONFIDENCES),
        balls=_places(draw, unnamed) if draw(st.booleans()) else {},
        ended_after_clip=draw(st.integers(0, 9)) == 0,
        incomplete=draw(st.sampled_from([None, None, None, None, "camera cut"])),
    )
    return [start, *events, end]


def _places(draw: st.DrawFn, unnamed: bool) -> dict[str, tuple[float, float]]:
    names = draw(st.sets(st.sampled_from(OBJECT_BALLS)))
    extra = ["u1"] if unnamed and draw(st.integers(0, 3)) == 0 else []
    moved = draw(st.sampled_from([0.0, 0.0, 0.05]))
    return {
        name: (PLACES[name][0] + moved, PLACES[name][1]) for name in ["cue", *sorted(names), *extra]
    }


@st.composite
def logs(draw: st.DrawFn, most: int = 4) -> ShotLog:
    """A log of one or more shots."""
    events: list[ShotEvent] = []
    for shot in range(1, draw(st.integers(1, most)) + 1):
        events += draw(shots(shot))
    return as_read(ShotLog(Source(), tuple(in_order(events))))


@st.composite
def declared(draw: st.DrawFn) -> Row:
    """One lawful declaration."""
    ball, player = st.sampled_from(OBJECT_BALLS), st.sampled_from("AB")
    pocket = st.sampled_from([p.value for p in Pocket])
    cushion = st.sampled_from([c.value for c in Cushion])
    rule = st.sampled_from(["6.1", "6.2", "6.3", "6.5", "6.6", "6.9", "6.10", "6.13", "9.3b"])
    by = st.sampled_from(["referee", "opponent", "shooter"])
    penalty = st.sampled_from(["warning", "standard_foul", "serious_foul", "loss_of_match"])
    value = st.sampled_from(["accept", "hand_back", "self_breaks", "opponent_breaks"])
    kinds: list[dict[str, st.SearchStrategy[object] | str]] = [
        {"type": "call", "ball": ball, "pocket": pocket},
        {"type": "safety"},
        {"type": "push_out"},
        {"type": "withdraw", "what": "push_out"},
        {"type": "frozen", "a": "cue", "b": ball, "by": by},
        {"type": "frozen", "a": ball, "b": cushion, "by": by},
        {"type": "foul", "rule": rule, "by": player},
        {"type": "confirm", "rule": rule},
        {"type": "dismiss", "rule": rule},
        {"type": "obvious_call", "ball": ball, "pocket": pocket},
        {"type": "choice", "by": player, "value": value},
        {"type": "warn_two_fouls", "by": player},
        {"type": "time_expired", "by": player},
        {"type": "unsporting", "by": player, "penalty": penalty},
        {"type": "restore", "balls": st.lists(ball, max_size=3)},
        {"type": "interference", "by": "spectator", "ball": ball},
        {"type": "ball_fell_by_itself", "ball": ball, "pocket": pocket},
        {"type": "replay"},
        {"type": "cannot_restore"},
        {"type": "rerack"},
        {"type": "next_rack"},
        {"type": "stalemate_agree", "by": player},
        {"type": "concede", "by": player, "scope": st.sampled_from(["rack", "match"])},
        {"type": "lag_won", "by": player},
        {"type": "placement_check", "result": st.sampled_from(["behind", "in_front"])},
        {"type": "correct_fact", "fact": "first_contact", "value": ball},
        {"type": "correct_fact", "fact": "off_table", "value": st.lists(ball, max_size=2)},
        {"type": "undo"},
    ]
    shape = draw(st.sampled_from(kinds))
    row: Row = {
        key: value if isinstance(value, str) else draw(value) for key, value in shape.items()
    }
    return {"v": 1, "t_s": round(draw(st.floats(-5, 90)), 3)} | row


def mirrored(log: ShotLog) -> ShotLog:
    """The log of the same match seen in a mirror along the long string."""
    return ShotLog(log.source, tuple(_mirrored(event) for event in log.events))


def _mirrored(event: ShotEvent) -> ShotEvent:
    match event:
        case ShotStarted() | ShotEnded():
            return replace(event, balls={name: (x, -y) for name, (x, y) in event.balls.items()})
        case CushionContact():
            return replace(event, cushion=Cushion(other_side(event.cushion.value)))
        case BallPocketed() | LateDrop():
            return replace(event, pocket=Pocket(other_side(event.pocket.value)))
    return event


def other_side(word: str) -> str:
    """The cushion or pocket on the other side of the long string."""
    if word in Pocket.__members__:
        return word[0] + {"L": "R", "R": "L"}[word[1]]
    swapped = {"LEFT": "RIGHT", "RIGHT": "LEFT"}
    head, _, rest = word.partition("_")
    return f"{swapped[head]}_{rest}" if head in swapped else word


def mirrored_row(row: Row) -> Row:
    """The declaration that says the same in the mirror."""
    places = set(Pocket.__members__) | set(Cushion.__members__)
    return {
        key: other_side(value) if isinstance(value, str) and value in places else value
        for key, value in row.items()
    }
