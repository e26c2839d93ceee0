"""Where a ray meets the table: bed, cushions, rails, pockets, apron, floor.

All in the table frame; a ray is origin o and unit direction d with d.z < 0. The table is
described by `shape` (see `synthetic.scene.furniture.shape_array`) and `holes` (6, 5): centre
x, y, radius, outward x, y. A hit is (t, surface, nx, ny, nz, u, e).
"""

from __future__ import annotations

import math

from synthetic.jit import compiled
from synthetic.physics.motion import Array

FAR = 1.0e9

# Surfaces.
NOTHING, BED, CUSHION, CUSHION_FACE, FACING, RAIL, RIM, LINER, HOLE_FLOOR, APRON, FLOOR = range(11)

# Places of the measures in `shape`.
(
    HALF_L,
    HALF_W,
    NOSE_Z,
    RAIL_Z,
    CUSHION_M,
    RAIL_M,
    CORNER_M,
    SIDE_M,
    CORNER_TAN,
    SIDE_TAN,
    UNDERCUT,
    OUTER_R,
    FLOOR_Z,
    HOLE_Z,
    RIM_M,
    CORNER_TIP_R,
    SIDE_TIP_R,
) = range(17)

Hit = tuple[float, int, float, float, float, float, float]


@compiled
def _in_tip(gap: float, e: float, tan: float, radius: float) -> bool:
    """False where the rounded tip of a jaw has been cut off.

    `gap` is the distance along the nose from the sharp tip, positive on the cushion.
    """
    angle = math.atan(tan)
    start = radius * math.tan((math.pi / 2 - angle) / 2)
    if gap >= start or e * math.cos(angle) - gap * math.sin(angle) >= start:
        return True
    return (gap - start) ** 2 + (e - radius) ** 2 <= radius * radius


@compiled
def in_cushion(u: float, e: float, is_end: bool, shape: Array) -> bool:
    """True when (u along the nose, e outward from it) lies on a cushion's top."""
    if e < 0.0 or e > shape[CUSHION_M]:
        return False
    au = abs(u)
    half = shape[HALF_W] if is_end else shape[HALF_L]
    tip = half - shape[CORNER_M]
    if au > tip + e * shape[CORNER_TAN]:
        return False
    if not _in_tip(tip - au, e, shape[CORNER_TAN], shape[CORNER_TIP_R]):
        return False
    if is_end:
        return True
    if au < shape[SIDE_M] - e * shape[SIDE_TAN]:
        return False
    return _in_tip(au - shape[SIDE_M], e, shape[SIDE_TAN], shape[SIDE_TIP_R])


@compiled
def _cushion(
    ou: float,
    oe: float,
    oz: float,
    du: float,
    de: float,
    dz: float,
    is_end: bool,
    shape: Array,
    best: float,
) -> Hit:
    """The nearest hit with one side's cushions, in that side's (u, e, z); normal as (u, e, z)."""
    hit = (best, NOTHING, 0.0, 0.0, 0.0, 0.0, 0.0)
    slope = (shape[RAIL_Z] - shape[NOSE_Z]) / shape[CUSHION_M]
    t = (shape[NOSE_Z] + slope * oe - oz) / (dz - slope * de)
    if 0.0 < t < hit[0]:
        u, e = ou + t * du, oe + t * de
        if in_cushion(u, e, is_end, shape):
            length = math.sqrt(1.0 + slope * slope)
            hit = (t, CUSHION, 0.0, -slope / length, 1.0 / length, u, e)
    cut = shape[UNDERCUT] / shape[NOSE_Z]
    t = (shape[UNDERCUT] - cut * oz - oe) / (de + cut * dz)
    if 0.0 < t < hit[0]:
        u, e, z = ou + t * du, oe + t * de, oz + t * dz
        if 0.0 < z < shape[NOSE_Z] and in_cushion(u, 0.0, is_end, shape):
            length = math.sqrt(1.0 + cut * cut)
            hit = (t, CUSHION_FACE, 0.0, -1.0 / length, -cut / length, u, z)
    half = shape[HALF_W] if is_end else shape[HALF_L]
    tip = half - shape[CORNER_M]
    hit = _facings(ou, oe, oz, du, de, dz, tip, shape[CORNER_TAN], shape, hit)
    if not is_end:
        hit = _facings(ou, oe, oz, du, de, dz, shape[SIDE_M], -shape[SIDE_TAN], shape, hit)
    return hit


