"""Pocket jaws that a ball must have touched, or may have, on its last way into a pocket.

Between the jaw and the fall there is hardly a frame: whether the ball brushed the jaw follows
from how its way in passes the rounded end of the nose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.stats import norm

from table.balls import BallName
from table.geometry import Cushion, CushionShape, PocketShape, Point, TableSpec
from vision.contacts import Motion
from vision.departures import Departure
from vision.legs import Leg

_CORNER_ROUND_M: Final = 0.02
_SIDE_ROUND_M: Final = 0.008
"""Usual radii of the noses' ends (pooltool's table, from measured ones)."""
_KNOWN_M: Final = 0.004
"""What the place and the rounding of a nose's end differ by from table to table."""
_LEAST: Final = 0.15
"""Probability below which a touch is not told."""
_SURE: Final = 0.98
_WAY_S: Final = 0.4


@dataclass(frozen=True, slots=True)
class JawTouch:
    """A ball brushed the jaw beside a pocket, with the probability that it did."""

    ball: BallName
    cushion: Cushion
    t_s: float
    dt_s: float
    probability: float


def jaw_touches(
    motions: Mapping[BallName, Motion], departures: Mapping[BallName, Departure], table: TableSpec
) -> list[JawTouch]:
    """The jaws that pocketed balls touched just before they fell, as far as can be told."""
    found = []
    for name, departure in departures.items():
        if departure.kind != "pocketed" or departure.pocket is None or name not in motions:
            continue
        leg = _last_way(motions[name], departure.t_s)
        if leg is None:
            continue
        shape = table.pockets[departure.pocket]
        start_s = motions[name].start_of(leg)
        touches = [
            touch
            for cushion, end in _ends(shape, table)
            if (touch := _touch(name, leg, start_s, departure, shape, cushion, end, table))
        ]
        if touches:
            found.append(max(touches, key=lambda touch: touch.probability))
    return found


def _last_way(motion: Motion, fall_s: float) -> Leg | None:
    """The last leg before the fall that was seen twice or more."""
    legs = [
        leg
        for leg in motion.legs
        if not leg.at_rest and leg.last > leg.first and motion.end_of(leg) <= fall_s + 1e-3
    ]
    return legs[-1] if legs and fall_s - motion.end_of(legs[-1]) < _WAY_S else None


def _ends(shape: PocketShape, table: TableSpec) -> Iterator[tuple[CushionShape, Point]]:
    """The two noses beside a pocket with their ends there."""
    for cushion in table.cushions.values():
        for end in (cushion.start, cushion.end):
            if end in (shape.jaw_a, shape.jaw_b):
                yield cushion, end


def _touch(
    name: BallName,
    leg: Leg,
    start_s: float,
    departure: Departure,
    shape: PocketShape,
    cushion: CushionShape,
    end: Point,
    table: TableSpec,
) -> JawTouch | None:
    rounding = _SIDE_ROUND_M if shape.pocket.is_side else _CORNER_ROUND_M
    center = np.array(end) - rounding * np.array(cushion.inward)
    times = np.linspace(start_s, departure.t_s + 2 * departure.dt_s, 121)
    ways = leg.positions(times)
    clear = np.hypot(*(ways - center).T) - rounding - table.ball_radius_m
    at = int(clear.argmin())
    sigma = float(np.hypot(leg.sigma_m(float(times[at])), _KNOWN_M))
    probability = min(_SURE, float(norm.cdf(-float(clear[at]) / sigma)))
    if probability < _LEAST:
        return None
    meets = np.flatnonzero(clear <= 0)
    t_s = min(float(times[int(meets[0]) if len(meets) else at]), departure.t_s)
    return JawTouch(name, cushion.cushion, t_s, departure.dt_s, probability)
