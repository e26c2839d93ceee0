"""After the camera moved: found again, with the same end as head."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.again import recalibrate
from calibration.camera import Camera
from calibration.drift import DriftWatch
from calibration.errors import CalibrationError
from calibration.find import find_camera
from table.geometry import NINE_FOOT
from tests.calibration.cameras import overhead_camera
from tests.calibration.drawn import Look, draw_table

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def before() -> tuple[Camera, np.ndarray, Camera]:
    """The true camera, its picture, and the camera found in it with its head end told."""
    true = overhead_camera(10, image_size=SIZE, max_tilt_deg=6.0)
    frame = draw_table(true, Look(), seed=3, oversample=1)
    side = find_camera([frame], NINE_FOOT).camera.turned().head
    return true, frame, find_camera([frame], NINE_FOOT, head=side).camera


def bumped(camera: Camera, turn_deg: tuple[float, float, float], shift_m: float) -> Camera:
    """The camera after somebody ran against its mount."""
    turn, _ = cv2.Rodrigues(np.radians(turn_deg))
    return replace(
        camera,
        r_camera_from_table=turn @ camera.r_camera_from_table,
        t_camera_from_table_m=turn @ camera.t_camera_from_table_m + np.array([shift_m, 0.0, 0.0]),
    )


def errors_mm(found: Camera, true: Camera) -> np.ndarray:
    """How far balls are found from where they are, up to the noses; turned is wrong."""
    grid = np.array([(x, y) for x in (-1.2, -0.6, 0.0, 0.6, 1.2) for y in (-0.6, 0.0, 0.6)])
    return 1e3 * np.hypot(*(found.on_plane(true.project_on_plane(grid)) - grid).T)


def seen_to_move(frames: list[np.ndarray], camera: Camera) -> np.ndarray | None:
    """Where the picture has gone, as the watch over the camera sees it."""
    watch = DriftWatch(camera)
    for second, frame in enumerate(frames):
        watch.update(frame, float(second))
    return watch.motion


@pytest.mark.parametrize("turn_deg", [(0.3, 0.1, 0.0), (0.6, -0.5, 0.8)])
def test_a_bumped_camera_is_adjusted(
    before: tuple[Camera, np.ndarray, Camera], turn_deg: tuple[float, float, float]
) -> None:
    true, frame, camera = before
    way = true if errors_mm(camera, true).max() < 50.0 else true.turned()
    after = bumped(way, turn_deg, 0.01)
    moved = draw_table(after, Look(), seed=4, oversample=1)
    motion = seen_to_move([frame, moved, moved], camera)
    assert motion is not None
    assert errors_mm(camera, after).max() > 8.0, "the old camera is wrong now"
    again = recalibrate(camera, [moved], motion)
    assert again.adjusted
    assert errors_mm(again.calibration.camera, after).max() < 3.0
    assert again.calibration.head_from == "given"
    assert "calibrated again" in again.calibration.notes[0]


def test_a_flipped_camera_is_found_as_if_for_the_first_time(
    before: tuple[Camera, np.ndarray, Camera],
) -> None:
    true, frame, camera = before
    after = bumped(true, (0.0, 0.0, 90.0), 0.0)
    higher = replace(after, t_camera_from_table_m=2.0 * after.t_camera_from_table_m)
    moved = draw_table(higher, Look(), seed=5, oversample=1)
    again = recalibrate(camera, [moved], seen_to_move([frame, moved], camera))
    assert not again.adjusted
    found = again.calibration.camera
    assert min(errors_mm(way, higher).max() for way in (found, found.turned())) < 5.0
    assert again.calibration.head_from == "assumed"


def test_a_motion_that_is_none_is_not_believed(
    before: tuple[Camera, np.ndarray, Camera],
) -> None:
    true, frame, camera = before
    wrong = np.array([[1.0, 0.0, 160.0], [0.0, 1.0, -90.0]])
    again = recalibrate(camera, [frame], wrong)
    assert not again.adjusted
    found = again.calibration.camera
    assert min(errors_mm(way, true).max() for way in (found, found.turned())) < 4.0


def test_where_no_table_is_left_the_reason_is_told(
    before: tuple[Camera, np.ndarray, Camera],
) -> None:
    floor = np.full((720, 1280, 3), 90, np.uint8)
    with pytest.raises(CalibrationError, match="no table"):
        recalibrate(before[2], [floor])
