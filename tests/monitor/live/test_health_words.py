"""What is said about the picture, one thing and several, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.live.eye_words import Counted
from monitor.live.health import Felt, health_of


def reasons(tmp_path: Path, *, unknown: int = 0, fps_in: float = 30.0) -> dict[str, list[str]]:
    """What is said of a camera that is on, by its name."""
    counted = Counted(100, 100, 0, fps_in, fps_in, unknown=unknown)
    health = health_of(Felt("on", None, True, counted, 30.0, tmp_path))
    return {reason.id: [reason.text, reason.text_cs] for reason in health.reasons}


@pytest.mark.parametrize(
    ("unknown", "english", "czech"),
    [
        (1, "1 ball cannot be named.", "1 kouli nelze určit."),
        (3, "3 balls cannot be named.", "3 koule nelze určit."),
        (5, "5 balls cannot be named.", "5 koulí nelze určit."),
    ],
)
def test_balls_without_a_name_are_counted_in_words(
    tmp_path: Path, unknown: int, english: str, czech: str
) -> None:
    assert reasons(tmp_path, unknown=unknown)["unknown"] == [english, czech]


def test_few_frames_are_counted_in_words(tmp_path: Path) -> None:
    assert reasons(tmp_path, fps_in=1.2)["rate"] == [
        "Only 1 frame a second comes in.",
        "Přichází jen 1 snímek za sekundu.",
    ]
    assert reasons(tmp_path, fps_in=12.0)["rate"][1] == "Přichází jen 12 snímků za sekundu."


def test_nothing_is_said_when_all_is_well(tmp_path: Path) -> None:
    assert {*reasons(tmp_path)} <= {"disk"}
