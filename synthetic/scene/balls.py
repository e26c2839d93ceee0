"""Ball sets: colours, stripes, numbers; one texture rule for the ray caster.

A ball's local frame: z is the axis of the stripe, the two number discs lie at +x and -x.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from synthetic.physics.motion import Array
from table.balls import CUE, BallName

Rgb8 = tuple[int, int, int]

DIGIT_PX: Final = 48

STANDARD: Final[dict[BallName, Rgb8]] = {
    "cue": (240, 238, 225),
    "1": (245, 190, 20),
    "2": (20, 50, 160),
    "3": (205, 25, 25),
    "4": (75, 30, 120),
    "5": (240, 105, 20),
    "6": (10, 100, 55),
    "7": (120, 20, 30),
    "8": (18, 18, 20),
    "9": (245, 190, 20),
    "10": (20, 50, 160),
}
TV: Final[dict[BallName, Rgb8]] = {
    **STANDARD,
    "1": (250, 180, 10),
    "2": (10, 40, 190),
    "3": (220, 15, 30),
    "4": (245, 105, 150),
    "5": (240, 115, 20),
    "6": (0, 110, 60),
    "7": (165, 90, 35),
    "9": (250, 190, 10),
    "10": (10, 40, 190),
}
BALL_ORDER: Final[tuple[BallName, ...]] = (CUE, *[str(n) for n in range(1, 11)])


@dataclass(frozen=True, eq=False)
class BallLook:
    """How eleven balls look: arrays in the order of BALL_ORDER."""

    name: str
    """"standard", "tv" or a maker's other colours."""
    colour: Array
    """(11, 3) linear."""
    white: Array
    """(3,) linear: caps, number discs and the cue ball."""
    stripe: Array
    """(11,) half-width of the coloured band as |local z|; 2 for solids."""
    disc: float
    """Angular radius of the number discs, radians."""
    digits: NDArray[np.float32]
    """(11, DIGIT_PX, DIGIT_PX) ink 0..1."""
    ink: Array
    """(3,) linear colour of the digits."""
    cue_dots: float
    """Angular radius of six dots on the cue ball, 0 for none."""
    dot: Array
    """(3,) linear colour of the cue ball's dots."""
    gloss: float
    """0..1: 1 mirrors the lamps sharply."""
    dirt: float
    """0..1: blotches of wear."""


def linear(rgb: Rgb8 | Array) -> Array:
    """sRGB 0..255 as linear light 0..1 (IEC 61966-2-1)."""
    value = np.asarray(rgb, dtype=np.float64) / 255.0
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def ball_look(rng: np.random.Generator, kind: str) -> BallLook:
    """A ball set of a kind: "standard", "tv", "worn" or "other"."""
    table = TV if kind == "tv" else STANDARD
    colours = np.array([table[name] for name in BALL_ORDER], dtype=np.float64)
    white = np.array([244.0, 242.0, 234.0])
    if kind == "worn":
        colours = colours * 0.88 + np.array([16.0, 14.0, 8.0])
        white = np.array([225.0, 215.0, 185.0])
    if kind == "other":
        colours = np.clip(colours + rng.normal(0.0, 14.0, colours.shape), 5, 250)
    colours[0] = white + np.array([0.0, -2.0, -8.0]) * rng.uniform(0.0, 1.5)
    half = float(rng.uniform(0.5, 0.64))
    stripe = np.array([2.0] + [half if n in (9, 10) else 2.0 for n in range(1, 11)])
    worn = kind == "worn"
    dots = 0.0 if rng.random() < 0.4 else float(rng.uniform(0.08, 0.13))
    dot = linear(np.array(rng.choice([(190, 20, 30), (25, 25, 30), (20, 60, 160)])))
    return BallLook(
        kind if kind in ("standard", "tv") else "standard",
        linear(colours),
        linear(white),
        stripe,
        float(rng.uniform(0.29, 0.4)),
        digit_bitmaps(bold=rng.random() < 0.6),
        linear(np.array((15, 15, 18))),
        dots,
        dot,
        0.4 if worn else float(rng.uniform(0.75, 1.0)),
        0.5 if worn else float(rng.uniform(0.0, 0.15)),
    )


def digit_bitmaps(*, bold: bool) -> NDArray[np.float32]:
    """(11, DIGIT_PX, DIGIT_PX) ink of the numbers, the first (cue ball) empty."""
    bitmaps = np.zeros((11, DIGIT_PX, DIGIT_PX), dtype=np.float32)
    big = DIGIT_PX * 4
    for number in range(1, 11):
        canvas = np.zeros((big, big), dtype=np.uint8)
        text = str(number)
        scale = 4.6 if number < 10 else 3.4
        thick = 18 if bold else 11
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
        at = ((big - w) // 2, (big + h) // 2)
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
        if number in (6, 9):
            y = min(at[1] + 26, big - 6)
            cv2.line(canvas, (at[0], y), (at[0] + w, y), 255, 10, cv2.LINE_AA)
        small = cv2.resize(canvas, (DIGIT_PX, DIGIT_PX), interpolation=cv2.INTER_AREA)
        bitmaps[number] = small.astype(np.float32) / 255.0
    return bitmaps
