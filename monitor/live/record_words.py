"""A record of the journal as one line for people, in English and Czech."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from monitor.live.records import RULING, SESSION, SESSION_END, SHOT, TAKE_BACK
from monitor.live.words import Text, action_words
from monitor.store import Record


def record_words(record: Record, players: tuple[str, str] | None = None) -> Text:
    """What a record says; `players`: names for A and B."""
    own = _OWN.get(record.kind)
    if own is not None:
        return own(record)
    english, czech = action_words(record.body, players)
    text = record.body.get("text")
    more = f": {text}" if isinstance(text, str) and text else ""
    return english + more, czech + more


def _shot(record: Record) -> Text:
    by_hand = record.body.get("source") == "hand"
    how = ("entered by hand", "zadán ručně") if by_hand else ("seen", "viděn kamerou")
    return f"shot {record.shot} {how[0]}", f"strk {record.shot} {how[1]}"


def _ruling(record: Record) -> Text:
    row = record.body.get("row")
    if not isinstance(row, dict):
        return f"ruling on shot {record.shot} withdrawn", f"rozhodnutí o strku {record.shot} padá"
    return str(row.get("sentence", "")), str(row.get("sentence_cs", ""))


def _take_back(record: Record) -> Text:
    number = record.body.get("record")
    if record.body.get("stands"):
        return f"brought back: record {number}", f"vráceno zpět: záznam {number}"
    return f"taken back: record {number}", f"vzato zpět: záznam {number}"


def _session(record: Record) -> Text:
    name = str(record.body.get("source") or record.body.get("file") or "")
    return f"camera opened {name}".strip(), f"kamera otevřena {name}".strip()


def _session_end(_: Record) -> Text:
    return "the video has ended", "video skončilo"


_OWN: Final[dict[str, Callable[[Record], Text]]] = {
    SHOT: _shot,
    RULING: _ruling,
    TAKE_BACK: _take_back,
    SESSION: _session,
    SESSION_END: _session_end,
}
"""Kinds that have words of their own; all others say what a person did."""
