"""Things on and about the table: chalk, the triangle, a stick that lies on the cloth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from synthetic.physics.motion import Array
from synthetic.physics.play import RAIL_TOP_M
from synthetic.render.solids import FLAT, PLAIN, STICK
from synthetic.scene.balls import linear
from synthetic.scene.body import arm
from synthetic.scene.frames import cone, frame_at
from synthetic.scene.hands import hand
from synthetic.scene.solids import Cone, Skin
from synthetic.scene.stick import BUTT_RADIUS_M, LENGTH_M, TIP_RADIUS_M
from synthetic.scene.wardrobe import Wardrobe
from table.geometry import TableSpec

CHALK_COLOURS: Final = ((70, 125, 180), (40, 90, 150), (60, 140, 110), (120, 100, 80))


@dataclass(frozen=True, eq=False)
class Still:
    """Things that never move."""

    parts: tuple[Cone, ...]

    def cones(self, t_s: float) -> Sequence[Cone]:
        """The same at any time."""
        del t_s
        return self.parts


def chalk(rng: np.random.Generator, table: TableSpec) -> Still:
    """A cube of chalk on a rail."""
    a, b = table.length_m / 2 + 0.075, table.width_m / 2 + 0.075
    if rng.random() < 0.65:
        x, y = float(rng.uniform(-0.9, 0.9)) * a, float(rng.choice([-b, b]))
    else:
        x, y = float(rng.choice([-a, a])), float(rng.uniform(-0.7, 0.7)) * b
    r, g, b_ = linear(CHALK_COLOURS[int(rng.integers(len(CHALK_COLOURS)))])
    body = Skin(PLAIN, (float(r), float(g), float(b_)), 0.0)
    top = Skin(PLAIN, (float(r) * 0.7, float(g) * 0.75, float(b_) * 0.8), 0.0)
    turn = float(rng.uniform(0, math.pi))
    u = 0.0055 * np.array([math.cos(turn), math.sin(turn), 0.0])
    v = np.array([-u[1], u[0], 0.0])
    base = np.array([x, y, RAIL_TOP_M + 0.008])
    parts = [
        cone(base - u + s * v, 0.0075, base + u + s * v, 0.0075, body, "thing") for s in (-1, 1)
    ]
    lid = base + np.array([0.0, 0.0, 0.0045])
    parts.append(cone(lid - 0.4 * u, 0.0065, lid + 0.4 * u, 0.0065, top, "thing"))
    return Still(tuple(parts))


def lying_stick(rng: np.random.Generator, table: TableSpec) -> Still:
    """A stick put down along a long rail, by somebody who waits."""
    side = float(rng.choice([-1.0, 1.0])) * (table.width_m / 2 + 0.085)
    turn = float(rng.normal(0.0, 0.015))
    ahead = np.array([math.cos(turn), math.sin(turn), 0.0]) * float(rng.choice([-1.0, 1.0]))
    middle = np.array([float(rng.uniform(-0.4, 0.4)), side, RAIL_TOP_M])
    tip, butt = middle - 0.5 * LENGTH_M * ahead, middle + 0.5 * LENGTH_M * ahead
    tip[2] += TIP_RADIUS_M
    butt[2] += BUTT_RADIUS_M
    skin = Skin(STICK, (0.5, 0.4, 0.3), gloss=0.35)
    return Still((cone(tip, TIP_RADIUS_M, butt, BUTT_RADIUS_M, skin, "stick"),))


def slab(
    middle: Array, half_m: tuple[float, float], turn_rad: float, radius_m: float, skin: Skin
) -> list[Cone]:
    """A flat piece of thickness 2 `radius_m`: rounds side by side, shaded as one level piece."""
    u = np.array([math.cos(turn_rad), math.sin(turn_rad), 0.0])
    v = np.array([-u[1], u[0], 0.0])
    along, wide = half_m[0] - radius_m, half_m[1] - radius_m
    count = max(round(wide / radius_m) + 1, 2)
    rows = [middle + v * wide * (2.0 * i / (count - 1) - 1.0) for i in range(count)]
    return [cone(p - u * along, radius_m, p + u * along, radius_m, skin, "thing") for p in rows]


def phone(side: np.random.Generator, x: float, y: float, z: float) -> Still:
    """A phone that lies there, its screen dark or lit."""
    turn = float(side.uniform(0.0, math.tau))
    middle = np.array([x, y, z + 0.004])
    lit = side.random() < 0.4
    glass = (0.25, 0.3, 0.42) if lit else (0.012, 0.012, 0.015)
    case = ((0.02, 0.02, 0.02), (0.5, 0.5, 0.52), (0.3, 0.05, 0.06))[int(side.integers(3))]
    body = slab(middle, (0.075, 0.037), turn, 0.0042, Skin(FLAT, case, 0.2))
    up = np.array([0.0, 0.0, 0.0012])
    return Still((*body, *slab(middle + up, (0.070, 0.033), turn, 0.0042, Skin(FLAT, glass, 0.6))))


def laptop(side: np.random.Generator, x: float, y: float, z: float) -> Still:
    """A laptop with its keys, the screen upright."""
    turn = float(side.uniform(0.0, math.tau))
    grey = float(side.uniform(0.012, 0.35))
    case = (grey, grey, 1.05 * grey)
    middle = np.array([x, y, z + 0.009])
    base = slab(middle, (0.17, 0.115), turn, 0.009, Skin(FLAT, case, 0.1))
    u = np.array([math.cos(turn), math.sin(turn), 0.0])
    v = np.array([-u[1], u[0], 0.0])
    keys = Skin(FLAT, (0.02, 0.02, 0.022), 0.05, 60.0, 0.8, (0.09, 0.09, 0.09), 7)
    board = slab(middle + 0.025 * v + np.array([0, 0, 0.002]), (0.145, 0.05), turn, 0.009, keys)
    dark = Skin(FLAT, (0.01, 0.011, 0.013), 0.3)
    screen = []
    for i in range(10):
        at = middle + v * (0.118 + 0.008 * i) + np.array([0.0, 0.0, 0.012 + 0.02 * i])
        screen.append(cone(at - 0.165 * u, 0.0125, at + 0.165 * u, 0.0125, dark, "thing"))
    return Still((*base, *board, *screen))


def lost_stick(side: np.random.Generator, table: TableSpec) -> Still:
    """A stick that somebody laid over a corner of the table, or along the bed on two rails."""
    a, b = table.length_m / 2 + 0.06, table.width_m / 2 + 0.06
    if side.random() < 0.5:
        x = float(side.uniform(-0.9, 0.9)) * a
        ends = np.array([[x, -b, 0.0], [x + float(side.normal(0.0, 0.12)), b, 0.0]])
    else:
        sx, sy = float(side.choice([-1.0, 1.0])), float(side.choice([-1.0, 1.0]))
        reach = float(side.uniform(0.5, 0.9))
        ends = np.array([[sx * a, sy * (b - reach), 0.0], [sx * (a - reach), sy * b, 0.0]])
    if side.random() < 0.5:
        ends = ends[::-1]
    ahead = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    middle = (ends[0] + ends[1]) / 2 + float(side.normal(0.0, 0.04)) * ahead
    tip, butt = middle - 0.5 * LENGTH_M * ahead, middle + 0.5 * LENGTH_M * ahead
    tip[2], butt[2] = RAIL_TOP_M + 0.008, RAIL_TOP_M + 0.012
    skin = Skin(STICK, (0.5, 0.4, 0.3), gloss=0.35)
    return Still((cone(tip, TIP_RADIUS_M, butt, BUTT_RADIUS_M, skin, "stick"),))


def stray_things(
    side: np.random.Generator, table: TableSpec, places_m: Array, busy: float
) -> list[Still]:
    """What people leave on a table, away from `places_m` (N, 2) where balls lie or pass."""
    found: list[Still] = []
    if side.random() < 0.06 * busy and busy > 1.2:
        found.append(lost_stick(side, table))
    if side.random() < 0.05 * busy:
        # On a rail, not over a pocket.
        x = float(side.choice([-1.0, 1.0]) * side.uniform(0.15, 0.85)) * table.length_m / 2
        found.append(
            phone(side, x, float(side.choice([-1, 1])) * (table.width_m / 2 + 0.09), RAIL_TOP_M)
        )
    if side.random() < 0.04 * busy and busy > 1.2:
        x = float(side.uniform(-0.8, 0.8)) * table.length_m / 2
        y = float(side.uniform(-0.6, 0.6)) * table.width_m / 2
        large = side.random() < 0.5
        found.append(laptop(side, x, y, 0.0) if large else phone(side, x, y, 0.0))
    return [thing for thing in found if _is_clear(thing, places_m)]


def _is_clear(thing: Still, places_m: Array) -> bool:
    """True when no ball comes near a thing that lies over the bed."""
    for part in thing.parts:
        a, b = np.array(part.a_m[:2]), np.array(part.b_m[:2])
        way = b - a
        share = np.clip((places_m - a) @ way / max(float(way @ way), 1e-9), 0.0, 1.0)
        away = np.linalg.norm(places_m - a - share[:, None] * way, axis=1)
        if len(away) and float(away.min()) < 0.05:
            return False
    return True


@dataclass(frozen=True, eq=False)
class Triangle:
    """The rack's triangle around the balls, lifted away by a hand before the break."""

    table: TableSpec
    lift_s: float
    wear: Wardrobe
    colour: tuple[float, float, float]

    def cones(self, t_s: float) -> Sequence[Cone]:
        """Three sides, then up and away over the foot rail."""
        s = min(max((t_s - self.lift_s) / 0.9, 0.0), 1.0)
        s = s * s * (3.0 - 2.0 * s)
        x0, y0 = self.table.foot_spot
        shift = np.array([1.5 * max(s - 0.25, 0.0), 0.0, 0.35 * min(4.0 * s, 1.0)])
        corners = self._corners(x0, y0) + shift
        skin = Skin(PLAIN, self.colour, 0.3, 30.0, 0.2)
        parts = [
            cone(corners[i], 0.0095, corners[(i + 1) % 3], 0.0095, skin, "thing") for i in range(3)
        ]
        grip = (corners[1] + corners[2]) / 2 + np.array([0.09, 0.02, 0.04])
        parts += hand(frame_at(grip, math.pi), "hold", self.wear.skin)
        shoulder = np.array([x0 + 0.95, y0 + 0.12, 0.48]) + shift * np.array([1, 0, 0])
        elbow = (grip + shoulder) / 2 + np.array([0.0, 0.05, 0.03])
        return [*parts, *arm(shoulder, elbow, grip, self.wear)]

    def _corners(self, x0: float, y0: float) -> Array:
        inner = 0.5 * self.table.ball_diameter_m + 0.011
        depth = 3 * self.table.ball_diameter_m * math.sqrt(3) / 2
        z = 0.018
        apex = np.array([x0 - 2.0 * inner, y0, z])
        base_x = x0 + depth + inner
        half = (base_x - apex[0]) * math.tan(math.radians(30))
        return np.array([apex, [base_x, y0 + half, z], [base_x, y0 - half, z]])
