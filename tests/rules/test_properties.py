"""What must hold for every ruling, whatever happened and whoever said what."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from rules import declarations as say
from rules.declarations import Declarations, FoulCall
from rules.facts import Candidate, FirstContact, Mark, ShotFacts, Truth
from rules.match import Correction, Event, TakeBack, fold, new_match, play, standing
from rules.penalty import gravest
from rules.players import Pair, Player
from rules.rack import EventOptions, Phase, Rack
from rules.rulebook import RULEBOOK, citations
from rules.ruling import Ruling
from rules.ruling_json import ruling_to_json
from rules.sentence import LANGUAGES, sentence
from rules.ten_ball import rule
from table.balls import Ball
from table.geometry import Cushion, Pocket
from tests.rules.strategies import (
    afters,
    declarations,
    doubtful_facts,
    events,
    options,
    racks,
    sure_facts,
    with_doubt,
)

T = TypeVar("T")
MANY = settings(max_examples=150, deadline=None)
SOME = settings(max_examples=40, deadline=None)


def rewritten(value: T, words: dict[Any, Any]) -> T:
    """The same value with other words in it: players, pockets, cushions exchanged."""
    if isinstance(value, Enum) and value in words:
        return words[value]  # type: ignore[no-any-return]
    if isinstance(value, (tuple, frozenset)) and not isinstance(value, Pair):
        return type(value)(rewritten(item, words) for item in value)  # type: ignore[return-value]
    if is_dataclass(value) and not isinstance(value, type) and not hasattr(value, "length_m"):
        changes = {f.name: rewritten(getattr(value, f.name), words) for f in fields(value)}
        return replace(value, **changes)  # type: ignore[return-value]
    return value


MIRROR: dict[Any, Any] = {
    Pocket.HL: Pocket.HR,
    Pocket.SL: Pocket.SR,
    Pocket.FL: Pocket.FR,
    Cushion.LEFT_HEAD: Cushion.RIGHT_HEAD,
    Cushion.LEFT_FOOT: Cushion.RIGHT_FOOT,
}
MIRROR |= {right: left for left, right in MIRROR.items()}


def mirrored(value: T) -> T:
    """The same seen in a mirror along the long string: y and left and right exchanged."""
    value = rewritten(value, MIRROR)
    if isinstance(value, ShotFacts):
        turned = tuple(
            b if isinstance(b.at, str) else replace(b, at=(b.at[0], -b.at[1]))
            for b in value.blockers
        )
        return replace(value, blockers=turned)
    return value


def swapped(value: T) -> T:
    """The same with the players' places exchanged."""
    value = rewritten(value, {Player.A: Player.B, Player.B: Player.A})
    if isinstance(value, Rack):
        names = ("fouls", "warned", "stalemate_turns_left", "clock", "extensions_used")
        pairs = {name: getattr(value, name) for name in names}
        turned = {name: pair and Pair(pair.b, pair.a) for name, pair in pairs.items()}
        return replace(value, **turned)
    if isinstance(value, Declarations):
        after = tuple(
            replace(said, a=said.b, b=said.a) if isinstance(said, say.Lag) else said
            for said in value.after
        )
        return replace(value, after=after)
    return value


def same_but_words(ruling: Ruling) -> Ruling:
    """A ruling without the words and the drawing of its questions."""
    unworded = tuple(replace(q, ask="") for q in ruling.questions)
    return replace(ruling, questions=unworded, said=())


@MANY
@given(racks(), st.none() | doubtful_facts(), declarations, options)
def test_every_input_gives_a_ruling_that_makes_sense(
    rack: Rack, facts: ShotFacts | None, said: Declarations, event: EventOptions
) -> None:
    ruling = rule(rack, facts, said, event)
    after = ruling.rack
    assert (ruling.penalised is None) == (not ruling.fouls)
    assert (ruling.legal is False) == bool(ruling.fouls)
    assert all(foul.article in RULEBOOK for foul in ruling.fouls)
    assert all(question.article in RULEBOOK for question in ruling.questions)
    assert set(citations(ruling)) <= set(RULEBOOK)
    assert after.is_over == (after.winner is not None)
    assert not (after.is_over and after.options)
    assert all(0 <= count <= 3 for count in after.fouls)
    assert (3 in after.fouls) <= after.is_over
    assert ruling_to_json(ruling)["balls_after"] == [ball.text for ball in sorted(after.balls)]
    for phrases in LANGUAGES.values():
        assert sentence(ruling, phrases=phrases).endswith(".")


@MANY
@given(racks(), doubtful_facts(), options)
def test_balls_are_conserved(rack: Rack, facts: ShotFacts, event: EventOptions) -> None:
    ruling = rule(rack, facts, Declarations(), event)
    after = ruling.rack.balls
    assert after <= rack.balls
    gone = rack.balls - after
    left = {fact.ball for fact in (*facts.pocketed, *facts.off_table, *facts.outside_objects)}
    left |= {fact.ball for fact in (*facts.lip_drops, *facts.supported)}
    assert gone <= left
    assert not gone & set(ruling.restore)
    if Ball.TEN in rack.balls and not ruling.rack.is_over:
        assert Ball.TEN in after
    assert (Ball.TEN in ruling.spot) <= (Ball.TEN in left)


@MANY
@given(racks(), doubtful_facts(), declarations, options)
def test_the_mirror_changes_no_ruling(
    rack: Rack, facts: ShotFacts, said: Declarations, event: EventOptions
) -> None:
    straight = rule(rack, facts, said, event)
    turned = rule(rack, mirrored(facts), mirrored(said), event)
    assert same_but_words(mirrored(straight)) == same_but_words(turned)


