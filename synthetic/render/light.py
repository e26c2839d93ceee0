"""Light on a point: panels, soft shadows, ambient light and its occlusion.

Occluders are round cones (a ball is one of no length): arrays (N, 8) of ax, ay, az, ra,
bx, by, bz, rb. A panel's penumbra is that of a disc of the panel's mean half size.
"""

from __future__ import annotations

import math

from synthetic.jit import compiled
from synthetic.physics.motion import Array, IntArray
from synthetic.render.noise import smoothstep

Rgb = tuple[float, float, float]


@compiled
def axis_distance(
    px: float, py: float, pz: float, qx: float, qy: float, qz: float, cone: Array
) -> tuple[float, float, float]:
    """Closest approach of segment PQ to a cone's axis: distance, place on PQ, place on axis."""
    ax, ay, az = cone[0], cone[1], cone[2]
    ux, uy, uz = qx - px, qy - py, qz - pz
    vx, vy, vz = cone[4] - ax, cone[5] - ay, cone[6] - az
    wx, wy, wz = px - ax, py - ay, pz - az
    a = ux * ux + uy * uy + uz * uz
    b = ux * vx + uy * vy + uz * vz
    c = vx * vx + vy * vy + vz * vz
    d = ux * wx + uy * wy + uz * wz
    e = vx * wx + vy * wy + vz * wz
    if c < 1e-12:
        s, t = min(max(-d / a, 0.0), 1.0), 0.0
    else:
        den = a * c - b * b
        s = min(max((b * e - c * d) / den, 0.0), 1.0) if den > 1e-12 else 0.0
        t = min(max((b * s + e) / c, 0.0), 1.0)
        s = min(max((b * t - d) / a, 0.0), 1.0)
    gx, gy, gz = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
    return math.sqrt(gx * gx + gy * gy + gz * gz), s, t


@compiled
def shadow(
    px: float,
    py: float,
    pz: float,
    panel: Array,
    cones: Array,
    near: IntArray,
    count: int,
    skip: int,
) -> float:
    """Share of a panel's light that reaches P past the occluders `near[:count]`."""
    light = 1.0
    size = 0.5 * (panel[3] + panel[4])
    for k in range(count):
        i = near[k]
        if i == skip:
            continue
        away, s, t = axis_distance(px, py, pz, panel[0], panel[1], panel[2], cones[i])
        radius = cones[i, 3] + t * (cones[i, 7] - cones[i, 3])
        if s <= 1e-4:
            continue
        soft = size * s / max(1.0 - s, 0.05) * 1.0 + 1e-4
        if away >= radius + soft:
            continue
        covered = min(1.0, (radius / soft) ** 2 if cones[i, 0] == cones[i, 4] else radius / soft)
        light *= 1.0 - covered * (1.0 - smoothstep(radius - soft, radius + soft, away))
        if light < 0.01:
            return 0.0
    return light


@compiled
def openness(
    px: float,
    py: float,
    pz: float,
    nx: float,
    ny: float,
    nz: float,
    cones: Array,
    near: IntArray,
    count: int,
    skip: int,
) -> float:
    """Share of the ambient light that reaches P (sphere occlusion: Quilez, 2007)."""
    free = 1.0
    for k in range(count):
        i = near[k]
        if i == skip:
            continue
        _, _, t = axis_distance(
            px, py, pz, px + nx * 1e-3, py + ny * 1e-3, pz + nz * 1e-3, cones[i]
        )
        cx = cones[i, 0] + t * (cones[i, 4] - cones[i, 0]) - px
        cy = cones[i, 1] + t * (cones[i, 5] - cones[i, 1]) - py
        cz = cones[i, 2] + t * (cones[i, 6] - cones[i, 2]) - pz
        radius = cones[i, 3] + t * (cones[i, 7] - cones[i, 3])
        d2 = cx * cx + cy * cy + cz * cz
        if d2 < 1e-9 or d2 > 100.0 * radius * radius:
            continue
        facing = (cx * nx + cy * ny + cz * nz) / math.sqrt(d2)
        free *= 1.0 - min(max(facing, 0.0) * radius * radius / d2, 0.95)
    return free


@compiled
def panel_light(
    px: float, py: float, pz: float, nx: float, ny: float, nz: float, panel: Array
) -> float:
    """Strength of one panel's light on a surface, before its colour and shadows."""
    dx, dy, dz = panel[0] - px, panel[1] - py, panel[2] - pz
    r2 = dx * dx + dy * dy + dz * dz
    r = math.sqrt(r2)
    on = (dx * nx + dy * ny + dz * nz) / r
    if on <= 0.0 or dz <= 0.0:
        return 0.0
    return float(on * (dz / r) / r2)


@compiled
def nose_shadow(px: float, py: float, pz: float, panel: Array, shape: Array) -> float:
    """Light past the cushions' noses onto the bed (HALF_L, HALF_W, NOSE_Z of `shape`)."""
    dz = panel[2] - pz
    rise = shape[2] - pz
    if rise <= 0.0 or dz <= rise:
        return 1.0
    k = rise / dz
    soft = 0.5 * (panel[3] + panel[4]) * k + 0.001
    ex = abs(px + (panel[0] - px) * k) - shape[0]
    ey = abs(py + (panel[1] - py) * k) - shape[1]
    return (1.0 - smoothstep(-soft, soft, ex)) * (1.0 - smoothstep(-soft, soft, ey))


@compiled
def mirrored_light(
    px: float,
    py: float,
    pz: float,
    rx: float,
    ry: float,
    rz: float,
    panels: Array,
    blur: float,
    ceiling: float,
) -> Rgb:
    """Radiance seen in the mirror direction r from P: panels with soft edges, or ceiling."""
    red = green = blue = ceiling
    if rz <= 0.02:
        return red, green, blue
    for j in range(panels.shape[0]):
        t = (panels[j, 2] - pz) / rz
        if t <= 0.0:
            continue
        dx = abs(px + t * rx - panels[j, 0]) - panels[j, 3]
        dy = abs(py + t * ry - panels[j, 1]) - panels[j, 4]
        edge = blur * t + 0.004
        part = (1.0 - smoothstep(-edge, edge, dx)) * (1.0 - smoothstep(-edge, edge, dy))
        if part > 0.0:
            # A rough mirror spreads the panel's light over the panel and its soft edge.
            spread = panels[j, 3] * panels[j, 4] / ((panels[j, 3] + edge) * (panels[j, 4] + edge))
            scale = part * spread * panels[j, 8]
            red += scale * panels[j, 5]
            green += scale * panels[j, 6]
            blue += scale * panels[j, 7]
    return red, green, blue
