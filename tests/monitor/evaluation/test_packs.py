"""Packs: simulated shots in memory, the page, the command, the printed report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from monitor.evaluate import evaluate
from monitor.evaluation import campaign
from monitor.evaluation.__main__ import main as evaluation_main
from monitor.evaluation.accuracy_page import Pack, accuracy_page
from monitor.evaluation.clip_score import ClipScore, total_of
from monitor.evaluation.reviewing import ReviewRun
from monitor.evaluation.scores import Counts, RulingScore
from monitor.evaluation.simulated import score_simulated
from monitor.evaluation.truth import Truth
from monitor.failures import CannotBeDoneError
from table.log import ShotLog, parse_log, write_log
from table.state import BallState, TableState
from tests.monitor.evaluation.cases import Row, overhead_camera, write_camera, write_rows
from tests.monitor.evaluation.shot_rows import POT, SOURCE, TRUTH, without


def log_of(rows: Sequence[Row]) -> ShotLog:
    """A shot log from its lines."""
    return parse_log([json.dumps({"v": 1, **row}) for row in rows])


@dataclass(frozen=True)
class Shot:
    """A simulated shot."""

    name: str
    log: ShotLog = field(default_factory=lambda: log_of(TRUTH))
    times_s: tuple[float, ...] = tuple(frame / 60 for frame in range(300))
    expected: tuple[Row, ...] | None = ({"shot": 1, "next_player": "B"},)
    declarations: tuple[Row, ...] = ()

    @property
    def states(self) -> list[TableState]:
        """A ball that rolls at 1 m/s."""
        return [
            TableState(t_s, {"1": BallState("1", t_s - 0.5, 0.0, 1.0)}) for t_s in self.times_s[:60]
        ]


def scored(shots: list[Shot], ours: ShotLog, next_player: str) -> ClipScore:
    """The total of simulated shots that the product sees as `ours`."""
    return total_of(
        score_simulated(
            len(shots),
            1,
            shots=lambda count, _seed: shots[:count],
            observe=lambda shot: (ours, shot.states),
            rule=lambda _shot, _log: [{"shot": 1, "next_player": next_player}],
        )
    )


def test_simulated_shots_are_scored_in_memory() -> None:
    shots = [Shot("1_0"), Shot("1_1")]
    perfect = scored(shots, log_of(TRUTH), "B")
    assert perfect.clips == 2
    assert perfect.misses == ()
    assert perfect.rulings == RulingScore(right=2)
    assert perfect.tracks is not None
    assert perfect.tracks.moving == Counts(120)
    worse = scored(shots, log_of(without(TRUTH, POT)), "A")
    assert worse.events["ball_pocketed"].complete["0.1 s"] == Counts(0, 0, 2)
    assert worse.rulings == RulingScore(wrong=2)


def test_the_frame_of_simulated_shots_is_their_own() -> None:
    ours = write_log(log_of(TRUTH)).replace('"t_s": 2.0,', '"t_s": 2.03,')
    score = scored([Shot("1_0")], parse_log(ours.splitlines()), "B")
    assert score.events["ball_pocketed"].complete["1 frame"] == Counts(0, 1, 1)
    assert score.events["ball_pocketed"].complete["0.1 s"] == Counts(1)


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A case whose results lack the pocketed ball."""
    write_rows(tmp_path / "cases" / "shot_a" / "truth.jsonl", TRUTH)
    write_rows(tmp_path / "out" / "shot_a" / "shots.jsonl", without(TRUTH, POT))
    write_camera(tmp_path / "out" / "shot_a", overhead_camera())
    return tmp_path / "cases" / "shot_a"


