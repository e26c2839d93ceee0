"""Cuts stand where something can have caused them."""

from __future__ import annotations

import numpy as np
import pytest

from table.geometry import NINE_FOOT, Cushion
from tests.vision.played import Filming, Play, path_of, seen, table_of
from vision.contacts import breaks_of
from vision.cushion_meetings import nose_meetings
from vision.recut import recut

R = NINE_FOOT.ball_radius_m
Y_WALL_M = -0.635 + R


def cushions_after_recut(play: Play, filming: Filming, ball: str) -> list[tuple[Cushion, float]]:
    """The cushions that explain a ball's breaks once its cuts are settled."""
    motions = recut(seen(play, filming), NINE_FOOT)
    found = [m for m in nose_meetings(breaks_of(motions), NINE_FOOT) if m.ball == ball]
    return [(m.cushion, m.t_s) for m in found]


@pytest.mark.parametrize("phase_s", [0.0, 0.008, 0.016, 0.024, 0.032])
@pytest.mark.parametrize("fps", [25.0, 60.0])
def test_two_cushions_close_together_are_two(phase_s: float, fps: float) -> None:
    """A ball into a corner's two rails, 50 ms apart: both are found at every phase."""
    velocity = np.array((1.6, 2.0))
    start = np.array((1.27 - R, 0.50)) - velocity * 0.3
    play = table_of({"1": (float(start[0]), float(start[1]))})
    play.hits(0.4 + phase_s, "1", (float(velocity[0]), float(velocity[1])), 1.5)
    truth = [h for h in play.of("cushion") if h.t_s < 1.0][:2]
    assert len(truth) == 2
    found = cushions_after_recut(play, Filming(fps=fps, until_s=1.2), "1")
    for hit in truth:
        assert any(c == hit.b and abs(t - hit.t_s) < 0.012 for c, t in found), (hit, found)


def test_a_slow_ball_that_turns_at_the_nose_touched_it() -> None:
    """Two centimetres a second, back by two millimetres, then at rest: a touch all the same."""
    t_s = np.arange(60) / 30
    y = Y_WALL_M + np.where(t_s < 1.0, 0.12 * (1.0 - t_s), np.minimum(0.002, 0.04 * (t_s - 1.0)))
    noise = np.random.default_rng(2).normal(0.0, 1.5e-4, (60, 2))
    xy = np.column_stack((-0.4 + 0 * t_s, y)) + noise
    motion = path_of("1", list(t_s), [(float(x), float(v)) for x, v in xy])
    cut = recut({"1": motion}, NINE_FOOT)
    found = nose_meetings(breaks_of(cut), NINE_FOOT)
    assert [m.cushion for m in found] == [Cushion.RIGHT_HEAD]
    assert found[0].t_s == pytest.approx(1.0, abs=0.06)


def test_a_ball_that_stops_short_of_the_nose_did_not_touch_it() -> None:
    """A centimetre before the nose nothing turns it."""
    t_s = np.arange(60) / 30
    way = np.where(t_s < 1.0, 0.12 * (1.0 - t_s) - 0.03 * (1.0 - t_s) ** 2, 0.0)
    noise = np.random.default_rng(2).normal(0.0, 1.5e-4, (60, 2))
    xy = np.column_stack((-0.4 + 0 * t_s, Y_WALL_M + 0.01 + way)) + noise
    motion = path_of("1", list(t_s), [(float(x), float(v)) for x, v in xy])
    assert nose_meetings(breaks_of(recut({"1": motion}, NINE_FOOT)), NINE_FOOT) == []


def test_smooth_motion_gets_no_cut() -> None:
    """A ball that rolls freely keeps its one leg, at rest before and after."""
    play = table_of({"1": (-0.6, 0.1)}).hits(0.9, "1", (0.6, 0.05), 9.0)
    motions = recut(seen(play, Filming(until_s=2.9)), NINE_FOOT)
    moving = [leg for leg in motions["1"].legs if not leg.at_rest]
    assert len(moving) == 1
