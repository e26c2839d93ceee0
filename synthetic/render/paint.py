"""The kernel that paints balls, sticks and people, and their shadows, over the backdrop."""

from __future__ import annotations

import math

import numpy as np

from synthetic.jit import compiled
from synthetic.physics.motion import Array, Floats, IntArray
from synthetic.render.backdrop import ray
from synthetic.render.light import Rgb, mirrored_light, openness, panel_light, shadow
from synthetic.render.solids import (
    FLAT,
    GLOSS,
    HAIR,
    KIND,
    SKIN,
    SLEEVE,
    across,
    ball_colour,
    ball_hit,
    cone_hit,
    fresnel,
    skin_colour,
)
from synthetic.render.tiles import (
    NODES,
    TILE,
    between_nodes,
    jitter,
    near_pixel,
    near_tile,
    soft_light,
)


@compiled
def paint_tiles(
    tiles: IntArray,
    capsules: Array,
    balls: int,
    moves: IntArray,
    high: IntArray,
    solids: Array,
    turns: Array,
    looks: IntArray,
    colour: Array,
    white: Array,
    stripe: Array,
    digits: Floats,
    ink: Array,
    dot: Array,
    sizes: Array,
    skins: Array,
    bands: Array,
    origin: Array,
    rotation: Array,
    corners: Floats,
    panels: Array,
    ambient: Array,
    cloth: Array,
    timing: Array,
    samples: IntArray,
    backdrop: Floats,
    place: Floats,
    level: Floats,
    frame: Floats,
) -> None:
    """Paint tiles of `frame` (H, W, 3), linear light.

    Args:
        tiles: (T, 2) tile row and column.
        capsules: (N, 2 + P, 5) x0, y0, x1, y1, r in pixels: where a solid may be seen, where
            it shades the ambient light, where its shadows of the P panels may fall.
        high: (N,) 0 shadows are painted pixel by pixel, 1 they are soft enough for a coarse
            grid, 2 and the solid is too far above the bed to shade the ambient light there.
        balls: how many of the solids are balls (they come first).
        moves: (N,) 0 still, 1 moves visibly during the exposure, 2 moves by many pixels.
        solids: (K, N, 8) at K instants of the frame; turns: (K, balls, 9).
        looks: (N,) ball: place in the set; cone: row of `skins`.
        timing: (2,) share of the frame's span taken by the rows' delay, by the exposure.
        samples: (3,) rays a pixel where all is still, where something moves, moves fast.
    """
    height, width, _ = frame.shape
    instants, count, lamps = solids.shape[0], solids.shape[1], panels.shape[0]
    lists = 2 + 2 * lamps
    near = np.empty((lists, count), dtype=np.int64)
    counts = np.empty(lists, dtype=np.int64)
    pixel = np.empty(count, dtype=np.int64)
    soft = np.ones((NODES, NODES))
    for index in range(tiles.shape[0]):
        top, left = tiles[index, 0] * TILE, tiles[index, 1] * TILE
        bottom, right = min(top + TILE, height), min(left + TILE, width)
        fast = near_tile(left, top, capsules, moves, high, near, counts, lamps)
        if counts.sum() == 0:
            for row in range(top, bottom):
                for column in range(left, right):
                    for c in range(3):
                        frame[row, column, c] = backdrop[row, column, c]
            continue
        soft_light(top, left, solids[instants // 2], near, counts, panels, place, soft)
        moving = fast > 0 and instants > 1
        for row in range(top, bottom):
            for column in range(left, right):
                red = green = blue = 0.0
                lit = -1.0
                open_sky = 1.0
                shade = between_nodes(soft, row - top, column - left)
                same, free = -1, 1.0
                met = near_pixel(row, column, capsules, near, counts[0], pixel)
                quick = 0
                for n in range(met):
                    quick = max(quick, moves[pixel[n]])
                rays = samples[quick] if moving else samples[0]
                every = max(rays // 4, 1)
                if met == 0:
                    rays, every = (4, 1) if fast == 2 and moving else (1, 1)
                for s in range(rays):
                    fx, fy, ft = jitter(s, rays, row, column)
                    when = row / height * timing[0] + ft * timing[1]
                    k = min(int(when * instants), instants - 1)
                    found = False
                    sr = sg = sb = 0.0
                    if met > 0:
                        dx, dy, dz = ray(row, column, fx, fy, corners, rotation)
                        sr, sg, sb, same, free = _first_solid(
                            k, dx, dy, dz, row, column, pixel, met, near, counts, balls,
                            solids, turns, looks, colour, white, stripe, digits, ink, dot, sizes,
                            skins, bands, origin, panels, ambient, cloth, place, shade, same, free,
                        )  # fmt: skip
                        found = same >= 0
                    if not found:
                        if lit < 0.0 or (fast == 2 and moving and s % every == 0):
                            lit, open_sky = _shadowed(
                                place[row, column], solids[k], near, counts, panels
                            )
                        share = level[row, column]
                        dim = share * lit * shade + (1.0 - share) * open_sky
                        sr = backdrop[row, column, 0] * dim
                        sg = backdrop[row, column, 1] * dim
                        sb = backdrop[row, column, 2] * dim
                    red, green, blue = red + sr, green + sg, blue + sb
                frame[row, column, 0] = red / rays
                frame[row, column, 1] = green / rays
                frame[row, column, 2] = blue / rays


@compiled
def _shadowed(
    point: Floats, solids: Array, near: IntArray, counts: IntArray, panels: Array
) -> tuple[float, float]:
    """Share of the panels' light and of the ambient light left at a point of the backdrop."""
    x, y, z = float(point[0]), float(point[1]), float(point[2])
    total = left = 0.0
    for j in range(panels.shape[0]):
        strength = panel_light(x, y, z, 0.0, 0.0, 1.0, panels[j])
        if strength <= 0.0:
            continue
        total += strength
        if counts[j + 2] > 0:
            strength *= shadow(x, y, z, panels[j], solids, near[j + 2], counts[j + 2], -1)
        left += strength
    lit = left / total if total > 0.0 else 1.0
    return lit, openness(x, y, z, 0.0, 0.0, 1.0, solids, near[1], counts[1], -1)


@compiled
def _first_solid(
    k: int,
    dx: float,
    dy: float,
    dz: float,
    row: int,
    column: int,
    pixel: IntArray,
    met: int,
    near: IntArray,
    counts: IntArray,
    balls: int,
    solids: Array,
    turns: Array,
    looks: IntArray,
    colour: Array,
    white: Array,
    stripe: Array,
    digits: Floats,
    ink: Array,
    dot: Array,
    sizes: Array,
    skins: Array,
    bands: Array,
    origin: Array,
    panels: Array,
    ambient: Array,
    cloth: Array,
    place: Floats,
    shade: float,
    same: int,
    free: float,
) -> tuple[float, float, float, int, float]:
    """What a ray meets first: colour, which solid (-1 for none), its share of ambient light.

    The last is taken over from the pixel's ray before (`same`, `free`) on the same cone.
    """
    ox, oy, oz = origin[0], origin[1], origin[2]
    point = place[row, column]
    limit = math.sqrt((point[0] - ox) ** 2 + (point[1] - oy) ** 2 + (point[2] - oz) ** 2) + 0.002
    best, which = limit, -1
    nx = ny = along = 0.0
    nz = 1.0
    for n in range(met):
        i = pixel[n]
        if i < balls:
            t = ball_hit(ox, oy, oz, dx, dy, dz, solids[k, i])
            if 0.0 < t < best:
                best, which = t, i
        else:
            hit = cone_hit(ox, oy, oz, dx, dy, dz, solids[k, i])
            if 0.0 < hit[0] < best:
                best, which = hit[0], i
                nx, ny, nz, along = hit[1], hit[2], hit[3], hit[4]
    if which < 0:
        return 0.0, 0.0, 0.0, -1, free
    x, y, z = ox + best * dx, oy + best * dy, oz + best * dz
    if which < balls:
        r = solids[k, which, 3]
        nx = (x - solids[k, which, 0]) / r
        ny = (y - solids[k, which, 1]) / r
        nz = (z - solids[k, which, 2]) / r
        base = ball_colour(
            looks[which], nx, ny, nz, turns[k, which], colour, white, stripe, digits, ink, dot,
            sizes,
        )  # fmt: skip
        free = openness(x, y, z, nx, ny, nz, solids[k], near[1], counts[1], which)
        red, green, blue = _lit(
            base, x, y, z, nx, ny, nz, dx, dy, dz, solids[k], near, counts, which, panels, ambient,
            cloth, sizes[3], 0.05, 0.0, True, shade, free,
        )  # fmt: skip
        return red, green, blue, which, free
    skin = skins[looks[which]]
    s = solids[k, which]
    length = math.sqrt((s[4] - s[0]) ** 2 + (s[5] - s[1]) ** 2 + (s[6] - s[2]) ** 2)
    radius = s[3] + along * (s[7] - s[3])
    side = across(s, nx, ny)
    base = skin_colour(skin, bands, along, length, side, radius, which)
    if same != which:
        free = openness(x, y, z, nx, ny, nz, solids[k], pixel, met, which)
    kind = int(skin[KIND])
    wrap = 0.25 if kind in (SKIN, SLEEVE, HAIR) else 0.0
    if kind == FLAT:
        nx, ny, nz = 0.0, 0.0, 1.0
    red, green, blue = _lit(
        base, x, y, z, nx, ny, nz, dx, dy, dz, solids[k], near, counts, which, panels, ambient,
        cloth, skin[GLOSS], 0.03, wrap, False, 1.0, free,
    )  # fmt: skip
    return red, green, blue, which, free


@compiled
def _lit(
    base: Rgb,
    x: float,
    y: float,
    z: float,
    nx: float,
    ny: float,
    nz: float,
    dx: float,
    dy: float,
    dz: float,
    solids: Array,
    near: IntArray,
    counts: IntArray,
    skip: int,
    panels: Array,
    ambient: Array,
    cloth: Array,
    gloss: float,
    mirror: float,
    wrap: float,
    shadows: bool,
    shade: float,
    free: float,
) -> Rgb:
    """Light thrown back by a solid: panels, sky, the cloth's light from below, mirror.

    Balls take the panels' shadows; on people and things only the ambient light is shaded.
    """
    er = eg = eb = 0.0
    # In a pocket only the sky over its mouth is seen.
    deep = 1.0 / (1.0 + (min(z, 0.0) / 0.075) ** 2)
    for j in range(panels.shape[0]):
        strength = panel_light(x, y, z, nx, ny, nz, panels[j])
        if wrap > 0.0:
            flat = panel_light(x, y, z, 0.0, 0.0, 1.0, panels[j])
            strength = (strength + wrap * flat) / (1.0 + wrap)
        if strength <= 0.0:
            continue
        strength *= deep * shade
        if shadows and counts[j + 2] > 0:
            strength *= shadow(x, y, z, panels[j], solids, near[j + 2], counts[j + 2], skip)
        er += strength * panels[j, 5]
        eg += strength * panels[j, 6]
        eb += strength * panels[j, 7]
    above, below = 0.5 + 0.5 * nz, 0.5 - 0.5 * nz
    if not shadows:
        er, eg, eb = er * (0.3 + 0.7 * free), eg * (0.3 + 0.7 * free), eb * (0.3 + 0.7 * free)
    sky = ambient[3] * above * deep * free
    near_bed = deep * math.exp(-max(z, 0.0) / 0.25) * below
    er += sky * ambient[0] + near_bed * cloth[0]
    eg += sky * ambient[1] + near_bed * cloth[1]
    eb += sky * ambient[2] + near_bed * cloth[2]
    red, green, blue = base[0] * er, base[1] * eg, base[2] * eb
    if gloss <= 0.0:
        return red, green, blue
    cosine = -(dx * nx + dy * ny + dz * nz)
    share = fresnel(cosine, mirror) * gloss
    rx, ry, rz = dx + 2.0 * cosine * nx, dy + 2.0 * cosine * ny, dz + 2.0 * cosine * nz
    if rz > 0.0:
        mr, mg, mb = mirrored_light(
            x, y, z, rx, ry, rz, panels, 0.04 + 0.3 * (1.0 - gloss), ambient[4]
        )
        mr, mg, mb = mr * deep, mg * deep, mb * deep
    else:
        mr, mg, mb = cloth[0] * deep, cloth[1] * deep, cloth[2] * deep
    keep = 1.0 - share
    return red * keep + share * mr, green * keep + share * mg, blue * keep + share * mb
