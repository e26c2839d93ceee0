"""The localizer: what is not cloth and ball-sized, to sub-pixel, in exact photographs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.vision.photographs import (
    BLACK,
    CLOTH_BLUE,
    COLORS,
    ORANGE,
    RED,
    WHITE,
    YELLOW,
    Ball,
    Thing,
    bar,
    errors_mm,
    hand,
    look_at,
    photograph,
    usual_localizer,
)
from vision.detections import Detections

D = 0.05715
BEGINS = 0.7
"""The quality from which the tracker begins a track."""


def beginners(seen: Detections) -> np.ndarray:
    """Centres of the detections that would begin a track."""
    return seen.centers_m[(seen.quality >= BEGINS) & seen.alone]


def rack(apex_x_m: float = 0.635, gap_m: float = 0.0) -> list[Ball]:
    """Ten balls in a triangle, apex on the foot spot."""
    step = D + gap_m
    places = [
        (apex_x_m + row * step * math.sqrt(3) / 2, (k - row / 2) * step)
        for row in range(4)
        for k in range(row + 1)
    ]
    return [Ball(x, y, COLORS[i % len(COLORS)]) for i, (x, y) in enumerate(places)]


def test_an_empty_table_shows_nothing() -> None:
    """No ball: no detection, pockets and sights included."""
    assert len(look_at([]).detections) == 0


@pytest.mark.parametrize("color", [RED, YELLOW, BLACK, ORANGE, WHITE])
@pytest.mark.parametrize("place", [(0.0, 0.0), (0.5, 0.3), (-0.62, -0.2), (0.237, -0.411)])
def test_a_resting_balls_centre_is_found_to_a_third_of_a_millimetre(
    color: tuple[int, int, int], place: tuple[float, float]
) -> None:
    """A single ball gives one still detection within 0.3 mm (a bright lit ball: 0.4 mm)."""
    ball = Ball(*place, color)
    seen = look_at([ball]).detections
    assert len(seen) == 1
    assert errors_mm(seen, [ball])[0] < (0.4 if color == WHITE else 0.3)
    assert np.all(seen.streaks_m == 0)
    assert seen.quality[0] > 0.9
    assert seen.alone[0]
    assert seen.sigma_m[0] < 0.0006


def test_the_error_stays_small_at_the_ends_of_the_table() -> None:
    """Far from the camera's axis a centre is found within 0.4 mm (a bright lit ball: 0.7 mm)."""
    balls = [
        Ball(-1.2, 0.5, RED),
        Ball(1.2, -0.5, YELLOW),
        Ball(1.15, 0.45, BLACK),
        Ball(-1.1, -0.5, WHITE),
    ]
    seen = look_at(balls).detections
    assert len(seen) == 4
    assert errors_mm(seen, balls)[:3].max() < 0.4
    assert errors_mm(seen, balls)[3] < 0.7


@pytest.mark.parametrize("place", [(0.5, 0.6064), (1.2414, 0.2), (-0.7, -0.6064), (-1.2414, -0.1)])
def test_a_ball_frozen_to_a_cushion_is_found(place: tuple[float, float]) -> None:
    """Against a nose, with the cushion's shadow around it, the centre is found within 1 mm."""
    ball = Ball(*place, YELLOW)
    seen = look_at([ball]).detections
    assert len(seen) == 1
    assert errors_mm(seen, [ball])[0] < 1.0
    assert seen.alone[0]


def test_noise_in_the_picture_moves_a_resting_ball_by_a_tenth_of_a_millimetre() -> None:
    """The jitter of a resting ball over ten noisy pictures is at most 0.1 mm."""
    localizer = usual_localizer()
    views = [
        localizer.top.render(photograph([Ball(0.31, -0.12, RED)], seed=seed)) for seed in range(10)
    ]
    centers = np.array([localizer.locate(view).detections.centers_m[0] for view in views])
    assert 1000 * np.hypot(*centers.std(axis=0)) < 0.1


