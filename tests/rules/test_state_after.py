"""The whole state that a ruling leaves behind, field by field."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules import declarations as say
from rules.declarations import Before, Call, Declarations, Kind, Penalty
from rules.facts import BallFact, Mark, PocketedBall, RailContact, ShotFacts, Truth, contact_with
from rules.players import Pair, Player
from rules.rack import (
    ALL_BALLS,
    PLAY_OR_HAND_BACK,
    THREE_POINT_OPTIONS,
    WHO_BREAKS,
    BreakOrder,
    CueBall,
    EventOptions,
    Phase,
    Rack,
    new_rack,
)
from rules.records import changed
from rules.ruling import SpotPosition
from rules.ten_ball import rule
from table.balls import Ball
from table.geometry import Pocket

RACK = Rack(
    balls=frozenset({Ball.THREE, Ball.FIVE, Ball.TEN}),
    breaker=Player.B,
    phase=Phase.NORMAL,
    cue_ball=CueBall.IN_PLACE,
    clock=Pair(True, True),
    extensions_used=Pair(1, 0),
)
HIT = contact_with(Ball.THREE)
MISS = ShotFacts(first_contact=HIT, rails=(RailContact(Ball.CUE),))
WRONG = ShotFacts(first_contact=contact_with(Ball.FIVE), rails=(RailContact(Ball.CUE),))
FIVE_DOWN = replace(MISS, pocketed=(PocketedBall(Ball.FIVE, Pocket.SL),))
CALL = Declarations(Before(Call(Ball.THREE, Pocket.FL)))
OPEN = replace(RACK, options=PLAY_OR_HAND_BACK, hand_back_to=Player.B)


def said(*after: say.After) -> Declarations:
    return Declarations(after=after)


def test_after_a_miss_only_the_player_changes() -> None:
    assert rule(RACK, MISS, CALL).rack == replace(RACK, at_table=Player.B)


def test_after_a_wrong_ball_down_the_choice_is_open() -> None:
    assert rule(RACK, FIVE_DOWN, CALL).rack == replace(
        RACK,
        balls=frozenset({Ball.THREE, Ball.TEN}),
        at_table=Player.B,
        options=PLAY_OR_HAND_BACK,
        hand_back_to=Player.A,
    )


def test_after_a_foul_the_cue_ball_is_in_hand_and_nothing_else_is_open() -> None:
    expected = replace(RACK, at_table=Player.B, fouls=Pair(1, 0), cue_ball=CueBall.ANYWHERE)
    assert rule(RACK, WRONG, CALL).rack == expected
    assert rule(OPEN, WRONG, CALL).rack == expected


def test_a_stroke_of_the_decider_closes_the_choice() -> None:
    assert rule(OPEN, MISS, CALL).rack == replace(RACK, at_table=Player.B)


def test_hand_back_without_anybody_named_goes_to_the_opponent() -> None:
    rack = replace(OPEN, hand_back_to=None)
    ruling = rule(rack, None, said(say.Choice(Player.A, PLAY_OR_HAND_BACK[1])))
    assert ruling.rack == replace(RACK, at_table=Player.B)


def test_after_a_choice_nothing_is_open() -> None:
    accepted = rule(OPEN, None, said(say.Choice(Player.A, PLAY_OR_HAND_BACK[0])))
    assert accepted.rack == RACK
    handed = rule(OPEN, None, said(say.Choice(Player.A, PLAY_OR_HAND_BACK[1])))
    assert handed.rack == replace(RACK, at_table=Player.B)


def test_after_the_break_without_three_points() -> None:
    facts = ShotFacts(
        first_contact=contact_with(Ball.ONE), pocketed=(PocketedBall(Ball.SIX, Pocket.FL),)
    )
    options = EventOptions(three_point_break=True)
    assert rule(new_rack(), facts, options=options).rack == Rack(
        balls=ALL_BALLS - {Ball.SIX},
        at_table=Player.B,
        phase=Phase.NORMAL,
        cue_ball=CueBall.IN_PLACE,
        options=THREE_POINT_OPTIONS,
        hand_back_to=Player.A,
    )


def test_a_visit_that_ends_takes_its_warning_with_it_and_only_that() -> None:
    rack = replace(RACK, fouls=Pair(2, 2), warned=Pair(True, True))
    assert rule(rack, MISS, CALL).rack.warned == Pair(False, True)
    stays = rule(rack, replace(MISS, pocketed=(PocketedBall(Ball.THREE, Pocket.FL),)), CALL)
    assert stays.rack.warned == Pair(True, True)


def test_nobody_is_prompted_who_was_warned() -> None:
    rack = replace(RACK, at_table=Player.B, fouls=Pair(2, 0))
    assert rule(rack, MISS).warn_prompt is Player.A
    assert rule(replace(rack, warned=Pair(True, False)), MISS).warn_prompt is None
    assert rule(replace(rack, fouls=Pair(1, 0)), MISS).warn_prompt is None


def test_after_a_won_rack_the_winner_waits_at_the_table() -> None:
    rack = replace(
        RACK,
        balls=frozenset({Ball.TEN}),
        fouls=Pair(1, 2),
        stalemate_turns_left=Pair(2, 2),
        stalemate_agreed=frozenset({Player.B}),
        options=PLAY_OR_HAND_BACK,
        hand_back_to=Player.B,
        cue_ball=CueBall.ANYWHERE,
    )
    facts = ShotFacts(
        first_contact=contact_with(Ball.TEN), pocketed=(PocketedBall(Ball.TEN, Pocket.FL),)
    )
    ruling = rule(rack, facts, Declarations(Before(Call(Ball.TEN, Pocket.FL))))
    assert ruling.rack == Rack(
        balls=frozenset(),
        at_table=Player.A,
        breaker=Player.B,
        fouls=Pair(0, 2),
        phase=Phase.RACK_OVER,
        cue_ball=CueBall.IN_PLACE,
        clock=Pair(True, True),
        extensions_used=Pair(1, 0),
        winner=Player.A,
    )
    assert ruling.called_made is Ball.TEN
    assert not ruling.rack.match_over


def test_after_a_lost_rack_the_other_player_has_won() -> None:
    ruling = rule(RACK, None, said(say.Unsporting(Player.A)))
    assert ruling.rack == replace(
        RACK, phase=Phase.RACK_OVER, at_table=Player.B, fouls=Pair(1, 0), winner=Player.B
    )


def test_the_next_rack_is_a_fresh_one_with_the_clock_still_running() -> None:
    over = rule(RACK, None, said(say.Concede(Player.A, say.Scope.RACK))).rack
    fresh = rule(over, None, said(say.NextRack())).rack
    assert fresh == replace(new_rack(Player.A), clock=Pair(True, True), extensions_used=Pair(0, 0))


def test_a_stalemate_starts_a_fresh_rack_for_the_same_breaker() -> None:
    rack = replace(OPEN, fouls=Pair(2, 1), warned=Pair(True, False), extensions_used=None)
    ruling = rule(rack, None, said(say.StalemateDeclare()))
    assert ruling.rack == replace(new_rack(Player.B), clock=Pair(True, True))


def test_the_winner_of_the_lag_chooses_over_a_fresh_rack() -> None:
    ruling = rule(new_rack(), None, said(say.LagWon(Player.B)))
    assert ruling.rack == replace(new_rack(Player.B), options=WHO_BREAKS)


def test_an_agreement_lasts_until_somebody_plays() -> None:
    agreed = rule(RACK, None, said(say.StalemateAgree(Player.A))).rack
    assert agreed.stalemate_agreed == {Player.A}
    assert rule(agreed, MISS).rack.stalemate_agreed == frozenset()
    assert rule(agreed, None, said(say.StalemateAgree(Player.B))).rerack


def test_an_established_foul_carries_its_evidence() -> None:
    mark = Mark(Truth.YES, 0.99, "p 0.99", ("ball_off_table@2.700",), (1.0, 3.0))
    ruling = rule(RACK, replace(MISS, off_table=(BallFact(Ball.FIVE, mark),)))
    assert ruling.fouls[0].mark == mark
    assert ruling.fouls[0].detail == ""
    assert not ruling.fouls[0].called


def test_what_was_judged_stands_in_the_ruling() -> None:
    ruling = rule(RACK, FIVE_DOWN, CALL)
    assert ruling.stroke
    assert not ruling.was_break
    assert ruling.shooter is Player.A
    assert ruling.kind is Kind.NORMAL
    assert ruling.called == Call(Ball.THREE, Pocket.FL)
    assert ruling.pocketed == (Ball.FIVE,)
    assert ruling.incomplete is None


def test_an_annulled_shot_names_its_shooter_and_is_no_stroke() -> None:
    ruling = rule(RACK, MISS, Declarations(Before(kind=Kind.PUSH_OUT), (say.Replay(),)))
    assert ruling.shooter is Player.A
    assert not ruling.stroke
    assert ruling.refused == ("push_out",)
    assert ruling.rack is RACK


def test_conduct_on_an_annulled_shot_follows_the_event_options() -> None:
    rack = replace(RACK, fouls=Pair(2, 0))
    words = said(say.Unsporting(Player.A, Penalty.STANDARD_FOUL), say.Replay())
    seen = EventOptions(visible_counter_is_warning=True)
    assert rule(rack, MISS, words, seen).rack.winner is Player.B
    assert rule(rack, MISS, words).rack.winner is None


def test_a_position_that_cannot_be_restored_restores_nothing() -> None:
    ruling = rule(RACK, MISS, said(say.CannotRestore()))
    assert ruling.restore == ()
    assert not ruling.replay
    assert ruling.rerack


def test_balls_to_put_back_are_named_once() -> None:
    facts = replace(MISS, off_table=(BallFact(Ball.FIVE),))
    words = said(say.Interference(None, Ball.FIVE), say.Restore((Ball.FIVE, Ball.CUE)))
    assert rule(RACK, facts, words).restore == (Ball.FIVE, Ball.CUE)


def test_the_ten_goes_where_there_is_room() -> None:
    facts = replace(MISS, pocketed=(PocketedBall(Ball.TEN, Pocket.SL),))
    ruling = rule(RACK, facts)
    assert ruling.spot == (Ball.TEN,)
    assert ruling.spot_position is SpotPosition.FOOT_SPOT
    assert ruling.spot_point == pytest.approx((0.635, 0.0))
    assert rule(RACK, MISS).spot_position is None


def test_what_was_said_stands_in_the_ruling_without_what_was_undone() -> None:
    words = said(say.ClockOn(), say.CallRequested(), say.Undo())
    assert rule(RACK, MISS, words).said == (say.ClockOn(),)


def test_a_copy_of_a_record_knows_its_fields() -> None:
    assert changed(RACK, breaker=Player.A) == replace(RACK, breaker=Player.A)
    with pytest.raises(AttributeError):
        changed(RACK, colour="blue")  # type: ignore[call-arg]


def test_an_extension_is_counted_for_the_player_who_took_it() -> None:
    rack = replace(RACK, extensions_used=Pair(0, 1))
    assert rule(rack, None, said(say.Extension(Player.A))).rack == replace(
        rack, extensions_used=Pair(1, 1)
    )
    fresh = replace(RACK, extensions_used=None)
    for player, used in ((Player.A, Pair(1, 0)), (Player.B, Pair(0, 1))):
        ruling = rule(fresh, None, said(say.Extension(player)))
        assert ruling.rack == replace(fresh, extensions_used=used)
        assert ruling.refused == ()
        again = said(say.Extension(player), say.Extension(player))
        assert rule(fresh, None, again).refused == ("extension",)


def test_only_the_player_with_a_clock_has_time_to_extend_or_to_lose() -> None:
    rack = replace(RACK, clock=Pair(True, False), extensions_used=None)
    assert rule(rack, None, said(say.Extension(Player.A))).refused == ()
    assert rule(rack, None, said(say.Extension(Player.B))).refused == ("extension",)
    assert rule(rack, None, said(say.TimeExpired(Player.A))).fouls[0].article == "6.15"
    turned = replace(rack, at_table=Player.B)
    assert rule(turned, None, said(say.TimeExpired(Player.B))).refused == ("time_expired",)
    assert rule(turned, MISS, said(say.TimeExpired(Player.B))).refused == ("time_expired",)
    assert rule(rack, MISS, said(say.TimeExpired(Player.A))).fouls[0].article == "6.15"


def test_a_called_foul_keeps_who_said_it_and_about_what() -> None:
    call = say.FoulCall("6.6", Player.A, ball=Ball.FIVE)
    for facts in (None, MISS):
        (foul,) = rule(RACK, facts, said(call)).fouls
        assert foul.called
        assert foul.ball is Ball.FIVE
        assert foul.by is Player.A


def test_conduct_between_racks_keeps_its_penalty() -> None:
    over = rule(RACK, None, said(say.Concede(Player.A, say.Scope.RACK))).rack
    ruling = rule(over, None, said(say.Unsporting(Player.B, Penalty.LOSS_OF_MATCH)))
    (foul,) = ruling.fouls
    assert foul.called
    assert foul.penalty is Penalty.LOSS_OF_MATCH
    assert ruling.rack.winner is Player.A


def test_a_rack_that_was_taken_back_has_no_winner() -> None:
    over = replace(RACK, balls=frozenset(), phase=Phase.RACK_OVER, winner=Player.A)
    call = say.FoulCall("6.4", Player.A, about_previous_shot=True)
    assert rule(over, None, said(call)).rack == replace(
        RACK,
        balls=frozenset({Ball.TEN}),
        at_table=Player.B,
        fouls=Pair(1, 0),
        cue_ball=CueBall.ANYWHERE,
    )


def test_a_foul_called_late_but_in_time_is_about_the_shot_before() -> None:
    over = replace(RACK, balls=frozenset(), phase=Phase.RACK_OVER, winner=Player.A)
    call = say.LateFoulCall("6.4", Player.A, after_next_stroke=False)
    assert rule(over, None, said(call)).rack.winner is None


def test_a_rack_without_a_named_winner_was_won_by_whoever_waits() -> None:
    over = replace(RACK, phase=Phase.RACK_OVER, at_table=Player.B)
    options = EventOptions(break_order=BreakOrder.WINNER)
    assert rule(over, None, said(say.NextRack()), options).rack.at_table is Player.B


def test_a_fresh_rack_has_no_agreement_left() -> None:
    agreed = replace(RACK, stalemate_agreed=frozenset({Player.A}), extensions_used=None)
    fresh = rule(agreed, None, said(say.StalemateAgree(Player.B))).rack
    assert fresh == replace(new_rack(Player.B), clock=Pair(True, True))


def test_a_choice_of_the_breaker_ends_a_lag_that_was_to_be_repeated() -> None:
    bad, good = say.LagResult(False), say.LagResult(True)
    ruling = rule(new_rack(), None, said(say.Lag(bad, bad), say.Lag(good, bad)))
    assert ruling.lag_again is False
    assert ruling.rack.options == WHO_BREAKS
