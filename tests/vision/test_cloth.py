"""The empty cloth, learned from a table in use."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.vision.photographs import (
    BLACK,
    CLOTH_BLUE,
    RED,
    WHITE,
    YELLOW,
    Ball,
    empty_table,
    photograph,
    usual_cloth,
    usual_top,
)
from vision.cloth import Cloth, learn_cloth

RADIUS_M = 0.028575


@cache
def plain_cloth() -> Cloth:
    """The cloth learned from an empty table."""
    return usual_cloth()


def foreground_balls(cloth: Cloth, balls: list[Ball]) -> float:
    """How many balls' areas of a photograph differ from the cloth by more than the threshold."""
    top = usual_top()
    difference = cloth.difference(top.render(photograph(balls, seed=3)))
    covered = (difference > cloth.threshold) & (cloth.bed > 0)
    return float(covered.sum() / (np.pi * top.ball_radius_px**2))


def worst_at(cloth: Cloth, x_m: float, y_m: float) -> float:
    """The largest difference of the truly empty table from the cloth under a ball's disc."""
    top = usual_top()
    difference = cloth.difference(top.render(empty_table()))
    u, v = top.from_table(np.array([(x_m, y_m)]))[0]
    rows, columns = np.mgrid[: top.height, : top.width]
    disc = np.hypot(columns - u, rows - v) < top.ball_radius_px
    return float(np.percentile(difference[disc], 95))


def test_balls_that_rested_throughout_are_not_cloth() -> None:
    """A ball that lies in all frames is replaced by cloth: it is seen from the first frame."""
    places = [(0.3, 0.1), (-1.0, -0.45), (0.0, 0.0), (0.9, -0.4)]
    lying = [Ball(*p, color) for p, color in zip(places, (RED, WHITE, BLACK, YELLOW), strict=True)]
    cloth = usual_cloth(lying)
    assert all(worst_at(cloth, *place) < cloth.threshold / 2 for place in places)
    for ball in lying:
        assert foreground_balls(cloth, [ball]) == pytest.approx(1.05, abs=0.2)
    assert foreground_balls(cloth, []) < 0.02


def test_a_whole_rack_that_rested_throughout_is_not_cloth() -> None:
    """Ten touching balls in all frames leave no trace in the cloth."""
    step = 2 * RADIUS_M * np.sqrt(3) / 2
    rack = [
        Ball(0.635 + row * step, (k - row / 2) * 2 * RADIUS_M, (RED, YELLOW, BLACK)[(row + k) % 3])
        for row in range(4)
        for k in range(row + 1)
    ]
    cloth = usual_cloth(rack)
    assert foreground_balls(cloth, rack) == pytest.approx(10.0, abs=1.0)
    assert foreground_balls(cloth, []) < 0.02


def test_balls_frozen_to_cushions_throughout_are_not_cloth() -> None:
    """Beside a cushion the cloth's shadow is taken from along the same cushion."""
    frozen = [(0.5, 0.6064), (1.2414, 0.2), (-0.7, -0.6064), (-1.2414, -0.1)]
    cloth = usual_cloth([Ball(*place, RED) for place in frozen])
    for place in frozen:
        assert foreground_balls(cloth, [Ball(*place, RED)]) == pytest.approx(1.0, abs=0.3)
    assert foreground_balls(cloth, []) < 0.1


def test_the_empty_table_differs_nowhere() -> None:
    """Sensor noise, cushion shadows, sights and pockets are no foreground."""
    assert foreground_balls(plain_cloth(), []) == pytest.approx(0.0, abs=0.01)


def test_a_ball_that_came_for_one_frame_leaves_no_trace() -> None:
    """What moved while learning is not part of the cloth."""
    top = usual_top()
    passing = [[], [], [Ball(0.5, 0.0, WHITE)], [], []]
    views = [top.render(photograph(balls, seed=i)) for i, balls in enumerate(passing)]
    assert worst_at(learn_cloth(views, top), 0.5, 0.0) < 8


def test_the_threshold_lies_between_noise_and_a_ball_of_nearly_the_cloths_colour() -> None:
    """faint < threshold, and a resting ball of nearly the cloth's colour still shows."""
    cloth = plain_cloth()
    assert 0 < cloth.faint < cloth.threshold
    assert foreground_balls(cloth, [Ball(0.2, 0.2, CLOTH_BLUE)]) > 0.4


def test_balls_are_looked_for_over_bed_and_rails_but_not_over_the_floor() -> None:
    """bed is set where a ball may be in play, in a pocket or in flight over a rail."""
    cloth, top = plain_cloth(), usual_top()
    points = np.array([(0, 0), (1.27, 0.635), (0.0, 0.74), (0.0, 0.763), (1.398, 0.0)])
    at = np.rint(top.from_table(points)).astype(int)
    assert cloth.bed[at[:, 1], at[:, 0]].tolist() == [255, 255, 255, 0, 0]


def test_the_typical_colour_is_the_cloths() -> None:
    """color_bgr is the cloth's colour, whatever lies on it."""
    cloth = usual_cloth([Ball(0.0, 0.0, WHITE), Ball(0.4, 0.0, RED)])
    middle = np.median(empty_table()[250:450, 400:900].reshape(-1, 3), axis=0)
    assert np.array(cloth.color_bgr) == pytest.approx(middle, rel=0.12, abs=4)


def test_learning_needs_a_view() -> None:
    """No view at all is refused."""
    with pytest.raises(ValueError, match="no view"):
        learn_cloth([], usual_top())
