"""What colour a surface of the room has at a place: cloth, wood, sights, caps, floor."""

from __future__ import annotations

import math

from synthetic.jit import compiled
from synthetic.physics.motion import Array
from synthetic.render.light import Rgb
from synthetic.render.noise import fractal_noise, lattice, smoothstep, value_noise
from synthetic.render.tracing import (
    APRON,
    BED,
    CUSHION,
    CUSHION_FACE,
    CUSHION_M,
    FACING,
    FLOOR,
    HALF_L,
    HALF_W,
    HOLE_FLOOR,
    LINER,
    RAIL,
    RAIL_M,
    RIM,
)
from synthetic.scene.furniture import (
    CAST_M,
    CASTING,
    CLOTH,
    FLOOR_KIND,
    FLOOR_ONE,
    FLOOR_TWO,
    GRAIN,
    HOLE_BOTTOM,
    LINE,
    LINE_STRENGTH,
    LINER_SKIN,
    LINES,
    RAIL_WOOD,
    RIM_SKIN,
    SEED,
    SIGHT,
    SIGHT_SHAPE,
    WEAR,
    WEAVE,
)


@compiled
def cloth_colour(
    x: float, y: float, shape: Array, colours: Array, settings: Array, marks: Array, lines: int
) -> Rgb:
    """Cloth: weave, wear, chalk, burns and the drawn `lines` (bits)."""
    seed = int(settings[SEED])
    red, green, blue = colours[CLOTH, 0], colours[CLOTH, 1], colours[CLOTH, 2]
    weave = settings[WEAVE] * (
        0.10 * (value_noise(x * 900.0, y * 900.0, seed) - 0.5)
        + 0.05 * fractal_noise(x * 160.0, y * 40.0, 2, seed + 7)
    )
    wear = settings[WEAR]
    patches = wear * 0.16 * fractal_noise(x * 3.1, y * 3.1, 4, seed + 13)
    worn = wear * 0.10 * math.exp(-((x - shape[HALF_L] / 2) ** 2 + y * y) / 0.09)
    factor = 1.0 + weave + patches + worn
    grey = wear * 0.06 * (0.5 + fractal_noise(x * 5.0, y * 5.0, 3, seed + 29))
    red, green, blue = red * factor, green * factor, blue * factor
    mean = 0.3 * red + 0.5 * green + 0.2 * blue + 0.02
    red, green, blue = (
        red + grey * (mean - red),
        green + grey * (mean - green),
        blue + grey * (mean - blue),
    )
    for i in range(marks.shape[0]):
        dx, dy = x - marks[i, 0], y - marks[i, 1]
        r = marks[i, 2]
        if abs(dx) > 3.0 * r or abs(dy) > 3.0 * r:
            continue
        part = marks[i, 3] * math.exp(-(dx * dx + dy * dy) / (r * r))
        if marks[i, 4] == 0.0:
            red += part * (0.25 - red)
            green += part * (0.45 - green)
            blue += part * (0.6 - blue)
        elif marks[i, 4] == 1.0:
            red, green, blue = red * (1 - part), green * (1 - part), blue * (1 - part)
        else:
            part *= 0.25
            red, green, blue = red + part * 0.5, green + part * 0.5, blue + part * 0.5
    part = settings[LINE_STRENGTH] * _drawn(x, y, shape, lines)
    return (
        red + part * (colours[LINE, 0] - red),
        green + part * (colours[LINE, 1] - green),
        blue + part * (colours[LINE, 2] - blue),
    )


@compiled
def _drawn(x: float, y: float, shape: Array, lines: int) -> float:
    """Ink of drawn lines and spots at a place, 0..1."""
    a = shape[HALF_L]
    ink = 0.0
    if lines & 1 and abs(x + a / 2) < 0.0012:
        ink = 1.0
    if lines & 16 and abs(x - a / 2) < 0.0012:
        ink = 0.8
    if lines & 2 and (x - a / 2) ** 2 + y * y < 0.006**2:
        ink = 1.5
    if lines & 4 and (x + a / 2) ** 2 + y * y < 0.006**2:
        ink = 1.5
    if lines & 8:
        # The triangle of the rack's outline, its apex toward the head.
        u, v = x - a / 2 + 0.058, abs(y)
        on_side = abs(v * math.cos(math.pi / 6) - u * math.sin(math.pi / 6)) < 0.0012
        if on_side and 0.0 < u < 0.235:
            ink = max(ink, 0.7)
        if abs(u - 0.235) < 0.0012 and v < 0.137:
            ink = max(ink, 0.7)
    return ink


@compiled
def _is_sight(x: float, y: float, shape: Array, kind: int) -> bool:
    """The 18 sights of the rails, on a line 94 mm behind the noses."""
    a, b = shape[HALF_L], shape[HALF_W]
    off = CUSHION_SIGHT_M
    size = 0.0105 if kind == 0 else 0.0055
    if abs(abs(y) - b - off) < 0.02:
        step = a / 4
        k = round(x / step)
        if k != 0 and abs(k) < 4:
            u, v = x - k * step, abs(y) - b - off
            return bool(abs(u) * 1.9 + abs(v) < size if kind == 0 else u * u + v * v < size * size)
    if abs(abs(x) - a - off) < 0.02:
        step = b / 2
        k = round(y / step)
        if abs(k) < 2:
            u, v = y - k * step, abs(x) - a - off
            return bool(abs(u) * 1.9 + abs(v) < size if kind == 0 else u * u + v * v < size * size)
    return False


CUSHION_SIGHT_M = 0.094


@compiled
def is_casting(x: float, y: float, shape: Array, reach: float) -> bool:
    """True on the caps around the pockets."""
    if reach <= 0.0:
        return False
    a, b = shape[HALF_L], shape[HALF_W]
    ax, ay = abs(x), abs(y)
    corner = ax > a - 0.02 - reach and ay > b - 0.02 - reach
    side = ax < 0.055 + 0.25 * reach and ay > b
    return corner or side


