"""A long video in segments: parted at rest, resumed after a kill, the same either way."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from monitor import segments
from monitor.long_watch import is_long, observe_long
from monitor.observation import Observation, ObserveOptions
from monitor.quiet import HIDDEN_S, LIP_S, Quiet
from monitor.segment_store import SegmentStore, camera_again
from monitor.settings import NetworkSettings
from monitor.state_file import StateFile, states_between
from table.events import ShotStarted
from table.geometry import NINE_FOOT
from table.state import BallState, TableState
from table.track_file import write_tracks
from tests.monitor.films import first_packets
from vision.tracker import Sighting, Track

CLIP = Path(__file__).parents[2] / "fixtures" / "videos" / "pot"
FRAMES = 62
OPTIONS = ObserveOptions(ball_set="tv", network=NetworkSettings(on=False))
PLAN = {"v": 1, "key": "this video"}


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first two seconds of a clip: rest, the stroke, the first contact."""
    path = tmp_path_factory.mktemp("video") / "match.mp4"
    first_packets(CLIP / "clip.mp4", path, FRAMES)
    return path


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts after so short a rest as this clip has."""
    monkeypatch.setattr(segments, "REST_S", 0.2)
    monkeypatch.setattr(segments, "OVERLAP_S", 0.3)


def watch(
    video: Path, folder: Path, options: ObserveOptions = OPTIONS
) -> tuple[SegmentStore, Observation]:
    store = SegmentStore(folder / ".segments")
    camera = Camera.load(CLIP / "camera.json")
    return store, observe_long(
        video, camera, options, store, PLAN, folder / "tracks.csv", least_s=0.4
    )


def test_a_run_that_was_killed_goes_on_and_sees_the_same(video: Path, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    store, undisturbed = watch(video, whole)
    first, *rest = list(store)
    assert rest
    assert first.next is not None
    assert first.next.index < first.frames < FRAMES
    seen = undisturbed.events
    assert any(isinstance(event, ShotStarted) and event.shot == 1 for event in seen)

    killed.mkdir()
    shutil.copytree(whole / ".segments", killed / ".segments")
    for segment in rest:
        (killed / ".segments" / f"{segment.number:05d}.json").unlink()
    frames: list[int] = []
    heard = replace(OPTIONS, on_progress=lambda done, _: frames.append(done))
    _, resumed = watch(video, killed, heard)
    # It began where the second segment begins, not with the video.
    assert frames[0] == first.next.index + 1
    assert resumed.events == seen
    assert (killed / "tracks.csv").read_bytes() == (whole / "tracks.csv").read_bytes()
    times = [s.t_s for s in resumed.states]
    assert times == sorted(set(times))
    assert len(resumed.states) == FRAMES

    # What is finished is not looked at again; another plan begins anew.
    frames.clear()
    watch(video, killed, heard)
    assert frames == []
    left = SegmentStore(killed / ".segments")
    assert left.plan(PLAN) is not None
    assert left.plan(PLAN | {"key": "another video"}) is None
    left.begin(PLAN)
    assert list(left) == []


def test_a_camera_that_is_read_again_is_the_same_to_the_last_bit() -> None:
    turned = cv2.Rodrigues(np.array([3.0, 0.03, -0.02]))[0]
    camera = replace(Camera.load(CLIP / "camera.json"), r_camera_from_table=turned)
    written = camera.to_json()
    for _ in range(3):
        camera = camera_again(json.loads(json.dumps(camera.to_json())))
        assert camera.to_json() == written


def test_short_videos_are_watched_whole_and_what_cannot_be_read_is_not_long(
    video: Path, tmp_path: Path
) -> None:
    assert not is_long(video)
    assert not is_long(tmp_path / "nothing.mp4")


@dataclass(frozen=True)
class Followed:
    """A followed ball, as much of it as is asked for."""

    number: int
    last: Sighting
    velocity: tuple[float, float] = (0.0, 0.0)
    confirmed: bool = True
    lost: bool = False


def track(number: int, t_s: float, x_m: float, y_m: float = 0.0, speed: float = 0.0) -> Track:
    """A followed ball, last seen at `t_s`."""
    sighting = Sighting(0, t_s, x_m, y_m, 0.001, 0.0, 0.0, 1.0, 0)
    return cast(Track, Followed(number, sighting, (speed, 0.0)))


def test_quiet_counts_from_the_last_motion() -> None:
    quiet = Quiet(NINE_FOOT)
    for step in range(5):
        quiet.update(step * 0.1, [track(1, step * 0.1, 0.1 * step, speed=1.0)])
    assert quiet.lasted_s(0.4) == 0.0
    for step in range(5, 12):
        quiet.update(step * 0.1, [track(1, step * 0.1, 0.4)])
    assert quiet.lasted_s(1.1) == pytest.approx(0.7)
    assert quiet.in_sight


def test_a_hidden_ball_is_no_moment_to_part_a_fallen_one_is() -> None:
    quiet = Quiet(NINE_FOOT)
    quiet.update(1.0, [track(1, 1.0, 0.0), track(2, 0.2, 0.5, 0.1)])
    assert not quiet.in_sight
    quiet.update(0.2 + HIDDEN_S, [track(1, 0.2 + HIDDEN_S, 0.0), track(2, 0.2, 0.5, 0.1)])
    assert quiet.in_sight
    corner = NINE_FOOT.length_m / 2, NINE_FOOT.width_m / 2
    quiet = Quiet(NINE_FOOT)
    quiet.update(1.1, [track(1, 1.1, 0.0), track(2, 0.2, *corner)])
    assert quiet.in_sight


def test_a_ball_on_a_lip_may_still_fall() -> None:
    quiet = Quiet(NINE_FOOT)
    place = NINE_FOOT.length_m / 2 - 0.01, NINE_FOOT.width_m / 2 - 0.01
    quiet.update(0.0, [track(1, 0.0, *place)])
    quiet.update(3.0, [track(1, 3.0, *place)])
    assert quiet.on_lip
    assert quiet.lasted_s(3.0) == 0.0
    quiet.update(LIP_S + 0.1, [track(1, LIP_S + 0.1, *place)])
    assert quiet.lasted_s(LIP_S + 0.1) == pytest.approx(LIP_S + 0.1)


def test_spans_of_a_file_are_those_of_memory(tmp_path: Path) -> None:
    states = tuple(
        TableState(
            k * 0.04, {"cue": BallState("cue", k * 0.001, 0.0), "3": BallState("3", 0.5, 0.1)}
        )
        for k in range(200)
    )
    write_tracks(states, tmp_path / "tracks.csv")
    file = StateFile(tmp_path / "tracks.csv", 200, (0.0, states[-1].t_s))
    for span in ((0.0, 0.5), (2.0, 3.5), (7.9, 99.0), (-5.0, -1.0), (1.01, 1.02)):
        told = states_between(file, *span)
        assert [s.t_s for s in told] == pytest.approx(
            [s.t_s for s in states_between(states, *span)]
        )
        assert all(len(s.balls) == 2 for s in told)
    assert len(list(file)) == len(file) == 200
    assert file[0].t_s == 0.0