def test_the_command_lists_every_miss_and_writes_json(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tmp_path / "figures.json"
    arguments = [str(case), "--results", str(tmp_path / "out"), "--json", str(found)]
    assert evaluation_main(arguments) == 0
    printed = capsys.readouterr().out
    assert "shot_a  ball_pocketed  missed  2.000  1 in FL" in printed
    figures = json.loads(found.read_text(encoding="utf-8"))
    assert figures["v"] == 1
    pocketed = figures["total"]["events"]["ball_pocketed"]["complete"]["0.1 s"]
    assert (pocketed["tp"], pocketed["fp"], pocketed["fn"]) == (0, 0, 1)
    assert figures["clips"][0]["name"] == "shot_a"
    assert figures["total"]["events"]["ball_contact"]["complete"]["0.1 s"]["f1"] == 1.0


def test_folders_without_truth_cannot_be_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CannotBeDoneError, match="truth"):
        evaluate([tmp_path])
    assert evaluation_main([str(tmp_path)]) == 1
    assert "truth.jsonl" in capsys.readouterr().err


def test_a_truth_that_cannot_be_read_is_named_and_the_rest_scored(
    case: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "cases" / "bad"
    write_rows(bad / "truth.jsonl", [SOURCE, {"kind": "shot_started", "shot": "one"}])
    scores = evaluate([bad, case], tmp_path / "out")
    assert "bad/truth.jsonl line 2" in scores[0].problems[0]
    assert scores[1].events["ball_contact"].complete["0.1 s"] == Counts(2)


def test_reviews_are_made_where_there_are_no_results(case: Path, tmp_path: Path) -> None:
    def review(truth: Truth, folder: Path) -> ReviewRun:
        assert (truth.head, truth.table_text) == ("right", "9ft")
        write_rows(folder / "shots.jsonl", TRUTH)
        return ReviewRun(total_s=4.0, startup_s=1.0)

    score = evaluate([case], review=review, keep=tmp_path / "kept")[0]
    assert score.events["ball_pocketed"].complete["0.1 s"] == Counts(1)
    assert score.speed is not None
    assert (score.speed.total_s, score.speed.startup_s) == (4.0, 1.0)
    assert (tmp_path / "kept" / "shot_a" / "shots.jsonl").is_file()


def test_a_failed_review_misses_everything_and_says_why(case: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    write_rows(kept / "shot_a" / "shots.jsonl", TRUTH)

    def review(_truth: Truth, _folder: Path) -> ReviewRun:
        return ReviewRun(1.0, problem="there is no table in the picture")

    score = evaluate([case], review=review, keep=kept)[0]
    assert score.problems == ("shot_a: there is no table in the picture",)
    assert score.shots == Counts(0, 0, 1)
    assert [miss.fault for miss in score.misses] == ["no output"]


def test_the_page_shows_figures_beside_targets(case: Path, tmp_path: Path) -> None:
    scores = evaluate([case], tmp_path / "out")
    packs = [
        Pack("some", "Some clips", "What they are.", "the command", scores),
        Pack("none", "No clips", "What they are.", "the command", (), "not here"),
    ]
    (tmp_path / "accuracy-parts.md").write_text("# Single parts\n\nText.\n", encoding="utf-8")
    page = accuracy_page(packs, [tmp_path / "accuracy-parts.md"])
    assert "- [Single parts](accuracy-parts.md)" in page
    assert "| first contact, of those given | >= 99.5 % | 100.0 % | - |" in page
    assert "| pocketed, F1 within 0.2 s | >= 0.995 | 0.000 | - |" in page
    assert "    the command" in page
    assert "| shot_a | ball_pocketed | missed | 2.000 | 1 in FL |" in page
    assert "Not measured: not here." in page


def test_a_campaign_fails_below_the_floor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Path
) -> None:
    good = evaluate([case], review=_perfect)
    bad = evaluate([case], tmp_path / "out")
    floor = tmp_path / "floor.json"
    arguments = ["--packs", "regression", "--floor", str(floor), "--page", str(tmp_path / "p.md")]
    monkeypatch.setattr(campaign, "_on_folders", lambda _root: good)
    assert campaign.main([*arguments, "--raise-floor"]) == 0
    assert campaign.main(arguments) == 0
    monkeypatch.setattr(campaign, "_on_folders", lambda _root: bad)
    assert campaign.main(arguments) == 1
    assert "Regression pack" in (tmp_path / "p.md").read_text(encoding="utf-8")


def _perfect(_truth: Truth, folder: Path) -> ReviewRun:
    write_rows(folder / "shots.jsonl", TRUTH)
    return ReviewRun(1.0)
