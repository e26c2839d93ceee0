"""What is said about the picture, one thing and several, in both languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from monitor.live.eye_words import Counted
from monitor.live.health import Felt, health_of
from monitor.live.live_checks import live_checks
from monitor.live.picture_watch import Condition


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


def test_the_check_list_of_the_set_up_says_what_is_measured_and_what_is_wrong(
    tmp_path: Path,
) -> None:
    counted = Counted(900, 900, 0, 30.0, 30.0, light=110.0, sharpness=0.9)
    well = live_checks(health_of(Felt("on", None, True, counted, 30.0, tmp_path)))
    assert {line["level"] for line in well if line["id"] != "live_disk"} == {"green"}
    assert {"rate", "light", "steady"} <= {line["id"] for line in well}
    moved = replace(counted, conditions=(Condition("moved", True, 1.0, 12.0),))
    health = health_of(Felt("on", None, True, moved, 30.0, tmp_path))
    assert health.level == "red" and not health.to_json()["ruling"]
    (line,) = [line for line in live_checks(health) if line["id"] == "live_moved"]
    assert (line["level"], "12 mm" in str(line["text"])) == ("red", True)
    assert line["todo"] and line["todo_cs"]


@pytest.mark.parametrize(
    "name", ["dark", "frozen", "no_view", "moved", "blurred", "rate", "slow", "bright", "misfit"]
)
def test_every_condition_has_words_in_both_languages(tmp_path: Path, name: str) -> None:
    counted = Counted(900, 900, 0, 30.0, 30.0, conditions=(Condition(name, True, 1.0, 12.0),))
    health = health_of(Felt("on", None, True, counted, 30.0, tmp_path))
    (reason,) = [reason for reason in health.reasons if reason.id == name]
    assert reason.level == "red" and "Nothing is ruled on" in reason.text
    assert reason.text_cs != reason.text and "Nic se neposuzuje" in reason.text_cs
