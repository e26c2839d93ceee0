"""The eyes of an evening see what a review sees, on the same frames."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from calibration.camera import Camera
from monitor.live.incremental import QUIET_S, Glance, LiveObserver
from monitor.live.shot_reading import SeenShot
from monitor.pipeline import events_of, first_frames, observer_for
from table.balls import TO_THE_END
from table.events import BallContact, BallPocketed, CushionContact, ShotEnded, ShotEvent
from vision.ballset import ball_set_named
from vision.frames import VideoFile

FIXTURES = Path(__file__).parents[3] / "fixtures" / "videos"


@dataclass(frozen=True)
class Watched:
    """A clip watched both ways."""

    glances: list[Glance]
    shots: list[tuple[float, SeenShot]]
    """With the time of the frame at which they were handed out."""
    same_frames: tuple[ShotEvent, ...]
    """What an offline observer reads from the frames up to the first of them."""
    whole: tuple[ShotEvent, ...]


@cache
def watched(name: str) -> Watched:
    """Watch a fixture clip live and offline with the same camera and ball set."""
    clip = FIXTURES / name / "clip.mp4"
    camera = Camera.load(clip.parent / "camera.json")
    video = VideoFile(clip)
    firsts = first_frames(video)
    ball_set = ball_set_named("tv")
    live = LiveObserver(observer_for(camera, firsts), ball_set)
    offline = observer_for(camera, firsts)
    glances, shots = [], []
    same: tuple[ShotEvent, ...] = ()
    for frame in video:
        offline.update(frame)
        glance, ended = live.update(frame)
        glances.append(glance)
        shots += [(frame.t_s, shot) for shot in ended]
        if ended and not same:
            so_far = copy.copy(offline)
            so_far.sequences = copy.deepcopy(offline.sequences)
            same = events_of(so_far.finish(ball_set, TO_THE_END)[-1], camera.table)
    shots += [(glances[-1].t_s, shot) for shot in live.finish()]
    whole = events_of(offline.finish(ball_set, TO_THE_END)[-1], camera.table)
    return Watched(glances, shots, same, whole)


def story(events: tuple[ShotEvent, ...]) -> list[tuple[object, ...]]:
    """What happened, without times."""
    told: list[tuple[object, ...]] = []
    for event in events:
        match event:
            case BallContact():
                told.append((event.kind, event.a, event.b))
            case CushionContact():
                told.append((event.kind, event.ball, event.cushion))
            case BallPocketed():
                told.append((event.kind, event.ball, event.pocket))
            case _:
                told.append((event.kind,))
    return told


def test_live_and_offline_read_the_same_from_the_same_frames() -> None:
    """To the last digit: the same objects did the work."""
    seen = watched("pot")
    ((_, shot),) = seen.shots
    assert shot.events == seen.same_frames


def test_what_was_handed_out_at_rest_is_what_the_whole_clip_shows() -> None:
    seen = watched("pot")
    ((_, shot),) = seen.shots
    assert story(shot.events) == story(seen.whole)
    for live, later in zip(shot.events, seen.whole, strict=True):
        assert live.t_s == pytest.approx(later.t_s, abs=0.01)


def test_a_shot_is_handed_out_within_a_second_of_rest() -> None:
    seen = watched("pot")
    ((at_s, shot),) = seen.shots
    end = next(e for e in shot.events if isinstance(e, ShotEnded))
    assert end.t_s is not None and 0.0 < at_s - end.t_s < QUIET_S + 0.3


def test_the_stroke_is_noticed_while_it_is_played() -> None:
    seen = watched("pot")
    since = [g for g in seen.glances if g.moving_since_s is not None]
    ((at_s, shot),) = seen.shots
    start_s = shot.events[0].t_s
    assert start_s is not None and since
    assert start_s < since[0].t_s < start_s + 0.35
    assert since[-1].t_s < at_s and seen.glances[-1].moving_since_s is None


def test_positions_and_paths_carry_the_names_of_the_balls() -> None:
    seen = watched("pot")
    ((_, shot),) = seen.shots
    assert "2" not in seen.glances[-1].balls
    assert {"2", "7"} <= set(shot.paths) and len(shot.paths["2"]) > 10
    assert {"4", "5", "6", "7"} <= set(seen.glances[-1].balls)


def test_a_reading_beside_the_frames_finds_the_same_shot() -> None:
    """As with a camera: the frames go on while the shot is read."""
    clip = FIXTURES / "pot" / "clip.mp4"
    camera = Camera.load(clip.parent / "camera.json")
    video = VideoFile(clip)
    live = LiveObserver(observer_for(camera, first_frames(video)), ball_set_named("tv"), True)
    shots = [shot for frame in video for shot in live.update(frame)[1]] + live.finish()
    assert [story(shot.events) for shot in shots] == [story(watched("pot").shots[0][1].events)]
