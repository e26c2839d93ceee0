"""A camera that moves is told in the shot log and on the rulings that it spoils."""

from __future__ import annotations

import math
from pathlib import Path

from calibration.drift import Move
from monitor.moved_camera import health_notes, sentence_of, with_moves
from monitor.replaying import replay
from table.events import BallContact, ShotEnded, ShotEvent, ShotStarted, Source
from table.log import ShotLog, read_log, write_log

PLACES = {"cue": (-0.6, 0.0), "1": (0.3, 0.1), "2": (0.5, -0.2), "10": (0.7, 0.3)}


def shot(number: int, start_s: float) -> list[ShotEvent]:
    common = {"shot": number, "dt_s": 0.01, "confidence": 1.0}
    return [
        ShotStarted(t_s=start_s, balls=PLACES, **common),
        BallContact(t_s=start_s + 0.4, a="cue", b="1", **common),
        ShotEnded(t_s=start_s + 3.0, balls=PLACES, **common),
    ]


EVENTS = (*shot(1, 1.0), *shot(2, 10.0), *shot(3, 20.0))


def spoiled(move: Move) -> list[int]:
    return [e.shot for e in with_moves(EVENTS, [move]) if health_notes([e])]


def test_only_shots_played_during_the_move_are_told() -> None:
    assert spoiled(Move(5.0, 8.0, None, 12.0)) == [2, 3]
    assert spoiled(Move(5.0, 8.0, 15.0, 12.0)) == [2]
    assert spoiled(Move(11.0, 14.0, 15.0, 12.0)) == [2]
    assert spoiled(Move(5.0, 8.0, 9.0, 12.0)) == []
    assert spoiled(Move(0.0, 2.0, None, 12.0)) == [1, 2, 3]


def test_the_events_stay_in_order_of_time() -> None:
    told = with_moves(EVENTS, [Move(11.0, 14.0, None, 9.0)])
    times = [event.t_s for event in told if event.t_s is not None]
    assert times == sorted(times)
    assert len(told) == len(EVENTS) + 2


def test_a_move_that_is_no_shift_is_written_without_a_number() -> None:
    line = next(
        e for e in with_moves(EVENTS, [Move(0.0, 2.0, None, math.inf)]) if health_notes([e])
    )
    log = ShotLog(Source(file="x.mp4"), (line,))
    assert "Infinity" not in write_log(log)
    assert "another view" in sentence_of(Move(0.0, 2.0, None, math.inf))


def test_the_rulings_of_spoiled_shots_carry_the_note(tmp_path: Path) -> None:
    move = Move(11.0, 14.0, 16.0, 12.0)
    path = tmp_path / "shots.jsonl"
    log = ShotLog(Source(file="x.mp4"), with_moves(EVENTS, [move]))
    path.write_text(write_log(log), encoding="utf-8")
    rows = {row["shot"]: row for row in replay(read_log(path), None)}
    assert "health" not in rows[1] or not any("moved" in str(n) for n in rows[1]["health"])
    assert any("camera moved by 12 mm" in str(note) for note in rows[2]["health"])
    assert not any("moved" in str(note) for note in rows[3].get("health", []))
