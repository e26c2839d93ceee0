"""A match out of the journal: as files that `replay` reads, and judged anew."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from monitor.live.book import MatchBook
from monitor.live.records import RULING
from monitor.live.view_rulings import keyed
from monitor.store import Body, Record
from table.events import Source
from table.log import ShotLog, write_log

NAMES: Final = ("shots.jsonl", "declarations.jsonl", "rulings.jsonl", "journal.jsonl")


def export(book: MatchBook, name: str) -> str:
    """The text of one of `NAMES`.

    Raises:
        KeyError: for any other name.
    """
    match name:
        case "shots.jsonl":
            return _shots(book)
        case "declarations.jsonl":
            return declarations_of(book)
        case "rulings.jsonl":
            return _lines(ruled.row for ruled in book.fold().ruled)
        case "journal.jsonl":
            return _lines(record.to_json() for record in book.records)
    raise KeyError(name)


def declarations_of(book: MatchBook, shift_s: float = 0.0) -> str:
    """What was said, as lines of declarations.jsonl; `shift_s` is added to their times.

    A recording counts time from its beginning and shots from 1: shot numbers are left out there.
    """
    rows = [dict(d.row) for _, d in book.declarations if d.row is not None]
    if shift_s:
        rows = [
            {k: v for k, v in row.items() if k != "shot"}
            | {"t_s": round(float(str(row["t_s"])) + shift_s, 6)}
            for row in rows
            if "t_s" in row
        ]
    return _lines(rows)


def _lines(rows: object) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)  # type: ignore[attr-defined]


def _shots(book: MatchBook) -> str:
    """The shot log; how the match was opened stands in its first line."""
    session = book.session
    told: Body = {} if session is None else session.body
    source = Source(
        file=str(told.get("source", "")),
        length_m=book.header.table.length_m,
        width_m=book.header.table.width_m,
        head=None if told.get("head") is None else str(told["head"]),
        ball_set=None if told.get("ball_set") is None else str(told["ball_set"]),
        more={"match": book.header.to_json()},
    )
    events = tuple(event for shot in book.shots.values() for event in shot.events)
    return write_log(ShotLog(source, events))


@dataclass(frozen=True, slots=True)
class Change:
    """A ruling that today's rules make otherwise than it was shown."""

    shot: int
    was: Body | None
    now: Body | None


def rejudged(book: MatchBook) -> list[Change]:
    """What today's rules judge otherwise than the journal has it."""
    shown: dict[tuple[int, int], Body | None] = {}
    for record in book.records:
        if record.kind == RULING:
            shown[_key(record)] = _row(record)
    now = {key: _judged(ruled.row) for key, ruled in keyed(book.fold()).items()}
    was = {key: _judged(row) for key, row in shown.items() if row is not None}
    keys: Sequence[tuple[int, int]] = sorted(set(was) | set(now))
    return [
        Change(key[0], was.get(key), now.get(key)) for key in keys if was.get(key) != now.get(key)
    ]


def _key(record: Record) -> tuple[int, int]:
    key = record.body["key"]
    assert isinstance(key, list)
    return int(key[0]), int(key[1])


def _row(record: Record) -> Body | None:
    row = record.body.get("row")
    return row if isinstance(row, dict) else None


_JUDGED: Final = (
    *("legal", "fouls", "penalised", "next_player", "cue_ball", "spot", "options"),
    *("fouls_after", "game_over", "winner", "next_phase", "push_out_available"),
    *("balls_after", "warned_after", "provisional"),
)


def _judged(row: Body) -> Body:
    """What of a line of rulings.jsonl the rules decide; words may be worded otherwise."""
    return {key: row.get(key) for key in _JUDGED}
