"""Local frames of bodies, and cones between array points."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from synthetic.physics.motion import Array
from synthetic.scene.solids import Cone, Place, Skin


def place(point: Array) -> Place:
    """An array (3,) as a place."""
    return (float(point[0]), float(point[1]), float(point[2]))


def cone(a: Array, ra: float, b: Array, rb: float, skin: Skin, part: str) -> Cone:
    """A cone between two array points."""
    return Cone(place(a), ra, place(b), rb, skin, part)


@dataclass(frozen=True, eq=False)
class Frame3:
    """A local frame: origin and three unit axes (ahead, left, up)."""

    origin: Array
    ahead: Array
    left: Array
    up: Array

    def at(self, ahead: float, left: float, up: float) -> Array:
        """The point at local coordinates, metres."""
        point: Array = self.origin + ahead * self.ahead + left * self.left + up * self.up
        return point


def frame_at(origin: Array, direction_rad: float, mirrored: bool = False) -> Frame3:
    """A level frame that looks along a direction; mirrored for the other hand."""
    ahead = np.array([math.cos(direction_rad), math.sin(direction_rad), 0.0])
    left = np.array([-ahead[1], ahead[0], 0.0]) * (-1.0 if mirrored else 1.0)
    return Frame3(origin, ahead, left, np.array([0.0, 0.0, 1.0]))
