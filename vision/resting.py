"""When a ball stood still, told from its sightings.

Rest is no way made within half a second, beyond what the measurement allows; its ends are
then found sighting by sighting.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.paths import Path

Floats = NDArray[np.float64]

NUDGE_M = 0.0015
"""Smallest change of a resting place that is taken for a touch; the picture's own shifts,
where they are not wholly removed, stay below."""
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
