"""The shared clips' truth as its own result scores perfectly; each fault moves one figure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from monitor.evaluate import evaluate
from monitor.evaluation.clip_score import ClipScore
from tests.monitor.evaluation.cases import (
    overhead_camera,
    perfect_result,
    read_rows,
    write_camera,
    write_rows,
)

SHARED = os.environ.get("TABLE_MONITOR_SHARED")
pytestmark = pytest.mark.skipif(not SHARED, reason="TABLE_MONITOR_SHARED is not set")


def cases() -> list[Path]:
    """The case folders that hold truth."""
    root = Path(SHARED or ".") / "clips"
    return sorted(path.parent for path in root.glob("*/truth.jsonl"))


def score_against_itself(folder: Path, out: Path) -> ClipScore:
    """Score truth against the log that repeats it."""
    camera = overhead_camera()
    write_rows(
        out / folder.name / "shots.jsonl", perfect_result(read_rows(folder / "truth.jsonl"), camera)
    )
    write_camera(out / folder.name, camera)
    return evaluate([folder], out)[0]


@pytest.mark.parametrize("folder", cases() if SHARED else [], ids=lambda path: path.name)
def test_truth_as_its_own_result_is_perfect(folder: Path, tmp_path: Path) -> None:
    score = score_against_itself(folder, tmp_path)
    assert score.misses == ()
    assert score.problems == ()
    for event in score.events.values():
        for counts in (*event.complete.values(), *event.recall_only.values()):
            assert counts.fp == counts.fn == 0
        assert all(error == 0 for error in event.time_errors_s)
    assert score.first_contact.wrong == score.first_contact.undecided == 0
    assert score.pocketed_sets.hits == score.pocketed_sets.trials
    assert score.rest.missing == score.rest.extra == score.rest.named_wrong == 0
    assert max(score.rest.errors_mm, default=0.0) < 0.02
    assert score.rolling.hits == score.rolling.trials
