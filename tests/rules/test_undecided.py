"""Facts with three values: a doubt asks, a person's word decides, nothing is guessed."""

from __future__ import annotations

import pytest

from rules import declarations as say
from rules.declarations import Before, Call, Declarations, Kind
from rules.facts import (
    Advisory,
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
    SupportedBall,
    Truth,
    contact_with,
    decided,
)
from rules.players import Player
from rules.rack import CueBall, Phase, Rack, new_rack
from rules.ruling import Ruling
from rules.ten_ball import rule
from table.balls import Ball
from table.geometry import Cushion, Pocket

DOUBT = Mark(Truth.UNDECIDED, 0.7, "p 0.70", ("ball_contact@1.710",), (1.2, 2.2))
UNLIKELY = Mark(Truth.UNDECIDED, 0.3, "p 0.30")
RACK = Rack(
    balls=frozenset({Ball.THREE, Ball.FIVE, Ball.TEN}),
    phase=Phase.NORMAL,
    cue_ball=CueBall.IN_PLACE,
)
HIT = contact_with(Ball.THREE)
RAIL = (RailContact(Ball.CUE),)
CALL = Declarations(Before(Call(Ball.THREE, Pocket.FL)))


def articles(ruling: Ruling) -> list[str]:
    return [foul.article for foul in ruling.fouls]


def asked(ruling: Ruling) -> list[str]:
    return [question.article for question in ruling.questions]


def doubtful(*candidates: Candidate) -> FirstContact:
    return FirstContact(candidates, DOUBT)


def test_probabilities_decide_at_the_threshold() -> None:
    assert decided(0.98) is Truth.YES
    assert decided(0.979) is Truth.UNDECIDED
    assert decided(0.021) is Truth.UNDECIDED
    assert decided(0.019) is Truth.NO
    assert decided(0.9, threshold=0.9) is Truth.YES


@pytest.mark.parametrize(
    ("mark", "likely"),
    [
        (Mark(), True),
        (DOUBT, True),
        (Mark(Truth.UNDECIDED, 0.5), True),
        (UNLIKELY, False),
        (Mark(Truth.NO, 0.9), False),
    ],
)
def test_the_provisional_reading_of_a_doubt_is_the_likelier_one(mark: Mark, likely: bool) -> None:
    assert mark.is_likely is likely


def test_a_wrong_ball_that_may_have_been_first_is_asked_with_its_clip() -> None:
    contact = doubtful(Candidate((Ball.FIVE,), 0.7), Candidate((Ball.THREE,), 0.3))
    ruling = rule(RACK, ShotFacts(first_contact=contact, rails=RAIL))
    assert articles(ruling) == []
    assert asked(ruling) == ["6.2"]
    question = ruling.questions[0]
    assert question.ask == "Was the 5 hit before the 3?"
    assert question.ball is Ball.FIVE
    assert question.clip == (1.2, 2.2)
    assert question.mark is DOUBT
    assert ruling.provisional


def test_the_lowest_ball_that_may_not_have_been_first_is_asked_about() -> None:
    contact = doubtful(Candidate((Ball.THREE,), 0.7), Candidate((Ball.FIVE,), 0.3))
    ruling = rule(RACK, ShotFacts(first_contact=contact, rails=RAIL, clip=(0.0, 9.0)))
    assert ruling.questions[0].ask == "Was another ball hit first, not the 3?"


def test_when_every_candidate_is_wrong_it_does_not_matter_which_it_was() -> None:
    contact = doubtful(Candidate((Ball.FIVE,), 0.6), Candidate((Ball.TEN,), 0.4))
    ruling = rule(RACK, ShotFacts(first_contact=contact, rails=RAIL))
    assert articles(ruling) == ["6.2"]
    assert asked(ruling) == []


def test_when_every_candidate_is_right_it_does_not_matter_either() -> None:
    contact = doubtful(Candidate((Ball.THREE,), 0.6), Candidate((Ball.THREE, Ball.FIVE), 0.4))
    ruling = rule(RACK, ShotFacts(first_contact=contact, rails=RAIL))
    assert (articles(ruling), asked(ruling)) == ([], [])


