"""Free text about what is uncertain, as people write it."""

from __future__ import annotations

import pytest

from monitor.evaluation.happenings import CONTACT, CUSHION, ENDED, POCKETED, Happening
from monitor.evaluation.uncertain import PADDING_FRAMES, Zone, read_zone

FRAMES = 300
PAD_S = PADDING_FRAMES * 0.04


def zone(what: str, reason: str = "") -> Zone:
    """The entry in a clip of 300 frames at 25 fps."""
    return read_zone({"what": what, "reason": reason}, 1, lambda frame: frame * 0.04, FRAMES)


def event(kind: str, t_s: float, *balls: str) -> Happening:
    """An event of shot 1."""
    return Happening(kind, 1, t_s, frozenset(balls))


@pytest.mark.parametrize(
    ("what", "reason", "kinds", "balls", "windows", "time_only"),
    [
        (
            "SIX rattles at the top-right pocket, frames 50-60",
            "direction changes near frames 51-52 (jaw, ball near x=316-326,y=811-819); "
            "jaw or SIX-EIGHT contact cannot be separated",
            {CUSHION, CONTACT},
            {"6"},
            [(50, 60)],
            False,
        ),
        (
            "frame of FOUR pocketed",
            "centre crosses the lip about 62-64, sinks 73-79; any frame 60-79 is defensible",
            {POCKETED},
            {"4"},
            [(60, 79)],
            True,
        ),
        (
            "CUE touching bottom cushion at the end (about frame 153-160)",
            "rests 16.8 px from the nose line; contact is 15-16.5 px elsewhere",
            {CUSHION},
            {"cue"},
            [(153, 160)],
            False,
        ),
        ("THREE bottom at 115", "slow, 115 or 116", {CUSHION}, {"3"}, [(115, 115)], True),
        (
            "CUE-ONE 60/61 and CUE-THREE 78/79",
            "balls look touching in frames 60 and 78",
            {CONTACT},
            {"cue", "1", "3"},
            [(60, 61), (78, 79)],
            True,
        ),
        ("end_frame 226", "CUE creeps, +-2", {ENDED}, {"cue"}, [(226, 226)], True),
        (
            "jaw touch of TWO at the top-right pocket",
            "fast, frames 28-29; it bounces inside until after frame 44",
            {CUSHION},
            {"2"},
            [(28, 44)],
            False,
        ),
        ("everything after the cut", "", set(), set(), [], False),
    ],
)
def test_text_is_read_for_balls_kinds_and_frames(
    what: str,
    reason: str,
    kinds: set[str],
    balls: set[str],
    windows: list[tuple[int, int]],
    time_only: bool,
) -> None:
    found = zone(what, reason)
    assert found.kinds == kinds
    assert found.balls == balls
    expected = [(a * 0.04 - PAD_S, b * 0.04 + PAD_S) for a, b in windows]
    assert [pytest.approx(window) for window in found.windows_s] == expected
    assert found.time_only == time_only


def test_a_pair_is_uncertain_only_when_both_balls_are_named() -> None:
    found = zone("SIX near the pocket, frames 50-60", "SIX-EIGHT contact or jaw")
    assert found.covers(event(CONTACT, 2.2, "6", "8"))
    assert not found.covers(event(CONTACT, 2.2, "6", "7"))
    assert found.covers(event(CUSHION, 2.2, "6"))
    assert not found.covers(event(CUSHION, 2.2, "8"))
    assert not found.covers(event(CUSHION, 2.6, "6"))
