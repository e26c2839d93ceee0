"""Drift: a camera that moves is told within five seconds, people walking by are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from calibration.drift import DriftWatch, Stillness
from tests.calibration.cameras import overhead_camera
from tests.calibration.drawn import Look, draw_table

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def scene() -> tuple[Camera, np.ndarray]:
    camera = overhead_camera(10, image_size=SIZE, max_tilt_deg=6.0)
    return camera, draw_table(camera, Look(), seed=3, oversample=1)


def noisy(frame: np.ndarray, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.clip(frame + rng.normal(0.0, 2.0, frame.shape), 0, 255).astype(np.uint8)


def warped(frame: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    return cv2.warpAffine(frame, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE)


def shifted(dx: float, dy: float) -> np.ndarray:
    return np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]])


def zoomed(factor: float, turn_deg: float = 0.0) -> np.ndarray:
    return cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn_deg, factor)


MOVES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "a nudge of 5 px": lambda f: warped(f, shifted(4.0, 3.0)),
    "a bump of 20 px": lambda f: warped(f, shifted(-18.0, 9.0)),
    "a bump of 90 px": lambda f: warped(f, shifted(80.0, -40.0)),
    "a turn of 1 degree": lambda f: warped(f, zoomed(1.0, 1.0)),
    "a zoom of 1 %": lambda f: warped(f, zoomed(1.01)),
    "a zoom of 8 %": lambda f: warped(f, zoomed(1.08)),
    "a zoom out by a half": lambda f: warped(f, zoomed(0.5)),
    "a flip by 90 degrees": lambda f: cv2.resize(cv2.rotate(f, cv2.ROTATE_90_CLOCKWISE), SIZE),
}


@pytest.mark.parametrize("move", MOVES)
def test_a_moved_camera_alarms_within_five_seconds(
    scene: tuple[Camera, np.ndarray], move: str
) -> None:
    camera, frame = scene
    watch = DriftWatch(camera)
    for index in range(10):
        watch.update(noisy(frame, index), index * 0.5)
    assert watch.alarm is None
    after = MOVES[move](frame)
    alarm_s = None
    for index in range(14):
        watch.update(noisy(after, 100 + index), 5.0 + index * 0.5)
        if watch.alarm is not None:
            alarm_s = watch.alarm.t_s
            break
    assert alarm_s is not None
    assert alarm_s - 5.0 <= 5.0
    assert watch.alarm is not None and watch.alarm.moved_mm > 5.0


def test_the_shift_is_measured_in_millimetres(scene: tuple[Camera, np.ndarray]) -> None:
    camera, frame = scene
    watch = DriftWatch(camera)
    watch.update(frame, 0.0)
    look = watch.update(warped(frame, shifted(6.0, 0.0)), 1.0)
    assert look is not None and look.kind is Stillness.MOVED
    expected = 6.0 * 1e3 / float(camera.px_per_m([(0.0, 0.0)], 0.0)[0])
    assert look.moved_mm == pytest.approx(expected, rel=0.2)


def walkers(frame: np.ndarray, seconds: int) -> Iterator[tuple[np.ndarray, float]]:
    """Two dark figures that walk around and bend over the table."""
    height, width = frame.shape[:2]
    for index in range(seconds * 2):
        picture = noisy(frame, index)
        x = int(width * ((index * 0.09) % 1.2 - 0.1))
        cv2.ellipse(picture, (x, height - 60), (110, 170), 0, 0, 360, (45, 35, 40), -1)
        cv2.ellipse(picture, (width - x, 40), (90, 130), 0, 0, 360, (70, 60, 140), -1)
        cv2.line(picture, (x, height - 150), (x + 200, height - 420), (90, 160, 200), 8)
        yield picture, index * 0.5


def test_nobody_walking_by_alarms(scene: tuple[Camera, np.ndarray]) -> None:
    camera, frame = scene
    watch = DriftWatch(camera)
    kinds = set()
    for picture, t_s in walkers(frame, 40):
        look = watch.update(picture, t_s)
        assert watch.alarm is None
        if look is not None:
            kinds.add(look.kind)
    assert Stillness.MOVED not in kinds


def test_the_pictures_own_trembling_does_not_alarm(scene: tuple[Camera, np.ndarray]) -> None:
    camera, frame = scene
    rng = np.random.default_rng(5)
    watch = DriftWatch(camera)
    for index in range(30):
        dx, dy = rng.uniform(-1.1, 1.1, 2)
        watch.update(noisy(warped(frame, shifted(dx, dy)), index), float(index))
        assert watch.alarm is None


def test_a_short_knock_is_no_alarm_and_a_camera_put_back_clears_it(
    scene: tuple[Camera, np.ndarray],
) -> None:
    camera, frame = scene
    moved = warped(frame, shifted(15.0, 0.0))
    watch = DriftWatch(camera)
    watch.update(frame, 0.0)
    watch.update(moved, 1.0)
    watch.update(frame, 2.0)
    assert watch.alarm is None
    for t_s in (3.0, 4.0, 5.0, 6.0):
        watch.update(moved, t_s)
    assert watch.alarm is not None
    watch.update(frame, 7.0)
    assert watch.alarm is None


def test_another_picture_is_no_drift(scene: tuple[Camera, np.ndarray]) -> None:
    camera, frame = scene
    watch = DriftWatch(camera)
    watch.update(frame, 0.0)
    face = np.full_like(frame, 60)
    cv2.ellipse(face, (640, 360), (200, 260), 0, 0, 360, (120, 150, 200), -1)
    face = noisy(face, 1)
    for t_s in (1.0, 2.0, 3.0, 4.0, 5.0):
        look = watch.update(face, t_s)
        assert look is not None and look.kind in (Stillness.NO_TABLE, Stillness.HIDDEN)
    assert watch.alarm is None


def test_between_two_looks_nothing_is_computed(scene: tuple[Camera, np.ndarray]) -> None:
    camera, frame = scene
    watch = DriftWatch(camera)
    assert watch.update(frame, 0.0) is not None
    assert watch.update(frame, 0.5) is None
    watch.reset()
    assert watch.update(frame, 0.6) is not None


def test_a_camera_pushed_and_put_back_leaves_a_span(scene: tuple[Camera, np.ndarray]) -> None:
    camera, frame = scene
    watch = DriftWatch(camera)
    pushed = warped(frame, shifted(30.0, 10.0))
    for second in range(14):
        watch.update(pushed if 3 <= second < 9 else frame, float(second))
    assert watch.alarm is None
    (move,) = watch.moves
    assert (move.from_s, move.until_s) == (2.0, 9.0)
    assert 3.0 <= move.alarm_s <= 7.0


def test_a_small_picture_that_trembles_by_a_pixel_is_no_moved_camera() -> None:
    """At 7 mm a pixel every look is off by more than the limit, but to and fro."""
    size = (480, 270)
    camera = overhead_camera(10, image_size=size, max_tilt_deg=6.0)
    frame = draw_table(camera, Look(), seed=3, oversample=2)
    rng = np.random.default_rng(7)
    watch = DriftWatch(camera)
    watch.update(frame, 0.0)
    kinds = []
    for second in range(1, 40):
        dx, dy = rng.uniform(-1.3, 1.3, 2)
        moved = cv2.warpAffine(frame, shifted(dx, dy), size, borderMode=cv2.BORDER_REPLICATE)
        look = watch.update(moved, float(second))
        assert look is not None
        kinds.append(look.kind)
    assert kinds.count(Stillness.MOVED) > 25
    assert not watch.moves


def test_a_small_picture_that_moved_and_trembles_alarms() -> None:
    size = (480, 270)
    camera = overhead_camera(10, image_size=size, max_tilt_deg=6.0)
    frame = draw_table(camera, Look(), seed=3, oversample=2)
    rng = np.random.default_rng(8)
    watch = DriftWatch(camera)
    for second in range(12):
        there = 3.0 if second >= 5 else 0.0
        dx, dy = there + rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6)
        moved = cv2.warpAffine(frame, shifted(dx, dy), size, borderMode=cv2.BORDER_REPLICATE)
        watch.update(moved if second else frame, float(second))
    assert len(watch.moves) == 1
    assert watch.moves[0].alarm_s <= 4.0 + 5.0
