"""Finding the camera from pictures of drawn tables."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.find import find_camera
from table.geometry import NINE_FOOT, Pocket, TableSpec
from tests.calibration.cameras import overhead_camera
from tests.calibration.drawn import Look, draw_table

CLOTHS = {
    "electric blue": (225, 135, 10),
    "green": (60, 130, 30),
    "carom blue": (90, 45, 35),
    "red": (40, 30, 170),
    "grey": (120, 118, 115),
    "camel": (95, 150, 185),
}


def ball_errors_mm(found: Camera, true: Camera) -> np.ndarray:
    """How far perfect pixels of balls land from the balls, up to one ball from the noses."""
    a = true.table.length_m / 2 - true.table.ball_radius_m
    b = true.table.width_m / 2 - true.table.ball_radius_m
    grid = np.stack(np.meshgrid(np.linspace(-a, a, 13), np.linspace(-b, b, 7)), -1).reshape(-1, 2)
    seen = found.on_plane(true.project_on_plane(grid))
    turned = found.turned().on_plane(true.project_on_plane(grid))
    errors = [np.hypot(*(points - grid).T) for points in (seen, turned)]
    return 1e3 * min(errors, key=lambda e: float(np.median(e)))


@pytest.mark.parametrize("cloth", CLOTHS)
def test_a_table_of_any_cloth_is_found(cloth: str) -> None:
    true = overhead_camera(11, image_size=(1280, 720), max_tilt_deg=10.0, k1=-0.08)
    frame = draw_table(true, Look(cloth=CLOTHS[cloth]), seed=1, oversample=1)
    found = find_camera([frame], NINE_FOOT)
    errors = ball_errors_mm(found.camera, true)
    assert np.median(errors) < 1.5
    assert np.max(errors) < 5.0
    assert found.camera.error_mm["rms"] < 2.0


@pytest.mark.parametrize("seed", range(3))
def test_random_cameras_are_found(seed: int) -> None:
    true = overhead_camera(seed, image_size=(1280, 720))
    frame = draw_table(true, Look(), seed=seed, oversample=1)
    errors = ball_errors_mm(find_camera([frame], NINE_FOOT).camera, true)
    assert np.median(errors) < 2.0
    assert np.max(errors) < 6.0


def test_a_pocketless_table_is_found() -> None:
    table = TableSpec(length_m=2.84, width_m=1.42, ball_diameter_m=0.0615, has_pockets=False)
    true = overhead_camera(4, table=table, image_size=(1280, 720), max_tilt_deg=8.0, k1=-0.1)
    frame = draw_table(true, Look(cloth=CLOTHS["carom blue"], noise=1.0), seed=2, oversample=1)
    errors = ball_errors_mm(find_camera([frame], table).camera, true)
    assert np.median(errors) < 1.5


def test_the_head_side_is_as_given() -> None:
    true = overhead_camera(11, image_size=(1280, 720), max_tilt_deg=5.0)
    frame = draw_table(true, Look(), oversample=1)
    for side in ("left", "right"):
        found = find_camera([frame], NINE_FOOT, head=side)
        assert (found.head, found.head_from) == (side, "given")
        assert found.camera.side_of_head() == side
    with pytest.raises(CalibrationError, match="--head left or --head right"):
        find_camera([frame], NINE_FOOT, head="top")


def test_given_corners_are_used() -> None:
    true = overhead_camera(11, image_size=(1280, 720), max_tilt_deg=5.0)
    frame = draw_table(true, Look(), oversample=1)
    z_m = 0.635 * NINE_FOOT.ball_diameter_m
    points = {c: (float(p[0]), float(p[1])) for c, p in true.corner_pixels(z_m).items()}
    found = find_camera([frame], NINE_FOOT, points=points)
    assert found.head_from == "given"
    grid = [(x, y) for x in (-1.2, 0.0, 1.2) for y in (-0.6, 0.0, 0.6)]
    off = found.camera.on_plane(true.project_on_plane(grid)) - np.array(grid)
    assert 1e3 * np.max(np.hypot(*off.T)) < 5.0


def test_corners_that_do_not_go_round_the_table_are_refused() -> None:
    frame = np.full((720, 1280, 3), 90, dtype=np.uint8)
    mirrored = {Pocket.HL: (1100, 100), Pocket.HR: (1100, 600), Pocket.FR: (100, 600)}
    mirrored[Pocket.FL] = (100, 100)
    with pytest.raises(CalibrationError, match="counter-clockwise"):
        find_camera([frame], NINE_FOOT, points=mirrored)
    with pytest.raises(CalibrationError, match="lack FL"):
        find_camera(
            [frame], NINE_FOOT, points={Pocket.HL: (1, 1), Pocket.HR: (1, 9), Pocket.FR: (9, 9)}
        )


def test_no_table_no_camera() -> None:
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 255, (480, 640, 3), dtype=np.uint8)
    plain = np.full((480, 640, 3), 128, dtype=np.uint8)
    for frame in (noise, plain, np.zeros((480, 640, 3), np.uint8)):
        with pytest.raises(CalibrationError) as caught:
            find_camera([frame], NINE_FOOT)
        assert "\n" not in str(caught.value)
    with pytest.raises(CalibrationError, match="no picture"):
        find_camera([], NINE_FOOT)


def test_an_oblique_view_is_refused_with_its_angle() -> None:
    matrix = np.array([[1100.0, 0.0, 640.0], [0.0, 1100.0, 360.0], [0.0, 0.0, 1.0]])
    lean = np.radians(55.0)
    tilt = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    rotation = tilt @ np.diag([1.0, -1.0, -1.0])
    camera = Camera((1280, 720), matrix, np.zeros(5), rotation, np.array([0, 0, 3.2]), NINE_FOOT)
    with pytest.raises(CalibrationError, match="beyond overhead"):
        find_camera([draw_table(camera, Look(), oversample=1)], NINE_FOOT)


def test_noise_is_refused_as_noise() -> None:
    rng = np.random.default_rng(1)
    frames = [rng.integers(0, 256, (360, 640, 3), dtype=np.uint8) for _ in range(3)]
    with pytest.raises(CalibrationError, match="nothing but noise"):
        find_camera(frames, NINE_FOOT)


def test_a_table_whose_noses_cannot_be_seen_is_found_by_the_rim_of_its_cloth() -> None:
    true = overhead_camera(11, image_size=(1280, 720), max_tilt_deg=12.0, k1=-0.1)
    frame = draw_table(true, Look(shadow_light=1.0), seed=4, oversample=1)
    found = find_camera([frame], NINE_FOOT)
    assert np.max(ball_errors_mm(found.camera, true)) < 6.0
    assert set(found.landmarks.group.tolist()) == {"border", "side pocket", "sight"}


def test_a_grey_table_on_a_floor_of_its_colour_is_found() -> None:
    grey = (120, 118, 115)
    true = overhead_camera(11, image_size=(1280, 720), max_tilt_deg=10.0, k1=-0.08)
    look = Look(cloth=grey, floor=grey, wood=(35, 35, 38))
    frame = draw_table(true, look, seed=5, oversample=1)
    # Castings of the cloth's colour at the corners join it to the floor.
    for corner in true.corner_pixels(0.036).values():
        x, y = corner.round().astype(int)
        frame[y - 34 : y + 34, x - 34 : x + 34] = grey
    errors = ball_errors_mm(find_camera([frame], NINE_FOOT).camera, true)
    assert np.max(errors) < 5.0


@pytest.mark.parametrize("seed", [3, 8])
def test_a_small_picture_of_a_tilted_table_is_found(seed: int) -> None:
    true = overhead_camera(seed, image_size=(640, 360), max_tilt_deg=20.0)
    frame = draw_table(true, Look(), seed=seed, oversample=2)
    errors = ball_errors_mm(find_camera([frame], NINE_FOOT).camera, true)
    assert np.max(errors) < 8.0


def test_the_predicted_error_is_about_the_true_one() -> None:
    inside = []
    for seed in (0, 2, 4):
        true = overhead_camera(seed, image_size=(1280, 720))
        found = find_camera([draw_table(true, Look(), seed=seed, oversample=1)], NINE_FOOT)
        inside.append(np.max(ball_errors_mm(found.camera, true)) < 3.0 * found.sigma.sigma_mm.max())
    assert all(inside)
