"""A recorded camera: packets as they came, in pieces that survive what happens to them."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import pytest

from monitor.cli import main
from monitor.live.camera_reader import CameraReader
from monitor.live.eye_words import RecordOrder
from monitor.live.packet_twin import PacketTwin, kept_packet
from monitor.live.recorder import Recorder
from monitor.live.recordings import Piece, Playlist, make_room
from tests.monitor.live.stand_ins import POT, MjpegCamera, images_of, jpeg
from vision.frames import VideoFile

CLIP = POT / "clip.mp4"


def order(folder: Path, piece_s: float = 1.0, most: int = 10**9, free: int = 0) -> RecordOrder:
    """A recording in short pieces."""
    return RecordOrder(str(folder), most, free, piece_s)


def recorded_clip(recorder: Recorder, shift_s: float = 1000.0) -> None:
    """Give a recorder the packets of a clip (H.264 with B frames), as a camera's."""
    with av.open(str(CLIP)) as container:
        stream = container.streams.video[0]
        twin = PacketTwin(stream)
        for packet in container.demux(stream):
            if packet.pts is not None:
                kept = kept_packet(packet, float(packet.pts * packet.time_base) + shift_s)
                if kept is not None:
                    recorder.keep(twin, kept)


def playlist_of(folder: Path) -> Path:
    """The one list in a folder."""
    (path,) = folder.glob("*.ffconcat")
    return path


def test_a_recording_is_the_same_video(tmp_path: Path) -> None:
    recorder = Recorder(order(tmp_path))
    recorder.start()
    recorded_clip(recorder)
    recorded_clip(recorder, 1010.0)
    recorder.stop()
    assert recorder.problem is None and recorder.lost == 0
    was = list(VideoFile(CLIP))
    again = VideoFile(playlist_of(tmp_path))
    frames = list(again)
    assert again.ended_early is None and len(frames) == 2 * len(was)
    assert all((a.image == b.image).all() for a, b in zip(was, frames, strict=False))
    # The times too, and the gap of the ten seconds between the two.
    first_s = was[0].t_s
    wanted = [f.t_s - first_s for f in was] + [f.t_s - first_s + 10.0 for f in was]
    assert [f.t_s for f in frames] == pytest.approx(wanted, abs=2e-5)


@pytest.fixture
def camera() -> Iterator[MjpegCamera]:
    """Small pictures, thirty a second."""
    images = images_of(CLIP, 20)
    made = MjpegCamera([jpeg(cv2.resize(image, (320, 180))) for image in images])
    made.start()
    yield made
    made.stop()


RECORDING = """
import sys, time
from monitor.live.camera_reader import CameraReader
from monitor.live.eye_words import RecordOrder
from monitor.live.recorder import Recorder
recorder = Recorder(RecordOrder(sys.argv[2], 10**9, 0, 1.0))
recorder.start()
reader = CameraReader(sys.argv[1], keep=recorder.keep)
reader.start()
while True:
    captured = reader.line.take(1.0)
    if captured is not None:
        print(captured.frame.index, flush=True)
"""


def test_a_power_cut_loses_no_more_than_the_last_moment(
    tmp_path: Path, camera: MjpegCamera
) -> None:
    """kill -9 while a piece is being written."""
    command = [sys.executable, "-c", RECORDING, camera.address, str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen = 0
    for line in process.stdout:
        seen = int(line) + 1
        if seen >= 75:
            break
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    frames = list(VideoFile(playlist_of(tmp_path)))
    assert len(list(tmp_path.glob("*.mp4"))) >= 2
    assert seen - 5 <= len(frames) <= seen + 5
    assert all(a.t_s < b.t_s for a, b in itertools.pairwise(frames))


def mounted(folder: Path, size: str) -> bool:
    """A small disk of its own at `folder`; False where that may not be made."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Two megabytes."""
    folder = tmp_path / "disk"
    if not mounted(folder, "2m"):
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


def test_a_full_disk_is_told_and_recording_goes_on_when_there_is_room(
    small_disk: Path, camera: MjpegCamera
) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(bytes(1_500_000))
    recorder = Recorder(order(small_disk, piece_s=600.0))
    recorder.start()
    reader = CameraReader(camera.address, keep=recorder.keep)
    reader.start()
    seen, until = 0, time.monotonic() + 20.0
    while recorder.problem is None and time.monotonic() < until:
        seen += reader.line.take(0.2) is not None
    assert recorder.problem is not None and recorder.told().lost > 0
    # The camera is read on meanwhile.
    before = seen
    while seen < before + 10 and time.monotonic() < until:
        seen += reader.line.take(0.2) is not None
    filler.unlink()
    while recorder.problem is not None and time.monotonic() < until + 10.0:
        seen += reader.line.take(0.2) is not None
    reader.stop()
    recorder.stop()
    assert seen >= before + 10 and recorder.problem is None
    assert len(list(VideoFile(playlist_of(small_disk)))) > 20


def test_no_room_is_taken_that_has_to_stay_free(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    recorder = Recorder(order(tmp_path / "r", free=2 * free))
    recorder.start()
    recorded_clip(recorder)
    recorder.stop()
    assert recorder.problem == "the disk is full." and recorder.lost > 0
    assert list((tmp_path / "r").glob("*.mp4")) == []


def test_a_file_is_not_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["watch", str(CLIP), "--record", str(tmp_path / "r"), "--data", str(tmp_path / "j")]
    assert main(asked) == 2
    assert "for cameras" in capsys.readouterr().err
    assert main(["watch", "/dev/video0?speed=3", "--data", str(tmp_path / "j")]) == 1
    assert "no mode of a camera" in capsys.readouterr().err


def test_the_oldest_pieces_go_first_and_nothing_else(tmp_path: Path) -> None:
    for evening in ("20260101T180000-1", "20260102T180000-2"):
        (tmp_path / f"table-{evening}.ffconcat").write_text("ffconcat version 1.0\n")
        for number in range(1, 4):
            (tmp_path / f"table-{evening}-{number:05d}.mp4").write_bytes(bytes(1000))
    other = tmp_path / "table-mine.mp4"
    other.write_bytes(bytes(5000))
    gone = make_room(tmp_path, 2500, 0)
    assert [path.name[:27] for path in gone] == ["table-20260101T180000-1-000"] * 3 + [
        "table-20260102T180000-2-000"
    ]
    assert not (tmp_path / "table-20260101T180000-1.ffconcat").exists()
    assert (tmp_path / "table-20260102T180000-2.ffconcat").exists() and other.exists()


def test_a_piece_that_was_deleted_leaves_the_list(tmp_path: Path) -> None:
    playlist = Playlist(tmp_path / "table-x.ffconcat")
    pieces: list[Piece] = []
    for number in range(3):
        piece = playlist.next_piece(10.0 * number)
        piece.path.write_bytes(b"x")
        pieces.append(piece)
        if number == 2:
            pieces[0].path.unlink()
        playlist.add(piece)
    text = (tmp_path / "table-x.ffconcat").read_text()
    assert text.split("\n")[1:4] == [
        "file table-x-00002.mp4",
        "duration 10.000000",
        "file table-x-00003.mp4",
    ]
