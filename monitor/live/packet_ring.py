"""The last seconds of a camera as recorded packets, to cut evidence from.

Nothing is encoded again: a clip is the packets from a key frame on, copied into a file.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import av
from av.video.stream import VideoStream

from monitor.failures import CannotBeDoneError

KEPT_S: Final = 60.0
_MOST_BYTES: Final = 200_000_000


@dataclass(frozen=True, slots=True)
class Recorded:
    """One packet, with the time at which its picture is shown in the source's time."""

    packet: av.Packet[Any]
    t_s: float
    is_key: bool
    size: int


@dataclass(eq=False)
class PacketRing:
    """Keeps `kept_s` seconds; one writer, readers from any thread."""

    kept_s: float = KEPT_S
    most_bytes: int = _MOST_BYTES
    _packets: deque[Recorded] = field(default_factory=deque, init=False)
    _bytes: int = field(default=0, init=False)
    _stream: VideoStream | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def begin(self, stream: VideoStream) -> None:
        """Packets of another connection come: what was kept cannot go on."""
        with self._lock:
            self._packets.clear()
            self._bytes = 0
            self._stream = stream

    def add(self, packet: av.Packet[Any], t_s: float) -> None:
        """Keep one packet."""
        if packet.dts is None or not packet.size:
            return
        with self._lock:
            self._packets.append(Recorded(packet, t_s, packet.is_keyframe, packet.size))
            self._bytes += packet.size
            while self._packets and (
                t_s - self._packets[0].t_s > self.kept_s or self._bytes > self.most_bytes
            ):
                self._bytes -= self._packets.popleft().size

    @property
    def newest_s(self) -> float | None:
        """The time of the last packet."""
        with self._lock:
            return self._packets[-1].t_s if self._packets else None

    def cut(self, from_s: float, until_s: float, out: Path) -> float:
        """Write the packets from the key frame before `from_s` to `until_s`; the clip's start.

        Raises:
            CannotBeDoneError: when they are not kept any more, or not yet there.
            OSError, av.error.FFmpegError: when the clip cannot be written.
        """
        with self._lock:
            packets, stream = list(self._packets), self._stream
        keys = [i for i, kept in enumerate(packets) if kept.is_key and kept.t_s <= from_s]
        first = keys[-1] if keys else next((i for i, k in enumerate(packets) if k.is_key), None)
        if stream is None or first is None or packets[first].t_s > until_s:
            raise CannotBeDoneError("what was recorded then is not kept any more")
        span = [kept for kept in packets[first:] if kept.t_s <= until_s]
        out.parent.mkdir(parents=True, exist_ok=True)
        temporary = out.with_name(f".unfinished-{out.name}")
        try:
            _write(stream, [kept.packet for kept in span], temporary)
            temporary.replace(out)
        finally:
            temporary.unlink(missing_ok=True)
        return span[0].t_s


def _write(stream: VideoStream, packets: list[av.Packet[Any]], out: Path) -> None:
    """Copy packets; they stay as they are in the ring."""
    start = packets[0].dts or 0
    with av.open(str(out), "w", format="mp4") as made:
        twin = made.add_stream_from_template(stream)
        twin.time_base = stream.time_base
        for kept in packets:
            packet = av.Packet(bytes(kept))
            packet.time_base = kept.time_base
            packet.dts = None if kept.dts is None else kept.dts - start
            packet.pts = packet.dts if kept.pts is None else kept.pts - start
            packet.duration = kept.duration
            packet.is_keyframe = kept.is_keyframe
            packet.stream = twin
            made.mux(packet)
