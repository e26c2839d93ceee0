"""Where live frames come from: a file, or a camera by device, RTSP or HTTP address.

One reader thread; the time at which a frame came in goes along with it.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import av
import av.error
from av.container import InputContainer

from monitor.live.captured import Captured, CapturedLine
from monitor.live.packet_ring import PacketRing
from vision.frames import Image, SourceError, VideoFile, frame_from

_ADDRESSES: Final = ("rtsp://", "rtsps://", "http://", "https://", "udp://", "tcp://")
_OPEN_WITHIN_S: Final = 8.0
_NEXT_WITHIN_S: Final = 5.0
_WAITS_S: Final = (1.0, 2.0, 4.0, 8.0)
_DRIFT_S: Final = 0.5
"""Sender time that lies farther than this behind arrival is taken up anew."""
_AHEAD_S: Final = 0.05
"""Nothing arrives before it was seen."""


def is_camera(source: str) -> bool:
    """True for an address or a video device, False for a file."""
    return source.startswith(_ADDRESSES) or source.startswith("/dev/video")


@dataclass
class FilePlayer:
    """Plays a video file into a line of frames.

    `realtime`: at the speed of its timestamps, like a camera: frames that nobody takes in time
    are lost. Otherwise no frame is lost and the reader waits.
    """

    path: Path
    realtime: bool
    from_s: float | None = None
    line: CapturedLine = field(init=False)
    newest: Image | None = field(default=None, init=False)
    """The picture that came in last (h, w, 3) uint8 BGR."""
    problem: str | None = field(default=None, init=False)
    _stopped: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.line = CapturedLine(lossless=not self.realtime)

    def start(self) -> None:
        """Begin to play."""
        self._thread = threading.Thread(target=self._play, name="reader", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop playing."""
        self._stopped.set()
        self.line.close()

    def _play(self) -> None:
        try:
            video = VideoFile(self.path, self.from_s)
            begin: tuple[float, float] | None = None
            for frame in video:
                now = time.monotonic()
                if begin is None:
                    begin = (frame.t_s, now)
                due = begin[1] + frame.t_s - begin[0]
                if self.realtime and due > now and self._stopped.wait(due - now):
                    break
                self.newest = frame.image
                if not self.line.put(Captured(frame, time.monotonic())):
                    break
            self.problem = video.ended_early
        except SourceError as error:
            self.problem = str(error)
        finally:
            self.line.close()


@dataclass
class CameraReader:
    """Reads a camera for as long as it is asked to; reconnects with growing waits.

    Times are those of the machine's monotonic clock; between frames the sender's timestamps
    count, as long as they keep pace with it.
    """

    source: str
    line: CapturedLine = field(default_factory=CapturedLine)
    ring: PacketRing = field(default_factory=PacketRing)
    newest: Image | None = field(default=None, init=False)
    problem: str | None = field(default=None, init=False)
    """Why no frames come just now."""
    connections: int = field(default=0, init=False)
    _stopped: threading.Event = field(default_factory=threading.Event, init=False)
    _index: int = field(default=0, init=False)
    _last_s: float = field(default=0.0, init=False)

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._run, name="reader", daemon=True).start()

    def stop(self) -> None:
        """Stop reading."""
        self._stopped.set()
        self.line.close()

    def _run(self) -> None:
        failures = 0
        while not self._stopped.is_set():
            frames = self._index
            try:
                self._read_once()
                self.problem = "The camera ended its stream; trying again."
            except (av.error.FFmpegError, OSError, ValueError) as error:
                self.problem = f"The camera does not answer ({_short(error)}); trying again."
            failures = 0 if self._index > frames else failures + 1
            self._stopped.wait(_WAITS_S[min(failures, len(_WAITS_S) - 1)])
        self.line.close()

    def _read_once(self) -> None:
        """One connection, until it breaks."""
        with _connected(self.source) as container:
            stream = container.streams.video[0]
            # Decoding frames side by side would hold each of them back.
            stream.thread_type = "SLICE"
            self.ring.begin(stream)
            self.connections += 1
            anchor: float | None = None
            for packet in container.demux(stream):
                if self._stopped.is_set():
                    return
                arrived = time.monotonic()
                sent_s = None if packet.pts is None else float(packet.pts * packet.time_base)
                if sent_s is not None:
                    ahead_s = 0.0 if anchor is None else anchor + sent_s - arrived
                    if anchor is None or not -_DRIFT_S < ahead_s < _AHEAD_S:
                        anchor = arrived - sent_s
                    self.ring.add(packet, anchor + sent_s)
                for picture in packet.decode():
                    shown_s = None if picture.time is None else picture.time
                    known = anchor is not None and shown_s is not None
                    self._hand_on(picture, anchor + shown_s if known else arrived, arrived)  # type: ignore[operator]

    def _hand_on(self, picture: av.VideoFrame, t_s: float, arrived: float) -> None:
        if t_s <= self._last_s:
            return
        self._last_s, self.problem = t_s, None
        frame = frame_from(picture, self._index, t_s)
        self._index += 1
        self.newest = frame.image
        self.line.put(Captured(frame, arrived))


def _connected(source: str) -> InputContainer:
    """A camera, opened with time-outs.

    Raises:
        av.error.FFmpegError, OSError: when it does not answer.
    """
    options: dict[str, str] = {}
    timeout = (_OPEN_WITHIN_S, _NEXT_WITHIN_S)
    if source.startswith("/dev/video"):
        return av.open(source, format="v4l2", timeout=timeout)
    if source.startswith("rtsp"):
        options["rtsp_transport"] = "tcp"
    return av.open(source, options=options, timeout=timeout)


def _short(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text)[:80]
