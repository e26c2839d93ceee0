"""What people wear and how they look: skin, hair, shirts with prints, trousers, gloves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from synthetic.physics.motion import Array
from synthetic.render.solids import HAIR, PLAIN, SKIN, SLEEVE
from synthetic.scene.balls import linear
from synthetic.scene.solids import Skin

SKIN_TONES: Final = (
    (236, 200, 175),
    (224, 180, 150),
    (205, 155, 120),
    (170, 120, 85),
    (120, 80, 55),
    (80, 52, 38),
)
SHIRTS: Final = (
    (38, 38, 41),
    (38, 44, 70),
    (235, 235, 232),
    (120, 20, 25),
    (60, 62, 66),
    (20, 80, 60),
    (30, 70, 140),
    (150, 145, 135),
)
_HAIRS: Final = ((25, 20, 18), (60, 40, 25), (150, 120, 80), (130, 130, 130))
_TROUSERS: Final = (
    (40, 40, 44), (52, 64, 92), (76, 90, 118), (38, 40, 52), (120, 106, 86), (74, 74, 76),
)  # fmt: skip
_SHOES: Final = ((24, 24, 24), (60, 44, 32), (210, 208, 204), (40, 40, 52))

SHORT_HAIR, BALD, CAP, LONG_HAIR = range(4)


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
    sleeves: Skin
    """The sleeves' skin, of another colour than the shirt's on some."""
    shoes: Skin
    cuff: Skin
    """What is around the wrists: the skin itself, a watch, a cuff."""
    hair_style: int = SHORT_HAIR
    closed_bridge: bool = False
    bulk: float = 1.0
    """Width of the body against the usual."""


def random_wardrobe(rng: np.random.Generator, side: np.random.Generator) -> Wardrobe:
    """Clothes and skin of a person: the basic choices from `rng`, the finer from `side`."""
    tone = np.array(SKIN_TONES[int(rng.integers(len(SKIN_TONES)))]) * rng.uniform(0.92, 1.05)
    shirt = np.array(SHIRTS[int(rng.integers(len(SHIRTS)))]) * rng.uniform(0.8, 1.1)
    hair = np.array(_HAIRS[int(rng.integers(4))])
    gloved = rng.random() < 0.55
    dark = rng.random() < 0.8
    sleeve = float(rng.choice([0.4, 0.45, 1.0]))
    glove = (24, 24, 26) if dark else (40, 60, 120)
    skin = Skin(SKIN, _rgb(tone), 0.06, 55.0, 0.35)
    printed = _shirt(side, shirt)
    return Wardrobe(
        skin,
        Skin(HAIR, _rgb(hair), 0.05, 90.0, 1.1),
        printed,
        Skin(SLEEVE, _rgb(_pick(side, _TROUSERS)), 0.0, 22.0, 0.35),
        Skin(SLEEVE, _rgb(np.array(glove)), 0.03, 60.0, 0.3) if gloved else None,
        sleeve,
        _sleeves(side, printed),
        Skin(PLAIN, _rgb(_pick(side, _SHOES)), 0.1),
        _cuff(side, skin),
        int(side.choice(4, p=[0.62, 0.06, 0.16, 0.16])),
        bool(side.random() < 0.35),
        float(side.uniform(0.85, 1.15)),
    )


def _pick(side: np.random.Generator, tones: tuple[tuple[int, int, int], ...]) -> Array:
    return np.array(tones[int(side.integers(len(tones)))]) * side.uniform(0.8, 1.15)


def _shirt(side: np.random.Generator, shirt: Array) -> Skin:
    """A shirt with creases; two in five have a print, stripes, checks or panels."""
    kind = int(side.choice(7, p=[0.5, 0.08, 0.08, 0.03, 0.15, 0.11, 0.05]))
    second = _rgb(_pick(side, SHIRTS))
    strength = float(side.uniform(0.1, 0.3))
    scale = float(side.uniform(16.0, 34.0))
    return Skin(SLEEVE, _rgb(shirt), 0.0, scale, strength, second, kind)


def _sleeves(side: np.random.Generator, printed: Skin) -> Skin:
    colour = printed.colour
    if side.random() < 0.2:
        colour = printed.second
    return Skin(SLEEVE, colour, 0.0, printed.scale * 1.4, printed.strength)


def _cuff(side: np.random.Generator, skin: Skin) -> Skin:
    choice = side.random()
    if choice < 0.5:
        return skin
    if choice < 0.8:
        return Skin(PLAIN, _rgb(np.array((30, 30, 32))), 0.25)
    return Skin(PLAIN, _rgb(np.array((180, 178, 172))), 0.4)


def _rgb(value: Array) -> tuple[float, float, float]:
    r, g, b = linear(np.clip(value, 3, 250))
    return (float(r), float(g), float(b))
