"""Reading: what the events of a shot are in rule words, with margins and probabilities."""

from __future__ import annotations

import math

import pytest

from rules.declarations import Before, Declarer, Frozen
from rules.facts import Candidate, Moment, Placement, RailDetail, ShotFacts, Truth
from rules.notation import parse_shots
from rules.rack import Phase, Rack
from rules.reading import ReadingSettings, read_shot
from rules.standing import racked_end
from table.balls import Ball
from table.geometry import EIGHT_FOOT, NINE_FOOT, Cushion, Pocket
from table.log import in_order

THREE, FIVE, NINE, TEN = Ball.THREE, Ball.FIVE, Ball.NINE, Ball.TEN
RACK = Rack(balls=frozenset((THREE, FIVE, TEN)), phase=Phase.NORMAL)
NOBODY = Before()


def read(text: str, rack: Rack = RACK, before: Before = NOBODY) -> ShotFacts:
    if "START" not in text:
        text = f"START @0; {text}"
    if "END" not in text:
        text += "; END @9"
    return read_shot(tuple(in_order(parse_shots(text))), rack, before)


def frozen(a: Ball, b: Ball | Cushion, by: Declarer = Declarer.REFEREE) -> Before:
    return Before(frozen=(Frozen(a, b, by),))


# First contact


def test_one_sure_contact_is_the_first() -> None:
    contact = read("CUE>3 @0.4").first_contact
    assert contact.candidates == (Candidate((THREE,), 1.0),)
    assert contact.mark.is_sure
    assert contact.mark.evidence == ("ball_contact@0.400",)


def test_alternatives_are_candidates_in_order_of_probability() -> None:
    contact = read("CUE>3|5:0.6 @0.4 %0.38").first_contact
    assert [c.balls for c in contact.candidates] == [(FIVE,), (THREE,)]
    assert sum(c.probability for c in contact.candidates) == pytest.approx(1.0)
    assert contact.mark.truth is Truth.UNDECIDED


def test_a_doubtful_contact_leaves_the_later_ones_possible() -> None:
    contact = read("CUE>5 @0.4 %0.6; CUE>3 @0.8").first_contact
    chances = {c.balls: c.probability for c in contact.candidates}
    assert chances == {(FIVE,): pytest.approx(0.6), (THREE,): pytest.approx(0.4)}


def test_contacts_that_overlap_may_be_one_or_in_either_order() -> None:
    contact = read("CUE>5 @0.400~0.004; CUE>3 @0.406~0.004").first_contact
    assert [c.balls for c in contact.candidates] == [(THREE, FIVE), (THREE,), (FIVE,)]
    assert contact.mark.margin == "6 ms apart"
    assert contact.mark.clip == (0.0, 1.41)


def test_contacts_whose_intervals_just_part_are_in_order() -> None:
    contact = read("CUE>5 @0.400~0.004; CUE>3 @0.4081~0.004").first_contact
    assert contact.likeliest.balls == (FIVE,)
    assert contact.mark.is_sure


def test_an_unlikely_remainder_is_no_candidate() -> None:
    contact = read("CUE>3|5:0.01 @0.4 %0.985").first_contact
    assert contact.candidates == (Candidate((THREE,), 1.0),)


def test_an_unnamed_ball_is_an_unnamed_candidate() -> None:
    contact = read("CUE>U1 @0.4").first_contact
    assert contact.candidates[0] == Candidate((), 1.0, unnamed=True)
    assert contact.mark.truth is Truth.UNDECIDED


def test_no_contact_at_all_is_sure_when_nothing_moved() -> None:
    contact = read("CUE>FOOT @0.4").first_contact
    assert contact.candidates == (Candidate((), 1.0),)
    assert contact.mark.is_sure


def test_a_ball_that_moved_was_hit_by_something() -> None:
    contact = read("5>FOOT @0.9").first_contact
    assert [(c.balls, c.unnamed) for c in contact.candidates] == [((FIVE,), False), ((), True)]
    assert not contact.mark.is_sure


