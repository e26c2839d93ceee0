"""Cases: recorded from a video, checked by the pytest plugin, approved anew."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from monitor.cases import reviewing_case
from monitor.cases.case_folder import CaseFolder, case_folders
from monitor.cases.recording import _state_before
from monitor.cli import main
from monitor.declaration_file import parse_declaration
from monitor.review import Outcome, ReviewRequest
from monitor.reviewed import Reviewed
from monitor.state_change import StateChange
from table.events import BallPocketed, ShotStarted
from table.log import read_log

pytest_plugins = ["pytester"]
FIXTURE = Path(__file__).parents[3] / "fixtures" / "videos" / "ten_early"
# Named here, so that it does not matter whether the installation registers it, too.
PLUGIN = ("-p", "no:table_monitor", "-p", "monitor.cases.pytest_plugin")
PLUGIN += ("-p", "no:cacheprovider", "-p", "no:xdist")


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shot of a rendered clip, recorded with its call."""
    out = tmp_path_factory.mktemp("cases") / "ten_early"
    asked = ["record-case", str(FIXTURE / "clip.mp4"), "--shot", "1", "--out", str(out)]
    asked += ["--camera", str(FIXTURE / "camera.json"), "--ball-set", "standard"]
    assert main([*asked, "--declarations", str(FIXTURE / "declarations.jsonl")]) == 0
    return out


def test_a_recorded_case_holds_all_that_its_review_needs(case: Path) -> None:
    names = {path.name for path in case.iterdir()}
    assert names == {
        "clip.mp4",
        "camera.json",
        "declarations.jsonl",
        "approved.jsonl",
        "rulings.jsonl",
        "README.md",
    }
    log = read_log(case / "approved.jsonl")
    assert [e.ball for e in log.events if isinstance(e, BallPocketed)] == ["10"]
    (start,) = [e for e in log.events if isinstance(e, ShotStarted)]
    (true,) = [e for e in read_log(FIXTURE / "truth.jsonl").events if isinstance(e, ShotStarted)]
    assert start.t_s is not None and true.t_s is not None
    assert start.t_s <= true.t_s + 0.1
    (said,) = [json.loads(line) for line in (case / "declarations.jsonl").open(encoding="utf-8")]
    assert said["type"] == "call" and said["shot"] == 1
    (ruling,) = [json.loads(line) for line in (case / "rulings.jsonl").open(encoding="utf-8")]
    assert ruling["shot"] == 1


def test_shots_count_from_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["record-case", str(FIXTURE / "clip.mp4"), "--shot", "0", "--out", str(tmp_path)]
    with pytest.raises(SystemExit) as left:
        main(asked)
    assert left.value.code == 2
    assert "whole number of at least 1" in capsys.readouterr().err


def test_the_rack_before_a_later_shot_is_declared() -> None:
    ruling = {
        "shot": 1,
        "balls_after": ["3", "10"],
        "next_player": "B",
        "fouls_after": {"A": 1, "B": 0},
        "cue_ball": "in_hand_anywhere",
        "next_phase": "normal",
        "game_over": False,
    }
    assert _state_before([ruling], 1) == []
    (row,) = _state_before([ruling], 2)
    said = parse_declaration(row).said
    assert isinstance(said, StateChange)
    assert said.fouls is not None and said.fouls.a == 1
    assert sorted(ball.text for ball in said.balls or ()) == ["10", "3"]
    assert _state_before([ruling | {"game_over": True}], 2) == []


@pytest.fixture
def kit(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one case whose review sees what it saw when it was recorded."""
    seen = shutil.copytree(case, tmp_path / "seen")
    shutil.copytree(case, tmp_path / "kit" / "ten_early")

    def review(video: Path, out: Path, _request: ReviewRequest) -> Outcome:
        out.mkdir(parents=True)
        shutil.copy(seen / "approved.jsonl", out / "shots.jsonl")
        shutil.copy(seen / "rulings.jsonl", out / "rulings.jsonl")
        return Outcome(video, out, Reviewed(video, None, []), None)  # type: ignore[arg-type]

    monkeypatch.setattr(reviewing_case, "review_video", review)
    return tmp_path / "kit"


def test_a_case_that_is_seen_as_before_passes(kit: Path, pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(*PLUGIN, "--table-clips", str(kit))
    result.assert_outcomes(passed=1)


def test_every_difference_is_shown_and_can_be_approved(
    kit: Path, pytester: pytest.Pytester
) -> None:
    log, rulings = kit / "ten_early" / "approved.jsonl", kit / "ten_early" / "rulings.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text("".join(line for line in lines if "ball_pocketed" not in line), "utf-8")
    row = json.loads(rulings.read_text(encoding="utf-8"))
    rulings.write_text(json.dumps(row | {"next_player": "Z"}) + "\n", "utf-8")
    result = pytester.runpytest_inprocess(*PLUGIN, "--table-clips", str(kit))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*ball_pocketed extra at *10*", "*next_player was 'Z', is *", "*--table-clips-approve*"]
    )
    approving = ("--table-clips", str(kit), "--table-clips-approve")
    pytester.runpytest_inprocess(*PLUGIN, *approving).assert_outcomes(passed=1)
    assert log.read_text(encoding="utf-8") == "".join(lines)
    pytester.runpytest_inprocess(*PLUGIN, "--table-clips", str(kit)).assert_outcomes(passed=1)


def test_a_clip_that_cannot_be_reviewed_fails_with_the_reason(
    kit: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(video: Path, out: Path, _request: ReviewRequest) -> Outcome:
        return Outcome(video, out, None, "clip.mp4: no table in view.")

    monkeypatch.setattr(reviewing_case, "review_video", refuse)
    result = pytester.runpytest_inprocess(*PLUGIN, "--table-clips", str(kit))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no table in view*"])


def test_a_folder_without_cases_is_asked_wrongly(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(*PLUGIN, "--table-clips", str(pytester.path))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*holds no case*"])


def test_the_committed_clips_are_cases() -> None:
    cases = case_folders(FIXTURE.parent)
    assert FIXTURE in [case.folder for case in cases]
    assert CaseFolder(FIXTURE).log.name == "truth.jsonl"
