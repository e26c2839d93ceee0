"""A shot whose facts a person enters: shot events, and the facts in the words of the rules.

The events are what a shot log can hold of it; what it cannot (a rail without its cushion)
and everything else stands beside it as corrections of facts, said during the shot. So a
match that was scored by hand exports to a shot log and declarations that `replay` rules on
alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rules.case_format import read_shot
from rules.facts import ShotFacts
from table.balls import CUE
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    ShotEnded,
    ShotEvent,
    ShotStarted,
)
from table.json_fields import Fields

SHOT_S: Final = 0.010
"""How long such a shot takes in match time: what is said of it lies within."""
_SAID_AT_S: Final = 0.005
_STEP_S: Final = 0.0005
_ORDER: Final = (
    "first_contact",
    "rails_before_contact",
    "rails_after_contact",
    "pocketed",
    "off_table",
    "moving_at_start",
    "shooter",
    "placement",
    "late_drop",
    "supported_over_pocket",
    "rebounded",
    "hit_outside_object",
    "frozen_ball_moved",
)
"""What a person may tell; the order in which it is applied."""
_OF_THE_SHOT: Final = frozenset(_ORDER[:6])


def read_hand_facts(value: object, place: str) -> dict[str, object]:
    """The facts of a shot, checked; unknown words are refused.

    Raises:
        FieldError: naming the field.
    """
    outer = Fields({"facts": value}, place)
    if not isinstance(value, dict):
        raise outer.fail("facts", "an object")
    told = Fields(value, f'{place}, field "facts"')
    for name in value:
        if name not in _ORDER:
            raise told.fail(name, "no such fact; one of " + ", ".join(_ORDER))
    if "first_contact" not in value:
        raise told.fail("first_contact", "an object ball, a list of them, or null")
    _facts_of(told)
    return {name: value[name] for name in _ORDER if name in value}


def hand_events(facts: Mapping[str, object], shot: int, t_s: float) -> tuple[ShotEvent, ...]:
    """The events of a shot that was entered at match time `t_s`."""
    return (
        ShotStarted(shot=shot, t_s=t_s, balls={}),
        *_played(_facts_of(Fields(dict(facts), "facts")), shot, t_s),
        ShotEnded(shot=shot, t_s=round(t_s + SHOT_S, 6), balls={}),
    )


def fact_rows(facts: Mapping[str, object], t_s: float) -> list[dict[str, object]]:
    """The facts as declarations: rows of declarations.jsonl, said during the shot."""
    return [
        {
            "v": 1,
            "t_s": round(t_s + _SAID_AT_S + index * 1e-5, 6),
            "type": "correct_fact",
            "fact": name,
            "value": value,
        }
        for index, (name, value) in enumerate(facts.items())
    ]


def _facts_of(told: Fields) -> ShotFacts:
    shot = {name: value for name, value in told.values.items() if name in _OF_THE_SHOT}
    other = {name: value for name, value in told.values.items() if name not in _OF_THE_SHOT}
    return read_shot(Fields(shot | {"other_facts": other}, told.place))


def _played(facts: ShotFacts, shot: int, t_s: float) -> Iterator[ShotEvent]:
    """What happened, in the order of a shot: contact, then balls that left."""
    at_s = t_s
    for ball in facts.first_contact.likeliest.balls:
        yield BallContact(shot=shot, t_s=round(t_s + _STEP_S, 6), a=CUE, b=ball.text)
    for fell in facts.pocketed:
        if fell.pocket is not None:
            at_s += _STEP_S
            yield BallPocketed(
                shot=shot, t_s=round(at_s + _STEP_S, 6), ball=fell.ball.text, pocket=fell.pocket
            )
    for gone in facts.off_table:
        at_s += _STEP_S
        yield BallOffTable(shot=shot, t_s=round(at_s + _STEP_S, 6), ball=gone.ball.text)
