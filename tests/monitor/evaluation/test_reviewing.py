"""Reviews run in a process of their own, and their failures stay theirs."""

from __future__ import annotations

import time
from pathlib import Path

from monitor.evaluation.reviewing import review_case
from monitor.evaluation.truth_files import read_truth
from tests.monitor.evaluation.cases import write_rows
from tests.monitor.evaluation.shot_rows import TRUTH


def test_a_clip_that_is_no_video_is_told_in_one_sentence(tmp_path: Path) -> None:
    write_rows(tmp_path / "case" / "truth.jsonl", TRUTH)
    (tmp_path / "case" / "clip.mp4").write_text("not a video", encoding="utf-8")
    started = time.monotonic()
    run = review_case(read_truth(tmp_path / "case"), tmp_path / "out")
    assert run.problem
    assert "\n" not in run.problem
    assert 0.0 < run.startup_s <= run.total_s or run.startup_s == 0.0
    assert run.total_s <= time.monotonic() - started + 0.1
