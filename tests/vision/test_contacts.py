"""Contacts: balls and cushions touch where physics says so, not where balls are near."""

from __future__ import annotations

import math

import numpy as np
import pytest

from table.geometry import NINE_FOOT, Cushion
from tests.vision.played import Filming, Happening, Play, path_of, seen, table_of
from vision.ball_meetings import ball_meetings
from vision.contacts import BallMeeting, NoseMeeting, breaks_of
from vision.cushion_meetings import nose_meetings

D = NINE_FOOT.ball_diameter_m
WORST = 60.0
"""The cost up to which a meeting is taken for a contact (vision.shots)."""


def ball_contacts(play: Play, filming: Filming) -> list[BallMeeting]:
    """The ball meetings of a filmed play that physics explains."""
    motions = seen(play, filming)
    return [m for m in ball_meetings(breaks_of(motions), motions, play.table) if m.cost < WORST]


def cushion_contacts(play: Play, filming: Filming) -> list[NoseMeeting]:
    """The cushion meetings of a filmed play."""
    return nose_meetings(breaks_of(seen(play, filming)), play.table)


def cut_shot(cut_deg: float, speed_mps: float, strike_s: float = 0.413) -> tuple[Play, Happening]:
    """The cue ball hits the 1 at a cut angle; the truth of their contact."""
    offset = D * math.sin(math.radians(cut_deg))
    play = table_of({"cue": (-0.55, 0.0), "1": (0.05, offset)})
    play.hits(strike_s, "cue", (speed_mps, 0.0), strike_s + 0.6 / speed_mps + 0.55)
    return play, play.of("ball")[0]


@pytest.mark.parametrize("speed_mps", [0.8, 2.0, 4.0])
@pytest.mark.parametrize("cut_deg", [0, 15, 30, 45, 60, 75])
def test_two_balls_touch_within_three_milliseconds(cut_deg: float, speed_mps: float) -> None:
    """At 25 fps a collision is timed to 3 ms (slow and thin: within its own stated width)."""
    play, hit = cut_shot(cut_deg, speed_mps)
    (found,) = ball_contacts(play, Filming(until_s=hit.t_s + 0.5))
    assert {found.a, found.b} == {"cue", "1"}
    error = abs(found.t_s - hit.t_s)
    speed = float(np.hypot(*play.stretches["cue"][1].velocity(hit.t_s)))
    closing = speed * math.cos(math.radians(cut_deg))
    assert error < (0.003 if closing > 1.0 else 0.006)
    assert error < 3 * found.dt_s
    if cut_deg <= 45:
        assert found.speed_mps == pytest.approx(closing, rel=0.15)


@pytest.mark.parametrize("speed_mps", [4.0, 5.0])
def test_a_thin_fast_hit_is_explained(speed_mps: float) -> None:
    """At a cut of 80 degrees the impulse's direction is hardly known, and that is no surprise."""
    play, hit = cut_shot(80, speed_mps)
    assert len(ball_contacts(play, Filming(until_s=hit.t_s + 0.5))) == 1


@pytest.mark.parametrize("phase", np.linspace(0, 0.036, 10).round(4).tolist())
def test_the_time_does_not_depend_on_where_in_the_frame_it_falls(phase: float) -> None:
    """The contact's place between two frames does not matter."""
    play, hit = cut_shot(30, 2.0, strike_s=0.4 + phase)
    (found,) = ball_contacts(play, Filming(until_s=hit.t_s + 0.5))
    assert found.t_s == pytest.approx(hit.t_s, abs=0.003)


def test_a_higher_frame_rate_is_no_less_exact() -> None:
    """At 60 fps the median error over noisy tries is under 2 ms."""
    errors = []
    for seed in range(8):
        play, hit = cut_shot(35, 2.5)
        (found,) = ball_contacts(play, Filming(fps=60, until_s=hit.t_s + 0.35, seed=seed))
        errors.append(abs(found.t_s - hit.t_s))
    assert np.median(errors) < 0.002


@pytest.mark.parametrize("speed_mps", [0.8, 2.0, 4.0])
def test_a_near_miss_is_no_contact(speed_mps: float) -> None:
    """A ball that passes another with 3 mm to spare has not touched it."""
    play = table_of({"cue": (-0.55, 0.0), "1": (0.05, D + 0.003)})
    play.hits(0.413, "cue", (speed_mps, 0.0), 0.413 + 1.2 / speed_mps)
    assert play.happenings == []
    assert ball_contacts(play, Filming(until_s=0.4 + 1.1 / speed_mps)) == []


