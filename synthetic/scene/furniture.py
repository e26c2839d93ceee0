"""The table as things with sizes and looks: shapes for the ray caster, materials, marks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from synthetic.physics.drops import FLOOR_Z_M
from synthetic.physics.flight import FLOOR_UNDER_BED_M
from synthetic.physics.motion import Array
from synthetic.physics.play import RAIL_TOP_M
from synthetic.physics.pool_models import hole
from table.geometry import Pocket, TableSpec

Rgb = tuple[float, float, float]
"""Linear light, 0..1 each: the share of light that a surface throws back."""

NOSE_HEIGHT_M: Final = 0.0363
"""Height of the cushion's nose: 63.5 % of the ball (WPA specification 6)."""
CUSHION_DEPTH_M: Final = 0.0508
CORNER_FACING_DEG: Final = 50.3
SIDE_FACING_DEG: Final = 7.14
JAW_CORNER_RADIUS_M: Final = 0.02095
JAW_SIDE_RADIUS_M: Final = 0.00795


@dataclass(frozen=True)
class Furniture:
    """Sizes and looks of one table."""

    cloth: Rgb = (0.01, 0.16, 0.55)
    rail: Rgb = (0.03, 0.028, 0.026)
    rail_grain: float = 0.5
    """Strength of wood grain, 0 for plastic."""
    rail_gloss: float = 0.3
    sight: Rgb = (0.75, 0.75, 0.72)
    sight_shape: int = 0
    """0 diamonds, 1 discs."""
    casting: Rgb = (0.45, 0.45, 0.48)
    """Corner and side caps of the rails."""
    casting_m: float = 0.0
    """How far the caps reach along the rails from the pockets; 0: no caps."""
    casting_metal: float = 0.0
    liner: Rgb = (0.02, 0.02, 0.02)
    rim: Rgb = (0.03, 0.03, 0.03)
    hole_floor: Rgb = (0.01, 0.01, 0.01)
    floor: Rgb = (0.16, 0.15, 0.15)
    floor_second: Rgb = (0.13, 0.12, 0.12)
    floor_kind: int = 0
    """0 carpet, 1 boards, 2 tiles, 3 a graphic floor of a studio, 4 concrete."""
    rail_m: float = 0.135
    """Nose to the table's outer edge."""
    outer_radius_m: float = 0.05
    rim_m: float = 0.010
    wear: float = 0.3
    weave: float = 0.5
    marks: int = 60
    """Chalk marks on the cloth."""
    lines: int = 1
    """Bits: 1 head string, 2 foot spot, 4 head spot, 8 rack outline, 16 foot string."""
    line: Rgb = (0.6, 0.6, 0.6)
    line_strength: float = 0.3
    throat_m: float = 0.06
    """How deep light reaches into the pockets."""
    trim: float = 0.0
    """Brightness of a metal trim along the table's outer edge."""
    seed: int = 1
    nap: float = 0.3
    """Strength of the cloth's lengthwise grain."""
    overhang_m: float = 0.02
    """Width of the dark band under the cushions' noses."""
    overhang: float = 0.3
    """Share of the light that is missing there."""
    rail_spread: float = 0.1
    """How much the rails differ from each other in brightness."""
    sight_m: float = 0.0105
    """Half length of a diamond; discs are half as large."""
    net: float = 0.0
    """1 for pockets with nets, 0 for liners."""
    floor_light: float = 1.0
    """Light on the floor against the light that the table's lamps throw there."""
    floor_shade: float = 0.75
    """How dark the floor is close to the table."""
    clutter: tuple[tuple[float, ...], ...] = ()
    """Things on the floor: x, y, half sizes, angle, 0 box or 1 disc, r, g, b."""


def shape_array(table: TableSpec, furniture: Furniture) -> Array:
    """The measures that `synthetic.render.tracing` names, in its order."""
    return np.array(
        [
            table.length_m / 2,
            table.width_m / 2,
            NOSE_HEIGHT_M * table.ball_diameter_m / 0.05715,
            RAIL_TOP_M,
            CUSHION_DEPTH_M,
            furniture.rail_m,
            table.corner_mouth_m / math.sqrt(2),
            table.side_mouth_m / 2,
            math.tan(math.radians(CORNER_FACING_DEG)),
            math.sin(math.radians(SIDE_FACING_DEG)),
            0.012,
            furniture.outer_radius_m,
            FLOOR_UNDER_BED_M,
            FLOOR_Z_M,
            furniture.rim_m,
            JAW_CORNER_RADIUS_M,
            JAW_SIDE_RADIUS_M,
        ]
    )


def hole_array(table: TableSpec) -> Array:
    """(6, 5): centre x, y, radius, outward x, y of each pocket's hole."""
    rows = []
    for pocket in Pocket:
        center, radius = hole(table, pocket)
        rows.append([*center, radius, *table.pockets[pocket].outward])
    return np.array(rows)


# Places in the material table for the kernels.
(
    CLOTH,
    RAIL_WOOD,
    SIGHT,
    CASTING,
    LINER_SKIN,
    RIM_SKIN,
    HOLE_BOTTOM,
    FLOOR_ONE,
    FLOOR_TWO,
    LINE,
) = range(10)


def colour_array(furniture: Furniture) -> Array:
    """(10, 3) linear colours in the order of the material names."""
    f = furniture
    return np.array(
        [
            f.cloth,
            f.rail,
            f.sight,
            f.casting,
            f.liner,
            f.rim,
            f.hole_floor,
            f.floor,
            f.floor_second,
            f.line,
        ]
    )


# Places in the settings array for the kernels.
(
    GRAIN,
    RAIL_GLOSS,
    SIGHT_SHAPE,
    CAST_M,
    CAST_METAL,
    FLOOR_KIND,
    WEAR,
    WEAVE,
    LINES,
    LINE_STRENGTH,
    SEED,
    THROAT,
    TRIM,
    OVERHANG_M,
    OVERHANG,
    RAIL_SPREAD,
    SIGHT_M,
    NET,
    FLOOR_LIGHT,
    FLOOR_SHADE,
) = range(20)


def setting_array(furniture: Furniture) -> Array:
    """(20,) settings in the order of the names above."""
    f = furniture
    return np.array(
        [
            f.rail_grain,
            f.rail_gloss,
            f.sight_shape,
            f.casting_m,
            f.casting_metal,
            f.floor_kind,
            f.wear,
            f.weave,
            f.lines,
            f.line_strength,
            f.seed,
            f.throat_m,
            f.trim,
            f.overhang_m,
            f.overhang,
            f.rail_spread,
            f.sight_m,
            f.net,
            f.floor_light,
            f.floor_shade,
        ],
        dtype=np.float64,
    )


def clutter_array(furniture: Furniture) -> Array:
    """(N, 9) things on the floor, in the order of `Furniture.clutter`."""
    return np.array(furniture.clutter, dtype=np.float64).reshape(-1, 9)
