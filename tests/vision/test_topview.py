"""The top view: a metric picture of the ball-centre plane."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.photographs import RED, Ball, empty_table, photograph, usual, usual_top

inside = st.tuples(st.floats(-1.27, 1.27), st.floats(-0.635, 0.635))


@given(place=inside)
@settings(max_examples=60, deadline=None)
def test_metres_to_pixels_and_back_is_the_identity(place: tuple[float, float]) -> None:
    """A point of the table maps to a top-view pixel and back onto itself."""
    top = usual_top()
    pixel = top.from_table(np.array([place]))
    assert top.to_table(pixel)[0] == pytest.approx(place, abs=1e-12)


def test_the_view_is_the_table_from_above_with_the_head_on_its_left() -> None:
    """Columns grow with x and rows with -y, at px_per_m; the first pixel's centre is (0, 0)."""
    top = usual_top()
    head_left, foot_right = top.from_table(np.array([(-1.27, 0.635), (1.27, -0.635)]))
    assert head_left == pytest.approx((65, 65))
    assert foot_right - head_left == pytest.approx((1270, 635))
    assert (top.width, top.height) == (1400, 765)


def test_a_ball_appears_where_from_table_says() -> None:
    """The rendered view shows a ball's disc around the pixel of its centre, lens and tilt gone."""
    top = usual_top()
    for x_m, y_m in [(0.0, 0.0), (-1.1, 0.5), (1.15, -0.5)]:
        view = top.render(photograph([Ball(x_m, y_m, RED)], noise=0.0)).astype(int)
        changed = np.abs(view - top.render(empty_table())).max(axis=-1) > 60
        rows, columns = np.nonzero(changed)
        center = top.from_table(np.array([(x_m, y_m)]))[0]
        assert (columns.mean(), rows.mean()) == pytest.approx(tuple(center), abs=0.4)
        # Seen aslant a sphere's outline is longer than wide.
        assert 1.0 < changed.sum() / (np.pi * top.ball_radius_px**2) < 1.2


def test_rendering_matches_the_cameras_projection() -> None:
    """Each top-view pixel shows the camera pixel that its table point projects to."""
    top, camera = usual_top(), usual()
    ramp = np.tile(np.arange(1280) / 6, (720, 1)).astype(np.uint8)
    view = top.render(ramp)
    points = np.array([(x, y) for x in (-1.2, -0.4, 0.5, 1.25) for y in (-0.6, 0.1, 0.6)])
    at = np.rint(top.from_table(points)).astype(int)
    expected = camera.project_on_plane(top.to_table(at.astype(float)))[:, 0] / 6
    assert view[at[:, 1], at[:, 0]] == pytest.approx(expected, abs=1.0)


def test_distance_into_the_table_is_zero_on_the_noses() -> None:
    """distance_into_table_m is positive over the bed, zero at the noses, negative beyond."""
    top = usual_top()
    distance = top.distance_into_table_m()
    points = np.array([(0.0, 0.0), (1.27, 0.0), (0.0, -0.635), (-1.17, 0.0), (1.30, 0.2)])
    at = np.rint(top.from_table(points)).astype(int)
    assert distance[at[:, 1], at[:, 0]] == pytest.approx([0.635, 0, 0, 0.1, -0.03], abs=0.002)
