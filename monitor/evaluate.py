"""Truth against output for case folders: detections, identities, events, rulings, speed.

A case folder holds clip.mp4, truth.jsonl and perhaps declarations.jsonl and
expected.jsonl. Output is read from a results folder, or made by the `review` callable.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.results import read_results
from monitor.evaluation.score_clip import score_clip
from monitor.evaluation.truth import Truth, TruthError
from monitor.evaluation.truth_files import read_truth


@dataclass(frozen=True, slots=True)
class ReviewRun:
    """How long a review took; `startup_s` is the part before its first frame."""

    total_s: float
    startup_s: float = 0.0
    problem: str | None = None
    """One sentence when the clip could not be reviewed."""


Review = Callable[[Truth, Path], ReviewRun]
"""Reviews `truth.clip` into a folder, with the head, ball set and table of the truth."""


class NothingToScore(ValueError):  # noqa: N818
    """No folder with truth was given; the text says so."""


def evaluate(
    folders: Sequence[Path],
    results: Path | None = None,
    review: Review | None = None,
    on_case: Callable[[str], None] = lambda _name: None,
) -> list[ClipScore]:
    """Score every folder that holds truth, in the given order.

    Args:
        folders: Case folders; those without truth.jsonl are left out.
        results: Folder with `<name>/shots.jsonl` and so on, one folder a case; None to
            make them with `review` in a temporary folder.
        review: Makes the results of a case.
        on_case: Called with the name of each case before it is scored.

    Raises:
        NothingToScore: when no folder holds truth, or neither results nor review is given.
    """
    cases = [folder for folder in folders if (folder / "truth.jsonl").is_file()]
    if not cases:
        raise NothingToScore("none of the given folders holds a truth.jsonl")
    if results is None and review is None:
        raise NothingToScore("give a folder with results, or let review make them")
    if results is not None:
        return [_score(folder, results / folder.name, None, on_case) for folder in cases]
    with tempfile.TemporaryDirectory(prefix="evaluate-") as made:
        return [_score(folder, Path(made) / folder.name, review, on_case) for folder in cases]


def _score(
    folder: Path, output: Path, review: Review | None, on_case: Callable[[str], None]
) -> ClipScore:
    on_case(folder.name)
    try:
        truth = read_truth(folder)
    except TruthError as error:
        return ClipScore(folder.name, problems=(str(error),))
    if review is not None:
        review(truth, output)
    return score_clip(truth, read_results(output))
