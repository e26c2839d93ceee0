"""What a rack tells about its balls: the 1 stands at the apex, the money ball in the middle.

Ten-ball: a triangle, the 10 in its middle (9.2 of the WPA rules of play); nine-ball: a
diamond, the 9 in its middle (2.2). A hint for `assign_names`, never more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.balls import BallName
from table.geometry import Point, TableSpec

_TOUCHING = 1.25
"""Balls nearer than this many diameters stand in one rack."""
_MONEY_BALL: Final[Mapping[int, BallName]] = {9: "9", 10: "10"}
_SURE: Final = 0.98


def rack_priors(
    centers_m: Sequence[Point], table: TableSpec
) -> list[Mapping[BallName, float] | None]:
    """For each resting ball what its place in a rack says, as `priors` of `assign_names`.

    `centers_m` are in the table frame. All None when no nine or ten balls stand racked at a
    foot spot (of either end, because the head end may not be known yet).
    """
    priors: list[Mapping[BallName, float] | None] = [None] * len(centers_m)
    points = np.array(centers_m, np.float64).reshape(-1, 2)
    for members in _clusters(points, 2.0 * table.ball_radius_m * _TOUCHING):
        if len(members) not in _MONEY_BALL:
            continue
        apex = _apex(points, members, table)
        middle = _middle(points, members, table.ball_radius_m)
        if apex is not None and middle is not None and apex != middle:
            priors[apex] = {"1": _SURE}
            priors[middle] = {_MONEY_BALL[len(members)]: _SURE}
    return priors


def _clusters(points: NDArray[np.float64], reach_m: float) -> list[list[int]]:
    """Groups of points that hang together by steps of at most `reach_m`."""
    left = set(range(len(points)))
    groups: list[list[int]] = []
    while left:
        group = [left.pop()]
        for index in group:
            apart = np.hypot(*(points - points[index]).T)
            near = [other for other in sorted(left) if apart[other] <= reach_m]
            left.difference_update(near)
            group.extend(near)
        groups.append(group)
    return groups


def _apex(points: NDArray[np.float64], members: list[int], table: TableSpec) -> int | None:
    """The racked ball on a foot spot, the nearest of the rack to the table's middle."""
    apex = min(members, key=lambda index: abs(float(points[index, 0])))
    spot_x, spot_y = table.foot_spot
    away = np.hypot(abs(points[apex, 0]) - spot_x, points[apex, 1] - spot_y)
    return apex if away < table.ball_radius_m else None


def _middle(points: NDArray[np.float64], members: list[int], radius_m: float) -> int | None:
    """The racked ball at the rack's centroid."""
    apart = np.hypot(*(points[members] - points[members].mean(axis=0)).T)
    nearest = int(np.argmin(apart))
    return members[nearest] if float(apart[nearest]) < 0.5 * radius_m else None
