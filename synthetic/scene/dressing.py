"""What makes a table and its room look lived in: metal caps, worn cloth, floors, clutter."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from synthetic.physics.motion import Array
from synthetic.scene.balls import linear
from synthetic.scene.furniture import Furniture, Rgb

Tone = tuple[int, int, int]

_CARPETS: Final[tuple[Tone, ...]] = (
    (120, 116, 118), (88, 84, 92), (60, 62, 78), (98, 60, 58), (150, 142, 132), (52, 56, 58),
    (128, 104, 92), (38, 36, 60),
)  # fmt: skip
_WOODS: Final[tuple[Tone, ...]] = (
    (150, 112, 78), (118, 84, 58), (172, 138, 102), (96, 70, 52), (190, 166, 136), (140, 128, 114),
)  # fmt: skip
_TILES: Final[tuple[Tone, ...]] = (
    (226, 222, 212), (206, 200, 190), (214, 214, 212), (168, 160, 150), (104, 102, 100),
    (236, 232, 228),
)  # fmt: skip
_CONCRETES: Final[tuple[Tone, ...]] = ((136, 132, 126), (112, 110, 108), (164, 160, 152))
_STUDIOS: Final[tuple[Tone, ...]] = ((34, 34, 44), (28, 30, 60), (70, 66, 70), (22, 22, 24))
_FLOORS: Final = (_CARPETS, _WOODS, _TILES, _STUDIOS, _CONCRETES)
_THINGS: Final[tuple[Tone, ...]] = (
    (26, 26, 28), (60, 44, 34), (96, 70, 48), (120, 24, 28), (40, 52, 80), (180, 176, 170),
    (110, 112, 116), (214, 210, 204), (70, 74, 60),
)  # fmt: skip
_LINERS: Final[tuple[Tone, ...]] = ((58, 57, 56), (74, 72, 70), (50, 49, 48), (92, 62, 42))


def dressed(side: np.random.Generator, furniture: Furniture, *, bright: bool) -> Furniture:
    """The furniture with its finer looks; `bright` for a room with light of its own."""
    look = _pockets(side, _castings(side, furniture))
    look = _floor(side, look, bright=bright)
    return replace(
        look,
        wear=float(side.beta(1.3, 1.6)) * 1.2,
        marks=int(side.integers(0, 190)),
        nap=float(side.uniform(0.1, 1.0)),
        weave=float(side.uniform(0.4, 1.8)),
        overhang_m=float(side.uniform(0.008, 0.045)),
        overhang=float(side.uniform(0.1, 0.55)),
        rail_spread=float(side.uniform(0.03, 0.22)),
        sight_m=float(side.uniform(0.010, 0.017)),
        rail_gloss=0.6 * look.rail_gloss,
        clutter=_clutter(side, look),
        lines=_lines(side, look.lines),
        line_strength=look.line_strength * float(side.uniform(0.35, 1.0)),
    )


def _lines(side: np.random.Generator, lines: int) -> int:
    """Few tables show the rack's outline or a foot string (bits 8 and 16)."""
    if side.random() < 0.75:
        lines &= ~8
    if side.random() < 0.6:
        lines &= ~16
    return lines


def _rgb(value: Array) -> Rgb:
    r, g, b = linear(np.clip(value, 2, 250))
    return (float(r), float(g), float(b))


def _castings(side: np.random.Generator, furniture: Furniture) -> Furniture:
    """Caps of metal on most tables, of black plastic on some, none on the rest."""
    choice = side.random()
    if choice < 0.6:
        grey = float(side.uniform(140, 232))
        tint = np.array([1.0, 1.0, 1.0 + side.normal(0.02, 0.03)])
        return replace(
            furniture,
            casting=_rgb(grey * tint),
            casting_m=float(side.uniform(0.065, 0.125)),
            casting_metal=float(side.uniform(0.15, 0.5)),
        )
    if choice < 0.75:
        return replace(
            furniture,
            casting=_rgb(np.array((34, 33, 33)) * side.uniform(0.8, 1.8)),
            casting_m=float(side.uniform(0.06, 0.11)),
            casting_metal=float(side.uniform(0.0, 0.1)),
        )
    return replace(furniture, casting_m=0.0)


def _pockets(side: np.random.Generator, furniture: Furniture) -> Furniture:
    """Liners that throw back 3 to 10 % of the light, or leather, or nets."""
    liner = np.array(_LINERS[int(side.choice(4, p=[0.35, 0.25, 0.25, 0.15]))])
    net = side.random() < 0.22
    return replace(
        furniture,
        liner=_rgb(liner * side.uniform(0.85, 1.25)),
        rim=_rgb(liner * side.uniform(0.7, 1.5)),
        hole_floor=_rgb(np.array((48, 47, 46)) * side.uniform(0.5, 1.7)),
        throat_m=float(side.uniform(0.03, 0.2)),
        net=1.0 if net else 0.0,
    )


def _floor(side: np.random.Generator, furniture: Furniture, *, bright: bool) -> Furniture:
    """A floor of a material's own colours; light rooms have light floors."""
    chances = [0.18, 0.2, 0.42, 0.0, 0.2] if bright else [0.46, 0.2, 0.12, 0.04, 0.18]
    kind = int(side.choice(5, p=chances))
    tones = _FLOORS[kind]
    one = np.array(tones[int(side.integers(len(tones)))]) * side.uniform(0.88, 1.12)
    two = one * side.uniform(0.82, 1.08) + side.normal(0.0, 3.0, 3)
    if kind == 3:
        two = np.array(tones[int(side.integers(len(tones)))]) * side.uniform(0.8, 1.6)
    floor = _rgb(one)
    light = float(side.uniform(0.7, 1.3))
    if bright:
        # The room's own lamps bring the floor about to the brightness of white paper.
        light = float(np.clip(side.uniform(0.6, 1.8) / max(float(np.mean(floor)), 0.05), 1.2, 8.0))
    return replace(
        furniture,
        floor=floor,
        floor_second=_rgb(two),
        floor_kind=kind,
        floor_light=light,
        floor_shade=float(side.uniform(0.1, 0.45) if bright else side.uniform(0.35, 0.75)),
    )


def _clutter(side: np.random.Generator, furniture: Furniture) -> tuple[tuple[float, ...], ...]:
    """Chairs, bags, tables: boxes and discs that reach into the picture's margins."""
    rows: list[tuple[float, ...]] = []
    for _ in range(int(side.choice(7, p=[0.35, 0.2, 0.17, 0.12, 0.08, 0.05, 0.03]))):
        colour = _rgb(np.array(_THINGS[int(side.integers(len(_THINGS)))]) * side.uniform(0.7, 1.2))
        away = furniture.rail_m + float(side.uniform(0.12, 0.75))
        sign = float(side.choice([-1.0, 1.0]))
        if side.random() < 0.55:
            x, y = float(side.uniform(-1.7, 1.7)), sign * (0.635 + away)
        else:
            x, y = sign * (1.27 + away), float(side.uniform(-1.0, 1.0))
        disc = 1.0 if side.random() < 0.35 else 0.0
        half = float(side.uniform(0.05, 0.26))
        # The back rail of a chair, a strap, a lid: a second piece on the first.
        turn = float(side.normal(0.0, 0.5)) + 0.5 * math.pi * float(side.integers(2))
        other = half * float(side.uniform(0.5, 1.0))
        inner = tuple(c * float(side.uniform(0.45, 1.1)) for c in colour)
        rows.append((x, y, 0.8 * half, 0.75 * other, turn, disc, *inner))
        rows.insert(len(rows) - 1, (x, y, half, other, turn, disc, *colour))
    return tuple(rows)
