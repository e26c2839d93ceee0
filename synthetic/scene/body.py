"""Parts of people as round cones: arms, heads with hair or caps, torsos, legs with shoes."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from synthetic.physics.flight import FLOOR_UNDER_BED_M
from synthetic.physics.motion import Array
from synthetic.render.solids import FLAT
from synthetic.scene.frames import cone
from synthetic.scene.solids import Cone, Skin
from synthetic.scene.wardrobe import BALD, CAP, LONG_HAIR, Wardrobe

_UP: Final = np.array([0.0, 0.0, 1.0])
_TUFTS: Final = (
    (0.046, 0.0, 0.040), (0.036, 0.036, 0.036), (0.038, -0.034, 0.034), (0.0, 0.055, 0.034),
    (-0.004, -0.057, 0.033), (-0.062, 0.036, 0.042), (-0.066, -0.030, 0.044),
    (-0.078, 0.004, 0.038),
)  # fmt: skip
"""Tufts of hair from the middle of the head: ahead, aside, radius."""


def arm(shoulder: Array, elbow: Array, wrist: Array, wear: Wardrobe) -> list[Cone]:
    """Upper arm and forearm, the sleeve as far as it reaches, what is worn at the wrist."""
    shirt, skin = wear.sleeves, wear.skin
    long = wear.sleeve >= 1.0
    upper_end = elbow if long else shoulder + (elbow - shoulder) * min(wear.sleeve * 1.8, 1.0)
    below = shirt if long else skin
    cones = [cone(shoulder, 0.066, upper_end, 0.054, shirt, "arm")]
    cones.append(cone(upper_end, 0.043, elbow, 0.041, below, "arm"))
    middle = elbow + (wrist - elbow) * 0.4
    cones.append(cone(elbow, 0.041, middle, 0.041 if not long else 0.043, below, "arm"))
    cuff = elbow + (wrist - elbow) * 0.93
    cones.append(cone(middle, 0.039, cuff, 0.030 if long else 0.026, below, "arm"))
    # A watch sits above the wrist; a long sleeve ends in a hand's breadth of skin.
    end = elbow + (wrist - elbow) * 0.97
    band = wear.cuff if not long else shirt
    cones.append(cone(cuff, 0.0285 if not long else 0.031, end, 0.0275, band, "arm"))
    cones.append(cone(end, 0.025, wrist, 0.0225, skin, "arm"))
    return cones


def head(center: Array, ahead: Array, wear: Wardrobe) -> list[Cone]:
    """A head seen from above: skull with ears and nose under hair or a cap."""
    left = np.cross(_UP, ahead)
    skin, hair = wear.skin, wear.hair
    cones = [
        cone(
            center - 0.030 * ahead, 0.074,
            center + 0.036 * ahead - 0.012 * _UP, 0.068, skin, "head",
        ),
        cone(center + 0.055 * ahead - 0.05 * _UP, 0.048, center - 0.09 * _UP, 0.055, skin, "head"),
        cone(
            center + 0.104 * ahead - 0.035 * _UP, 0.012,
            center + 0.096 * ahead - 0.02 * _UP, 0.012, skin, "head",
        ),
    ]  # fmt: skip
    for sign in (-1.0, 1.0):
        ear = center + sign * 0.074 * left - 0.02 * _UP
        cones.append(cone(ear, 0.016, ear - 0.016 * ahead, 0.013, skin, "head"))
    if wear.hair_style == CAP:
        return [*cones, *_cap(center, ahead, left, wear.sleeves)]
    if wear.hair_style == BALD:
        # A ring of hair from ear to ear.
        back = center - 0.056 * ahead - 0.018 * _UP
        for sign in (-1.0, 1.0):
            temple = center - 0.004 * ahead + 0.034 * sign * left - 0.022 * _UP
            cones.append(cone(back + 0.012 * sign * left, 0.060, temple, 0.047, hair, "head"))
        return cones
    return [*cones, *_hair(center, ahead, left, wear)]


def _hair(center: Array, ahead: Array, left: Array, wear: Wardrobe) -> list[Cone]:
    """Tufts of uneven length, so that the outline is no circle; long hair falls backward."""
    hair = wear.hair
    crown = center - 0.030 * ahead + 0.018 * _UP
    cones = [cone(crown, 0.078, center + 0.012 * ahead + 0.020 * _UP, 0.068, hair, "head")]
    for number, (forward, aside, radius) in enumerate(_TUFTS):
        uneven = 1.0 + 0.10 * math.sin(2.4 * number + 9.0 * hair.colour[0] + 60.0 * wear.bulk)
        root = center + 0.4 * forward * ahead + 0.4 * aside * left + 0.02 * _UP
        tip = center + uneven * (forward * ahead + aside * left) + 0.012 * _UP
        cones.append(cone(root, radius, tip, radius * 0.9, hair, "head"))
    if wear.hair_style == LONG_HAIR:
        nape = center - 0.07 * ahead - 0.03 * _UP
        for sign in (-0.6, 0.4):
            end = nape - 0.16 * ahead + 0.05 * sign * left - 0.06 * _UP
            cones.append(cone(nape + 0.03 * sign * left, 0.050, end, 0.022, hair, "head"))
    return cones


def _cap(center: Array, ahead: Array, left: Array, cloth: Skin) -> list[Cone]:
    """A cap's dome and its peak."""
    dome = cone(
        center - 0.022 * ahead + 0.016 * _UP, 0.083,
        center + 0.022 * ahead + 0.012 * _UP, 0.080, cloth, "head",
    )  # fmt: skip
    peak = []
    # The peak is flat: its rounds are shaded as one level piece.
    plate = Skin(FLAT, cloth.colour)
    for aside in (-0.05, -0.034, -0.017, 0.0, 0.017, 0.034, 0.05):
        start = center + 0.062 * ahead + aside * left + 0.004 * _UP
        reach = 0.098 - 14.0 * aside * aside
        peak.append(cone(start, 0.012, start + reach * ahead - 0.010 * _UP, 0.011, plate, "head"))
    return [dome, *peak]