def test_an_unnamed_ball_may_be_the_lowest() -> None:
    contact = FirstContact((Candidate((), 1.0, unnamed=True),))
    ruling = rule(RACK, ShotFacts(first_contact=contact, rails=RAIL))
    assert (articles(ruling), asked(ruling)) == ([], ["6.2"])
    assert ruling.questions[0].ask == "Was another ball hit first, not the 3?"


def test_a_contact_that_may_not_have_happened_is_asked_about() -> None:
    contact = doubtful(Candidate((Ball.THREE,), 0.6), Candidate((), 0.4))
    ruling = rule(RACK, ShotFacts(first_contact=contact, rails=RAIL))
    assert (articles(ruling), asked(ruling)) == ([], ["6.3"])
    assert ruling.questions[0].ask == "Did the cue ball touch an object ball?"


def test_a_confirmed_doubt_is_a_foul_and_a_dismissed_one_is_nothing() -> None:
    contact = doubtful(Candidate((Ball.FIVE,), 0.7), Candidate((Ball.THREE,), 0.3))
    facts = ShotFacts(first_contact=contact, rails=RAIL)
    confirmed = rule(RACK, facts, Declarations(after=(say.Confirm("6.2"),)))
    assert articles(confirmed) == ["6.2"]
    assert confirmed.fouls[0].called
    assert confirmed.rack.at_table is Player.B
    dismissed = rule(RACK, facts, Declarations(after=(say.Dismiss("6.2"),)))
    assert (articles(dismissed), asked(dismissed)) == ([], [])


def test_a_rail_that_may_have_been_reached_is_asked_about() -> None:
    rails = (RailContact(Ball.THREE, mark=DOUBT),)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=rails))
    assert (articles(ruling), asked(ruling)) == ([], ["6.3"])
    expected = "Did any ball reach a rail after the cue ball's first contact?"
    assert ruling.questions[0].ask == expected


def test_one_sure_rail_answers_for_the_others() -> None:
    rails = (RailContact(Ball.THREE, mark=DOUBT), RailContact(Ball.CUE))
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=rails))
    assert (articles(ruling), asked(ruling)) == ([], [])


def test_a_rail_that_cannot_be_ordered_counts_for_the_shooter() -> None:
    rails = (RailContact(Ball.CUE, Moment.UNORDERED),)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=rails))
    assert (articles(ruling), asked(ruling)) == ([], [])


@pytest.mark.parametrize("gone", ["cue_down", "cue_off", "ball_off", "rebound"])
def test_a_ball_that_perhaps_left_perhaps_reached_a_rail(gone: str) -> None:
    facts = {
        "cue_down": ShotFacts(
            first_contact=HIT, pocketed=(PocketedBall(Ball.CUE, Pocket.FL, DOUBT),)
        ),
        "cue_off": ShotFacts(first_contact=HIT, off_table=(BallFact(Ball.CUE, DOUBT),)),
        "ball_off": ShotFacts(first_contact=HIT, off_table=(BallFact(Ball.FIVE, DOUBT),)),
        "rebound": ShotFacts(
            first_contact=HIT, rebounded=(PocketedBall(Ball.FIVE, Pocket.FL, DOUBT),)
        ),
    }[gone]
    ruling = rule(RACK, facts)
    assert articles(ruling) == []
    assert "6.3" in asked(ruling)


def test_the_cue_ball_back_from_a_pocket_does_not_answer_for_a_rail_by_itself() -> None:
    rebounded = (PocketedBall(Ball.CUE, Pocket.FL),)
    assert articles(rule(RACK, ShotFacts(first_contact=HIT, rebounded=rebounded))) == ["6.3"]


def test_a_pocketing_that_is_in_doubt_is_asked_and_counts_when_likely() -> None:
    fell = (PocketedBall(Ball.THREE, Pocket.FL, DOUBT),)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, pocketed=fell), CALL)
    assert asked(ruling) == ["8.3"]
    assert ruling.questions[0].ask == "Was the 3 pocketed?"
    assert ruling.called_made is Ball.THREE
    assert ruling.rack.at_table is Player.A
    assert Ball.THREE not in ruling.rack.balls


def test_a_pocketing_that_is_unlikely_does_not_count() -> None:
    fell = (PocketedBall(Ball.THREE, Pocket.FL, UNLIKELY),)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, pocketed=fell), CALL)
    assert asked(ruling) == ["8.3"]
    assert ruling.rack.at_table is Player.B
    assert ruling.rack.options == ()
    assert Ball.THREE in ruling.rack.balls


