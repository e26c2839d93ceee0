"""The observer: frames in, what every ball did out, in exact photographs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.photographs import (
    RED,
    WHITE,
    YELLOW,
    Ball,
    Thing,
    bar,
    hand,
    photograph,
    usual,
    usual_localizer,
    usual_top,
)
from vision.frames import Frame, Image
from vision.observer import Observer
from vision.sequence import Seen

FRAME = 0.04
Scene = tuple[Sequence[Ball], Sequence[Thing], tuple[float, float]]


def frame_of(index: int, picture: Image) -> Frame:
    """A frame as the reader gives it; time begins at 0.04."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return Frame(index, 0.04 + FRAME * index, picture, gray)


def watched(count: int, scene: Callable[[int], Scene | None]) -> tuple[Observer, list[Seen]]:
    """Watch `count` photographs; a scene None is another picture altogether."""
    top = usual_top()
    observer = Observer(usual(), top, usual_localizer().cloth)
    rng = np.random.default_rng(0)
    other = cv2.resize(rng.integers(0, 255, (18, 32, 3), np.uint8), (1280, 720))
    for index in range(count):
        shown = scene(index)
        if shown is None:
            picture = np.asarray(other, np.uint8)
        else:
            balls, things, shift = shown
            picture = photograph(balls, things, seed=index % 7, shift_px=shift)
        observer.update(frame_of(index, picture))
    return observer, observer.finish(None)


def ball_at(seen: Seen, x_m: float, y_m: float) -> np.ndarray:
    """The sightings (N, 2) of the ball that was once within a centimetre of a place."""
    for motion in seen.motions.values():
        if (np.hypot(*(motion.path.xy_m - (x_m, y_m)).T) < 0.01).any():
            return motion.path.xy_m
    raise AssertionError(f"no ball at {x_m}, {y_m}")


def rolling(index: int) -> Ball:
    """A white ball that rolls at 1 m/s from frame 12 on."""
    way = max(0, index - 11.5) * FRAME
    return Ball(-0.6 + way, -0.2 + 0.1 * way, WHITE, (0.02, 0.002) if way > 0 else (0.0, 0.0))


def usual_scene(index: int) -> Scene:
    """A ball at rest, one that is struck, one under a hand up to frame 13; the camera shakes."""
    shift = (1.2 * np.sin(index / 4), 0.8 * np.cos(index / 3) - 0.8)
    lying = [Ball(0.5, 0.3, YELLOW), Ball(0.1, 0.45, RED)]
    arm = [hand(0.1, 0.45, 0.13), bar((0.1, 0.45), (0.15, 0.95), 0.09)] if index < 13 else []
    return [*lying, rolling(index)], arm, shift


@cache
def usual_watch() -> tuple[Observer, list[Seen]]:
    """The usual scene, watched for 32 frames."""
    return watched(32, usual_scene)


def test_a_shaking_camera_does_not_move_a_resting_ball() -> None:
    """While the picture shifts by up to 1.5 px a resting ball stays within half a millimetre."""
    (seen,) = usual_watch()[1]
    places = ball_at(seen, 0.5, 0.3)
    assert len(places) == 32
    assert 1000 * np.hypot(*(places - (0.5, 0.3)).T).max() < 0.6


def test_a_struck_ball_is_one_motion() -> None:
    """From rest through its blur: one ball, seen in every frame, within three millimetres."""
    (seen,) = usual_watch()[1]
    places = ball_at(seen, -0.6, -0.2)
    truth = np.array([(rolling(i).x_m, rolling(i).y_m) for i in range(32)])
    assert len(places) == 32
    assert 1000 * np.hypot(*(places - truth).T).max() < 3.0


def test_a_ball_that_a_hand_uncovers_lay_there_all_along() -> None:
    """A resting ball that comes out from under a hand is on the table from the first frame."""
    (seen,) = usual_watch()[1]
    (motion,) = [
        m for m in seen.motions.values() if np.hypot(*(m.path.xy_m[-1] - (0.1, 0.45))) < 0.01
    ]
    assert motion.path.t_s[0] == pytest.approx(0.04, abs=0.05)
    assert [leg.at_rest for leg in motion.legs] == [True]


def test_a_hand_is_no_ball() -> None:
    """Three balls were there, and three motions come out."""
    (seen,) = usual_watch()[1]
    assert len(seen.motions) == 3


def test_there_is_a_state_a_frame_at_its_own_time() -> None:
    """states holds every frame's presentation time in order, each ball at most once."""
    (seen,) = usual_watch()[1]
    assert [s.t_s for s in seen.states] == pytest.approx([0.04 + FRAME * i for i in range(32)])
    last = seen.states[-1]
    assert len(last.balls) == 3
    assert all(name == ball.name for name, ball in last.balls.items())
    speeds = sorted(ball.speed_mps for ball in last.balls.values())
    assert speeds[:2] == pytest.approx([0, 0], abs=0.02)
    assert speeds[2] == pytest.approx(1.0, abs=0.1)


def test_a_cut_ends_a_sequence() -> None:
    """Another picture ends what is followed; the table's return begins anew."""

    def scene(index: int) -> Scene | None:
        if 12 <= index < 15:
            return None
        return [Ball(0.5 if index < 12 else -0.3, 0.2, YELLOW)], [], (0.0, 0.0)

    first, second = watched(27, scene)[1]
    assert first.ended_by_cut
    assert not second.ended_by_cut
    assert [len(s.states) for s in (first, second)] == [12, 12]
    assert {tuple(np.round(m.path.xy_m[-1], 2)) for m in first.motions.values()} == {(0.5, 0.2)}
    assert {tuple(np.round(m.path.xy_m[-1], 2)) for m in second.motions.values()} == {(-0.3, 0.2)}


def test_an_unshown_table_gives_nothing() -> None:
    """A clip that shows the table in its first frame only yields no motion and no crash."""
    _, seen = watched(6, lambda i: ([], [], (0.0, 0.0)) if i == 0 else None)
    assert list(itertools.chain.from_iterable(s.motions for s in seen)) == []


def test_a_warm_observer_has_seen_nothing_yet() -> None:
    pictures = [photograph([Ball(0.2 + 0.01 * i, 0.1, RED)], seed=i) for i in range(4)]
    places = []
    for warm in (False, True):
        observer = Observer(usual(), usual_top(), usual_localizer().cloth)
        if warm:
            observer.warm_up(photograph([Ball(-0.7, -0.3, WHITE)], seed=9))
            assert observer.sequences == []
        tracks = [observer.update(frame_of(i, picture)) for i, picture in enumerate(pictures)]
        places.append([[track.position for track in found] for found in tracks])
    assert places[0] == places[1] and places[0][-1]
