"""Which solids matter where: the picture in tiles, capsules around what moves.

Only tiles near something that changed are painted again. A capsule is x0, y0, x1, y1, r in
pixels; capsules (N, 2 + P, 5) say for each solid where it may be seen, where it shades the
ambient light, and where its shadows of the P panels may fall.
"""

from __future__ import annotations

import math

from synthetic.jit import compiled
from synthetic.physics.motion import Array, Floats, IntArray
from synthetic.render.light import panel_light, shadow

TILE = 16
NODES = 5
"""Soft shadows are computed at NODES x NODES places of a tile."""


@compiled
def capsule_distance(x: float, y: float, capsule: Array) -> float:
    """Distance of a pixel from a capsule x0, y0, x1, y1, r; negative inside."""
    ux, uy = capsule[2] - capsule[0], capsule[3] - capsule[1]
    wx, wy = x - capsule[0], y - capsule[1]
    length = ux * ux + uy * uy
    t = min(max((wx * ux + wy * uy) / length, 0.0), 1.0) if length > 1e-9 else 0.0
    gx, gy = wx - t * ux, wy - t * uy
    return float(math.sqrt(gx * gx + gy * gy) - capsule[4])


@compiled
def mark_tiles(capsules: Array, changed: IntArray, dirty: IntArray) -> None:
    """Set dirty (rows, columns) to 1 where a capsule (N, M, 5) of a changed solid lies."""
    rows, columns = dirty.shape
    reach = 0.7072 * TILE
    for i in range(capsules.shape[0]):
        if changed[i] == 0:
            continue
        for m in range(capsules.shape[1]):
            c = capsules[i, m]
            r = c[4] + reach - 0.5 * TILE
            top = max(int((min(c[1], c[3]) - r) // TILE), 0)
            bottom = min(int((max(c[1], c[3]) + r) // TILE), rows - 1)
            left = max(int((min(c[0], c[2]) - r) // TILE), 0)
            right = min(int((max(c[0], c[2]) + r) // TILE), columns - 1)
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    x, y = (column + 0.5) * TILE, (row + 0.5) * TILE
                    if dirty[row, column] == 0 and capsule_distance(x, y, c) < reach:
                        dirty[row, column] = 1


@compiled
def near_tile(
    left: int,
    top: int,
    capsules: Array,
    moves: IntArray,
    high: IntArray,
    near: IntArray,
    counts: IntArray,
    lamps: int,
) -> int:
    """Which solids matter to a tile: seen, ambient, near shadows, soft shadows of each panel.

    Returns the greatest motion among them.
    """
    fast = 0
    x, y = left + 0.5 * TILE, top + 0.5 * TILE
    for m in range(counts.shape[0]):
        counts[m] = 0
    for i in range(capsules.shape[0]):
        for m in range(2 + lamps):
            if m == 1 and high[i] == 2:
                continue
            if capsule_distance(x, y, capsules[i, m]) >= 0.7072 * TILE:
                continue
            k = m + lamps if m >= 2 and high[i] > 0 else m
            near[k, counts[k]] = i
            counts[k] += 1
            if k < 2 + lamps:
                fast = max(fast, moves[i])
    return fast


@compiled
def near_pixel(
    row: int, column: int, capsules: Array, near: IntArray, count: int, pixel: IntArray
) -> int:
    """Which of a tile's solids may be seen in a pixel; their number."""
    met = 0
    for n in range(count):
        i = near[0, n]
        if capsule_distance(column + 0.5, row + 0.5, capsules[i, 0]) < 1.5:
            pixel[met] = i
            met += 1
    return met


@compiled
def soft_light(
    top: int,
    left: int,
    solids: Array,
    near: IntArray,
    counts: IntArray,
    panels: Array,
    place: Floats,
    soft: Array,
) -> None:
    """Light left by the high solids' shadows at NODES x NODES places of a tile."""
    lamps = panels.shape[0]
    height, width, _ = place.shape
    any_soft = False
    for j in range(lamps):
        any_soft = any_soft or counts[2 + lamps + j] > 0
    for r in range(NODES):
        for c in range(NODES):
            soft[r, c] = 1.0
            if not any_soft:
                continue
            row = min(top + r * TILE // (NODES - 1), height - 1)
            column = min(left + c * TILE // (NODES - 1), width - 1)
            p = place[row, column]
            x, y, z = float(p[0]), float(p[1]), float(p[2])
            total = through = 1e-9
            for j in range(lamps):
                strength = panel_light(x, y, z, 0.0, 0.0, 1.0, panels[j])
                total += strength
                m = 2 + lamps + j
                if counts[m] > 0 and strength > 0.0:
                    strength *= shadow(x, y, z, panels[j], solids, near[m], counts[m], -1)
                through += strength
            soft[r, c] = through / total


@compiled
def between_nodes(soft: Array, row: int, column: int) -> float:
    step = TILE / (NODES - 1)
    r, c = row / step, column / step
    i, j = min(int(r), NODES - 2), min(int(c), NODES - 2)
    u, v = r - i, c - j
    upper = soft[i, j] * (1.0 - v) + soft[i, j + 1] * v
    lower = soft[i + 1, j] * (1.0 - v) + soft[i + 1, j + 1] * v
    return float(upper * (1.0 - u) + lower * u)


@compiled
def jitter(s: int, rays: int, row: int, column: int) -> tuple[float, float, float]:
    """Place in the pixel and in time of sample s: an R2 sequence, turned for each pixel."""
    turn = (row * 0.7548776662 + column * 0.5698402910) % 1.0
    fx = (0.5 + s * 0.7548776662) % 1.0
    fy = (0.5 + s * 0.5698402910) % 1.0
    return fx, fy, ((s + turn) / rays) % 1.0
