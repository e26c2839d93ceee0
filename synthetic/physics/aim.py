"""Where to aim: ghost balls, mirrored pockets and mirrored targets.

All points are ball centres in the table frame; a ball struck full at its ghost-ball place
leaves along the line of centres (throw neglected: a plan is tried until it works).
"""

from __future__ import annotations

import math

import numpy as np

from table.balls import BallName
from table.geometry import Cushion, Pocket, Point, TableSpec


def direction(start: Point, end: Point) -> float:
    """Direction from one point to another, radians from +x."""
    return math.atan2(end[1] - start[1], end[0] - start[0])


def toward(start: Point, angle_rad: float, distance_m: float) -> Point:
    """The point at a distance in a direction."""
    return (
        start[0] + distance_m * math.cos(angle_rad),
        start[1] + distance_m * math.sin(angle_rad),
    )


def ghost_ball(table: TableSpec, object_ball: Point, target: Point) -> Point:
    """Where the striking ball's centre must be to send `object_ball` at `target`."""
    return toward(object_ball, direction(target, object_ball), table.ball_diameter_m)


def pocket_target(table: TableSpec, pocket: Pocket) -> Point:
    """Where to send a ball's centre so that it falls: just inside the mouth."""
    shape = table.pockets[pocket]
    (mx, my), (ox, oy) = shape.mouth_center, shape.outward
    inside = 0.02 if pocket.is_side else 0.0
    return (mx + inside * ox, my + inside * oy)


def cut_angle(cue: Point, object_ball: Point, target: Point) -> float:
    """Angle between the cue ball's way and the object ball's, radians, 0 = full."""
    a = direction(cue, object_ball)
    b = direction(object_ball, target)
    return abs(math.remainder(a - b, math.tau))


def mirrored(table: TableSpec, point: Point, cushion: Cushion) -> Point:
    """The mirror image of a ball centre across the line where centres turn at a cushion."""
    shape = table.cushions[cushion]
    (ix, iy), radius = shape.inward, table.ball_radius_m
    distance = shape.distance_m(point) - radius
    return (point[0] - 2 * distance * ix, point[1] - 2 * distance * iy)


def is_clear(
    table: TableSpec,
    start: Point,
    end: Point,
    layout: dict[BallName, Point],
    ignore: tuple[BallName, ...] = (),
    margin_m: float = 0.004,
) -> bool:
    """True when a ball can travel from start to end without touching another ball."""
    a, b = np.array(start), np.array(end)
    way = b - a
    length = float(np.linalg.norm(way))
    if length == 0.0:
        return True
    for name, point in layout.items():
        if name in ignore:
            continue
        along = float(np.clip((np.array(point) - a) @ way / length**2, 0.0, 1.0))
        if float(np.linalg.norm(a + along * way - np.array(point))) < (
            table.ball_diameter_m + margin_m
        ):
            return False
    return True
