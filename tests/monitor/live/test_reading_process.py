"""Shots are read in a process of their own, and read all the same when it is gone."""

from __future__ import annotations

import multiprocessing
from functools import cache
from pathlib import Path

import pytest

from calibration.camera import Camera
from monitor.live.reading_process import ReadApart, run_reading
from monitor.live.shot_reading import Reading, read_here, reading_of
from monitor.pipeline import first_frames, observer_for
from vision.ballset import ball_set_named
from vision.frames import VideoFile

CLIP = Path(__file__).parents[3] / "fixtures" / "videos" / "pot" / "clip.mp4"


@cache
def a_reading() -> Reading:
    """What there is to read at the end of a clip."""
    video = VideoFile(CLIP)
    observer = observer_for(Camera.load(CLIP.parent / "camera.json"), first_frames(video))
    for frame in video:
        observer.update(frame)
    return reading_of(observer, ball_set_named("tv"), final=True)


@pytest.mark.timeout(60)
def test_the_shots_come_back_the_process_ends_with_its_owner_and_is_replaced() -> None:
    context = multiprocessing.get_context("spawn")
    near, far = context.Pipe()
    process = context.Process(target=run_reading, args=(far,), daemon=True)
    process.start()
    far.close()
    apart = ReadApart(near)
    found = apart(a_reading())
    assert found and found[0].events == apart(a_reading())[0].events
    process.kill()
    process.join()
    again = apart(a_reading())
    assert apart.gone and again[0].events == found[0].events == read_here(a_reading())[0].events
    assert again[0].paths == found[0].paths


@pytest.mark.timeout(60)
def test_nothing_is_left_running_when_the_eyes_are_gone() -> None:
    context = multiprocessing.get_context("spawn")
    near, far = context.Pipe()
    process = context.Process(target=run_reading, args=(far,), daemon=True)
    process.start()
    far.close()
    near.close()
    process.join(timeout=30.0)
    assert process.exitcode == 0
