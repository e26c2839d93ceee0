"""What the eyes' process is started with, from what the user asked for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from monitor.live.eye_words import EyeOrder, RecordOrder
from monitor.live.resuming import resume_point
from monitor.live.table_live import LiveTable

if TYPE_CHECKING:
    from monitor.live.watching import WatchRequest


def eye_order(request: WatchRequest, live: LiveTable, chosen: Path | None) -> EyeOrder:
    """The order; `chosen`: the camera's file that was set on the page in this run."""
    points = None
    if request.points is not None:
        from monitor.corners import read_corners  # noqa: PLC0415

        points = {p.value: xy for p, xy in read_corners(request.points).items()}
    camera = chosen or request.camera
    return EyeOrder(
        source=request.source,
        realtime=request.realtime,
        paused=request.paused,
        from_s=resume_point(live.desk.book, Path(request.source)),
        table=request.table,
        camera=None if camera is None else str(camera),
        head=request.head,
        points_px=points,
        ball_set=request.ball_set,
        folder=str(live.folder),
        network=request.settings.network,
        record=_record_order(request),
        parent=os.getpid(),
    )


def _record_order(request: WatchRequest) -> RecordOrder | None:
    if request.record is None:
        return None
    settings = request.settings.record
    return RecordOrder(
        folder=str(request.record),
        most_bytes=int(settings.most_gb * 1e9),
        keep_free_bytes=int(settings.keep_free_gb * 1e9),
        segment_s=settings.piece_s,
    )
