"""A ball on a pocket's brink, a fallen one, and the empty hole."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from table.geometry import NINE_FOOT, Pocket
from tests.vision.painted_tables import straight_above, table_view
from vision.brink import hangs, mouth_of
from vision.frames import Image

TOP = straight_above()
POCKET = NINE_FOOT.pockets[Pocket.FR]
PLACE = (NINE_FOOT.length_m / 2 - 0.016, -NINE_FOOT.width_m / 2 + 0.016)
CENTER = TOP.from_table(np.array([PLACE]))[0]


def view_with(*, ball: bool, hole_over: bool) -> Image:
    """A dark hole at the corner; a ball before it, over it or (`hole_over`) half below the bed."""
    view = table_view(TOP, [("1", *PLACE)] if ball and not hole_over else [])
    hole = TOP.from_table(np.array([(PLACE[0] + 0.045, PLACE[1] - 0.045)]))[0]
    u, v = (round(float(x)) for x in hole)
    if not ball or hole_over:
        cv2.circle(view, (u, v), 60 if not ball else 38, (12, 12, 12), -1)
    else:
        cv2.circle(view, (u, v), 19, (12, 12, 12), -1)
    return view


def test_the_mouth_is_before_the_drop() -> None:
    """On the brink it is that pocket's mouth; behind the drop and on the bed it is none."""
    assert mouth_of(np.array(PLACE), NINE_FOOT) is POCKET
    behind = np.array((NINE_FOOT.length_m / 2, -NINE_FOOT.width_m / 2))
    assert mouth_of(behind, NINE_FOOT) is None
    assert mouth_of(np.zeros(2), NINE_FOOT) is None


@pytest.mark.parametrize(
    ("ball", "hole_over", "expected"),
    [(True, False, True), (True, True, False), (False, False, False)],
    ids=["whole disc", "cloth before it", "the hole alone"],
)
def test_a_hanging_ball_is_whole(ball: bool, hole_over: bool, expected: bool) -> None:
    """Only a disc that is seen whole over the bed, and is not the hole, hangs."""
    assert hangs(view_with(ball=ball, hole_over=hole_over), CENTER, POCKET, TOP) is expected


def test_a_dark_ball_in_a_dark_hole_does_not_hang() -> None:
    """A fallen ball far down is darker than anything in the lamps' light."""
    view = view_with(ball=True, hole_over=False)
    rows, columns = np.mgrid[0 : TOP.height, 0 : TOP.width]
    own = (columns - CENTER[0]) ** 2 + (rows - CENTER[1]) ** 2 < 17**2
    view[own] = view[own] // 6
    assert not hangs(view, CENTER, POCKET, TOP)
