"""What shape a ball's outline has in the top view: an ellipse, known at every place.

The rays that touch a sphere form a cone around the line from the camera to its centre. Cut
by the plane of the ball centres, on which the top view lies, the cone leaves an ellipse,
longer along the direction away from the camera: by 1/cos of the angle from straight above,
15 % at 30 degrees. Its middle lies a little farther out than the ball's centre.

Formula: a circular cone of half angle alpha whose axis makes the angle theta with the normal
of a plane at distance h from its apex cuts it in an ellipse with the semi-axes
h sin(2 alpha) / s and h sin(alpha) sqrt(2 / s), whose middle lies h sin(2 theta) / s from the
apex's foot, s = cos(2 theta) + cos(2 alpha) (from the two outermost rays, theta +- alpha).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.topview import TopView

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """The outlines of balls at K places of the top view, in its pixels.

    `axes` (K, 2, 2): the outline's points are middle + axes @ (cos t, sin t).
    `offsets` (K, 2): the outline's middle minus the ball's centre.
    """

    axes: Floats
    offsets: Floats

    @property
    def areas(self) -> Floats:
        """(K,) the area within each outline, square pixels."""
        return np.asarray(np.pi * np.abs(np.linalg.det(self.axes)))


def round_outlines(radius_px: float, count: int = 1) -> Outlines:
    """Circles: the outlines straight under the camera."""
    return Outlines(np.tile(radius_px * np.eye(2), (count, 1, 1)), np.zeros((count, 2)))


def outlines_at(top: TopView, centers_px: ArrayLike) -> Outlines:
    """The outlines of balls whose centres lie at these top-view pixels (K, 2)."""
    centers = np.asarray(centers_px, np.float64).reshape(-1, 2)
    radius_m = top.camera.table.ball_radius_m
    apex = top.camera.position_m
    height_m = float(apex[2]) - radius_m
    foot = top.from_table(apex[None, :2])[0]
    away = (centers - foot) / top.px_per_m
    distance = np.hypot(away[:, 0], away[:, 1])
    along = np.where(distance[:, None] > 1e-6, away / np.maximum(distance, 1e-6)[:, None], (1, 0))
    slant = np.hypot(distance, height_m)
    theta = np.arctan2(distance, height_m)
    # No lens sees a ball from its own height: the angles stay well below a right one.
    alpha = np.arcsin(np.minimum(0.5, radius_m / slant))
    s = np.maximum(np.cos(2 * theta) + np.cos(2 * alpha), 0.05)
    long_px = top.px_per_m * height_m * np.sin(2 * alpha) / s
    wide_px = top.px_per_m * height_m * np.sin(alpha) * np.sqrt(2 / s)
    out_px = top.px_per_m * (height_m * np.sin(2 * theta) / s - distance)
    lengthwise = along[:, :, None] * along[:, None, :]
    crosswise = np.eye(2) - lengthwise
    axes = long_px[:, None, None] * lengthwise + wide_px[:, None, None] * crosswise
    return Outlines(axes, out_px[:, None] * along)
