"""A ball's path cut into legs: stretches of smooth motion between two impacts.

Between impacts a ball only rolls and slides, so its centre follows a parabola in time
(friction is constant in size and, for a short while, in direction). Dynamic programming
finds the cheapest cut of a path into such parabolas: squared residuals in units of the
measurement error, plus a price for every leg.

Source for the motion between impacts: Marlow, The Physics of Pocket Billiards, ch. 3.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.paths import Path
from vision.resting import NUDGE_M, resting_samples

Floats = NDArray[np.float64]

LEG_PRICE = 20.0
_FRICTION_SPREAD_MPS2 = 1.5
"""Spread of a leg's acceleration before looking: rolling 0.1, sliding 2 m/s2."""
_LONGEST = 48
_NUDGE_SAMPLES = 8


@dataclass(frozen=True, slots=True, eq=False)
class Leg:
    """Smooth motion over the sightings `first` .. `last` (both included) of a path.

    Position at t: p + v (t - t0) + a (t - t0)^2 / 2; `covariance` (3, 3) is that of
    (p, v, a) along each axis.
    """

    first: int
    last: int
    t0_s: float
    p_m: Floats
    v_mps: Floats
    a_mps2: Floats
    covariance: Floats
    at_rest: bool

    def position(self, t_s: float) -> Floats:
        """Centre (2,) at time t, extrapolated beyond the leg's ends."""
        dt = t_s - self.t0_s
        return np.asarray(self.p_m + self.v_mps * dt + 0.5 * self.a_mps2 * dt * dt)

    def velocity(self, t_s: float) -> Floats:
        """Velocity (2,) at time t."""
        return np.asarray(self.v_mps + self.a_mps2 * (t_s - self.t0_s))

    def sigma_m(self, t_s: float) -> float:
        """One standard deviation of the position at time t, along each axis."""
        dt = t_s - self.t0_s
        row = np.array((1.0, dt, 0.5 * dt * dt))
        return float(np.sqrt(max(0.0, row @ self.covariance @ row)))

    def positions(self, t_s: Floats) -> Floats:
        """Centres (N, 2) at times (N,)."""
        dt = (t_s - self.t0_s)[:, None]
        return np.asarray(self.p_m + self.v_mps * dt + 0.5 * self.a_mps2 * dt * dt)

    def sigmas_m(self, t_s: Floats) -> Floats:
        """Standard deviations (N,) of the position at times (N,), along each axis."""
        dt = t_s - self.t0_s
        rows = np.column_stack((np.ones_like(dt), dt, 0.5 * dt * dt))
        return np.asarray(
            np.sqrt(np.maximum(0.0, np.einsum("ni,ij,nj->n", rows, self.covariance, rows)))
        )


def legs_of(path: Path) -> list[Leg]:
    """Cut a path into legs, in order of time; resting stretches are legs with no velocity."""
    if not len(path):
        return []
    legs: list[Leg] = []
    for first, last, resting in _stretches(path):
        if resting:
            legs += _rest_legs(path, first, last)
        else:
            legs += _moving_legs(path, first, last)
    return legs


def _stretches(path: Path) -> list[tuple[int, int, bool]]:
    """Alternating stretches (first, last, at rest) that cover the whole path."""
    n = len(path)
    resting = resting_samples(path)
    edges = np.flatnonzero(np.diff(resting.astype(int))) + 1
    bounds = [0, *edges.tolist(), n]
    return [(a, b - 1, bool(resting[a])) for a, b in itertools.pairwise(bounds) if b > a]


def _rest_legs(path: Path, first: int, last: int) -> list[Leg]:
    """A resting stretch as one leg, or as two where the ball was nudged to another spot.

    A graze may move a ball by a few millimetres only, too little and too slowly to be seen
    moving; that it lies elsewhere afterwards is seen to a fraction of a millimetre.
    """
    count = last - first + 1
    if count < 2 * _NUDGE_SAMPLES:
        return [_rest_leg(path, first, last)]
    xy = path.xy_m[first : last + 1]
    way = np.cumsum(xy - xy.mean(axis=0), axis=0)
    inner = np.hypot(*way.T)[_NUDGE_SAMPLES - 1 : -_NUDGE_SAMPLES]
    # The largest excursion of the cumulative sum marks a step of the mean (Page 1954).
    cut = first + _NUDGE_SAMPLES + int(inner.argmax())
    before, after = _rest_leg(path, first, cut - 1), _rest_leg(path, cut, last)
    step = float(np.hypot(*(after.p_m - before.p_m)))
    noise = float(np.hypot(before.sigma_m(before.t0_s), after.sigma_m(after.t0_s)))
    if step < NUDGE_M + 4 * noise:
        return [_rest_leg(path, first, last)]
    return [before, after]