@pytest.mark.parametrize("angle_deg", [0, 20, 45, 77, 90, 135])
@pytest.mark.parametrize("colors", [(RED, YELLOW), (WHITE, BLACK), (RED, RED)])
def test_two_touching_balls_are_two(
    angle_deg: int, colors: tuple[tuple[int, int, int], tuple[int, int, int]]
) -> None:
    """A touching pair, even of one colour, is two balls with centres within 1 mm."""
    dx = D / 2 * math.cos(math.radians(angle_deg))
    dy = D / 2 * math.sin(math.radians(angle_deg))
    balls = [Ball(0.1 - dx, 0.1 - dy, colors[0]), Ball(0.1 + dx, 0.1 + dy, colors[1])]
    seen = look_at(balls).detections
    assert len(seen) == 2
    assert errors_mm(seen, balls).max() < 1.0


@pytest.mark.parametrize("gap_m", [0.0, 0.0008])
def test_a_rack_of_ten_is_ten_balls(gap_m: float) -> None:
    """Ten racked balls are ten detections, each within 1 mm of its ball."""
    balls = rack(gap_m=gap_m)
    seen = look_at(balls).detections
    assert len(seen) == 10
    assert errors_mm(seen, balls).max() < 1.0
    assert len(beginners(seen)) == 10


def test_colours_tell_the_balls_apart() -> None:
    """A detection carries the ball's own colour, not the cloth's."""
    balls = [Ball(0.0, 0.2, RED), Ball(0.0, -0.2, YELLOW), Ball(0.4, 0.0, BLACK)]
    seen = look_at(balls).detections
    order = np.argmin(
        np.hypot(*(np.array([(b.x_m, b.y_m) for b in balls])[:, None] - seen.centers_m).T), axis=0
    )
    red, yellow, black = seen.colors[order]
    assert yellow[2] > 170
    assert red[1] > 165
    assert black[0] < 60


@pytest.mark.parametrize(
    "way_m",
    [(0.06, 0.0), (0.08, 0.08), (0.0, 0.14), (-0.2, 0.05)],
)
@pytest.mark.parametrize("color", [RED, WHITE, YELLOW])
def test_a_moving_balls_streak_is_one_ball_at_the_middle_of_its_way(
    way_m: tuple[float, float], color: tuple[int, int, int]
) -> None:
    """A blur streak is one detection: its middle within 4 mm, its length and direction known."""
    ball = Ball(0.2, -0.1, color, way_m)
    seen = look_at([ball]).detections
    assert len(seen) == 1
    assert errors_mm(seen, [ball])[0] < 4.0
    half, true = seen.streaks_m[0], np.array(way_m) / 2
    assert 0.4 < np.hypot(*half) / np.hypot(*true) < 1.25
    assert abs(half @ true) / (np.hypot(*half) * np.hypot(*true)) > math.cos(math.radians(6))


@pytest.mark.parametrize("way_m", [(0.15, 0.03), (-0.1, 0.12)])
def test_a_fast_ball_of_nearly_the_cloths_colour_is_a_faint_streak(
    way_m: tuple[float, float],
) -> None:
    """A streak below the threshold continues a track but never begins one."""
    ball = Ball(-0.3, 0.1, CLOTH_BLUE, way_m)
    seen = look_at([ball]).detections
    assert len(seen) >= 1
    assert errors_mm(seen, [ball])[0] < 12
    assert len(beginners(seen)) == 0


def test_a_cue_at_the_ball_does_not_move_it() -> None:
    """With the tip at the cue ball the ball is found within 1 mm, and the shaft is no ball."""
    ball = Ball(0.0, 0.0, WHITE)
    shaft = bar((-0.03, 0.0), (-1.5, 0.25), 0.014)
    seen = look_at([ball], [shaft]).detections
    assert errors_mm(seen, [ball])[0] < 1.0
    assert np.hypot(*beginners(seen).T).size <= 1
    assert len(seen) == 1


