"""The room where clips are cut: one after another, within the disk's budget, whatever fails."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from monitor.failures import CannotBeDoneError
from monitor.live.desk import Desk, DeskSettings
from monitor.live.evidence_room import EvidenceRoom
from monitor.live.table_live import LiveTable
from monitor.store import EvidenceRow, Journal

CLIP: Final = Path(__file__).parents[3] / "fixtures" / "videos" / "pot" / "clip.mp4"
OFFSET_S: Final = 100.0
_PLENTY: Final = 50_000_000


class Kept:
    """A desk with a room beside it that cuts from a file."""

    def __init__(self, folder: Path, budget_bytes: int = _PLENTY) -> None:
        self.journal = Journal(folder)
        self.desk = Desk(self.journal, DeskSettings(camera=True))
        self.room = EvidenceRoom(LiveTable(self.desk, folder), budget_bytes, self.cut_live)
        self.room.source, self.room.offset_s = CLIP, OFFSET_S
        self.folder = folder / "evidence"
        self.room.start()

    def cut_live(self, from_s: float, until_s: float, out: Path) -> float:
        """A camera of which nothing is kept."""
        raise CannotBeDoneError(f"{from_s} to {until_s} is not kept any more: {out.name}")

    def want(self, t_s: float) -> int:
        """Ask for a clip around a moment of the file; its number."""
        t_s += OFFSET_S
        match = self.desk.book.number
        number = self.journal.want_evidence(match, 1, "first_contact", t_s, (t_s - 1.5, t_s + 1.0))
        rows: list[EvidenceRow] = self.journal.evidence(number=number)
        self.room.want(rows)
        return number

    def wait_for(self, number: int, *states: str) -> str:
        """The state of a clip, once it is one of these."""
        give_up = time.monotonic() + 30
        while (state := self.desk.evidence_state(number)) not in states:
            assert time.monotonic() < give_up, state
            time.sleep(0.02)
        assert state is not None
        return state


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    """A room with room enough."""
    made = Kept(tmp_path)
    yield made
    made.room.stop()
    made.journal.close()


def test_a_clip_and_the_picture_of_its_moment_are_kept(kept: Kept) -> None:
    number = kept.want(2.0)
    kept.wait_for(number, "ready")
    clip = kept.folder / f"{number:08d}.mp4"
    assert clip.stat().st_size > 10_000 and clip.with_suffix(".jpg").is_file()
    (row,) = kept.journal.evidence(number=number)
    assert row.bytes == clip.stat().st_size + clip.with_suffix(".jpg").stat().st_size


def test_the_oldest_go_when_the_budget_is_used_up(tmp_path: Path) -> None:
    """Their record stays and says so; what is newer stays."""
    one = Kept(tmp_path / "measured")
    first = one.want(2.0)
    one.wait_for(first, "ready")
    size = one.journal.evidence(number=first)[0].bytes
    one.room.stop()
    one.journal.close()

    small = Kept(tmp_path / "small", budget_bytes=int(2.5 * size))
    numbers = [small.want(2.0) for _ in range(4)]
    for number in numbers[-2:]:
        small.wait_for(number, "ready")
    for number in numbers[:2]:
        small.wait_for(number, "gone")
        assert not list(small.folder.glob(f"{number:08d}.*"))
    small.room.stop()
    assert small.room.used_bytes <= 2.5 * size
    small.journal.close()


def test_what_cannot_be_cut_does_not_cost_what_follows(kept: Kept, tmp_path: Path) -> None:
    """A file that is none, a camera of which nothing is kept; then a good clip."""
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no video" * 100)
    kept.room.source = broken
    assert kept.wait_for(kept.want(2.0), "none", "ready") == "none"
    kept.room.source = None
    assert kept.wait_for(kept.want(2.0), "none", "ready") == "none"
    kept.room.source = CLIP
    assert kept.wait_for(kept.want(2.0), "none", "ready") == "ready"
