"""Parts of people as round cones: hands, arms, heads, torsos, and their skins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from synthetic.physics.motion import Array
from synthetic.render.solids import PLAIN, SKIN, SLEEVE
from synthetic.scene.balls import linear
from synthetic.scene.solids import Cone, Place, Skin

SKIN_TONES: Final = (
    (236, 200, 175),
    (224, 180, 150),
    (205, 155, 120),
    (170, 120, 85),
    (120, 80, 55),
    (80, 52, 38),
)
SHIRTS: Final = (
    (25, 25, 28),
    (30, 35, 60),
    (235, 235, 232),
    (120, 20, 25),
    (60, 62, 66),
    (20, 80, 60),
    (30, 70, 140),
    (150, 145, 135),
)


@dataclass(frozen=True)
class Wardrobe:
    """How one person looks."""

    skin: Skin
    hair: Skin
    shirt: Skin
    trousers: Skin
    glove: Skin | None
    """A glove on the bridge hand's thumb, index and middle finger."""
    sleeve: float
    """How far the sleeves reach: 0.35 short, 1 long (share of the arm)."""


def random_wardrobe(rng: np.random.Generator) -> Wardrobe:
    """Clothes and skin of a person."""
    tone = np.array(SKIN_TONES[int(rng.integers(len(SKIN_TONES)))]) * rng.uniform(0.92, 1.05)
    shirt = np.array(SHIRTS[int(rng.integers(len(SHIRTS)))]) * rng.uniform(0.8, 1.1)
    hair = np.array(((25, 20, 18), (60, 40, 25), (150, 120, 80), (130, 130, 130))[rng.integers(4)])
    gloved = rng.random() < 0.55
    dark = rng.random() < 0.8
    glove = (24, 24, 26) if dark else (40, 60, 120)
    return Wardrobe(
        Skin(SKIN, _rgb(tone), 0.08, 60.0, 0.25),
        Skin(SLEEVE, _rgb(hair), 0.02, 90.0, 0.9),
        Skin(SLEEVE, _rgb(shirt), 0.0, 26.0, 0.35),
        Skin(SLEEVE, _rgb(np.array((32, 32, 38))), 0.0, 26.0, 0.3),
        Skin(PLAIN, _rgb(np.array(glove)), 0.08, 50.0, 0.2) if gloved else None,
        float(rng.choice([0.4, 0.45, 1.0])),
    )


def _rgb(value: Array) -> tuple[float, float, float]:
    r, g, b = linear(np.clip(value, 3, 250))
    return (float(r), float(g), float(b))


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


# Fingers of an open bridge: root and tip (ahead, left, up) from the wrist, thumb last.
_BRIDGE: Final = (
    ((0.085, 0.028, 0.022), (0.128, 0.052, 0.017), (0.150, 0.066, 0.008)),
    ((0.092, 0.008, 0.024), (0.140, 0.020, 0.018), (0.168, 0.026, 0.008)),
    ((0.088, -0.012, 0.023), (0.134, -0.014, 0.018), (0.160, -0.018, 0.008)),
    ((0.078, -0.030, 0.020), (0.112, -0.044, 0.016), (0.132, -0.054, 0.008)),
    ((0.040, -0.030, 0.026), (0.075, -0.052, 0.032), (0.098, -0.048, 0.034)),
)
# A hand that holds a ball from above.
_HOLD: Final = (
    ((0.070, 0.028, 0.050), (0.098, 0.030, 0.034), (0.096, 0.020, 0.012)),
    ((0.078, 0.010, 0.052), (0.108, 0.010, 0.034), (0.104, 0.006, 0.012)),
    ((0.074, -0.010, 0.050), (0.102, -0.012, 0.034), (0.098, -0.010, 0.012)),
    ((0.064, -0.028, 0.046), (0.088, -0.034, 0.032), (0.088, -0.024, 0.014)),
    ((0.030, -0.036, 0.040), (0.048, -0.050, 0.026), (0.056, -0.036, 0.010)),
)
# A fist around the stick's butt, the knuckles up.
_FIST: Final = (
    ((0.035, 0.030, 0.020), (0.045, 0.032, -0.014), (0.018, 0.028, -0.026)),
    ((0.040, 0.010, 0.024), (0.050, 0.010, -0.014), (0.020, 0.010, -0.028)),
    ((0.038, -0.010, 0.024), (0.048, -0.010, -0.014), (0.020, -0.010, -0.028)),
    ((0.032, -0.028, 0.020), (0.042, -0.028, -0.010), (0.016, -0.026, -0.024)),
    ((0.010, 0.034, 0.000), (0.040, 0.030, -0.020), (0.048, 0.010, -0.026)),
)
_POSES: Final = {"bridge": _BRIDGE, "hold": _HOLD, "fist": _FIST}


