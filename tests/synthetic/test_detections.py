"""Simulated detections: repeatable, near the truth, with all the faults that cameras have."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pooltool", reason="the truth generator's extra is not installed")

from synthetic.detections import SimulatedShot, simulated_shot, simulated_shots
from synthetic.occlusion import hidden_share
from table.geometry import NINE_FOOT
from table.log import write_log


@pytest.fixture(scope="module")
def shots() -> list[SimulatedShot]:
    return list(simulated_shots(12, 41))


def test_the_same_seed_gives_the_same_shots(shots: list[SimulatedShot]) -> None:
    again = simulated_shot(41, 3)
    assert write_log(again.log) == write_log(shots[3].log)
    for one, two in zip(again.detections, shots[3].detections, strict=True):
        assert np.array_equal(one.centers_m, two.centers_m)
    assert again.readings == shots[3].readings


def test_columns_fit_each_other(shots: list[SimulatedShot]) -> None:
    for shot in shots:
        frames = len(shot.times_s)
        assert frames == len(shot.states) == len(shot.detections) == len(shot.covers)
        assert frames == shot.log.source.frames
        for seen, names in zip(shot.detections, shot.readings, strict=True):
            assert len(seen) == len(names)


def nearest_errors(shot: SimulatedShot, still: bool) -> list[float]:
    errors = []
    for state, seen in zip(shot.states, shot.detections, strict=True):
        for ball in state.balls.values():
            if not ball.seen or len(seen) == 0 or (ball.speed_mps < 0.01) != still:
                continue
            away = np.hypot(*(seen.centers_m - np.array(ball.position)).T)
            errors.append(float(away.min()))
    return errors


def test_resting_balls_are_seen_within_a_millimetre_or_two(shots: list[SimulatedShot]) -> None:
    errors = np.array([e for shot in shots for e in nearest_errors(shot, still=True)])
    assert 0.0002 < np.median(errors) < 0.0025
    assert np.mean(errors < 0.01) > 0.98


def test_moving_balls_are_seen_worse_and_less_often(shots: list[SimulatedShot]) -> None:
    still = np.array([e for shot in shots for e in nearest_errors(shot, still=True)])
    moving = np.array([e for shot in shots for e in nearest_errors(shot, still=False)])
    assert np.median(moving) > np.median(still)
    assert 0.80 < np.mean(moving < 0.03) < 0.999


def test_names_are_mostly_right(shots: list[SimulatedShot]) -> None:
    right = total = 0
    for shot in shots:
        for state, seen, names in zip(shot.states, shot.detections, shot.readings, strict=True):
            for ball in state.balls.values():
                if ball.speed_mps > 0.01 or not ball.seen or not len(seen):
                    continue
                away = np.hypot(*(seen.centers_m - np.array(ball.position)).T)
                if away.min() < 0.01:
                    total += 1
                    right += names[int(away.argmin())] == ball.name
    assert 0.9 < right / total < 1.0


def test_a_ball_covers_the_cloth_where_it_lies(shots: list[SimulatedShot]) -> None:
    shot = shots[0]
    ball = next(iter(shot.states[0].balls.values()))
    assert shot.covered(0, ball.x_m, ball.y_m) > 0.9
    places = np.random.default_rng(0).uniform((-1.2, -0.6), (1.2, 0.6), (200, 2))
    far = [
        p
        for p in places
        if not len(shot.covers[0]) or np.hypot(*(shot.covers[0][:, :2] - p).T).min() > 0.3
    ]
    assert far and all(shot.covered(0, float(x), float(y)) == 0.0 for x, y in far)


def test_every_stroke_has_its_expected_ruling(shots: list[SimulatedShot]) -> None:
    for shot in shots:
        assert shot.expected and all("fouls" in row for row in shot.expected)


def test_a_strip_over_the_middle_hides_its_share() -> None:
    """Half the width: 2/pi (asin 1/2 + 1/2 sqrt 3/4) = 0.609 of the disc."""
    radius = NINE_FOOT.ball_radius_m
    strip = np.array([[0.0, -1.0, 0.0, 1.0, radius / 2]])
    shares = hidden_share(np.array([[0.0, 0.0], [0.5, 0.0]]), strip, radius)
    assert shares == pytest.approx([0.609, 0.0], abs=1e-3)
