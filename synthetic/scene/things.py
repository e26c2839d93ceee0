"""Things on and about the table: chalk, the triangle, a stick that lies on the cloth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from synthetic.physics.motion import Array
from synthetic.physics.play import RAIL_TOP_M
from synthetic.render.solids import PLAIN, STICK
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
