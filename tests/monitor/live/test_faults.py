"""What goes wrong with a camera: told in time with the right reason, no ruling meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from monitor.live.captured import Captured
from monitor.live.incremental import LiveObserver
from monitor.live.missed import Missed, span_of
from monitor.live.rate_watch import RateWatch
from monitor.live.shot_reading import SeenShot
from monitor.live.stoppages import Stoppage
from monitor.live.vigil import Vigil
from monitor.live.waiting_words import WaitingWords
from monitor.live.wall_clock import WallClock
from monitor.pipeline import observer_for
from table.events import BallPocketed, ShotEnded
from tests.monitor.live.stand_ins import POT, grained, images_of
from vision.ballset import ball_set_named
from vision.frames import Frame, Image

FPS = 6
FAULT_S, WELL_S, END_S = 1.5, 5.5, 8.2
Fault = Callable[[Image, int], Image | None]


@cache
def clip() -> list[Image]:
    """A shot as a camera without noise saw it: six seconds, 30 frames a second."""
    return images_of(POT / "clip.mp4")


@cache
def resting() -> list[Image]:
    """The table before it, with the noise of a sensor."""
    return grained([clip()[0]] * 9)


@dataclass
class Told:
    """What was said at which time."""

    at_s: dict[str, float] = field(default_factory=dict)
    """First time of each reason for which nothing is ruled on."""
    all_ids: set[str] = field(default_factory=set)
    stopped_s: list[float] = field(default_factory=list)
    """Times of the frames in which nothing was ruled on."""
    over: list[Stoppage] = field(default_factory=list)
    shots: list[SeenShot] = field(default_factory=list)


def watched(frames: Sequence[tuple[float, Image]]) -> Told:
    """Frames looked at as the eyes do."""
    camera = Camera.load(POT / "camera.json")
    live = LiveObserver(observer_for(camera, resting()), ball_set_named("tv"))
    vigil, told = Vigil(is_camera=True), Told()
    vigil.set_up(camera)
    for index, (t_s, image) in enumerate(frames):
        frame = Frame(index, t_s, image, np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)))
        glance, shots = live.update(frame)
        shift = live.observer.steady.last
        # To the count of frames time runs half as fast: a camera of twice the rate.
        told.over += vigil.see(Captured(frame, t_s / 2), index + 1, glance, shift)
        vigil.done += 1
        told.shots += vigil.admit(shots)
        told.all_ids |= {condition.id for condition in vigil.wrong}
        for condition in vigil.wrong:
            if condition.stops:
                told.at_s.setdefault(condition.id, t_s)
        if vigil.gate.reasons:
            told.stopped_s.append(t_s)
    return told


def with_fault(fault: Fault) -> Told:
    """The resting table, with something wrong from `FAULT_S` to `WELL_S`."""
    frames = []
    for number in range(int(END_S * FPS)):
        t_s, image = number / FPS, resting()[number % 9]
        shown = fault(image, number) if FAULT_S <= t_s < WELL_S else image
        if shown is not None:
            frames.append((t_s, shown))
    return watched(frames)


def warped(matrix: Image) -> Fault:
    """The picture of a camera that was moved."""
    flat = np.asarray(matrix, np.float32)[:2]
    return lambda image, _: np.asarray(
        cv2.warpAffine(image, flat, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    )


def shifted(dx: float, dy: float) -> Fault:
    """A camera that was bumped."""
    return warped(np.array([[1, 0, dx], [0, 1, dy]]))


def hand(image: Image, number: int) -> Image:
    """Something right before the lens: neither dark nor sharp."""
    return np.clip(image % 5 + 90 + number % 2, 0, 255).astype(np.uint8)


FAULTS: dict[str, tuple[Fault, str]] = {
    "frozen": (lambda _, __: resting()[0], "frozen"),
    "black": (lambda image, _: image // 25, "dark"),
    "lens covered": (hand, "no_view"),
    "bumped a little": (shifted(2.5, 1.5), "moved"),
    "bumped": (shifted(30, -18), "moved"),
    "zoomed": (warped(cv2.getRotationMatrix2D((640.0, 360.0), 0, 1.12)), "moved"),
    "turned over": (lambda image, _: np.ascontiguousarray(image[::-1, ::-1]), "moved"),
    "out of focus": (lambda image, _: np.asarray(cv2.GaussianBlur(image, (0, 0), 5)), "blurred"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_stops_the_rulings_with_its_reason_and_they_resume(name: str) -> None:
    fault, reason = FAULTS[name]
    told = with_fault(fault)
    assert reason in told.at_s, told.at_s
    assert told.at_s[reason] - FAULT_S <= 4.5
    assert told.stopped_s[0] - FAULT_S <= 4.5
    # All well again: within two seconds the rulings go on, and it is said what was missed.
    assert WELL_S <= told.stopped_s[-1] < WELL_S + 2.0
    assert [over.reasons for over in told.over] == [(reason,)]
    over = told.over[0]
    assert over.from_s <= FAULT_S + 0.2 and over.until_s == pytest.approx(WELL_S, abs=1.1)
    assert over.displaced == () and told.shots == []


def test_a_camera_that_is_well_is_left_alone() -> None:
    told = with_fault(lambda image, _: image)
    assert (told.at_s, told.all_ids, told.stopped_s, told.over) == ({}, set(), [], [])


def played(hidden: Fault | None, from_s: float, until_s: float) -> Told:
    """Two seconds of rest, the shot, and six of rest; `hidden` changes the frames of a span."""
    still = [(number / 10, resting()[number % 9]) for number in range(20)]
    shot = [(2.0 + number / 15, image) for number, image in enumerate(grained(clip()[::2]))]
    after = grained([clip()[-1]] * 9)
    end_s = shot[-1][0]
    rest = [(end_s + (number + 1) / 10, after[number % 9]) for number in range(60)]
    frames = []
    for number, (t_s, image) in enumerate([*still, *shot, *rest]):
        shown = image
        if hidden is not None and from_s <= t_s < until_s:
            changed = hidden(image, number)
            if changed is None:
                continue
            shown = changed
        frames.append((t_s, shown))
    return watched(frames)


@pytest.fixture(scope="module")
def whole() -> Told:
    """The shot with nothing wrong."""
    return played(None, 0.0, 0.0)


def struck_s(told: Told) -> float:
    """When the shot began."""
    start = told.shots[0].events[0].t_s
    assert start is not None
    return start


def test_a_shot_with_nothing_wrong_is_told_once(whole: Told) -> None:
    assert len(whole.shots) == 1 and whole.over == []
    assert any(isinstance(event, BallPocketed) for event in whole.shots[0].events)


def test_a_shot_that_went_dark_is_told_as_incomplete_with_the_reason(whole: Told) -> None:
    dark_s = struck_s(whole) + 0.9
    told = played(lambda image, _: image // 25, dark_s, dark_s + 2.5)
    assert len(told.shots) == 1
    end = next(event for event in told.shots[0].events if isinstance(event, ShotEnded))
    assert end.incomplete is not None
    assert [over.reasons for over in told.over] == [("dark",)]


def test_a_shot_that_nobody_saw_is_asked_for_by_its_balls(whole: Told) -> None:
    """The camera was away while it was played: what lies elsewhere is named."""
    before_s = struck_s(whole) - 0.2
    told = played(lambda _, __: None, before_s, 2.0 + len(clip()) / 30)
    assert told.shots == []
    assert [over.reasons for over in told.over] == [("source",)]
    assert {"2", "7"} <= set(told.over[0].displaced)
    span = span_of(told.over[0], 100.0)
    assert span.has_stroke and "by hand" in span.text and span.from_s > 100.0


def test_a_calibration_of_another_day_that_no_longer_fits_is_told() -> None:
    camera = Camera.load(POT / "camera.json")
    vigil = Vigil(is_camera=True)
    vigil.set_up(camera)
    vigil.compare(camera, [shifted(40, 12)(image, 0) for image in resting()[:2]])
    for thread in threading.enumerate():
        if thread.name == "fit":
            thread.join(60.0)
    image = resting()[0]
    frame = Frame(0, 0.0, image, np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)))
    vigil.see(Captured(frame, 0.0), 1, None, None)
    (told,) = vigil.wrong
    assert (told.id, told.stops) == ("misfit", False) and 60.0 < told.value < 140.0


# Rate


def rates(steps_s: Sequence[float]) -> list[tuple[float, str, bool]]:
    """What is said of frames that come so far apart: when, what, and whether it stops."""
    watch, at, told = RateWatch(is_camera=True), 0.0, []
    for came, step_s in enumerate(steps_s, start=1):
        at += step_s
        condition = watch.update(at, came, at)
        if condition is not None:
            told.append((at, condition.id, condition.stops))
    return told


def test_half_the_rate_is_told_within_five_seconds_and_does_not_stop() -> None:
    told = rates([1 / 30] * 150 + [1 / 15] * 75)
    assert told and told[0][0] - 5.0 < 3.0
    assert {row[1:] for row in told} == {("rate", False)}


def test_a_few_frames_a_second_stop_the_rulings() -> None:
    told = rates([1 / 30] * 150 + [1 / 6] * 30)
    assert told and told[-1][1:] == ("rate", True)


def test_an_even_rate_is_not_told() -> None:
    assert rates([1 / 60] * 600) == []
    assert rates([1 / 25 + (0.02 if n % 2 else -0.02) for n in range(300)]) == []


# Clocks, disks


def test_a_clock_that_is_set_is_told_for_a_minute() -> None:
    now, wall = [0.0], [1_000.0]
    clock = WallClock(lambda: wall[0], lambda: now[0])
    assert clock.step_s() == 0.0
    now[0], wall[0] = 1.0, 1_001.0
    assert clock.step_s() == 0.0
    now[0], wall[0] = 2.0, 4_602.0
    assert clock.step_s() == pytest.approx(3600.0)
    now[0], wall[0] = 30.0, 4_630.0
    assert clock.step_s() == pytest.approx(3600.0)
    now[0], wall[0] = 90.0, 4_690.0
    assert clock.step_s() == 0.0


def test_what_cannot_be_written_waits_in_its_order() -> None:
    full, done = [True], []

    def step(number: int) -> Callable[[], None]:
        def write() -> None:
            if full[0]:
                raise OSError("no space left on device")
            done.append(number)

        return write

    waiting = WaitingWords()
    for number in range(3):
        waiting.put(step(number))
    assert len(waiting) == 3 and done == []
    full[0] = False
    waiting.put(step(3))
    assert done == [0, 1, 2, 3] and len(waiting) == 0


def test_people_are_reminded_until_a_later_shot_is_ruled_on() -> None:
    missed = Missed()
    with_stroke = span_of(Stoppage(1.0, 4.0, ("moved",), displaced=("3",)), 0.0)
    missed.add(with_stroke)
    missed.add(span_of(Stoppage(5.0, 6.0, ("dark",)), 0.0))
    assert missed.reminder == with_stroke, "a stroke that is missing is not hidden by a lesser span"
    missed.shot_ruled(3.0)
    assert missed.reminder is not None
    missed.shot_ruled(9.0)
    assert missed.reminder is None and len(missed.spans) == 2