def test_a_doubtful_pocketing_leaves_no_rail_undecided() -> None:
    fell = (PocketedBall(Ball.FIVE, Pocket.FL, UNLIKELY),)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, pocketed=fell))
    assert articles(ruling) == []
    assert asked(ruling) == ["6.3", "8.3", "9.5"]


def test_an_unknown_pocket_is_asked_and_does_not_count_as_the_called_one() -> None:
    fell = (PocketedBall(Ball.THREE, None),)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, pocketed=fell), CALL)
    assert asked(ruling) == ["9.5"]
    assert ruling.questions[0].ask == "Did the 3 fall into pocket FL?"
    assert ruling.called_made is None
    assert ruling.rack.at_table is Player.B


def test_an_unknown_pocket_of_another_ball_does_not_matter() -> None:
    fell = (PocketedBall(Ball.THREE, Pocket.FL), PocketedBall(Ball.FIVE, None))
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, pocketed=fell), CALL)
    assert asked(ruling) == []


def test_a_scratch_in_doubt_leaves_the_cue_ball_in_place() -> None:
    fell = (PocketedBall(Ball.CUE, Pocket.HL, DOUBT),)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, pocketed=fell))
    assert (articles(ruling), asked(ruling)) == ([], ["6.1"])
    assert ruling.questions[0].ask == "Was the cue ball pocketed?"
    assert ruling.rack.cue_ball is CueBall.IN_PLACE


def test_a_cue_ball_that_perhaps_left_the_table_is_asked_about() -> None:
    ruling = rule(
        RACK, ShotFacts(first_contact=HIT, rails=RAIL, off_table=(BallFact(Ball.CUE, DOUBT),))
    )
    assert ruling.questions[0].ask == "Did the cue ball leave the table?"


def test_a_sure_jump_outweighs_a_doubtful_pocketing() -> None:
    facts = ShotFacts(
        first_contact=HIT,
        rails=RAIL,
        pocketed=(PocketedBall(Ball.CUE, Pocket.HL, DOUBT),),
        outside_objects=(OutsideObject(Ball.CUE, "light"),),
    )
    ruling = rule(RACK, facts)
    assert [(foul.article, foul.detail) for foul in ruling.fouls] == [("6.1", "off_table")]


def test_a_ball_that_perhaps_left_the_table_stays_in_play_until_somebody_says_so() -> None:
    facts = ShotFacts(first_contact=HIT, rails=RAIL, off_table=(BallFact(Ball.FIVE, DOUBT),))
    ruling = rule(RACK, facts)
    assert (articles(ruling), asked(ruling)) == ([], ["6.5"])
    assert ruling.questions[0].ask == "Did the 5 leave the table?"
    assert Ball.FIVE in ruling.rack.balls
    confirmed = rule(RACK, facts, Declarations(after=(say.Confirm("6.5"),)))
    assert articles(confirmed) == ["6.5"]
    assert Ball.FIVE not in confirmed.rack.balls


def test_one_sure_jump_is_a_foul_beside_a_doubtful_one() -> None:
    off = (BallFact(Ball.FIVE, DOUBT), BallFact(Ball.TEN))
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, off_table=off))
    assert ruling.fouls[0].ball is Ball.TEN
    assert ruling.spot == (Ball.TEN,)


def test_a_lip_ball_whose_seconds_span_five_is_asked_about() -> None:
    drop = LipDrop(Ball.THREE, Pocket.FL, 4.9, tolerance_s=0.2)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, lip_drops=(drop,)), CALL)
    assert asked(ruling) == ["8.3"]
    assert ruling.questions[0].mark.margin == "0.10 s from five seconds"
    assert ruling.questions[0].mark.probability == pytest.approx(0.75)
    assert ruling.called_made is Ball.THREE


@pytest.mark.parametrize(
    ("seconds", "tolerance_s", "fell", "doubt"),
    [
        (4.7, 0.2, True, False),
        (4.8, 0.2, True, True),
        (5.19, 0.2, False, True),
        (5.2, 0.2, False, False),
    ],
)
def test_the_edges_of_five_seconds(
    seconds: float, tolerance_s: float, fell: bool, doubt: bool
) -> None:
    drop = LipDrop(Ball.THREE, Pocket.FL, seconds, tolerance_s)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, lip_drops=(drop,)), CALL)
    assert (Ball.THREE not in ruling.rack.balls) is fell
    assert ("8.3" in asked(ruling)) is doubt
    assert (Ball.THREE in ruling.restore) is (not fell and not doubt)