@compiled
def rail_colour(
    x: float, y: float, shape: Array, colours: Array, settings: Array
) -> tuple[float, float, float, float]:
    """Rail top: wood or plastic, sights, caps. The fourth value is its metal, 0..1."""
    if is_casting(x, y, shape, settings[CAST_M]):
        return colours[CASTING, 0], colours[CASTING, 1], colours[CASTING, 2], 1.0
    if _is_sight(x, y, shape, int(settings[SIGHT_SHAPE])):
        return colours[SIGHT, 0], colours[SIGHT, 1], colours[SIGHT, 2], 0.0
    along_x = abs(y) - shape[HALF_W] > abs(x) - shape[HALF_L]
    u, v = (x, y) if along_x else (y, x)
    seed = int(settings[SEED])
    rings = fractal_noise(u * 3.0, v * 70.0, 4, seed + 3)
    streak = fractal_noise(u * 18.0, v * 320.0, 3, seed + 5)
    factor = 1.0 + settings[GRAIN] * (0.9 * rings + 0.6 * streak)
    factor *= 1.0 + 0.04 * fractal_noise(x * 30.0, y * 30.0, 2, seed + 11)
    return (
        colours[RAIL_WOOD, 0] * factor,
        colours[RAIL_WOOD, 1] * factor,
        colours[RAIL_WOOD, 2] * factor,
        0.0,
    )


@compiled
def floor_colour(x: float, y: float, colours: Array, settings: Array) -> Rgb:
    """The floor: carpet, boards, tiles or a studio's graphic."""
    seed, kind = int(settings[SEED]), int(settings[FLOOR_KIND])
    mix = 0.5 + fractal_noise(x * 2.0, y * 2.0, 3, seed + 41)
    factor = 1.0
    if kind == 0:
        factor = 1.0 + 0.5 * fractal_noise(x * 140.0, y * 140.0, 2, seed + 43)
    elif kind == 1:
        board = math.floor(y / 0.12)
        mix = lattice(int(board), 5, seed) * 0.6 + 0.4 * mix
        factor = 1.0 + 0.5 * fractal_noise(x * 4.0 + board * 7.3, y * 90.0, 3, seed + 47)
        if abs(y / 0.12 - board) < 0.03:
            factor *= 0.5
    elif kind == 2:
        fx, fy = x / 0.33 - math.floor(x / 0.33), y / 0.33 - math.floor(y / 0.33)
        factor = 0.6 if min(fx, fy) < 0.02 else 1.0
        mix = lattice(math.floor(x / 0.33), math.floor(y / 0.33), seed)
    else:
        wave = math.sin(7.0 * y + 2.5 * math.sin(x * 1.3) + 6.0 * fractal_noise(x, y, 3, seed))
        mix = 0.5 + 0.5 * wave
        factor = 1.0 + 0.8 * fractal_noise(x * 9.0, y * 30.0, 3, seed + 53)
    one, two = colours[FLOOR_ONE], colours[FLOOR_TWO]
    return (
        factor * (one[0] + mix * (two[0] - one[0])),
        factor * (one[1] + mix * (two[1] - one[1])),
        factor * (one[2] + mix * (two[2] - one[2])),
    )


@compiled
def surface_colour(
    surface: int,
    x: float,
    y: float,
    z: float,
    u: float,
    shape: Array,
    colours: Array,
    settings: Array,
    marks: Array,
) -> tuple[float, float, float, float]:
    """Colour of any surface; the fourth value is its metal, 0..1."""
    if surface in (BED, CUSHION, CUSHION_FACE, FACING):
        lines = int(settings[LINES]) if surface == BED else 0
        red, green, blue = cloth_colour(x, y, shape, colours, settings, marks, lines)
        if surface == CUSHION:
            beyond = max(abs(x) - shape[HALF_L], abs(y) - shape[HALF_W])
            seam = smoothstep(0.0, 0.004, shape[CUSHION_M] - beyond)
            k = (0.98 + 0.05 * value_noise(x * 60.0, y * 60.0, 3)) * (0.35 + 0.65 * seam)
            return red * k, green * k, blue * k, 0.0
        return red, green, blue, 0.0
    if surface == RAIL:
        return rail_colour(x, y, shape, colours, settings)
    if surface == RIM:
        return colours[RIM_SKIN, 0], colours[RIM_SKIN, 1], colours[RIM_SKIN, 2], 0.2
    if surface == LINER:
        k = 0.7 + 0.6 * value_noise(u * 9.0, z * 160.0, 17)
        return (
            k * colours[LINER_SKIN, 0],
            k * colours[LINER_SKIN, 1],
            k * colours[LINER_SKIN, 2],
            0.0,
        )
    if surface == HOLE_FLOOR:
        return colours[HOLE_BOTTOM, 0], colours[HOLE_BOTTOM, 1], colours[HOLE_BOTTOM, 2], 0.0
    if surface == APRON:
        k = 0.6
        return k * colours[RAIL_WOOD, 0], k * colours[RAIL_WOOD, 1], k * colours[RAIL_WOOD, 2], 0.0
    if surface == FLOOR:
        red, green, blue = floor_colour(x, y, colours, settings)
        # The table keeps the lamps' light from the floor under it.
        gap = max(abs(x) - shape[HALF_L] - shape[RAIL_M], abs(y) - shape[HALF_W] - shape[RAIL_M])
        k = 0.25 + 0.75 * smoothstep(-0.05, 0.7, gap)
        return k * red, k * green, k * blue, 0.0
    return 0.0, 0.0, 0.0, 0.0