def test_a_ball_pressed_into_its_rail_is_no_sign_of_motion() -> None:
    assert read("3>FOOT rest @0.9").first_contact.likeliest.balls == ()


def test_a_ball_that_moved_before_the_stroke_is_no_sign_of_a_contact() -> None:
    contact = read("START moving:5 @0; 5>FOOT @0.9").first_contact
    assert contact.likeliest == Candidate((), 1.0)


def test_the_contact_with_a_frozen_ball_counts_when_that_ball_moves() -> None:
    facts = read("CUE>5 @0; 5>FOOT @0.5; CUE>3 @0.6", before=frozen(Ball.CUE, FIVE))
    assert facts.frozen_ball_moved is FIVE
    assert facts.first_contact.likeliest.balls == (FIVE,)


def test_a_contact_with_a_frozen_ball_that_stays_is_in_doubt() -> None:
    text = """
    START CUE=0.643,-0.2 3=0.2,-0.35 5=0.7,-0.2 @0
    CUE>5 @0; CUE>3 @0.6
    END CUE=0,0 3=0.4,-0.35 5=0.705,-0.2 @4
    """
    facts = read(text, before=frozen(Ball.CUE, FIVE))
    assert facts.frozen_ball_moved is None
    assert {c.balls for c in facts.first_contact.candidates} == {(THREE,), (FIVE,)}


def test_the_shooters_own_word_freezes_nothing_to_the_cue_ball() -> None:
    facts = read("CUE>5 @0; 5>FOOT @0.5", before=frozen(Ball.CUE, FIVE, Declarer.SHOOTER))
    assert facts.frozen_ball_moved is None


# Rails


def moments(text: str, before: Before = NOBODY) -> list[tuple[Moment, bool]]:
    return [(rail.moment, rail.mark.is_sure) for rail in read(text, before=before).rails]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CUE>FOOT @0.2; CUE>3 @0.4", (Moment.BEFORE, True)),
        ("CUE>3 @0.4; CUE>FOOT @0.6", (Moment.AFTER, True)),
        ("CUE>3 @0.4~0.01; CUE>FOOT @0.41~0.01", (Moment.UNORDERED, False)),
        ("CUE>3 @0.4 %0.7; CUE>FOOT @0.6", (Moment.AFTER, False)),
        ("CUE>3 @0.4~0.01; 3>FOOT @0.39~0.01", (Moment.AFTER, True)),
        ("CUE>3 @0.4; 5>FOOT @0.2", (Moment.AFTER, False)),
        ("5>LEFT_FOOT @0.2", (Moment.AFTER, True)),
        ("CUE>FOOT @0.2", (Moment.BEFORE, True)),
        ("START moving:5 @0; 5>FOOT @0.2; CUE>3 @0.4", (Moment.BEFORE, True)),
    ],
)
def test_a_rail_comes_before_or_after_the_first_contact(
    text: str, expected: tuple[Moment, bool]
) -> None:
    assert moments(text) == [expected]


@pytest.mark.parametrize(
    ("rail", "detail", "sure"),
    [
        ("3>FOOT rest @0.4", RailDetail.SAME_RAIL_NEVER_LEFT, True),
        ("3>FOOT @0.42", RailDetail.SAME_RAIL_NEVER_LEFT, True),
        ("3>FOOT @0.43~0.05", RailDetail.LEFT_AND_RETURNED, False),
        ("3>FOOT @0.6", RailDetail.LEFT_AND_RETURNED, True),
        ("3>HEAD @0.42", RailDetail.OTHER_RAIL, True),
    ],
)
def test_a_ball_frozen_to_a_rail_must_leave_it(rail: str, detail: RailDetail, sure: bool) -> None:
    (contact,) = read(f"CUE>3 @0.4; {rail}", before=frozen(THREE, Cushion.FOOT)).rails
    assert (contact.detail, contact.mark.is_sure) == (detail, sure)


