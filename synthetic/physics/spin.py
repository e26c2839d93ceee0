"""Orientation of a ball: the integral of its angular velocity, so that stripes roll.

The simulation keeps no orientation. Its angular velocity is known in closed form, so it is
integrated with midpoint steps of 1 ms: a ball of 10 m/s turns 0.35 rad in a step, with an
error below 1e-4 rad because the axis turns slowly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from synthetic.jit import compiled
from synthetic.physics.motion import Array, BallPath

STEP_S = 0.001


@dataclass(frozen=True, eq=False)
class Orientation:
    """Rotations of one ball on a time grid, local frame to table frame."""

    start_s: float
    quaternions: Array
    """(N, 4) w, x, y, z, one a step."""

    def matrices(self, times_s: Array) -> Array:
        """Rotation matrices (K, 3, 3) at K times; constant before and after the grid."""
        place = np.clip((times_s - self.start_s) / STEP_S, 0.0, len(self.quaternions) - 1.0)
        low = np.floor(place).astype(int)
        high = np.minimum(low + 1, len(self.quaternions) - 1)
        share = (place - low)[:, None]
        a, b = self.quaternions[low], self.quaternions[high]
        mixed = a * (1.0 - share) + b * share
        return _matrices(mixed / np.linalg.norm(mixed, axis=1, keepdims=True))


def integrate(path: BallPath, first: Array, start_s: float, end_s: float) -> Orientation:
    """Orientation from `start_s` to `end_s`, beginning with the unit quaternion `first`."""
    count = max(int(np.ceil((end_s - start_s) / STEP_S)), 1)
    middles = start_s + (np.arange(count) + 0.5) * STEP_S
    w = path.sample(middles).w_radps
    return Orientation(start_s, _chain(first, w * STEP_S))


def random_quaternion(rng: np.random.Generator) -> Array:
    """A uniformly random rotation as a unit quaternion (4,)."""
    q: Array = rng.normal(size=4)
    return q / float(np.linalg.norm(q))


@compiled
def _chain(first: Array, turns: Array) -> Array:
    """Quaternions (N + 1, 4) after each small rotation vector (N, 3) in the table frame."""
    out = np.empty((turns.shape[0] + 1, 4))
    out[0] = first
    for i in range(turns.shape[0]):
        x, y, z = turns[i, 0], turns[i, 1], turns[i, 2]
        angle = np.sqrt(x * x + y * y + z * z)
        if angle < 1e-12:
            out[i + 1] = out[i]
            continue
        s = np.sin(angle / 2) / angle
        a, b, c, d = np.cos(angle / 2), x * s, y * s, z * s
        q = out[i]
        out[i + 1, 0] = a * q[0] - b * q[1] - c * q[2] - d * q[3]
        out[i + 1, 1] = a * q[1] + b * q[0] + c * q[3] - d * q[2]
        out[i + 1, 2] = a * q[2] - b * q[3] + c * q[0] + d * q[1]
        out[i + 1, 3] = a * q[3] + b * q[2] - c * q[1] + d * q[0]
    return out


def _matrices(q: Array) -> Array:
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    matrices: Array = np.moveaxis(np.array(rows), 2, 0)
    return matrices
