"""A table whose floor and rails have its cloth's colour is told by its edges."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Camera
from calibration.cloth import small_picture
from calibration.enclosed import enclosed_regions
from calibration.errors import CalibrationError
from calibration.find import find_camera
from table.geometry import NINE_FOOT
from tests.calibration.cameras import overhead_camera
from tests.calibration.drawn import Look, draw_table

BROWN = Look(cloth=(90, 120, 150), floor=(80, 105, 130), wood=(70, 95, 115))


@pytest.fixture(scope="module")
def brown() -> tuple[Camera, np.ndarray]:
    """A brown table on a brown floor."""
    true = overhead_camera(10, image_size=(640, 360), max_tilt_deg=10.0)
    return true, draw_table(true, BROWN, seed=3, oversample=1)


def test_the_bed_is_the_likeliest_of_what_edges_enclose(
    brown: tuple[Camera, np.ndarray],
) -> None:
    true, frame = brown
    small, scale = small_picture([frame])
    bed = enclosed_regions(small, scale)[0]
    corners = true.project_on_plane(list(NINE_FOOT.nose_corners.values()), 0.0)
    apart = np.linalg.norm(bed.quad_px[:, None] - corners[None], axis=2).min(axis=0)
    assert apart.max() < 0.04 * np.hypot(*frame.shape[:2])
    assert bed.fill > 0.8 and bed.at_edge == 0.0


def test_a_table_of_its_floors_colour_is_found(brown: tuple[Camera, np.ndarray]) -> None:
    true, frame = brown
    found = find_camera([frame], NINE_FOOT).camera
    grid = np.array([(x, y) for x in (-1.2, 0.0, 1.2) for y in (-0.6, 0.0, 0.6)])
    pixels = true.project_on_plane(grid)
    ways = [np.hypot(*(way.on_plane(pixels) - grid).T).max() for way in (found, found.turned())]
    assert 1000 * min(ways) < 4.0


def test_an_even_floor_with_a_carpet_is_no_table() -> None:
    floor = np.full((360, 640, 3), (80, 105, 130), np.uint8)
    floor[100:270, 140:470] = (88, 118, 146)
    noise = np.random.default_rng(1).normal(0.0, 2.0, floor.shape)
    carpet = np.clip(floor + noise, 0, 255).astype(np.uint8)
    with pytest.raises(CalibrationError):
        find_camera([carpet], NINE_FOOT)
