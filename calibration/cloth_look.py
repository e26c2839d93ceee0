"""How a cloth looks over the picture, and what else can be cloth in more or less light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]


@dataclass(frozen=True)
class Limits:
    """How far a colour may be from the cloth's and still be cloth."""

    colour: float
    """Largest deviation of the colour, as a share of its strength."""
    shade: float
    """Least lightness, as a share of the cloth's."""
    grey_shade: float
    """The same for a cloth without colour."""
    light: float
    """Greatest lightness, as a share of the cloth's."""
    grey_light: float
    """The same for a cloth without colour."""


USUAL: Final = Limits(0.22, 0.4, 0.55, 1.6, 1.35)
STRICT: Final = Limits(0.13, 0.65, 0.75, 1.6, 1.35)
NARROW: Final = Limits(0.08, 0.82, 0.85, 1.3, 1.12)
"""Where the rails have the cloth's hue and are nearly as light."""


@dataclass(frozen=True, eq=False)
class ClothLook:
    """How the cloth looks at each place: a quadratic field of Lab colour over the picture."""

    field: Floats
    """(6, 3): coefficients of 1, x, y, xx, xy, yy (x, y from -1 to 1) for L, a, b."""
    low: Floats
    high: Floats
    """(3,) range of the field over the cloth, so that it is never extrapolated."""
    spread: Floats
    """(3,) robust standard deviation about the field."""

    @property
    def colour(self) -> Floats:
        """(3,) 8-bit Lab colour in the middle of the picture, within the cloth's range."""
        colour: Floats = np.clip(self.field[0], self.low, self.high)
        return colour

    def likeness(
        self, lab: Floats32, points_unit: Floats32, limits: Limits = USUAL
    ) -> NDArray[np.bool_]:
        """Which colours can be cloth in more or less light.

        Args:
            lab: (N, 3) 8-bit Lab colours as float.
            points_unit: (N, 2) places in the picture, -1 .. 1 along each side.
            limits: how much deviation and shade is allowed.
        """
        expected = _terms(points_unit) @ self.field.astype(np.float32)
        np.clip(
            expected,
            self.low.astype(np.float32),
            self.high.astype(np.float32),
            out=expected,
        )
        ratio = lab[:, 0] / np.maximum(expected[:, 0], np.float32(1.0))
        a, b = expected[:, 1] - np.float32(128.0), expected[:, 2] - np.float32(128.0)
        dim = np.clip(ratio, 0.25, 1.3)
        off2 = (lab[:, 1] - 128.0 - a * dim) ** 2 + (lab[:, 2] - 128.0 - b * dim) ** 2
        strength2 = a * a + b * b
        noise = min(2.5 * float(np.hypot(self.spread[1], self.spread[2])), 6.0)
        dim2 = np.clip(ratio, 0.35, 1.0) ** 2
        share = np.float32(limits.colour**2)
        limit2 = np.maximum(np.float32((3.5 + noise) ** 2), share * strength2 * dim2)
        is_grey = strength2 < 144.0
        darkest = np.where(is_grey, np.float32(limits.grey_shade), np.float32(limits.shade))
        brightest = np.where(is_grey, np.float32(limits.grey_light), np.float32(limits.light))
        near: NDArray[np.bool_] = (off2 < limit2) & (ratio > darkest) & (ratio < brightest)
        return near


def cloth_like(look: ClothLook, lab: Floats32, limits: Limits = USUAL) -> NDArray[np.bool_]:
    """Which pixels (H, W) of a picture in 8-bit Lab (as float) can be cloth."""
    points = _unit_grid(lab.shape[:2])
    return look.likeness(lab.reshape(-1, 3), points, limits).reshape(lab.shape[:2])


def look_of(lab: Floats32, seed: NDArray[np.bool_]) -> ClothLook:
    """The look of the cloth of which a mask (H, W) shows a part.

    Args:
        lab: (H, W, 3) 8-bit Lab as float.
    """
    points = _unit_grid(seed.shape)[seed.ravel()]
    colours = lab.reshape(-1, 3)[seed.ravel()].astype(np.float64)
    if len(points) > 3000:
        step = len(points) // 3000 + 1
        points, colours = points[::step], colours[::step]
    terms = _terms(points).astype(np.float64)
    keep = np.ones(len(points), dtype=bool)
    field = np.zeros((6, 3))
    spread = np.ones(3)
    for _ in range(3):
        fit = np.linalg.lstsq(terms[keep], colours[keep], rcond=None)[0]
        field = np.asarray(fit, dtype=np.float64)
        rest = colours - terms @ field
        spread = np.maximum(1.4826 * np.median(np.abs(rest[keep]), axis=0), 0.7)
        keep = np.all(np.abs(rest) < 3.5 * spread, axis=1)
    fitted = terms[keep] @ field
    return ClothLook(field, fitted.min(axis=0), fitted.max(axis=0), spread)


def _terms(points_unit: Floats32) -> Floats32:
    x, y = points_unit[:, 0], points_unit[:, 1]
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


def _unit_grid(shape: tuple[int, ...]) -> Floats32:
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    unit = np.stack([x / shape[1] * 2.0 - 1.0, y / shape[0] * 2.0 - 1.0], axis=-1)
    return unit.reshape(-1, 2).astype(np.float32)
