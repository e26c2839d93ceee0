"""Where the camera hangs and what its lens does."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import Camera
from synthetic.physics.motion import Array
from table.geometry import TableSpec

CameraOfFocal = Callable[[float], Camera]


@dataclass(frozen=True)
class Viewpoint:
    """Choices from which a camera follows."""

    height_m: float = 2.6
    tilt_deg: float = 3.0
    tilt_toward_deg: float = 90.0
    """Direction in the table frame toward which the camera hangs off-centre."""
    roll_deg: float = 0.0
    fill: float = 0.85
    """Share of the image's width (or height) that the table with rails takes."""
    head: str = "right"
    k1: float = -0.05
    k2: float = 0.01
    p1: float = 0.0
    p2: float = 0.0
    off_center_px: tuple[float, float] = (0.0, 0.0)


_UP_IN_IMAGE = {"right": 180.0, "left": 0.0, "top": 90.0, "bottom": 270.0}


def make_camera(
    table: TableSpec, view: Viewpoint, size: tuple[int, int], rail_m: float = 0.135
) -> Camera:
    """The camera that sees the whole table as the viewpoint says."""
    tilt, toward = math.radians(view.tilt_deg), math.radians(view.tilt_toward_deg)
    offset = view.height_m * math.tan(tilt)
    position = np.array([offset * math.cos(toward), offset * math.sin(toward), view.height_m])
    rotation = _rotation(position, math.radians(_UP_IN_IMAGE[view.head] + view.roll_deg))
    dist = np.array([view.k1, view.k2, view.p1, view.p2, 0.0])
    t = -rotation @ position
    w, h = size
    center = ((w - 1) / 2 + view.off_center_px[0], (h - 1) / 2 + view.off_center_px[1])

    def camera(focal: float) -> Camera:
        k = np.array([[focal, 0.0, center[0]], [0.0, focal, center[1]], [0.0, 0.0, 1.0]])
        return Camera((w, h), k, dist, rotation, t, table, view.head, "given")

    focal = _focal_for(table, camera, size, view.fill, rail_m)
    return camera(focal)


def _rotation(position: Array, turn_rad: float) -> Array:
    """Looking at the centre spot, the image's x axis turned by `turn_rad` from +x."""
    forward = -position / np.linalg.norm(position)
    x_axis = np.array([math.cos(turn_rad), math.sin(turn_rad), 0.0])
    x_axis = x_axis - (x_axis @ forward) * forward
    x_axis /= np.linalg.norm(x_axis)
    y_axis = np.cross(forward, x_axis)
    return np.stack([x_axis, y_axis, forward])


def _focal_for(
    table: TableSpec, camera: CameraOfFocal, size: tuple[int, int], fill: float, rail_m: float
) -> float:
    a, b = table.length_m / 2 + rail_m, table.width_m / 2 + rail_m
    corners = [(x, y, 0.04) for x in (-a, 0.0, a) for y in (-b, 0.0, b)]
    low, high = 100.0, 20000.0
    for _ in range(50):
        middle = math.sqrt(low * high)
        pixels = camera(middle).project(corners)
        spread = np.nanmax(pixels, axis=0) - np.nanmin(pixels, axis=0)
        too_big = (
            bool(np.isnan(pixels).any())
            or spread[0] > fill * size[0]
            or (spread[1] > fill * size[1])
        )
        low, high = (low, middle) if too_big else (middle, high)
    return low


def framed(side: np.random.Generator, view: Viewpoint) -> Viewpoint:
    """The view as it is in most clips: nearly from above, the table nearly filling the picture.

    One in ten keeps a tilt of up to 25 degrees.
    """
    tilt = abs(float(side.normal(0.0, 1.6)))
    if side.random() < 0.1:
        tilt = float(side.uniform(3.0, 25.0))
    return replace(
        view,
        tilt_deg=tilt,
        roll_deg=float(side.normal(0.0, 0.9)),
        fill=float(side.uniform(0.78, 0.97) if side.random() < 0.9 else view.fill),
    )


def random_viewpoint(rng: np.random.Generator, *, wild: bool = False) -> Viewpoint:
    """A viewpoint as halls have them; `wild` goes to the limits of the specification."""
    tilt = float(rng.uniform(0, 25) if wild else abs(rng.normal(0.0, 5.0)))
    barrel = float(-rng.uniform(0.0, 0.3) if wild else -abs(rng.normal(0.0, 0.08)))
    return Viewpoint(
        height_m=float(rng.uniform(1.8, 3.5)),
        tilt_deg=min(tilt, 25.0),
        tilt_toward_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.normal(0.0, 4.0 if wild else 1.2)),
        fill=float(rng.uniform(0.7, 0.97)),
        head="right" if rng.random() < 0.5 else "left",
        k1=barrel,
        # Above 0.45 k1^2 the distortion never folds back, however far out.
        k2=barrel**2 * float(rng.uniform(0.5, 0.9)),
        p1=float(rng.normal(0.0, 0.0008)),
        p2=float(rng.normal(0.0, 0.0008)),
        off_center_px=(float(rng.normal(0, 12)), float(rng.normal(0, 8))),
    )
