"""What holds for every lawful shot log, whatever was declared."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from monitor.declaration_file import Declaration, parse_declaration
from monitor.replaying import replay
from table.events import BallContact, CushionContact, ShotEnded, ShotEvent, ShotStarted, Source
from table.geometry import Cushion
from table.log import ShotLog, in_order
from tests.rules.replay.case_files import Row
from tests.rules.replay.random_logs import (
    SHOT_S,
    declared,
    logs,
    mirrored,
    mirrored_row,
    shots,
)

MANY = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SAID = st.lists(declared(), max_size=6)
FROZEN = st.lists(
    st.fixed_dictionaries(
        {
            "t_s": st.just(-1.0),
            "type": st.just("frozen"),
            "a": st.sampled_from(["cue", "3", "5"]),
            "b": st.sampled_from([cushion.value for cushion in Cushion]),
            "by": st.just("referee"),
        }
    ),
    max_size=2,
)
KEYS = {
    "legal", "fouls", "penalised", "next_player", "cue_ball", "spot", "options", "fouls_after",
    "game_over", "winner", "next_phase", "push_out_available", "balls_after", "t_s", "findings",
    "questions", "assumptions", "complete", "provisional", "sentence", "sentence_cs",
}  # fmt: skip
NEXT = (
    "next_player", "cue_ball", "options", "fouls_after", "winner", "next_phase", "balls_after",
    "legal", "fouls", "penalised", "spot",
)  # fmt: skip


def parsed(rows: Sequence[Row]) -> list[Declaration]:
    return [parse_declaration(row) for row in rows]


@MANY
@given(logs(), SAID, st.booleans())
def test_every_lawful_log_gives_one_whole_line_a_shot(
    log: ShotLog, said: list[Row], assume: bool
) -> None:
    rows = replay(log, parsed(said), assume_obvious=assume)
    assert [row["shot"] for row in rows if row["shot"] is not None] == sorted(log.shots())
    for row in rows:
        assert set(row) >= KEYS
        assert row["provisional"] == bool(row["questions"])
        assert json.loads(json.dumps(row)) == row
        if row["shot"] is None:
            assert row["after_shot"] in {0, *log.shots()}


@MANY
@given(logs(), SAID)
def test_a_mirror_changes_no_ruling(log: ShotLog, said: list[Row]) -> None:
    rows = replay(log, parsed(said))
    seen = replay(mirrored(log), parsed([mirrored_row(row) for row in said]))
    assert [_told(row) for row in rows] == [_told(row) for row in seen]


def _told(row: Row) -> Row:
    questions = row["questions"]
    assert isinstance(questions, list)
    articles = [question["article"] for question in questions]
    return {key: row[key] for key in (*NEXT, "shot", "t_s")} | {"questions": articles}


@MANY
@given(shots(unnamed=False), FROZEN, st.data())
def test_lowering_a_confidence_turns_a_foul_or_nothing_only_into_a_question(
    events: list[ShotEvent], said: list[Row], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(events) - 1))
    event = events[index]
    lower = replace(event, confidence=data.draw(st.floats(0, event.confidence)))
    _only_questions(events, [*events[:index], lower, *events[index + 1 :]], said)


@pytest.mark.parametrize("confidence", [0.0, 0.0005, 0.01, 0.019, 0.5])
def test_a_contact_told_as_unlikely_is_asked_about(confidence: float) -> None:
    """The 2 first, with nothing else to go by: a foul, and with doubts a question."""
    start = ShotStarted(
        shot=1, t_s=0.0, balls={"cue": (-0.8, 0.0), "1": (0.635, 0.0), "2": (0.685, 0.03)}
    )
    contact = BallContact(shot=1, t_s=1.0, a="cue", b="2")
    end = ShotEnded(shot=1, t_s=7.0, balls={})
    doubtful = replace(contact, confidence=confidence)
    _only_questions([start, contact, end], [start, doubtful, end], [])
    surely = BallContact(shot=1, t_s=2.0, a="cue", b="1")
    _only_questions([start, contact, surely, end], [start, doubtful, surely, end], [])


@pytest.mark.parametrize("confidence", [0.0, 0.0005, 0.01, 0.019, 0.5])
def test_a_rail_between_an_unlikely_contact_and_a_sure_one_is_asked_about(
    confidence: float,
) -> None:
    start = ShotStarted(shot=1, t_s=0.0, balls={"cue": (-0.8, 0.0), "1": (0.635, 0.0)})
    contact = BallContact(shot=1, t_s=0.5, a="cue", b="1")
    rail = CushionContact(shot=1, t_s=1.0, ball="cue", cushion=Cushion.HEAD)
    again = replace(contact, t_s=2.0)
    end = ShotEnded(shot=1, t_s=7.0, balls={})
    doubtful = replace(contact, confidence=confidence)
    _only_questions([start, contact, rail, again, end], [start, doubtful, rail, again, end], [])


@MANY
@given(shots(unnamed=False), FROZEN, st.data())
def test_widening_a_time_turns_a_foul_or_nothing_only_into_a_question(
    events: list[ShotEvent], said: list[Row], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(events) - 1))
    event = events[index]
    wider = replace(event, dt_s=event.dt_s + data.draw(st.floats(0, 3)))
    _only_questions(events, [*events[:index], wider, *events[index + 1 :]], said)


def _only_questions(sharp: list[ShotEvent], blunt: list[ShotEvent], said: list[Row]) -> None:
    fouls, asked = _findings(sharp, said)
    fouls_now, asked_now = _findings(blunt, said)
    assert fouls_now - fouls <= asked, "a foul that was nothing before"
    assert fouls - fouls_now <= asked_now, "a foul that is nothing now"


def _findings(events: list[ShotEvent], said: list[Row]) -> tuple[set[object], set[object]]:
    (row,) = replay(ShotLog(Source(), tuple(in_order(events))), parsed(said))
    fouls, questions = row["fouls"], row["questions"]
    assert isinstance(fouls, list)
    assert isinstance(questions, list)
    return set(fouls), {question["article"] for question in questions}


@MANY
@given(logs(), SAID, st.integers(1, 4))
def test_replaying_says_what_was_ruled_live(log: ShotLog, said: list[Row], shot: int) -> None:
    """What was known before a stroke gave the rows that the whole log begins with."""
    known = tuple(event for event in log.events if event.shot <= shot)
    heard = [row for row in said if _time(row) < shot * SHOT_S]
    live = replay(ShotLog(log.source, known), parsed(heard))
    assert replay(log, parsed(said if shot in log.shots() else heard))[: len(live)] == live


def _time(row: Row) -> float:
    t_s = row["t_s"]
    assert isinstance(t_s, float)
    return t_s


@MANY
@given(logs(most=2), SAID, declared())
def test_an_undo_takes_back_what_was_said(log: ShotLog, said: list[Row], last: Row) -> None:
    late = 89.0
    said = [row for row in said if row["type"] != "undo"]
    if last["type"] in ("call", "safety", "push_out", "withdraw", "frozen", "undo"):
        return
    before = replay(log, parsed(said))
    words = [*said, last | {"t_s": late + 2}, {"type": "undo", "t_s": late + 3}]
    after = replay(log, parsed(words))
    assert {key: after[-1][key] for key in NEXT[:7]} == {key: before[-1][key] for key in NEXT[:7]}


def test_a_start_without_positions_is_lawful() -> None:
    (row,) = replay(ShotLog(Source(), (ShotStarted(shot=1, t_s=1.0),)))
    assert row["complete"] is False
