"""Truth against output for case folders: detections, identities, events, rulings, speed.

A case folder holds clip.mp4, truth.jsonl and perhaps declarations.jsonl and
expected.jsonl. Output is read from a results folder, or made by the `review` callable.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.machine import evaluation_json
from monitor.evaluation.results import read_results
from monitor.evaluation.reviewing import ReviewRun, review_case
from monitor.evaluation.score_clip import score_clip
from monitor.evaluation.truth import Truth, TruthError
from monitor.evaluation.truth_files import read_truth
from monitor.failures import CannotBeDoneError

Review = Callable[[Truth, Path], ReviewRun]
"""Reviews `truth.clip` into a folder, with the head, ball set and table of the truth."""


def evaluate(
    folders: Sequence[Path],
    results: Path | None = None,
    review: Review = review_case,
    keep: Path | None = None,
    on_case: Callable[[str], None] = lambda _name: None,
) -> list[ClipScore]:
    """Score every folder that holds truth, in the given order.

    Args:
        folders: Case folders; those without truth.jsonl are left out.
        results: Folder with `<name>/shots.jsonl` and so on, one folder a case; None to
            make them with `review`.
        review: Makes the results of a case.
        keep: Where made results stay, as `<name>/`; None for a temporary folder.
        on_case: Called with the name of each case before it is scored.

    Raises:
        CannotBeDoneError: when no folder holds truth.
    """
    cases = [folder for folder in folders if (folder / "truth.jsonl").is_file()]
    if not cases:
        raise CannotBeDoneError(
            "None of the folders holds a truth.jsonl; name folders with clip.mp4 and truth.jsonl."
        )
    if results is not None:
        return [_scored(folder, results / folder.name, None, on_case) for folder in cases]
    if keep is not None:
        return [_scored(folder, keep / folder.name, review, on_case) for folder in cases]
    with tempfile.TemporaryDirectory(prefix="evaluate-") as made:
        return [_scored(folder, Path(made) / folder.name, review, on_case) for folder in cases]


def _scored(
    folder: Path, output: Path, review: Review | None, on_case: Callable[[str], None]
) -> ClipScore:
    on_case(folder.name)
    try:
        truth = read_truth(folder)
        if review is not None:
            _review_into(output, truth, review)
        return score_clip(truth, read_results(output))
    except TruthError as error:
        return ClipScore(folder.name, problems=(str(error),))


def _review_into(output: Path, truth: Truth, review: Review) -> None:
    """Review, and leave the times (and what went wrong) beside the results."""
    for name in ("shots.jsonl", "problem.txt"):  # of an earlier run, should this one fail
        (output / name).unlink(missing_ok=True)
    run = review(truth, output)
    output.mkdir(parents=True, exist_ok=True)
    times = {"total_s": round(run.total_s, 3), "startup_s": round(run.startup_s, 3)}
    (output / "timing.json").write_text(json.dumps(times) + "\n", encoding="utf-8")
    if run.problem:
        (output / "problem.txt").write_text(run.problem + "\n", encoding="utf-8")


def write_json(scores: Sequence[ClipScore], path: Path) -> None:
    """Write all figures in machine form.

    Raises:
        OSError: when the file cannot be written.
    """
    text = json.dumps(evaluation_json(scores), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
