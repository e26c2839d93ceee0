"""A camera that never ends: a clip looped as MPEG-TS over HTTP, packets as they are.

Times go on over the loops, as a camera's do. Between two loops the last second is shown again
and again for some seconds, so that a stroke is followed by rest.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import av
import cv2
import numpy as np

TICKS = Fraction(1, 90_000)


def encode_loop(
    clip: Path, out: Path, size: tuple[int, int], fps: int, rest_s: float, codec: str = "libx264"
) -> Path:
    """Encode a clip at `size`, `fps`, with a sensor's noise and some seconds of rest after it."""
    chance = np.random.default_rng(1)
    grain = [chance.normal(0, 2, (size[1], size[0], 1)).astype(np.int16) for _ in range(8)]
    pictures = []
    with av.open(str(clip)) as source:
        rate = float(source.streams.video[0].average_rate or 30)
        for picture in source.decode(video=0):
            pictures.append(picture.to_ndarray(format="bgr24"))
    repeat = max(1, round(fps / rate))
    frames = [p for p in pictures for _ in range(repeat)]
    frames = [pictures[0]] * int(2 * fps) + frames + [pictures[-1]] * int(rest_s * fps)
    with av.open(str(out), "w") as made:
        stream = made.add_stream(codec, rate=fps)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p" if codec != "mjpeg" else "yuvj420p"
        if codec == "libx264":
            stream.options = {"preset": "ultrafast", "tune": "zerolatency", "g": str(fps)}
            stream.bit_rate = 12_000_000
        else:
            stream.options = {"qscale": "4", "flags": "+qscale"}
        for number, image in enumerate(frames):
            large = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR).astype(np.int16)
            noisy = np.clip(large + np.roll(grain[number % 8], 5 * number, 1), 0, 255)
            picture = av.VideoFrame.from_ndarray(noisy.astype(np.uint8), format="bgr24")
            made.mux(stream.encode(picture))
        made.mux(stream.encode(None))
    return out


class _Pipe:
    """What av writes into: a client."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self.send = write

    def write(self, part: bytes) -> int:
        """Send a part."""
        self.send(bytes(part))
        return len(part)


@dataclass
class LoopingCamera:
    """Serves a clip made by `encode_loop`."""

    clip: Path
    loops: int = field(default=0, init=False)

    def start(self) -> str:
        """Listen; the address."""
        camera = self

        class Sender(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "video/mp2t")
                self.end_headers()
                try:
                    camera._stream(self.wfile.write)
                except (OSError, ValueError, av.error.FFmpegError):
                    return

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Sender)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/live.ts"

    def stop(self) -> None:
        """End."""
        self.server.shutdown()

    def _stream(self, write: Callable[[bytes], object]) -> None:
        begin, offset = time.monotonic(), 0
        options = {"flush_packets": "1"}
        with av.open(_Pipe(write), "w", format="mpegts", options=options) as made:
            twin = None
            while True:
                with av.open(str(self.clip)) as source:
                    stream = source.streams.video[0]
                    twin = twin or made.add_stream_from_template(stream)
                    step = round(1 / (stream.average_rate or 30) / TICKS)
                    for packet in source.demux(stream):
                        if not packet.size or packet.time_base is None:
                            continue
                        due_s = offset * TICKS
                        time.sleep(max(0.0, begin + float(due_s) - time.monotonic()))
                        sent = av.Packet(bytes(packet))
                        sent.time_base, sent.pts, sent.dts = TICKS, offset, offset
                        sent.is_keyframe, sent.stream = packet.is_keyframe, twin
                        made.mux(sent)
                        offset += step
                self.loops += 1


if __name__ == "__main__":
    import sys

    sample = LoopingCamera(Path(sys.argv[1]))
    print(sample.start(), flush=True)
    while True:
        time.sleep(1)
