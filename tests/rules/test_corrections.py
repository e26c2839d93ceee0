"""Corrections of a fact: one word of the case format replaced, the rest as it was read."""

from __future__ import annotations

import pytest

from rules.corrections import corrected, read_correction
from rules.facts import (
    CERTAIN,
    BallFact,
    Candidate,
    FirstContact,
    LipDrop,
    Mark,
    Moment,
    OutsideObject,
    Placement,
    PocketedBall,
    RailContact,
    ShotFacts,
    Truth,
    contact_with,
)
from rules.players import Player
from table.balls import Ball
from table.geometry import Pocket
from table.json_fields import FieldError, Fields

DOUBT = Mark(Truth.UNDECIDED, 0.5)
RAILS = (RailContact(Ball.CUE, Moment.BEFORE), RailContact(Ball.FIVE, Moment.AFTER))
SEEN = ShotFacts(
    first_contact=contact_with(Ball.FIVE),
    rails=RAILS,
    pocketed=(PocketedBall(Ball.FIVE, Pocket.FL),),
    lip_drops=(LipDrop(Ball.SIX, Pocket.FR, 4.0),),
    off_table=(BallFact(Ball.SEVEN, DOUBT),),
    outside_objects=(OutsideObject(Ball.EIGHT, mark=DOUBT),),
    placement=Placement.UNSURE,
    placement_mark=DOUBT,
    frozen_ball_moved=Ball.FIVE,
)


def correct(fact: str, value: object, facts: ShotFacts = SEEN) -> ShotFacts:
    fields = Fields({"type": "correct_fact", "fact": fact, "value": value}, "line 1")
    return corrected(facts, [read_correction(fields)])


def test_another_ball_was_hit_first() -> None:
    facts = correct("first_contact", "3")
    assert facts.first_contact == FirstContact((Candidate((Ball.THREE,)),))
    assert (facts.frozen_ball_moved, facts.rails) == (None, RAILS)


def test_nothing_was_hit_after_all_so_no_rail_came_after_a_contact() -> None:
    facts = correct("first_contact", None)
    assert facts.first_contact.likeliest == Candidate(())
    assert {rail.moment for rail in facts.rails} == {Moment.BEFORE}


def test_a_hit_that_nobody_saw_leaves_the_order_of_the_rails_to_the_shooter() -> None:
    missed = correct("first_contact", None)
    assert {r.moment for r in correct("first_contact", "3", missed).rails} == {Moment.UNORDERED}


def test_rails_are_corrected_before_and_after_the_contact_apart() -> None:
    three = RailContact(Ball.THREE, Moment.AFTER)
    assert correct("rails_after_contact", ["3"]).rails == (RAILS[0], three)
    assert correct("rails_before_contact", []).rails == (RAILS[1],)
    assert correct("rails_after_contact", []).rails == (RAILS[0],)


def test_who_fell_settles_lip_balls_too() -> None:
    facts = correct("pocketed", [{"ball": "3", "pocket": "SR"}])
    assert facts.pocketed == (PocketedBall(Ball.THREE, Pocket.SR),)
    assert facts.lip_drops == ()


def test_who_left_the_table_settles_those_that_came_back() -> None:
    facts = correct("off_table", ["8"])
    assert (facts.off_table, facts.outside_objects) == ((BallFact(Ball.EIGHT),), ())


def test_single_facts_are_replaced() -> None:
    assert correct("placement", "in_front").placement is Placement.IN_FRONT
    assert correct("placement", "in_front").placement_mark == CERTAIN
    assert correct("moving_at_start", ["4"]).moving_at_start == (BallFact(Ball.FOUR),)
    assert correct("shooter", "B").shooter is Player.B
    lamp = correct("hit_outside_object", [{"ball": "8", "object": "light"}])
    assert lamp.outside_objects == (OutsideObject(Ball.EIGHT, "light"),)


def test_corrections_apply_in_order() -> None:
    rows = [{"fact": "first_contact", "value": ball} for ball in ("3", "4")]
    facts = corrected(SEEN, [read_correction(Fields(row, "line 1")) for row in rows])
    assert facts.first_contact.likeliest.balls == (Ball.FOUR,)


@pytest.mark.parametrize(
    ("fact", "value"),
    [("weather", "3"), ("first_contact", "12"), ("pocketed", "3"), ("shooter", "C")],
)
def test_what_the_case_format_does_not_know_is_refused(fact: str, value: object) -> None:
    with pytest.raises(FieldError, match="line 1, field"):
        correct(fact, value)
