"""Going on after a restart: where a file is taken up again."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from monitor.live.book import MatchBook
from monitor.live.records import SESSION, SESSION_END
from monitor.match import end_of
from table.json_fields import as_number

_AFTER_REST_S: Final = 0.1


def file_size(path: Path) -> int | None:
    """The size of a file, None for anything else."""
    with suppress(OSError):
        if path.is_file():
            return path.stat().st_size
    return None


def resume_point(book: MatchBook, source: Path) -> float | None:
    """Presentation time at which a file that was being played goes on; None: at its beginning.

    That is the rest after the last shot on record: a stroke that was under way when the
    program was killed is seen again from its beginning.
    """
    size = file_size(source)
    played = None
    for record in book.records:
        if record.kind == SESSION:
            played = record
        elif record.kind == SESSION_END:
            played = None
    if played is None or size is None:
        return None
    if played.body.get("source") != source.name or played.body.get("size") != size:
        return None
    offset_s = as_number(played.body.get("offset_s")) or 0.0
    first_s = as_number(played.body.get("first_s")) or 0.0
    shots = [
        shot for shot in book.shots.values() if not shot.by_hand and shot.record.id > played.id
    ]
    if not shots:
        return first_s
    return max(first_s, end_of(shots[-1].events) - offset_s + _AFTER_REST_S)
