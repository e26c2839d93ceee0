"""Round cones with skins: the building stone of sticks, hands, arms and things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from synthetic.physics.motion import Array

Place = tuple[float, float, float]


@dataclass(frozen=True)
class Skin:
    """How a cone looks: kind (synthetic.render.solids), linear colour, gloss, pattern."""

    kind: int
    colour: tuple[float, float, float]
    gloss: float = 0.0
    scale: float = 40.0
    strength: float = 0.0
    second: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Colour of the print."""
    print_kind: int = 0
    """0 none, 1 rings, 2 stripes along, 3 checks, 4 a badge, 5 other sides, 6 blotches,
    7 keys."""

    def row(self) -> list[float]:
        """The row of the kernels' skin table."""
        first = [float(self.kind), *self.colour, self.gloss, self.scale, self.strength]
        return [*first, *self.second, float(self.print_kind)]


@dataclass(frozen=True)
class Cone:
    """A round cone between two spheres, table frame."""

    a_m: Place
    a_radius_m: float
    b_m: Place
    b_radius_m: float
    skin: Skin
    part: str
    """What it belongs to: "stick", "hand", "arm", "body", "head", "thing"."""


class Actor(Protocol):
    """Something in the room that is not a ball."""

    def cones(self, t_s: float) -> Sequence[Cone]:
        """Its cones at a time; always the same number with the same skins."""
        ...


def cone_rows(cones: Sequence[Cone]) -> Array:
    """(N, 8) rows ax, ay, az, ra, bx, by, bz, rb."""
    rows = [[*c.a_m, c.a_radius_m, *c.b_m, c.b_radius_m] for c in cones]
    return np.array(rows, dtype=np.float64).reshape(-1, 8)
