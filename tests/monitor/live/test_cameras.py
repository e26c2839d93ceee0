"""Cameras over their real protocols: read at once, lost and found again, times kept."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from monitor.failures import CannotBeDoneError
from monitor.live.camera_address import camera_address
from monitor.live.camera_reader import CameraReader
from monitor.live.captured import Captured
from monitor.live.sender_clock import SenderClock
from monitor.live.sources import FilePlayer
from tests.monitor.live.stand_ins import (
    POT,
    MjpegCamera,
    RtspCamera,
    free_port,
    has_rtsp_server,
    images_of,
    jpeg,
)
from vision.frame_folder import FrameFolder
from vision.frames import SourceError


@pytest.fixture(scope="module")
def pictures() -> list[bytes]:
    """A clip as single JPEG pictures."""
    return [jpeg(cv2.resize(image, (640, 360))) for image in images_of(POT / "clip.mp4", 60)]


@pytest.fixture
def mjpeg(pictures: list[bytes]) -> Iterator[MjpegCamera]:
    """A camera that sends them."""
    camera = MjpegCamera(pictures)
    camera.start()
    yield camera
    camera.stop()


def frames_of(
    reader: CameraReader, enough: Callable[[list[Captured]], bool], within_s: float = 20.0
) -> list[Captured]:
    """Frames as they come, until there are enough."""
    taken: list[Captured] = []
    until = time.monotonic() + within_s
    while time.monotonic() < until and not enough(taken):
        captured = reader.line.take(0.1)
        if captured is not None:
            taken.append(captured)
    return taken


def kill_and_restart(camera: MjpegCamera | RtspCamera) -> tuple[list[Captured], CameraReader, int]:
    """A camera that is gone for a second in the middle; how many frames came before it died."""
    reader = CameraReader(camera.address)
    reader.start()
    first = frames_of(reader, lambda taken: len(taken) >= 30)
    camera.stop()
    gone = time.monotonic()
    frames_of(reader, lambda _: reader.problem is not None, 5.0)
    assert reader.problem is not None and "trying again" in reader.problem
    while time.monotonic() < gone + 0.6:
        time.sleep(0.02)
    camera.start()
    second = frames_of(reader, lambda taken: len(taken) >= 30)
    reader.stop()
    assert reader.problem is None
    return first + second, reader, len(first)


def test_an_mjpeg_camera_that_is_restarted_is_found_again(mjpeg: MjpegCamera) -> None:
    taken, reader, before = kill_and_restart(mjpeg)
    assert before >= 30 and len(taken) >= 60 and reader.connections == 2
    times = [captured.frame.t_s for captured in taken]
    assert all(a < b for a, b in itertools.pairwise(times))
    assert [c.frame.index for c in taken] == list(range(len(taken)))


def test_the_newest_frame_is_not_held_back(mjpeg: MjpegCamera) -> None:
    """A picture is there before the camera sends the next one but one: no queue on the way.

    A queue of n pictures would hold back every one of them; a machine that pauses, a few.
    """
    reader = CameraReader(mjpeg.address)
    reader.start()
    taken = frames_of(reader, lambda found: len(found) >= 20)
    sent = [at for _, at in mjpeg.sent_at]
    reader.stop()
    left = [sum(at < captured.at for at in sent) for captured in taken]
    # The n-th frame came in when n or n + 1 pictures had left.
    held_back = [count - (c.frame.index + 1) for count, c in zip(left, taken, strict=True)]
    assert 0 <= statistics.median(held_back) <= 1


def test_a_camera_that_goes_silent_is_told_within_five_seconds(mjpeg: MjpegCamera) -> None:
    reader = CameraReader(mjpeg.address)
    reader.start()
    frames_of(reader, lambda taken: len(taken) >= 5)
    mjpeg.silent = True
    silent = time.monotonic()
    frames_of(reader, lambda _: reader.problem is not None, 8.0)
    assert reader.problem is not None and time.monotonic() - silent < 5.0
    mjpeg.silent = False
    assert len(frames_of(reader, lambda taken: len(taken) >= 5)) >= 5
    reader.stop()


def test_damaged_pictures_are_passed_over(mjpeg: MjpegCamera) -> None:
    reader = CameraReader(mjpeg.address)
    reader.start()
    frames_of(reader, lambda taken: len(taken) >= 3)
    mjpeg.instead = b"\xff\xd8" + bytes(2000)
    frames_of(reader, lambda _: reader.damaged >= 3)
    mjpeg.instead = None
    assert len(frames_of(reader, lambda taken: len(taken) >= 5)) >= 5
    reader.stop()
    assert reader.damaged >= 3 and reader.connections == 1


@pytest.mark.skipif(not has_rtsp_server(), reason="GStreamer's RTSP server is not installed")
def test_an_rtsp_camera_that_is_restarted_is_found_again_and_keeps_its_time() -> None:
    camera = RtspCamera(POT / "clip.mp4", free_port())
    camera.start()
    try:
        taken, reader, before = kill_and_restart(camera)
    finally:
        camera.stop()
    times = [captured.frame.t_s for captured in taken]
    assert all(a < b for a, b in itertools.pairwise(times)) and reader.connections == 2
    # The sender's clock is steadier than the way to here: frames are 1/30 s apart.
    steps = [b - a for a, b in itertools.pairwise(times[:before])]
    assert statistics.median(steps) == pytest.approx(1 / 30, abs=0.001)
    assert sum(abs(step - 1 / 30) < 0.003 for step in steps) >= 0.9 * len(steps)


# The sender's clock


def delivered(delays_s: list[float], rate: float = 1.0) -> tuple[SenderClock, list[float]]:
    """Frames seen every 0.1 s that took so long to come; the times that were told for them."""
    clock, told = SenderClock(), []
    for number, delay_s in enumerate(delays_s):
        seen_at = 1000.0 + 0.1 * number
        clock.saw((seen_at - 1000.0) * rate + 7.0, seen_at + delay_s)
        told.append(clock.time_of((seen_at - 1000.0) * rate + 7.0) - seen_at)
    return clock, told


def test_a_frame_that_the_network_held_up_keeps_its_time() -> None:
    delays = [0.02] * 20 + [1.5, 1.4, 1.3] + [0.02] * 20
    _, told = delivered(delays)
    assert max(told) - min(told) < 0.005


def test_the_burst_of_a_new_connection_does_not_set_the_clock() -> None:
    delays = [0.9, 0.8, 0.7, 0.6] + [0.02] * 30
    clock, told = delivered(delays)
    assert clock.is_settled and told[-1] == pytest.approx(0.02, abs=0.003)
    assert clock.jumps == 0


def test_clocks_that_run_apart_stay_together() -> None:
    _, told = delivered([0.02] * 600, rate=1.0001)
    assert max(told) - min(told) < 0.01


@pytest.mark.parametrize("leap_s", [3600.0, -3600.0])
def test_a_sender_whose_clock_leaps_is_followed_and_counted(leap_s: float) -> None:
    clock, told = SenderClock(), []
    for number in range(60):
        at = 50.0 + 0.1 * number
        sent_s = 0.1 * number + (leap_s if number >= 30 else 0.0)
        clock.saw(sent_s, at)
        told.append(clock.time_of(sent_s) - at)
    assert clock.jumps == 1
    assert max(abs(late) for late in told) < 0.01


# Devices


def test_a_device_takes_its_mode_in_its_name() -> None:
    address = camera_address("/dev/video2?size=1920x1080&fps=60&format=mjpeg")
    assert (address.place, address.format) == ("/dev/video2", "v4l2")
    wanted = {"video_size": "1920x1080", "framerate": "60", "input_format": "mjpeg"}
    assert wanted.items() <= address.options.items()


@pytest.mark.parametrize("mode", ["speed=3", "size=", "fps=60&colour=no"])
def test_a_mode_that_does_not_exist_is_told(mode: str) -> None:
    with pytest.raises(CannotBeDoneError, match="no mode of a camera"):
        camera_address(f"/dev/video0?{mode}")


def test_a_device_is_read_like_any_camera() -> None:
    """libav's own test device stands in for a USB camera: same interface, no kernel module."""
    reader = CameraReader(
        "/dev/video0",
        connect=lambda: av.open("testsrc2=size=320x240:rate=30,realtime", format="lavfi"),
    )
    reader.start()
    taken = frames_of(reader, lambda found: len(found) >= 20)
    reader.stop()
    assert len(taken) >= 20 and taken[0].frame.image.shape == (240, 320, 3)
    times = [captured.frame.t_s for captured in taken]
    assert times[-1] - times[0] == pytest.approx((len(taken) - 1) / 30, abs=0.05)
    # Pictures that are not compressed cannot be copied into clips; that is known.
    assert not reader.can_keep


# Folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twelve pictures with numbers in their names."""
    for number in range(12):
        picture = np.full((40, 60, 3), 10 * number, np.uint8)
        cv2.imwrite(str(tmp_path / f"frame{number}.png"), picture)
    return tmp_path


def test_a_folder_is_read_in_the_order_of_its_numbers(folder: Path) -> None:
    frames = list(FrameFolder(folder))
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [10 * n for n in range(12)]
    assert frames[3].t_s == pytest.approx(0.1)


def test_a_folder_may_tell_its_own_times(folder: Path) -> None:
    (folder / "times.txt").write_text("\n".join(str(n / 60) for n in range(12)))
    source = FrameFolder(folder, from_s=0.1)
    assert source.nominal_fps == pytest.approx(60.0)
    assert [frame.index for frame in source] == [6, 7, 8, 9, 10, 11]


def test_a_folder_that_cannot_be_played_says_why(folder: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(SourceError, match="no pictures"):
        FrameFolder(empty)
    (folder / "times.txt").write_text("1\n2\n")
    with pytest.raises(SourceError, match="2 times for 12"):
        FrameFolder(folder)
    (folder / "times.txt").unlink()
    (folder / "frame7.png").write_bytes(b"no picture")
    source = FrameFolder(folder)
    assert len(list(source)) == 7 and "frame7.png" in str(source.ended_early)


def test_a_folder_plays_at_its_speed(folder: Path) -> None:
    player = FilePlayer(folder, realtime=True)
    player.start()
    taken = []
    while not player.line.ended:
        captured = player.line.take(0.5)
        if captured is not None:
            taken.append(captured)
    assert len(taken) == 12
    assert taken[-1].at - taken[0].at == pytest.approx(11 / 30, abs=0.1)
