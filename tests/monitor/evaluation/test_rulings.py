"""Rulings against expected ones: right, wrong, hanging on a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.evaluate import evaluate
from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.scores import RulingScore
from tests.monitor.evaluation.cases import Row, write_rows
from tests.monitor.evaluation.shot_rows import TRUTH

EXPECTED: Row = {
    "shot": 1,
    "legal": False,
    "fouls": ["6.1", "6.2"],
    "fouls_may_also_list": ["6.3"],
    "penalised": "6.1",
    "next_player": "B",
    "spot": [],
    "fouls_after": {"A": 1, "B": 0},
    "balls_after": ["2", "3"],
    "winner": None,
}
OURS: Row = {**EXPECTED, "t_s": 4.0, "questions": [], "sentence": "..."}
QUESTION = {"article": "6.9", "ask": "?", "clip": [0.0, 1.0]}


def scored(folder: Path, *ours: Row, expected: Row = EXPECTED) -> ClipScore:
    """Score rulings on the one shot of TRUTH."""
    write_rows(folder / "case" / "truth.jsonl", TRUTH)
    write_rows(folder / "case" / "expected.jsonl", [expected])
    write_rows(folder / "out" / "case" / "shots.jsonl", TRUTH)
    write_rows(folder / "out" / "case" / "rulings.jsonl", ours)
    return evaluate([folder / "case"], folder / "out")[0]


def test_the_expected_ruling_is_right(tmp_path: Path) -> None:
    assert scored(tmp_path, OURS).rulings == RulingScore(right=1)


@pytest.mark.parametrize(
    "same",
    [
        {"fouls": ["6.2", "6.1"]},
        {"fouls": ["6.1", "6.2", "6.3"]},
        {"balls_after": ["3", "2"]},
        {"push_out_available": True},
    ],
)
def test_order_extras_and_keys_not_expected_do_not_matter(tmp_path: Path, same: Row) -> None:
    assert scored(tmp_path, {**OURS, **same}).rulings == RulingScore(right=1)


@pytest.mark.parametrize(
    "other",
    [
        {"legal": True},
        {"legal": None},
        {"fouls": ["6.1"]},
        {"fouls": ["6.1", "6.2", "6.9"]},
        {"penalised": "6.2"},
        {"next_player": "A"},
        {"spot": ["10"]},
        {"fouls_after": {"A": 0, "B": 0}},
        {"balls_after": ["2"]},
        {"winner": "A"},
    ],
)
def test_one_other_value_is_wrong(tmp_path: Path, other: Row) -> None:
    found = scored(tmp_path, {**OURS, **other})
    assert found.rulings == RulingScore(wrong=1)
    assert next(iter(other)) in found.misses[0].instead


def test_an_open_question_is_neither(tmp_path: Path) -> None:
    agreeing = scored(tmp_path, {**OURS, "questions": [QUESTION]})
    assert agreeing.rulings == RulingScore(questions=1, questions_agreeing=1)
    found = scored(tmp_path, {**OURS, "legal": True, "questions": [QUESTION]})
    assert found.rulings == RulingScore(questions=1)
    assert "6.9" in found.misses[0].instead


def test_no_ruling_is_wrong(tmp_path: Path) -> None:
    assert scored(tmp_path, {**OURS, "shot": 2}).rulings == RulingScore(wrong=1)


def test_a_ruling_on_a_declaration_is_found_after_its_shot(tmp_path: Path) -> None:
    expected: Row = {"shot": None, "after_shot": 1, "expected": {"next_player": "B"}}
    ours: Row = {"shot": None, "after_shot": 1, "next_player": "B"}
    assert scored(tmp_path, ours, expected=expected).rulings == RulingScore(right=1)
    ours["next_player"] = "A"
    assert scored(tmp_path, ours, expected=expected).rulings == RulingScore(wrong=1)


def test_without_expected_rulings_there_is_no_score(tmp_path: Path) -> None:
    write_rows(tmp_path / "case" / "truth.jsonl", TRUTH)
    write_rows(tmp_path / "out" / "case" / "shots.jsonl", TRUTH)
    assert evaluate([tmp_path / "case"], tmp_path / "out")[0].rulings is None
