"""Balls that come back to the table by a hand: what was before and after are two lives."""

from __future__ import annotations

import numpy as np
import pytest

from table.events import BallContact, BallPocketed, OtherEvent, ShotEnded, ShotEvent, ShotStarted
from table.geometry import NINE_FOOT, Point
from vision.contacts import Motion
from vision.legs import legs_of
from vision.lives import parts_of
from vision.paths import Path
from vision.shots import read_shots
from vision.spans import Clock

FRAME_S = 1 / 30
SIGMA_M = 0.0004
Row = tuple[float, float, float]


def still(place: Point, from_s: float, until_s: float) -> list[Row]:
    """Sightings of a ball at rest."""
    return [(t, *place) for t in np.arange(from_s, until_s - 1e-9, FRAME_S)]


def rolled(start: Point, end: Point, from_s: float, until_s: float) -> list[Row]:
    """Sightings of a ball on its way, evenly."""
    times = np.arange(from_s, until_s - 1e-9, FRAME_S)
    shares = (times - from_s) / (until_s - from_s)
    return [
        (t, start[0] + s * (end[0] - start[0]), start[1] + s * (end[1] - start[1]))
        for t, s in zip(times, shares, strict=True)
    ]


def motion(name: str, rows: list[Row], seed: int = 0) -> Motion:
    """The motion of a ball from its sightings, with errors of measurement."""
    times = np.array([row[0] for row in rows])
    noise = np.random.default_rng(seed).normal(0.0, SIGMA_M / 3, (len(rows), 2))
    places = np.array([row[1:] for row in rows]) + noise
    frames = np.round(times / FRAME_S).astype(np.int64)
    path = Path(times, places, np.full(len(rows), SIGMA_M), frames)
    return Motion(name, path, legs_of(path))


SPOT = (0.635, 0.0)
CUE_FIRST, CUE_LATER = (0.6, -0.2), (-0.9, 0.1)


def a_ten_that_is_spotted() -> dict[str, Motion]:
    """The cue ball drives the ten into FR (2.0 s), it lies on its spot from 5.0 s on, and is
    struck again at 7.0 s."""
    pocket = NINE_FOOT.pockets["FR"].drop_point  # type: ignore[index]
    ten = (1.05, -0.45)
    way = np.array(pocket) - np.array(ten)
    way /= np.hypot(*way)
    touch = tuple(np.array(ten) - way * NINE_FOOT.ball_diameter_m)
    cue = still(CUE_FIRST, 0.0, 1.0) + rolled(CUE_FIRST, touch, 1.0, 1.5)
    beside = (touch[0] - 0.02, touch[1] + 0.03)
    cue += rolled(touch, beside, 1.5, 2.0) + still(beside, 2.0, 7.0)
    again = (SPOT[0] + NINE_FOOT.ball_diameter_m, SPOT[1])
    cue += rolled(beside, again, 7.0, 7.4) + still(again, 7.4, 10.0)
    rows = still(ten, 0.0, 1.5) + rolled(ten, pocket, 1.5, 2.0) + still(SPOT, 5.0, 7.4)
    rows += rolled(SPOT, (0.2, 0.0), 7.4, 8.4) + still((0.2, 0.0), 8.4, 10.0)
    return {"cue": motion("cue", cue, 1), "10": motion("10", rows, 2)}


def events(motions: dict[str, Motion], until_s: float = 10.0) -> tuple[ShotEvent, ...]:
    return read_shots(motions, NINE_FOOT, Clock(0.0, until_s, FRAME_S))


