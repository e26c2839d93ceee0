"""`enroll`: from a picture of balls in a row to a ball set file and a preview."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from monitor.cli import main
from tests.vision.painted_tables import Place, camera_picture, straight_above, table_view
from vision.ballset import load_ball_set

NAMES = ["cue", *(str(n) for n in range(1, 11))]


def _picture(folder: Path, names: list[str]) -> list[str]:
    """A picture and its camera as arguments of `enroll`."""
    top = straight_above()
    row: list[Place] = [(name, -0.4 + 0.08 * i, 0.1) for i, name in enumerate(names)]
    picture = camera_picture(top, table_view(top, row))
    cv2.imwrite(str(folder / "row.png"), picture)
    top.camera.save(folder / "camera.json")
    return ["enroll", str(folder / "row.png"), "--camera", str(folder / "camera.json")]


def test_a_row_becomes_a_ball_set_and_a_preview(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "club.json"
    assert main([*_picture(tmp_path, NAMES), "--out", str(out)]) == 0
    learned = load_ball_set(out)
    assert learned.name == "club"
    assert learned.names == tuple(NAMES)
    assert cv2.imread(str(out.with_suffix(".png"))) is not None
    said = capsys.readouterr().out
    assert "11 balls learned" in said
    assert "club.png" in said


def test_the_machine_form_is_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "club.json"
    preview = tmp_path / "look.jpg"
    arguments = [*_picture(tmp_path, NAMES), "--out", str(out), "--preview", str(preview), "--json"]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(out.read_text())
    assert preview.stat().st_size > 1000


@pytest.mark.parametrize("names", [["cue", "1", "2"], []])
def test_too_few_balls_are_one_sentence_and_leave_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], names: list[str]
) -> None:
    out = tmp_path / "club.json"
    assert main([*_picture(tmp_path, names), "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"Only {len(names)} balls" in said.err
    assert not out.exists()


def test_a_text_file_and_a_wrong_preview_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "clip.mp4"
    text.write_text("no video")
    assert main(["enroll", str(text), "--out", str(tmp_path / "x.json")]) == 1
    wrong = [*_picture(tmp_path, NAMES), "--out", str(tmp_path / "x.json"), "--preview", "x.docx"]
    assert main(wrong) == 1
    assert capsys.readouterr().err.count("\n") == 2
    assert not (tmp_path / "x.json").exists()


def test_a_picture_without_a_table_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (480, 640, 3), np.uint8)
    cv2.imwrite(str(tmp_path / "noise.png"), noise)
    assert main(["enroll", str(tmp_path / "noise.png"), "--out", str(tmp_path / "x.json")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_camera_and_table_together_are_asked_wrongly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "x.json")
    assert main([*_picture(tmp_path, NAMES), "--out", out, "--table", "8ft"]) == 2
    assert "--camera already says" in capsys.readouterr().err
