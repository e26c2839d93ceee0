"""Where a ray meets balls and round cones, and how they look there.

Solids are rows of 8: ax, ay, az, ra, bx, by, bz, rb; balls come first and have no length.
"""

from __future__ import annotations

import math

from synthetic.jit import compiled
from synthetic.physics.motion import Array, Floats
from synthetic.render.light import Rgb
from synthetic.render.noise import fractal_noise, smoothstep

MISS = -1.0

# Kinds of skin of a cone.
PLAIN, STICK, SLEEVE, SKIN, HAIR, FLAT = range(6)

# Places in a skin row: kind, r, g, b, gloss, scale and strength of its pattern, print.
(
    KIND, RED, GREEN, BLUE, GLOSS, SCALE, STRENGTH, SECOND_RED, SECOND_GREEN, SECOND_BLUE, PRINT,
) = range(11)  # fmt: skip


@compiled
def ball_hit(
    ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, solid: Array
) -> float:
    """Distance along the ray to a ball, MISS when it passes by."""
    cx, cy, cz = ox - solid[0], oy - solid[1], oz - solid[2]
    b = cx * dx + cy * dy + cz * dz
    c = cx * cx + cy * cy + cz * cz - solid[3] * solid[3]
    h = b * b - c
    if h < 0.0:
        return MISS
    return float(-b - math.sqrt(h))


@compiled
def cone_hit(
    ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, solid: Array
) -> tuple[float, float, float, float, float]:
    """Distance, normal and place on the axis 0..1 (round cone: Quilez, "intersectors")."""
    ra, rb = solid[3], solid[7]
    bax, bay, baz = solid[4] - solid[0], solid[5] - solid[1], solid[6] - solid[2]
    oax, oay, oaz = ox - solid[0], oy - solid[1], oz - solid[2]
    obx, oby, obz = ox - solid[4], oy - solid[5], oz - solid[6]
    rr = ra - rb
    m0 = bax * bax + bay * bay + baz * baz
    m1 = bax * oax + bay * oay + baz * oaz
    m2 = bax * dx + bay * dy + baz * dz
    m3 = dx * oax + dy * oay + dz * oaz
    m5 = oax * oax + oay * oay + oaz * oaz
    m6 = obx * dx + oby * dy + obz * dz
    m7 = obx * obx + oby * oby + obz * obz
    d2 = m0 - rr * rr
    k2 = d2 - m2 * m2
    k1 = d2 * m3 - m1 * m2 + m2 * rr * ra
    k0 = d2 * m5 - m1 * m1 + m1 * rr * ra * 2.0 - m0 * ra * ra
    h = k1 * k1 - k0 * k2
    if h >= 0.0 and abs(k2) > 1e-14:
        t = (-math.sqrt(h) - k1) / k2
        y = m1 - ra * rr + t * m2
        if t > 0.0 and 0.0 < y < d2:
            nx, ny, nz = (
                d2 * (oax + t * dx) - bax * y,
                d2 * (oay + t * dy) - bay * y,
                d2 * (oaz + t * dz) - baz * y,
            )
            n = math.sqrt(nx * nx + ny * ny + nz * nz)
            return t, nx / n, ny / n, nz / n, (m1 + t * m2) / m0
    h1 = m3 * m3 - m5 + ra * ra
    h2 = m6 * m6 - m7 + rb * rb
    best = (MISS, 0.0, 0.0, 1.0, 0.0)
    if h1 > 0.0:
        t = -m3 - math.sqrt(h1)
        if t > 0.0:
            best = (t, (oax + t * dx) / ra, (oay + t * dy) / ra, (oaz + t * dz) / ra, 0.0)
    if h2 > 0.0:
        t = -m6 - math.sqrt(h2)
        if t > 0.0 and (best[0] < 0.0 or t < best[0]):
            best = (t, (obx + t * dx) / rb, (oby + t * dy) / rb, (obz + t * dz) / rb, 1.0)
    return best


