"""The journal of matches in SQLite: it only grows, and a killed program loses nothing.

One row a record, in the order in which things came. A transaction holds what came in (a
shot, a declaration, a correction) together with the rulings that followed from it and the
answer that was given, so that all of it is there or none. Write-ahead log, synchronous:
what was shown had reached the disk.
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from monitor.failures import CannotBeDoneError

VERSION: Final = 1
JOURNAL: Final = "journal.sqlite"
_LOCK: Final = "in-use"
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS matches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    opened_at TEXT NOT NULL,
    header TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS records (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match INTEGER NOT NULL REFERENCES matches (id),
    written_at TEXT NOT NULL,
    t_s REAL NOT NULL,
    kind TEXT NOT NULL,
    shot INTEGER,
    body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS records_of_match ON records (match, id);
CREATE TABLE IF NOT EXISTS answers (
    action TEXT PRIMARY KEY,
    match INTEGER NOT NULL,
    answer TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS evidence (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match INTEGER NOT NULL,
    shot INTEGER NOT NULL,
    what TEXT NOT NULL,
    t_s REAL NOT NULL,
    from_s REAL NOT NULL,
    until_s REAL NOT NULL,
    state TEXT NOT NULL,
    bytes INTEGER NOT NULL DEFAULT 0
);
"""

