"""Where balls lie before a shot."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from synthetic.physics.pool_models import hole
from synthetic.shots.draft import Layout
from table.balls import CUE, BallName
from table.geometry import Point, TableSpec

LEAD_S = (1.2, 2.6)
"""Time from the clip's start to the stroke."""


def lead_s(rng: np.random.Generator) -> float:
    """A time for the stroke."""
    return float(rng.uniform(*LEAD_S))


def object_balls(rng: np.random.Generator, least: int = 2, most: int = 8) -> list[BallName]:
    """The balls of a rack in play: the ten is among them, the lowest is any."""
    count = int(rng.integers(least, most + 1))
    others = [str(n) for n in rng.permutation(np.arange(1, 10))[: max(count - 1, 0)]]
    return sorted([*others, "10"], key=int)


def free_point(
    rng: np.random.Generator, table: TableSpec, layout: Layout, margin_m: float = 0.02
) -> Point:
    """A place on the bed for a ball, clear of other balls and of the pockets' mouths."""
    a = table.length_m / 2 - table.ball_radius_m - margin_m
    b = table.width_m / 2 - table.ball_radius_m - margin_m
    while True:
        point = (float(rng.uniform(-a, a)), float(rng.uniform(-b, b)))
        if is_free(table, point, layout):
            return point


def is_free(table: TableSpec, point: Point, layout: Layout, gap_m: float = 0.004) -> bool:
    """True when a ball at `point` touches no other ball and does not fall."""
    least = table.ball_diameter_m + gap_m
    if any(math.dist(point, other) < least for other in layout.values()):
        return False
    return over_bed(table, point)


def over_bed(table: TableSpec, point: Point) -> bool:
    """True when a ball at `point` lies on the bed: inside the noses, outside the holes."""
    r = table.ball_radius_m
    if abs(point[0]) > table.length_m / 2 - r or abs(point[1]) > table.width_m / 2 - r:
        return False
    for pocket in table.pockets:
        center, radius = hole(table, pocket)
        if math.dist(point, (float(center[0]), float(center[1]))) < radius + 0.012:
            return False
    return True


def scatter(
    rng: np.random.Generator, table: TableSpec, names: Sequence[BallName], layout: Layout
) -> Layout:
    """`layout` with further balls at free places."""
    full = dict(layout)
    for name in names:
        if name not in full:
            full[name] = free_point(rng, table, full)
    return full


def open_table(rng: np.random.Generator, table: TableSpec, least: int = 2, most: int = 8) -> Layout:
    """Cue ball and object balls anywhere."""
    return scatter(rng, table, [CUE, *object_balls(rng, least, most)], {})
