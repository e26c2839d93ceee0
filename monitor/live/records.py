"""What stands of a journal: everything that was not taken back.

Nothing is ever removed. An undo is a record that names another one; a redo names it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from monitor.store import Record

SESSION: Final = "session"
"""A camera or file was opened: its name and what its own time is in match time."""
SESSION_END: Final = "session_end"
"""The file was played to its end."""
SHOT: Final = "shot"
"""A stroke: its events, by camera or by hand. A later one of the same number replaces it."""
DECLARATION: Final = "declaration"
"""What a person said: a line of declarations.jsonl."""
VOID: Final = "void"
"""A person says that a shot was no stroke."""
TAKE_BACK: Final = "take_back"
"""An earlier record no longer stands (`stands` false) or stands again (true)."""
CLOCK: Final = "clock"
"""The shot clock was switched, paused, set."""
NOTE: Final = "note"
"""A word for the record, without effect: protest, time-out, spotted, free text."""
RULING: Final = "ruling"
"""A line of rulings.jsonl as it was shown; null for one that no longer stands."""

UNDOABLE: Final = frozenset((DECLARATION, VOID, CLOCK, NOTE))


def taken_back(records: Iterable[Record]) -> frozenset[int]:
    """The numbers of the records that no longer stand."""
    gone: set[int] = set()
    for record in records:
        if record.kind == TAKE_BACK:
            number = int(str(record.body["record"]))
            if record.body.get("stands"):
                gone.discard(number)
            else:
                gone.add(number)
    return frozenset(gone)


def is_by_hand(record: Record) -> bool:
    """True for a shot whose facts a person entered."""
    return record.kind == SHOT and record.body.get("source") == "hand"


def is_undoable(record: Record) -> bool:
    """May a person take this back? What the camera saw is voided or corrected instead."""
    return record.kind in UNDOABLE or is_by_hand(record)
