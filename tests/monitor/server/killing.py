"""kill -9 at random moments of a scripted match, and what has to hold afterwards.

Used by the test (a few kills) and by benchmarks/live_kill.py (a hundred).
"""

from __future__ import annotations

import json
import random
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

from monitor.store import read_only
from tests.monitor.live.scorer import BREAK
from tests.monitor.server.served import Served, Watcher


@dataclass
class Tally:
    """What was done and checked over all kills."""

    kills: int = 0
    actions: int = 0
    unanswered: int = 0
    unanswered_on_record: int = 0
    rulings_shown: int = 0
    faults: list[str] = field(default_factory=list)


def script(number: int) -> list[tuple[str, dict[str, Any]]]:
    """The actions of one life: shots, calls, fouls, corrections; each with its own id."""
    told: list[tuple[str, dict[str, Any]]] = []

    def say(route: str, **body: Any) -> None:
        told.append((route, {"id": f"k{number}-{len(told)}"} | body))

    say("/actions", type="rerack", reason="again")
    say("/shots", facts=BREAK)
    for ball in ("1", "2", "3"):
        say("/actions", type="call", ball=ball, pocket="FL")
        fell = [{"ball": ball, "pocket": "FL"}]
        facts = {"first_contact": ball, "rails_after_contact": [ball], "pocketed": fell}
        say("/shots", facts=facts)
    say("/shots", facts={"first_contact": "9", "rails_after_contact": ["9"]})
    say("/actions", type="foul", rule="6.4", by="A")
    say("/actions", type="note", text="between")
    say("/shots", facts={"first_contact": "4", "rails_after_contact": []})
    return told


def live_and_die(folder: Path, number: int, chance: random.Random, tally: Tally) -> None:
    """One life of the server: a restart, a script, a kill within it, and the checks."""
    server = Served(folder)
    watchers = [Watcher(server.base), Watcher(server.base)]
    answered: dict[str, dict[str, Any]] = {}
    sent: list[tuple[str, dict[str, Any]]] = []

    def play() -> None:
        for route, body in script(number):
            sent.append((route, body))
            try:
                answered[body["id"]] = server.post(route, body)
            except (OSError, ValueError, HTTPException):
                return

    player = threading.Thread(target=play)
    player.start()
    time.sleep(chance.uniform(0.0, 0.5))
    server.kill()
    player.join(30)
    for watcher in watchers:
        watcher.thread.join(10)
    tally.kills += 1
    tally.actions += len(sent)
    shown = {k: v for watcher in watchers for k, v in watcher.rulings().items()}
    tally.rulings_shown += len(shown)
    _check_file(folder, shown, answered, sent, tally)
    _check_again(folder, shown, answered, sent, tally)


def _check_file(
    folder: Path,
    shown: dict[int, dict[str, Any]],
    answered: dict[str, dict[str, Any]],
    sent: list[tuple[str, dict[str, Any]]],
    tally: Tally,
) -> None:
    """The journal as it lies on the disk after the kill."""
    with closing(read_only(folder)) as journal:
        if next(journal.execute("PRAGMA integrity_check"))[0] != "ok":
            tally.faults.append("the file is damaged")
        for record, row in shown.items():
            kept = _body(journal, record)
            if kept is None or kept.get("row") != row:
                tally.faults.append(f"ruling {record} was shown and is not on record")
        for action, answer in answered.items():
            if "record" in answer and _body(journal, answer["record"]) is None:
                tally.faults.append(f"action {action} was answered and is not on record")
        open_ones = [body["id"] for _, body in sent if body["id"] not in answered]
        tally.unanswered += len(open_ones)
        for action in open_ones:
            found = journal.execute("SELECT count(*) FROM answers WHERE action = ?", (action,))
            tally.unanswered_on_record += int(next(found)[0])


def _check_again(
    folder: Path,
    shown: dict[int, dict[str, Any]],
    answered: dict[str, dict[str, Any]],
    sent: list[tuple[str, dict[str, Any]]],
    tally: Tally,
) -> None:
    """After a restart the state holds what was shown, and a repeated action is taken once."""
    server = Served(folder)
    try:
        again = {ruling["record"]: ruling["row"] for ruling in _state(server)["rulings"]}
        newest = sorted(shown)[-3:]
        for record in newest:
            if record not in again and _stands(folder, record):
                tally.faults.append(f"ruling {record} is gone from the page after the restart")
        for route, body in sent:
            first = server.post(route, body)
            second = server.post(route, body)
            if first.get("record") != second.get("record"):
                tally.faults.append(f"action {body['id']} was taken twice")
            known = answered.get(body["id"], {}).get("record")
            if known is not None and known != first.get("record"):
                tally.faults.append(f"action {body['id']} got another answer")
    finally:
        server.kill()
    with closing(read_only(folder)) as journal:
        for _, body in sent:
            if body.get("type") != "note":
                continue
            rows = journal.execute("SELECT count(*) FROM answers WHERE action = ?", (body["id"],))
            if next(rows)[0] != 1:
                tally.faults.append(f"action {body['id']} has not exactly one answer")


def _state(server: Served) -> dict[str, Any]:
    return dict(server.get("/state")["state"])


def _body(journal: sqlite3.Connection, record: int) -> dict[str, Any] | None:
    rows = journal.execute("SELECT body FROM records WHERE id = ?", (record,)).fetchall()
    return dict(json.loads(rows[0][0])) if rows else None


def _stands(folder: Path, record: int) -> bool:
    """Was a ruling not replaced by a later record of the same key?"""
    with closing(read_only(folder)) as journal:
        body = _body(journal, record)
        later = journal.execute(
            "SELECT body FROM records WHERE id > ? AND kind = 'ruling'", (record,)
        )
        keys = [json.loads(row[0])["key"] for row in later]
    return body is not None and body["key"] not in keys


def kill_many(folder: Path, kills: int, seed: int) -> Tally:
    """So many lives on one journal."""
    tally, chance = Tally(), random.Random(seed)
    for number in range(kills):
        live_and_die(folder, number, chance, tally)
    return tally
