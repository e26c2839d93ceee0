"""How much white a ball can show: the geometry of number discs and stripes.

A ball of unknown orientation is seen from far away; the white shares of its inner disc and
of the ring around it (vision.appearance) are spread over a 20 x 20 grid for solids and for
stripes. Stripes and number discs as in WPA's equipment specifications (15); makers differ,
so widths are spread too.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.appearance import CORE_RADIUS, RIM_RADIUS

GRID: Final = 20
_ORIENTATIONS = 1200
_BLUR = (1.4, 0.6)
"""Measured shares of disc and ring scatter by about this many grid cells."""
_HIGHLIGHT = (0.04, 0.01)
"""Mean share of lamp reflections in the inner disc and in the ring."""
_FLOOR = {False: 0.005, True: 0.03}
"""Share of solids and of stripes that follow no model (half hidden, dirty, blurred): more
white than the model allows is easier on a stripe."""


def log_density(core: float, rim: float, striped: bool) -> float:
    """Log density of these white shares (each 0..1) for a solid or a striped ball."""
    table = _log_densities(striped)
    row, row_part = _between_cells(core)
    column, column_part = _between_cells(rim)
    upper = (1.0 - column_part) * table[row, column] + column_part * table[row, column + 1]
    lower = (1.0 - column_part) * table[row + 1, column] + column_part * table[row + 1, column + 1]
    return float((1.0 - row_part) * upper + row_part * lower)


def _between_cells(share: float) -> tuple[int, float]:
    """The cell whose centre lies before this share, and how far on toward the next."""
    place = min(GRID - 1.0, max(0.0, share * GRID - 0.5))
    cell = min(GRID - 2, int(place))
    return cell, place - cell


@lru_cache(maxsize=2)
def _log_densities(striped: bool) -> NDArray[np.float64]:
    core, rim = _shares(striped)
    counts, _, _ = np.histogram2d(core, rim, bins=GRID, range=((0.0, 1.0), (0.0, 1.0)))
    smooth = cv2.GaussianBlur(
        counts.astype(np.float64), (0, 0), _BLUR[1], None, _BLUR[0], cv2.BORDER_REFLECT
    )
    density = np.asarray(smooth, np.float64) / float(np.sum(smooth)) * GRID**2
    return np.asarray(np.log((1.0 - _FLOOR[striped]) * density + _FLOOR[striped]))


def _shares(striped: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """White shares of inner disc and ring for evenly spread orientations."""
    points, inner = _seen_points()
    axes, numbers = _directions(_ORIENTATIONS)
    turn = np.linspace(0.0, 1.0, _ORIENTATIONS)
    disc = 0.28 + 0.24 * ((turn * 97.0) % 1.0)
    band = 0.50 + 0.18 * ((turn * 61.0) % 1.0)
    inside = np.abs(numbers @ points.T) > np.sqrt(1.0 - disc**2)[:, None]
    white = 0.85 * inside
    if striped:
        caps = np.abs(axes @ points.T) > band[:, None]
        white = np.maximum(white, caps)
    core = white[:, inner].mean(axis=1)
    shade = 0.55 + 0.60 * ((turn * 41.0) % 1.0)
    rim = white[:, ~inner].mean(axis=1) * shade
    return (
        np.clip(core + _HIGHLIGHT[0] * (1.0 - core), 0.0, 0.999),
        np.clip(rim + _HIGHLIGHT[1] * (1.0 - rim), 0.0, 0.999),
    )


def _seen_points() -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Points of the unit sphere as seen on the disc, and which belong to its inner part."""
    steps = np.linspace(-1.0, 1.0, 25)
    x, y = (axis.ravel() for axis in np.meshgrid(steps, steps))
    squared = x**2 + y**2
    seen = squared < RIM_RADIUS**2
    x, y, squared = x[seen], y[seen], squared[seen]
    points = np.stack([x, y, np.sqrt(1.0 - squared)], axis=1)
    return points, squared < CORE_RADIUS**2


def _directions(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Evenly spread stripe axes (Fibonacci sphere) and number directions square to them."""
    index = np.arange(count) + 0.5
    z = 1.0 - 2.0 * index / count
    around = index * math.pi * (3.0 - math.sqrt(5.0))
    radius = np.sqrt(1.0 - z**2)
    axes = np.stack([radius * np.cos(around), radius * np.sin(around), z], axis=1)
    first = np.cross(axes, np.where(np.abs(z)[:, None] < 0.9, [[0.0, 0, 1]], [[1.0, 0, 0]]))
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(axes, first)
    spin = index * 2.399963 * 1.618034
    return axes, np.cos(spin)[:, None] * first + np.sin(spin)[:, None] * second
