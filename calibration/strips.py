"""Strips of the picture along the four rails, straightened through a camera.

A strip's rows run across the nose: v is the distance from the nose line, negative over
the cushion and rail, positive over the bed. Its columns run along the nose: u is the
table's own x or y. All of a strip is sampled at one height, that of the nose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.cloth import Image, median_picture
from calibration.lens import Array
from table.geometry import TableSpec

NOSE_HEIGHT_SHARE: Final = 0.635
"""Height of the nose over the cloth as a share of the ball's diameter (WPA 62.5-64.5 %)."""

RAILS: Final = ("HEAD", "FOOT", "LEFT", "RIGHT")


def nose_height_m(table: TableSpec) -> float:
    """Height of the cushion noses above the cloth."""
    return NOSE_HEIGHT_SHARE * table.ball_diameter_m


@dataclass(frozen=True)
class Rail:
    """One of the four sides: the line of its noses in the table frame."""

    name: str
    axis: int
    """0: the nose line is x = line_m, 1: y = line_m."""
    line_m: float
    half_length_m: float

    @property
    def outward(self) -> float:
        """+1 or -1: the direction of the axis that leads off the table."""
        return 1.0 if self.line_m > 0 else -1.0

    def points(self, u_m: Array, v_m: Array) -> Array:
        """Table points (..., 2) at place u along the nose and distance v inside it."""
        across = self.line_m - self.outward * v_m
        pair = (across, u_m) if self.axis == 0 else (u_m, across)
        return np.stack(np.broadcast_arrays(*pair), axis=-1)


def rails_of(table: TableSpec) -> dict[str, Rail]:
    """The four rails of a table."""
    a, b = table.length_m / 2, table.width_m / 2
    return {
        "HEAD": Rail("HEAD", 0, -a, b),
        "FOOT": Rail("FOOT", 0, a, b),
        "LEFT": Rail("LEFT", 1, b, a),
        "RIGHT": Rail("RIGHT", 1, -b, a),
    }


@dataclass(frozen=True, eq=False)
class Strip:
    """The straightened picture along one rail."""

    rail: Rail
    u_m: Array
    """(U,) places along the nose."""
    v_m: Array
    """(V,) distances inside the nose line."""
    lab: NDArray[np.float32]
    """(V, U, 3) 8-bit Lab as float."""
    pixels: Array
    """(V, U, 2) where each sample lies in the picture."""
    undercut_m: float
    """How far inside the nose line the dark face under the nose is seen, at most."""
    seen: Array
    """(V, U) 1 where the sample lies in the picture, else 0."""


def cut_strip(
    frames_bgr: Sequence[Image],
    camera: Camera,
    rail: Rail,
    v_range_m: tuple[float, float],
    step_m: tuple[float, float],
) -> Strip:
    """Cut the strip along one rail from several frames and take the median.

    Args:
        frames_bgr: frames of a camera that stands still.
        camera: where the table is, as far as known.
        v_range_m: range of distances inside the nose line.
        step_m: sampling steps along u and v.
    """
    count = max(2, int(2 * rail.half_length_m / step_m[0]))
    edge = rail.half_length_m * (1.0 - 1.0 / count)
    u = np.linspace(-edge, edge, count)
    v = np.arange(v_range_m[0], v_range_m[1] + step_m[1] / 2, step_m[1])
    pixels = _pixels_of(camera, rail, u, v)
    height, width = frames_bgr[0].shape[:2]
    limit = np.array([width - 1.0, height - 1.0])
    seen = np.all((pixels >= 0.0) & (pixels <= limit), axis=2)
    maps = np.nan_to_num(pixels, nan=-10.0).astype(np.float32)
    cuts = [
        np.asarray(
            cv2.remap(frame, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR),
            dtype=np.uint8,
        )
        for frame in frames_bgr
    ]
    lab = cv2.cvtColor(median_picture(cuts), cv2.COLOR_BGR2LAB)
    undercut_m = _undercut_m(camera, rail)
    return Strip(rail, u, v, lab.astype(np.float32), pixels, undercut_m, seen.astype(np.float64))


def _undercut_m(camera: Camera, rail: Rail) -> float:
    """Width, on the plane of the noses, of what lies under the nose for a camera inside."""
    nose_m = nose_height_m(camera.table)
    inside_m = rail.outward * (rail.line_m - float(camera.position_m[rail.axis]))
    return max(0.0, nose_m * inside_m / max(camera.height_m, 0.1))


def _pixels_of(camera: Camera, rail: Rail, u_m: Array, v_m: Array) -> Array:
    """Pixels (V, U, 2) of a grid: projected every 24 mm, linear in between (0.01 px)."""

    def knots(values: Array) -> Array:
        count = max(2, int(np.ptp(values) / 0.024) + 2)
        return np.linspace(values[0], values[-1], count)

    u_knots, v_knots = knots(u_m), knots(v_m)
    points = rail.points(u_knots[None, :], v_knots[:, None]).reshape(-1, 2)
    coarse = camera.project_on_plane(points, nose_height_m(camera.table))
    coarse = coarse.reshape(len(v_knots), len(u_knots), 2)
    return _between(_between(coarse, v_knots, v_m, 0), u_knots, u_m, 1)


def _between(values: Array, knots_m: Array, places_m: Array, axis: int) -> Array:
    """Values known at evenly spaced knots along one axis, linear in between.

    Not cv2.remap, which knows but 32 places between two knots: steps of 0.75 mm.
    """
    at = (places_m - knots_m[0]) / (knots_m[1] - knots_m[0])
    below = np.clip(at.astype(int), 0, len(knots_m) - 2)
    share = np.expand_dims(at - below, [k for k in range(values.ndim) if k != axis])
    lower, upper = (np.take(values, below + k, axis=axis) for k in (0, 1))
    between: Array = lower + share * (upper - lower)
    return between