@compiled
def _facings(
    ou: float,
    oe: float,
    oz: float,
    du: float,
    de: float,
    dz: float,
    tip: float,
    tan: float,
    shape: Array,
    hit: Hit,
) -> Hit:
    """Vertical faces of the jaws at u = +-(tip + e tan)."""
    for sign in (-1.0, 1.0):
        below = sign * du - tan * de
        if abs(below) < 1e-12:
            continue
        t = (tip + tan * oe - sign * ou) / below
        if not 0.0 < t < hit[0]:
            continue
        e, z = oe + t * de, oz + t * dz
        if 0.004 < e < shape[CUSHION_M] + 0.02 and 0.0 < z < shape[RAIL_Z]:
            length = math.sqrt(1.0 + tan * tan)
            hit = (t, FACING, sign / length, -tan / length, 0.0, e, z)
    return hit


@compiled
def hole_at(x: float, y: float, grow: float, holes: Array) -> int:
    """Index of the hole that contains (x, y), grown by `grow`; -1 for none."""
    for i in range(holes.shape[0]):
        dx, dy = x - holes[i, 0], y - holes[i, 1]
        r = holes[i, 2] + grow
        if dx * dx + dy * dy < r * r:
            return i
    return -1


@compiled
def _in_outline(x: float, y: float, shape: Array) -> bool:
    a, b = shape[HALF_L] + shape[RAIL_M], shape[HALF_W] + shape[RAIL_M]
    r = shape[OUTER_R]
    dx, dy = max(abs(x) - (a - r), 0.0), max(abs(y) - (b - r), 0.0)
    return bool(dx * dx + dy * dy <= r * r)


@compiled
def _throat(x: float, y: float, holes: Array) -> bool:
    """True over the way from the table into a hole, where the rail is cut away."""
    for i in range(holes.shape[0]):
        dx, dy = x - holes[i, 0], y - holes[i, 1]
        along = dx * holes[i, 3] + dy * holes[i, 4]
        across = abs(dx * holes[i, 4] - dy * holes[i, 3])
        if -0.09 < along < 0.0 and across < holes[i, 2]:
            return True
    return False


@compiled
def table_hit(
    ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, shape: Array, holes: Array
) -> Hit:
    """The nearest surface of table or floor along a ray."""
    best = (FAR, NOTHING, 0.0, 0.0, 1.0, 0.0, 0.0)
    # Far from all edges the answer is plain, whatever the rails look like.
    t = -oz / dz
    x, y = ox + t * dx, oy + t * dy
    beyond = max(abs(x) - shape[HALF_L], abs(y) - shape[HALF_W])
    if beyond < -0.1:
        return (t, BED, 0.0, 0.0, 1.0, x, y)
    if beyond > shape[RAIL_M] + 0.15:
        return _outside(ox, oy, oz, dx, dy, dz, shape)
    # Rail tops.
    t = (shape[RAIL_Z] - oz) / dz
    x, y = ox + t * dx, oy + t * dy
    beyond = max(abs(x) - shape[HALF_L], abs(y) - shape[HALF_W])
    if (
        t > 0.0
        and beyond > shape[CUSHION_M]
        and _in_outline(x, y, shape)
        and not _throat(x, y, holes)
        and hole_at(x, y, 0.0, holes) < 0
    ):
        surface = RIM if hole_at(x, y, shape[RIM_M], holes) >= 0 else RAIL
        return (t, surface, 0.0, 0.0, 1.0, x, y)
    a, b = shape[HALF_L], shape[HALF_W]
    for side in range(4):
        if side == 0:
            h = _cushion(oy, ox - a, oz, dy, dx, dz, True, shape, best[0])
        elif side == 1:
            h = _cushion(oy, -ox - a, oz, dy, -dx, dz, True, shape, best[0])
        elif side == 2:
            h = _cushion(ox, oy - b, oz, dx, dy, dz, False, shape, best[0])
        else:
            h = _cushion(ox, -oy - b, oz, dx, -dy, dz, False, shape, best[0])
        if h[1] != NOTHING:
            if side == 0:
                nx, ny = h[3], h[2]
            elif side == 1:
                nx, ny = -h[3], h[2]
            elif side == 2:
                nx, ny = h[2], h[3]
            else:
                nx, ny = h[2], -h[3]
            best = (h[0], h[1], nx, ny, h[4], h[5], h[6])
    best = _holes(ox, oy, oz, dx, dy, dz, shape, holes, best)
    t = -oz / dz
    if t < best[0]:
        x, y = ox + t * dx, oy + t * dy
        beyond = max(abs(x) - a, abs(y) - b)
        if beyond < shape[CUSHION_M] + 0.05 and hole_at(x, y, 0.0, holes) < 0:
            return (t, BED, 0.0, 0.0, 1.0, x, y)
    if best[1] != NOTHING:
        return best
    return _outside(ox, oy, oz, dx, dy, dz, shape)


