"""The quick part of the committed pack may not score below its committed floor.

The whole pack, and the others, are held to theirs by `make evaluate`.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from monitor.evaluate import evaluate
from monitor.evaluation.clip_score import total_of
from monitor.evaluation.figures import figures_of
from monitor.evaluation.floors import (
    QUICK,
    QUICK_CLIPS,
    below_floor,
    fallen,
    fingerprint,
    parse_floors,
    parse_material,
    read_floor,
    read_floors,
    read_material,
)
from monitor.evaluation.reviewing import review_case_here

ROOT = Path(__file__).parents[3]
FLOOR_FILE = "fixtures/accuracy_floor.json"
FLOOR = read_floor(ROOT / FLOOR_FILE, QUICK)
QUICK_CASES = [ROOT / "fixtures" / "videos" / name for name in QUICK_CLIPS]
CASES = sorted(path.parent for path in (ROOT / "fixtures" / "videos").glob("*/truth.jsonl"))


@pytest.mark.timeout(1200)
def test_no_figure_is_below_its_floor() -> None:
    assert FLOOR
    figures = figures_of(total_of(evaluate(QUICK_CASES, review=review_case_here)))
    assert below_floor(figures, FLOOR) == []


def git(*arguments: str) -> str:
    """What git prints, empty when there is no history here."""
    command = ["git", "-C", str(ROOT), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def test_the_floor_was_measured_on_the_committed_clips() -> None:
    material = read_material(ROOT / FLOOR_FILE)
    assert material["regression"] == fingerprint(CASES)
    assert material[QUICK] == fingerprint(QUICK_CASES)


def test_on_the_same_clips_the_floor_only_ever_went_up() -> None:
    commits = git("log", "--format=%H", "--", FLOOR_FILE).split()
    if not commits:
        pytest.skip("there is no history of a floor file here")
    now, made_of = read_floors(ROOT / FLOOR_FILE), read_material(ROOT / FLOOR_FILE)
    for commit in commits:
        text = git("show", f"{commit}:{FLOOR_FILE}")
        before = parse_material(text, commit)
        for pack, floor in parse_floors(text, commit).items():
            if before.get(pack) == made_of.get(pack):
                assert fallen(floor, now.get(pack, {})) == [], (commit, pack)
