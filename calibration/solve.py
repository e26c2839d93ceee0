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
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Array, distortion_jacobian, undistort

X_AXIS: Final = 0
Y_AXIS: Final = 1

_CAUCHY: Final = 2.0
_LOST: Final = 50.0
_HEAVY: Final = np.array([1, 6])
"""The priors with heavy tails: bend1 and the table's stretch."""


@dataclass(frozen=True, eq=False)
class Observations:
    """Pixels on lines of the table; parallel arrays of length N."""

    points_px: Array
    """(N, 2)."""
    z_m: Array
    """(N,) height of the line."""
    axis: NDArray[np.int64]
    """(N,) 0: the line is x = target, 1: y = target."""
    target_m: Array
    """(N,) the line's coordinate."""
    sigma_m: Array
    """(N,) standard deviation of one observation at the table."""
    border_sign: Array
    """(N,) +1/-1 where the unknown width of the cushion tops is added to the target."""
    group: NDArray[np.str_]
    """(N,) what was observed, e.g. "HEAD", "sight"."""
    common_sigma_m: Array
    """(N,) how far all observations of one line and group may lie off together."""

    def __len__(self) -> int:
        return len(self.points_px)

    def where(self, keep: NDArray[np.bool_]) -> Observations:
        """The observations selected by a mask (N,)."""
        return Observations(
            self.points_px[keep],
            self.z_m[keep],
            self.axis[keep],
            self.target_m[keep],
            self.sigma_m[keep],
            self.border_sign[keep],
            self.group[keep],
            self.common_sigma_m[keep],
        )


def on_line(
    points_px: Array,
    *,
    axis: int,
    target_m: float,
    z_m: float,
    sigma_m: float,
    group: str,
    border_sign: float = 0.0,
    common_sigma_m: float = 0.0,
) -> Observations:
    """Observations of pixels (N, 2) on one line of the table."""
    count = len(points_px)
    return Observations(
        np.asarray(points_px, dtype=np.float64).reshape(-1, 2),
        np.full(count, z_m),
        np.full(count, axis, dtype=np.int64),
        np.full(count, target_m),
        np.full(count, sigma_m),
        np.full(count, border_sign),
        np.full(count, group, dtype="<U16"),
        np.full(count, common_sigma_m),
    )


def joined(parts: Sequence[Observations]) -> Observations:
    """Several sets of observations as one."""
    return Observations(
        np.concatenate([part.points_px for part in parts]),
        np.concatenate([part.z_m for part in parts]),
        np.concatenate([part.axis for part in parts]),
        np.concatenate([part.target_m for part in parts]),
        np.concatenate([part.sigma_m for part in parts]),
        np.concatenate([part.border_sign for part in parts]),
        np.concatenate([part.group for part in parts]),
        np.concatenate([part.common_sigma_m for part in parts]),
    )


@dataclass(frozen=True)
class LensPrior:
    """What is believed about the lens before the landmarks are seen.

    The focal length is log-normal about 0.9 of the longer image side (58 degrees; phones,
    webcams and hall cameras lie between 40 and 90 degrees), and shorter where the lens bends
    strongly, for wide lenses do. Distortion is believed in as a
    shift at the middle of the shorter picture edge (half the longer side from the middle),
    as a share of that distance, so that it does not depend on the focal length.
    """

    focal_share: float = 0.9
    focal_sigma: float = 0.30
    focal_per_bend1: float = 1.4
    """How much shorter the focal length is (log) for a barrel of bend1 -1: a webcam of 107
    degrees has bend1 -0.45."""
    bend1: float = -0.01
    bend1_sigma: float = 0.03
    """k1 (side / 2 / f)^2: the shift by k1; heavy tails, for wide webcams bend by 0.3."""
    bend2: float = 0.0
    bend2_sigma: float = 0.012
    """k2 (side / 2 / f)^4: the shift by k2, beyond what goes with k1."""
    bend2_per_bend1_squared: float = 1.0
    """Wide lenses bend back at the edge: 1.0 measured on a webcam (k1 -0.31, k2 0.10); an
    equidistant fisheye has 1.8."""
    k3_per_k1_cubed: float = 0.5
    """k3 is not fitted but goes with k1 (0.5 measured on the same webcam)."""
    center_offset_share: tuple[float, float] = (0.0, 0.0)
    """Where the principal point lies from the picture's middle, as a share of the side."""
    center_sigma_share: float = 0.008
    """Standard deviation of the principal point, as a share of the longer side."""
    fixed_dist: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """p1, p2, k3: not fitted."""
    cushion_m: float = 0.052
    """Width of the cushion tops (nose to rail): 2 inches, in fact 45 to 67 mm on real tables."""
    cushion_sigma_m: float = 0.005
    stretch_sigma: float = 0.002
    """Standard deviation of the table's width as a share; its tails are heavy, because home
    tables are not always 2 : 1 (WPA specification 3 allows 3 mm)."""

    def center_px(self, image_size: tuple[int, int]) -> Array:
        """The believed principal point in pixels."""
        middle = (np.array(image_size, dtype=np.float64) - 1.0) / 2.0
        center: Array = middle + np.array(self.center_offset_share) * max(image_size)
        return center

    @property
    def is_measured(self) -> bool:
        """True when the lens is known from a lens file."""
        return self.bend1_sigma < 0.01

    def start_k1_k2(self, image_size: tuple[int, int], focal_px: float) -> tuple[float, float]:
        """k1 and k2 as believed, 0 where little is known."""
        edge = max(image_size) / 2.0 / focal_px
        if not self.is_measured:
            return (0.0, 0.0)
        return (self.bend1 / edge**2, self.bend2 / edge**4)


