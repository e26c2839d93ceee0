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

Floats = NDArray[np.float64]

LEG_PRICE = 20.0
_FRICTION_SPREAD_MPS2 = 1.5
"""Spread of a leg's acceleration before looking: rolling 0.1, sliding 2 m/s2."""
_LONGEST = 48
REST_SPEED_MPS = 0.010
NUDGE_M = 0.0015
"""Smallest change of a resting place that is taken for a touch; the picture's own shifts,
where they are not wholly removed, stay below."""
_NUDGE_SAMPLES = 8
_SHY_S = 4.0
_SHY_WAY_M = 0.03
_REST_WINDOW_S = 0.5
_REST_WAY_M = 0.0035
_CREEP_M = 0.0006
_LEAST_REST = 20
_MOST_STEPS = 8
"""First sightings of a slow way off that may look like rest."""
_OFF_M = 0.0015
_SAME_WAY = 0.9
_SURELY_MOVED_M = 0.05
"""Way within half a second that no error of measurement makes."""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """What was seen of one ball: `t_s` (N,), `xy_m` (N, 2), `sigma_m` (N,), in order of time.

    `frame` (N,) are the frames' numbers.
    """

    t_s: Floats
    xy_m: Floats
    sigma_m: Floats
    frame: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.t_s)


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


def resting_samples(path: Path) -> NDArray[np.bool_]:
    """(N,) True where the ball stood still: no way made within half a second.

    A sample rests when some half second that contains it shows no more motion than the
    measurement allows.
    """
    n = len(path)
    resting = np.zeros(n, bool)
    t_s, xy_m = path.t_s, path.xy_m
    last = 0
    for first in range(n):
        last = max(last, first)
        while last + 1 < n and t_s[last + 1] - t_s[first] <= _REST_WINDOW_S + 1e-6:
            last += 1
        span = t_s[last] - t_s[first]
        if span < 0.6 * _REST_WINDOW_S or last - first < 4:
            continue
        window = xy_m[first : last + 1]
        if np.abs(window[-1] - window[0]).max() > _SURELY_MOVED_M:
            continue
        noise = float(_median(path.sigma_m[first : last + 1]))
        way = _way(t_s[first : last + 1], window)
        middle = _median(window)
        away = np.sort(np.hypot(*(window - middle).T))
        scatter = float(away[int(0.8 * (len(away) - 1))])
        if way < _REST_WAY_M * span / _REST_WINDOW_S + 0.5 * noise and scatter < 0.004 + noise:
            resting[first : last + 1] = _still(window, middle, noise) | resting[first : last + 1]
    return _without_shying(_extended(_left(_settled(resting, path), path), path), path)


def _settled(resting: NDArray[np.bool_], path: Path) -> NDArray[np.bool_]:
    """Each rest without the last creep before it: a ball that still drifts is no resting one."""
    settled = resting.copy()
    edges = np.flatnonzero(np.diff(np.r_[False, resting, False].astype(int)))
    for first, after in zip(edges[::2], edges[1::2], strict=True):
        if first == 0 or after - first < 8:
            continue
        places = path.xy_m[first:after]
        later = places[min(len(places) // 2, 12) :][:25]
        spot = _median(later)
        jitter = float(_median(np.abs(np.diff(later, axis=0)).max(axis=1)))
        allowed = max(_CREEP_M, 2.5 * jitter)
        at = int(first)
        # Three sightings together, so that one bad one does not end the creep.
        while at + 3 < after and np.hypot(*(_median(path.xy_m[at : at + 3]) - spot)) > allowed:
            settled[at] = False
            at += 1
    return settled


def _left(resting: NDArray[np.bool_], path: Path) -> NDArray[np.bool_]:
    """Each rest without the first steps of the ball's way off: few of them are far from the
    spot, but they lie on the way on, each farther than the one before."""
    left = resting.copy()
    edges = np.flatnonzero(np.diff(np.r_[False, resting, False].astype(int)))
    for first, after in zip(edges[::2], edges[1::2], strict=True):
        if after == len(path) or after - first < _LEAST_REST:
            continue
        stop = int(after)
        spot = _median(path.xy_m[max(first, stop - 24) : stop - _MOST_STEPS])
        beyond = path.xy_m[stop] - spot
        while after - stop < _MOST_STEPS:
            off = path.xy_m[stop - 1] - spot
            way, reach = float(np.hypot(*off)), float(np.hypot(*beyond))
            allowed = _OFF_M + 3.0 * float(path.sigma_m[stop - 1])
            if way < allowed or way > reach or float(off @ beyond) < _SAME_WAY * way * reach:
                break
            stop -= 1
            left[stop], beyond = False, off
    return left


def _without_shying(resting: NDArray[np.bool_], path: Path) -> NDArray[np.bool_]:
    """A ball that is back on its spot after a moment never left it: a cue, a hand or another
    ball passed beside it and pulled the measurement aside."""
    steady = resting.copy()
    edges = np.flatnonzero(np.diff(np.r_[True, resting, True].astype(int)))
    for first, after in zip(edges[::2], edges[1::2], strict=True):
        if first < 4 or after > len(path) - 4:
            continue
        before = np.median(path.xy_m[max(0, first - 12) : first], axis=0)
        behind = np.median(path.xy_m[after : after + 12], axis=0)
        away = np.hypot(*(path.xy_m[first:after] - before).T)
        short = path.t_s[after] - path.t_s[first - 1] < _SHY_S
        if short and np.hypot(*(behind - before)) < NUDGE_M and away.max() < _SHY_WAY_M:
            steady[first:after] = True
    return steady


def _extended(resting: NDArray[np.bool_], path: Path) -> NDArray[np.bool_]:
    """Each rest grown by the samples beside it that lie on the same spot: a ball that is
    struck stands still up to the blow."""
    grown = resting.copy()
    edges = np.flatnonzero(np.diff(np.r_[False, resting, False].astype(int)))
    for first, after in zip(edges[::2], edges[1::2], strict=True):
        for index, step in ((after, 1), (first - 1, -1)):
            near = path.xy_m[max(first, after - 12) : after]
            if step < 0:
                near = path.xy_m[first : min(after, first + 12)]
            spot = np.median(near, axis=0)
            at = int(index)
            while 0 <= at < len(path) and not grown[at]:
                allowed = (0.0012 if step > 0 else _CREEP_M) + 1.5 * path.sigma_m[at] * (step > 0)
                if np.hypot(*(path.xy_m[at] - spot)) > allowed:
                    break
                grown[at] = True
                at += step
    return grown


def _way(t_s: Floats, xy_m: Floats) -> float:
    """Way made from the first third to the last third of a window (medians), metres."""
    third = max(1, len(t_s) // 3)
    return float(np.hypot(*(_median(xy_m[-third:]) - _median(xy_m[:third]))))


def _median(rows: Floats) -> Floats:
    """Median along the first axis; numpy's own takes ten times as long on a few rows."""
    ordered = np.sort(rows, axis=0)
    return np.asarray(0.5 * (ordered[(len(rows) - 1) // 2] + ordered[len(rows) // 2]))


def _still(window: Floats, middle: Floats, noise: float) -> NDArray[np.bool_]:
    return np.asarray(np.hypot(*(window - middle).T) < 0.005 + 2 * noise)


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
