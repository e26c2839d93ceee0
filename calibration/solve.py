"""From landmarks to the camera: one robust fit of lens and pose.

Every observation is a pixel that lies on a line x = const or y = const of the table at a
known height. Noses give many of them, pocket axes and rail sights a few. The fit is a
Levenberg-Marquardt minimisation of Cauchy-weighted residuals in metres plus priors.

What cannot be seen from the landmarks is held by the priors: a camera that looks straight
down cannot tell focal length from height. The landmarks lie at the height of the noses,
7.7 mm above the plane of the ball centres, so a height wrong by 30 % moves a ball at the
end rail by about 1 mm only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Array, distortion_jacobian, undistort
from calibration.lens_pose import UNKNOWNS, LensPose, LensPrior
from calibration.observations import Y_AXIS, Observations

_CAUCHY: Final = 2.0
_LOST: Final = 50.0
_HEAVY: Final = np.array([1, 6, 8])
"""The priors with heavy tails: bend1, the table's stretch and that of the sights."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted camera and how well it fits."""

    pose: LensPose
    residual_m: Array
    """(N,) signed distance of each observation from its line."""
    weight: Array
    """(N,) robust weight, 1 for an inlier, near 0 for an outlier."""
    covariance: Array
    """(16, 16) of the unknowns, in the order of `LensPose.moved`."""
    cost: float


def residuals_m(pose: LensPose, observed: Observations) -> Array:
    """Signed distances (N,) in metres of the observations from their lines."""
    normal = (observed.points_px - pose.center_px) / pose.focal_px
    ideal = undistort(normal, pose.dist)
    rays = np.column_stack([ideal, np.ones(len(ideal))]) @ pose.rotation
    camera = -pose.rotation.T @ pose.translation_m
    down = np.where(rays[:, 2] < -1e-6, rays[:, 2], np.nan)
    reach = (heights_m(pose, observed) - camera[2]) / down
    rows = np.arange(len(observed))
    value = camera[observed.axis] + reach * rays[rows, observed.axis]
    distance = value - observed.border_sign * pose.cushion_m - observed.shared_m * pose.nose_bias
    stretch = pose.stretch * (observed.axis == Y_AXIS) + pose.sight_stretch * observed.are_sights
    distance -= observed.target_m * (1.0 + stretch)
    return np.asarray(np.nan_to_num(distance, nan=_LOST, posinf=_LOST, neginf=-_LOST))


def heights_m(pose: LensPose, observed: Observations) -> Array:
    """Heights (N,) of the observed lines above the cloth."""
    heights: Array = observed.z_m + observed.on_rail * pose.rise_m
    return heights


def fit_camera(
    start: LensPose,
    observed: Observations,
    prior: LensPrior,
    image_size: tuple[int, int],
    *,
    steps: int = 40,
) -> Fit:
    """Fit lens and pose to the observations, starting from `start`."""
    pose = start
    damping = 1e-3
    lines = _lines(observed)
    weight, residual, cost = _cost(pose, observed, lines, prior, image_size)
    for _ in range(steps):
        jacobian, prior_jacobian = _jacobians(pose, observed, prior, image_size)
        scaled = jacobian * (np.sqrt(weight) / observed.sigma_m)[:, None]
        error = residual * np.sqrt(weight) / observed.sigma_m
        rest = _prior_residuals(pose, prior, image_size)
        tail = 1.0 / np.sqrt(1.0 + (rest[_HEAVY] / _CAUCHY) ** 2)
        rest[_HEAVY] *= tail
        prior_jacobian[_HEAVY] *= tail[:, None]
        normal = scaled.T @ scaled + prior_jacobian.T @ prior_jacobian
        gradient = scaled.T @ error + prior_jacobian.T @ rest
        for line in lines:
            column = np.sqrt(weight[line.rows]) / observed.sigma_m[line.rows]
            shared = scaled[line.rows].T @ column / (column @ column + line.precision)
            normal -= np.outer(shared, scaled[line.rows].T @ column)
            gradient -= shared * float(column @ error[line.rows])
        improved = False
        for _ in range(6):
            damped = normal + damping * np.diag(np.diag(normal) + 1e-9)
            step = np.asarray(-np.linalg.solve(damped, gradient), dtype=np.float64)
            trial = pose.moved(step)
            new_weight, new_residual, new_cost = _cost(trial, observed, lines, prior, image_size)
            if new_cost < cost:
                improved = True
                break
            damping *= 8.0
        if not improved:
            break
        gain = cost - new_cost
        pose, weight, residual, cost = trial, new_weight, new_residual, new_cost
        damping = max(damping / 5.0, 1e-9)
        if gain < 1e-5 * max(cost, 1e-3):
            break
    jacobian, prior_jacobian = _jacobians(pose, observed, prior, image_size)
    scaled = jacobian * (np.sqrt(weight) / observed.sigma_m)[:, None]
    information = scaled.T @ scaled + prior_jacobian.T @ prior_jacobian
    for line in lines:
        column = np.sqrt(weight[line.rows]) / observed.sigma_m[line.rows]
        shared = scaled[line.rows].T @ column
        information -= np.outer(shared, shared) / (column @ column + line.precision)
    covariance = np.asarray(np.linalg.pinv(information), dtype=np.float64)
    return Fit(pose, residual, weight, covariance, cost)