@dataclass(frozen=True, eq=False)
class LensPose:
    """The unknowns of the fit."""

    focal_px: float
    k1: float
    k2: float
    center_px: Array
    rotation: Array
    translation_m: Array
    cushion_m: float
    stretch: float = 0.0
    """Width of the table beyond its measures, as a share."""
    fixed_dist: Array = field(default_factory=lambda: np.zeros(3))
    """p1, p2, k3: zero, or from a lens file."""
    k3_per_k1_cubed: float = 0.0
    """k3 beyond its fixed part, as a share of k1^3."""

    @property
    def camera_matrix(self) -> Array:
        """K, 3x3."""
        f, (cx, cy) = self.focal_px, self.center_px
        return np.array([[f, 0.0, cx], [0.0, f, cy], [0.0, 0.0, 1.0]])

    @property
    def dist(self) -> Array:
        """(5,) k1, k2, p1, p2, k3."""
        p1, p2, k3 = self.fixed_dist
        return np.array([self.k1, self.k2, p1, p2, k3 + self.k3_per_k1_cubed * self.k1**3])

    def moved(self, step: Array) -> LensPose:
        """A step in the unknowns: log f, k1, k2, cx, cy, rotation (3), t (3), cushion,
        stretch."""
        turn, _ = cv2.Rodrigues(np.asarray(step[5:8], dtype=np.float64))
        return LensPose(
            self.focal_px * float(np.exp(np.clip(step[0], -1.0, 1.0))),
            self.k1 + float(step[1]),
            self.k2 + float(step[2]),
            self.center_px + step[3:5],
            turn @ self.rotation,
            self.translation_m + step[8:11],
            self.cushion_m + float(step[11]),
            self.stretch + float(step[12]),
            self.fixed_dist,
            self.k3_per_k1_cubed,
        )


UNKNOWNS: Final = 13


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted camera and how well it fits."""

    pose: LensPose
    residual_m: Array
    """(N,) signed distance of each observation from its line."""
    weight: Array
    """(N,) robust weight, 1 for an inlier, near 0 for an outlier."""
    covariance: Array
    """(13, 13) of the unknowns, in the order of `LensPose.moved`."""
    cost: float


def residuals_m(pose: LensPose, observed: Observations) -> Array:
    """Signed distances (N,) in metres of the observations from their lines."""
    normal = (observed.points_px - pose.center_px) / pose.focal_px
    ideal = undistort(normal, pose.dist)
    rays = np.column_stack([ideal, np.ones(len(ideal))]) @ pose.rotation
    camera = -pose.rotation.T @ pose.translation_m
    down = np.where(rays[:, 2] < -1e-6, rays[:, 2], np.nan)
    reach = (observed.z_m - camera[2]) / down
    rows = np.arange(len(observed))
    value = camera[observed.axis] + reach * rays[rows, observed.axis]
    distance = value - observed.border_sign * pose.cushion_m
    distance -= observed.target_m * (1.0 + pose.stretch * (observed.axis == Y_AXIS))
    return np.asarray(np.nan_to_num(distance, nan=_LOST, posinf=_LOST, neginf=-_LOST))


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
    reach = (observed.z_m - camera[2]) / rays[:, 2]
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
    side = max(image_size)
    edge = side / 2.0 / pose.focal_px
    prior_jacobian = np.zeros((7, UNKNOWNS))
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
    return np.nan_to_num(jacobian), prior_jacobian


def _inverse(matrices: Array) -> Array:
    a, b, c, d = (matrices[:, i, j] for i in (0, 1) for j in (0, 1))
    determinant = a * d - b * c
    safe = np.where(np.abs(determinant) < 1e-9, 1e-9, determinant)
    inverse = np.stack([np.stack([d, -b], axis=1), np.stack([-c, a], axis=1)], axis=1)
    result: Array = inverse / safe[:, None, None]
    return result