def test_a_drop_that_itself_is_in_doubt_is_no_surer_for_being_early() -> None:
    drop = LipDrop(Ball.THREE, Pocket.FL, 4.9, 0.2, UNLIKELY)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, lip_drops=(drop,)), CALL)
    assert ruling.questions[0].mark.probability == pytest.approx(0.3)
    early = LipDrop(Ball.THREE, Pocket.FL, 1.0, 0.2, DOUBT)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, lip_drops=(early,)), CALL)
    assert ruling.questions[0].mark is DOUBT


def test_a_support_in_doubt_is_a_pocketing_in_doubt() -> None:
    held = (SupportedBall(Ball.THREE, Pocket.FL, (Ball.FIVE,), DOUBT),)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, supported=held), CALL)
    assert asked(ruling) == ["8.3"]


def test_a_rebound_from_one_pocket_says_nothing_about_another() -> None:
    facts = ShotFacts(
        first_contact=HIT,
        rails=RAIL,
        rebounded=(PocketedBall(Ball.THREE, Pocket.SL),),
        pocketed=(PocketedBall(Ball.THREE, Pocket.FL),),
    )
    assert rule(RACK, facts, CALL).called_made is Ball.THREE


def test_a_rebound_in_doubt_leaves_the_pocketing_in_doubt() -> None:
    facts = ShotFacts(
        first_contact=HIT,
        rails=RAIL,
        rebounded=(PocketedBall(Ball.CUE, Pocket.FL, DOUBT),),
        pocketed=(PocketedBall(Ball.CUE, Pocket.FL),),
    )
    ruling = rule(RACK, facts)
    assert (articles(ruling), asked(ruling)) == ([], ["6.1"])
    assert ruling.questions[0].mark.probability == pytest.approx(0.3)


def test_motion_in_doubt_is_asked_about() -> None:
    facts = ShotFacts(first_contact=HIT, rails=RAIL, moving_at_start=(BallFact(Ball.FIVE, DOUBT),))
    ruling = rule(RACK, facts)
    assert (articles(ruling), asked(ruling)) == ([], ["6.9"])
    assert ruling.questions[0].ask == "Did the 5 ball still move when the stroke began?"


@pytest.mark.parametrize("placement", [Placement.IN_FRONT, Placement.ON_LINE])
def test_a_placement_within_the_margin_is_asked_about(placement: Placement) -> None:
    rails = tuple(RailContact(Ball(n)) for n in (2, 3, 4, 5))
    facts = ShotFacts(
        first_contact=contact_with(Ball.ONE),
        rails=rails,
        placement=placement,
        placement_mark=DOUBT,
    )
    ruling = rule(new_rack(), facts)
    assert (articles(ruling), asked(ruling)) == ([], ["6.10"])


def test_four_rails_of_which_one_is_in_doubt_are_asked_about() -> None:
    rails = (*(RailContact(Ball(n)) for n in (2, 3, 4)), RailContact(Ball.FIVE, mark=DOUBT))
    facts = ShotFacts(first_contact=contact_with(Ball.ONE), rails=rails)
    ruling = rule(new_rack(), facts)
    assert (articles(ruling), asked(ruling)) == ([], ["9.3b"])
    assert ruling.questions[0].mark.margin == "3 of 4 balls to a rail"
    assert ruling.rack.phase is Phase.SECOND_SHOT


def test_three_rails_are_too_few_whatever_the_doubt_about_one_of_them() -> None:
    rails = (*(RailContact(Ball(n)) for n in (2, 3)), RailContact(Ball.FIVE, mark=DOUBT))
    facts = ShotFacts(first_contact=contact_with(Ball.ONE), rails=rails)
    assert articles(rule(new_rack(), facts)) == ["9.3b"]


