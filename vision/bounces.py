"""A bounce between a known point and a known leg: the nose is met where the leg leads back to it.

Between two sightings a ball may have gone to a nose and come back. Of one side only a point is
known (the last sighting, or the place of a contact); the other side's leg gives the moment at
the nose, and the straight way between point and nose the speed into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.geometry import CushionShape, TableSpec
from vision.legs import Leg

Floats = NDArray[np.float64]

_LEAST_MPS: Final = 0.05
_TOP_MPS: Final = 13.0
_LEAST_GAIN: Final = 0.15
_MOST_GAIN: Final = 1.15
_MOST_ALONG: Final = 0.6
"""Most change along the nose as a share of the change into it (friction, spin)."""
_SLOW_MPS: Final = 0.15
_NOSE_M: Final = 0.004
_GRID: Final = 41


@dataclass(frozen=True, slots=True)
class Bounce:
    """A touch of a nose at `t_s` with the velocity (2,) that led into it, or away from it."""

    shape: CushionShape
    t_s: float
    dt_s: float
    way_mps: Floats
    """Velocity between the known point and the nose."""
    way_sigma_mps: float


def bounce_from(
    place: Floats, t_s: float, after: Leg, until_s: float, table: TableSpec
) -> Bounce | None:
    """The nose that a ball met on its way from `place` at `t_s` to the leg `after`."""
    times = np.linspace(t_s, until_s, _GRID)[1:]
    return _best(place, t_s, after, times, table, forward=True)


def bounce_to(
    before: Leg, from_s: float, place: Floats, t_s: float, table: TableSpec
) -> Bounce | None:
    """The nose that a ball met on its way from the leg `before` to `place` at `t_s`."""
    times = np.linspace(from_s, t_s, _GRID)[:-1]
    return _best(place, t_s, before, times, table, forward=False)


def _best(
    place: Floats, t_s: float, leg: Leg, times: Floats, table: TableSpec, *, forward: bool
) -> Bounce | None:
    if not len(times) or times[-1] - times[0] < 1e-6:
        return None
    ways = leg.positions(times)
    found = [
        bounce
        for shape in table.cushions.values()
        if (bounce := _bounce(place, t_s, leg, times, ways, shape, table, forward)) is not None
    ]
    return min(found, key=lambda b: abs(b.t_s - t_s), default=None)


def _bounce(
    place: Floats,
    t_s: float,
    leg: Leg,
    times: Floats,
    ways: Floats,
    shape: CushionShape,
    table: TableSpec,
    forward: bool,
) -> Bounce | None:
    normal, start = np.array(shape.inward), np.array(shape.start)
    gaps = (ways - start) @ normal - table.ball_radius_m
    own_gap = float((place - start) @ normal) - table.ball_radius_m
    at = int(np.abs(gaps).argmin())
    sigma = float(np.hypot(leg.sigma_m(float(times[at])), _NOSE_M))
    if abs(float(gaps[at])) > 2.5 * sigma or own_gap < -2.5 * _NOSE_M:
        return None
    meets_s = float(times[at])
    spot = ways[at]
    along = shape.along_m((float(spot[0]), float(spot[1])))
    # Beyond its end the nose goes on as a jaw, for about half a mouth.
    beyond = 0.5 * table.corner_mouth_m if table.has_pockets else 0.0
    if not -beyond <= along <= shape.length_m + beyond or abs(meets_s - t_s) < 1e-4:
        return None
    way = (spot - place) / (meets_s - t_s)
    own = leg.velocity(meets_s)
    into, out = (way, own) if forward else (own, way)
    if not _is_rebound(into, out, normal):
        return None
    speed = max(_LEAST_MPS, abs(float(own @ normal)))
    dt_s = max(1e-3, sigma / speed)
    loose = sigma / abs(meets_s - t_s) + float(np.hypot(*way)) * min(1.0, dt_s / abs(meets_s - t_s))
    return Bounce(shape, meets_s, dt_s, way, loose)


def _is_rebound(into: Floats, out: Floats, normal: Floats) -> bool:
    """True when `out` (2,) m/s is what a nose makes of `into`."""
    toward, away = -float(into @ normal), float(out @ normal)
    if toward < _LEAST_MPS or away < 0.02 or float(np.hypot(*into)) > _TOP_MPS:
        return False
    if not _LEAST_GAIN * toward - _SLOW_MPS < away < _MOST_GAIN * toward + _SLOW_MPS:
        return False
    kick = out - into
    along = abs(float(kick @ np.array((-normal[1], normal[0]))))
    return along < _MOST_ALONG * (toward + away) + _SLOW_MPS
