"""1.4: where the ten is spotted, to the tenth of a millimetre."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.facts import Blocker, ShotFacts
from rules.ruling import SpotPosition
from rules.spotting import CUE_BALL_GAP_M, spot, spot_after
from table.balls import Ball
from table.geometry import NINE_FOOT, SEVEN_FOOT, Point

X, Y = NINE_FOOT.foot_spot
D = NINE_FOOT.ball_diameter_m
R = NINE_FOOT.ball_radius_m
END = NINE_FOOT.length_m / 2
row_of_balls = {Ball(n): (X + (n - 1) * 1.4 * D, 0.0) for n in range(1, 10)}


def test_a_free_foot_spot_takes_the_ten() -> None:
    found = spot(NINE_FOOT, {Ball.THREE: (0.0, 0.0), Ball.CUE: (X, 2 * D)})
    assert found.point == (X, Y)
    assert found.position is SpotPosition.FOOT_SPOT
    assert found.against is None


def test_a_ball_that_just_touches_the_place_of_the_ten_leaves_it_free() -> None:
    assert spot(NINE_FOOT, {Ball.THREE: (X, D)}).position is SpotPosition.FOOT_SPOT
    assert spot(NINE_FOOT, {Ball.THREE: (X - D, 0.0)}).point == (X, 0.0)


def test_the_cue_ball_that_just_touches_the_place_does_not() -> None:
    found = spot(NINE_FOOT, {Ball.CUE: (X - D, 0.0)})
    assert found.position is SpotPosition.BEHIND_BLOCKER_WITH_GAP
    assert found.point[0] == pytest.approx(X + CUE_BALL_GAP_M, abs=1e-9)


def test_an_object_ball_on_the_spot_is_touched_from_behind() -> None:
    found = spot(NINE_FOOT, {Ball.THREE: (X, 0.0)})
    assert found.point == pytest.approx((X + D, 0.0))
    assert found.position is SpotPosition.BEHIND_BLOCKER_TOUCHING
    assert found.against is Ball.THREE


def test_an_object_ball_beside_the_string_is_touched_too() -> None:
    found = spot(NINE_FOOT, {Ball.THREE: (X + 0.01, 0.02)})
    assert math.dist(found.point, (X + 0.01, 0.02)) == pytest.approx(D)
    assert found.point[1] == 0.0


def test_a_gap_between_two_balls_that_is_too_narrow_is_passed_over() -> None:
    balls = {Ball.THREE: (X, 0.0), Ball.FOUR: (X + 1.9 * D, 0.0)}
    assert spot(NINE_FOOT, balls).point[0] == pytest.approx(X + 2.9 * D)
    assert spot(NINE_FOOT, balls).against is Ball.FOUR


def test_a_gap_that_is_just_wide_enough_is_used() -> None:
    balls = {Ball.THREE: (X, 0.0), Ball.FOUR: (X + 2 * D, 0.0)}
    assert spot(NINE_FOOT, balls).point[0] == pytest.approx(X + D)


def test_the_cue_ball_needs_its_gap_in_a_narrow_place() -> None:
    balls = {Ball.THREE: (X, 0.0), Ball.CUE: (X + 2 * D, 0.0)}
    found = spot(NINE_FOOT, balls)
    assert found.point[0] == pytest.approx(X + 3 * D + CUE_BALL_GAP_M)
    assert found.position is SpotPosition.BEHIND_BLOCKER_WITH_GAP


def test_everything_blocked_to_the_rail_puts_it_in_front_touching() -> None:
    found = spot(NINE_FOOT, row_of_balls)
    assert found.position is SpotPosition.IN_FRONT_OF_FOOT_SPOT
    assert found.point == pytest.approx((X - D, 0.0))
    assert found.against is Ball.ONE


def test_in_front_the_nearest_place_is_taken_although_farther_ones_are_free() -> None:
    far = row_of_balls | {Ball.CUE: (X - 5 * D, 0.0)}
    assert spot(NINE_FOOT, far).point == pytest.approx((X - D, 0.0))


def test_in_front_of_the_cue_ball_the_gap_is_kept() -> None:
    balls: dict[Ball, Point] = {**row_of_balls, Ball.CUE: (X, 0.0)}
    del balls[Ball.ONE]
    assert spot(NINE_FOOT, balls).point[0] == pytest.approx(X - D - CUE_BALL_GAP_M)


def test_in_front_a_second_blocker_pushes_it_on() -> None:
    balls: dict[Ball, Point] = {**row_of_balls, Ball.CUE: (X - 1.5 * D, 0.0)}
    found = spot(NINE_FOOT, balls)
    assert found.point[0] == pytest.approx(X - 2.5 * D - CUE_BALL_GAP_M)
    assert found.against is Ball.CUE


def test_it_may_touch_the_foot_rail_but_not_lie_on_it() -> None:
    last = END - R
    touching = {Ball(n): (last - D - (n - 1) * 1.2 * D, 0.0) for n in range(1, 10)}
    found = spot(NINE_FOOT, touching)
    assert found.point[0] == pytest.approx(last)
    assert found.position is SpotPosition.BEHIND_BLOCKER_TOUCHING
    beyond = {Ball(n): (last - 0.99 * D - (n - 1) * 1.2 * D, 0.0) for n in range(1, 10)}
    assert spot(NINE_FOOT, beyond).position is SpotPosition.IN_FRONT_OF_FOOT_SPOT


def test_every_table_has_its_own_foot_spot() -> None:
    assert spot(SEVEN_FOOT, {}).point == SEVEN_FOOT.foot_spot


places = st.tuples(st.floats(0.3, END - R), st.floats(-0.08, 0.08))


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(list(Ball)), places, max_size=10))
def test_the_ten_never_overlaps_a_ball_and_no_nearer_place_was_free(
    balls: dict[Ball, Point],
) -> None:
    found = spot(NINE_FOOT, balls)

    def free(x_m: float) -> bool:
        return all(
            math.dist((x_m, 0.0), at) >= D + (CUE_BALL_GAP_M if ball is Ball.CUE else 0) - 1e-6
            for ball, at in balls.items()
        )

    assert free(found.point[0])
    assert found.point[0] <= END - R + 1e-6
    steps = [X + 0.0005 * n for n in range(int((END - R - X) / 0.0005) + 1)]
    nearer = [x for x in steps if x < found.point[0] - 1e-6] if found.point[0] >= X else steps
    assert not any(free(x - 1e-6) and free(x + 1e-6) and free(x) for x in nearer[:-1] or [])


def test_words_and_points_of_a_report() -> None:
    assert spot_after(ShotFacts()) == (SpotPosition.FOOT_SPOT, (X, Y))
    blocked = ShotFacts(all_below_foot_spot_blocked=True)
    assert spot_after(blocked) == (SpotPosition.IN_FRONT_OF_FOOT_SPOT, None)
    seen = ShotFacts(blockers=(Blocker(Ball.SEVEN, (X, 0.0)),))
    assert spot_after(seen)[1] == pytest.approx((X + D, 0.0))
    told = ShotFacts(blockers=(Blocker(Ball.CUE), Blocker(Ball.SEVEN, "behind the cue ball")))
    assert spot_after(told) == (SpotPosition.BEHIND_BLOCKER_TOUCHING, None)
