"""The state of a table's cloth as a map: wear, nap, scuffs, chalk and burns."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from synthetic.physics.motion import Floats
from synthetic.render.surfaces import MAP_MARGIN_M, MAP_PX_PER_M
from synthetic.scene.furniture import Furniture
from synthetic.streams import side_stream
from table.geometry import TableSpec

_SHIFT: Final = 4
"""Bits of the sub-pixel places of OpenCV's drawing."""


def cloth_map(table: TableSpec, furniture: Furniture) -> Floats:
    """(H, W, 2): factor on the cloth's colour about 1, share 0..1 of chalk dust on it.

    Columns run along +x from -(length / 2 + MAP_MARGIN_M), rows along +y.
    """
    width = round((table.length_m + 2 * MAP_MARGIN_M) * MAP_PX_PER_M)
    height = round((table.width_m + 2 * MAP_MARGIN_M) * MAP_PX_PER_M)
    rng = side_stream(np.random.default_rng(furniture.seed), 1)
    factor = np.ones((height, width), dtype=np.float32)
    dust = np.zeros((height, width), dtype=np.float32)
    wear = furniture.wear
    if wear > 0.0:
        factor += wear * _worn(rng, table, (height, width))
        dust += 0.02 * wear * np.clip(_smooth(rng, (height, width), 0.35), 0.0, None)
        _scuffs(rng, factor, dust, wear)
    if furniture.nap > 0.0:
        streaks = rng.standard_normal((height, width), dtype=np.float32)
        grain = cv2.GaussianBlur(streaks, (0, 0), sigmaX=9.0, sigmaY=0.8)
        factor += 0.025 * furniture.nap / max(float(np.std(grain)), 1e-6) * grain
    _marks(rng, table, furniture, factor, dust)
    pair = np.stack([np.clip(factor, 0.3, 1.7), np.clip(dust, 0.0, 0.9)], axis=2)
    return np.ascontiguousarray(pair, dtype=np.float32)


def _smooth(rng: np.random.Generator, size: tuple[int, int], grain_m: float) -> Floats:
    """Noise of unit spread with features of a size."""
    rows = max(round(size[0] / (grain_m * MAP_PX_PER_M)), 2) + 2
    columns = max(round(size[1] / (grain_m * MAP_PX_PER_M)), 2) + 2
    small = rng.standard_normal((rows, columns), dtype=np.float32)
    big = cv2.resize(small, (size[1], size[0]), interpolation=cv2.INTER_CUBIC)
    return big.astype(np.float32, copy=False)


def _spot(
    size: tuple[int, int], table: TableSpec, x: float, y: float, rx: float, ry: float
) -> Floats:
    """A Gaussian spot of height 1 at table coordinates."""
    column = (x + table.length_m / 2 + MAP_MARGIN_M) * MAP_PX_PER_M
    row = (y + table.width_m / 2 + MAP_MARGIN_M) * MAP_PX_PER_M
    u = (np.arange(size[1], dtype=np.float32) - column) / (rx * MAP_PX_PER_M)
    v = (np.arange(size[0], dtype=np.float32) - row) / (ry * MAP_PX_PER_M)
    spot = np.exp(-v * v)[:, None] * np.exp(-u * u)[None, :]
    return spot.astype(np.float32, copy=False)


def _worn(rng: np.random.Generator, table: TableSpec, size: tuple[int, int]) -> Floats:
    """Where the cloth is paler or darker: patches, the rack, the break, brush marks."""
    worn = 0.03 * _smooth(rng, size, 0.5) + 0.012 * _smooth(rng, size, 0.12)
    worn += 0.012 * _smooth(rng, size, 0.03)
    sign = 1.0 if rng.random() < 0.75 else -1.0
    foot = table.length_m / 4
    worn += sign * float(rng.uniform(0.02, 0.12)) * _spot(size, table, foot + 0.06, 0.0, 0.2, 0.17)
    worn += 0.06 * sign * float(rng.random()) * _spot(size, table, -foot, 0.0, 0.1, 0.3)
    worn += 0.05 * sign * float(rng.random()) * _spot(size, table, -0.1, 0.0, 0.9, 0.12)
    if rng.random() < 0.5:
        # The brush leaves stripes along the table.
        stripes = rng.standard_normal((size[0], 1), dtype=np.float32)
        brushed = cv2.GaussianBlur(stripes, (0, 0), sigmaX=0.1, sigmaY=14.0).reshape(-1, 1)
        worn += 0.012 * brushed / max(float(np.std(brushed)), 1e-6)
    return worn.astype(np.float32, copy=False)