Body = dict[str, object]


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the journal."""

    id: int
    kind: str
    """session, shot, declaration, void, take_back, clock, note, ruling."""
    t_s: float
    """Match time."""
    shot: int | None
    body: Body
    written_at: str = ""

    def to_json(self) -> Body:
        """The record as one JSON object."""
        head: Body = {"id": self.id, "kind": self.kind, "t_s": self.t_s, "shot": self.shot}
        return head | {"written_at": self.written_at, "body": self.body}


@dataclass(frozen=True, slots=True)
class MatchHead:
    """A match as the journal lists it."""

    id: int
    opened_at: str
    header: Body


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """A clip of one deciding moment; times are match time."""

    id: int
    match: int
    shot: int
    what: str
    t_s: float
    from_s: float
    until_s: float
    state: str
    """wanted, ready, none (could not be cut), or gone (deleted for space)."""
    bytes: int = 0


class Journal:
    """The journal in a folder. One program at a time may hold it.

    Raises:
        CannotBeDoneError: when the folder cannot be used, another program holds it, or the
            file is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(folder / _LOCK)
        except OSError as error:
            raise CannotBeDoneError(
                f"{folder} cannot be used for the journal ({error.strerror}); "
                "choose another folder with --data."
            ) from None
        self._connection = _connection(folder / JOURNAL)

    def close(self) -> None:
        """Let go of the folder."""
        self._connection.close()
        self._lock.close()

    # Matches

    def open_match(self, header: Mapping[str, object]) -> int:
        """Begin a match and return its number."""
        with self._connection as connection:
            row = connection.execute(
                "INSERT INTO matches (opened_at, header) VALUES (?, ?)", (_now(), _json(header))
            )
        return int(row.lastrowid or 0)

    def matches(self) -> list[MatchHead]:
        """All matches, oldest first."""
        rows = self._connection.execute("SELECT id, opened_at, header FROM matches ORDER BY id")
        return [MatchHead(row[0], row[1], json.loads(row[2])) for row in rows]

    def last_match(self) -> MatchHead | None:
        """The match that was opened last."""
        rows = self._connection.execute(
            "SELECT id, opened_at, header FROM matches ORDER BY id DESC LIMIT 1"
        )
        return next((MatchHead(row[0], row[1], json.loads(row[2])) for row in rows), None)

    # Records

    def records(self, match: int, after: int = 0, limit: int = -1) -> list[Record]:
        """The records of a match with a greater number than `after`, oldest first."""
        rows = self._connection.execute(
            "SELECT id, kind, t_s, shot, body, written_at FROM records"
            " WHERE match = ? AND id > ? ORDER BY id LIMIT ?",
            (match, after, limit),
        )
        return [Record(r[0], r[1], r[2], r[3], json.loads(r[4]), r[5]) for r in rows]

    def count(self, match: int) -> int:
        """How many records a match has."""
        rows = self._connection.execute("SELECT count(*) FROM records WHERE match = ?", (match,))
        return int(next(rows)[0])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything written within is there as a whole, or not at all."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.rollback()
            raise
        self._connection.commit()

    def write(self, match: int, kind: str, t_s: float, shot: int | None, body: Body) -> Record:
        """Append one record; to be called within `transaction`."""
        written_at = _now()
        row = self._connection.execute(
            "INSERT INTO records (match, written_at, t_s, kind, shot, body)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (match, written_at, t_s, kind, shot, _json(body)),
        )
        return Record(int(row.lastrowid or 0), kind, t_s, shot, body, written_at)

    # Answers: the same action twice gets the same answer

    def answer_to(self, action: str) -> Body | None:
        """What was answered to an action, None when it never came."""
        rows = self._connection.execute("SELECT answer FROM answers WHERE action = ?", (action,))
        return next((json.loads(row[0]) for row in rows), None)

    def keep_answer(self, action: str, match: int, answer: Body) -> None:
        """Keep an answer; to be called within `transaction`."""
        self._connection.execute(
            "INSERT INTO answers (action, match, answer) VALUES (?, ?, ?)",
            (action, match, _json(answer)),
        )

    # Evidence

    def want_evidence(
        self, match: int, shot: int, what: str, t_s: float, span: tuple[float, float]
    ) -> int:
        """Note that a clip is wanted and return its number; within `transaction`."""
        row = self._connection.execute(
            "INSERT INTO evidence (match, shot, what, t_s, from_s, until_s, state)"
            " VALUES (?, ?, ?, ?, ?, ?, 'wanted')",
            (match, shot, what, t_s, *span),
        )
        return int(row.lastrowid or 0)

    def evidence_is(self, number: int, state: str, size: int = 0) -> None:
        """Note what became of a clip."""
        with self._connection as connection:
            connection.execute(
                "UPDATE evidence SET state = ?, bytes = ? WHERE id = ?", (state, size, number)
            )

    def evidence(self, match: int | None = None, number: int | None = None) -> list[EvidenceRow]:
        """The clips of a match, or the one of that number, oldest first."""
        query = (
            "SELECT id, match, shot, what, t_s, from_s, until_s, state, bytes FROM evidence"
            " WHERE (? IS NULL OR match = ?) AND (? IS NULL OR id = ?) ORDER BY id"
        )
        rows = self._connection.execute(query, (match, match, number, number))
        return [EvidenceRow(*row) for row in rows]


def read_only(folder: Path) -> sqlite3.Connection:
    """A connection that only reads, beside a program that writes."""
    connection = sqlite3.connect(f"file:{folder / JOURNAL}?mode=ro", uri=True)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _connection(path: Path) -> sqlite3.Connection:
    """The database, checked and brought up."""
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if next(connection.execute("PRAGMA quick_check"))[0] != "ok":
            raise sqlite3.DatabaseError
        version = int(next(connection.execute("PRAGMA user_version"))[0])
        if version > VERSION:
            raise CannotBeDoneError(
                f"{path} was written by a newer version of this program; use that one."
            )
        connection.executescript(_SCHEMA)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    except sqlite3.Error:
        raise CannotBeDoneError(
            f"{path} is damaged; move it away (keep it) and start with an empty folder."
        ) from None
    return connection


def _locked(path: Path) -> IO[bytes]:
    """The lock file of a folder, held; a killed program lets go of it by itself."""
    lock = path.open("ab")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise CannotBeDoneError(
            f"Another table-monitor works in {path.parent}; stop it or choose another --data."
        ) from None
    return lock


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
