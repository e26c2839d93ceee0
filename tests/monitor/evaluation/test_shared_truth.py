"""The shared clips' truth as its own result scores perfectly; each fault moves one figure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from monitor.evaluate import evaluate
from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.scores import TOLERANCES, Counts
from monitor.evaluation.truth_files import read_truth
from tests.monitor.evaluation.cases import (
    Row,
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


def score(folder: Path, ours: list[Row], out: Path) -> ClipScore:
    """Score truth against a log."""
    write_rows(out / folder.name / "shots.jsonl", ours)
    write_camera(out / folder.name, overhead_camera())
    return evaluate([folder], out)[0]


def repeated(folder: Path) -> list[Row]:
    """The log that repeats the truth of a clip."""
    return perfect_result(read_rows(folder / "truth.jsonl"), overhead_camera())


@pytest.mark.parametrize("folder", cases() if SHARED else [], ids=lambda path: path.name)
def test_truth_as_its_own_result_is_perfect(folder: Path, tmp_path: Path) -> None:
    found = score(folder, repeated(folder), tmp_path)
    assert found.misses == ()
    assert found.problems == ()
    for event in found.events.values():
        for counts in (*event.complete.values(), *event.recall_only.values()):
            assert counts.fp == counts.fn == 0
        assert all(error == 0 for error in event.time_errors_s)
    assert found.first_contact.wrong == found.first_contact.undecided == 0
    assert found.pocketed_sets.hits == found.pocketed_sets.trials
    assert found.rest.missing == found.rest.extra == found.rest.named_wrong == 0
    assert max(found.rest.errors_mm, default=0.0) < 0.02
    assert found.rolling.hits == found.rolling.trials


EVENTS = ("ball_contact", "cushion_contact", "ball_pocketed", "ball_off_table")


@pytest.mark.parametrize("folder", cases() if SHARED else [], ids=lambda path: path.name)
def test_each_event_left_out_is_the_only_miss(folder: Path, tmp_path: Path) -> None:
    ours = repeated(folder)
    everything = score(folder, ours, tmp_path)
    for row in [row for row in ours if row["kind"] in EVENTS]:
        found = score(folder, [other for other in ours if other is not row], tmp_path)
        kind = str(row["kind"])
        before, after = everything.events[kind], found.events[kind]
        of_kind = [miss for miss in found.misses if miss.kind == kind]
        if not of_kind:  # truth calls this one uncertain
            assert after == before
            continue
        assert [miss.fault for miss in of_kind] == ["missed"]
        for tolerance in TOLERANCES:
            full, left = before.complete.get(tolerance), after.complete.get(tolerance)
            if full is None or left is None:
                full, left = before.recall_only[tolerance], after.recall_only[tolerance]
            assert left == Counts(full.tp - 1, full.fp, full.fn + 1)


@pytest.mark.parametrize("folder", cases() if SHARED else [], ids=lambda path: path.name)
def test_each_event_half_a_second_late_is_listed_as_such(folder: Path, tmp_path: Path) -> None:
    ours = repeated(folder)
    for row in [row for row in ours if row["kind"] in EVENTS]:
        late = {**row, "t_s": float(str(row["t_s"])) + 0.5}
        found = score(folder, [late if other is row else other for other in ours], tmp_path)
        faults = [miss.fault for miss in found.misses if miss.kind == row["kind"]]
        # truth may call it uncertain; another event of the same ball and place may take its part
        assert faults in ([], ["off in time"], ["missed"])


def test_hardly_any_true_event_is_uncertain(tmp_path: Path) -> None:
    listed = total = 0
    for folder in cases():
        ours = [row for row in repeated(folder) if row["kind"] not in EVENTS]
        found = score(folder, ours, tmp_path)
        listed += sum(miss.kind in EVENTS for miss in found.misses)
        total += len(repeated(folder)) - len(ours)
    assert listed >= 0.98 * total


@pytest.mark.parametrize("folder", cases() if SHARED else [], ids=lambda path: path.name)
def test_frames_are_counted_without_those_that_are_never_shown(folder: Path) -> None:
    truth = read_truth(folder)
    frames = truth.source.get("frames", len(truth.times.times_s))
    assert len(truth.times.times_s) == frames
    assert truth.times.frame_s == pytest.approx(
        1 / 25 if "frames" in truth.source else 1 / 30, 0.01
    )
    assert truth.times.of_frame(-1) == pytest.approx(truth.times.first_s - truth.times.frame_s)
