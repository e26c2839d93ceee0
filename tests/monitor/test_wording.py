"""Events in plain words."""

import pytest

from monitor.wording import doubt_words, event_words, time_words
from table.events import (
    Alternative,
    BallContact,
    BallOffTable,
    BallPocketed,
    CueSeen,
    CushionContact,
    LateDrop,
    OtherEvent,
    ShotEnded,
    ShotEvent,
    ShotStarted,
)
from table.geometry import Cushion, Pocket


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ShotStarted(shot=1, t_s=1.0), "The tip strikes the cue ball"),
        (ShotStarted(shot=1, t_s=1.0, racked=True), "The tip strikes the cue ball (break shot)"),
        (
            ShotStarted(shot=1, t_s=1.0, moving=("3",)),
            "The tip strikes the cue ball while the 3 is still moving",
        ),
        (
            ShotStarted(shot=1, t_s=1.0, moving=("3", "u1", "9")),
            "The tip strikes the cue ball while the 3, an unknown ball (u1) and the 9 are still "
            "moving",
        ),
        (
            ShotStarted(shot=1, t_s=None, started_before_clip=True),
            "The shot began before the clip",
        ),
        (BallContact(shot=1, t_s=1.0, a="cue", b="10"), "The cue ball hits the 10"),
        (
            CushionContact(shot=1, t_s=1.0, ball="1", cushion=Cushion.LEFT_FOOT),
            "The 1 touches the left cushion, foot half",
        ),
        (
            CushionContact(shot=1, t_s=1.0, ball="1", cushion=Cushion.HEAD, jaw=True),
            "The 1 touches a pocket jaw at the head cushion",
        ),
        (
            CushionContact(shot=1, t_s=1.0, ball="1", cushion=Cushion.HEAD, rail_top=True),
            "The 1 touches the top of the rail at the head cushion",
        ),
        (
            CushionContact(shot=1, t_s=1.0, ball="1", cushion=Cushion.HEAD, from_rest=True),
            "The 1, resting on it, is pressed into the head cushion",
        ),
        (
            BallPocketed(shot=1, t_s=1.0, ball="cue", pocket=Pocket.SR),
            "The cue ball falls into the right side pocket",
        ),
        (BallOffTable(shot=1, t_s=1.0, ball="7"), "The 7 leaves the table"),
        (
            LateDrop(shot=1, t_s=1.0, ball="7", pocket=Pocket.HL, seconds=3.25),
            "The 7 falls by itself into the head left pocket, 3.2 s after all had stopped",
        ),
        (
            LateDrop(shot=1, t_s=1.0, ball="7", pocket=Pocket.HL),
            "The 7 falls by itself into the head left pocket",
        ),
        (
            CueSeen(shot=1, t_s=1.0, tip_m=(0, 0), direction_deg=12.345, sigma_deg=0.5),
            "Cue seen, pointing 12.3° ± 0.5°",
        ),
        (ShotEnded(shot=1, t_s=1.0), "All balls rest"),
        (
            ShotEnded(shot=1, t_s=None, ended_after_clip=True),
            "The clip ends before all balls rest",
        ),
        (
            ShotEnded(shot=1, t_s=1.0, incomplete="the camera cut away"),
            "All balls rest (incomplete: the camera cut away)",
        ),
        (OtherEvent(shot=1, t_s=1.0, name="cue_on_table"), "Cue on table"),
        (
            OtherEvent(shot=1, t_s=1.0, name="hidden", fields={"ball": "4", "reason": "an arm"}),
            "Hidden: the 4 (an arm)",
        ),
    ],
)
def test_every_kind_of_event_has_its_words(event: ShotEvent, words: str) -> None:
    assert event_words(event) == words


def test_a_sure_event_is_told_without_its_probability() -> None:
    assert doubt_words(BallContact(shot=1, t_s=1.0, a="cue", b="1", confidence=0.99)) == ""


def test_a_doubtful_contact_names_the_other_candidates() -> None:
    event = BallContact(
        shot=1, t_s=1.0, a="cue", b="7", confidence=0.64, alternatives=(Alternative("2", 0.35),)
    )
    assert doubt_words(event) == "64%, else the 2 35%"


def test_time_and_tolerance() -> None:
    assert time_words(BallOffTable(shot=1, t_s=1.71, dt_s=0.004, ball="1")) == "1.710 s ± 4 ms"
    assert time_words(ShotEnded(shot=1, t_s=None)) == "outside the clip"
