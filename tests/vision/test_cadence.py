"""Cadence: frames that advance by half a step are found, and their times mapped back."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cadence import Cadence, find_cadence

STEP = 0.04


def filmed(
    half: list[int],
    balls: int = 2,
    speed_mps: float = 1.5,
    late: int = 0,
) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]], np.ndarray]:
    """Presentation times, tracks and true times when steps `half` advance by half only."""
    presented = 0.04 + STEP * np.arange(40)
    steps = np.full(39, STEP)
    steps[half] *= 0.5
    true = np.concatenate(([presented[0]], presented[0] + np.cumsum(steps)))
    rng = np.random.default_rng(0)
    tracks = []
    for ball in range(balls):
        angle = 0.4 + ball
        way = speed_mps * true - 0.075 * true**2
        xy = np.column_stack((way * np.cos(angle), way * np.sin(angle)))
        tracks.append((presented[late:], (xy + rng.normal(0, 3e-4, xy.shape))[late:]))
    return presented, tracks, true


@pytest.mark.parametrize("half", [[10], [5, 17, 29], [8, 12, 16, 20, 24, 28]])
def test_half_steps_are_found(half: list[int]) -> None:
    """A frame that advances every ball by half a step was taken half a step later."""
    presented, tracks, true = filmed(half)
    cadence = find_cadence(presented.tolist(), tracks)
    assert cadence.effective_s == pytest.approx(true, abs=0.004 * len(half) ** 0.5)


def test_one_ball_alone_shows_a_half_step() -> None:
    """A single ball that halves its speed for one frame and goes on was filmed so."""
    presented, tracks, true = filmed([12], balls=1)
    cadence = find_cadence(presented.tolist(), tracks)
    assert cadence.effective_s == pytest.approx(true, abs=0.004)


def test_even_frames_are_left_alone() -> None:
    """Without half steps effective time is presentation time."""
    presented, tracks, _ = filmed([])
    cadence = find_cadence(presented.tolist(), tracks)
    assert cadence.effective_s == pytest.approx(presented)


def test_a_variable_rate_is_no_odd_cadence() -> None:
    """Uneven timestamps with motion to match are the truth already."""
    presented = np.cumsum(np.where(np.arange(40) % 3, 0.04, 0.02))
    xy = np.column_stack((1.5 * presented, 0.2 * presented))
    cadence = find_cadence(presented.tolist(), [(presented, xy)])
    assert cadence.effective_s == pytest.approx(presented)


def test_slow_balls_say_nothing() -> None:
    """Steps of a few millimetres drown in noise: nothing is changed."""
    presented, tracks, _ = filmed([10], speed_mps=0.08)
    cadence = find_cadence(presented.tolist(), tracks)
    assert cadence.effective_s == pytest.approx(presented)


def test_a_collision_is_no_half_step() -> None:
    """A ball that loses half its speed for good was hit, not filmed oddly."""
    presented = 0.04 * np.arange(40)
    way = np.where(presented < 0.8, 1.5 * presented, 1.2 + 0.7 * (presented - 0.8))
    cadence = find_cadence(presented.tolist(), [(presented, np.column_stack((way, 0 * way)))])
    assert cadence.effective_s == pytest.approx(presented)


def test_balls_that_disagree_say_nothing() -> None:
    """When one ball halves its step and another does not, the frame was even."""
    presented, (odd, _), _ = filmed([15])
    _, (_, even), _ = filmed([])
    cadence = find_cadence(presented.tolist(), [odd, even])
    assert cadence.effective_s == pytest.approx(presented)


def test_effective_times_map_back_to_presentation_times() -> None:
    """presented() undoes effective() at frames and between them."""
    presented, tracks, _ = filmed([5, 17, 29])
    cadence = find_cadence(presented.tolist(), tracks)
    asked = np.linspace(presented[0], presented[-1], 57)
    back = [cadence.presented(float(t)) for t in cadence.effective(asked)]
    assert back == pytest.approx(asked, abs=1e-9)


def test_times_beyond_the_clip_keep_their_distance() -> None:
    """A time before the first or after the last frame keeps its distance from it."""
    cadence = Cadence(np.array([0.0, 0.04, 0.08]), np.array([0.0, 0.02, 0.06]))
    assert cadence.presented(-0.03) == pytest.approx(-0.03)
    assert cadence.presented(0.10) == pytest.approx(0.12)


def test_sightings_older_than_the_frames_keep_their_order() -> None:
    """A hidden ball's last sightings are kept longer than the frames."""
    cadence = Cadence(np.array([1.0, 1.04, 1.08]), np.array([1.0, 1.02, 1.06]))
    older = np.array([0.88, 0.92, 0.96, 1.04, 1.12])
    assert cadence.effective(older) == pytest.approx([0.88, 0.92, 0.96, 1.02, 1.10])
    for t_s, effective_s in zip(older, cadence.effective(older), strict=True):
        assert cadence.presented(effective_s) == pytest.approx(t_s)


def test_a_track_that_begins_late_finds_its_own_steps() -> None:
    """Steps are told by presentation time, not by a track's own count."""
    presented, tracks, true = filmed([30], late=20)
    cadence = find_cadence(presented.tolist(), tracks)
    assert cadence.effective_s == pytest.approx(true, abs=0.004)
