"""Bounces that no sighting shows: between two frames, and between a contact and the next frame."""

from __future__ import annotations

import numpy as np
import pytest

from table.geometry import NINE_FOOT, Cushion
from tests.vision.played import Filming, Play, path_of, seen, table_of
from vision.ball_meetings import ball_meetings
from vision.bounces import bounce_from, bounce_to
from vision.contacts import Motion, NoseMeeting, breaks_of
from vision.legs import fit_leg
from vision.rebounds import hidden_rebounds
from vision.recut import recut

R = NINE_FOOT.ball_radius_m
WALL_M = 1.27 - R


def rebounds(play: Play, filming: Filming) -> list[NoseMeeting]:
    """The cushion contacts that follow from ball contacts alone."""
    motions = recut(seen(play, filming), NINE_FOOT)
    breaks = breaks_of(motions)
    balls = [m for m in ball_meetings(breaks, motions, NINE_FOOT) if m.cost < 16]
    return hidden_rebounds(balls, breaks, motions, NINE_FOOT)


def against_the_rail(gap_m: float, speed_mps: float = 2.0) -> Play:
    """The 1 near the foot cushion is struck into it at 45 degrees at t = 0.8."""
    one, line = np.array((WALL_M - gap_m, 0.1)), np.array((1.0, 1.0)) / np.sqrt(2)
    cue = one - (2 * R + 0.2 * speed_mps) * line
    play = table_of({"cue": (float(cue[0]), float(cue[1])), "1": (float(one[0]), float(one[1]))})
    way = speed_mps * line
    return play.hits(0.6, "cue", (float(way[0]), float(way[1])), 1.4)


@pytest.mark.parametrize("gap_m", [0.001, 0.008, 0.02])
def test_a_ball_struck_into_the_cushion_beside_it_touched_it(gap_m: float) -> None:
    """It comes back within the frame of the blow: the touch follows from the blow."""
    play = against_the_rail(gap_m)
    truth = play.of("cushion", "1")[0]
    found = [m for m in rebounds(play, Filming(until_s=1.3)) if m.ball == "1"]
    assert [m.cushion for m in found] == [Cushion.FOOT]
    assert found[0].t_s == pytest.approx(truth.t_s, abs=0.02)
    assert found[0].from_rest == (gap_m < 0.003)


def test_a_ball_struck_away_from_the_cushion_did_not_touch_it() -> None:
    """Along the rail, or away from it, a blow presses nothing into the nose."""
    one = (WALL_M - 0.005, 0.1)
    play = table_of({"cue": (one[0] - 0.002, one[1] - 2 * R - 0.4), "1": one})
    play.hits(0.4, "cue", (0.0, 2.0), 1.2)
    assert [m for m in rebounds(play, Filming(until_s=1.1)) if m.ball == "1"] == []


def test_a_ball_in_mid_table_rebounds_from_nothing() -> None:
    """A blow far from every cushion is no cushion contact."""
    play = table_of({"cue": (-0.5, 0.0), "1": (0.0, 0.0)}).hits(0.4, "cue", (2.0, 0.0), 1.0)
    assert rebounds(play, Filming(until_s=0.9)) == []


def moving(points: list[tuple[float, float, float]]) -> Motion:
    """A ball seen at (t, x, y)."""
    return path_of("1", [p[0] for p in points], [(p[1], p[2]) for p in points])


def test_a_bounce_between_a_point_and_a_leg_is_timed() -> None:
    """From a point 60 mm before the nose to a leg that leads away from it: met in between."""
    meets_s = 0.52
    points = [(0.54 + 0.02 * k, WALL_M - 1.2 * (0.02 + 0.02 * k), 0.1) for k in range(6)]
    leg = fit_leg(moving(points).path, 0, 5)
    place, t_s = np.array((WALL_M - 1.5 * 0.02, 0.1)), 0.50
    bounce = bounce_from(place, t_s, leg, 0.54, NINE_FOOT)
    assert bounce is not None
    assert bounce.shape.cushion is Cushion.FOOT
    assert bounce.t_s == pytest.approx(meets_s, abs=0.002)
    assert bounce.way_mps == pytest.approx((1.5, 0.0), abs=0.15)


def test_a_bounce_between_a_leg_and_a_point_is_timed() -> None:
    """The same the other way round: the leg leads into the nose, one sighting shows the way out."""
    meets_s = 0.41
    points = [(0.3 + 0.02 * k, WALL_M - 2.0 * (meets_s - 0.3 - 0.02 * k), -0.2) for k in range(5)]
    leg = fit_leg(moving(points).path, 0, 4)
    place = np.array((WALL_M - 1.4 * 0.03, -0.2))
    bounce = bounce_to(leg, 0.38, place, meets_s + 0.03, NINE_FOOT)
    assert bounce is not None
    assert bounce.t_s == pytest.approx(meets_s, abs=0.003)
    assert bounce.way_mps == pytest.approx((-1.4, 0.0), abs=0.2)


@pytest.mark.parametrize("out_mps", [-1.5, 3.0])
def test_what_no_nose_makes_is_no_bounce(out_mps: float) -> None:
    """A ball that goes on outward, or comes back faster than it came, did not bounce."""
    points = [(0.54 + 0.02 * k, WALL_M - out_mps * (0.02 + 0.02 * k), 0.1) for k in range(6)]
    leg = fit_leg(moving(points).path, 0, 5)
    place = np.array((WALL_M - 1.0 * 0.02, 0.1))
    assert bounce_from(place, 0.50, leg, 0.54, NINE_FOOT) is None
