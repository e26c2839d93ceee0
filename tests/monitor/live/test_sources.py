"""A camera by its address: read, kept as packets, cut, and found again after it was lost."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import av
import pytest

from monitor.failures import CannotBeDoneError
from monitor.live.camera_address import is_camera
from monitor.live.camera_reader import CameraReader
from monitor.live.packet_ring import PacketRing
from monitor.live.packet_twin import PacketTwin, kept_packet

CLIP = Path(__file__).parents[3] / "fixtures" / "videos" / "pot" / "clip.mp4"
STREAM_S = 4.0


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The first seconds of a clip as a transport stream, packets as they are."""
    path = tmp_path_factory.mktemp("stream") / "clip.ts"
    with av.open(str(CLIP)) as taken, av.open(str(path), "w", format="mpegts") as made:
        source = taken.streams.video[0]
        twin = made.add_stream_from_template(source)
        for packet in taken.demux(source):
            if packet.dts is not None and float(packet.dts * packet.time_base) < STREAM_S:
                packet.stream = twin
                made.mux(packet)
    return path.read_bytes()


@pytest.fixture
def address(stream: bytes) -> Iterator[str]:
    """A server that sends the stream at its own speed, once a connection."""

    class Sender(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "video/mp2t")
            self.end_headers()
            step = max(188, len(stream) // int(STREAM_S * 20))
            for start in range(0, len(stream), step):
                try:
                    self.wfile.write(stream[start : start + step])
                except OSError:
                    return
                time.sleep(1 / 20)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Sender)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/clip.ts"
    server.shutdown()
    server.server_close()


def test_a_lost_camera_is_read_again_and_cut(address: str, tmp_path: Path) -> None:
    reader = CameraReader(address)
    reader.start()
    times: list[float] = []
    until = time.monotonic() + 60.0
    cut_s: float | None = None
    while time.monotonic() < until and (reader.connections < 2 or cut_s is None):
        captured = reader.line.take(0.2)
        if captured is not None:
            times.append(captured.frame.t_s)
        if cut_s is None and len(times) > 55:
            cut_s = reader.ring.cut(times[25], times[45], tmp_path / "1.mp4")
    reader.stop()
    assert reader.connections >= 2 and len(times) > 55
    assert all(a < b for a, b in itertools.pairwise(times))
    assert cut_s is not None and cut_s <= times[25] + 1e-3
    with av.open(str(tmp_path / "1.mp4")) as clip:
        shown = [frame.time for frame in clip.decode(video=0)]
    assert len(shown) > 20 and times[45] - times[25] < shown[-1] <= STREAM_S


def test_a_camera_that_is_not_there_is_said_and_waited_for() -> None:
    reader = CameraReader("http://127.0.0.1:9/none")
    reader.start()
    until = time.monotonic() + 30.0
    while reader.problem is None and time.monotonic() < until:
        time.sleep(0.05)
    reader.stop()
    assert reader.problem is not None and "trying again" in reader.problem


def filled(ring: PacketRing) -> list[bytes]:
    """A ring with the packets of a clip, and the packets."""
    taken = []
    with av.open(str(CLIP)) as container:
        stream = container.streams.video[0]
        ring.begin(PacketTwin(stream))
        for packet in container.demux(stream):
            kept = kept_packet(packet, float((packet.pts or 0) * packet.time_base))
            if kept is not None:
                ring.add(kept)
                taken.append(kept.bytes)
    return taken


def test_a_ring_forgets_by_age_and_by_size() -> None:
    young, small = PacketRing(kept_s=1.0), PacketRing(most_bytes=20_000)
    filled(young)
    filled(small)
    ages = [kept.t_s for kept in young._packets]
    assert max(ages) - min(ages) <= 1.1
    assert sum(kept.size for kept in small._packets) <= 20_000


def test_what_is_not_kept_cannot_be_cut(tmp_path: Path) -> None:
    ring = PacketRing()
    with pytest.raises(CannotBeDoneError):
        ring.cut(0.0, 1.0, tmp_path / "1.mp4")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("source", "camera"),
    [
        ("rtsp://10.0.0.5/main", True),
        ("http://cam/video.mjpg", True),
        ("/dev/video0", True),
        ("evening.mp4", False),
        ("/home/a/film.mkv", False),
    ],
)
def test_addresses_and_devices_are_cameras(source: str, camera: bool) -> None:
    assert is_camera(source) is camera
