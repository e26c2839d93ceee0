"""`watch` after a bump: rulings stop, the camera is calibrated anew, and they go on."""

from __future__ import annotations

import os
from concurrent.futures import wait
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from calibration.errors import CalibrationError
from monitor.camera_again import MovedView
from monitor.live.captured import Captured
from monitor.live.eye_process import _Eyes
from monitor.live.eye_words import Counted, EyeOrder, Looked, SetUpIs, Shot, Stopped
from monitor.live.health import Felt, health_of
from monitor.live.reading_process import ReadApart
from monitor.live.sources import FilePlayer
from monitor.live.vigil import Vigil
from monitor.settings import NetworkSettings
from table.geometry import NINE_FOOT
from tests.monitor.live.stand_ins import POT, grained, images_of
from tests.monitor.test_camera_again import shifted
from vision.frames import Frame

MOVE_S = 1.5
BUMP_PX = (9.0, -6.0)


@dataclass
class Words:
    """A pipe that keeps what is said."""

    said: list[object] = field(default_factory=list)

    def send(self, word: object) -> None:
        """One more word."""
        self.said.append(word)

    def of(self, kind: type) -> list[object]:
        """The words of one kind."""
        return [word for word in self.said if isinstance(word, kind)]


def watched(tmp_path: Path, end_s: float, fps: int = 4) -> tuple[_Eyes, Words]:
    """The eyes over a resting table whose camera is bumped and stays there."""
    still = grained(images_of(POT / "clip.mp4", 1) * 9)
    moved = [shifted(*BUMP_PX)(picture) for picture in still]
    network = NetworkSettings(on=False)
    order = EyeOrder(
        str(POT / "clip.mp4"), True, False, None, NINE_FOOT, str(POT / "camera.json"), None, None,
        "tv", str(tmp_path), network, None, os.getpid(),
    )  # fmt: skip
    words = Words()
    eyes = _Eyes(order, words, ReadApart(Pipe()[0], gone=True))  # type: ignore[arg-type]
    eyes.player, eyes.vigil = FilePlayer(POT / "clip.mp4", realtime=True), Vigil(is_camera=True)
    eyes.vigil.compare = lambda *_: None  # type: ignore[method-assign]
    eyes._set_up(still)
    for number in range(int(end_s * fps)):
        t_s = number / fps
        image = (still if t_s < MOVE_S else moved)[number % 9]
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        # To the count of frames time runs faster: a camera of a better rate.
        eyes.player.line.came = number + 1
        eyes._look(Captured(Frame(number, t_s, image, grey), t_s / 3))
        if eyes.again._trying is not None:
            # Frames that are not there cannot pass by meanwhile.
            wait([eyes.again._trying], 60.0)
    return eyes, words


def test_a_bumped_camera_is_calibrated_anew_and_the_rulings_go_on(tmp_path: Path) -> None:
    before = Camera.load(POT / "camera.json")
    eyes, words = watched(tmp_path, 9.0)
    first, *later = words.of(SetUpIs)
    assert not first.anew and [word.anew for word in later] == [True]
    (note,) = later[0].notes
    assert "had moved by" in note and "calibrated anew at" in note and "rulings resume" in note
    # Where things are in the picture, the new camera places them where the old one did.
    grid = np.array([(x, y) for x in (-1.2, 0.0, 1.2) for y in (-0.55, 0.0, 0.55)])
    pixels = before.project_on_plane(grid) + BUMP_PX
    assert eyes.setup.camera is not None
    assert 1000 * np.hypot(*(eyes.setup.camera.on_plane(pixels) - grid).T).max() < 4.0
    # Told as a stoppage, at which nobody played; nothing is wrong any more.
    (stopped,) = words.of(Stopped)
    assert stopped.stoppage.reasons == ("moved",) and stopped.stoppage.displaced == ()
    assert stopped.stoppage.from_s <= MOVE_S and stopped.stoppage.until_s < 9.0
    assert eyes.vigil.gate.reasons == () and words.of(Shot) == []
    assert {c.id for c in words.of(Counted)[-1].conditions} <= {"anew", "rate", "slow"}
    balls = words.of(Looked)[-1].glance.balls
    assert len(balls) >= 5


def test_a_camera_that_cannot_be_calibrated_anew_stays_stopped_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: MovedView) -> None:
        raise CalibrationError("no table found: show it.")

    monkeypatch.setattr("monitor.live.camera_anew.found_again", refused)
    eyes, words = watched(tmp_path, 6.6)
    assert len(words.of(SetUpIs)) == 1, "the camera is as it was"
    assert "moved" in eyes.vigil.gate.reasons
    felt = Felt("on", None, True, words.of(Counted)[-1], None, tmp_path)
    (reason,) = [reason for reason in health_of(felt).reasons if reason.id == "moved"]
    assert reason.level == "red" and reason.text.endswith("Nothing is ruled on.")
    assert "It cannot be calibrated anew: no table found: show it." in reason.text
