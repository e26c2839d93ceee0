"""A simple drawn table through a real camera model: wood, cushions, noses, bed, pockets, sights.

Every pixel's ray is met with the plane of the noses for what lies outside them and with the
cloth for what lies inside, so the picture is exact to a fraction of a pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Camera
from table.geometry import TableSpec

NOSE_SHARE = 0.635


@dataclass(frozen=True)
class Look:
    """Colours (BGR) and light of a drawn table."""

    cloth: tuple[int, int, int] = (200, 130, 20)
    wood: tuple[int, int, int] = (40, 45, 50)
    floor: tuple[int, int, int] = (120, 120, 130)
    cushion_light: float = 1.0
    shadow_light: float = 0.55
    shadow_m: float = 0.014
    cushion_m: float = 0.052
    rail_m: float = 0.13
    noise: float = 2.0
    falloff: float = 0.25
    """How much darker the corners of the bed are than its middle."""


def draw_table(camera: Camera, look: Look, seed: int = 0, oversample: int = 2) -> np.ndarray:
    """The picture (H, W, 3) uint8 of an empty table."""
    rng = np.random.default_rng(seed)
    width, height = camera.image_size
    steps_x = (np.arange(width * oversample) + 0.5) / oversample - 0.5
    steps_y = (np.arange(height * oversample) + 0.5) / oversample - 0.5
    grid = np.stack(np.meshgrid(steps_x, steps_y), axis=-1).reshape(-1, 2)
    nose_z = NOSE_SHARE * camera.table.ball_diameter_m
    upper = camera.on_plane(grid, nose_z)
    lower = camera.on_plane(grid, 0.0)
    colours = _colours(upper, lower, camera.table, look)
    picture = colours.reshape(height * oversample, width * oversample, 3)
    picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.6)
    picture = picture + rng.normal(0.0, look.noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _colours(upper: np.ndarray, lower: np.ndarray, table: TableSpec, look: Look) -> np.ndarray:
    a, b = table.length_m / 2, table.width_m / 2
    outside = np.max(np.abs(upper) - (a, b), axis=1)
    inside = -np.max(np.abs(lower) - (a, b), axis=1)
    light = 1.0 - look.falloff * np.sum((lower / (a, b)) ** 2, axis=1) / 2
    cloth = np.array(look.cloth, dtype=np.float64)
    colours = np.empty((len(upper), 3))
    colours[:] = look.floor
    rail = look.cushion_m + look.rail_m
    colours[outside < rail] = look.wood
    on_cushion = outside < look.cushion_m
    colours[on_cushion] = cloth * look.cushion_light * light[on_cushion, None]
    on_bed = outside < 0.0
    shade = np.where(inside < look.shadow_m, look.shadow_light, 1.0)
    colours[on_bed] = cloth * (shade * light)[on_bed, None]
    if table.has_pockets:
        for shape in table.pockets.values():
            middle = np.array(shape.mouth_center) + 0.03 * np.array(shape.outward)
            colours[np.hypot(*(upper - middle).T) < 0.55 * shape.mouth_m] = (12, 12, 12)
    for place in sights(table):
        colours[np.hypot(*(upper - place).T) < 0.007] = (225, 230, 235)
    return np.nan_to_num(colours)


def sights(table: TableSpec, from_nose_m: float = 0.0937) -> np.ndarray:
    """Places (N, 2) of the rail sights (WPA specification 7)."""
    a, b = table.length_m / 2, table.width_m / 2
    long_rail = [i * table.length_m / 8 for i in (-3, -2, -1, 1, 2, 3)]
    short_rail = [i * table.width_m / 4 for i in (-1, 0, 1)]
    return np.array(
        [(x, s * (b + from_nose_m)) for x in long_rail for s in (-1, 1)]
        + [(s * (a + from_nose_m), y) for y in short_rail for s in (-1, 1)]
    )
