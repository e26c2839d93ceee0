"""The lens: OpenCV's pinhole model with radial and tangential distortion, both directions.

Normalised coordinates are x/z, y/z in the camera frame (x right, y down, z forward);
pixels have the centre of the first pixel at (0, 0). Model and order of coefficients
k1, k2, p1, p2, k3: OpenCV documentation, "Camera Calibration and 3D Reconstruction".
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_MAX_STEPS: Final = 30
_CONVERGED: Final = 1e-10


def distort(points_norm: Array, dist: Array) -> Array:
    """Apply the lens distortion.

    Args:
        points_norm: (N, 2) ideal normalised coordinates.
        dist: (5,) k1, k2, p1, p2, k3.

    Returns:
        (N, 2) distorted normalised coordinates.
    """
    k1, k2, p1, p2, k3 = dist
    x, y = points_norm[:, 0], points_norm[:, 1]
    r2 = x * x + y * y
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    xy = x * y
    return np.stack(
        [
            x * radial + 2.0 * p1 * xy + p2 * (r2 + 2.0 * x * x),
            y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * xy,
        ],
        axis=1,
    )


def distortion_jacobian(points_norm: Array, dist: Array) -> Array:
    """Derivative (N, 2, 2) of `distort` at ideal normalised coordinates (N, 2)."""
    k1, k2, p1, p2, k3 = dist
    x, y = points_norm[:, 0], points_norm[:, 1]
    r2 = x * x + y * y
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = 2.0 * (k1 + r2 * (2.0 * k2 + 3.0 * k3 * r2))
    jacobian = np.empty((len(points_norm), 2, 2))
    jacobian[:, 0, 0] = radial + slope * x * x + 2.0 * p1 * y + 6.0 * p2 * x
    jacobian[:, 0, 1] = slope * x * y + 2.0 * p1 * x + 2.0 * p2 * y
    jacobian[:, 1, 0] = jacobian[:, 0, 1]
    jacobian[:, 1, 1] = radial + slope * y * y + 6.0 * p1 * y + 2.0 * p2 * x
    return jacobian


def undistort(points_norm: Array, dist: Array) -> Array:
    """Invert `distort` by Newton's method, which strong distortion needs.

    Started at the distorted point it converges monotonically for a barrel (concave
    radius) and for a pincushion (convex radius).

    Args:
        points_norm: (N, 2) distorted normalised coordinates.
        dist: (5,) k1, k2, p1, p2, k3.

    Returns:
        (N, 2) ideal normalised coordinates, NaN where no ray of this lens reaches the
        point (outside the image circle of the model).
    """
    target = np.asarray(points_norm, dtype=np.float64)
    if not np.any(dist):
        return target.copy()
    ideal = target.copy()
    error = distort(ideal, dist) - target
    for _ in range(_MAX_STEPS):
        if not np.any(np.abs(error) > _CONVERGED):
            break
        ideal -= _newton_step(distortion_jacobian(ideal, dist), error)
        error = distort(ideal, dist) - target
    jacobian = distortion_jacobian(ideal, dist)
    determinant = jacobian[:, 0, 0] * jacobian[:, 1, 1] - jacobian[:, 0, 1] * jacobian[:, 1, 0]
    lost = ~(np.max(np.abs(error), axis=1, initial=0.0) < 1e-7) | (determinant <= 0.0)
    ideal[lost] = np.nan
    return ideal


def _newton_step(jacobian: Array, error: Array) -> Array:
    a, b = jacobian[:, 0, 0], jacobian[:, 0, 1]
    c, d = jacobian[:, 1, 0], jacobian[:, 1, 1]
    determinant = a * d - b * c
    safe = np.where(np.abs(determinant) < 1e-6, 1e-6, determinant)
    step = np.stack([d * error[:, 0] - b * error[:, 1], a * error[:, 1] - c * error[:, 0]], axis=1)
    step /= safe[:, None]
    return np.clip(step, -0.5, 0.5)


def turning_radius(dist: Array, limit: float = 4.0) -> float:
    """The ideal normalised radius up to which the radial distortion stays one-to-one.

    Beyond it the polynomial folds back and projected points are meaningless.
    """
    k1, k2, _, _, k3 = (float(value) for value in dist)
    roots = np.roots([7.0 * k3, 5.0 * k2, 3.0 * k1, 1.0])
    squares = [root.real for root in roots if abs(root.imag) < 1e-9 and root.real > 0.0]
    return min([limit, *(float(np.sqrt(square)) for square in squares)])
