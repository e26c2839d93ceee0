"""The line of frames, the clock, the shot clock, clips, the journal's file."""

from __future__ import annotations

import itertools
import json
import sqlite3
import threading
from pathlib import Path

import av
import numpy as np
import pytest

from monitor.failures import CannotBeDoneError
from monitor.live.captured import Captured, CapturedLine
from monitor.live.clips import moment_picture, over_budget
from monitor.live.match_clock import MatchClock
from monitor.live.moments import deciding_moments
from monitor.live.resuming import resume_point
from monitor.live.shot_clock import clock_of
from monitor.live.waiting_words import WaitingWords
from monitor.packet_cut import cut_from_file
from monitor.store import JOURNAL, Journal
from table.events import BallContact, BallPocketed
from table.geometry import Pocket
from tests.monitor.live.scorer import BREAK, Scorer
from vision.frames import Frame

CLIP = Path(__file__).parents[3] / "fixtures" / "videos" / "pot" / "clip.mp4"
PIXEL = np.zeros((16, 16, 3), np.uint8)


def captured(number: int, at: float) -> Captured:
    return Captured(Frame(number, at, PIXEL, PIXEL[..., 0]), at)


# Frames


def test_stale_frames_are_dropped_and_counted() -> None:
    line = CapturedLine(stale_s=0.4)
    for number in range(30):
        line.put(captured(number, number * 0.1))
    first = line.take(0.0)
    assert first is not None and first.at >= 2.9 - 0.4 - 1e-9
    assert line.came == 30 and line.dropped == first.frame.index


def test_a_short_stall_loses_no_frame() -> None:
    line = CapturedLine(stale_s=0.4)
    for number in range(10):
        line.put(captured(number, number / 30))
    assert [line.take(0.0).frame.index for _ in range(10)] == list(range(10))  # type: ignore[union-attr]
    assert line.dropped == 0 and line.take(0.0) is None


def test_a_file_that_is_not_played_in_real_time_loses_no_frame() -> None:
    line = CapturedLine(lossless=True)

    def fill() -> None:
        for number in range(200):
            line.put(captured(number, number * 10.0))
        line.close()

    reader = threading.Thread(target=fill)
    reader.start()
    taken = []
    while not line.ended:
        frame = line.take(1.0)
        if frame is not None:
            taken.append(frame.frame.index)
    reader.join()
    assert taken == list(range(200)) and line.dropped == 0


# Time


def test_match_time_follows_the_source_and_never_goes_back() -> None:
    now = [100.0]
    clock = MatchClock(5.0, lambda: now[0])
    assert clock.now() == pytest.approx(5.0, abs=0.002)
    clock.saw(20.0, at=100.0)
    now[0] = 100.25
    tapped = clock.now()
    assert tapped == pytest.approx(20.25)
    clock.saw(19.0, at=100.3)
    assert clock.now() > tapped
    now[0] = 200.0
    assert clock.now() < 21.5
    clock.source_ended()
    now[0] = 210.0
    assert clock.now() == pytest.approx(20.25 + 10.0, abs=1.1)


def test_two_words_never_have_the_same_time() -> None:
    clock = MatchClock(0.0, lambda: 1.0)
    times = [clock.now() for _ in range(5)]
    assert all(a < b for a, b in itertools.pairwise(times))


def test_the_shot_clock_runs_from_rest_with_pause_and_extension(tmp_path: Path) -> None:
    scorer = Scorer(tmp_path)
    now = [0.0]
    scorer.desk.clock = MatchClock(0.0, lambda: now[0])
    scorer.shot(**BREAK)
    scorer.act("clock_on", limit_s=30, extension_s=20)
    now[0] = 10.0
    assert clock_of(scorer.desk.book).left_s(10.0) == pytest.approx(20.0, abs=0.1)
    scorer.act("clock_pause")
    now[0] = 50.0
    scorer.act("clock_resume")
    assert clock_of(scorer.desk.book).left_s(50.0) == pytest.approx(20.0, abs=0.1)
    scorer.act("extension", by="B")
    assert clock_of(scorer.desk.book).left_s(50.0) == pytest.approx(40.0, abs=0.1)
    now[0] = 91.0
    card = next(c for c in scorer.state["cards"] if c["kind"] == "clock")
    action = card["answers"][0]["action"]
    scorer.desk.act({"id": "expired"} | action)
    assert scorer.last["fouls"] == ["6.15"] and scorer.rack["at_table"] == "A"
    scorer.journal.close()


# Clips


def packets(path: Path) -> list[bytes]:
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        return [bytes(p) for p in container.demux(stream) if p.size]


def test_a_clip_is_the_recorded_packets_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "00000001.mp4"
    cut = cut_from_file(CLIP, 1.0, 4.0, out)
    assert cut.from_s <= 1.0 and cut.bytes == out.stat().st_size
    taken, recorded = packets(out), packets(CLIP)
    start = recorded.index(taken[0])
    assert taken == recorded[start : start + len(taken)]
    with av.open(str(out)) as made:
        times = [f.time for f in made.decode(video=0)]
    assert times[0] == pytest.approx(0.0, abs=0.1)
    assert cut.from_s + times[-1] >= 4.0 - 0.05
    assert [path.name for path in tmp_path.iterdir()] == ["00000001.mp4"]


