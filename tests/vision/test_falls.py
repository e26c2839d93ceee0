"""A ball that lies in a pocket since the view began is told from one on the brink."""

from __future__ import annotations

import pytest

from table.geometry import NINE_FOOT, Point
from vision.falls import lies_in_pocket


@pytest.mark.parametrize(
    ("place", "lies"),
    [
        ((1.257, 0.66), True),
        ((-1.278, 0.629), True),
        ((0.006, -0.65), True),
        ((0.0, 0.637), False),
        ((1.235, 0.605), False),
        ((1.25, 0.62), False),
        ((0.0, 0.58), False),
        ((1.241, 0.1), False),
    ],
)
def test_deeper_than_the_edge_of_the_drop_no_ball_hangs(place: Point, lies: bool) -> None:
    assert lies_in_pocket([place] * 5, NINE_FOOT) == lies


def test_a_ball_that_was_on_the_bed_in_this_view_fell_in_it() -> None:
    rolled_in = [(1.1, 0.5), (1.2, 0.6), *[(1.257, 0.66)] * 9]
    assert not lies_in_pocket(rolled_in, NINE_FOOT)


def test_a_ball_that_hung_at_first_fell_in_this_view() -> None:
    late = [(1.235, 0.605)] * 9 + [(1.257, 0.66)] * 90
    assert not lies_in_pocket(late, NINE_FOOT)