@compiled
def ball_colour(
    ball: int,
    nx: float,
    ny: float,
    nz: float,
    turn: Array,
    colour: Array,
    white: Array,
    stripe: Array,
    digits: Floats,
    ink: Array,
    dot: Array,
    sizes: Array,
) -> Rgb:
    """Colour where the outward normal is n; `turn` (9,) is the ball's rotation, row by row.

    `sizes`: angular radius of the number discs, of the cue ball's dots, dirt.
    """
    lx = turn[0] * nx + turn[3] * ny + turn[6] * nz
    ly = turn[1] * nx + turn[4] * ny + turn[7] * nz
    lz = turn[2] * nx + turn[5] * ny + turn[8] * nz
    red, green, blue = colour[ball, 0], colour[ball, 1], colour[ball, 2]
    if abs(lz) > stripe[ball]:
        red, green, blue = white[0], white[1], white[2]
    if ball == 0:
        if sizes[1] > 0.0 and max(abs(lx), abs(ly), abs(lz)) > math.cos(sizes[1]):
            red, green, blue = dot[0], dot[1], dot[2]
    elif abs(lx) > math.cos(sizes[0]):
        red, green, blue = white[0], white[1], white[2]
        side = 1.0 if lx > 0.0 else -1.0
        scale = 0.5 / (0.86 * math.sin(sizes[0]))
        u, v = 0.5 + side * ly * scale, 0.5 - lz * scale
        if 0.0 <= u < 1.0 and 0.0 <= v < 1.0:
            n = digits.shape[1]
            part = digits[ball, int(v * n), int(u * n)]
            red += part * (ink[0] - red)
            green += part * (ink[1] - green)
            blue += part * (ink[2] - blue)
    if sizes[2] > 0.0:
        blotch = fractal_noise(lx * 4.0 + lz * 2.7, ly * 4.0 - lz * 3.1, 3, 77 + ball)
        k = 1.0 + sizes[2] * 0.5 * blotch
        red, green, blue = red * k, green * k, blue * k
    return red, green, blue


@compiled
def across(solid: Array, nx: float, ny: float) -> float:
    """How far to the side of a cone's axis a normal points, -1..1."""
    ax, ay, az = solid[4] - solid[0], solid[5] - solid[1], solid[6] - solid[2]
    sx, sy = ay, -ax
    flat = math.sqrt(sx * sx + sy * sy)
    if flat < 0.2 * abs(az) or flat < 1e-9:
        return nx
    return float((sx * nx + sy * ny) / flat)


@compiled
def skin_colour(
    skin: Array, bands: Array, along: float, length: float, side: float, radius: float, seed: int
) -> Rgb:
    """Colour of a cone at a place along its axis and to its side.

    `bands` (B, 4) are the stick's colours from tip to butt.
    """
    red, green, blue = skin[RED], skin[GREEN], skin[BLUE]
    kind = int(skin[KIND])
    u, v = along * length, side * radius
    if kind == STICK:
        for i in range(bands.shape[0]):
            if u >= bands[i, 0]:
                red, green, blue = bands[i, 1], bands[i, 2], bands[i, 3]
        k = 1.0 + 0.15 * fractal_noise(u * 30.0, v * 400.0, 2, 5)
        return red * k, green * k, blue * k
    if _printed(int(skin[PRINT]), u, v, along, side, seed):
        red, green, blue = skin[SECOND_RED], skin[SECOND_GREEN], skin[SECOND_BLUE]
    if skin[STRENGTH] <= 0.0:
        return red, green, blue
    s = skin[SCALE]
    if kind == HAIR:
        # Strands along the head, lighter and darker.
        k = 1.0 + skin[STRENGTH] * fractal_noise(u * 25.0, v * 260.0, 3, 91 + seed)
        return red * k, green * k, blue * k
    k = 1.0 + skin[STRENGTH] * fractal_noise(u * s, v * s, 3, 91 + seed)
    if kind == SKIN:
        # Veins and knuckles tint more than they darken.
        return red * k, green * (0.35 * k + 0.65), blue * (0.5 * k + 0.5)
    if kind == SLEEVE:
        bent = u * 16.0 + 2.2 * fractal_noise(u * 7.0, v * 9.0, 2, 97 + seed)
        fold = abs(fractal_noise(bent, v * 10.0 + u * 5.0, 2, 93 + seed))
        k *= 0.7 + 0.3 * smoothstep(0.0, 0.07, fold)
    return red * k, green * k, blue * k


@compiled
def _printed(kind: int, u: float, v: float, along: float, side: float, seed: int) -> bool:
    """True where a garment has its second colour."""
    if kind == 1:
        return bool(u % 0.06 < 0.024)
    if kind == 2:
        return bool((v + 0.5) % 0.045 < 0.016)
    if kind == 3:
        return bool((u % 0.08 < 0.04) != ((v + 0.5) % 0.08 < 0.04))
    if kind == 4:
        return bool(0.25 < along < 0.6 and fractal_noise(u * 28.0, v * 28.0, 2, 12 + seed) > 0.03)
    if kind == 5:
        return bool(abs(side) > 0.72)
    if kind == 7:
        # Keys in rows.
        return bool(u % 0.019 < 0.015)
    if kind == 6:
        return bool(fractal_noise(u * 9.0, v * 9.0, 3, 41 + seed) > 0.04)
    return False


@compiled
def fresnel(cosine: float, base: float) -> float:
    """Schlick's share of mirrored light."""
    m = 1.0 - min(max(cosine, 0.0), 1.0)
    return base + (1.0 - base) * m * m * m * m * m
