"""A rack names its apex and its middle ball."""

from __future__ import annotations

import numpy as np
import pytest

from table.geometry import NINE_FOOT, Point
from tests.vision.painted_balls import PAINT, looks_of
from vision.ballset import STANDARD
from vision.identity import assign_names
from vision.rack_order import rack_priors

STEP = 2.0 * NINE_FOOT.ball_radius_m
ROW = STEP * 3**0.5 / 2


def _rack(rows: list[int], end: int = 1) -> list[Point]:
    spot = NINE_FOOT.foot_spot[0]
    return [
        (end * (spot + ROW * line), STEP * (place - (count - 1) / 2))
        for line, count in enumerate(rows)
        for place in range(count)
    ]


TRIANGLE = [1, 2, 3, 4]
DIAMOND = [1, 2, 3, 2, 1]


@pytest.mark.parametrize("end", [1, -1])
@pytest.mark.parametrize(("rows", "middle", "money"), [(TRIANGLE, 4, "10"), (DIAMOND, 4, "9")])
def test_apex_and_middle_are_known(rows: list[int], middle: int, money: str, end: int) -> None:
    rng = np.random.default_rng(3)
    rack = [(x + rng.normal(0, 0.001), y + rng.normal(0, 0.001)) for x, y in _rack(rows, end)]
    priors = rack_priors([(-end * 0.8, 0.2), *rack], NINE_FOOT)
    told = {index - 1: dict(prior) for index, prior in enumerate(priors) if prior}
    assert set(told) == {0, middle}
    assert "1" in told[0]
    assert money in told[middle]


@pytest.mark.parametrize(
    "balls",
    [
        [],
        [(0.1, 0.2)],
        [(x + 0.3, y) for x, y in _rack(TRIANGLE)],
        _rack(TRIANGLE)[:8],
        _rack([1, 2, 3, 4, 5]),
        [(0.635 + STEP * i, 0.0) for i in range(10)],
    ],
    ids=["none", "one", "elsewhere", "eight", "fifteen", "line"],
)
def test_anything_else_says_nothing(balls: list[Point]) -> None:
    assert rack_priors(balls, NINE_FOOT) == [None] * len(balls)


def test_the_hint_settles_a_stripe_whose_white_is_not_seen() -> None:
    """The 10 seen where its band covers nearly all of it looks like the 2."""
    order = ["1", "4", "7", "3", "10", "6", "8", "2", "5", "9"]
    blurred = {**PAINT, "cue": (90, 110, 190)}
    looks = looks_of(order, blurred, seed=6)
    plain = assign_names(looks, STANDARD).balls[4].probabilities["10"]
    priors = rack_priors(_rack(TRIANGLE), NINE_FOOT)
    helped = assign_names(looks, STANDARD, priors=priors).balls[4].probabilities["10"]
    assert helped > plain
