"""The mask of people over the table: what reaches in, what is large, what a hand holds."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.painted_tables import straight_above
from vision.finds import Finds, Kind
from vision.frames import Image
from vision.occlusion import covered, people_mask

TOP = straight_above()
OUTER = (TOP.distance_into_table_m() < -0.004).astype(np.uint8)


def pixel(x_m: float, y_m: float) -> tuple[int, int]:
    """A place in whole pixels of the top view."""
    u, v = TOP.from_table(np.array([(x_m, y_m)]))[0]
    return round(float(u)), round(float(v))


def table_with(*, arm: bool = False, balls: tuple[tuple[float, float], ...] = ()) -> Image:
    """A mask with balls and perhaps an arm that comes in from the left rail to (0.2, 0.2)."""
    mask = np.zeros((TOP.height, TOP.width), np.uint8)
    for place in balls:
        cv2.circle(mask, pixel(*place), round(TOP.ball_radius_px), 255, -1)
    if arm:
        cv2.line(mask, pixel(0.2, 0.2), (pixel(0.2, 0.2)[0], 0), 255, 50)
    return mask


def test_balls_are_nobody() -> None:
    """Single balls, balls at the noses and a whole rack are not people."""
    rack = tuple((0.6 + 0.0495 * i, (j - i / 2) * 0.0572) for i in range(4) for j in range(i + 1))
    alone = ((-0.5, 0.1), (-0.2, 0.606), (1.2, -0.2))
    assert not people_mask(table_with(balls=rack + alone), OUTER, TOP).any()


def test_an_arm_is_somebody_and_the_ball_beside_it_is_not() -> None:
    """What comes in over the edge is masked, a ball apart from it is not."""
    mask = people_mask(table_with(arm=True, balls=((0.5, 0.2),)), OUTER, TOP)
    assert covered(mask, *pixel(0.2, 0.4))
    assert not covered(mask, *pixel(0.5, 0.2))


def test_a_hand_that_the_network_sees_is_somebody() -> None:
    """A hand whose arm is not seen to reach in (sleeve of the cloth's colour)."""
    hand = table_with(balls=((0.2, 0.2), (0.23, 0.22)))
    assert not people_mask(hand, OUTER, TOP).any()
    u, v = pixel(0.215, 0.21)
    box = np.array([(u - 40.0, v - 40.0, u + 40.0, v + 40.0)])
    finds = Finds(np.array([int(Kind.HAND)]), box, np.array([0.8]))
    assert covered(people_mask(hand, OUTER, TOP, finds), *pixel(0.2, 0.2))


def test_places_outside_the_view_are_answered() -> None:
    """The nearest pixel of the mask speaks for what lies outside."""
    mask = np.zeros((10, 20), np.uint8)
    mask[0, 0] = 255
    assert covered(mask, -5.0, -5.0)
    assert not covered(mask, 50.0, 50.0)
