"""Did a ball brush the jaw on its way into the pocket?"""

from __future__ import annotations

import numpy as np
import pytest

from table.geometry import NINE_FOOT, Cushion, Pocket
from tests.vision.played import path_of
from vision.contacts import Motion
from vision.departures import Departure
from vision.jaw_touches import jaw_touches


def toward(pocket: Pocket, off_m: float) -> tuple[dict[str, Motion], dict[str, Departure]]:
    """The 1 rolls along a pocket's axis, `off_m` beside it, and falls at t = 1."""
    shape = NINE_FOOT.pockets[pocket]
    outward = np.array(shape.outward)
    across = np.array((-outward[1], outward[0]))
    t_s = np.arange(0.5, 0.99, 0.02)
    fall = np.array(shape.drop_point) + off_m * across
    rows = [fall - outward * 1.5 * (1.0 - t) for t in t_s]
    motion = path_of("1", list(t_s), [(float(x), float(y)) for x, y in rows])
    return {"1": motion}, {"1": Departure("1", "pocketed", pocket, 1.0, 0.02, 0.99)}


@pytest.mark.parametrize("pocket", list(Pocket))
def test_a_ball_through_the_middle_touches_no_jaw(pocket: Pocket) -> None:
    """Clear by centimetres on either side: nothing is told."""
    assert jaw_touches(*toward(pocket, 0.0), NINE_FOOT) == []


@pytest.mark.parametrize("pocket", [Pocket.FL, Pocket.HR, Pocket.SL])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_ball_that_brushes_a_jaw_touched_it(pocket: Pocket, side: int) -> None:
    """A way in that leads a centimetre into the rounded end touched it surely."""
    half = NINE_FOOT.pockets[pocket].mouth_m / 2 - NINE_FOOT.ball_radius_m
    (touch,) = jaw_touches(*toward(pocket, side * (half + 0.006)), NINE_FOOT)
    assert touch.probability > 0.9
    assert touch.t_s <= 1.0


def test_the_jaw_belongs_to_the_nose_on_that_side() -> None:
    """Off the axis toward the foot rail it is the foot cushion's jaw."""
    half = NINE_FOOT.pockets[Pocket.FL].mouth_m / 2 - NINE_FOOT.ball_radius_m
    sides = set()
    for side in (-1, 1):
        (touch,) = jaw_touches(*toward(Pocket.FL, side * (half + 0.006)), NINE_FOOT)
        sides.add(touch.cushion)
    assert sides == {Cushion.FOOT, Cushion.LEFT_FOOT}


def test_a_close_pass_is_neither_yes_nor_no() -> None:
    """A way in that just clears the jaw, as far as its rounding is known, is told as doubtful."""
    half = NINE_FOOT.pockets[Pocket.FL].mouth_m / 2 - NINE_FOOT.ball_radius_m
    shares = []
    for off_m in np.arange(half - 0.02, half, 0.001):
        found = jaw_touches(*toward(Pocket.FL, float(off_m)), NINE_FOOT)
        shares += [touch.probability for touch in found]
    assert any(0.2 < share < 0.8 for share in shares)
