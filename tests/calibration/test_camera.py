"""The camera model: projection, its inverse, and camera.json."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from calibration.camera_file import CameraFileError
from table.geometry import NINE_FOOT
from tests.calibration.cameras import overhead_camera


def table_points(count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.uniform((-1.3, -0.68), (1.3, 0.68), (count, 2))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("k1", [0.0, -0.15, -0.33, 0.12])
def test_projection_is_opencvs(seed: int, k1: float) -> None:
    camera = overhead_camera(seed, k1=k1)
    points = np.column_stack([table_points(60, seed), np.full(60, 0.02)])
    rvec, _ = cv2.Rodrigues(camera.r_camera_from_table)
    expected, _ = cv2.projectPoints(
        points, rvec, camera.t_camera_from_table_m, camera.camera_matrix, camera.dist
    )
    assert np.allclose(camera.project(points), expected[:, 0], atol=1e-8)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("k1", [0.0, -0.15, -0.33, 0.12])
@pytest.mark.parametrize("z_m", [None, 0.0, 0.0363])
def test_a_pixel_comes_back_to_its_point_on_the_plane(
    seed: int, k1: float, z_m: float | None
) -> None:
    camera = overhead_camera(seed, k1=k1)
    points = table_points(80, seed + 1)
    pixels = camera.project_on_plane(points, z_m)
    assert np.allclose(camera.on_plane(pixels, z_m), points, atol=1e-7)
    back = camera.project_on_plane(camera.on_plane(pixels, z_m), z_m)
    assert np.max(np.abs(back - pixels)) < 0.01


def test_the_inverse_holds_up_to_the_edge_of_a_strong_barrel() -> None:
    matrix = np.array([[850.0, 0.0, 640.0], [0.0, 850.0, 360.0], [0.0, 0.0, 1.0]])
    dist = np.array([-0.33, 0.11, 0.0005, -0.0004, -0.017])
    camera = Camera(
        (1280, 720), matrix, dist, np.diag([1.0, -1.0, -1.0]), np.array([0, 0, 2.0]), NINE_FOOT
    )
    grid = np.stack(np.meshgrid(np.linspace(0, 1279, 33), np.linspace(0, 719, 19)), -1)
    pixels = grid.reshape(-1, 2)
    directions = camera.rays(pixels) @ camera.r_camera_from_table.T
    forward, _ = cv2.projectPoints(directions, np.zeros(3), np.zeros(3), matrix, dist)
    assert np.max(np.abs(forward[:, 0] - pixels)) < 0.01


def test_a_pixel_outside_the_image_circle_has_no_point() -> None:
    camera = overhead_camera(3, k1=-0.33)
    assert np.all(np.isnan(camera.on_plane([[50_000.0, 40_000.0]])))
    assert np.all(np.isnan(camera.project([[0.0, 0.0, 100.0]])))


def test_height_position_scale_and_ball_plane() -> None:
    matrix = np.array([[1000.0, 0.0, 960.0], [0.0, 1000.0, 540.0], [0.0, 0.0, 1.0]])
    camera = Camera(
        (1920, 1080),
        matrix,
        np.zeros(5),
        np.diag([1.0, -1.0, -1.0]),
        np.array([0.1, 0.2, 2.0]),
        NINE_FOOT,
        head="left",
    )
    assert np.allclose(camera.position_m, (-0.1, 0.2, 2.0))
    assert camera.height_m == pytest.approx(2.0)
    assert camera.tilt_deg == pytest.approx(0.0, abs=1e-6)
    assert camera.px_per_m([(0.3, 0.1)], 0.0)[0] == pytest.approx(500.0)
    assert camera.px_per_m([(0.3, 0.1)])[0] == pytest.approx(1000.0 / (2.0 - 0.028575))
    assert camera.side_of_head() == "left"
    turned = camera.turned()
    assert turned.side_of_head() == turned.head == "right"
    assert np.allclose(
        turned.project_on_plane([(0.5, 0.2)]), camera.project_on_plane([(-0.5, -0.2)])
    )


def test_camera_json_round_trip(tmp_path: Path) -> None:
    camera = overhead_camera(5)
    path = tmp_path / "camera.json"
    camera.save(path)
    again = Camera.load(path)
    assert json.loads(path.read_text())["v"] == 1
    assert np.allclose(again.project_on_plane([(1.0, 0.5)]), camera.project_on_plane([(1.0, 0.5)]))
    assert (again.table, again.head, again.image_size) == (
        camera.table,
        camera.head,
        camera.image_size,
    )
    assert list(tmp_path.iterdir()) == [path]


def minimal() -> dict[str, object]:
    return {
        "v": 1,
        "image_size": [1280, 720],
        "K": [[900, 0, 640], [0, 900, 360], [0, 0, 1]],
        "dist": [0, 0, 0, 0, 0],
        "R_camera_from_table": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
        "t_camera_from_table": [0, 0, 2.5],
        "table": {"length_m": 2.54, "width_m": 1.27},
        "head": "right",
    }


def test_the_keys_of_the_interface_are_enough_and_more_keys_are_kept() -> None:
    camera = Camera.from_json(minimal() | {"made_by": "hand"})
    assert camera.to_json()["made_by"] == "hand"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("v", 2),
        ("image_size", [1280]),
        ("image_size", [1280.5, 720]),
        ("K", [[900, 0, 640], [0, 900, 360]]),
        ("K", [[-900, 0, 640], [0, 900, 360], [0, 0, 1]]),
        ("dist", [0, 0, 0, 0]),
        ("dist", [0, 0, 0, 0, float("nan")]),
        ("R_camera_from_table", [[2, 0, 0], [0, -1, 0], [0, 0, -1]]),
        ("t_camera_from_table", "0 0 2"),
        ("table", None),
        ("table", {"length_m": 2.54}),
        ("head", "up"),
        ("head_from", "guess"),
        ("error_mm", {"rms": "small"}),
    ],
)
def test_a_bad_field_is_named_in_one_sentence(field: str, value: object) -> None:
    with pytest.raises(CameraFileError) as caught:
        Camera.from_json(minimal() | {field: value}, "camera.json")
    text = str(caught.value)
    assert "camera.json" in text
    assert f'"{field}' in text or "length" in text or "width" in text
    assert "\n" not in text


def test_files_that_are_no_camera(tmp_path: Path) -> None:
    path = tmp_path / "camera.json"
    with pytest.raises(CameraFileError, match="cannot be read"):
        Camera.load(path)
    path.write_text("no json")
    with pytest.raises(CameraFileError, match="not a JSON file"):
        Camera.load(path)
    path.write_text("[1]")
    with pytest.raises(CameraFileError, match="not a JSON object"):
        Camera.load(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CameraFileError, match="not a JSON file"):
        Camera.load(path)