def torso(shoulders: tuple[Array, Array], hips: Array, wear: Wardrobe) -> list[Cone]:
    """Back and shoulders of one garment, hips and legs in trousers, shoes on the floor."""
    left, right = shoulders
    middle = (left + right) / 2
    side = (left - right) / max(float(np.linalg.norm(left - right)), 1e-6)
    wide = wear.bulk
    cones = [
        cone(left, 0.062, middle + 0.03 * _UP, 0.066, wear.shirt, "body"),
        cone(right, 0.062, middle + 0.03 * _UP, 0.066, wear.shirt, "body"),
    ]
    for share in (-1.0, -0.35, 0.35, 1.0):
        top = middle + 0.135 * share * side - 0.01 * _UP
        low = hips + 0.10 * wide * share * side + 0.06 * _UP
        cones.append(cone(top, 0.085, low, 0.088 * wide, wear.shirt, "body"))
    ahead = np.array([side[1], -side[0], 0.0])
    if float(ahead @ (middle - hips)) < 0.0:
        ahead = -ahead
    ahead /= max(float(np.linalg.norm(ahead)), 1e-6)
    return [*cones, *_legs(hips, side, ahead, wear)]


def _legs(hips: Array, side: Array, ahead: Array, wear: Wardrobe) -> list[Cone]:
    """Legs that stand a little behind the hips, where the back hides most of them."""
    cones: list[Cone] = []
    for sign in (-1.0, 1.0):
        hip = hips + 0.085 * sign * side
        foot = np.array([hips[0], hips[1], FLOOR_UNDER_BED_M + 0.05])
        foot = foot + 0.12 * sign * side + (0.06 if sign > 0 else -0.14) * ahead
        knee = (hip + foot) / 2 + 0.03 * ahead
        cones.append(cone(hip, 0.098 * wear.bulk, knee, 0.064, wear.trousers, "body"))
        cones.append(cone(knee, 0.064, foot + 0.04 * _UP, 0.05, wear.trousers, "body"))
        cones.append(
            cone(foot - 0.05 * ahead, 0.042, foot + 0.16 * ahead, 0.036, wear.shoes, "body")
        )
    return cones
