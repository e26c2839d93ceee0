"""The self-test before a match: each thing that is wrong is found, and said what to do about."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from monitor.checks.check_list import (
    Check,
    CheckRequest,
    checks_of,
    focus_check,
    light_checks,
)
from monitor.checks.gathering import Gathered, gather
from monitor.checks.measures import edge_width_px, light_of, rate_of
from monitor.cli import main
from tests.monitor.live.stand_ins import POT
from vision.frames import Image

CLIP, CAMERA = POT / "clip.mp4", POT / "camera.json"
Change = Callable[[Image], Image]


@pytest.fixture(scope="module")
def seen() -> Gathered:
    """A second of a table at rest."""
    return gather(str(CLIP), 1.0)


def changed(seen: Gathered, change: Change) -> Gathered:
    """The same second through another camera."""

    def gray(image: Image) -> Image:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)

    row = [
        replace(frame, image=change(frame.image), gray=gray(change(frame.image)))
        for frame in seen.row[:12]
    ]
    return replace(
        seen,
        small=[change(image) for image in seen.small],
        spread=[change(image) for image in seen.spread],
        row=row,
    )


def by_id(seen: Gathered, camera: Path | None = CAMERA) -> dict[str, Check]:
    """The list, by names."""
    checks = checks_of(CheckRequest("x", camera=camera, ball_set="tv"), seen)
    return {check.id: check for check in checks}


def test_a_good_camera_is_green_all_over(seen: Gathered) -> None:
    found = by_id(seen)
    # How quick this machine is just now is its own affair.
    found.pop("speed")
    found.pop("disk")
    # A second is short for names.
    balls = found.pop("balls")
    assert balls.level in ("green", "amber") and "7 balls are seen" in balls.text
    assert {name: check.level for name, check in found.items()} == dict.fromkeys(found, "green")
    assert {"picture", "rate", "table", "light", "flicker", "focus", "steady"} <= {*found}
    assert all(check.todo is None for check in found.values())


def shifted(image: Image) -> Image:
    """A camera that was bumped since it was calibrated."""
    step = image.shape[1] / 1280 * 25
    matrix = np.array([[1, 0, step], [0, 1, 0.5 * step]], np.float32)
    moved = cv2.warpAffine(image, matrix, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def half_lit(image: Image) -> Image:
    """One lamp out."""
    fall = np.linspace(0.15, 1.0, image.shape[1])[None, :, None]
    return (image * fall).astype(np.uint8)


def test_a_camera_that_moved_since_it_was_calibrated_is_found(seen: Gathered) -> None:
    check = by_id(changed(seen, shifted))["table"]
    assert check.level == "red" and check.todo is not None and "calibrate again" in check.todo


@pytest.mark.parametrize(
    ("change", "name", "level"),
    [
        (lambda image: image // 6, "light", "red"),
        (half_lit, "even_light", "amber"),
        (lambda image: np.clip(image * 3.0, 0, 255).astype(np.uint8), "burnt", "amber"),
        (lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 3.5)), "focus", "amber"),
    ],
)
def test_what_is_wrong_is_found(seen: Gathered, change: Change, name: str, level: str) -> None:
    camera = Camera.load(CAMERA)
    other = changed(seen, change)
    checks = [*light_checks(light_of(other.small, camera)), focus_check(other)]
    found = {check.id: check for check in checks}[name]
    assert found.level in (level, "red") and found.todo


def test_light_that_flickers_and_colours_that_drift_are_seen(seen: Gathered) -> None:
    waving = [
        np.clip(image * (1.0 + 0.1 * (number % 2)), 0, 255).astype(np.uint8)
        for number, image in enumerate(seen.small)
    ]
    assert light_of(waving, None).flicker > 0.05
    assert light_of(seen.small, None).flicker < 0.01
    warmer = [
        np.clip(image + np.array([0, 0, 2 * number]), 0, 255).astype(np.uint8)
        for number, image in enumerate(seen.small)
    ]
    assert light_of(warmer, None).colour_drift > 3.0
    assert light_of(seen.small, None).colour_drift < 1.0


def test_edges_are_measured_in_pixels() -> None:
    """An edge of known blur: height over steepest slope is 2.5 sigma."""
    step = np.where(np.arange(200) < 100, 40, 200).astype(np.uint8)
    picture = np.tile(step, (120, 1))
    for sigma in (1.0, 2.0):
        width = edge_width_px(np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8))
        assert width == pytest.approx(2.507 * np.hypot(sigma, 0.6), rel=0.15)


def test_frames_that_come_late_are_counted() -> None:
    times = [n / 30 for n in range(60)]
    assert rate_of(times).late_share == 0.0 and rate_of(times).fps == pytest.approx(30.0)
    with_gaps = [t for n, t in enumerate(times) if n % 10]
    assert rate_of(with_gaps).late_share == pytest.approx(0.1, abs=0.02)


def test_the_verb_prints_a_list_and_its_exit_code_says_whether_it_can_begin(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code = main(["check", str(CLIP), "--seconds", "1", "--json", "--head", "right"])
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert code == int(any(check["level"] == "red" for check in checks))
    assert {check["id"]: check["level"] for check in checks}["table"] == "green"
    assert main(["check", str(tmp_path / "none.mp4")]) == 1
    assert "does not exist" in capsys.readouterr().err


def test_a_camera_file_for_another_picture_is_told(seen: Gathered, tmp_path: Path) -> None:
    other = json.loads(CAMERA.read_text("utf-8"))
    other["image_size"] = [1920, 1080]
    path = tmp_path / "camera.json"
    path.write_text(json.dumps(other), "utf-8")
    check = by_id(seen, path)["table"]
    assert check.level == "red" and "1920" in check.text
