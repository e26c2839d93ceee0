"""How sure a position is: the predicted error of ball positions over the table.

The covariance of the fit carries what the landmarks leave open: the height of a camera that
looks straight down, the lens between the rails, a rail that was half covered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.cloth import Image
from calibration.lens import Array
from calibration.lens_pose import UNKNOWNS, LensPose
from calibration.observations import Observations, on_line
from calibration.solve import Fit, residuals_m

_STEPS: Final = np.array([1e-4, 1e-4, 1e-4, 1e-2, 1e-2, *[1e-5] * 3, *[1e-4] * 7, 1e-2])
_CORRELATED: Final = 1.5
"""Neighbouring sections of a nose err alike (wear, shade), which the covariance ignores."""
_SCATTER: Final = (0.4, 3.0)
_FLOOR_M: Final = 0.0003
"""What no fit can promise: noses are not straighter than this."""
TOP_MM: Final = 4.0
"""Where the colours of the drawn map end."""


@dataclass(frozen=True, eq=False)
class PositionSigma:
    """One standard deviation of ball positions on a grid over the bed."""

    x_m: Array
    """(X,)."""
    y_m: Array
    """(Y,)."""
    sigma_mm: Array
    """(Y, X) root of the sum of both variances."""

    def at(self, points_m: Array) -> Array:
        """(N,) sigma in mm at points (N, 2), linear between the grid's points."""
        column = np.interp(points_m[:, 0], self.x_m, np.arange(len(self.x_m)))
        row = np.interp(points_m[:, 1], self.y_m, np.arange(len(self.y_m)))
        r = np.minimum(row.astype(int), len(self.y_m) - 2)
        c = np.minimum(column.astype(int), len(self.x_m) - 2)
        y, x = row - r, column - c
        s = self.sigma_mm
        upper = s[r, c] * (1 - x) + s[r, c + 1] * x
        lower = s[r + 1, c] * (1 - x) + s[r + 1, c + 1] * x
        value: Array = upper * (1 - y) + lower * y
        return value


def position_sigma(
    fit: Fit, observed: Observations, camera: Camera, columns: int = 17, rows: int = 9
) -> PositionSigma:
    """The predicted error of a perfect pixel mapped to the ball-centre plane.

    Args:
        fit: the fit of the camera, with its covariance.
        observed: what it was fitted to.
        camera: the fitted camera.
    """
    table = camera.table
    a = table.length_m / 2 - table.ball_radius_m
    b = table.width_m / 2 - table.ball_radius_m
    x, y = np.linspace(-a, a, columns), np.linspace(-b, b, rows)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    pixels = camera.project_on_plane(grid)
    variance = np.zeros(len(grid))
    for axis in (0, 1):
        seen = on_line(
            pixels,
            axis=axis,
            target_m=0.0,
            z_m=table.ball_radius_m,
            sigma_m=1.0,
            group="ball",
        )
        jacobian = _numeric_jacobian(fit.pose, seen)
        variance += np.einsum("ni,ij,nj->n", jacobian, fit.covariance, jacobian)
    scale = _CORRELATED * _scatter(fit, observed)
    sigma_m = np.hypot(scale * np.sqrt(np.maximum(variance, 0.0)), _FLOOR_M)
    sigma_mm = 1e3 * sigma_m.reshape(rows, columns)
    return PositionSigma(x, y, sigma_mm)


def _scatter(fit: Fit, observed: Observations) -> float:
    """How much the landmarks scatter about the fit, against what was believed of them."""
    ratio = fit.residual_m / observed.sigma_m
    scatter = float(np.sqrt(np.sum(fit.weight * ratio**2) / np.sum(fit.weight)))
    return float(np.clip(scatter, *_SCATTER))


def _numeric_jacobian(pose: LensPose, seen: Observations) -> Array:
    columns = []
    for index, size in enumerate(_STEPS):
        step = np.zeros(UNKNOWNS)
        step[index] = size
        forward = residuals_m(pose.moved(step), seen)
        backward = residuals_m(pose.moved(-step), seen)
        columns.append((forward - backward) / (2.0 * size))
    return np.stack(columns, axis=1)


def draw_sigma(picture_bgr: Image, camera: Camera, sigma: PositionSigma) -> Image:
    """A copy of the picture with the bed tinted by the predicted error (blue 0, red 4 mm)."""
    table = camera.table
    height, width = picture_bgr.shape[:2]
    step = max(2, width // 320)
    grid = np.stack(np.meshgrid(np.arange(0, width, step), np.arange(0, height, step)), axis=-1)
    places = camera.on_plane(grid.reshape(-1, 2))
    inside = np.all(np.abs(places) < (table.length_m / 2, table.width_m / 2), axis=1)
    values = np.zeros(len(places))
    values[inside] = sigma.at(places[inside])
    level = np.clip(values / TOP_MM * 255.0, 0, 255).astype(np.uint8).reshape(grid.shape[:2])
    size = (width, height)
    tint = cv2.resize(cv2.applyColorMap(level, cv2.COLORMAP_JET), size)
    share = inside.astype(np.float32).reshape(grid.shape[:2])
    mask = cv2.resize(share, size, interpolation=cv2.INTER_LINEAR)[..., None] * 0.45
    blended = picture_bgr * (1.0 - mask) + tint * mask
    return np.asarray(np.clip(blended, 0, 255), dtype=np.uint8)
