"""Event options and editions: what changes when the organiser announces something else."""

from __future__ import annotations

from rules import declarations as say
from rules.declarations import Before, Call, Declarations, Kind
from rules.edition import FIRST_2008
from rules.facts import Advisory, PocketedBall, RailContact, ShotFacts, contact_with
from rules.players import Player
from rules.rack import CueBall, EventOptions, Phase, Rack, new_rack
from rules.ten_ball import rule
from table.balls import Ball
from table.geometry import Pocket

EARLY = EventOptions(edition=FIRST_2008)
RACK = Rack(
    balls=frozenset({Ball.THREE, Ball.FIVE, Ball.TEN}),
    phase=Phase.NORMAL,
    cue_ball=CueBall.IN_PLACE,
)
HIT = contact_with(Ball.THREE)
RAIL = (RailContact(Ball.CUE),)


def ten_down(ball: Ball) -> ShotFacts:
    return ShotFacts(
        first_contact=contact_with(ball), rails=RAIL, pocketed=(PocketedBall(Ball.TEN, Pocket.SL),)
    )


def test_in_2008_the_ten_on_a_legal_break_won() -> None:
    assert rule(new_rack(), ten_down(Ball.ONE), options=EARLY).rack.winner is Player.A
    assert rule(new_rack(), ten_down(Ball.ONE)).rack.winner is None


def test_in_2008_the_ten_on_a_foul_break_did_not_win() -> None:
    ruling = rule(new_rack(), ten_down(Ball.TWO), options=EARLY)
    assert ruling.rack.winner is None
    assert ruling.spot == (Ball.TEN,)


def test_in_2008_the_called_ten_won_at_any_time() -> None:
    call = Declarations(Before(Call(Ball.TEN, Pocket.SL)))
    assert rule(RACK, ten_down(Ball.THREE), call, EARLY).rack.winner is Player.A
    assert rule(RACK, ten_down(Ball.THREE), call).rack.winner is None


def test_in_2008_an_uncalled_ten_was_spotted() -> None:
    ruling = rule(RACK, ten_down(Ball.THREE), Declarations(), EARLY)
    assert ruling.spot == (Ball.TEN,)
    assert ruling.rack.winner is None


def test_in_2008_there_was_no_safety_call() -> None:
    said = Declarations(Before(Call(Ball.THREE, Pocket.FL), Kind.SAFETY))
    fell = (PocketedBall(Ball.THREE, Pocket.FL),)
    facts = ShotFacts(first_contact=HIT, rails=RAIL, pocketed=fell)
    ruling = rule(RACK, facts, said, EARLY)
    assert ruling.refused == ("safety",)
    assert ruling.rack.at_table is Player.A


def test_in_2008_there_was_no_template_foul() -> None:
    facts = ShotFacts(first_contact=HIT, rails=RAIL, advisories=(Advisory("6.16"),))
    called = Declarations(after=(say.FoulCall("6.16", Player.A),))
    assert rule(RACK, facts, called, EARLY).fouls == ()
    assert rule(RACK, facts, options=EARLY).questions == ()
    alone = rule(RACK, None, called, EARLY)
    assert (alone.fouls, alone.refused) == ((), ("foul",))
