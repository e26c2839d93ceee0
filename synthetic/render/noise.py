"""Procedural noise for surfaces: the same place gives the same value."""

from __future__ import annotations

import math

from synthetic.jit import compiled


@compiled
def lattice(i: int, j: int, seed: int) -> float:
    """A pseudo-random value in 0..1 for a lattice point."""
    h = (i * 374761393 + j * 668265263 + seed * 974634777) & 0x7FFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0x7FFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFFFF) / 16777215.0


@compiled
def value_noise(x: float, y: float, seed: int) -> float:
    """Smooth noise in 0..1 with features of size 1."""
    fx, fy = math.floor(x), math.floor(y)
    i, j = int(fx), int(fy)
    u, v = x - fx, y - fy
    u, v = u * u * (3.0 - 2.0 * u), v * v * (3.0 - 2.0 * v)
    top = lattice(i, j, seed) * (1.0 - u) + lattice(i + 1, j, seed) * u
    bottom = lattice(i, j + 1, seed) * (1.0 - u) + lattice(i + 1, j + 1, seed) * u
    return top * (1.0 - v) + bottom * v


@compiled
def fractal_noise(x: float, y: float, octaves: int, seed: int) -> float:
    """Sum of octaves, centred on 0, about -0.5..0.5."""
    total, weight, scale = 0.0, 0.5, 1.0
    for octave in range(octaves):
        total += weight * (value_noise(x * scale, y * scale, seed + octave) - 0.5)
        weight *= 0.5
        scale *= 2.03
    return total


@compiled
def smoothstep(low: float, high: float, x: float) -> float:
    """0 below `low`, 1 above `high`, smooth between."""
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)