def test_a_clip_that_cannot_be_cut_leaves_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no video")
    with pytest.raises(CannotBeDoneError):
        cut_from_file(broken, 0.0, 1.0, tmp_path / "out" / "00000001.mp4")
    assert list((tmp_path / "out").iterdir()) == []


def test_the_moment_is_shown_three_times(tmp_path: Path) -> None:
    cut = cut_from_file(CLIP, 1.0, 3.0, tmp_path / "1.mp4")
    picture = moment_picture(tmp_path / "1.mp4", 1.9 - cut.from_s, (600.0, 350.0), 200.0)
    assert picture is not None and picture[:2] == b"\xff\xd8"


def test_the_oldest_clips_go_first(tmp_path: Path) -> None:
    for number in range(1, 6):
        (tmp_path / f"{number:08d}.mp4").write_bytes(b"x" * 900)
        (tmp_path / f"{number:08d}.jpg").write_bytes(b"x" * 100)
    assert over_budget(tmp_path, 10_000) == []
    assert over_budget(tmp_path, 3_500) == [1, 2]


def test_evidence_is_cut_around_what_decided() -> None:
    events = (
        BallContact(shot=1, t_s=10.0, a="cue", b="1"),
        BallContact(shot=1, t_s=10.5, a="cue", b="3"),
        BallPocketed(shot=1, t_s=12.0, ball="3", pocket=Pocket.FL),
    )
    row = {"questions": [{"clip": [13.0, 14.0]}, {"clip": [9.9, 10.3]}, {"clip": None}]}
    moments = deciding_moments(events, row)
    assert [m.what for m in moments] == ["first_contact", "pocketed_3", "question"]
    assert moments[0].span == (8.0, 11.0)


# The journal's file


def test_one_program_at_a_time_holds_a_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(CannotBeDoneError, match="Another table-monitor"):
        Journal(tmp_path)
    journal.close()
    Journal(tmp_path).close()


def test_a_damaged_journal_is_said_and_kept(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes(b"this is no database, but long enough to look at" * 20)
    with pytest.raises(CannotBeDoneError, match="damaged"):
        Journal(tmp_path)
    assert (tmp_path / JOURNAL).read_bytes().startswith(b"this is no database")


def test_a_journal_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    Journal(tmp_path).close()
    with sqlite3.connect(tmp_path / JOURNAL) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(CannotBeDoneError, match="newer"):
        Journal(tmp_path)


def test_half_a_transaction_is_none(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    match = journal.open_match({"players": ["A", "B"]})
    with pytest.raises(RuntimeError), journal.transaction():
        journal.write(match, "note", 1.0, None, {"text": "x"})
        raise RuntimeError
    assert journal.records(match) == []
    journal.close()


def test_a_file_goes_on_where_it_was_when_the_program_was_killed(tmp_path: Path) -> None:
    scorer = Scorer(tmp_path / "data")
    film = tmp_path / "film.mp4"
    film.write_bytes(b"12345")
    session = {"source": "film.mp4", "size": 5, "offset_s": 100.0, "first_s": 2.0}
    assert resume_point(scorer.desk.book, film) is None
    scorer.desk.open_session(session)
    assert resume_point(scorer.desk.book, film) == 2.0
    log = [
        {"v": 1, "kind": "shot_started", "shot": 1, "t_s": 104.0, "balls": {"cue": [0, 0]}},
        {"v": 1, "kind": "shot_ended", "shot": 1, "t_s": 107.0, "balls": {"cue": [0.1, 0]}},
    ]
    from table.log import parse_log  # noqa: PLC0415

    scorer.desk.take_shot(parse_log([json.dumps(row) for row in log]).events, {})
    assert resume_point(scorer.desk.book, film) == pytest.approx(7.1)
    scorer.desk.end_session()
    assert resume_point(scorer.desk.book, film) is None
    scorer.journal.close()


def test_only_what_could_not_be_written_waits() -> None:
    """The step in hand does not count; one that fails keeps its place before the others."""
    waiting, seen, full = WaitingWords(), [], [True]

    def step(name: str) -> None:
        if full[0]:
            raise OSError("no space left")
        seen.append((name, len(waiting)))

    waiting.put(lambda: step("a"))
    waiting.put(lambda: step("b"))
    assert seen == [] and len(waiting) == 2
    full[0] = False
    waiting.put(lambda: step("c"))
    assert seen == [("a", 2), ("b", 1), ("c", 0)] and len(waiting) == 0


def test_a_camera_frame_that_the_network_held_up_does_not_set_match_time_back() -> None:
    """A camera's times are of the monotonic clock: match time follows them, not the arrival."""
    now = [100.0]
    clock = MatchClock(start_s=0.0, monotonic=lambda: now[0])
    clock.saw(10.0, 100.0)
    now[0] = 100.8
    # Seen at 100.1, here only now.
    clock.saw(10.1, 100.1)
    assert clock.peek() == pytest.approx(10.8)