@pytest.mark.parametrize(
    ("rail", "detail"),
    [
        ("3>FOOT @0.6", None),
        ("3>FOOT jaw @0.6", RailDetail.JAW_ONLY),
        ("3>FOOT top @0.6", RailDetail.RAIL_TOP_RETURNED),
        ("3>FOOT top @0.6; 3>FL @0.9", RailDetail.RAIL_TOP_THEN_POCKET),
        ("3>FOOT rest @0.6", RailDetail.SAME_RAIL_NEVER_LEFT),
    ],
)
def test_jaws_and_rail_tops_are_told(rail: str, detail: RailDetail | None) -> None:
    assert read(f"CUE>3 @0.4; {rail}").rails[0].detail is detail


# Departures


def test_order_of_falling_is_known_when_the_times_part() -> None:
    assert read("CUE>3 @0.4; 3>FL @1~0.1; 5>FR @1.5~0.1").pocket_order_known
    assert not read("CUE>3 @0.4; 3>FL @1~0.3; 5>FR @1.5~0.3").pocket_order_known


def test_the_liner_of_the_pocket_it_rebounds_from_is_a_rail_for_the_cue_ball() -> None:
    facts = read("CUE>3 @0.4; CUE>FL @1; END CUE=0.9,0.4 @4")
    assert [b.ball for b in facts.rebounded] == [Ball.CUE]
    assert [(rail.ball, rail.moment) for rail in facts.rails] == [(Ball.CUE, Moment.AFTER)]


def test_a_ball_that_rattles_as_it_falls_has_not_come_back() -> None:
    facts = read("CUE>3 @0.4; 3>FL @1; 3>FOOT jaw @1.08")
    assert [b.ball for b in facts.pocketed] == [THREE]
    assert facts.rebounded == ()


def test_a_ball_seen_again_only_by_an_uncertain_event_is_undecided() -> None:
    facts = read("CUE>3 @0.4; 3>FL @1; 3>5 @1.6 %0.5")
    assert [(b.ball, b.mark.truth) for b in facts.pocketed] == [(THREE, Truth.UNDECIDED)]


def test_two_balls_that_meet_in_a_pocket_are_both_down() -> None:
    facts = read("CUE>3 @0.4; 3>FL @1; 5>FL @1.4; 3>5 @1.45")
    assert [(b.ball, b.mark.is_sure) for b in facts.pocketed] == [(THREE, True), (FIVE, True)]


def test_seconds_on_the_lip_come_from_the_log_or_from_the_times() -> None:
    (told,) = read("END @5~0.3; 3>FL late=4.2 @9.5~0.1").lip_drops
    assert (told.seconds, told.tolerance_s) == (4.2, 0.1)
    (timed,) = read("END @5~0.3; 3>FL @9.5~0.4").lip_drops
    assert timed.seconds == pytest.approx(4.5)
    assert timed.tolerance_s == pytest.approx(0.5)
    (unknown,) = read_shot(parse_shots("START @0; 3>FL late @9"), RACK).lip_drops
    assert unknown.tolerance_s > 1e6


def test_a_ball_that_came_back_over_the_rail_is_a_suspicion_only() -> None:
    facts = read("CUE>3 @0.4; 5>OFF @1; 5>FOOT @1.8")
    assert facts.off_table == ()
    assert [(o.ball, o.mark.truth) for o in facts.outside_objects] == [(FIVE, Truth.UNDECIDED)]
    assert [rail.detail for rail in facts.rails] == [None, RailDetail.RAIL_TOP_RETURNED]


def test_an_unnamed_ball_stands_for_one_that_is_missing_and_is_never_sure() -> None:
    text = "CUE>3 @0.4; U1>FL @1; END CUE=0,0 3=0.1,0.1 10=0.5,0.1 @5"
    (fallen,) = read(text).pocketed
    assert (fallen.ball, fallen.pocket, fallen.mark.truth) == (FIVE, Pocket.FL, Truth.UNDECIDED)
    assert fallen.mark.margin == "u1 cannot be named"


