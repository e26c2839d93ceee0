"""Any match of a journal, read beside the program that writes it."""

from __future__ import annotations

import json
import sqlite3

from monitor.live.book import MatchBook
from monitor.live.desk import DeskSettings
from monitor.match_header import read_header
from monitor.store import Record


def book_of(journal: sqlite3.Connection, number: int, settings: DeskSettings) -> MatchBook | None:
    """The book of a match; None when there is no such match.

    `journal` is a connection that only reads (`monitor.store.read_only`).
    """
    head = journal.execute(
        "SELECT opened_at, header FROM matches WHERE id = ?", (number,)
    ).fetchone()
    if head is None:
        return None
    rows = journal.execute(
        "SELECT id, kind, t_s, shot, body, written_at FROM records WHERE match = ? ORDER BY id",
        (number,),
    )
    header = read_header(json.loads(head[1]), f"match {number}", settings.table)
    book = MatchBook(number, header, head[0], settings.decide_probability)
    book.apply(*(Record(r[0], r[1], r[2], r[3], json.loads(r[4]), r[5]) for r in rows))
    return book
