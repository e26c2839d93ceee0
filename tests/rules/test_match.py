"""The match around the racks: score, race, breaks, correction and undo."""

from __future__ import annotations

from rules import declarations as say
from rules.declarations import Before, Call, Declarations
from rules.facts import PocketedBall, RailContact, ShotFacts, contact_with
from rules.match import Correction, Event, Match, TakeBack, fold, new_match, play, standing
from rules.players import Pair, Player
from rules.rack import BreakOrder, CueBall, EventOptions, Phase, Rack, new_rack
from table.balls import Ball
from table.geometry import Pocket

LAST_TEN = Rack(balls=frozenset({Ball.TEN}), phase=Phase.NORMAL, cue_ball=CueBall.IN_PLACE)
CALLED_TEN = Declarations(Before(Call(Ball.TEN, Pocket.FL)))
TEN_DOWN = Event(
    ShotFacts(first_contact=contact_with(Ball.TEN), pocketed=(PocketedBall(Ball.TEN, Pocket.FL),)),
    CALLED_TEN,
)


def said(*after: say.After) -> Event:
    return Event(None, Declarations(after=after))


def test_a_won_rack_scores_and_the_race_goes_on() -> None:
    match, ruling = play(Match(LAST_TEN, race_to=2), TEN_DOWN)
    assert match.score == Pair(1, 0)
    assert ruling.game_over
    assert match.winner is None
    assert not match.rack.match_over


def test_the_last_rack_of_the_race_ends_the_match() -> None:
    match, ruling = play(Match(LAST_TEN, score=Pair(1, 1), race_to=2), TEN_DOWN)
    assert match.score == Pair(2, 1)
    assert match.winner is Player.A
    assert ruling.rack.match_over
    assert play(match, said(say.NextRack()))[1].refused == ("next_rack",)


def test_a_match_without_a_race_has_no_end() -> None:
    match, _ = play(Match(LAST_TEN, score=Pair(40, 0)), TEN_DOWN)
    assert match.score == Pair(41, 0)
    assert match.winner is None


def test_the_next_rack_keeps_the_score() -> None:
    match, _ = fold(Match(LAST_TEN), [TEN_DOWN, said(say.NextRack())])
    assert match.score == Pair(1, 0)
    assert match.rack.phase is Phase.BREAK
    assert match.rack.at_table is Player.B


def test_winner_breaks_follows_the_winner_of_the_rack() -> None:
    options = EventOptions(break_order=BreakOrder.WINNER)
    match, _ = fold(Match(LAST_TEN, options=options), [TEN_DOWN, said(say.NextRack())])
    assert match.rack.at_table is Player.A


def test_a_stalemate_scores_for_nobody() -> None:
    match, _ = play(Match(LAST_TEN, score=Pair(1, 2)), said(say.StalemateDeclare()))
    assert match.score == Pair(1, 2)


def test_a_conceded_match_has_a_winner() -> None:
    match, _ = play(new_match(Player.B, race_to=5), said(say.Concede(Player.A)))
    assert match.winner is Player.B


def test_a_foul_called_on_the_winning_shot_takes_the_rack_back() -> None:
    call = say.FoulCall("6.4", Player.A, about_previous_shot=True)
    match, rulings = fold(Match(LAST_TEN, race_to=1), [TEN_DOWN])
    assert match.winner is Player.A
    match, rulings = fold(Match(LAST_TEN, race_to=3), [TEN_DOWN, said(call)])
    assert match.score == Pair(0, 0)
    assert match.rack.balls == {Ball.TEN}
    assert match.rack.at_table is Player.B
    assert match.rack.cue_ball is CueBall.ANYWHERE
    assert rulings[-1].spot == (Ball.TEN,)


def test_the_rack_of_the_opponent_is_not_taken_back_by_his_own_foul() -> None:
    call = say.FoulCall("6.4", Player.B, about_previous_shot=True)
    match, rulings = fold(Match(LAST_TEN), [TEN_DOWN, said(call)])
    assert match.score == Pair(1, 0)
    assert rulings[-1].refused == ("foul",)


def test_a_corrected_fact_re_rules_everything_after_it() -> None:
    hit_five = ShotFacts(
        first_contact=contact_with(Ball.FIVE), pocketed=(PocketedBall(Ball.THREE, Pocket.FL),)
    )
    hit_three = ShotFacts(
        first_contact=contact_with(Ball.THREE), pocketed=(PocketedBall(Ball.THREE, Pocket.FL),)
    )
    call = Declarations(Before(Call(Ball.THREE, Pocket.FL)))
    next_shot = Event(
        ShotFacts(first_contact=contact_with(Ball.FIVE), rails=(RailContact(Ball.CUE),))
    )
    rack = Rack(
        balls=frozenset({Ball.THREE, Ball.FIVE, Ball.TEN}),
        phase=Phase.NORMAL,
        cue_ball=CueBall.IN_PLACE,
    )
    journal = [Event(hit_five, call), next_shot]
    match, rulings = fold(Match(rack), journal)
    assert [r.shooter for r in rulings] == [Player.A, Player.B]
    corrected = [*journal, Correction(0, Event(hit_three, call))]
    match, rulings = fold(Match(rack), corrected)
    assert [r.shooter for r in rulings] == [Player.A, Player.A]
    assert match.rack.fouls == Pair(0, 0)
    assert match.rack.at_table is Player.B


def test_a_new_match_has_its_breaker_race_and_options() -> None:
    options = EventOptions(break_order=BreakOrder.LOSER)
    match = new_match(Player.B, 7, options)
    assert match == Match(new_rack(Player.B), race_to=7, options=options)
    assert new_match() == Match(new_rack(Player.A))


def test_a_correction_replaces_one_event_and_keeps_the_others() -> None:
    a, b, c, d = (said(one) for one in (say.ClockOn(), say.Replay(), say.NextRack(), say.Rerack()))
    assert standing([a, b, c, Correction(1, d)]) == (a, d, c)
    assert standing([a, b, c, Correction(0, d)]) == (d, b, c)
    assert standing([a, b, c, Correction(2, d)]) == (a, b, d)


def test_corrections_and_undos_of_what_does_not_stand_change_nothing() -> None:
    event = said(say.ClockOn())
    assert standing([Correction(0, event), TakeBack(), event]) == (event,)
    assert standing([event, Correction(1, event), Correction(-1, event)]) == (event,)
    assert standing([event, TakeBack(), TakeBack()]) == ()


def test_an_undo_takes_a_correction_back_first() -> None:
    first, second, better = (said(say.ClockOn()), said(say.NextRack()), said(say.Replay()))
    journal = [first, second, Correction(0, better)]
    assert standing(journal) == (better, second)
    assert standing([*journal, TakeBack()]) == (first, second)
    assert standing([*journal, TakeBack(), TakeBack()]) == (first,)