def hand(frame: Frame3, pose: str, skin: Skin, glove: Skin | None = None) -> list[Cone]:
    """A hand with the wrist at the frame's origin: palm of three cones, five fingers of two."""
    fingers = _POSES[pose]
    cones: list[Cone] = []
    for index, (root, middle, tip) in enumerate(fingers):
        covered = glove if glove is not None and index in (0, 1, 4) else skin
        a, b, c = frame.at(*root), frame.at(*middle), frame.at(*tip)
        cones.append(cone(a, 0.0098, b, 0.0085, covered, "hand"))
        cones.append(cone(b, 0.0085, c, 0.0068, skin, "hand"))
        if index < 4:
            start = frame.at(0.008, 0.30 * root[1], 0.4 * root[2] + 0.006)
            cones.append(cone(start, 0.019, a, 0.0135, glove or skin, "hand"))
    return cones


def arm(shoulder: Array, elbow: Array, wrist: Array, wear: Wardrobe) -> list[Cone]:
    """Upper arm and forearm, the sleeve as far as it reaches."""
    shirt, skin = wear.shirt, wear.skin
    long = wear.sleeve >= 1.0
    upper_end = elbow if long else shoulder + (elbow - shoulder) * min(wear.sleeve * 1.8, 1.0)
    cones = [cone(shoulder, 0.072, upper_end, 0.058, shirt, "arm")]
    cones.append(cone(upper_end, 0.046, elbow, 0.042, shirt if long else skin, "arm"))
    middle = elbow + (wrist - elbow) * 0.45
    cones.append(cone(elbow, 0.043, middle, 0.040, shirt if long else skin, "arm"))
    cones.append(cone(middle, 0.040, wrist, 0.027, shirt if long else skin, "arm"))
    return cones


def head(center: Array, ahead: Array, wear: Wardrobe) -> list[Cone]:
    """A head seen from above: hair over a face that looks ahead."""
    back, front = center - 0.035 * ahead, center + 0.030 * ahead
    down = np.array([0.0, 0.0, -0.03])
    return [
        cone(back, 0.096, front, 0.088, wear.hair, "head"),
        cone(front + down + 0.02 * ahead, 0.082, center + 3.0 * down, 0.07, wear.skin, "head"),
    ]


def torso(shoulders: Sequence[Array], hips: Array, wear: Wardrobe) -> list[Cone]:
    """Shoulders, chest and hips, legs to the floor."""
    left, right = shoulders
    middle = (left + right) / 2
    side = (left - right) / max(float(np.linalg.norm(left - right)), 1e-6)
    cones = [cone(left, 0.085, right, 0.085, wear.shirt, "body")]
    for sign in (-1.0, 1.0):
        cones.append(
            cone(
                middle + 0.07 * sign * side,
                0.115,
                hips + 0.06 * sign * side,
                0.125,
                wear.shirt,
                "body",
            )
        )
        foot = np.array([hips[0], hips[1], -0.70]) + 0.13 * sign * side
        cones.append(cone(hips + 0.08 * sign * side, 0.10, foot, 0.06, wear.trousers, "body"))
    return cones
