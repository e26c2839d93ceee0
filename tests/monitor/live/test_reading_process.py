"""Shots are read in a process of their own, and read all the same when it is gone."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
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


@pytest.fixture
def reading() -> Iterator[tuple[BaseProcess, Connection]]:
    """The process, and the pipe that leads to it."""
    context = multiprocessing.get_context("spawn")
    near, far = context.Pipe()
    process = context.Process(target=run_reading, args=(far,), daemon=True)
    process.start()
    far.close()
    yield process, near
    near.close()
    process.join(timeout=30.0)


@pytest.mark.timeout(60)
def test_the_shots_come_back_and_when_the_process_is_gone_they_are_read_here(
    reading: tuple[BaseProcess, Connection],
) -> None:
    process, near = reading
    apart = ReadApart(near)
    found = apart(a_reading())
    assert found and found[0].events == apart(a_reading())[0].events
    process.kill()
    process.join()
    again = apart(a_reading())
    assert apart.gone and again[0].events == found[0].events == read_here(a_reading())[0].events
    assert again[0].paths == found[0].paths


@pytest.mark.timeout(60)
def test_nothing_is_left_running_when_the_eyes_are_gone(
    reading: tuple[BaseProcess, Connection],
) -> None:
    process, near = reading
    near.close()
    process.join(timeout=30.0)
    assert process.exitcode == 0