def test_a_doubtful_ball_down_makes_too_few_rails_a_question() -> None:
    fell = (PocketedBall(Ball.SEVEN, Pocket.FL, DOUBT),)
    rails = (RailContact(Ball.TWO),)
    facts = ShotFacts(first_contact=contact_with(Ball.ONE), rails=rails, pocketed=fell)
    ruling = rule(new_rack(), facts)
    assert articles(ruling) == []
    assert asked(ruling) == ["9.3b", "8.3"]


def test_a_shot_that_was_not_seen_whole_proves_no_absence() -> None:
    facts = ShotFacts(first_contact=HIT, incomplete="the picture was cut")
    ruling = rule(RACK, facts)
    assert articles(ruling) == []
    assert asked(ruling) == ["6.3", "8.2"]
    assert ruling.legal is None
    assert ruling.incomplete == "the picture was cut"
    broken = ShotFacts(first_contact=contact_with(Ball.ONE), rails=RAIL, incomplete="cut")
    assert asked(rule(new_rack(), broken)) == ["9.3b", "8.2"]


def test_a_shot_that_was_not_seen_whole_still_shows_what_it_shows() -> None:
    fell = (PocketedBall(Ball.CUE, Pocket.FL),)
    ruling = rule(RACK, ShotFacts(first_contact=HIT, pocketed=fell, incomplete="cut"))
    assert articles(ruling) == ["6.1"]
    assert ruling.legal is False


@pytest.mark.parametrize(
    "article",
    ["6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "6.7", "6.8", "6.9", "6.12", "6.13"]
    + ["6.15", "6.16", "6.17"],
)
def test_a_suspicion_is_asked_and_confirmed_or_dismissed(article: str) -> None:
    facts = ShotFacts(
        first_contact=HIT, rails=RAIL, advisories=(Advisory(article, DOUBT, Ball.FIVE),)
    )
    ruling = rule(RACK, facts)
    assert (articles(ruling), asked(ruling)) == ([], [article])
    assert ruling.questions[0].clip == (1.2, 2.2)
    ask = ruling.questions[0].ask
    assert ask[0].isupper()
    assert ask.endswith("?")
    assert ask.lower() != ask
    assert ask.upper() != ask
    assert articles(rule(RACK, facts, Declarations(after=(say.Confirm(article),)))) == [article]
    assert asked(rule(RACK, facts, Declarations(after=(say.Dismiss(article),)))) == []


def test_a_suspicion_on_the_break_line_is_asked_on_the_break() -> None:
    rails = tuple(RailContact(Ball(n)) for n in (2, 3, 4, 5))
    facts = ShotFacts(
        first_contact=contact_with(Ball.ONE), rails=rails, advisories=(Advisory("6.10"),)
    )
    assert asked(rule(new_rack(), facts)) == ["6.10"]


def test_a_question_without_its_own_clip_shows_the_whole_shot() -> None:
    facts = ShotFacts(
        first_contact=HIT, rails=RAIL, advisories=(Advisory("6.7"),), clip=(10.0, 14.5)
    )
    assert rule(RACK, facts).questions[0].clip == (10.0, 14.5)


def test_nothing_is_asked_about_a_push_out_that_suspends_the_article() -> None:
    rack = Rack(phase=Phase.SECOND_SHOT, cue_ball=CueBall.IN_PLACE)
    contact = doubtful(Candidate((Ball.FIVE,), 0.7), Candidate((), 0.3))
    said = Declarations(Before(kind=Kind.PUSH_OUT))
    assert asked(rule(rack, ShotFacts(first_contact=contact), said)) == []


def test_frozen_to_a_rail_means_that_rail_and_not_its_other_half() -> None:
    from rules.declarations import Declarer, Frozen  # noqa: PLC0415
    from rules.facts import RailDetail  # noqa: PLC0415

    def with_cushion(cushion: Cushion) -> list[str]:
        rail = RailContact(Ball.THREE, detail=RailDetail.SAME_RAIL_NEVER_LEFT, cushion=cushion)
        frozen = (Frozen(Ball.THREE, Cushion.LEFT_HEAD, Declarer.REFEREE),)
        said = Declarations(Before(frozen=frozen))
        return articles(rule(RACK, ShotFacts(first_contact=HIT, rails=(rail,)), said))

    assert with_cushion(Cushion.LEFT_HEAD) == ["6.3"]
    assert with_cushion(Cushion.LEFT_FOOT) == []
