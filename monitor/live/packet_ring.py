"""The last seconds of a camera as recorded packets, to cut evidence from.

Nothing is encoded again: a clip is the packets from a key frame on, copied into a file.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import av

from monitor.failures import CannotBeDoneError
from monitor.live.packet_twin import KeptPacket, PacketTwin, PacketWriter

KEPT_S: Final = 60.0
_MOST_BYTES: Final = 200_000_000


@dataclass(eq=False)
class PacketRing:
    """Keeps `kept_s` seconds; one writer, readers from any thread."""

    kept_s: float = KEPT_S
    most_bytes: int = _MOST_BYTES
    _packets: deque[KeptPacket] = field(default_factory=deque, init=False)
    _bytes: int = field(default=0, init=False)
    _twin: PacketTwin | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def begin(self, twin: PacketTwin | None) -> None:
        """Packets of another connection come: what was kept cannot go on.

        `twin` None: its packets cannot be kept.
        """
        with self._lock:
            self._packets.clear()
            self._bytes = 0
            self._twin = twin

    def add(self, kept: KeptPacket) -> None:
        """Keep one packet."""
        with self._lock:
            self._packets.append(kept)
            self._bytes += kept.size
            while self._packets and (
                kept.t_s - self._packets[0].t_s > self.kept_s or self._bytes > self.most_bytes
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
            packets, twin = list(self._packets), self._twin
        keys = [i for i, kept in enumerate(packets) if kept.is_key and kept.t_s <= from_s]
        first = keys[-1] if keys else next((i for i, k in enumerate(packets) if k.is_key), None)
        if twin is None or first is None or packets[first].t_s > until_s:
            raise CannotBeDoneError("what was recorded then is not kept any more")
        # Stored in the order of decoding: what is shown after the span may be needed in it.
        span = [kept for kept in packets[first:] if kept.decoded_s <= until_s]
        out.parent.mkdir(parents=True, exist_ok=True)
        temporary = out.with_name(f".unfinished-{out.name}")
        try:
            _write(twin, span, temporary)
            temporary.replace(out)
        finally:
            temporary.unlink(missing_ok=True)
        return span[0].t_s


def _write(twin: PacketTwin, packets: list[KeptPacket], out: Path) -> None:
    with av.open(str(out), "w", format="mp4") as made:
        writer = PacketWriter(made, twin, packets[0].t_s)
        for kept in packets:
            writer.write(kept)
