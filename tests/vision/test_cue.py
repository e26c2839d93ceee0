"""The cue: line and tip in a mask of all that is not cloth, the strike's time, a lying cue."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from table.geometry import NINE_FOOT
from tests.vision.painted_tables import straight_above
from vision.cue import CueLine, LyingCue, find_cues, strike_time_s
from vision.frames import Image
from vision.topview import TopView

TOP = straight_above()
LENGTH_M = 1.47
RADIUS_M = NINE_FOOT.ball_radius_m


def tilted() -> TopView:
    """The top view of a camera that hangs 0.8 m to one side of the middle."""
    x, y, z = 0.3, -0.8, 2.5
    back = np.array((x, y, z)) / math.sqrt(x * x + y * y + z * z)
    right = np.cross((0.0, 1.0, 0.0), back)
    right /= np.linalg.norm(right)
    rotation = np.stack((right, -np.cross(back, right), -back))
    camera = replace(
        TOP.camera,
        r_camera_from_table=rotation,
        t_camera_from_table_m=-rotation @ np.array((x, y, z)),
    )
    return TopView(camera)


def mask_of(
    tip: tuple[float, float], aim_deg: float, top: TopView = TOP, elevation_deg: float = 2.0
) -> Image:
    """The mask of a real stick: a cone of 12 to 29 mm that rises to its butt."""
    mask = np.zeros((top.height, top.width), np.uint8)
    aim, rise = math.radians(aim_deg), math.radians(elevation_deg)
    way = np.linspace(0.0, LENGTH_M, 900)
    flat = way * math.cos(rise)
    places = np.column_stack(
        (
            tip[0] - flat * math.cos(aim),
            tip[1] - flat * math.sin(aim),
            RADIUS_M + way * math.sin(rise),
        )
    )
    seen = top.from_table(top.camera.on_plane(top.camera.project(places)))
    radii = (0.0062 + 0.0085 * way / LENGTH_M) * top.px_per_m
    for (u, v), radius in zip(seen, radii, strict=True):
        if 0 <= u < top.width and 0 <= v < top.height:
            center = (round(16 * float(u)), round(16 * float(v)))
            cv2.circle(mask, center, round(16 * float(radius)), 255, -1, cv2.LINE_8, 4)
    return mask


def hand_on(mask: Image, place: tuple[float, float], top: TopView = TOP) -> Image:
    """A hand and an arm, drawn into a mask."""
    u, v = (round(float(value)) for value in top.from_table(np.array([place]))[0])
    cv2.circle(mask, (u, v), 36, 255, -1)
    cv2.line(mask, (u, v), (u + 60, top.height), 255, 44)
    return mask


@pytest.mark.parametrize("aim_deg", [0.0, 33.0, 90.0, 147.0, -120.0])
def test_line_and_tip_of_a_stick(aim_deg: float) -> None:
    """Direction within 0.2 degrees, tip within 4 mm, aim from the butt to the tip."""
    (cue,) = find_cues(mask_of((0.1, 0.05), aim_deg), TOP)
    turn = math.remainder(math.degrees(cue.direction_rad) - aim_deg, 360.0)
    assert abs(turn) < 0.2
    # The tip's round end reaches 6 mm ahead of the last centre.
    ahead = (
        0.1 + 0.006 * math.cos(math.radians(aim_deg)),
        0.05 + 0.006 * math.sin(math.radians(aim_deg)),
    )
    assert math.dist(cue.tip_m, ahead) < 0.004


@pytest.mark.parametrize("aim_deg", [10.0, 80.0, 200.0])
def test_a_camera_to_one_side_sees_the_stick_turned(aim_deg: float) -> None:
    """The rise to the butt is taken out: within 0.3 degrees, where it is a degree otherwise."""
    top = tilted()
    tip = (-0.4, 0.3)
    (cue,) = find_cues(mask_of(tip, aim_deg, top), top)
    assert abs(math.remainder(math.degrees(cue.direction_rad) - aim_deg, 360.0)) < 0.3


def test_a_hand_on_the_shaft_does_not_part_the_stick() -> None:
    """The pieces before and behind a bridge hand are one cue; an arm is none."""
    mask = hand_on(mask_of((0.1, 0.05), 33.0), (0.1 - 0.25 * 0.84, 0.05 - 0.25 * 0.545))
    cues = find_cues(mask, TOP)
    assert abs(math.degrees(cues[0].direction_rad) - 33.0) < 0.3
    assert cues[0].length_m > 0.5
    assert all(c.length_m < 0.2 for c in cues[1:])


def test_balls_and_hands_are_no_cues() -> None:
    """Discs, a row of balls and an arm have no thin straight part."""
    mask = np.zeros((TOP.height, TOP.width), np.uint8)
    for i in range(6):
        cv2.circle(mask, (300 + 29 * i, 300), 14, 255, -1)
    assert find_cues(hand_on(mask, (0.5, 0.0)), TOP) == []
    assert find_cues(np.zeros_like(mask), TOP) == []


def test_the_networks_tip_says_which_end_it_is() -> None:
    """A cue laid across the table has two free ends; the network sees the tip at one."""
    mask = mask_of((0.6, 0.0), 0.0)
    butt = TOP.from_table(np.array([(0.6 - LENGTH_M, 0.0)]))
    (cue,) = find_cues(mask, TOP, butt)
    assert cue.by_network
    assert abs(math.remainder(cue.direction_rad - math.pi, math.tau)) < 0.01
    (cue,) = find_cues(mask, TOP, TOP.from_table(np.array([(0.6, 0.0)])))
    assert abs(cue.direction_rad) < 0.01


def line_at(gap_m: float) -> CueLine:
    """A cue that aims along +x at a ball in the origin from `gap_m` away."""
    return CueLine((-RADIUS_M - gap_m, 0.0), 0.0, 0.6)


def test_strike_time_from_the_tips_way() -> None:
    """A tip at 2 m/s, seen every 40 ms, meets the ball between two frames."""
    tips = [(0.04 * i, line_at(0.05 + 2.0 * (0.213 - 0.04 * i) - 0.05)) for i in range(6)]
    assert strike_time_s(tips, (0.0, 0.0), RADIUS_M) == pytest.approx(0.213, abs=0.002)


def test_warm_up_strokes_are_no_strike() -> None:
    """The way back, a stick at rest and too few frames tell nothing."""
    back = [(0.04 * i, line_at(0.02 + 0.01 * i)) for i in range(5)]
    still = [(0.04 * i, line_at(0.02)) for i in range(5)]
    for tips in (back, still, back[:1], []):
        assert strike_time_s(tips, (0.0, 0.0), RADIUS_M) is None


def test_a_cue_lies_on_the_cloth_after_a_second_without_a_hand() -> None:
    """Held, moved or seen for a moment it does not lie; let go for a second it does."""
    lying = LyingCue()
    cue = line_at(0.3)
    assert [lying.update(0.5 * i, [cue], [True]) for i in range(4)] == [None] * 4
    assert lying.update(2.0, [cue], [False]) is None
    assert lying.update(2.9, [cue], [False]) is None
    assert lying.update(3.1, [cue], [False]) == 2.0
    assert lying.update(3.6, [line_at(0.4)], [False]) is None
    assert lying.update(4.1, [], []) is None
