"""The cue in the shot log: `cue_seen` at a stroke, `cue_on_table` when it was laid down."""

from __future__ import annotations

import math

import pytest

from monitor.cues import with_cues
from table.events import BallContact, CueSeen, OtherEvent, ShotEnded, ShotEvent, ShotStarted
from tests.vision.painted_tables import straight_above
from vision.cue import CueLine
from vision.seen_cues import SeenCues

CUE_BALL = (0.2, 0.1)
EVENTS: tuple[ShotEvent, ...] = (
    ShotStarted(shot=1, t_s=2.0, balls={"cue": CUE_BALL, "1": (0.9, 0.1)}),
    BallContact(shot=1, t_s=2.4, a="cue", b="1"),
    ShotEnded(shot=1, t_s=5.0, balls={"cue": (0.5, 0.1)}),
)


def watch_with(tips: list[tuple[float, float, float]]) -> SeenCues:
    """Cues of 60 cm that point along +x: times and tips."""
    watch = SeenCues(straight_above().camera.table.ball_radius_m)
    watch.seen = [(t_s, CueLine((x, y), 0.0, 0.6)) for t_s, x, y in tips]
    return watch


def test_the_cue_is_told_at_its_last_look_before_the_stroke() -> None:
    """Tip and direction of the cue that aims at the cue ball, once, with the stroke."""
    tips = [(1.0, 0.05, 0.1), (1.8, 0.02, 0.1), (1.96, 0.15, 0.1), (2.2, 0.3, 0.1)]
    start, first, *rest = with_cues(EVENTS, watch_with(tips), 0.04)
    assert isinstance(first, CueSeen)
    assert (first.shot, first.t_s, first.tip_m) == (1, 2.0, (0.15, 0.1))
    assert first.direction_deg == pytest.approx(0.0)
    assert 0.5 < first.sigma_deg < 0.7
    assert (start, *rest) == EVENTS


def test_a_cue_that_aims_elsewhere_is_not_told() -> None:
    """Beside the ball, beyond it, too far or too early: nothing is said."""
    for tip in ((1.9, 0.1, 0.2), (1.9, 0.4, 0.1), (1.9, -0.4, 0.1), (1.0, 0.1, 0.1)):
        assert with_cues(EVENTS, watch_with([tip]), 0.04) == EVENTS
    assert with_cues(EVENTS, None, 0.04) == EVENTS


def test_a_mechanical_bridge_is_not_the_cue() -> None:
    """Of two sticks in one frame the one whose tip is nearer to the ball aims."""
    watch = watch_with([(1.8 + 0.04 * i, 0.15, 0.1) for i in range(4)])
    bridge = [(t, CueLine((-0.05, 0.11), math.radians(-5.0), 0.6)) for t, _ in watch.seen]
    watch.seen = sorted([*watch.seen, *bridge], key=lambda seen: seen[0])
    told = with_cues(EVENTS, watch, 0.04)[1]
    assert isinstance(told, CueSeen)
    assert told.direction_deg == pytest.approx(0.0)


def test_the_scatter_of_the_looks_is_the_direction_s_doubt() -> None:
    """Looks that differ by degrees make a larger sigma than looks that agree."""
    agree = watch_with([(1.80 + 0.04 * i, 0.1, 0.1) for i in range(4)])
    differ = watch_with([])
    differ.seen = [
        (t, CueLine(cue.tip_m, math.radians(2.0 * (-1) ** i), 0.6))
        for i, (t, cue) in enumerate(agree.seen)
    ]
    told = [with_cues(EVENTS, watch, 0.04)[1] for watch in (agree, differ)]
    sigmas = [event.sigma_deg for event in told if isinstance(event, CueSeen)]
    assert len(sigmas) == 2
    assert sigmas[1] > 1.7 * sigmas[0]


def test_a_cue_on_the_cloth_is_told_in_its_place() -> None:
    """Between the events around it, as part of the shot under way."""
    watch = watch_with([])
    watch.lying_since_s = [3.0]
    events = with_cues(EVENTS, watch, 0.04)
    assert [e.t_s for e in events] == [2.0, 2.4, 3.0, 5.0]
    assert events[2] == OtherEvent(shot=1, t_s=3.0, name="cue_on_table")
