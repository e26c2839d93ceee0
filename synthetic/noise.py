"""How simulated detections differ from the truth: noise, blur, drop-outs, confusions.

The product's localizer on rendered frames with the true camera (benchmarks/synthetic_noise.py,
six clips of fixtures/videos): resting balls 0.44 mm median error along an axis, 2.5 mm at the
95th percentile, none of 6918 missed; moving balls 0.64 mm, 0.1 % missed. The defaults are a
little worse than that on purpose, because a camera's own calibration and real light add to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from synthetic.physics.motion import Array


@dataclass(frozen=True)
class NoiseModel:
    """One camera's errors; lengths in pixels unless said otherwise."""

    jitter_px: float = 0.10
    """Standard deviation of a resting ball's centre from frame to frame."""
    place_px: float = 0.20
    """Standard deviation of a resting ball's constant error (light, number, shadow)."""
    field_m: float = 0.0006
    """Size of the calibration's error over the table."""
    along: float = 0.05
    """Error of a moving centre along its streak, as a share of the streak's length."""
    across_px: float = 0.20
    streak: float = 0.08
    """Relative error of a streak's length."""
    least_streak_px: float = 2.0
    """Streaks shorter than this are not seen as such."""
    lost_still: float = 0.002
    lost_moving: float = 0.02
    lost_fast: float = 0.22
    """Chance of a drop-out of a ball that smears over two diameters."""
    lost_alike: float = 0.06
    """Chance for a ball whose colour is near the cloth's."""
    merged: float = 0.08
    """Chance that two touching balls are seen as one, in a frame."""
    stray: float = 0.002
    """False detections a frame on the empty table."""
    stray_hand: float = 0.10
    """False detections a frame while a hand is over the table."""
    named_still: float = 0.97
    named_moving: float = 0.85
    unnamed: float = 0.02


def random_noise(rng: np.random.Generator) -> NoiseModel:
    """Better and worse cameras around the measured values."""
    worse = float(np.exp(rng.normal(0.0, 0.35)))
    return NoiseModel(
        jitter_px=0.10 * worse,
        place_px=0.20 * worse,
        field_m=0.0006 * float(np.exp(rng.normal(0.0, 0.4))),
        along=0.05 * worse,
        across_px=0.2 * worse,
        lost_still=0.002 * worse,
        lost_moving=0.02 * worse,
        lost_fast=min(0.22 * worse, 0.6),
        named_still=1.0 - 0.03 * worse,
        named_moving=max(1.0 - 0.15 * worse, 0.5),
    )


@dataclass(frozen=True, eq=False)
class ErrorField:
    """A calibration's error as a smooth function of the place on the table."""

    terms: Array
    """(2, 6) weights of 1, x, y, xy, x^2, y^2 (x, y in half table lengths)."""

    def at(self, places_m: Array, half_length_m: float) -> Array:
        """Errors (N, 2) in metres at places (N, 2)."""
        x, y = places_m[:, 0] / half_length_m, places_m[:, 1] / half_length_m
        basis = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=1)
        error: Array = basis @ self.terms.T
        return error


def random_field(rng: np.random.Generator, size_m: float) -> ErrorField:
    """A field whose root mean square over the table is about `size_m`."""
    return ErrorField(rng.normal(0.0, size_m * 0.55, size=(2, 6)))
