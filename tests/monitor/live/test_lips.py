"""A ball on the lip keeps its ruling provisional for five seconds (8.3)."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from monitor.live.incremental import LIP_S, LiveObserver
from monitor.live.shot_reading import SeenShot
from table.balls import BallName
from table.events import BallPocketed, ShotEnded, ShotStarted
from table.geometry import NINE_FOOT, Pocket, Point


def observer() -> LiveObserver:
    """Eyes without a camera: only what is known of the table counts here."""
    eyes = SimpleNamespace(camera=SimpleNamespace(table=NINE_FOOT), sequences=[])
    return LiveObserver(eyes)  # type: ignore[arg-type]


def shot(balls: dict[BallName, Point], *fell: BallName) -> SeenShot:
    events = (
        ShotStarted(shot=1, t_s=1.0, balls=balls),
        *(BallPocketed(shot=1, t_s=7.0, ball=ball, pocket=Pocket.FL) for ball in fell),
        ShotEnded(shot=1, t_s=4.0, balls=balls),
    )
    return SeenShot(1, events, {})


@pytest.mark.parametrize(
    ("place", "hangs"),
    [
        ((1.235, 0.605), True),
        ((1.25, 0.62), True),
        ((0.0, 0.632), True),
        ((1.15, 0.5), False),
        ((0.5, 0.606), False),
        ((0.0, 0.58), False),
    ],
)
def test_a_ball_in_the_mouth_of_a_pocket_hangs(place: Point, hangs: bool) -> None:
    live = observer()
    live._note_lips(4.6, [shot({"cue": (0.0, 0.0), "3": place})])
    glance = live._glance(4.7, [], True)
    assert glance.on_lip == (("3",) if hangs else ())
    assert glance.provisional_until_s == (4.0 + LIP_S if hangs else None)


def test_after_five_seconds_it_stands() -> None:
    live = observer()
    live._note_lips(4.6, [shot({"3": (1.25, 0.62)})])
    assert live._glance(9.1, [], True).provisional_until_s is None


def test_only_a_ball_from_its_lip_changes_a_shot_that_was_handed_out() -> None:
    hanging: dict[BallName, Point] = {"3": (1.25, 0.62), "5": (0.2, 0.1)}
    live = observer()
    first = live._new([shot(hanging)])
    live._note_lips(4.6, first)
    assert len(first) == 1
    assert live._new([shot(hanging)]) == []
    assert live._new([shot({"3": (1.25, 0.62)}, "5")]) == []
    (better,) = live._new([shot({"5": (0.2, 0.1)}, "3")])
    assert any(isinstance(event, BallPocketed) for event in better.events)
