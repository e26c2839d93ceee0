"""The first contact: which ball, when, and how surely."""

from __future__ import annotations

import math

import numpy as np
import pytest

from table.geometry import NINE_FOOT
from tests.vision.played import Filming, Play, seen, table_of
from vision.contacts import breaks_of
from vision.first_contact import FirstContact, first_contact_of

D = NINE_FOOT.ball_diameter_m


def first(play: Play, filming: Filming, strike_s: float) -> FirstContact | None:
    """The first contact of a filmed play."""
    motions = seen(play, filming)
    return first_contact_of(
        motions, breaks_of(motions), strike_s, float(filming.times_s[-1]), play.table
    )


def shares(found: FirstContact) -> dict[str, float]:
    """The probability of every ball named."""
    return {found.ball: found.probability, **{a.b: a.p for a in found.alternatives}}


@pytest.mark.parametrize("speed_mps", [0.8, 2.0, 5.0])
@pytest.mark.parametrize("cut_deg", [0, 30, 60])
def test_a_single_ball_is_the_first(cut_deg: float, speed_mps: float) -> None:
    """One ball in the way: it, within 4 ms, with probability above 0.98 and no alternative."""
    play = table_of({"cue": (-0.5, 0.0), "3": (0.2, D * math.sin(math.radians(cut_deg)))})
    play.hits(0.41, "cue", (speed_mps, 0.0), 2.0)
    (hit,) = play.of("ball")[:1]
    found = first(play, Filming(until_s=hit.t_s + 0.4), 0.41)
    assert found is not None
    assert found.ball == "3"
    assert found.probability > 0.98
    assert found.alternatives == ()
    assert not found.crowded
    assert found.t_s == pytest.approx(hit.t_s, abs=0.004 if speed_mps > 1 else 0.007)


def test_a_miss_has_no_first_contact() -> None:
    """A cue ball that touches nothing has none."""
    play = table_of({"cue": (-0.5, 0.0), "3": (0.2, 0.2)}).hits(0.41, "cue", (1.5, 0.0), 1.4)
    assert first(play, Filming(until_s=1.3), 0.41) is None


def test_without_a_cue_ball_there_is_none() -> None:
    """A shot of which the cue ball was never seen has no first contact."""
    play = table_of({"3": (0.2, 0.2)}).hits(0.41, "3", (1.5, 0.0), 1.0)
    assert first(play, Filming(until_s=1.0), 0.41) is None


def test_a_ball_hit_off_a_rail_is_the_first() -> None:
    """The cue ball may come off a cushion: the ball it then meets is the first."""
    play = table_of({"cue": (0.8, 0.3), "3": (0.9, -0.25)})
    play.hits(0.41, "cue", (1.6, -0.93), 2.2)
    kinds = [h.kind for h in play.happenings]
    assert kinds[:2] == ["cushion", "ball"]
    found = first(play, Filming(until_s=play.of("ball")[0].t_s + 0.3), 0.41)
    assert found is not None
    assert found.ball == "3"
    assert found.t_s == pytest.approx(play.of("ball")[0].t_s, abs=0.006)


@pytest.mark.parametrize("lead_mm", [4.0, 8.0, 15.0])
@pytest.mark.parametrize("side", [1, -1])
def test_of_two_balls_nearly_in_line_the_nearer_one_is_first(lead_mm: float, side: int) -> None:
    """Two balls side by side, one of them millimetres nearer: it is the likeliest."""
    balls = {
        "cue": (-0.5, 0.0),
        "2": (0.1, side * 0.031),
        "7": (0.1 + lead_mm / 1000, -side * 0.031),
    }
    play = table_of(balls).hits(0.41, "cue", (2.0, 0.0), 1.2)
    assert play.of("ball")[0].b == "2" or play.of("ball")[0].a == "2"
    found = first(play, Filming(until_s=1.1), 0.41)
    assert found is not None
    assert shares(found)["2"] > 0.5
    assert sum(shares(found).values()) <= 1.0 + 1e-9


def test_a_near_tie_is_undecided() -> None:
    """Two balls met within a tenth of a millimetre: both are named and neither is certain."""
    balls = {"cue": (-0.5, 0.0), "2": (0.1, 0.031), "7": (0.1, -0.03101)}
    play = table_of(balls).hits(0.41, "cue", (2.0, 0.0), 1.2)
    found = first(play, Filming(until_s=1.1), 0.41)
    assert found is not None
    assert set(shares(found)) == {"2", "7"}
    assert found.probability < 0.98
    assert min(shares(found).values()) > 0.02
    assert sum(shares(found).values()) <= 1.0 + 1e-9
    assert found.crowded


def test_the_share_of_a_near_tie_is_honest() -> None:
    """Over many noisy tries with the balls 2 mm apart the named ball is right about as often as
    its probability says."""
    claimed, right = [], []
    for seed in range(12):
        swap = seed % 2
        lead = 0.002
        balls = {
            "cue": (-0.5, 0.0),
            "2": (0.1 + lead * swap, 0.031),
            "7": (0.1 + lead * (1 - swap), -0.031),
        }
        play = table_of(balls).hits(0.41 + 0.003 * seed, "cue", (2.0, 0.0), 1.2)
        truth = play.of("ball")[0]
        found = first(play, Filming(until_s=1.1, seed=seed), 0.41)
        assert found is not None
        claimed.append(found.probability)
        right.append(found.ball in (truth.a, truth.b))
    assert np.mean(right) >= np.mean(claimed) - 0.25


@pytest.mark.parametrize(
    "aim_m",
    [
        0.0,
        0.012,
        0.03,
        0.02,
        -0.02,
    ],
)
def test_in_a_rack_the_apex_is_the_first(aim_m: float) -> None:
    """On the break the apex ball is met first, though everything moves at once."""
    step = D + 2e-4
    names = ["1", "2", "3", "4", "10", "5", "6", "7", "8", "9"]
    places = [
        (0.635 + row * step * math.sqrt(3) / 2, (k - row / 2) * step)
        for row in range(4)
        for k in range(row + 1)
    ]
    balls = {"cue": (-0.3, aim_m), **dict(zip(names, places, strict=True))}
    play = table_of(balls).hits(0.41, "cue", (6.0, 0.0), 0.9)
    found = first(play, Filming(until_s=0.9), 0.41)
    assert found is not None
    assert found.ball == "1"
    assert found.crowded
    assert found.t_s == pytest.approx(play.of("ball", "cue")[0].t_s, abs=0.006)
    assert sum(shares(found).values()) <= 1.0 + 1e-9


def test_a_ball_close_behind_the_first_is_no_rival() -> None:
    """A ball right behind the one that was hit is met later, if at all."""
    play = table_of({"cue": (-0.5, 0.0), "2": (0.1, 0.0), "7": (0.1 + 1.2 * D, 0.01)})
    play.hits(0.41, "cue", (2.0, 0.0), 1.2)
    found = first(play, Filming(until_s=1.2), 0.41)
    assert found is not None
    assert found.ball == "2"
    assert found.probability > 0.9
