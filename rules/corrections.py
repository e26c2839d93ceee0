"""Corrections of a fact: "the 3 was hit first". The rest of the shot stays as it was read.

A correction names one word of the case format and gives its value, as a case would::

    {"type": "correct_fact", "fact": "first_contact", "value": "3"}
    {"type": "correct_fact", "fact": "pocketed", "value": [{"ball": "3", "pocket": "FL"}]}

What a person says is certain. The shot is ruled on again, and everything after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from rules.case_format import read_shot
from rules.facts import Moment, ShotFacts
from table.json_fields import Fields

_Change = Callable[[ShotFacts, ShotFacts], ShotFacts]


@dataclass(frozen=True, slots=True)
class FactCorrection:
    """One fact of a shot, as a person saw it."""

    fact: str
    """The word of the case format."""
    seen: ShotFacts
    """A shot in which that fact alone is told."""


def read_correction(fields: Fields) -> FactCorrection:
    """Read `fact` and `value`.

    Raises:
        FieldError: for an unknown fact, or a value that the case format does not allow.
    """
    fact = fields.text("fact")
    if fact not in _CHANGES:
        raise fields.fail("fact", "one of " + ", ".join(_CHANGES))
    told = {fact: fields.values.get("value")}
    shot = told if fact in _SHOT_WORDS else {"other_facts": told}
    return FactCorrection(fact, read_shot(Fields(shot, f'{fields.place}, field "value"')))


def corrected(facts: ShotFacts, corrections: Iterable[FactCorrection]) -> ShotFacts:
    """The facts with the corrections applied in order."""
    for correction in corrections:
        facts = _CHANGES[correction.fact](facts, correction.seen)
    return facts


def _first_contact(facts: ShotFacts, seen: ShotFacts) -> ShotFacts:
    """A contact that nobody saw before leaves the order of the rails to the shooter (J8)."""
    struck = bool(seen.first_contact.likeliest.balls)
    had_none = not any(c.balls or c.unnamed for c in facts.first_contact.candidates)
    rails = facts.rails
    if struck and had_none:
        rails = tuple(replace(rail, moment=Moment.UNORDERED) for rail in rails)
    elif not struck:
        rails = tuple(replace(rail, moment=Moment.BEFORE) for rail in rails)
    return replace(facts, first_contact=seen.first_contact, frozen_ball_moved=None, rails=rails)


def _rails(moment: Moment) -> _Change:
    def change(facts: ShotFacts, seen: ShotFacts) -> ShotFacts:
        before = moment is Moment.BEFORE
        kept = tuple(rail for rail in facts.rails if (rail.moment is Moment.BEFORE) is not before)
        return replace(facts, rails=kept + seen.rails)

    return change


def _pocketed(facts: ShotFacts, seen: ShotFacts) -> ShotFacts:
    """Who fell is known now: lip balls, supported and rebounded balls are settled with it."""
    return replace(
        facts,
        pocketed=seen.pocketed,
        pocket_order_known=False,
        lip_drops=(),
        supported=(),
        rebounded=(),
        cue_ball_touched_pocketed_ball=None,
    )


def _off_table(facts: ShotFacts, seen: ShotFacts) -> ShotFacts:
    return replace(facts, off_table=seen.off_table, outside_objects=())


def _placement(facts: ShotFacts, seen: ShotFacts) -> ShotFacts:
    return replace(facts, placement=seen.placement, placement_mark=seen.placement_mark)


def _same(name: str) -> _Change:
    def change(facts: ShotFacts, seen: ShotFacts) -> ShotFacts:
        return replace(facts, **{name: getattr(seen, name)})

    return change


_SHOT_WORDS: Final = frozenset(
    (
        "first_contact",
        "rails_before_contact",
        "rails_after_contact",
        "pocketed",
        "off_table",
        "moving_at_start",
    )
)
_CHANGES: Final[dict[str, _Change]] = {
    "first_contact": _first_contact,
    "rails_before_contact": _rails(Moment.BEFORE),
    "rails_after_contact": _rails(Moment.AFTER),
    "pocketed": _pocketed,
    "off_table": _off_table,
    "moving_at_start": _same("moving_at_start"),
    "placement": _placement,
    "shooter": _same("shooter"),
    "hit_outside_object": _same("outside_objects"),
    "late_drop": _same("lip_drops"),
    "supported_over_pocket": _same("supported"),
    "rebounded": _same("rebounded"),
    "frozen_ball_moved": _same("frozen_ball_moved"),
}
