"""Several videos at once: order, workers that are killed, one bar for all."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from monitor import progress
from monitor.parallel import TRIES, SharedBar, review_in_parallel
from monitor.progress import ProgressBar
from monitor.review import Outcome, ReviewRequest


def deadly(video: Path, folder: Path, _request: ReviewRequest) -> Outcome:
    """A review that kills its process: always, or the first time only."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "tries").open("a", encoding="utf-8") as tries:
        tries.write("x")
    if video.stem == "always" or (video.stem == "once" and tried(folder) == 1):
        os.kill(os.getpid(), 9)
    return Outcome(video, folder, None, f"{video.stem} done")


def tried(folder: Path) -> int:
    """How often a video was begun."""
    return len((folder / "tries").read_text("utf-8"))


def test_a_killed_worker_costs_nobody_else_anything(tmp_path: Path) -> None:
    names = ("a", "once", "always", "b")
    folders = {Path(f"{name}.mp4"): tmp_path / name for name in names}
    told = list(review_in_parallel(folders, ReviewRequest(), 2, deadly))
    assert [outcome.video for outcome in told] == list(folders)
    problems = [outcome.problem for outcome in told]
    assert problems[0] == "a done"
    assert problems[1] == "once done"
    assert problems[2] == f"always.mp4: the process that reviewed it was killed {TRIES} times."
    assert problems[3] == "b done"
    # What was done was not done again.
    assert tried(tmp_path / "b") <= TRIES + 1
    assert tried(tmp_path / "always") >= TRIES


def test_the_bar_shows_the_mean_of_all_videos(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0.0, 20.0, 40.0))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    shown = io.StringIO()
    shared = SharedBar(2, ProgressBar("2 videos", shown))
    shared.tell(Path("a"), 0.0)
    shared.tell(Path("a"), 0.5)
    shared.tell(Path("b"), 0.5)
    first, second = shown.getvalue().splitlines()
    assert " 25%, 1:00 left" in first
    assert " 50%, 0:40 left" in second


def test_a_run_that_goes_on_does_not_count_what_was_done_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter((10.0, 70.0))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    shown = io.StringIO()
    bar = ProgressBar("match.mp4", shown)
    bar(8000, 10000)
    bar(9000, 10000)
    # A tenth in 60 s, a tenth left.
    assert " 90%, 1:00 left" in shown.getvalue()
