"""Rails that a ball rolled up to and may have touched too softly to be seen to turn.

A ball that creeps against a rail comes back by a millimetre or not at all: its motion shows
no break. How near it came, against what the map and the place of the nose are known to, is
the probability that it touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from table.balls import BallName
from table.geometry import Cushion, CushionShape, TableSpec
from vision.contacts import Motion, NoseMeeting
from vision.departures import Departure

Floats = NDArray[np.float64]

_NOSE_M: Final = 0.003
"""What the map and a nose's place are off by along a good rail, one standard deviation."""
_AWAY_M: Final = 0.015
"""A ball that was never this far from a rail did not roll up to it."""
_SOFT_MPS: Final = 0.6
"""A ball that comes faster is seen to turn."""
_BEYOND_M: Final = 0.01
"""A ball that goes farther than that flies over the rail."""
_LEAST: Final = 0.12
"""Probability below which a touch is not told."""
_MOST: Final = 0.9
"""Nobody saw it turn."""
_NEAREST_M: Final = 0.001
"""As near as at its nearest, to the noise of the measurement."""


@dataclass(frozen=True, slots=True)
class SoftTouch:
    """A ball came so near to a rail that it may have touched it, with the probability."""

    ball: BallName
    cushion: Cushion
    t_s: float
    dt_s: float
    probability: float


def soft_touches(
    motions: Mapping[BallName, Motion],
    noses: Sequence[NoseMeeting],
    departures: Mapping[BallName, Departure],
    table: TableSpec,
    from_s: float,
    until_s: float,
) -> Iterator[SoftTouch]:
    """The rails that balls came up to between two times, where no contact is known."""
    for name, motion in motions.items():
        path = motion.path
        gone = departures.get(name)
        last_s = until_s if gone is None or not gone.is_gone else min(until_s, gone.t_s)
        rows = slice(*np.searchsorted(path.t_s, (from_s - 1e-6, last_s + 1e-6)))
        times, places, sigma_m = path.t_s[rows], path.xy_m[rows], path.sigma_m[rows]
        for shape in table.cushions.values() if len(times) else ():
            known = [m.t_s for m in noses if m.ball == name and m.cushion is shape.cushion]
            gaps = _gaps_m(shape, places, table.ball_radius_m)
            for start, stop in _visits(gaps):
                ways = slice(start, stop)
                until = float(times[stop]) if stop < len(times) else last_s
                seen = any(times[start - 1] <= t_s <= until for t_s in known)
                speed = (gaps[start - 1] - gaps[start]) / (times[start] - times[start - 1])
                if not seen and speed < _SOFT_MPS:
                    yield from _touch(name, shape, times[ways], gaps[ways], sigma_m[ways])


def _gaps_m(shape: CushionShape, places: Floats, radius_m: float) -> Floats:
    """How far each place is from touching the nose; far away where the nose does not reach."""
    gaps = (places - shape.start) @ np.array(shape.inward) - radius_m
    along = np.array([shape.along_m((float(x), float(y))) for x, y in places])
    return np.asarray(np.where((along >= 0) & (along <= shape.length_m), gaps, np.inf))


def _visits(gaps: Floats) -> Iterator[tuple[int, int]]:
    """First and end row of each stretch near a rail that a ball came to from farther away."""
    near = np.concatenate(([False], gaps < _AWAY_M, [False]))
    edges = np.flatnonzero(near[1:] != near[:-1])
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        if start > 0 and np.isfinite(gaps[start - 1]):
            yield int(start), int(stop)


def _touch(
    name: BallName, shape: CushionShape, times: Floats, gaps: Floats, sigma_m: Floats
) -> Iterator[SoftTouch]:
    nearest = float(gaps.min())
    there = np.flatnonzero(gaps <= nearest + _NEAREST_M)
    # Many sightings of a ball that lies still know its place better than one.
    place_m = float(np.median(gaps[there]))
    sigma = float(np.hypot(_NOSE_M, sigma_m[there].min()))
    probability = min(_MOST, float(norm.cdf(-place_m / sigma)))
    if probability < _LEAST or nearest < -_BEYOND_M:
        return
    first, last = float(times[there[0]]), float(times[min(there[0] + 1, len(times) - 1)])
    yield SoftTouch(name, shape.cushion, first, max(0.02, last - first), probability)