@compiled
def _holes(
    ox: float,
    oy: float,
    oz: float,
    dx: float,
    dy: float,
    dz: float,
    shape: Array,
    holes: Array,
    best: Hit,
) -> Hit:
    t0 = -oz / dz
    bx, by = ox + t0 * dx, oy + t0 * dy
    for i in range(holes.shape[0]):
        cx, cy, r = holes[i, 0], holes[i, 1], holes[i, 2]
        if (bx - cx) ** 2 + (by - cy) ** 2 > (r + 0.15) ** 2:
            continue
        px, py = ox - cx, oy - cy
        qa = dx * dx + dy * dy
        qb = px * dx + py * dy
        qc = px * px + py * py - r * r
        disc = qb * qb - qa * qc
        if qa < 1e-12 or disc < 0.0:
            t_wall = FAR if qc < 0.0 else -1.0
        else:
            t_wall = (-qb + math.sqrt(disc)) / qa
        if t_wall <= 0.0:
            continue
        z = oz + t_wall * dz
        if z > shape[RAIL_Z]:
            continue
        if z < shape[HOLE_Z]:
            t = (shape[HOLE_Z] - oz) / dz
            if t < best[0]:
                best = (t, HOLE_FLOOR, 0.0, 0.0, 1.0, ox + t * dx - cx, oy + t * dy - cy)
            continue
        nx, ny = (ox + t_wall * dx - cx) / r, (oy + t_wall * dy - cy) / r
        outward = nx * holes[i, 3] + ny * holes[i, 4]
        if t_wall < best[0] and (z < 0.0 or outward > -0.2):
            best = (t_wall, LINER, -nx, -ny, 0.0, math.atan2(ny, nx), z)
    return best


@compiled
def _outside(ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, shape: Array) -> Hit:
    a, b = shape[HALF_L] + shape[RAIL_M], shape[HALF_W] + shape[RAIL_M]
    best = (FAR, NOTHING, 0.0, 0.0, 1.0, 0.0, 0.0)
    for axis in range(2):
        for sign in (-1.0, 1.0):
            o, d, half = (ox, dx, a) if axis == 0 else (oy, dy, b)
            if sign * d >= 0.0:
                continue
            t = (sign * half - o) / d
            if not 0.0 < t < best[0]:
                continue
            z = oz + t * dz
            other = oy + t * dy if axis == 0 else ox + t * dx
            limit = (b if axis == 0 else a) - 0.3 * shape[OUTER_R]
            if -0.28 < z < shape[RAIL_Z] and abs(other) < limit:
                nx, ny = (sign, 0.0) if axis == 0 else (0.0, sign)
                best = (t, APRON, nx, ny, 0.0, other, z)
    t = (shape[FLOOR_Z] - oz) / dz
    if t < best[0]:
        best = (t, FLOOR, 0.0, 0.0, 1.0, ox + t * dx, oy + t * dy)
    return best
