"""Reviews a case as a user would: a fresh process, told only what truth's source says."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from monitor.evaluation.review_once import Times, review_asked
from monitor.evaluation.truth import Truth

LIMIT_S: Final = 1800.0
"""A review that takes longer is stopped and counts as failed."""


@dataclass(frozen=True, slots=True)
class ReviewRun:
    """How long a review took; `startup_s` is the part before its first frame was done."""

    total_s: float
    startup_s: float = 0.0
    problem: str | None = None
    """One sentence when the clip could not be reviewed, or not to its end."""


def review_case(truth: Truth, folder: Path) -> ReviewRun:
    """Review `truth.clip` into `folder` in a process of its own.

    Start-up is counted from the start of the process: interpreter, imports, calibration.
    """
    command = [sys.executable, "-m", "monitor.evaluation.review_once", _asked(truth, folder)]
    started = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return ReviewRun(LIMIT_S, problem=f"stopped after {LIMIT_S:.0f} s")
    total_s = time.time() - started
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        said = done.stderr.strip().splitlines()
        return ReviewRun(total_s, problem=said[-1] if said else f"exit code {done.returncode}")
    return _run(json.loads(lines[-1]), started)


def review_case_here(truth: Truth, folder: Path) -> ReviewRun:
    """The same in this process: faster for many clips, and its times mean less."""
    started = time.time()
    return _run(review_asked(_asked(truth, folder)), started)


def _asked(truth: Truth, folder: Path) -> str:
    asked = {
        "clip": str(truth.clip),
        "out": str(folder),
        "table": truth.table_text,
        "head": truth.head,
        "ball_set": None if truth.unknown_set else truth.ball_set,
        "declarations": str(truth.declarations) if truth.declarations else None,
    }
    return json.dumps(asked)


def _run(times: Times, started: float) -> ReviewRun:
    return ReviewRun(
        total_s=times["ended"] - started,
        startup_s=times["first_frame"] - started,
        problem=times["problem"],
    )
