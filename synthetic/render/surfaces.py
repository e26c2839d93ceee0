"""What colour a surface of the room has at a place: cloth, wood, sights, caps, floor."""

from __future__ import annotations

import math

from synthetic.jit import compiled
from synthetic.physics.motion import Array, Floats
from synthetic.render.floors import floor_colour
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
    CAST_METAL,
    CASTING,
    CLOTH,
    FLOOR_LIGHT,
    FLOOR_SHADE,
    GRAIN,
    HOLE_BOTTOM,
    LINE,
    LINE_STRENGTH,
    LINER_SKIN,
    LINES,
    NET,
    RAIL_SPREAD,
    RAIL_WOOD,
    RIM_SKIN,
    SEED,
    SIGHT,
    SIGHT_M,
    SIGHT_SHAPE,
    WEAR,
    WEAVE,
)

MAP_PX_PER_M = 400.0
MAP_MARGIN_M = 0.07
"""Scale and margin of the cloth's map, from the noses outward."""


@compiled
def _state(x: float, y: float, shape: Array, texture: Floats) -> tuple[float, float]:
    """Factor and dust of the cloth's map (`synthetic.scene.cloth_map`) at a place."""
    rows, columns, _ = texture.shape
    u = min(max((x + shape[HALF_L] + MAP_MARGIN_M) * MAP_PX_PER_M, 0.0), columns - 1.001)
    v = min(max((y + shape[HALF_W] + MAP_MARGIN_M) * MAP_PX_PER_M, 0.0), rows - 1.001)
    i, j = int(v), int(u)
    a, b = v - i, u - j
    k00, k01 = (1.0 - a) * (1.0 - b), (1.0 - a) * b
    k10, k11 = a * (1.0 - b), a * b
    factor = k00 * texture[i, j, 0] + k01 * texture[i, j + 1, 0]
    factor += k10 * texture[i + 1, j, 0] + k11 * texture[i + 1, j + 1, 0]
    dust = k00 * texture[i, j, 1] + k01 * texture[i, j + 1, 1]
    dust += k10 * texture[i + 1, j, 1] + k11 * texture[i + 1, j + 1, 1]
    return factor, dust


@compiled
def cloth_colour(
    x: float, y: float, shape: Array, colours: Array, settings: Array, texture: Floats, lines: int
) -> Rgb:
    """Cloth: weave, its state (wear, chalk, burns) and the drawn `lines` (bits)."""
    seed = int(settings[SEED])
    red, green, blue = colours[CLOTH, 0], colours[CLOTH, 1], colours[CLOTH, 2]
    weave = settings[WEAVE] * (
        0.10 * (value_noise(x * 900.0, y * 900.0, seed) - 0.5)
        + 0.05 * fractal_noise(x * 160.0, y * 40.0, 2, seed + 7)
    )
    wear = settings[WEAR]
    state, dust = _state(x, y, shape, texture)
    factor = weave + state
    grey = wear * 0.06 * (0.5 + fractal_noise(x * 5.0, y * 5.0, 3, seed + 29))
    red, green, blue = red * factor, green * factor, blue * factor
    mean = 0.3 * red + 0.5 * green + 0.2 * blue + 0.02
    red, green, blue = (
        red + grey * (mean - red),
        green + grey * (mean - green),
        blue + grey * (mean - blue),
    )
    red, green, blue = (
        red + dust * (0.30 - red),
        green + dust * (0.44 - green),
        blue + dust * (0.55 - blue),
    )
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
def _is_sight(x: float, y: float, shape: Array, kind: int, length: float) -> bool:
    """The 18 sights of the rails, on a line 94 mm behind the noses."""
    a, b = shape[HALF_L], shape[HALF_W]
    off = CUSHION_SIGHT_M
    size = length if kind == 0 else 0.5 * length
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
        k = 0.9 + 0.9 * fractal_noise(x * 5.0, y * 5.0, 3, 29)
        k *= 1.0 + settings[CAST_METAL] * 2.0 * fractal_noise(x * 9.0 + y * 12.0, y * 3.0, 2, 31)
        return k * colours[CASTING, 0], k * colours[CASTING, 1], k * colours[CASTING, 2], 1.0
    if _is_sight(x, y, shape, int(settings[SIGHT_SHAPE]), settings[SIGHT_M]):
        return colours[SIGHT, 0], colours[SIGHT, 1], colours[SIGHT, 2], 0.0
    beyond_y, beyond_x = abs(y) - shape[HALF_W], abs(x) - shape[HALF_L]
    along_x = beyond_y > beyond_x
    u, v = (x, y) if along_x else (y, x)
    seed = int(settings[SEED])
    # Six boards, each of its own piece of wood.
    board = (1 if y > 0.0 else 2) + (4 if x > 0.0 else 0) if along_x else (8 if x > 0.0 else 9)
    u += 5.3 * board
    rings = fractal_noise(
        u * 2.2, v * 60.0 + 1.4 * value_noise(u * 3.0, v * 4.0, seed), 4, seed + 3
    )
    streak = fractal_noise(u * 14.0, v * 320.0, 3, seed + 5)
    factor = 1.0 + settings[GRAIN] * (0.9 * rings + 0.6 * streak)
    factor *= 1.0 + settings[RAIL_SPREAD] * (2.0 * lattice(board, 3, seed) - 1.0)
    factor *= 1.0 + 0.10 * fractal_noise(x * 9.0, y * 9.0, 3, seed + 11)
    if settings[CAST_M] <= 0.0 and abs(beyond_x - beyond_y) < 0.0012:
        factor *= 0.45
    return (
        colours[RAIL_WOOD, 0] * factor,
        colours[RAIL_WOOD, 1] * factor,
        colours[RAIL_WOOD, 2] * factor,
        0.0,
    )


