"""The command line: verbs, exit codes, one sentence on stderr, the product on stdout."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from monitor.cli import main
from table.log import write_log
from tests.monitor import scenes


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`python -m monitor` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "monitor", *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "shots.jsonl"
    path.write_text(write_log(scenes.pot_and_miss().log), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["reveiw"],
        ["review"],
        ["review", "a.mp4"],
        ["review", "a.mp4", "--out", "o", "--head", "up"],
        ["review", "a.mp4", "--out", "o", "--table", "10ft"],
        ["review", "a.mp4", "--out", "o", "--table", "1,2"],
        ["review", "a.mp4", "--out", "o", "--jobs", "0"],
        ["review", "a.mp4", "--out", "o", "--players", "Anna"],
        ["review", "a.mp4", "--out", "o", "--anotate"],
        ["calibrate", "a.mp4"],
        ["synth", "--out", "o", "--shots", "many", "--seed", "1"],
        ["replay"],
        ["judge"],
    ],
)
def test_asked_wrongly_is_exit_2_and_says_what_to_do_next(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "--help" in err


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--camera", "c.json", "--head", "left"], "--camera already says"),
        (["--camera", "c.json", "--points", "p.json"], "--camera already says"),
        (["other/a.mp4"], 'called "a"'),
        (["b.mp4", "--declarations", "d.jsonl"], "belongs to one video"),
    ],
)
def test_options_that_contradict_each_other_are_exit_2(
    options: list[str], complaint: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["review", "a.mp4", *options, "--out", str(tmp_path / "o")]) == 2
    out, err = capsys.readouterr()
    assert complaint in err
    assert out == ""
    assert err.count("\n") == 1
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize("verb", ["calibrate", "review", "replay", "judge", "evaluate", "synth"])
def test_every_verb_explains_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([verb, "--help"])
    assert caught.value.code == 0
    assert f"table-monitor {verb}" in capsys.readouterr().out


def test_replay_prints_a_ruling_a_shot_and_nothing_else(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(log)]) == 0
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["shot"] for row in rows] == [1, 2]
    assert all(row["v"] == 1 and row["sentence"] for row in rows)
    assert err == ""


def test_players_change_sentences_only(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["replay", str(log)])
    plain = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    main(["replay", str(log), "--players", "Anna,Bořek"])
    named = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for a, b in zip(plain, named, strict=True):
        assert {k: v for k, v in a.items() if not k.startswith("sentence")} == {
            k: v for k, v in b.items() if not k.startswith("sentence")
        }
    assert "Bořek" in named[0]["sentence"] + named[1]["sentence"]


def test_a_higher_threshold_turns_decisions_into_questions(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "strict.toml"
    settings.write_text("[rules]\ndecide_probability = 0.6\n", "utf-8")
    main(["replay", str(log)])
    sure = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    main(["replay", str(log), "--settings", str(settings)])
    bold = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    # The first contact of shot 2 is 64 % sure: a question by default, decided from 60 % on.
    assert "6.2" in [q["article"] for q in sure[1]["questions"]]
    assert "6.2" not in sure[1]["fouls"]
    assert bold[1]["questions"] == []
    assert "6.2" in bold[1]["fouls"]


def test_replay_answers_in_under_a_second(log: Path) -> None:
    """Measured as processor time, which other programs on the machine do not change."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run("replay", str(log)).returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.0


@pytest.mark.parametrize("verb", ["replay", "judge"])
def test_rules_verbs_load_no_pixels(verb: str, log: Path, tmp_path: Path) -> None:
    cases = tmp_path / "cases.json"
    cases.write_text('{"cases": []}', "utf-8")
    program = (
        "import sys\nfrom monitor.cli import main\n"
        f"code = main([{verb!r}, {str(log if verb == 'replay' else cases)!r}])\n"
        "heavy = {'numpy', 'cv2', 'av', 'scipy', 'torch', 'ultralytics'} & set(sys.modules)\n"
        "sys.exit(code or bool(heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay", "none.jsonl"],
        ["judge", "none.json"],
        ["review", "none.mp4", "--out", "out"],
        ["review", "text.mp4", "--out", "out"],
        ["review", "empty.mp4", "--out", "out"],
        ["review", "folder", "--out", "out"],
        ["calibrate", "none.mp4", "--out", "camera.json"],
        ["calibrate", "text.mp4", "--out", "camera.json"],
        ["calibrate", "grey.png", "--out", "camera.json"],
        ["calibrate", "grey.png", "--out", "camera.json", "--lens", "none.json"],
        ["calibrate", "grey.png", "--out", "camera.json", "--lens", "folder"],
        ["calibrate", "grey.png", "--out", "camera.json", "--points", "none.json"],
        ["evaluate", "folder"],
        ["replay", "shots.jsonl", "--declarations", "none.jsonl"],
        ["replay", "shots.jsonl", "--settings", "none.toml"],
        ["replay", "text.mp4"],
        ["judge", "text.mp4"],
    ],
)
def test_what_cannot_be_done_is_exit_1_and_one_sentence(
    arguments: list[str],
    log: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert log.exists()
    _write_bad_inputs(tmp_path)
    monkeypatch.chdir(tmp_path)
    before = sorted(p.name for p in tmp_path.iterdir())
    assert main(arguments) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1, err
    assert "fault in table-monitor" not in err
    assert "Traceback" not in err
    assert sorted(p.name for p in tmp_path.iterdir()) == before


def test_a_fault_of_the_program_is_one_sentence_and_shows_itself_with_debug(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_path: Path) -> None:
        raise KeyError("lost\nand found")

    monkeypatch.setattr("table.log.read_log", broken)
    assert main(["replay", str(log)]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "KeyError" in err
    assert "--debug" in err
    with pytest.raises(KeyError):
        main(["replay", str(log), "--debug"])


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(28, "No space left on device", "out/tracks.csv"), "The disk is full"),
        (PermissionError(13, "Permission denied", "out"), "No permission for out"),
        (OSError(30, "Read-only file system", "out"), "read-only"),
        (NotADirectoryError(20, "Not a directory", "out"), "is not a folder"),
        (OSError(5, "Input/output error", "out"), "Input/output error"),
        (MemoryError(), "not enough memory"),
        (KeyboardInterrupt(), "Stopped before the end"),
    ],
)
def test_what_the_system_refuses_is_told_in_one_sentence(
    error: BaseException,
    words: str,
    log: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refused(_path: Path) -> None:
        raise error

    monkeypatch.setattr("table.log.read_log", refused)
    assert main(["replay", str(log)]) == 1
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


def test_a_reader_that_has_seen_enough_is_no_error(log: Path) -> None:
    command = f"{sys.executable} -m monitor replay {log} | head -c 10"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("table-monitor ")


def _write_bad_inputs(folder: Path) -> None:
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    (folder / "text.mp4").write_text("This is no video.\n", "utf-8")
    (folder / "empty.mp4").touch()
    (folder / "folder").mkdir()
    cv2.imwrite(str(folder / "grey.png"), np.full((480, 640, 3), 128, np.uint8))