@MANY
@given(racks(), st.none() | doubtful_facts(), declarations, options)
def test_exchanging_the_players_exchanges_the_ruling(
    rack: Rack, facts: ShotFacts | None, said: Declarations, event: EventOptions
) -> None:
    straight = rule(rack, facts, said, event)
    other = rule(swapped(rack), swapped(facts), swapped(said), event)
    expected = replace(swapped(straight), rack=swapped(straight.rack))
    assert same_but_words(expected) == same_but_words(other)


@MANY
@given(st.data(), racks(), sure_facts, options)
def test_doubt_turns_a_foul_or_nothing_only_into_a_question(
    data: st.DataObject, rack: Rack, facts: ShotFacts, event: EventOptions
) -> None:
    facts = replace(facts, next_stroke_started=False, settled=None)
    doubtful = with_doubt(data.draw, facts)
    before = {foul.article for foul in rule(rack, facts, Declarations(), event).fouls}
    ruling = rule(rack, doubtful, Declarations(), event)
    after = {foul.article for foul in ruling.fouls}
    asked = {question.article for question in ruling.questions}
    assert after <= before
    assert before - after - {"6.14"} <= asked


@MANY
@given(racks(), sure_facts, st.lists(st.sampled_from(Ball), min_size=1, max_size=2))
def test_an_undecided_first_contact_is_never_a_foul_unless_every_candidate_is(
    rack: Rack, facts: ShotFacts, others: list[Ball]
) -> None:
    struck = tuple(ball for ball in others if ball is not Ball.CUE)
    candidates = (*facts.first_contact.candidates, Candidate(struck, 0.3))
    doubtful = FirstContact(candidates, Mark(Truth.UNDECIDED, 0.7))
    facts = replace(facts, frozen_ball_moved=None)
    each = [
        {f.article for f in rule(rack, replace(facts, first_contact=FirstContact((one,)))).fouls}
        for one in candidates
    ]
    together = {f.article for f in rule(rack, replace(facts, first_contact=doubtful)).fouls}
    for article in ("6.2", "6.3"):
        assert (article in together) == all(article in found for found in each)


@MANY
@given(racks(), st.none() | doubtful_facts(), declarations, afters, options)
def test_undoing_a_declaration_is_as_if_it_was_never_made(
    rack: Rack, facts: ShotFacts | None, said: Declarations, one: say.After, event: EventOptions
) -> None:
    if isinstance(one, say.Undo):
        return
    undone = replace(said, after=(*said.after, one, say.Undo()))
    assert rule(rack, facts, undone, event) == rule(rack, facts, said, event)


@MANY
@given(racks(), st.none() | doubtful_facts(), declarations, options)
def test_one_event_moves_each_counter_by_one_at_most(
    rack: Rack, facts: ShotFacts | None, said: Declarations, event: EventOptions
) -> None:
    calm = tuple(
        one
        for one in said.after
        if not isinstance(one, (say.NextRack, say.Rerack, say.Lag, say.LagWon, say.Choice))
    )
    ruling = rule(rack, facts, replace(said, after=calm[:1]), event)
    for player in Player:
        change = ruling.rack.fouls.of(player) - rack.fouls.of(player)
        assert change <= 1
        if change > 0:
            assert any(foul.by is player for foul in ruling.fouls)


@MANY
@given(racks(), sure_facts, options)
def test_a_called_foul_outweighs_nothing_graver(
    rack: Rack, facts: ShotFacts, event: EventOptions
) -> None:
    called = Declarations(after=(FoulCall("6.16", rack.at_table),))
    facts = replace(facts, shooter=None)
    ruling = rule(rack, facts, called, event)
    if ruling.fouls:
        assert ruling.penalised == gravest(ruling.fouls)


@SOME
@given(st.lists(events, max_size=6), options)
def test_replaying_a_journal_equals_ruling_it_live(
    journal: list[Event], event_options: EventOptions
) -> None:
    match = start = new_match(race_to=2, options=event_options)
    live = []
    for event in journal:
        match, ruling = play(match, event)
        live.append(ruling)
    assert fold(start, journal) == (match, tuple(live))


@SOME
@given(st.lists(events, max_size=5), events)
def test_taking_back_a_record_is_identity(journal: list[Event], event: Event) -> None:
    start = new_match()
    assert fold(start, [*journal, event, TakeBack()]) == fold(start, journal)


@SOME
@given(st.lists(events, min_size=1, max_size=5), events, st.data())
def test_a_corrected_fact_rules_everything_after_it_again(
    journal: list[Event], truth: Event, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(journal) - 1))
    start = new_match()
    right = [*journal[:index], truth, *journal[index + 1 :]]
    assert fold(start, [*journal, Correction(index, truth)]) == fold(start, right)
    undone = [*journal, Correction(index, truth), TakeBack()]
    assert standing(undone) == tuple(journal)


@SOME
@given(racks(), doubtful_facts(), declarations)
def test_a_ruling_changes_nothing_in_place(
    rack: Rack, facts: ShotFacts, said: Declarations
) -> None:
    before = (repr(rack), repr(facts), repr(said))
    rule(rack, facts, said)
    assert (repr(rack), repr(facts), repr(said)) == before


@SOME
@given(racks(), sure_facts)
def test_the_table_never_waits_for_nobody(rack: Rack, facts: ShotFacts) -> None:
    ruling = rule(rack, facts)
    if ruling.rack.phase is Phase.SECOND_SHOT and rack.phase is not Phase.SECOND_SHOT:
        assert rack.phase is Phase.BREAK
        assert not ruling.fouls
