"""The facts under a ruling: what is sure, what only perhaps, what a correction starts from."""

from __future__ import annotations

from typing import Any

from monitor.live.view_facts import fact_rows
from rules.facts import BallFact, Mark, PocketedBall, RailContact, ShotFacts, Truth
from table.balls import Ball
from table.geometry import Pocket

DOUBTFUL = Mark(Truth.UNDECIDED, 0.15, "p 0.15")
LIKELY = Mark(Truth.UNDECIDED, 0.7, "p 0.70")


def row_of(facts: ShotFacts, name: str) -> dict[str, Any]:
    """One row by the name of its fact."""
    return next(row for row in fact_rows(facts, [], is_break=False) if row["fact"] == name)


def test_an_unlikely_rail_is_told_as_such_and_not_taken_for_a_fact() -> None:
    """A correction must not start from what probably did not happen."""
    rails = (RailContact(Ball.CUE), RailContact(Ball.TWO, mark=DOUBTFUL))
    row = row_of(ShotFacts(rails=rails), "rails_after_contact")
    assert row["text"] == "rails after: cue ball, perhaps 2 (15 %)"
    assert row["text_cs"] == "mantinely po: bílá, možná 2 (15 %)"
    assert row["value"] == ["cue"]
    assert row["sure"] is False and row["margin"] is None


def test_the_surer_of_two_rails_of_a_ball_counts() -> None:
    rails = (RailContact(Ball.TWO, mark=DOUBTFUL), RailContact(Ball.TWO))
    row = row_of(ShotFacts(rails=rails), "rails_after_contact")
    assert row["text"] == "rails after: 2" and row["value"] == ["2"] and row["sure"] is True


def test_a_likely_fall_is_where_a_correction_starts_from() -> None:
    fell = (PocketedBall(Ball.THREE, Pocket.FL, mark=LIKELY),)
    row = row_of(ShotFacts(pocketed=fell), "pocketed")
    assert row["text"] == "pocketed: perhaps 3 foot left (70 %)"
    assert row["value"] == [{"ball": "3", "pocket": "FL"}]


def test_where_nothing_happened_a_word_says_so() -> None:
    facts = ShotFacts(off_table=(BallFact(Ball.CUE),))
    assert row_of(facts, "pocketed")["text_cs"] == "v kapse: žádná"
    assert row_of(facts, "off_table")["text"] == "off the table: cue ball"
    assert row_of(facts, "rails_after_contact")["text"] == "rails after: none"
