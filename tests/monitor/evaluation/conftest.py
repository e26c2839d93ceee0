"""The scorer that all tests of the evaluation share."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.evaluate import evaluate
from monitor.evaluation.clip_score import ClipScore
from tests.monitor.evaluation.cases import Row, overhead_camera, write_camera, write_rows
from tests.monitor.evaluation.shot_rows import Scorer


@pytest.fixture
def score(tmp_path: Path) -> Scorer:
    """Scores a log against truth."""

    def scored(truth: list[Row], ours: list[Row]) -> ClipScore:
        write_rows(tmp_path / "case" / "truth.jsonl", truth)
        write_rows(tmp_path / "out" / "case" / "shots.jsonl", ours)
        write_camera(tmp_path / "out" / "case", overhead_camera())
        return evaluate([tmp_path / "case"], tmp_path / "out")[0]

    return scored
