"""Every question, word for word: article, what to look at, which ball, how sure, which clip."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.declarations import Before, Call, Declarations
from rules.facts import (
    Advisory,
    BallFact,
    Candidate,
    ClockReading,
    FirstContact,
    LipDrop,
    Mark,
    OutsideObject,
    Placement,
    PocketedBall,
    RailContact,
    ShotFacts,
    Truth,
    contact_with,
    decided,
)
from rules.players import Pair, Player
from rules.rack import CueBall, Phase, Rack, new_rack
from rules.ruling import Question
from rules.ten_ball import rule
from table.balls import Ball
from table.geometry import Pocket

CLIP = (10.0, 15.0)
OWN_CLIP = (12.0, 13.0)
DOUBT = Mark(Truth.UNDECIDED, 0.7, "p 0.70", ("event@12.5",))
SHOWN = replace(DOUBT, clip=OWN_CLIP)
RACK = Rack(
    balls=frozenset({Ball.THREE, Ball.NINE, Ball.TEN}),
    phase=Phase.NORMAL,
    cue_ball=CueBall.IN_PLACE,
)
SHOT = ShotFacts(first_contact=contact_with(Ball.THREE), rails=(RailContact(Ball.CUE),), clip=CLIP)
BREAK = replace(
    SHOT,
    first_contact=contact_with(Ball.ONE),
    rails=tuple(RailContact(Ball(n)) for n in (2, 3, 4, 5)),
)
THREE_RAILS = replace(BREAK, rails=(*BREAK.rails[:3], RailContact(Ball.FIVE, mark=DOUBT)))
CALL = Declarations(Before(Call(Ball.THREE, Pocket.FL)))
CALL_TEN = Declarations(Before(Call(Ball.TEN, Pocket.FL)))
NINE_AND_TEN = replace(RACK, balls=frozenset({Ball.NINE, Ball.TEN}))


def fell(*balls: Ball, mark: Mark | None = None, pocket: Pocket | None = Pocket.FL) -> ShotFacts:
    down = tuple(PocketedBall(ball, pocket, mark or Mark()) for ball in balls)
    return replace(SHOT, pocketed=down)


ASKED = [
    (RACK, fell(Ball.CUE, mark=DOUBT), CALL, "6.1", "Was the cue ball pocketed?", Ball.CUE, DOUBT),
    (
        RACK,
        replace(SHOT, off_table=(BallFact(Ball.CUE, DOUBT),)),
        CALL,
        "6.1",
        "Did the cue ball leave the table?",
        Ball.CUE,
        DOUBT,
    ),
    (
        RACK,
        replace(SHOT, off_table=(BallFact(Ball.NINE, SHOWN),)),
        CALL,
        "6.5",
        "Did the 9 leave the table?",
        Ball.NINE,
        SHOWN,
    ),
    (
        RACK,
        replace(SHOT, outside_objects=(OutsideObject(Ball.NINE, "lamp", DOUBT),)),
        CALL,
        "6.5",
        "Did the 9 leave the table?",
        Ball.NINE,
        DOUBT,
    ),
    (
        RACK,
        replace(SHOT, moving_at_start=(BallFact(Ball.NINE, DOUBT),)),
        CALL,
        "6.9",
        "Did the 9 ball still move when the stroke began?",
        Ball.NINE,
        DOUBT,
    ),
    (
        new_rack(),
        replace(BREAK, placement=Placement.IN_FRONT, placement_mark=DOUBT),
        Declarations(),
        "6.10",
        "Was the cue ball behind the head string?",
        Ball.CUE,
        DOUBT,
    ),
    (
        new_rack(),
        replace(BREAK, placement=Placement.UNSURE, placement_mark=SHOWN),
        Declarations(),
        "6.10",
        "Was the cue ball behind the head string?",
        Ball.CUE,
        SHOWN,
    ),
    (
        new_rack(),
        replace(BREAK, advisories=(Advisory("6.10", DOUBT),)),
        Declarations(),
        "6.10",
        "Was the cue ball behind the head string?",
        None,
        DOUBT,
    ),
    (
        replace(RACK, at_table=Player.B),
        replace(SHOT, shooter=Player.A),
        CALL,
        "6.13",
        "Was it player A's turn?",
        None,
        Mark(),
    ),
    (
        RACK,
        replace(SHOT, template_touched=Ball.NINE),
        CALL,
        "6.16",
        "Did a ball touch the template?",
        Ball.NINE,
        Mark(),
    ),
    (
        RACK,
        replace(SHOT, advisories=(Advisory("6.7", SHOWN, Ball.NINE),)),
        CALL,
        "6.7",
        "Did the tip touch the cue ball twice?",
        Ball.NINE,
        SHOWN,
    ),
    (
        new_rack(),
        THREE_RAILS,
        Declarations(),
        "9.3b",
        "Did four object balls reach a rail on the break?",
        None,
        Mark(margin="3 of 4 balls to a rail"),
    ),
    (
        RACK,
        fell(Ball.THREE, mark=SHOWN),
        CALL,
        "8.3",
        "Was the 3 pocketed?",
        Ball.THREE,
        SHOWN,
    ),
    (
        RACK,
        fell(Ball.THREE, mark=DOUBT),
        CALL,
        "8.3",
        "Was the 3 pocketed?",
        Ball.THREE,
        DOUBT,
    ),
    (
        RACK,
        fell(Ball.THREE, pocket=None, mark=Mark(clip=OWN_CLIP)),
        CALL,
        "9.5",
        "Did the 3 fall into pocket FL?",
        Ball.THREE,
        Mark(clip=OWN_CLIP),
    ),
    (
        RACK,
        fell(Ball.THREE, pocket=None),
        CALL,
        "9.5",
        "Did the 3 fall into pocket FL?",
        Ball.THREE,
        Mark(),
    ),
    (
        RACK,
        fell(Ball.THREE, Ball.NINE),
        Declarations(),
        "9.5",
        "Was the 3 and the 9 an obvious shot?",
        None,
        Mark(),
    ),
    (
        RACK,
        replace(SHOT, incomplete="the picture was cut"),
        CALL,
        "8.2",
        "Was the shot without a foul? (the picture was cut)",
        None,
        Mark(),
    ),
    (
        NINE_AND_TEN,
        replace(fell(Ball.NINE, Ball.TEN), first_contact=contact_with(Ball.NINE)),
        CALL_TEN,
        "9.8",
        "Did the ten fall as the last ball?",
        Ball.TEN,
        Mark(),
    ),
]


@pytest.mark.parametrize(("rack", "facts", "said", "article", "ask", "ball", "mark"), ASKED)
def test_a_question_says_all_that_a_person_needs(
    rack: Rack,
    facts: ShotFacts,
    said: Declarations,
    article: str,
    ask: str,
    ball: Ball | None,
    mark: Mark,
) -> None:
    expected = Question(article, ask, mark.clip or CLIP, ball, mark)
    assert rule(rack, facts, said).questions == (expected,)


def test_a_lip_ball_in_doubt_keeps_its_evidence_and_clip() -> None:
    drop = LipDrop(Ball.THREE, Pocket.FL, 4.9, 0.2, Mark(evidence=("late_drop@9",), clip=OWN_CLIP))
    (question,) = rule(RACK, replace(SHOT, lip_drops=(drop,)), CALL).questions
    assert question.mark.evidence == ("late_drop@9",)
    assert question.clip == OWN_CLIP
    nearly_sure = replace(drop, seconds=1.0, tolerance_s=4.01)
    (question,) = rule(RACK, replace(SHOT, lip_drops=(nearly_sure,)), CALL).questions
    assert question.mark.probability == pytest.approx(0.5 + 4 / 8.02)


def test_established_fouls_say_what_was_measured() -> None:
    late = replace(SHOT, clock=ClockReading(36.5, 35.0, active=True))
    (foul,) = rule(RACK, late, CALL).fouls
    assert foul.mark.margin == "1.5 s over 35 s"
    assert foul.ball is None
    line = Mark(margin="31 mm")
    front = replace(BREAK, placement=Placement.IN_FRONT, placement_mark=line)
    (foul,) = rule(new_rack(), front).fouls
    assert (foul.ball, foul.mark) == (Ball.CUE, line)
    moving = replace(SHOT, moving_at_start=(BallFact(Ball.NINE, line),))
    (foul,) = rule(RACK, moving, CALL).fouls
    assert (foul.ball, foul.mark) == (Ball.NINE, line)


@pytest.mark.parametrize(
    ("facts", "detail", "ball"),
    [
        (fell(Ball.CUE), "pocketed", Ball.CUE),
        (replace(SHOT, off_table=(BallFact(Ball.CUE),)), "off_table", Ball.CUE),
        (
            replace(fell(Ball.CUE), off_table=(BallFact(Ball.CUE, DOUBT),)),
            "pocketed",
            Ball.CUE,
        ),
    ],
)
def test_a_lost_cue_ball_says_how_it_was_lost(facts: ShotFacts, detail: str, ball: Ball) -> None:
    (foul,) = rule(RACK, facts, CALL).fouls
    assert (foul.detail, foul.ball) == (detail, ball)


def test_the_clock_of_the_rack_is_the_shooters_own() -> None:
    late = replace(SHOT, clock=ClockReading(36.5, 35.0))
    for player in Player:
        mine = replace(RACK, at_table=player, clock=Pair(player is Player.A, player is Player.B))
        other = replace(RACK, at_table=player, clock=Pair(player is Player.B, player is Player.A))
        assert [foul.article for foul in rule(mine, late, CALL).fouls] == ["6.15"]
        assert rule(other, late, CALL).fouls == ()


def test_the_surest_report_of_a_ball_counts_and_the_first_of_equals() -> None:
    twice = (PocketedBall(Ball.THREE, Pocket.SL, DOUBT), PocketedBall(Ball.THREE, Pocket.FL))
    assert rule(RACK, replace(SHOT, pocketed=twice), CALL).called_made is Ball.THREE
    equal = (PocketedBall(Ball.THREE, Pocket.SL), PocketedBall(Ball.THREE, Pocket.FL))
    assert rule(RACK, replace(SHOT, pocketed=equal), CALL).called_made is None


def test_the_surest_report_of_the_cue_ball_counts_and_the_first_of_equals() -> None:
    doubtful, sure = fell(Ball.CUE, mark=DOUBT), Mark(margin="touched")
    (foul,) = rule(RACK, replace(doubtful, cue_ball_touched_pocketed_ball=sure), CALL).fouls
    assert foul.mark is sure
    (foul,) = rule(RACK, replace(fell(Ball.CUE), cue_ball_touched_pocketed_ball=DOUBT), CALL).fouls
    assert foul.mark == Mark()
    (foul,) = rule(RACK, replace(fell(Ball.CUE), cue_ball_touched_pocketed_ball=sure), CALL).fouls
    assert foul.mark == Mark()


def test_a_jump_in_doubt_makes_the_fourth_rail_a_question() -> None:
    jumped = replace(BREAK, rails=BREAK.rails[:3], off_table=(BallFact(Ball.NINE, DOUBT),))
    asked = [question.article for question in rule(new_rack(), jumped).questions]
    assert asked == ["6.5", "9.3b"]
    sure = replace(jumped, off_table=(BallFact(Ball.NINE),))
    assert [foul.article for foul in rule(new_rack(), sure).fouls] == ["6.5"]


def test_a_rebound_in_doubt_makes_the_fourth_rail_a_question() -> None:
    back = replace(BREAK, rails=BREAK.rails[:3], rebounded=(PocketedBall(Ball.NINE, None, DOUBT),))
    assert [question.article for question in rule(new_rack(), back).questions] == ["9.3b"]
    sure = replace(back, rebounded=(PocketedBall(Ball.NINE, None),))
    assert rule(new_rack(), sure).questions == ()
    same = replace(back, rebounded=(PocketedBall(Ball.TWO, None),))
    assert [foul.article for foul in rule(new_rack(), same).fouls] == ["9.3b"]


def test_the_cue_balls_rail_in_doubt_is_none_of_the_four() -> None:
    rails = (*BREAK.rails[:3], RailContact(Ball.CUE, mark=DOUBT))
    assert [f.article for f in rule(new_rack(), replace(BREAK, rails=rails)).fouls] == ["9.3b"]


def test_a_table_without_object_balls_has_no_lowest_ball() -> None:
    empty = replace(RACK, balls=frozenset())
    assert rule(empty, SHOT).fouls == ()


def test_contacts_and_probabilities_at_their_edges() -> None:
    assert contact_with(Ball.ONE, mark=DOUBT) == FirstContact((Candidate((Ball.ONE,)),), DOUBT)
    assert decided(0.25, threshold=0.75) is Truth.NO
    assert decided(0.75, threshold=0.75) is Truth.YES
