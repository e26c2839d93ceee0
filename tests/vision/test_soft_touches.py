"""A ball that creeps up to a rail may have touched it; one that passes or lies there has not."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
import pytest

from table.balls import BallName
from table.geometry import NINE_FOOT, Cushion, Point
from vision.contacts import Motion, NoseMeeting
from vision.legs import legs_of
from vision.paths import Path
from vision.soft_touches import SoftTouch, soft_touches

RAIL_Y_M = -0.5 * NINE_FOOT.width_m + NINE_FOOT.ball_radius_m
"""Where the centre of a ball is that touches the right-hand rails."""


def rolled(*places: Point) -> Mapping[BallName, Motion]:
    """A ball that is seen at each place for a second on its straight ways between them."""
    ways = [np.linspace(a, b, 25) for a, b in itertools.pairwise(places)]
    xy_m = np.concatenate([*ways, np.tile(places[-1], (25, 1))])
    path = Path(
        0.04 * np.arange(len(xy_m), dtype=np.float64),
        xy_m,
        np.full(len(xy_m), 5e-4),
        np.arange(len(xy_m)),
    )
    return {"1": Motion("1", path, legs_of(path))}


def touches(motions: Mapping[BallName, Motion], *known: NoseMeeting) -> list[SoftTouch]:
    return list(soft_touches(motions, known, {}, NINE_FOOT, 0.0, 10.0))


@pytest.mark.parametrize(
    ("gap_m", "least", "most"), [(0.0, 0.4, 0.6), (0.002, 0.15, 0.35), (-0.003, 0.75, 0.95)]
)
def test_how_near_it_came_is_the_probability(gap_m: float, least: float, most: float) -> None:
    (one,) = touches(rolled((0.6, RAIL_Y_M + 0.2), (0.6, RAIL_Y_M + gap_m)))
    assert (one.ball, one.cushion) == ("1", Cushion.RIGHT_FOOT)
    assert least < one.probability < most
    assert one.t_s == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("gap_m", [0.008, 0.03])
def test_a_ball_that_stops_short_of_the_rail_has_not_touched_it(gap_m: float) -> None:
    assert touches(rolled((0.6, RAIL_Y_M + 0.2), (0.6, RAIL_Y_M + gap_m))) == []


def test_a_ball_that_lay_at_the_rail_did_not_roll_up_to_it() -> None:
    assert touches(rolled((0.6, RAIL_Y_M + 0.001), (0.6, RAIL_Y_M + 0.3))) == []


def test_a_contact_that_is_known_is_not_told_again() -> None:
    motions = rolled((0.6, RAIL_Y_M + 0.2), (0.6, RAIL_Y_M), (0.6, RAIL_Y_M + 0.1))
    assert len(touches(motions)) == 1
    known = NoseMeeting("1", Cushion.RIGHT_FOOT, False, 0.98, 0.01, 0.1, ())
    assert touches(motions, known) == []
    other = NoseMeeting("1", Cushion.HEAD, False, 0.98, 0.01, 0.1, ())
    assert len(touches(motions, other)) == 1


def test_a_ball_that_goes_over_the_rail_or_comes_fast_is_seen_to() -> None:
    assert touches(rolled((0.6, RAIL_Y_M + 0.2), (0.6, RAIL_Y_M - 0.1))) == []
    assert touches(rolled((0.6, RAIL_Y_M + 0.9), (0.6, RAIL_Y_M))) == []


def test_before_a_pocket_there_is_no_rail_to_touch() -> None:
    """On its way into a corner a ball passes the end of the nose."""
    corner_x_m = 0.5 * NINE_FOOT.length_m - 0.02
    assert touches(rolled((corner_x_m, RAIL_Y_M + 0.2), (corner_x_m, RAIL_Y_M))) == []