@dataclass(frozen=True, eq=False)
class _Line:
    """Observations of one line and group, which may all lie off by one common distance.

    The distance is an unknown with a prior; it is eliminated wherever it would appear.
    """

    rows: NDArray[np.int64]
    precision: float
    """1 / variance of the common distance."""


def _lines(observed: Observations) -> list[_Line]:
    keys = [
        f"{group} {axis} {target:.4f} {sign:.0f}"
        for group, axis, target, sign in zip(
            observed.group, observed.axis, observed.target_m, observed.border_sign, strict=True
        )
    ]
    found = []
    for key in sorted(set(keys)):
        rows = np.flatnonzero(np.array(keys) == key)
        sigma = float(observed.common_sigma_m[rows[0]])
        if sigma > 0.0:
            found.append(_Line(rows, 1.0 / sigma**2))
    return found


def _common_m(residual: Array, sigma_m: Array, line: _Line) -> float:
    """The common distance of a line's observations that costs least, robustly."""
    off = residual[line.rows]
    precision = 1.0 / sigma_m[line.rows] ** 2
    common = float(np.median(off))
    for _ in range(3):
        weight = precision / (1.0 + ((off - common) / sigma_m[line.rows] / _CAUCHY) ** 2)
        common = float(weight @ off) / float(weight.sum() + line.precision)
    return common


def _cost(
    pose: LensPose,
    observed: Observations,
    lines: Sequence[_Line],
    prior: LensPrior,
    image_size: tuple[int, int],
) -> tuple[Array, Array, float]:
    residual = residuals_m(pose, observed)
    own = residual.copy()
    together = 0.0
    for line in lines:
        common = _common_m(residual, observed.sigma_m, line)
        own[line.rows] -= common
        together += common**2 * line.precision
    ratio = (own / observed.sigma_m / _CAUCHY) ** 2
    rest = _prior_residuals(pose, prior, image_size)
    heavy = rest[_HEAVY]
    believed = float(rest @ rest - heavy @ heavy)
    believed += _CAUCHY**2 * float(np.sum(np.log1p((heavy / _CAUCHY) ** 2)))
    cost = float(_CAUCHY**2 * np.sum(np.log1p(ratio))) + believed + together
    return 1.0 / (1.0 + ratio), residual, cost


def _prior_residuals(pose: LensPose, prior: LensPrior, image_size: tuple[int, int]) -> Array:
    side = max(image_size)
    center = prior.center_px(image_size)
    off_center = (pose.center_px - center) / (prior.center_sigma_share * side)
    edge = side / 2.0 / pose.focal_px
    coupled = prior.bend2_per_bend1_squared
    shorter = prior.focal_per_bend1 * min(pose.k1 * edge**2, 0.0)
    return np.array(
        [
            (np.log(pose.focal_px / (prior.focal_share * side)) - shorter) / prior.focal_sigma,
            (pose.k1 * edge**2 - prior.bend1) / prior.bend1_sigma,
            ((pose.k2 - coupled * pose.k1**2) * edge**4 - prior.bend2) / prior.bend2_sigma,
            *off_center,
            (pose.cushion_m - prior.cushion_m) / prior.cushion_sigma_m,
            pose.stretch / prior.stretch_sigma,
            (pose.rise_m - prior.rise_m) / prior.rise_sigma_m,
            pose.sight_stretch / prior.sight_stretch_sigma,
            pose.nose_bias,
        ]
    )


