"""Balls painted on cloth for the identity tests: spheres with stripes and number discs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.appearance import Appearance, Bgr, measure_appearance

Rgb = tuple[int, int, int]

PAINT: Mapping[str, Rgb] = {
    "cue": (240, 238, 228),
    "1": (250, 200, 20),
    "2": (15, 50, 160),
    "3": (215, 25, 40),
    "4": (90, 35, 125),
    "5": (245, 105, 25),
    "6": (10, 95, 65),
    "7": (115, 25, 40),
    "8": (18, 18, 22),
}
TV_PAINT: Mapping[str, Rgb] = {**PAINT, "4": (240, 100, 145), "7": (165, 100, 45)}


@dataclass(frozen=True)
class Scene:
    """Camera and light: gains on linear RGB, radius in pixels, cloth sRGB."""

    radius_px: float = 15.0
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    cloth: Rgb = (20, 110, 200)
    noise: float = 2.0
    blur_px: float = 0.8


def looks_of(
    names: Sequence[str],
    paint: Mapping[str, Rgb] = PAINT,
    scene: Scene | None = None,
    seed: int = 0,
    axes: Mapping[str, tuple[float, float, float]] | None = None,
) -> list[Appearance]:
    """Measured appearances of painted balls in random orientations.

    `axes` fixes the stripe axis of some balls: (0, 0, 1) has the white cap toward the camera.
    """
    rng = np.random.default_rng(seed)
    scene = scene or Scene()
    found = []
    for name in names:
        axis = (axes or {}).get(name)
        image, center = painted(name, paint, scene, rng, axis)
        found.append(measure_appearance(image, center, scene.radius_px, cloth_of(scene)))
    return found


def cloth_of(scene: Scene) -> Bgr:
    """The cloth's camera colour."""
    red, green, blue = _camera(np.array([scene.cloth], float), scene)[0]
    return (float(blue), float(green), float(red))


def painted(
    name: str,
    paint: Mapping[str, Rgb],
    scene: Scene,
    rng: np.random.Generator,
    axis: tuple[float, float, float] | None = None,
) -> tuple[NDArray[np.uint8], tuple[float, float]]:
    """An image of one ball, four times oversampled, and the centre of its disc."""
    radius, over = scene.radius_px, 4
    half = int(radius * 1.8) + 2
    offset = rng.uniform(-0.5, 0.5, 2)
    size = (2 * half + 1) * over
    grid = (np.arange(size) + 0.5) / over - 0.5 - half
    x, y = np.meshgrid((grid - offset[0]) / radius, (grid - offset[1]) / radius)
    on_ball = x**2 + y**2 <= 1.0
    z = np.sqrt(np.clip(1.0 - x**2 - y**2, 0.0, 1.0))
    points = np.stack([x, y, z], axis=-1)
    color = np.where(
        on_ball[..., None], _surface(name, paint, points, rng, axis), np.array(scene.cloth, float)
    )
    shade = np.where(on_ball, 0.45 + 0.55 * z, 1.0)[..., None]
    light = _linear(color) * shade
    lamp = np.array([0.15, -0.2, 0.97])
    light += 1.5 * (on_ball & (points @ lamp > 0.985))[..., None]
    small = cv2.resize(light, (2 * half + 1, 2 * half + 1), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), scene.blur_px)
    levels = _encoded(small * np.array(scene.gains)) * 255 + rng.normal(0, scene.noise, small.shape)
    image = np.ascontiguousarray(np.clip(levels, 0, 255).astype(np.uint8)[..., ::-1])
    return image, (half + float(offset[0]), half + float(offset[1]))


def brighter(scene: Scene, factor: float) -> Scene:
    """The scene with this exposure."""
    red, green, blue = scene.gains
    return replace(scene, gains=(red * factor, green * factor, blue * factor))


def _surface(
    name: str,
    paint: Mapping[str, Rgb],
    points: NDArray[np.float64],
    rng: np.random.Generator,
    axis: tuple[float, float, float] | None,
) -> NDArray[np.float64]:
    white = np.array(paint["cue"], float)
    if name == "cue":
        return np.broadcast_to(white, points.shape)
    number = int(name)
    base = np.array(paint[str(number - 8)] if number > 8 else paint[name], float)
    along = np.array(axis) if axis else _unit(rng.normal(size=3))
    side = _unit(np.cross(along, rng.normal(size=3)))
    disc = np.abs(points @ side) > 0.95
    cap = (np.abs(points @ along) > 0.58) if number > 8 else np.zeros(points.shape[:2], bool)
    return np.where((disc | cap)[..., None], white, base)


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vector / np.linalg.norm(vector))


def _camera(srgb: NDArray[np.float64], scene: Scene) -> NDArray[np.float64]:
    return _encoded(_linear(srgb) * np.array(scene.gains)) * 255.0


def _linear(srgb: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((srgb / 255.0) ** 2.2)


def _encoded(light: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.clip(light, 0.0, 1.0) ** (1 / 2.2))
