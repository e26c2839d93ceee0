"""Progress bar, corners file, system errors in words, looks of balls."""

import io
import json
from pathlib import Path

import pytest

from monitor.ball_looks import UNKNOWN, look_of
from monitor.corners import read_corners
from monitor.failures import CannotBeDoneError, sentence_for
from monitor.progress import ProgressBar
from table.geometry import Pocket


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_bar_shows_share_and_time_left_on_a_terminal() -> None:
    stream = Terminal()
    bar = ProgressBar("clip.mp4", stream)
    bar(0, 100)
    bar._first, bar._shown_s = (0.0, bar.started_s - 10.0), float("-inf")
    bar(25, 100)
    assert "clip.mp4  [#######" in stream.getvalue()
    assert " 25%, 0:30 left" in stream.getvalue()
    bar.close()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_the_bar_is_not_drawn_for_every_frame() -> None:
    stream = Terminal()
    bar = ProgressBar("clip.mp4", stream)
    for index in range(1000):
        bar(index, 1000)
    assert stream.getvalue().count("\r") < 5


def test_a_short_task_writes_nothing_into_a_log_file() -> None:
    stream = io.StringIO()
    bar = ProgressBar("clip.mp4", stream)
    for index in range(100):
        bar(index, 100)
    bar.close()
    assert stream.getvalue() == ""


def test_without_an_expected_number_frames_are_counted() -> None:
    stream = Terminal()
    ProgressBar("clip.mp4", stream)(7, None)
    assert "7 frames" in stream.getvalue()


def test_corners_are_read_in_pixels(tmp_path: Path) -> None:
    path = tmp_path / "corners.json"
    corners = {"HL": [1, 2], "HR": [3, 4.5], "FL": [5, 6], "FR": [7, 8], "note": "mine"}
    path.write_text(json.dumps(corners), "utf-8")
    assert read_corners(path)[Pocket.HR] == (3.0, 4.5)
    assert set(read_corners(path)) == {Pocket.HL, Pocket.HR, Pocket.FL, Pocket.FR}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{}", 'field "HL"'),
        ('{"HL":[0,0],"HR":[1,0],"FL":[1,1],"FR":[1]}', 'field "FR"'),
        ("[]", "must hold an object"),
        ("nothing", "is not a JSON file"),
    ],
)
def test_a_bad_corners_file_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "corners.json"
    path.write_text(text, "utf-8")
    with pytest.raises(CannotBeDoneError) as caught:
        read_corners(path)
    assert complaint in str(caught.value)
    assert "corners.json" in str(caught.value)


def test_system_errors_say_what_to_do() -> None:
    full = sentence_for(OSError(28, "No space left on device"))
    assert full == "The disk is full; free some space and run it again."
    assert "choose another" in sentence_for(PermissionError(13, "Permission denied", "/out"))


@pytest.mark.parametrize("ball_set", [None, "standard", "tv"])
def test_every_ball_has_a_look(ball_set: str | None) -> None:
    for number in range(1, 11):
        look = look_of(str(number), ball_set)
        assert look is not UNKNOWN
        assert look.striped is (number > 8)
    assert look_of("u3", ball_set) is UNKNOWN


def test_the_tv_set_has_a_pink_4_and_a_brown_7() -> None:
    assert look_of("4", "tv") != look_of("4", "standard")
    assert look_of("7", "tv") != look_of("7", "standard")
    assert look_of("5", "tv") == look_of("5", "standard")