def _jacobians(
    pose: LensPose,
    observed: Observations,
    prior: LensPrior,
    image_size: tuple[int, int],
) -> tuple[Array, Array]:
    """Derivatives of the residuals and of the priors by a step (see `LensPose.moved`).

    With the ray p = (x, y, 1) in the camera, the camera's place C and the table ray
    r = R^T p, a residual is C_a + reach * r_a; every unknown moves C or r, and
    q = e_a - (r_a / r_z) e_z carries both into the residual.
    """
    normal = (observed.points_px - pose.center_px) / pose.focal_px
    ideal = undistort(normal, pose.dist)
    count = len(observed)
    seen = np.column_stack([ideal, np.ones(count)])
    rays = seen @ pose.rotation
    camera = -pose.rotation.T @ pose.translation_m
    reach = (heights_m(pose, observed) - camera[2]) / rays[:, 2]
    rows = np.arange(count)
    q = np.zeros((count, 3))
    q[rows, observed.axis] = 1.0
    q[:, 2] -= rays[rows, observed.axis] / rays[:, 2]
    q_camera = q @ pose.rotation.T
    by_ideal = reach[:, None] * q_camera[:, :2]
    jacobian = np.empty((count, UNKNOWNS))
    by_normal = np.einsum("ni,nij->nj", by_ideal, _inverse(distortion_jacobian(ideal, pose.dist)))
    r2 = np.sum(ideal**2, axis=1)
    along = np.sum(by_normal * ideal, axis=1)
    jacobian[:, 0] = -np.sum(by_normal * normal, axis=1)
    jacobian[:, 1] = -along * r2 * (1.0 + 3.0 * pose.k3_per_k1_cubed * pose.k1**2 * r2**2)
    jacobian[:, 2] = -along * r2**2
    jacobian[:, 3:5] = -by_normal / pose.focal_px
    jacobian[:, 5:8] = np.cross(q_camera, reach[:, None] * seen - pose.translation_m)
    jacobian[:, 8:11] = -q_camera
    jacobian[:, 11] = -observed.border_sign
    jacobian[:, 12] = -observed.target_m * (observed.axis == Y_AXIS)
    jacobian[:, 13] = observed.on_rail * rays[rows, observed.axis] / rays[:, 2]
    jacobian[:, 14] = -observed.target_m * observed.are_sights
    jacobian[:, 15] = -observed.shared_m
    side = max(image_size)
    edge = side / 2.0 / pose.focal_px
    prior_jacobian = np.zeros((10, UNKNOWNS))
    barrel = prior.focal_per_bend1 * edge**2 if pose.k1 < 0.0 else 0.0
    prior_jacobian[0, 0] = (1.0 + 2.0 * barrel * pose.k1) / prior.focal_sigma
    prior_jacobian[0, 1] = -barrel / prior.focal_sigma
    prior_jacobian[1, :2] = np.array([-2.0 * pose.k1, 1.0]) * edge**2 / prior.bend1_sigma
    coupled = prior.bend2_per_bend1_squared
    beyond = pose.k2 - coupled * pose.k1**2
    prior_jacobian[2, 0] = -4.0 * beyond * edge**4 / prior.bend2_sigma
    prior_jacobian[2, 1] = -2.0 * coupled * pose.k1 * edge**4 / prior.bend2_sigma
    prior_jacobian[2, 2] = edge**4 / prior.bend2_sigma
    prior_jacobian[3, 3] = prior_jacobian[4, 4] = 1.0 / (prior.center_sigma_share * side)
    prior_jacobian[5, 11] = 1.0 / prior.cushion_sigma_m
    prior_jacobian[6, 12] = 1.0 / prior.stretch_sigma
    prior_jacobian[7, 13] = 1.0 / prior.rise_sigma_m
    prior_jacobian[8, 14] = 1.0 / prior.sight_stretch_sigma
    prior_jacobian[9, 15] = 1.0
    return np.nan_to_num(jacobian), prior_jacobian


def _inverse(matrices: Array) -> Array:
    a, b, c, d = (matrices[:, i, j] for i in (0, 1) for j in (0, 1))
    determinant = a * d - b * c
    safe = np.where(np.abs(determinant) < 1e-9, 1e-9, determinant)
    inverse = np.stack([np.stack([d, -b], axis=1), np.stack([-c, a], axis=1)], axis=1)
    result: Array = inverse / safe[:, None, None]
    return result
