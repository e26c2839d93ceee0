"""After the camera moved: found again, with the same end as head."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.again import recalibrate, stood_still, trusted_again
from calibration.camera import Camera
from calibration.drift import DriftWatch
from calibration.errors import CalibrationError
from calibration.find import find_camera
from calibration.which_end import is_turned
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


@pytest.fixture(scope="module")
def flipped(before: tuple[Camera, np.ndarray, Camera]) -> tuple[Camera, np.ndarray]:
    """The camera turned by 90 degrees, twice as high, and its picture."""
    true, _, camera = before
    way = true if errors_mm(camera, true).max() < 50.0 else true.turned()
    after = bumped(way, (0.0, 0.0, 90.0), 0.0)
    higher = replace(after, t_camera_from_table_m=2.0 * after.t_camera_from_table_m)
    return higher, draw_table(higher, Look(), seed=5, oversample=1)


def test_a_flipped_camera_is_found_as_if_for_the_first_time(
    before: tuple[Camera, np.ndarray, Camera], flipped: tuple[Camera, np.ndarray]
) -> None:
    _, frame, camera = before
    higher, moved = flipped
    again = recalibrate(camera, [moved], seen_to_move([frame, moved], camera))
    assert not again.adjusted
    found = again.calibration.camera
    assert min(errors_mm(way, higher).max() for way in (found, found.turned())) < 5.0
    assert not again.end_known, "an empty table looks the same both ways round"


def with_balls(frame: np.ndarray, camera: Camera) -> np.ndarray:
    """The frame with balls lying on the table, not the same both ways round."""
    picture = frame.copy()
    for x, y in ((0.9, 0.2), (0.6, -0.3), (-0.2, 0.4), (0.3, 0.1), (-0.9, -0.5)):
        u, v = camera.project_on_plane([(x, y)])[0]
        radius = float(camera.px_per_m([(x, y)])[0]) * camera.table.ball_radius_m
        cv2.circle(picture, (round(u), round(v)), round(radius), (60, 200, 240), -1, cv2.LINE_AA)
    return picture


def test_the_ends_of_a_turned_camera_are_told_by_what_lies_on_the_table(
    before: tuple[Camera, np.ndarray, Camera], flipped: tuple[Camera, np.ndarray]
) -> None:
    true, frame, camera = before
    way = true if errors_mm(camera, true).max() < 50.0 else true.turned()
    higher, empty = flipped
    moved = with_balls(empty, higher)
    again = trusted_again(camera, [moved, moved], None, with_balls(frame, way))
    assert errors_mm(again.camera, higher).max() < 5.0, "turned by half a turn is wrong"
    assert again.camera.head_from == "given"
    assert again.camera.head == again.camera.side_of_head()


def test_a_picture_turned_by_half_a_turn_is_told_from_one_that_is_not(
    before: tuple[Camera, np.ndarray, Camera],
) -> None:
    true, frame, _ = before
    picture = with_balls(frame, true)
    assert is_turned(true, picture, true, picture) is False
    assert is_turned(true, picture, true.turned(), picture) is True
    # What lies on the table tells it, not how far the camera was turned.
    played = with_balls(frame, true.turned())
    assert is_turned(true, picture, true, played) is True


def test_an_empty_table_is_taken_as_turned_by_the_lesser_turn(
    before: tuple[Camera, np.ndarray, Camera],
) -> None:
    true, frame, _ = before
    assert is_turned(true, frame, bumped(true, (0.0, 0.0, 20.0), 0.0), frame) is False
    assert is_turned(true, frame, bumped(true, (0.0, 0.0, 170.0), 0.0), frame) is True
    assert is_turned(true, frame, bumped(true, (0.0, 0.0, 90.0), 0.0), frame) is None


def test_a_camera_that_still_moves_is_seen(before: tuple[Camera, np.ndarray, Camera]) -> None:
    true, frame, _ = before
    moved = cv2.warpAffine(frame, np.array([[1.0, 0.0, 9.0], [0.0, 1.0, 0.0]]), SIZE)
    assert stood_still(true, frame, [frame, moved, frame]) == [True, False, True]


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
