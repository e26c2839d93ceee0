"""Random cameras over a table, for the tests of calibration."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.camera import Camera
from table.geometry import NINE_FOOT, TableSpec


def overhead_camera(
    seed: int,
    *,
    table: TableSpec = NINE_FOOT,
    max_tilt_deg: float = 25.0,
    k1: float | None = None,
    image_size: tuple[int, int] = (1920, 1080),
) -> Camera:
    """A camera that shows the whole table with its rails, at a random tilt and turn."""
    rng = np.random.default_rng(seed)
    width, height = image_size
    focal = width * rng.uniform(0.55, 1.3)
    tilt = np.radians(rng.uniform(0.0, max_tilt_deg))
    azimuth, turn = rng.uniform(0.0, 2 * np.pi), rng.choice([0.0, np.pi])
    down = np.diag([1.0, -1.0, -1.0])
    axis = np.array([np.cos(azimuth), np.sin(azimuth), 0.0]) * tilt
    lean, _ = cv2.Rodrigues(axis)
    spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, turn + rng.uniform(-0.1, 0.1)]))
    rotation = lean @ down @ spin
    bend = float(rng.uniform(-0.3, 0.05)) if k1 is None else k1
    dist = np.array([bend, 0.1 * bend * bend, *rng.normal(0.0, 3e-4, 2), 0.0])
    matrix = np.array([[focal, 0.0, width / 2], [0.0, focal, height / 2], [0.0, 0.0, 1.0]])
    distance = 1.0
    while True:
        camera = Camera(
            image_size, matrix, dist, rotation, np.array([0.0, 0.0, distance]), table, "right"
        )
        a, b = table.length_m / 2 + 0.1, table.width_m / 2 + 0.1
        outline = [(s * a * f, t * b) for s in (-1, 1) for t in (-1, 0, 1) for f in (1.0, 0.5)]
        pixels = camera.project_on_plane(outline, 0.0)
        inside = np.all((pixels > 3.0) & (pixels < np.array(image_size) - 4.0))
        if inside:
            return camera
        distance *= 1.04