def test_a_ball_that_is_not_in_play_decides_nothing() -> None:
    (rail,) = read("CUE>3 @0.4; 9>FOOT @1").rails
    assert (rail.ball, rail.mark.margin) == (NINE, "the 9 is not in play")
    assert not rail.mark.is_sure


# The start, the placement, the three points


def test_placement_is_told_on_the_break_with_its_margin() -> None:
    rack = Rack()
    x = NINE_FOOT.head_string_x_m
    for offset_m, placement in [
        (-0.010, Placement.BEHIND),
        (-0.0089, Placement.UNSURE),
        (0.0, Placement.UNSURE),
        (0.0089, Placement.UNSURE),
        (0.010, Placement.IN_FRONT),
    ]:
        facts = read(f"START CUE={x + offset_m},0 @0", rack)
        assert facts.placement is placement, offset_m
    assert facts.placement_mark.margin == "10.0 mm in front of the head string"
    assert read("START CUE=0,0 @0").placement is None


def test_a_better_camera_decides_nearer_to_the_line() -> None:
    events = parse_shots(f"START CUE={NINE_FOOT.head_string_x_m + 0.004},0 @0; END @9")
    sharp = ReadingSettings(position_sigma_m=0.001)
    assert read_shot(events, Rack(), settings=sharp).placement is Placement.IN_FRONT
    assert read_shot(events, Rack()).placement is Placement.UNSURE


def test_balls_reach_the_head_string_by_position_rail_or_pocket() -> None:
    text = "CUE>1 @0.4; 2>HEAD @1; 3>HL @1.2; 4>FOOT @1; END 5=-0.7,0 6=-0.6,0 @5"
    assert read(text, Rack()).reached_head_string == {Ball.TWO, THREE, FIVE}


def test_resting_balls_are_what_may_block_the_foot_spot() -> None:
    facts = read("CUE>3 @0.4; 10>FL @1; END CUE=0.1,0 3=0.63,0.01 5=-0.5,0 @5")
    assert [b.ball for b in facts.blockers] == [THREE, Ball.CUE, FIVE]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("CUE>3 @0.4; END @4", None),
        ("START cut @?; CUE>3 @0.4; END @4", "the shot began before the clip"),
        ("CUE>3 @0.4; END cut @?", "the clip ends before the balls rest"),
        ('CUE>3 @0.4; END incomplete="camera cut" @4', "camera cut"),
    ],
)
def test_what_a_clip_does_not_show_makes_the_facts_incomplete(
    text: str, reason: str | None
) -> None:
    assert read(text).incomplete == reason


def test_a_log_without_stroke_or_rest_is_incomplete() -> None:
    assert read_shot(parse_shots("CUE>3 @0.4; END @4"), RACK).incomplete is not None
    assert read_shot(parse_shots("START @0; CUE>3 @0.4"), RACK).incomplete is not None


# Racked or not


def rack_places(count: int, turn: int = 1, gap_m: float = 0.0) -> dict[str, tuple[float, float]]:
    d = NINE_FOOT.ball_diameter_m + gap_m
    spots = [
        (0.635 + row * d * math.sqrt(3) / 2, d * (i - row / 2))
        for row in range(4)
        for i in range(row + 1)
    ]
    return {str(n + 1): (turn * x, turn * y) for n, (x, y) in enumerate(spots[:count])}


def test_a_rack_is_known_at_either_end() -> None:
    assert racked_end(rack_places(10)) == 1
    assert racked_end(rack_places(10, turn=-1)) == -1
    assert racked_end(rack_places(10, gap_m=0.002)) == 1


def test_scattered_shifted_and_few_balls_are_no_rack() -> None:
    assert racked_end(rack_places(5)) == 0
    assert racked_end(rack_places(10, gap_m=0.02)) == 0
    assert racked_end({b: (x + 0.1, y) for b, (x, y) in rack_places(10).items()}) == 0
    assert racked_end(rack_places(9) | {"10": (-0.5, 0.2)}) == 0
    assert racked_end(rack_places(10), EIGHT_FOOT) == 0
