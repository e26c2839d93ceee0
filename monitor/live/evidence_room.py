"""Cuts the clips that rulings rest on, one after another, beside everything else."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import av.error

from calibration.camera import Camera
from monitor.failures import CannotBeDoneError
from monitor.live.clips import folder_bytes, moment_picture, over_budget
from monitor.live.table_live import LiveTable
from monitor.live.view_table import event_list
from monitor.packet_cut import cut_from_file
from monitor.store import EvidenceRow

_SPAN_M = 0.6


@dataclass
class EvidenceRoom:
    """A worker of its own; `want` returns at once."""

    live: LiveTable
    budget_bytes: int
    cut_live: Callable[[float, float, Path], float]
    """Cuts a clip out of what is kept of a camera: from, until (source time), file; its start."""
    source: Path | None = None
    offset_s: float = 0.0
    """Match time minus presentation time of the source."""
    camera: Camera | None = None
    used_bytes: int = field(default=0, init=False)
    _jobs: queue.Queue[EvidenceRow | None] = field(default_factory=queue.Queue, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def start(self) -> None:
        """Begin to work."""
        self._thread = threading.Thread(target=self._work, name="evidence", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Finish the clip in hand and end."""
        self._jobs.put(None)
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def want(self, rows: list[EvidenceRow]) -> None:
        """Cut these clips."""
        for row in rows:
            self._jobs.put(row)

    def _work(self) -> None:
        while (row := self._jobs.get()) is not None:
            try:
                self._cut(row)
            except (CannotBeDoneError, OSError, av.error.FFmpegError):
                # One clip that cannot be cut or read must not cost those that follow.
                self.live.desk.evidence_is(row.id, "none")

    def _cut(self, row: EvidenceRow) -> None:
        source, offset_s, camera = self.source, self.offset_s, self.camera
        clip = self.live.evidence_file(row.id, "mp4")
        span = row.from_s - offset_s, row.until_s - offset_s
        if source is None:
            first_s = self.cut_live(*span, clip)
        else:
            first_s = cut_from_file(source, *span, clip).from_s
        center, span_px = self._place(row, camera)
        moment_s = row.t_s - offset_s - first_s
        picture = moment_picture(clip, moment_s, center, span_px)
        size = clip.stat().st_size
        if picture is not None:
            self.live.evidence_file(row.id, "jpg").write_bytes(picture)
            size += len(picture)
        self.live.desk.evidence_is(row.id, "ready", size)
        self._keep_budget(clip.parent)

    def _place(
        self, row: EvidenceRow, camera: Camera | None
    ) -> tuple[tuple[float, float] | None, float]:
        """Where on the picture the moment happened."""
        shot = self.live.desk.book.shots.get(row.shot)
        if camera is None or shot is None:
            return None, 0.0
        placed = [e for e in event_list(shot) if e["at"] is not None]
        near = min(placed, key=lambda e: abs(_seconds(e["t_s"]) - row.t_s), default=None)
        if near is None:
            return None, 0.0
        at = near["at"]
        assert isinstance(at, list)
        point = (float(at[0]), float(at[1]))
        center = camera.project_on_plane([point])[0]
        px_per_m = float(camera.px_per_m([point])[0])
        return (float(center[0]), float(center[1])), _SPAN_M * px_per_m

    def _keep_budget(self, folder: Path) -> None:
        """Let the oldest clips go when the disk's share is used up."""
        for number in over_budget(folder, self.budget_bytes):
            for path in folder.glob(f"{number:08d}.*"):
                path.unlink(missing_ok=True)
            self.live.desk.evidence_is(number, "gone")
        self.used_bytes = folder_bytes(folder)


def _seconds(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