def test_a_rebound_beside_a_resting_ball_is_no_contact_with_it() -> None:
    """A ball that rebounds from a cushion 3 mm beside another one touched the cushion only."""
    radius = D / 2
    play = table_of({"cue": (0.6, 0.0), "1": (1.27 - radius, D + 0.003)})
    play.hits(0.4, "cue", (1.5, 0.0), 1.3)
    assert [h.kind for h in play.happenings] == ["cushion"]
    filming = Filming(until_s=1.3)
    assert [m for m in ball_contacts(play, filming) if "1" in (m.a, m.b)] == []
    assert [m.cushion for m in cushion_contacts(play, filming)] == [Cushion.FOOT]


def test_a_ball_is_not_hit_through_another_one() -> None:
    """A ball behind another one is reached through it: the cue ball met the near ball only."""
    play = table_of({"cue": (-0.5, 0.0), "1": (0.0, 0.0), "2": (D + 1e-4, 0.0)})
    play.hits(0.4, "cue", (2.0, 0.0), 1.2)
    found = ball_contacts(play, Filming(until_s=1.2))
    pairs = {tuple(sorted((m.a, m.b))) for m in found}
    assert {("1", "cue"), ("1", "2")} <= pairs
    assert ("2", "cue") not in pairs


@pytest.mark.parametrize("speed_mps", [0.5, 1.5, 5.0])
@pytest.mark.parametrize(
    ("start", "direction", "cushion"),
    [
        ((0.7, 0.1), (1.0, 0.2), Cushion.FOOT),
        ((-0.7, 0.1), (-1.0, -0.3), Cushion.HEAD),
        ((0.5, 0.2), (0.2, 1.0), Cushion.LEFT_FOOT),
        ((-0.5, 0.2), (-0.3, 1.0), Cushion.LEFT_HEAD),
        ((0.5, -0.2), (0.1, -1.0), Cushion.RIGHT_FOOT),
        ((-0.5, -0.2), (0.0, -1.0), Cushion.RIGHT_HEAD),
    ],
)
def test_each_cushion_is_named_and_timed(
    start: tuple[float, float], direction: tuple[float, float], cushion: Cushion, speed_mps: float
) -> None:
    """A rebound gives one contact, with its cushion, within 4 ms (slow: 10 ms)."""
    speed = np.array(direction) / np.hypot(*direction) * speed_mps
    play = table_of({"1": start})
    play.hits(0.41, "1", tuple(speed), 0.41 + 1.0 / speed_mps)
    (hit,) = play.of("cushion")[:1]
    found = cushion_contacts(play, Filming(until_s=hit.t_s + min(0.4, 0.4 / speed_mps)))
    assert [m.cushion for m in found] == [cushion]
    assert found[0].t_s == pytest.approx(hit.t_s, abs=0.004 if speed_mps > 1 else 0.010)
    assert not found[0].jaw


@pytest.mark.parametrize("gap_m", [0.0, 0.001])
def test_rolling_along_a_rail_is_no_contact(gap_m: float) -> None:
    """A ball that rolls along a cushion, even against it, does not touch it again and again."""
    y_m = 0.635 - D / 2 - gap_m
    play = table_of({"1": (0.2, y_m)})
    play.hits(0.41, "1", (0.8, 0.0), 1.4)
    assert cushion_contacts(play, Filming(until_s=1.4)) == []


@pytest.mark.parametrize("distance_m", [0.010, 0.015])
def test_a_turn_before_the_rail_is_no_cushion_contact(distance_m: float) -> None:
    """A ball that another one turns back short of a cushion did not touch the cushion."""
    x_wall = 1.27 - D / 2
    t_s = np.arange(30) * 0.04
    turn_s = 0.61
    x = np.where(t_s < turn_s, 1.0 * (t_s - turn_s), -0.7 * (t_s - turn_s)) + x_wall - distance_m
    noise = np.random.default_rng(0).normal(0, 3e-4, (30, 2))
    xy = np.column_stack((x, 0 * t_s)) + noise
    motion = path_of("1", list(t_s), [tuple(p) for p in xy])
    found = [m for m in nose_meetings(breaks_of({"1": motion}), NINE_FOOT) if m.cost < 6]
    assert found == []


