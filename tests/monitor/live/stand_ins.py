"""Cameras for tests: an MJPEG server, an RTSP server, both on this machine, to be killed."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np

from vision.frames import Image, VideoFile

POT = Path(__file__).parents[3] / "fixtures" / "videos" / "pot"
SYSTEM_PYTHON = "/usr/bin/python3"
Fault = Callable[[Image], Image]


def jpeg(image: Image, quality: int = 90) -> bytes:
    """One picture as a camera would send it."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def images_of(clip: Path, frames: int | None = None) -> list[Image]:
    """The first pictures of a clip."""
    taken = []
    for frame in VideoFile(clip):
        taken.append(frame.image)
        if len(taken) == frames:
            break
    return taken


def grained(images: Sequence[Image], seed: int = 1) -> list[Image]:
    """The same pictures with the noise of a sensor, so that no two are equal."""
    chance = np.random.default_rng(seed)
    grain = [chance.normal(0, 2, images[0].shape).astype(np.int8) for _ in range(3)]
    return [
        np.clip(image.astype(np.int16) + np.roll(grain[i % 3], 7 * i, 1), 0, 255).astype(np.uint8)
        for i, image in enumerate(images)
    ]


@dataclass(eq=False)
class MjpegCamera:
    """Sends pictures at `fps`, from the start or where it was, over and over."""

    pictures: Sequence[bytes]
    fps: float = 30.0
    loops: bool = True
    loop_from: int = 0
    """After the last picture it goes on with this one."""
    port: int = 0
    position: int = 0
    """The picture that is sent next."""
    held: bool = False
    """Stay at this picture: the camera is frozen."""
    instead: bytes | None = None
    """Sent in the place of every picture."""
    silent: bool = False
    """The connection stands, nothing is sent."""
    sent_at: list[tuple[int, float]] = field(default_factory=list)
    """Which picture was sent at which monotonic time."""
    _server: ThreadingHTTPServer | None = None
    _sockets: list[socket.socket] = field(default_factory=list)
    running: ClassVar[list[MjpegCamera]] = []

    def start(self) -> None:
        """Listen, at the same port as before."""
        camera = self

        class Sender(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                camera._sockets.append(self.connection)
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                try:
                    camera._send(self.wfile.write)
                except (OSError, ValueError):
                    return

            def log_message(self, *_: object) -> None:
                """Quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            allow_reuse_address = True

            def handle_error(self, *_: object) -> None:
                """Quiet: clients go away."""

        self._server = Server(("127.0.0.1", self.port), Sender)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self.running.append(self)

    def _send(self, write: Callable[[bytes], object]) -> None:
        due = time.monotonic()
        server = self._server
        while self._server is server and server is not None:
            if not self.silent:
                picture = self.instead or self.pictures[self.position]
                self.sent_at.append((self.position, time.monotonic()))
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n"
                write(head.encode() + b"\r\n" + picture + b"\r\n")
                if not self.held and (self.loops or self.position + 1 < len(self.pictures)):
                    after = self.position + 1
                    self.position = after if after < len(self.pictures) else self.loop_from
            due = max(due + 1.0 / self.fps, time.monotonic() - 0.2)
            time.sleep(max(0.0, due - time.monotonic()))

    def stop(self) -> None:
        """Die: connections break."""
        server, self._server = self._server, None
        if server is not None:
            self.running.remove(self)
            server.shutdown()
            server.server_close()
        for connection in self._sockets:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self._sockets.clear()

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}/video.mjpg"


def has_rtsp_server() -> bool:
    """Is GStreamer's RTSP server there, for the system's own Python?"""
    probe = "import gi; gi.require_version('GstRtspServer', '1.0')"
    try:
        done = subprocess.run([SYSTEM_PYTHON, "-c", probe], capture_output=True, check=False)
        return done.returncode == 0
    except OSError:
        return False


@dataclass(eq=False)
class RtspCamera:
    """GStreamer's RTSP server as a process of its own, looping a clip."""

    clip: Path
    port: int
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Listen; returns when it does."""
        script = Path(__file__).parent / "rtsp_camera.py"
        command = [SYSTEM_PYTHON, str(script), str(self.clip), str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stdout.readline().strip() == "ready"

    def stop(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    @property
    def address(self) -> str:
        """Where it is."""
        return f"rtsp://127.0.0.1:{self.port}/table"


def free_port() -> int:
    """A port that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
