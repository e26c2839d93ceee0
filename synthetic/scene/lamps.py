"""Lamps as rectangular panels that shine down."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from synthetic.physics.motion import Array
from table.geometry import TableSpec


@dataclass(frozen=True)
class Lighting:
    """Panels over the table and the light that comes from everywhere else."""

    panels: Array
    """(K, 9): centre x, y, z; half sizes x, y; r, g, b of the power; radiance seen in balls."""
    ambient: float = 0.25
    """Light from ceiling and walls against the panels' light at the centre spot."""
    ambient_rgb: tuple[float, float, float] = (1.0, 1.0, 1.0)
    ceiling: float = 0.05
    """Radiance of the ceiling as mirrored in balls."""
    flicker: float = 0.0
    """Relative amplitude of the mains flicker."""
    flicker_hz: float = 100.0


def irradiance(lighting: Lighting, point: tuple[float, float, float]) -> float:
    """Light of all panels on a level surface at a point (mean of r, g, b)."""
    total = 0.0
    for panel in lighting.panels:
        d = panel[:3] - np.array(point)
        r2 = float(d @ d)
        cosine = float(d[2]) / r2**0.5
        total += float(panel[5:8].mean()) * cosine * cosine / r2
    return total


def balanced(panels: Array, table: TableSpec) -> Array:
    """Panels scaled so that the level cloth gets light 1 on average."""
    del table
    points = [(x, y, 0.0) for x in (-0.8, 0.0, 0.8) for y in (-0.3, 0.3)]
    mean = float(np.mean([irradiance(Lighting(panels), p) for p in points]))
    scaled = panels.copy()
    scaled[:, 5:8] /= mean
    return scaled


def panel_row(
    rng: np.random.Generator, table: TableSpec, count: int, height_m: float, tint: Array
) -> Array:
    """`count` panels along the long string (a lamp over a home or hall table)."""
    xs = (np.arange(count) - (count - 1) / 2) * table.length_m * 0.7 / max(count - 1, 1)
    half_x = min(float(rng.uniform(0.05, 0.3)), table.length_m * 0.3 / count)
    half_y = float(rng.uniform(0.03, 0.2))
    rows = [[x, 0.0, height_m, half_x, half_y, *tint, 1.0] for x in xs]
    return np.array(rows)


def panel_frame(rng: np.random.Generator, table: TableSpec, height_m: float, tint: Array) -> Array:
    """Eight panels in a ring (the light of a television table)."""
    a, b = table.length_m * 0.5, table.width_m * 0.55
    width = float(rng.uniform(0.012, 0.06))
    rows = [
        [x, y, height_m, a / 3.2, width, *tint, 1.0]
        for x in (-a / 1.6, 0.0, a / 1.6)
        for y in (-b, b)
    ]
    rows += [[x, 0.0, height_m, width, b * 0.7, *tint, 1.0] for x in (-a * 1.1, a * 1.1)]
    return np.array(rows)


def ceiling_spots(
    rng: np.random.Generator, table: TableSpec, height_m: float, tint: Array
) -> Array:
    """A few small ceiling lamps, anywhere over the room."""
    count = int(rng.integers(3, 7))
    rows = []
    for _ in range(count):
        x = rng.uniform(-0.8, 0.8) * table.length_m
        y = rng.uniform(-1.0, 1.0) * table.width_m
        size = rng.uniform(0.03, 0.16)
        strength = tint * rng.uniform(0.6, 1.4)
        rows.append([x, y, height_m, size, size * rng.uniform(0.3, 1.0), *strength, 1.0])
    return np.array(rows)


def relit(side: np.random.Generator, lighting: Lighting, table: TableSpec) -> Lighting:
    """The room's lamps as halls have them more often: close rows, big soft light, one hard lamp."""
    tint = lighting.panels[0, 5:8] / max(float(lighting.panels[0, 5:8].mean()), 1e-9)
    choice = side.random()
    ambient = float(side.uniform(0.25, 1.1))
    if choice < 0.5:
        panels = _close_row(side, table, tint)
    elif choice < 0.66:
        panels = _close_row(side, table, tint, count=1)
        panels[:, 3:5] = (table.length_m * side.uniform(0.35, 0.5), side.uniform(0.2, 0.5))
        ambient = float(side.uniform(0.7, 1.8))
    elif choice < 0.76:
        panels = _hard_lamp(side, table, tint)
    else:
        panels = lighting.panels.copy()
    panels = balanced(panels, table)
    panels[:, 8] = mirror_radiance(panels)
    return replace(lighting, panels=panels, ambient=ambient)


def mirror_radiance(panels: Array) -> Array:
    """Radiance of the panels' mirror images: a panel of intensity I and area A has pi I / A.

    In units where a white surface in light 1 has radiance 1. A bare tube is brighter; its
    image is smaller than what a picture of a ball can show.
    """
    area = 4.0 * panels[:, 3] * panels[:, 4]
    radiance: Array = np.clip(np.pi / area, 4.0, 90.0)
    return radiance


def _close_row(
    side: np.random.Generator, table: TableSpec, tint: Array, count: int | None = None
) -> Array:
    """Panels close above the table, along it, not always over its middle."""
    n = int(side.integers(2, 5)) if count is None else count
    height = float(side.uniform(0.75, 1.25))
    xs = (np.arange(n) - (n - 1) / 2) * table.length_m * side.uniform(0.55, 0.85) / max(n - 1, 1)
    half_x = min(float(side.uniform(0.12, 0.4)), table.length_m * 0.42 / n)
    half_y = float(side.uniform(0.05, 0.22))
    y = float(side.normal(0.0, 0.07))
    return np.array([[x, y, height, half_x, half_y, *tint, 1.0] for x in xs])


def _hard_lamp(side: np.random.Generator, table: TableSpec, tint: Array) -> Array:
    """One lamp off the axis, small: hard shadows to one side."""
    x = float(side.uniform(-0.6, 0.6)) * table.length_m
    y = float(side.choice([-1.0, 1.0])) * float(side.uniform(0.2, 0.9))
    size = float(side.uniform(0.04, 0.14))
    return np.array([[x, y, float(side.uniform(1.6, 2.4)), size, size, *tint, 1.0]])
