"""Where the nose lies beside the dark band under it, which blur moves.

A cushion's nose is bright, the face under it and its shadow on the bed are dark, the bed is
bright again. A camera blurs this band, by a pixel or so, and where the band is as narrow as
the blur the steepest fall of lightness lies outside the nose, by up to a pixel. So the band
itself is fitted: three even parts with two edges of one blur.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.edges import Edges
from calibration.filters import slopes
from calibration.lens import Array

_USUAL_BLUR_PX: Final = 0.9
_BLUR_SIGMA: Final = 0.5
"""How far (log) a picture's blur (standard deviation) may well be off the usual one."""
_USUAL_WIDTH_M: Final = 0.014
_WIDTH_SIGMA: Final = 0.3
"""The same of the band's width, which a blur of its size hides."""
_BELIEF: Final = 0.02
"""What these beliefs weigh, as a share of the band's depth."""
_DARKEST: Final = 0.75
"""Greatest depth of a band before blur, as a share of the cushion's lightness."""
_TOO_DARK: Final = 5.0
_LEAST: Final = np.array([0.0, 0.002, 0.4])
_MOST: Final = np.array([0.0, 0.060, 3.0])
"""Limits of place (0: `_ASTRAY_M` and a pixel), width and blur (the last in pixels)."""
_ASTRAY_M: Final = 0.012
_OUTSIDE_M: Final = 0.012
_LEAST_RISE_M: Final = 0.050
_COARSE_M: Final = 0.0015
"""Strips with larger steps than this serve to find a nose, not to measure it."""
_STEPS: Final = 30
_GRID: Final = np.linspace(-6.0, 6.0, 2401)
_STEP: Final = np.array([0.5 * (1.0 + math.erf(x / math.sqrt(2.0))) for x in _GRID])


@dataclass(frozen=True)
class NoseBand:
    """The dark band inside a nose."""

    nose_m: float
    """Where the nose lies across the strip (v)."""
    width_m: float
    blur_m: float
    """Standard deviation of the blur."""
    depth: float
    """How much darker the band is seen than the cushion top, 8-bit lightness."""


def nose_band(side: Edges, u_m: Array, v_m: Array) -> NoseBand | None:
    """Fit the dark band beside points on a nose.

    Args:
        side: finely cut sections of a rail.
        u_m: (N,) places on the nose, v_m: (N,) where lightness falls there steepest.

    Returns:
        None when there is no dark band: lightness does not rise again inside the nose; or
        when the strip is too coarse to tell.
    """
    if float(side.v_m[1] - side.v_m[0]) > _COARSE_M:
        return None
    rows = np.argmin(np.abs(side.u_m[:, None] - u_m[None, :]), axis=0)
    middle = float(np.median(v_m))
    places = side.v_m - middle
    profile = np.mean(
        [
            np.interp(places + v, side.v_m, side.lab[0, row])
            for row, v in zip(rows, v_m, strict=True)
        ],
        axis=0,
    )
    return fitted_band(side.v_m, profile, middle, side.px_m)


def fitted_band(v_m: Array, profile: Array, fall_m: float, px_m: float) -> NoseBand | None:
    """Fit the band to one profile of lightness (V,) over places v_m (V,).

    Args:
        fall_m: about where lightness falls steepest.
        px_m: size of a pixel.

    Returns:
        None when lightness does not rise again inside.
    """
    step = float(v_m[1] - v_m[0])
    slope = slopes(profile, max(0.5 * px_m / step, 1.0))
    inside = (v_m > fall_m) & (v_m < fall_m + _LEAST_RISE_M)
    if np.count_nonzero(inside) < 4:
        return None
    rise = int(np.argmax(np.where(inside, slope, -np.inf)))
    if slope[rise] <= 0.0:
        return None
    outside_m = max(_OUTSIDE_M, 3.0 * px_m)
    reach = (v_m > fall_m - outside_m) & (v_m < v_m[rise] + 0.5 * px_m)
    v, light = v_m[reach] - fall_m, profile[reach]
    depth = float(np.ptp(light))
    if len(v) < 8 or depth <= 0.0:
        return None
    fits = [
        _least_squares(_Profile(v, light / depth, px_m), np.array([0.0, width, _USUAL_BLUR_PX]))
        for width in (0.6 * _USUAL_WIDTH_M, 1.3 * _USUAL_WIDTH_M)
    ]
    (nose_m, width_m, blur_px), _ = min(fits, key=lambda fit: fit[1])
    return NoseBand(fall_m + float(nose_m), float(width_m), float(blur_px) * px_m, depth)


@dataclass(frozen=True, eq=False)
class _Profile:
    """Lightness across a nose, and the band that may explain it."""

    v_m: Array
    light: Array
    px_m: float

    def rest(self, band: Array) -> Array:
        """What a band (nose, width, blur in pixels) leaves over; its levels are solved for."""
        nose, width, blur = band
        fall = _step((self.v_m - nose) / (blur * self.px_m))
        rise = _step((self.v_m - nose - width) / (blur * self.px_m))
        levels = np.stack([np.ones(len(self.v_m)), rise - fall, rise])
        normal = levels @ levels.T + 1e-9 * np.eye(3)
        solved = np.linalg.solve(normal, levels @ self.light)
        worth = math.sqrt(len(self.v_m)) * _BELIEF
        believed = [
            math.log(blur / _USUAL_BLUR_PX) / _BLUR_SIGMA,
            math.log(width / _USUAL_WIDTH_M) / _WIDTH_SIGMA,
            _TOO_DARK * max(0.0, float(solved[1]) - _DARKEST * float(solved[0])),
        ]
        return np.concatenate([solved @ levels - self.light, worth * np.array(believed)])


def _least_squares(profile: _Profile, start: Array) -> tuple[Array, float]:
    """The band (nose, width, blur in pixels) that fits best, by Levenberg and Marquardt."""
    astray = np.array([_ASTRAY_M + profile.px_m, 0.0, 0.0])
    lowest, highest = _LEAST - astray, _MOST + astray
    unit = 0.02 * np.array([profile.px_m, profile.px_m, 1.0])
    band, damping = start, 1e-2
    rest = profile.rest(band)
    for _ in range(_STEPS):
        moved = [profile.rest(band + step) for step in np.diag(unit)]
        jacobian = (np.column_stack(moved) - rest[:, None]) / unit
        normal = jacobian.T @ jacobian
        damped = normal + damping * np.diag(np.diag(normal) + 1e-9)
        trial = np.clip(band - np.linalg.solve(damped, jacobian.T @ rest), lowest, highest)
        new = profile.rest(trial)
        if new @ new < rest @ rest:
            small = bool(np.all(np.abs(trial - band) < 0.05 * unit))
            band, rest, damping = trial, new, max(damping / 4.0, 1e-6)
            if small:
                break
        elif (damping := damping * 6.0) > 1e6:
            break
    return band, float(rest @ rest)


def _step(x: Array) -> Array:
    return np.asarray(np.interp(x, _GRID, _STEP), dtype=np.float64)
