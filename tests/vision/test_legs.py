"""Legs: a path is cut where an impact changed its motion, and nowhere else."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.played import ROLLING_MPS2, Filming, path_of, seen, table_of
from vision.contacts import Motion
from vision.legs import legs_of
from vision.paths import Path
from vision.resting import resting_samples

FRAME = 0.04


def rolling(
    speed_mps: float, count: int, noise_m: float = 0.0004, seed: int = 0, fps: float = 25.0
) -> Motion:
    """A ball that rolls along a diagonal from t = 0, seen `count` times."""
    t_s = np.arange(count) / fps
    way = speed_mps * t_s - 0.5 * ROLLING_MPS2 * t_s**2
    noise = np.random.default_rng(seed).normal(0, noise_m, (count, 2))
    xy = np.column_stack((-1 + 0.8 * way, -0.4 + 0.6 * way)) + noise
    return path_of("cue", list(t_s), [tuple(p) for p in xy])


def covers(motion: Motion) -> None:
    """The legs follow each other and cover every sighting."""
    legs = motion.legs
    assert legs[0].first == 0
    assert legs[-1].last == len(motion.path) - 1
    assert all(b.first == a.last + 1 for a, b in itertools.pairwise(legs))


def test_a_path_without_sightings_has_no_leg() -> None:
    """Nothing seen: nothing to cut."""
    none = np.zeros(0)
    assert legs_of(Path(none, np.zeros((0, 2)), none, none.astype(int))) == []


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_a_handful_of_sightings_is_one_leg(count: int) -> None:
    """So few sightings of smooth motion are never cut."""
    assert len(rolling(1.0, count).legs) == 1


@pytest.mark.parametrize("speed_mps", [0.3, 1.0, 3.0, 8.0])
@pytest.mark.parametrize("seed", range(3))
def test_a_free_roll_is_one_leg(speed_mps: float, seed: int) -> None:
    """Rolling and slowing alone never cuts a path."""
    motion = rolling(speed_mps, 25, seed=seed)
    assert [leg.at_rest for leg in motion.legs] == [False]


def test_a_legs_motion_is_the_balls_own() -> None:
    """Position, velocity and deceleration of a leg are those of the ball."""
    (leg,) = rolling(2.0, 25).legs
    t_s = 0.5
    way, speed = 2.0 * t_s - 0.5 * ROLLING_MPS2 * t_s**2, 2.0 - ROLLING_MPS2 * t_s
    assert leg.position(t_s) == pytest.approx((-1 + 0.8 * way, -0.4 + 0.6 * way), abs=4e-4)
    assert leg.velocity(t_s) == pytest.approx((0.8 * speed, 0.6 * speed), abs=2e-3)
    assert leg.a_mps2 == pytest.approx((-0.8 * ROLLING_MPS2, -0.6 * ROLLING_MPS2), abs=0.02)


def test_a_legs_sigma_is_what_its_error_is() -> None:
    """The stated standard deviation matches the scatter over many noisy tries."""
    legs = [rolling(1.5, 12, noise_m=0.0005, seed=seed).legs[0] for seed in range(60)]
    for t_s in (0.22, 0.44, 0.52):
        errors = [leg.position(t_s)[0] - (-1 + 0.8 * (1.5 * t_s - 0.075 * t_s**2)) for leg in legs]
        assert np.std(errors) == pytest.approx(legs[0].sigma_m(t_s), rel=0.3)


def test_sigma_grows_beyond_the_sightings() -> None:
    """Extrapolation is less certain than what was seen."""
    (leg,) = rolling(1.5, 12).legs
    assert leg.sigma_m(0.22) < leg.sigma_m(0.44) < leg.sigma_m(0.6) < leg.sigma_m(1.0)


@pytest.mark.parametrize("noise_m", [0.0002, 0.0008])
@pytest.mark.parametrize("speed_mps", [0.6, 2.0, 6.0])
def test_a_rebound_cuts_at_its_frame(speed_mps: float, noise_m: float) -> None:
    """A rebound is one cut, between the two frames beside it."""
    play = table_of({"cue": (0.9, -0.1)}).hits(0.0, "cue", (speed_mps, 0.3 * speed_mps), 0.9)
    (hit,) = play.of("cushion")[:1]
    until = min(0.9, hit.t_s + 0.4)
    motion = seen(play, Filming(until_s=until, noise_m=noise_m))["cue"]
    covers(motion)
    cuts = [(motion.end_of(a), motion.start_of(b)) for a, b in itertools.pairwise(motion.legs)]
    near = [c for c in cuts if c[0] - 1.1 * FRAME <= hit.t_s <= c[1] + 1.1 * FRAME]
    assert len(near) == 1
    assert near[0][0] <= hit.t_s + 1e-9 or near[0][1] >= hit.t_s - 1e-9
    others = [h.t_s for h in play.happenings if h is not hit]
    assert all(any(abs(c[0] - t) < 2 * FRAME for t in others) for c in cuts if c not in near)


@pytest.mark.parametrize("kick_mps", [0.12, 0.3])
def test_a_graze_is_cut(kick_mps: float) -> None:
    """A blow of a tenth of a metre a second aside cuts a path within a frame of it."""
    t_s = np.arange(26) * FRAME
    noise = np.random.default_rng(2).normal(0, 3e-4, (26, 2))
    xy = np.column_stack((1.2 * t_s, kick_mps * np.maximum(0, t_s - 0.52))) + noise
    motion = path_of("1", list(t_s), [tuple(p) for p in xy])
    assert len(motion.legs) == 2
    assert motion.end_of(motion.legs[0]) == pytest.approx(0.52, abs=1.6 * FRAME)


def test_a_struck_ball_rests_up_to_the_blow() -> None:
    """Rest, blow, roll: the rest ends with the last frame before the blow."""
    play = table_of({"1": (0.0, 0.0)}).hits(1.013, "1", (1.2, 0.4), 1.9)
    rest, roll = seen(play, Filming(until_s=1.9))["1"].legs
    motion = seen(play, Filming(until_s=1.9))["1"]
    assert rest.at_rest
    assert not roll.at_rest
    assert motion.end_of(rest) == pytest.approx(1.0)
    assert motion.start_of(roll) == pytest.approx(1.04)
    assert rest.p_m == pytest.approx((0, 0), abs=3e-4)
    assert tuple(rest.velocity(0.3)) == (0.0, 0.0)


@pytest.mark.parametrize("speed_mps", [0.15, 0.4, 1.0])
def test_a_ball_that_rolls_out_comes_to_rest(speed_mps: float) -> None:
    """The rest after a roll begins within a third of a second of the true stop."""
    play = table_of({"1": (-0.5, 0.0)}).hits(0.6, "1", (speed_mps, 0.1 * speed_mps))
    stop = play.rest_s
    motion = seen(play, Filming(until_s=stop + 1.5))["1"]
    covers(motion)
    assert motion.legs[0].at_rest
    assert motion.legs[-1].at_rest
    assert motion.start_of(motion.legs[-1]) == pytest.approx(stop, abs=0.35)
    place = play.place("1", stop)
    assert place is not None
    assert motion.legs[-1].p_m == pytest.approx(tuple(place), abs=1.5e-3)


def test_a_slow_roll_is_no_rest() -> None:
    """A ball that crawls at 20 mm/s is moving."""
    t_s = np.arange(50) * FRAME
    noise = np.random.default_rng(1).normal(0, 3e-4, (50, 2))
    xy = np.column_stack((0.02 * t_s, 0 * t_s)) + noise
    path = path_of("1", list(t_s), [tuple(p) for p in xy]).path
    assert not resting_samples(path).any()


@given(seed=st.integers(0, 10_000), noise_m=st.floats(1e-4, 1.2e-3))
@settings(max_examples=25, deadline=None)
def test_noise_alone_is_one_rest(seed: int, noise_m: float) -> None:
    """A ball that lies still is one resting leg, whatever the noise that was stated."""
    noise = np.random.default_rng(seed).normal(0, noise_m, (60, 2))
    motion = path_of("1", list(np.arange(60) * FRAME), [tuple(p) for p in noise], noise_m)
    assert [leg.at_rest for leg in motion.legs] == [True]


def test_a_step_of_half_the_speed_is_no_impact() -> None:
    """Noise of a millimetre on a slow roll, speeds up and down by half, does not cut."""
    t_s = np.arange(30) * FRAME
    wobble = np.where(np.arange(30) % 2, 1.0, -1.0) * 0.0012
    xy = np.column_stack((0.12 * t_s + wobble, 0 * t_s))
    motion = path_of("1", list(t_s), [tuple(p) for p in xy], 0.0012)
    assert len([leg for leg in motion.legs if not leg.at_rest]) == 1


def test_missing_frames_do_not_cut() -> None:
    """A ball hidden for a quarter of a second that rolls on is still one leg."""
    play = table_of({"cue": (-1.0, 0.0)}).hits(0.0, "cue", (1.4, 0.1), 1.2)
    hidden = {"cue": [(0.4, 0.66)]}
    motion = seen(play, Filming(until_s=1.2, hidden=hidden))["cue"]
    assert len(motion.legs) == 1