def test_a_cue_across_a_ball_does_not_lose_it() -> None:
    """A shaft over a ball leaves enough of its outline: still one ball, within 2 mm."""
    ball = Ball(0.2, 0.1, RED)
    seen = look_at([ball], [bar((0.5, 0.4), (-0.9, -0.9), 0.012)]).detections
    assert len(seen) >= 1
    assert errors_mm(seen, [ball])[0] < 2.0


@pytest.mark.parametrize("size_m", [0.08, 0.1, 0.13])
@pytest.mark.parametrize("place", [(0.1, 0.45), (-0.8, -0.42), (0.9, 0.5)])
def test_a_hand_that_reaches_in_begins_no_ball(size_m: float, place: tuple[float, float]) -> None:
    """A hand on an arm over the rail begins no track, whatever discs its fingers hold."""
    outward = math.copysign(0.9, place[1])
    arm = bar((place[0], place[1]), (place[0] + 0.3, outward), 0.085, (70, 70, 75))
    seen = look_at([], [hand(*place, size_m), arm]).detections
    assert len(beginners(seen)) == 0


def test_a_ball_beside_a_hand_is_still_found() -> None:
    """A ball that a bridge hand nearly touches is found within 1.5 mm."""
    ball = Ball(0.0, 0.3, WHITE)
    arm = bar((0.1, 0.36), (0.3, 0.95), 0.08, (70, 70, 75))
    seen = look_at([ball], [hand(0.10, 0.36, 0.1), arm]).detections
    assert errors_mm(seen, [ball])[0] < 1.5


def test_a_ball_over_a_rail_is_seen_but_begins_no_track() -> None:
    """A centre beyond the noses is seen (a ball in flight) but begins no track."""
    ball = Ball(0.5, 0.67, YELLOW)
    seen = look_at([ball]).detections
    assert len(seen) == 1
    assert errors_mm(seen, [ball])[0] < 3
    assert not seen.alone[0]


def test_small_things_are_no_balls() -> None:
    """A chalk cube's or a coin's size is not a ball."""
    chalk = Thing([(0.0, 0.0), (0.023, 0.0), (0.023, 0.023), (0.0, 0.023)], (200, 90, 40), 0.022)
    coin = Thing(
        [
            (0.4 + 0.011 * math.cos(a), 0.1 + 0.011 * math.sin(a))
            for a in np.linspace(0, 2 * math.pi, 30)
        ],
        (190, 200, 205),
        0.002,
    )
    assert len(beginners(look_at([], [chalk, coin]).detections)) == 0


def test_eleven_scattered_balls_are_eleven() -> None:
    """Every ball of a full table is found once, within half a millimetre."""
    rng = np.random.default_rng(5)
    places: list[np.ndarray] = []
    while len(places) < 11:
        place = rng.uniform((-1.2, -0.56), (1.2, 0.56))
        if all(np.hypot(*(place - other)) > 0.08 for other in places):
            places.append(place)
    balls = [Ball(*place, COLORS[i % len(COLORS)]) for i, place in enumerate(places)]
    seen = look_at(balls).detections
    assert len(seen) == 11
    assert errors_mm(seen, balls).max() < 0.6


def test_the_foreground_tells_what_is_covered() -> None:
    """foreground is set on a ball and an arm, clear on bare cloth."""
    arm = bar((0.5, 0.2), (0.5, 0.9), 0.08)
    sight = look_at([Ball(0.0, 0.0, RED)], [arm])
    top = usual_localizer().top
    u, v = np.rint(top.from_table(np.array([(0.0, 0.0), (0.51, 0.4), (-0.5, 0.2)]))).astype(int).T
    assert (sight.foreground[v, u] > 0).tolist() == [True, True, False]


def test_white_noise_begins_no_ball() -> None:
    """A picture of nothing but noise holds no ball that could begin a track."""
    localizer = usual_localizer()
    rng = np.random.default_rng(3)
    shape = (localizer.top.height, localizer.top.width, 3)
    for _ in range(2):
        noise = rng.integers(0, 256, shape, dtype=np.uint8)
        assert len(beginners(localizer.locate(noise).detections)) == 0