def test_a_ball_that_dies_on_a_cushion_touched_it() -> None:
    """A slow ball that stays at the cushion it met touched it once."""
    play = table_of({"1": (1.1, 0.2)})
    speed = math.sqrt(2 * 0.15 * (1.27 - D / 2 - 1.1)) + 0.06
    play.hits(0.41, "1", (speed, 0.0), 30)
    hits = play.of("cushion")
    assert len(hits) == 1
    found = cushion_contacts(play, Filming(until_s=play.rest_s + 0.9))
    assert [m.cushion for m in found] == [Cushion.FOOT]
    assert found[0].t_s == pytest.approx(hits[0].t_s, abs=0.06)


@pytest.mark.xfail(
    strict=True, reason="At 25 fps one sighting only lies between the tip and the drop."
)
def test_a_jaw_is_told_from_a_nose() -> None:
    """A ball that meets the end of a nose, its centre beyond it, met the jaw."""
    corner = NINE_FOOT.cushions[Cushion.FOOT].end
    play = table_of({"1": (0.8, corner[1] + 0.022)})
    play.hits(0.41, "1", (1.5, 0.0), 1.2)
    (hit,) = [h for h in play.happenings if h.kind == "jaw"][:1]
    found = [
        m
        for m in cushion_contacts(play, Filming(until_s=hit.t_s + 0.12))
        if abs(m.t_s - hit.t_s) < 0.02
    ]
    assert [m.jaw for m in found] == [True]


def test_a_rebound_near_a_noses_end_is_no_jaw() -> None:
    """A ball that rebounds from the nose a radius before its end met the nose."""
    corner = NINE_FOOT.cushions[Cushion.FOOT].end
    play = table_of({"1": (0.8, corner[1] - 0.03)})
    play.hits(0.41, "1", (1.5, 0.0), 1.2)
    (found,) = cushion_contacts(play, Filming(until_s=1.1))
    assert not found.jaw
    assert found.cushion is Cushion.FOOT


def test_jaw_is_a_plain_bool() -> None:
    """What leaves this module is plain Python: printable, hashable, written as JSON."""
    play = table_of({"1": (0.7, 0.1)}).hits(0.41, "1", (1.5, 0.0), 1.2)
    (found,) = cushion_contacts(play, Filming(until_s=1.1))
    assert type(found.jaw) is bool


def test_both_balls_moving_is_a_contact_too() -> None:
    """Two rolling balls that collide give one contact within 4 ms."""
    play = table_of({"1": (-0.4, 0.0), "2": (0.4, 0.02)})
    play.hits(0.0, "1", (1.2, 0.0), 0.0)
    play.hits(0.0, "2", (-0.9, 0.0), 1.2)
    hit = play.of("ball")[0]
    (found,) = ball_contacts(play, Filming(until_s=hit.t_s + 0.4))
    assert found.t_s == pytest.approx(hit.t_s, abs=0.004)


def test_a_double_kiss_is_two_contacts() -> None:
    """A ball that comes back from a cushion to the cue ball touches it a second time."""
    play = table_of({"cue": (0.3, 0.0), "1": (1.05, 0.0005)})
    play.hits(0.4, "cue", (1.4, 0.0), 2.4)
    truth = play.of("ball")
    found = sorted(ball_contacts(play, Filming(until_s=2.4)), key=lambda m: m.t_s)
    assert len(truth) == 2
    assert [m.t_s for m in found] == pytest.approx([h.t_s for h in truth], abs=0.012)


def test_breaks_are_ordered_and_lie_between_frames() -> None:
    """Each break spans one step between two sightings and they come in order of time."""
    play, hit = cut_shot(30, 2.0)
    breaks = breaks_of(seen(play, Filming(until_s=hit.t_s + 0.5)))
    assert [b.ball for b in breaks] == ["cue", "cue", "1"] or [b.ball for b in breaks] == [
        "cue",
        "1",
        "cue",
    ]
    assert all(0 < b.to_s - b.from_s < 0.0401 for b in breaks)
    assert [b.from_s for b in breaks] == sorted(b.from_s for b in breaks)


def test_a_resting_ball_has_no_break() -> None:
    """Lying still and noise are no change of motion."""
    play = table_of({"1": (0.3, 0.3)})
    assert breaks_of(seen(play, Filming(until_s=3.0))) == []
