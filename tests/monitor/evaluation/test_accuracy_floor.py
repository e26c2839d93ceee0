"""The committed regression pack may not score below the committed floor."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from monitor.evaluate import evaluate
from monitor.evaluation.clip_score import total_of
from monitor.evaluation.figures import figures_of
from monitor.evaluation.floors import below_floor, fallen, parse_floors, read_floor, read_floors

ROOT = Path(__file__).parents[3]
FLOOR = read_floor(ROOT / "fixtures" / "accuracy_floor.json", "regression")
CASES = sorted(path.parent for path in (ROOT / "fixtures" / "videos").glob("*/truth.jsonl"))


@pytest.mark.skipif(not (FLOOR and CASES), reason="there is no regression pack with a floor yet")
@pytest.mark.timeout(1200)
def test_no_figure_is_below_its_floor() -> None:
    figures = figures_of(total_of(evaluate(CASES)))
    assert below_floor(figures, FLOOR) == []


def git(*arguments: str) -> str:
    """What git prints, empty when there is no history here."""
    command = ["git", "-C", str(ROOT), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def test_the_floor_file_only_ever_went_up() -> None:
    name = "fixtures/accuracy_floor.json"
    commits = git("log", "--format=%H", "--", name).split()
    if not commits:
        pytest.skip("there is no history of a floor file here")
    now = read_floors(ROOT / name)
    for commit in commits:
        for pack, floor in parse_floors(git("show", f"{commit}:{name}"), commit).items():
            assert fallen(floor, now.get(pack, {})) == [], (commit, pack)
