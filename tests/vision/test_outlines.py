"""The outline of a ball in the top view, against rays that touch the sphere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.camera import Camera
from table.geometry import NINE_FOOT
from vision.outlines import outlines_at, round_outlines
from vision.topview import TopView

R = NINE_FOOT.ball_radius_m


def tilted(tilt_deg: float, height_m: float = 2.2) -> TopView:
    """The top view of a camera tilted about the table's long axis, aimed at its middle."""
    angle = math.radians(tilt_deg)
    rotation = np.array(
        [
            [1.0, 0.0, 0.0],
            [0.0, -math.cos(angle), -math.sin(angle)],
            [0.0, math.sin(angle), -math.cos(angle)],
        ]
    )
    position = np.array([0.0, -height_m * math.tan(angle), height_m])
    matrix = np.array([[900.0, 0.0, 640.0], [0.0, 900.0, 360.0], [0.0, 0.0, 1.0]])
    return TopView(
        Camera((1280, 720), matrix, np.zeros(5), rotation, -rotation @ position, NINE_FOOT, "left")
    )


def touching_rays(top: TopView, x_m: float, y_m: float) -> np.ndarray:
    """Where the rays that touch a ball at (x, y) meet the plane of the centres, top-view px."""
    eye = np.asarray(top.camera.position_m)
    to_ball = np.array([x_m, y_m, R]) - eye
    distance = float(np.linalg.norm(to_ball))
    axis = to_ball / distance
    half = math.asin(R / distance)
    side = np.cross(axis, [0.3, 0.5, 0.2])
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    turn = np.linspace(0, 2 * math.pi, 720)[:, None]
    rays = math.cos(half) * axis + math.sin(half) * (np.cos(turn) * side + np.sin(turn) * other)
    reached = eye + rays * ((R - eye[2]) / rays[:, 2:])
    return top.from_table(reached[:, :2])


@pytest.mark.parametrize("tilt_deg", [0.0, 12.0, 30.0])
@pytest.mark.parametrize("place", [(0.0, 0.0), (1.2, 0.55), (-0.9, 0.3), (0.4, -0.6)])
def test_an_outline_is_where_rays_touch_the_ball(
    tilt_deg: float, place: tuple[float, float]
) -> None:
    """Every ray that touches the sphere lands on the ellipse to a hundredth of a pixel."""
    top = tilted(tilt_deg)
    center = top.from_table(np.array([place]))
    outline = outlines_at(top, center)
    points = touching_rays(top, *place) - center - outline.offsets
    unit = points @ np.linalg.inv(outline.axes[0]).T
    assert np.hypot(*unit.T) == pytest.approx(1.0, abs=0.01 / top.ball_radius_px)


def test_straight_below_the_camera_an_outline_is_round() -> None:
    """Under the camera the ellipse is a circle of very nearly the ball's own radius."""
    top = tilted(0.0)
    outline = outlines_at(top, top.from_table(np.array([(0.0, 0.0)])))
    assert outline.axes[0] == pytest.approx(round_outlines(top.ball_radius_px).axes[0], abs=0.01)
    assert outline.offsets[0] == pytest.approx((0.0, 0.0), abs=1e-6)
    assert outline.areas[0] == pytest.approx(math.pi * top.ball_radius_px**2, rel=0.001)


def test_away_from_the_camera_outlines_stretch() -> None:
    """At 30 degrees a ball is about 15 % longer than wide, along the line to the camera."""
    top = tilted(30.0)
    outline = outlines_at(top, top.from_table(np.array([(0.0, 0.0)])))
    lengths = np.linalg.svd(outline.axes[0])[1]
    assert lengths[0] / lengths[1] == pytest.approx(1 / math.cos(math.radians(30)), rel=0.01)
    assert abs(outline.axes[0][1, 1]) > abs(outline.axes[0][0, 0])