def _rest_leg(path: Path, first: int, last: int) -> Leg:
    sigmas = path.sigma_m[first : last + 1]
    # The clear sightings only: a cue or a hand beside the ball pulls the others aside.
    clear = sigmas <= 1.5 * float(sigmas.min())
    center = np.median(path.xy_m[first : last + 1][clear], axis=0)
    sigma = float(np.median(sigmas[clear])) / np.sqrt(min(int(clear.sum()), 25))
    covariance = np.diag([sigma**2, 1e-10, 1e-10])
    zero = np.zeros(2)
    return Leg(first, last, float(path.t_s[first]), center, zero, zero, covariance, True)


def _moving_legs(path: Path, first: int, last: int) -> list[Leg]:
    """The cheapest cut of samples first .. last into parabolas."""
    n = last - first + 1
    t_s = path.t_s[first : last + 1]
    xy_m = path.xy_m[first : last + 1]
    weight = 1.0 / path.sigma_m[first : last + 1] ** 2
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    came_from = np.zeros(n + 1, int)
    for start in range(n):
        stop = min(n, start + _LONGEST)
        costs = _parabola_costs(t_s[start:stop], xy_m[start:stop], weight[start:stop])
        totals = best[start] + costs + LEG_PRICE
        ends = np.arange(start + 1, stop + 1)
        better = totals < best[ends]
        best[ends[better]] = totals[better]
        came_from[ends[better]] = start
    cuts = [n]
    while cuts[-1] > 0:
        cuts.append(int(came_from[cuts[-1]]))
    cuts.reverse()
    return [moving_leg(path, first + a, first + b - 1) for a, b in itertools.pairwise(cuts)]


def moving_leg(path: Path, first: int, last: int) -> Leg:
    """The leg of a moving ball over samples first .. last, of which there may be one only."""
    return _single_leg(path, first) if first == last else fit_leg(path, first, last)


def cost_of(path: Path, first: int, last: int) -> float:
    """Cost of one parabola over samples first .. last: what the dynamic programme sums up."""
    rows = slice(first, last + 1)
    costs = _parabola_costs(path.t_s[rows], path.xy_m[rows], 1.0 / path.sigma_m[rows] ** 2)
    return float(costs[-1])


def _single_leg(path: Path, at: int) -> Leg:
    """A leg seen once only: its velocity is what leads there from the sighting before."""
    leg = fit_leg(path, at, at)
    if at == 0:
        return leg
    step = path.xy_m[at] - path.xy_m[at - 1]
    v_mps = np.asarray(step / (path.t_s[at] - path.t_s[at - 1]), np.float64)
    return with_velocity(leg, v_mps, 0.3 * float(np.hypot(*v_mps)) + 0.05)


def with_velocity(leg: Leg, v_mps: Floats, sigma_mps: float) -> Leg:
    """A leg that was seen once, with a velocity (2,) known from elsewhere."""
    covariance: Floats = leg.covariance.astype(np.float64)
    covariance[1, 1] = sigma_mps**2
    return replace(leg, v_mps=v_mps, covariance=covariance)


def _parabola_costs(t_s: Floats, xy_m: Floats, weight: Floats) -> Floats:
    """Cost of one parabola over samples 0 .. k, for every k (N,)."""
    t = t_s - t_s[0]
    powers = np.cumsum(weight * t ** np.arange(5)[:, None], axis=1)
    normal = np.empty((len(t), 3, 3))
    for row in range(3):
        for column in range(3):
            normal[:, row, column] = powers[row + column]
    # The basis is 1, t, t^2: a prior on the acceleration is one on twice the last term.
    normal[:, 2, 2] += 4.0 / _FRICTION_SPREAD_MPS2**2
    normal[:, 1, 1] += 1.0 / 10.0**2
    # Relative to the first sample, so that sums of squares stay exact.
    offset = xy_m - xy_m[0]
    right = np.cumsum(
        weight[:, None, None] * (t[:, None] ** np.arange(3))[:, :, None] * offset[:, None, :],
        axis=0,
    )
    square = np.cumsum(weight * (offset**2).sum(axis=1))
    solution = np.linalg.solve(normal, right)
    return np.asarray(np.maximum(0.0, square - (solution * right).sum(axis=(1, 2))))


def fit_leg(path: Path, first: int, last: int) -> Leg:
    """One parabola through samples first .. last of a path."""
    t_s = path.t_s[first : last + 1]
    middle = float(t_s.mean())
    t = t_s - middle
    weight = 1.0 / path.sigma_m[first : last + 1] ** 2
    basis = np.column_stack((np.ones_like(t), t, 0.5 * t * t))
    normal = (basis * weight[:, None]).T @ basis
    normal += np.diag([0.0, 1.0 / 10.0**2, 1.0 / _FRICTION_SPREAD_MPS2**2])
    covariance: Floats = np.asarray(np.linalg.inv(normal), np.float64)
    solution = covariance @ ((basis * weight[:, None]).T @ path.xy_m[first : last + 1])
    return Leg(first, last, middle, solution[0], solution[1], solution[2], covariance, False)
