"""Records a camera: its packets as they are, in pieces that survive a power cut.

Each piece is a fragmented MP4: what was written can be played, whatever happens to the program.
A list beside the pieces (`<name>.ffconcat`) puts them together, with the gaps between them, so
that `review` and any player read the evening as one video. The oldest pieces are deleted when
the disk's share is used up.
"""

from __future__ import annotations

import os
import queue
import shutil
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import av
import av.error
from av.container import OutputContainer

from monitor.live.eye_words import Recorded, RecordOrder
from monitor.live.packet_twin import KeptPacket, PacketTwin, PacketWriter
from monitor.live.recordings import Piece, Playlist, make_room

_MOST_WAITING: Final = 900
"""Packets that wait for the disk: half a minute at 30 frames a second."""
_TRY_AGAIN_S: Final = 2.0
_FRAGMENTED: Final = {
    "movflags": "frag_every_frame+empty_moov+default_base_moof",
    "flush_packets": "1",
}


@dataclass(eq=False)
class Recorder:
    """Writes in a thread of its own: neither disk nor camera waits for the other."""

    order: RecordOrder
    lost: int = field(default=0, init=False)
    """Packets that could not be written."""
    problem: str | None = field(default=None, init=False)
    bytes: int = field(default=0, init=False)
    _jobs: queue.Queue[tuple[PacketTwin, KeptPacket] | None] = field(init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _playlist: Playlist | None = field(default=None, init=False)
    _made: OutputContainer | None = field(default=None, init=False)
    _writer: PacketWriter | None = field(default=None, init=False)
    _piece: Piece | None = field(default=None, init=False)
    _twin: PacketTwin | None = field(default=None, init=False)
    _from_s: float = field(default=0.0, init=False)
    _not_before: float = field(default=0.0, init=False)
    """After a failure: when to try again, monotonic."""

    def __post_init__(self) -> None:
        self._jobs = queue.Queue(_MOST_WAITING)

    def start(self) -> None:
        """Begin to write."""
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Write what waits and end."""
        with suppress(queue.Full):
            self._jobs.put(None, timeout=2.0)
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def keep(self, twin: PacketTwin, kept: KeptPacket) -> None:
        """Take a packet; never waits."""
        try:
            self._jobs.put_nowait((twin, kept))
        except queue.Full:
            self.lost += 1
            self.problem = "the disk is too slow."

    def told(self) -> Recorded:
        """How it goes."""
        name = "" if self._playlist is None else self._playlist.path.name
        return Recorded(name, self.bytes / 1e6, self.problem, self.lost, self._from_s)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                self._write(*job)
            except (OSError, av.error.FFmpegError, ValueError) as error:
                self.lost += 1
                self.problem = f"{_short(error)}."
                self._not_before = time.monotonic() + _TRY_AGAIN_S
                self._close()
        self._close()

    def _write(self, twin: PacketTwin, kept: KeptPacket) -> None:
        if self._made is None and (not kept.is_key or time.monotonic() < self._not_before):
            # Nothing can be played before a key frame.
            self.lost += self.problem is not None
            return
        if self._is_over(twin, kept):
            self._close()
        if self._made is None:
            self._open(twin, kept)
        assert self._writer is not None and self._piece is not None
        self._writer.write(kept)
        self.bytes += kept.size
        self._piece.until_s = max(self._piece.until_s, kept.t_s)

    def _is_over(self, twin: PacketTwin, kept: KeptPacket) -> bool:
        """Is it time for another piece: the camera connected anew, or this one is long?"""
        if self._made is None or self._piece is None:
            return False
        long = kept.t_s - self._piece.from_s >= self.order.segment_s
        return twin is not self._twin or (long and kept.is_key)

    def _open(self, twin: PacketTwin, kept: KeptPacket) -> None:
        if not kept.is_key:
            raise ValueError("a piece begins with a key frame")
        folder = Path(self.order.folder)
        folder.mkdir(parents=True, exist_ok=True)
        make_room(folder, self.order.most_bytes, self.order.keep_free_bytes)
        if shutil.disk_usage(folder).free < self.order.keep_free_bytes:
            raise OSError("the disk is full")
        if self._playlist is None:
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
            self._from_s = kept.t_s
            self._playlist = Playlist(folder / f"table-{stamp}-{os.getpid()}.ffconcat")
        piece = self._playlist.next_piece(kept.t_s)
        made = av.open(str(piece.path), "w", format="mp4", options=dict(_FRAGMENTED))
        self._writer = PacketWriter(made, twin, kept.t_s)
        self._made, self._twin, self._piece = made, twin, piece
        self._playlist.add(piece)
        self.problem = None

    def _close(self) -> None:
        made, self._made, self._writer, self._piece = self._made, None, None, None
        if made is not None:
            with suppress(OSError, av.error.FFmpegError, ValueError):
                made.close()


def _short(error: BaseException) -> str:
    return str(getattr(error, "strerror", None) or str(error) or type(error).__name__)[:80]
