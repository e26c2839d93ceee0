"""Ten-ball racks: the 1 at the apex on the foot spot, the 10 in the middle (9.2)."""

from __future__ import annotations

import math

import numpy as np

from table.balls import BallName
from table.geometry import Point, TableSpec

_ROWS = ((0,), (1, 2), (3, 4, 5), (6, 7, 8, 9))
_APEX, _MIDDLE = 0, 4


def rack_spots(table: TableSpec, gap_m: float = 0.0) -> list[Point]:
    """The ten places of the rack, apex first, row by row, left to right seen from the head."""
    pitch = table.ball_diameter_m + gap_m
    x0, y0 = table.foot_spot
    spots: list[Point] = []
    for row, places in enumerate(_ROWS):
        for column in range(len(places)):
            x = x0 + row * pitch * math.sqrt(3) / 2
            y = y0 + (row / 2 - column) * pitch
            spots.append((x, y))
    return spots


def ten_ball_rack(
    table: TableSpec, rng: np.random.Generator, gap_m: float = 0.0002
) -> dict[BallName, Point]:
    """A tight rack: 1 at the apex, 10 in the middle, the others at random.

    `gap_m` bounds the random slack of each ball, the size real racks have (0-0.4 mm).
    """
    rest = [str(number) for number in range(2, 10)]
    order = [rest[i] for i in rng.permutation(len(rest))]
    spots = rack_spots(table, gap_m)
    layout: dict[BallName, Point] = {}
    for place, (x, y) in enumerate(spots):
        name = "1" if place == _APEX else "10" if place == _MIDDLE else order.pop()
        slack = rng.uniform(-0.45, 0.45, size=2) * gap_m
        layout[name] = (x + float(slack[0]), y + float(slack[1]))
    return layout