def _scuffs(rng: np.random.Generator, factor: Floats, dust: Floats, wear: float) -> None:
    """Scratches, tracks of fast balls, smears of chalk."""
    height, width = factor.shape
    layer = np.zeros((height, width), dtype=np.uint8)
    for _ in range(int(rng.poisson(26 * wear))):
        start = rng.uniform((0.0, 0.0), (width, height))
        angle, length = rng.normal(0.0, 0.9), rng.exponential(26.0) + 4.0
        end = start + length * np.array([math.cos(angle), math.sin(angle)])
        _line(layer, start, end, int(rng.integers(40, 200)), 1)
    soft = cv2.GaussianBlur(layer, (0, 0), 0.6)
    pale = float(rng.uniform(-0.15, 0.3))
    factor += pale * wear * soft.astype(np.float32) / 255.0
    layer[:] = 0
    for _ in range(int(rng.poisson(9 * wear))):
        start = rng.uniform((0.0, 0.0), (width, height))
        end = start + rng.normal(0.0, 26.0, 2)
        _line(layer, start, end, int(rng.integers(30, 120)), int(rng.integers(2, 8)))
    smear = cv2.GaussianBlur(layer, (0, 0), sigmaX=9.0, sigmaY=6.0)
    dust += 0.3 * wear * smear.astype(np.float32) / 255.0


def _line(
    layer: NDArray[np.uint8],
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    value: int,
    thick: int,
) -> None:
    a, b = ((round(float(p[0]) * 16), round(float(p[1]) * 16)) for p in (start, end))
    cv2.line(layer, a, b, value, thick, cv2.LINE_AA, _SHIFT)


def _marks(
    rng: np.random.Generator, table: TableSpec, furniture: Furniture, factor: Floats, dust: Floats
) -> None:
    """Chalk dots and burns, most of them about the spots."""
    height, width = factor.shape
    chalk = np.zeros((height, width), dtype=np.uint8)
    burns = np.zeros((height, width), dtype=np.uint8)
    for _ in range(furniture.marks):
        near = rng.random()
        x, y = rng.uniform(-0.5, 0.5) * table.length_m, rng.uniform(-0.5, 0.5) * table.width_m
        if near < 0.45:
            x, y = table.length_m / 4 + rng.normal(0.05, 0.14), rng.normal(0.0, 0.14)
        elif near < 0.6:
            x, y = -table.length_m / 4 + rng.normal(0.0, 0.1), rng.normal(0.0, 0.2)
        layer = burns if rng.random() < 0.22 else chalk
        at = np.array([x + table.length_m / 2, y + table.width_m / 2]) + MAP_MARGIN_M
        way = rng.normal(0.0, 0.004, 2) * (rng.random() < 0.4)
        value = int(255 * float(rng.uniform(0.08, 0.6)) ** 1.3)
        _line(layer, at * MAP_PX_PER_M, (at + way) * MAP_PX_PER_M, value, int(rng.integers(1, 3)))
    factor *= 1.0 - 0.8 * cv2.GaussianBlur(burns, (0, 0), 0.6).astype(np.float32) / 255.0
    dust += cv2.GaussianBlur(chalk, (0, 0), 0.6).astype(np.float32) / 255.0
    if furniture.marks:
        spot = float(rng.uniform(0.0, 0.12))
        dust += spot * _spot((height, width), table, table.length_m / 4, 0.0, 0.02, 0.02)