@compiled
def _net(u: float, v: float) -> float:
    """Cords of a net against the dark behind it."""
    a, b = (u + v) / 0.014, (u - v) / 0.014
    cord = min(abs(a - round(a)), abs(b - round(b)))
    return 0.25 + 3.2 * (1.0 - smoothstep(0.08, 0.2, cord))


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
    texture: Floats,
    clutter: Array,
) -> tuple[float, float, float, float]:
    """Colour of any surface; the fourth value is its metal, 0..1."""
    if surface in (BED, CUSHION, CUSHION_FACE, FACING):
        lines = int(settings[LINES]) if surface == BED else 0
        red, green, blue = cloth_colour(x, y, shape, colours, settings, texture, lines)
        if surface == CUSHION:
            beyond = max(abs(x) - shape[HALF_L], abs(y) - shape[HALF_W])
            seam = smoothstep(0.0, 0.004, shape[CUSHION_M] - beyond)
            k = (0.98 + 0.05 * value_noise(x * 60.0, y * 60.0, 3)) * (0.35 + 0.65 * seam)
            return red * k, green * k, blue * k, 0.0
        return red, green, blue, 0.0
    if surface == RAIL:
        return rail_colour(x, y, shape, colours, settings)
    if surface == RIM:
        k = 0.8 + 0.4 * value_noise(x * 50.0, y * 50.0, 23)
        return k * colours[RIM_SKIN, 0], k * colours[RIM_SKIN, 1], k * colours[RIM_SKIN, 2], 0.2
    if surface == LINER:
        k = 0.75 + 0.5 * value_noise(u * 9.0, z * 120.0, 17)
        # The seam where the liner is folded over the bed's edge.
        k *= 0.6 if abs(z) < 0.003 else 1.0
        if settings[NET] > 0.5 and z < -0.03:
            k *= _net(u * 0.06, z)
        return (
            k * colours[LINER_SKIN, 0],
            k * colours[LINER_SKIN, 1],
            k * colours[LINER_SKIN, 2],
            0.0,
        )
    if surface == HOLE_FLOOR:
        k = 0.6 + 0.8 * value_noise(x * 70.0, y * 70.0, 19)
        if settings[NET] > 0.5:
            k *= _net(x, y)
        return (
            k * colours[HOLE_BOTTOM, 0],
            k * colours[HOLE_BOTTOM, 1],
            k * colours[HOLE_BOTTOM, 2],
            0.0,
        )
    if surface == APRON:
        k = 0.6
        return k * colours[RAIL_WOOD, 0], k * colours[RAIL_WOOD, 1], k * colours[RAIL_WOOD, 2], 0.0
    if surface == FLOOR:
        red, green, blue = floor_colour(x, y, colours, settings, clutter)
        # The table keeps the lamps' light from the floor under it.
        gap = max(abs(x) - shape[HALF_L] - shape[RAIL_M], abs(y) - shape[HALF_W] - shape[RAIL_M])
        k = 1.0 - settings[FLOOR_SHADE] * (1.0 - smoothstep(-0.05, 0.7, gap))
        k *= settings[FLOOR_LIGHT]
        return k * red, k * green, k * blue, 0.0
    return 0.0, 0.0, 0.0, 0.0