def test_a_spotted_ten_fell_and_was_put_back_and_can_be_struck_again() -> None:
    found = events(a_ten_that_is_spotted())
    assert [e.shot for e in found if isinstance(e, ShotStarted)] == [1, 2]
    (fell,) = [e for e in found if isinstance(e, BallPocketed)]
    assert (fell.ball, fell.shot) == ("10", 1)
    assert fell.t_s == pytest.approx(2.0, abs=0.1)
    (placed,) = [e for e in found if isinstance(e, OtherEvent) and e.name == "ball_placed"]
    assert (placed.shot, placed.fields["ball"]) == (1, "10")
    assert placed.t_s == pytest.approx(5.0, abs=FRAME_S)
    assert placed.fields["at_m"] == pytest.approx(SPOT, abs=0.002)
    first, second = (e for e in found if isinstance(e, ShotEnded))
    assert "10" not in first.balls
    assert second.balls["10"] == pytest.approx((0.2, 0.0), abs=0.003)
    struck = [e for e in found if isinstance(e, BallContact)]
    assert [(e.shot, e.a, e.b) for e in struck] == [(1, "cue", "10"), (2, "cue", "10")]


def test_a_ball_that_lies_in_a_pocket_is_not_struck_there() -> None:
    """The one fell long ago and is still seen in the pocket; the cue ball now comes close."""
    pocket = NINE_FOOT.pockets["FR"].drop_point  # type: ignore[index]
    deep = (pocket[0] + 0.01, pocket[1] - 0.01)
    one = still((1.0, -0.4), 0.0, 1.0) + rolled((1.0, -0.4), deep, 1.0, 1.6) + still(deep, 1.6, 9.0)
    near = (1.205, -0.575)
    cue = still((0.0, 0.1), 0.0, 6.0) + rolled((0.0, 0.1), near, 6.0, 7.0) + still(near, 7.0, 9.0)
    found = events({"cue": motion("cue", cue, 3), "1": motion("1", one, 4)}, 9.0)
    assert [e for e in found if isinstance(e, BallContact)] == []


def test_a_cue_ball_in_hand_after_a_scratch_is_not_a_cue_ball_that_never_fell() -> None:
    pocket = NINE_FOOT.pockets["SL"].drop_point  # type: ignore[index]
    one = (0.3, -0.3)
    cue = still((0.3, 0.2), 0.0, 1.0) + rolled((0.3, 0.2), pocket, 1.0, 1.8)
    cue += still(CUE_LATER, 6.0, 9.0)
    found = events({"cue": motion("cue", cue), "1": motion("1", still(one, 0.0, 9.0))}, 9.0)
    assert [e.ball for e in found if isinstance(e, BallPocketed)] == ["cue"]
    (end,) = [e for e in found if isinstance(e, ShotEnded)]
    assert "cue" not in end.balls
    assert not end.ended_after_clip


def test_a_ball_that_a_player_hides_on_its_way_is_not_taken_for_one_that_came_back() -> None:
    rows = still((-0.5, 0.2), 0.0, 1.0) + rolled((-0.5, 0.2), (0.0, 0.1), 1.0, 1.6)
    rows += still((0.5, 0.0), 4.0, 8.0)
    whole = {"cue": motion("cue", rows)}
    parts = parts_of(whole, NINE_FOOT, Clock(0.0, 8.0, FRAME_S))
    assert len(parts) == 1
    assert parts[0].motions == whole


def test_a_new_rack_is_cut_once_though_nine_balls_come_back() -> None:
    """Each was pocketed; they are put back one after the other."""
    pocket = NINE_FOOT.pockets["FL"].drop_point  # type: ignore[index]
    motions = {"cue": motion("cue", still((-0.6, 0.0), 0.0, 30.0))}
    for n in range(1, 10):
        start = (0.9, 0.03 * n)
        rows = still(start, 0.0, float(n)) + rolled(start, pocket, float(n), n + 0.5)
        rows += still((0.635 + 0.03 * (n % 3), 0.06 * (n // 3) - 0.06), 20.0 + 0.5 * n, 30.0)
        motions[str(n)] = motion(str(n), rows, n)
    first, second = parts_of(motions, NINE_FOOT, Clock(0.0, 30.0, FRAME_S))
    assert {n for n, d in first.departures.items() if d.kind == "pocketed"} == set("123456789")
    assert second.departures == {}
    assert set(second.motions) == set(motions)
    assert [r.ball for r in sorted(second.returns, key=lambda r: r.t_s)] == list("123456789")
