"""Top views of tables with painted balls on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.camera import Camera
from table.geometry import NINE_FOOT
from tests.vision.painted_balls import PAINT, Rgb, Scene, cloth_of, painted
from vision.frames import Image
from vision.topview import TopView

Place = tuple[str, float, float]
"""A ball's name and centre in the table frame, metres."""


def straight_above() -> TopView:
    """The top view of a camera 2.5 m above the middle of a nine-foot table."""
    matrix = np.array([[1500.0, 0.0, 960.0], [0.0, 1500.0, 540.0], [0.0, 0.0, 1.0]])
    camera = Camera(
        (1920, 1080),
        matrix,
        np.zeros(5),
        np.diag([1.0, -1.0, -1.0]),
        np.array([0.0, 0.0, 2.5]),
        NINE_FOOT,
        "left",
    )
    return TopView(camera)


def table_view(
    top: TopView,
    balls: Sequence[Place],
    paint: Mapping[str, Rgb] = PAINT,
    scene: Scene | None = None,
    seed: int = 0,
) -> Image:
    """A top view (h, w, 3) uint8 BGR; `seed` turns the balls and makes the noise."""
    scene = replace(scene or Scene(), radius_px=top.ball_radius_px)
    rng = np.random.default_rng(seed)
    view = np.empty((top.height, top.width, 3))
    view[:] = cloth_of(scene)
    view += rng.normal(0.0, scene.noise, view.shape)
    picture = np.clip(view, 0, 255).astype(np.uint8)
    for name, x_m, y_m in balls:
        tile, center = painted(name, paint, scene, rng)
        u, v = top.from_table(np.array([(x_m, y_m)]))[0]
        left, upper = round(u - center[0]), round(v - center[1])
        height, width = tile.shape[:2]
        rows, columns = np.mgrid[0:height, 0:width]
        reach = scene.radius_px + 2.0
        own = (rows - center[1]) ** 2 + (columns - center[0]) ** 2 <= reach**2
        picture[upper : upper + height, left : left + width][own] = tile[own]
    return picture


def camera_picture(top: TopView, view: Image) -> Image:
    """The picture (h, w, 3) in which the camera of `top` sees this top view."""
    width, height = top.camera.image_size
    corners = np.array([(0.0, 0.0), (top.width - 1.0, 0.0), (0.0, top.height - 1.0)])
    on_plane = np.column_stack((top.to_table(corners), np.full(3, NINE_FOOT.ball_radius_m)))
    seen = top.camera.project(on_plane)
    matrix = cv2.getAffineTransform(corners.astype(np.float32), seen.astype(np.float32))
    picture = cv2.warpAffine(view, matrix, (width, height), flags=cv2.INTER_AREA)
    return np.asarray(picture, np.uint8)
