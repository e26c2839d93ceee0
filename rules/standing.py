"""What the resting balls show before anybody strikes: a rack, or play under way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from table.balls import CUE, BallName
from table.geometry import NINE_FOOT, Point, TableSpec

RACK_BALLS: Final = 6
"""Fewer object balls than this never count as racked."""
TOUCHING_M: Final = 0.008
"""Racked balls lie no farther apart than this, by the camera's measure."""
APEX_M: Final = 0.03
"""The apex ball stands on the foot spot to within this."""


def racked_end(balls: Mapping[BallName, Point], table: TableSpec = NINE_FOOT) -> int:
    """1 when the object balls stand racked at the foot spot, -1 at the other end, 0 when not.

    Racked (9.2): all of them touch in one cluster whose apex is on the foot spot. A table
    whose head end was assumed the wrong way round shows its rack at the other end.
    """
    points = [point for name, point in balls.items() if name != CUE]
    if len(points) < RACK_BALLS:
        return 0
    for end in (1, -1):
        turned = [(end * x, end * y) for x, y in points]
        apex = min(turned)
        if math.dist(apex, table.foot_spot) <= APEX_M and _is_one_cluster(turned, table):
            return end
    return 0


def _is_one_cluster(points: list[Point], table: TableSpec) -> bool:
    reach_m = table.ball_diameter_m + TOUCHING_M
    found, rest = [points[0]], points[1:]
    for point in found:
        near = [other for other in rest if math.dist(point, other) <= reach_m]
        found.extend(near)
        rest = [other for other in rest if other not in near]
    return not rest
