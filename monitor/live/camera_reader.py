"""Reads a camera for an evening: one thread, the newest frames, reconnects, packets kept."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

import av
import av.error
from av.container import InputContainer
from av.video.stream import VideoStream

from monitor.live.camera_address import camera_address, carries_times
from monitor.live.captured import Captured, CapturedLine
from monitor.live.packet_ring import PacketRing
from monitor.live.packet_twin import KeptPacket, PacketTwin, kept_packet
from monitor.live.sender_clock import SenderClock
from vision.frames import Image, frame_from

_WAITS_S: Final = (0.2, 0.3, 0.5, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Before each new try; the first are short: a camera that was switched over is back at once."""
_LAG_S: Final = 2.0
_LAGS_FOR_S: Final = 2.0
_WITHOUT_TIME_S: Final = 3.0
_MOST_DAMAGED: Final = 100


class _LaggingError(Exception):
    """What comes in is old: only a new connection gets rid of what waits on the way."""


@dataclass
class CameraReader:
    """Reads a camera for as long as it is asked to; reconnects with growing waits.

    Times are those of the machine's monotonic clock: the sender's own timestamps where it
    sends some, else the times of arrival.
    """

    source: str
    line: CapturedLine = field(default_factory=CapturedLine)
    ring: PacketRing = field(default_factory=PacketRing)
    keep: Callable[[PacketTwin, KeptPacket], None] | None = None
    """Gets every packet too (a recording)."""
    connect: Callable[[], InputContainer] | None = None
    """Opens the camera; None: by its address."""
    newest: Image | None = field(default=None, init=False)
    problem: str | None = field(default=None, init=False)
    """Why no frames come just now."""
    connections: int = field(default=0, init=False)
    can_keep: bool = field(default=True, init=False)
    """False when the camera sends pictures that are not compressed."""
    damaged: int = field(default=0, init=False)
    """Packets that could not be decoded."""
    lag_s: float = field(default=0.0, init=False)
    """How old the newest frame was when it came in, against the quickest ones."""
    clock: SenderClock = field(default_factory=SenderClock, init=False)
    _stopped: threading.Event = field(default_factory=threading.Event, init=False)
    _index: int = field(default=0, init=False)
    _last_s: float = field(default=0.0, init=False)
    _on_time_at: float = field(default=0.0, init=False)
    _began_at: float = field(default=0.0, init=False)
    _unsettled: list[tuple[KeptPacket, float | None]] = field(default_factory=list, init=False)
    """Packets of a beginning connection and their sender's times, until these can be told."""

    def start(self) -> None:
        """Begin to read.

        Raises:
            CannotBeDoneError: when the address is written wrongly.
        """
        if self.connect is None:
            self.connect = camera_address(self.source).opened
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
            except _LaggingError:
                self.problem = "The camera lagged behind; connecting anew."
            except (av.error.FFmpegError, OSError, ValueError) as error:
                self.problem = f"The camera does not answer ({_short(error)}); trying again."
            failures = 0 if self._index > frames else failures + 1
            self._stopped.wait(_WAITS_S[min(failures, len(_WAITS_S) - 1)])
        self.line.close()

    def _read_once(self) -> None:
        """One connection, until it breaks."""
        assert self.connect is not None
        with self.connect() as container:
            stream = container.streams.video[0]
            # Decoding frames side by side would hold each of them back.
            stream.thread_type = "SLICE"
            twin, timed = _twin(stream), carries_times(container)
            self.can_keep = twin is not None
            self.ring.begin(twin)
            self.connections += 1
            self.clock.begin()
            self._unsettled.clear()
            damaged, self._on_time_at = 0, time.monotonic()
            self._began_at = self._on_time_at
            for packet in container.demux(stream):
                if self._stopped.is_set():
                    return
                arrived = time.monotonic()
                if twin is not None:
                    self._keep(twin, packet, arrived, timed)
                try:
                    pictures = packet.decode()
                except av.error.InvalidDataError:
                    damaged, self.damaged = damaged + 1, self.damaged + 1
                    if damaged > _MOST_DAMAGED:
                        raise
                    continue
                for picture in pictures:
                    damaged = 0
                    self._hand_on(picture, arrived, timed)

    def _keep(self, twin: PacketTwin, packet: av.Packet[Any], arrived: float, timed: bool) -> None:
        """Keep a packet for clips and recording, at the time of its picture."""
        sent_s = None
        if timed and packet.pts is not None and packet.time_base is not None:
            sent_s = float(packet.pts * packet.time_base)
        kept = kept_packet(packet, arrived)
        if kept is None:
            return
        self._unsettled.append((kept, sent_s))
        if timed and not self.clock.is_settled:
            return
        for waiting, sent_s in self._unsettled:
            at_s = waiting.t_s if sent_s is None else self.clock.time_of(sent_s)
            due = replace(waiting, t_s=at_s)
            self.ring.add(due)
            if self.keep is not None:
                self.keep(twin, due)
        self._unsettled.clear()

    def _hand_on(self, picture: av.VideoFrame, arrived: float, timed: bool) -> None:
        t_s = arrived
        if timed and picture.time is not None:
            self.clock.saw(picture.time, arrived)
            if not self.clock.is_settled:
                return
            t_s = self.clock.time_of(picture.time)
        elif timed and arrived - self._began_at < _WITHOUT_TIME_S:
            # A stream's first pictures may come before its times are known.
            return
        self._watch_lag(max(0.0, arrived - t_s), arrived)
        if t_s <= self._last_s:
            return
        self._last_s, self.problem = t_s, None
        frame = frame_from(picture, self._index, t_s)
        self._index += 1
        self.newest = frame.image
        self.line.put(Captured(frame, arrived))

    def _watch_lag(self, lag_s: float, arrived: float) -> None:
        self.lag_s = lag_s
        if lag_s < _LAG_S:
            self._on_time_at = arrived
        elif arrived - self._on_time_at > _LAGS_FOR_S:
            raise _LaggingError


def _twin(stream: VideoStream) -> PacketTwin | None:
    try:
        return PacketTwin(stream)
    except (ValueError, av.error.FFmpegError):
        return None


def _short(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text)[:80]
