"""The rulings that others have not got yet: the journal is the queue, a number the place in it.

A ruling is on disk before anybody sees it, so nothing has to be kept twice. How far a
destination has got is a number in a file of its own; it moves on only when the destination
has confirmed. After a crash the last one may be sent again, never left out.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from monitor.live.records import RULING
from monitor.publishing.messages import RulingMessage
from monitor.staging import write_whole
from monitor.store import read_only

_MOST: Final = 50


@dataclass(eq=False)
class Feed:
    """One destination's place in the journal of a folder."""

    folder: Path
    name: str
    """Of the destination: letters only."""
    _place: int | None = field(default=None, init=False)

    @property
    def _file(self) -> Path:
        return self.folder / f"published-{self.name}.json"

    def waiting(self) -> list[RulingMessage]:
        """The next rulings to send, oldest first; none when the journal cannot be read now.

        A destination that is new begins with what comes after now.
        """
        try:
            with closing(read_only(self.folder)) as journal:
                if self._place is None:
                    self._place = self._kept_place(journal)
                rows = journal.execute(
                    "SELECT id, match, shot, written_at, body FROM records"
                    " WHERE kind = ? AND id > ? ORDER BY id LIMIT ?",
                    (RULING, self._place, _MOST),
                ).fetchall()
        except sqlite3.Error:
            return []
        return [_message(*row) for row in rows]

    def sent(self, record: int) -> None:
        """The destination has confirmed a ruling."""
        self._place = record
        # If that cannot be kept, the ruling is sent again after a restart: better than never.
        with suppress(OSError):
            write_whole(self._file, json.dumps({"v": 1, "record": record}) + "\n")

    def _kept_place(self, journal: sqlite3.Connection) -> int:
        with suppress(OSError, ValueError, KeyError, TypeError):
            return int(json.loads(self._file.read_text("utf-8"))["record"])
        last = journal.execute("SELECT coalesce(max(id), 0) FROM records").fetchone()[0]
        self.sent(int(last))
        return int(last)


def _message(
    record: int, match: int, shot: int | None, written_at: str, body: str
) -> RulingMessage:
    row = json.loads(body).get("row")
    return RulingMessage(record, match, shot, written_at, row)
