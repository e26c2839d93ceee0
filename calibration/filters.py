"""Smoothing, slopes and running maxima along the last axis of an array.

By OpenCV, which is loaded anyway: `scipy.ndimage` gives the same numbers, but its import
takes a fifth of a second, more than a tenth of a whole calibration.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.lens import Array

_REACH: Final = 4.0
"""Where a Gaussian is cut off, in standard deviations."""


def smoothed(values: Array, sigma: float) -> Array:
    """Values (..., N) after a Gaussian of `sigma` samples; beyond the ends they are mirrored."""
    return _along(values, _gaussian(sigma))


def slopes(values: Array, sigma: float) -> Array:
    """Derivative (..., N) of the values after a Gaussian of `sigma` samples, per sample."""
    kernel = _gaussian(sigma)
    reach = len(kernel) // 2
    return _along(values, kernel * np.arange(-reach, reach + 1) / sigma**2)


def smoothed_picture(values: Array, sigma_rows: float, sigma_columns: float) -> Array:
    """Values (H, W) after a Gaussian of so many samples along each axis."""
    across = _along(np.ascontiguousarray(values.T), _gaussian(sigma_rows)).T
    return _along(np.ascontiguousarray(across), _gaussian(sigma_columns))


def largest_near(values: Array, reach: int) -> Array:
    """The largest (..., N) among each value and `reach` neighbours on both sides."""
    return _largest(values, 2 * reach + 1, reach)


def largest_before(values: Array, count: int) -> Array:
    """The largest (..., N) among each value and the `count` - 1 before it."""
    return _largest(values, count, count - 1)


def _gaussian(sigma: float) -> Array:
    reach = int(_REACH * sigma + 0.5)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights: Array = kernel / kernel.sum()
    return weights


def _along(values: Array, kernel: Array) -> Array:
    rows = np.asarray(values, dtype=np.float64).reshape(-1, values.shape[-1])
    filtered = cv2.sepFilter2D(rows, cv2.CV_64F, kernel, np.ones(1), borderType=cv2.BORDER_REFLECT)
    return np.asarray(filtered, dtype=np.float64).reshape(values.shape)


def _largest(values: Array, count: int, before: int) -> Array:
    rows = np.asarray(values, dtype=np.float64).reshape(-1, values.shape[-1])
    kernel = np.ones((1, count), np.uint8)
    largest = cv2.dilate(rows, kernel, anchor=(before, 0))
    return np.asarray(largest, dtype=np.float64).reshape(values.shape)
