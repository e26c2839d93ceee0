"""`calibrate` on the sample clip: file, preview, corners by hand, lens file."""

import json
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from calibration.uncertainty import TOP_MM, PositionSigma
from monitor.camera_preview import NOSE, draw_camera
from monitor.cli import main
from tests.monitor.scenes import overhead_camera

SAMPLE = Path(__file__).parents[2] / "fixtures" / "videos" / "pot"


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first frame of the sample clip as a picture."""
    path = tmp_path_factory.mktemp("picture") / "first.png"
    with av.open(str(SAMPLE / "clip.mp4")) as container:
        frame = next(container.decode(video=0))
        cv2.imwrite(str(path), frame.to_ndarray(format="bgr24"))
    return path


def test_the_camera_of_the_sample_clip_is_found_to_a_millimetre(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "camera.json"
    assert main(["calibrate", str(SAMPLE / "clip.mp4"), "--out", str(out)]) == 0
    said, log = capsys.readouterr()
    assert "Calibration error 0." in said
    assert str(out) in said
    assert "9-foot" in log
    found, true = Camera.load(out), Camera.load(SAMPLE / "camera.json")
    points = [(x, y) for x in (-1.2, 0.0, 1.2) for y in (-0.6, 0.0, 0.6)]
    again = found.on_plane(true.project_on_plane(points))
    assert np.abs(again - points).max() < 0.003


def test_the_machine_form_is_the_file(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "camera.json"
    assert main(["calibrate", str(picture), "--out", str(out), "--table", "9ft", "--json"]) == 0
    said, _ = capsys.readouterr()
    assert json.loads(said) == json.loads(out.read_text())


def test_corners_by_hand_and_a_preview(picture: Path, tmp_path: Path) -> None:
    true = Camera.load(SAMPLE / "camera.json")
    corners = {c.value: list(map(float, px)) for c, px in true.corner_pixels(0.0286).items()}
    (tmp_path / "corners.json").write_text(json.dumps(corners))
    arguments = ["calibrate", str(picture), "--out", str(tmp_path / "deep" / "camera.json")]
    arguments += ["--points", str(tmp_path / "corners.json")]
    assert main([*arguments, "--preview", str(tmp_path / "preview.jpg")]) == 0
    camera = Camera.load(tmp_path / "deep" / "camera.json")
    assert camera.head_from == "given"
    preview = cv2.imread(str(tmp_path / "preview.jpg"))
    assert preview is not None
    assert preview.shape[:2] == (720, 1280)


def test_a_preview_of_a_wrong_kind_is_told_and_writes_no_camera(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, preview = tmp_path / "camera.json", tmp_path / "p.docx"
    assert main(["calibrate", str(picture), "--out", str(out), "--preview", str(preview)]) == 1
    assert ".png or .jpg" in capsys.readouterr().err
    assert not out.exists()


def test_a_lens_file_of_another_shape_is_refused(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    true = Camera.load(SAMPLE / "camera.json")
    lens = {"v": 1, "K": true.camera_matrix.tolist(), "dist": true.dist.tolist()}
    good, cropped = tmp_path / "lens.json", tmp_path / "cropped.json"
    good.write_text(json.dumps(lens | {"image_size": [1280, 720]}))
    cropped.write_text(json.dumps(lens | {"image_size": [1280, 960]}))
    arguments = ["calibrate", str(picture), "--out", str(tmp_path / "camera.json"), "--lens"]
    assert main([*arguments, str(cropped)]) == 1
    assert "another shape" in capsys.readouterr().err
    assert main([*arguments, str(good)]) == 0


def test_the_preview_draws_the_noses_where_they_are() -> None:
    camera = overhead_camera()
    blank = np.zeros((360, 640, 3), np.uint8)
    drawn = draw_camera(blank, camera)
    assert not blank.any()
    on_nose = camera.project_on_plane([(-0.6, 0.635)], camera.table.ball_radius_m)[0]
    x, y = on_nose.round().astype(int)
    patch = drawn[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).astype(int)
    assert np.abs(patch - NOSE).sum(axis=1).min() < 120


def test_the_preview_tints_the_bed_by_the_predicted_error() -> None:
    camera = overhead_camera()
    a, b = camera.table.length_m / 2, camera.table.width_m / 2
    rising = np.tile(np.linspace(0.0, TOP_MM, 9), (5, 1))
    sigma = PositionSigma(np.linspace(-a, a, 9), np.linspace(-b, b, 5), rising)
    grey = np.full((360, 640, 3), 60, np.uint8)
    drawn = draw_camera(grey, camera, sigma).astype(int)
    sure, unsure = (
        drawn[y - 4 : y + 5, x - 4 : x + 5].reshape(-1, 3).mean(axis=0)
        for x, y in camera.project_on_plane([(-0.75, 0.11), (0.75, 0.11)]).round().astype(int)
    )
    assert sure[0] > sure[2] + 20, "blue where the position is sure"
    assert unsure[2] > unsure[0] + 20, "red where it is not"
    outside = camera.project_on_plane([(-a - 0.2, 0.0)])[0].round().astype(int)
    assert np.array_equal(drawn[outside[1], outside[0]], grey[0, 0])


def test_calibrate_writes_the_tinted_preview(picture: Path, tmp_path: Path) -> None:
    path = tmp_path / "preview.png"
    out = str(tmp_path / "camera.json")
    assert main(["calibrate", str(picture), "--out", out, "--preview", str(path)]) == 0
    plain, preview = cv2.imread(str(picture)), cv2.imread(str(path))
    assert plain is not None and preview is not None
    camera = Camera.load(tmp_path / "camera.json")
    x, y = camera.project_on_plane([(-0.75, 0.11)])[0].round().astype(int)
    patch = (slice(y - 4, y + 5), slice(x - 4, x + 5))
    assert np.abs(preview[patch].astype(int) - plain[patch]).mean() > 10
