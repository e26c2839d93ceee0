"""A disk that is full: nothing that was seen is lost, and what was shown stands."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from monitor.live.waiting_words import WaitingWords
from tests.monitor.live.scorer import BREAK, Scorer


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Two megabytes of a disk of their own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)]
    try:
        done = subprocess.run(command, check=False, capture_output=True).returncode == 0
    except OSError:
        done = False
    if not done:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


def fill(folder: Path) -> Path:
    """Take all the room there is."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as out:
        try:
            while True:
                out.write(bytes(4096))
        except OSError:
            return filler


def test_what_is_seen_on_a_full_disk_is_ruled_on_once_there_is_room(disk: Path) -> None:
    scorer = Scorer(disk / "journal")
    scorer.shot(**BREAK)
    shown = scorer.last["record"]
    filler = fill(disk)
    waiting = WaitingWords()
    # Shots until the log's last free page is used up.
    for number in range(200):
        waiting.put(lambda n=number: scorer.desk.enter_shot(hand_shot(n)) and None)
        if waiting:
            break
    assert len(waiting) == 1
    before = len(scorer.state["rulings"])
    with pytest.raises(sqlite3.OperationalError):
        scorer.act("note", text="x" * 400)
    # What was shown stands, and the page goes on to be served.
    assert len(scorer.state["rulings"]) == before
    waiting.put(lambda: scorer.desk.enter_shot(hand_shot(900)) and None)
    assert len(waiting) == 2
    filler.unlink()
    waiting.retry()
    assert len(waiting) == 0
    shots = [r["shot"] for r in scorer.state["rulings"] if r["shot"]]
    assert len(scorer.desk.book.shots) == number + 3 and shots[0] == number + 3
    scorer.again()
    assert len(scorer.desk.book.shots) == number + 3
    assert any(record.id == shown for record in scorer.desk.book.records)
    scorer.journal.close()


def hand_shot(number: int) -> dict[str, object]:
    """A stroke that drives its ball to a rail."""
    facts = {"first_contact": None if number % 2 else "1", "rails_after_contact": []}
    return {"id": f"full-{number}", "facts": facts}
