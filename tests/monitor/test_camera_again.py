"""A moved camera is calibrated again: when, from which frames, and what becomes of failures."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from calibration.drift import DriftLook, DriftWatch, Stillness
from calibration.errors import CalibrationError
from monitor.camera_again import CalibratingAgain, FoundAgain, JustFound, MovedView, moved_view
from monitor.observation import Observation, ObserveOptions
from monitor.pipeline import observe
from monitor.settings import NetworkSettings
from monitor.stretches import watch_stretches
from tests.monitor.live.stand_ins import POT, grained, images_of
from tests.monitor.scenes import overhead_camera
from tests.monitor.test_pipeline import written
from vision.frames import Image

GREY = np.full((360, 640, 3), 90, np.uint8)


def alarmed(at_s: list[float], camera: Camera | None = None) -> DriftWatch:
    """A watch that has seen its camera elsewhere at these times."""
    watch = DriftWatch(camera or overhead_camera())
    for t_s in at_s:
        watch.moved_bgr.append((t_s, GREY))
    watch.alarm = DriftLook(at_s[-1], Stillness.MOVED, 30.0, 1.0)
    return watch


def found(view: MovedView) -> JustFound:
    """Found where it was, at once."""
    return JustFound(FoundAgain(view.camera, view.frames[0][0], GREY, view.moved_mm, True))


def refused(_: MovedView) -> JustFound:
    """No table there."""
    raise CalibrationError("no table found: show it.")


def test_a_few_looks_after_the_move_are_waited_for() -> None:
    assert moved_view(alarmed([1.0, 2.0, 3.0])) is None
    view = moved_view(alarmed([1.0, 2.0, 3.0, 4.0]))
    assert view is not None and view.moved_mm == 30.0 and len(view.frames) == 4
    calm = alarmed([1.0, 2.0, 3.0, 4.0])
    calm.alarm = None
    assert moved_view(calm) is None
    assert CalibratingAgain(found).update(calm, 5.0) is None


def test_a_refusal_is_told_and_tried_again_later() -> None:
    again, watch = CalibratingAgain(refused), alarmed([1.0, 2.0, 3.0, 4.0])
    assert again.update(watch, 4.0) is None
    assert again.words == "It cannot be calibrated anew: no table found: show it."
    again.work = found
    assert again.update(watch, 8.0) is None, "not every second"
    new = again.update(watch, 15.0)
    assert new is not None and new.found.from_s == 1.0 and again.words == ""


def test_what_was_found_for_a_camera_that_is_back_in_its_place_is_dropped() -> None:
    watch, go = alarmed([1.0, 2.0, 3.0, 4.0]), threading.Event()

    def slow(view: MovedView) -> JustFound:
        go.wait(5.0)
        return found(view)

    again = CalibratingAgain(slow, beside=True)
    assert again.update(watch, 4.0) is None
    assert again.update(watch, 4.1) is None and again.words == "It is being calibrated anew."
    watch.alarm = None
    go.set()
    again.close()
    assert again.update(watch, 4.2) is None and again.words == ""


def test_a_camera_that_moved_on_meanwhile_is_not_taken() -> None:
    picture = resting()[0]
    camera = Camera.load(POT / "camera.json")
    watch = alarmed([1.0, 2.0, 3.0, 4.0], camera)
    elsewhere = shifted(25, 10)(picture)
    watch.moved_bgr[-1] = (4.0, elsewhere)
    seen = JustFound(FoundAgain(camera, 1.0, picture, 30.0, adjusted=True))
    again = CalibratingAgain(lambda _: seen)
    assert again.update(watch, 4.0) is None
    assert "still being moved" in again.words


def resting() -> list[Image]:
    """The table of a sample clip at rest, with the noise of a sensor."""
    return grained(images_of(POT / "clip.mp4", 1) * 9)


def shifted(dx: float, dy: float) -> Callable[[Image], Image]:
    """A camera that was bumped."""
    matrix = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]])
    return lambda image: np.asarray(
        cv2.warpAffine(image, matrix, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table at rest for 2.2 s, then the camera is bumped, and 5 s more; 5 frames a second."""
    pictures, move = resting(), shifted(22, -13)
    moved = [move(picture) for picture in pictures]

    def picture(index: int) -> Image:
        return (pictures if index < 11 else moved)[index % 9]

    return written(tmp_path_factory.mktemp("bumped") / "clip.mp4", picture, 35, rate=5)


@pytest.fixture(scope="module")
def bumped(clip: Path) -> Observation:
    """The clip, watched."""
    options = ObserveOptions(ball_set="tv", network=NetworkSettings(on=False))
    return observe(clip, Camera.load(POT / "camera.json"), options)


def test_after_a_move_a_video_is_seen_through_the_camera_found_anew(bumped: Observation) -> None:
    ((from_s, camera),) = bumped.later_cameras
    assert 2.2 <= from_s < 4.0, "soon after the move: nothing need be left out"
    assert bumped.camera_at(from_s - 0.1) is bumped.camera
    assert bumped.camera_at(from_s) is camera
    grid = np.array([(x, y) for x in (-1.2, 0.0, 1.2) for y in (-0.55, 0.0, 0.55)])
    pixels = bumped.camera.project_on_plane(grid) + (22.0, -13.0)
    assert 1000 * np.hypot(*(camera.on_plane(pixels) - grid).T).max() < 4.0


def test_balls_lie_after_a_move_where_they_lay_before(bumped: Observation) -> None:
    from_s = bumped.later_cameras[0][0]
    before = [state for state in bumped.states if state.t_s < from_s][-1]
    after = bumped.states[-1]
    assert len(before.balls) >= 5
    places = [np.array([b.position for b in state.balls.values()]) for state in (before, after)]
    apart = np.linalg.norm(places[0][:, None] - places[1][None], axis=2).min(axis=1)
    assert 1000 * apart.max() < 5.0
    assert bumped.events == (), "a jolt of the camera is no shot"


def test_the_move_and_the_new_calibration_are_told(bumped: Observation) -> None:
    (note,) = [note for note in bumped.notes if "moved" in note]
    assert "calibrated anew" in note and "ruled on again from" in note
    times = [state.t_s for state in bumped.states]
    assert times == sorted(set(times)), "no frame is told twice"
    assert bumped.source.frames == 35


class NoEyes:
    """Eyes that look at nothing."""

    sequences: ClassVar[list[object]] = []

    def update(self, _: object) -> None:
        """A frame."""

    def finish(self, _: object) -> list[object]:
        """The end."""
        return []


def test_a_camera_that_cannot_be_found_again_is_told_with_the_reason(
    clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("monitor.camera_again.found_again", refused)
    camera = Camera.load(POT / "camera.json")
    watched = watch_stretches(clip, camera, [], lambda *_: NoEyes(), None, lambda _: None)
    (stretch,) = watched.stretches
    (move,), (note,) = stretch.moves, stretch.notes
    assert move.until_s is None and watched.frames == 35
    assert note.endswith("(calibrating it anew failed: no table found: show it)")
    assert "positions from then on are not to be trusted" in note
