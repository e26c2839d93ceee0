"""Exact photographs: spheres through a real lens, supersampled, moving while exposed.

A pixel shows a ball where its ray passes the ball's centre nearer than the radius, so the
picture's truth is the ball centre in metres, distortion and perspective included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from calibration.camera import Camera
from table.geometry import NINE_FOOT, Point
from tests.calibration.drawn import Look, draw_table
from vision.cloth import Cloth, learn_cloth
from vision.detections import Detections
from vision.frames import Image
from vision.localizer import Localizer, Sight
from vision.topview import TopView

Bgr = tuple[int, int, int]

RED: Bgr = (40, 40, 205)
YELLOW: Bgr = (40, 200, 235)
WHITE: Bgr = (228, 238, 240)
BLACK: Bgr = (22, 20, 20)
GREEN: Bgr = (60, 100, 30)
ORANGE: Bgr = (30, 105, 235)
CLOTH_BLUE: Bgr = (160, 95, 14)
"""A ball of nearly the cloth's own colour."""
SKIN: Bgr = (130, 160, 205)
WOOD: Bgr = (120, 175, 215)
COLORS = (RED, YELLOW, BLACK, GREEN, ORANGE, WHITE, (125, 35, 90), (60, 20, 110))
_OVER = 4
_SUN = np.array((0.2, -0.3, 0.93))


@dataclass(frozen=True)
class Ball:
    """A ball with its centre in metres and the way it travels during the exposure."""

    x_m: float
    y_m: float
    color: Bgr = RED
    way_m: Point = (0.0, 0.0)


@dataclass(frozen=True)
class Thing:
    """Something flat over the table: a polygon (metres, at height z) of one colour."""

    outline_m: Sequence[Point]
    color: Bgr = SKIN
    z_m: float = 0.06


def lens(k1: float = -0.12, tilt_deg: float = 3.0, turn: float = 0.0) -> Camera:
    """A 1280 x 720 camera 2.6 m above the table, slightly tilted, with barrel distortion."""
    down = np.diag([1.0, -1.0, -1.0])
    lean, _ = cv2.Rodrigues(np.radians(tilt_deg) * np.array((0.8, 0.6, 0.0)))
    spin, _ = cv2.Rodrigues(np.array((0.0, 0.0, turn)))
    matrix = np.array([[1090.0, 0, 641.0], [0, 1090.0, 355.0], [0, 0, 1.0]])
    return Camera(
        (1280, 720),
        matrix,
        np.array([k1, 0.01, 3e-4, -2e-4, 0.0]),
        np.asarray(lean @ down @ spin),
        np.array([0.0, 0.0, 2.6]),
        NINE_FOOT,
        "left",
    )


@cache
def usual() -> Camera:
    """The camera of most tests."""
    return lens()


@cache
def empty_table() -> Image:
    """The picture of the empty table through the usual camera, without noise."""
    camera = usual()
    bare = replace(camera, table=replace(NINE_FOOT, has_pockets=False))
    picture = draw_table(bare, Look(noise=0.0), oversample=1)
    angle = np.linspace(0, 2 * np.pi, 60)
    circle = np.column_stack((np.cos(angle), np.sin(angle)))
    for shape in NINE_FOOT.pockets.values():
        # The hole begins where the shelf ends.
        middle = np.array(shape.mouth_center) + (shape.shelf_m + 0.05) * np.array(shape.outward)
        pixels = camera.project_on_plane(middle + 0.055 * circle, 0.0)
        cv2.fillPoly(
            picture, [np.rint(pixels * 16).astype(np.int32)], (12, 12, 12), cv2.LINE_AA, shift=4
        )
    return np.asarray(picture, np.uint8)


@cache
def usual_top() -> TopView:
    """The usual camera's top view."""
    return TopView(usual())


@cache
def usual_localizer() -> Localizer:
    """A localizer that has learned the usual table while two balls lay on it."""
    lying = [Ball(0.4, 0.2, WHITE), Ball(-0.3, -0.3, RED)]
    top = usual_top()
    return Localizer(top, usual_cloth(lying))


def usual_cloth(lying: Sequence[Ball] = (), frames: int = 3) -> Cloth:
    """The cloth learned from noisy pictures in which these balls lie."""
    top = usual_top()
    return learn_cloth([top.render(photograph(lying, seed=90 + i)) for i in range(frames)], top)


def photograph(
    balls: Sequence[Ball],
    things: Sequence[Thing] = (),
    seed: int | None = 0,
    noise: float = 1.5,
    shift_px: tuple[float, float] = (0.0, 0.0),
) -> Image:
    """A noisy picture (h, w, 3) uint8 BGR of balls on the usual table, things over them.

    `shift_px`: the whole picture lies that much to the right and down.
    """
    camera = usual()
    picture = empty_table().astype(np.float32)
    for ball in balls:
        _paint(picture, camera, ball)
    for thing in things:
        _cover(picture, camera, thing)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.6)
    if shift_px != (0.0, 0.0):
        move = np.array([[1.0, 0, shift_px[0]], [0, 1.0, shift_px[1]]])
        size = (picture.shape[1], picture.shape[0])
        picture = cv2.warpAffine(
            picture, move, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
    if seed is not None and noise > 0:
        picture = picture + noise * _noise(seed)
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


def look_at(
    balls: Sequence[Ball], things: Sequence[Thing] = (), localizer: Localizer | None = None
) -> Sight:
    """What the localizer sees in a photograph."""
    localizer = localizer or usual_localizer()
    return localizer.locate(localizer.top.render(photograph(balls, things)))


def errors_mm(seen: Detections, balls: Sequence[Ball]) -> np.ndarray:
    """For each ball the distance to the nearest detection, millimetres."""
    centers = np.array([(b.x_m, b.y_m) for b in balls])
    away = np.hypot(*(centers[:, None] - seen.centers_m[None]).transpose(2, 0, 1))
    return np.asarray(1000 * away.min(axis=1))


def _noise(seed: int) -> np.ndarray:
    shape = empty_table().shape
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def _paint(picture: np.ndarray, camera: Camera, ball: Ball) -> None:
    steps = max(1, 2 * int(np.ceil(200 * np.hypot(*ball.way_m))))
    shares = (np.arange(steps) + 0.5) / steps - 0.5 if steps > 1 else np.zeros(1)
    centers = np.array([(ball.x_m, ball.y_m)]) + shares[:, None] * np.array(ball.way_m)
    pixels = camera.project_on_plane(centers)
    radius = float(camera.px_per_m(centers[:1])[0]) * camera.ball_plane_m
    low = np.floor(pixels.min(axis=0) - radius - 3).astype(int)
    high = np.ceil(pixels.max(axis=0) + radius + 3).astype(int)
    low, high = np.maximum(low, 0), np.minimum(high, np.array(camera.image_size) - 1)
    width, height = (high - low + 1).tolist()
    u = low[0] + (np.arange(width * _OVER) + 0.5) / _OVER - 0.5
    v = low[1] + (np.arange(height * _OVER) + 0.5) / _OVER - 0.5
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    rays = camera.rays(grid)
    area = picture[low[1] : high[1] + 1, low[0] : high[0] + 1]
    covered = np.zeros((height, width, 1), np.float32)
    light = np.zeros((height, width, 3), np.float32)
    for center in centers:
        shade = _shade(camera, rays, np.array((*center, camera.ball_plane_m)))
        sharp = shade.reshape(height * _OVER, width * _OVER, 2).astype(np.float32)
        small = cv2.resize(sharp, (width, height), interpolation=cv2.INTER_AREA)
        covered += small[..., :1] / steps
        light += small[..., 1:] / steps * np.array(ball.color, np.float32)
    area[:] = area * (1 - covered) + light


def _shade(camera: Camera, rays: np.ndarray, center: np.ndarray) -> np.ndarray:
    """(N, 2): 1 where a ray meets the ball, and the light it brings back."""
    radius = camera.ball_plane_m
    to_ball = center - camera.position_m
    along = rays @ to_ball
    miss = (to_ball**2).sum() - along**2
    hit = miss < radius**2
    deep = along - np.sqrt(np.maximum(0.0, radius**2 - miss))
    normal = (camera.position_m + deep[:, None] * rays - center) / radius
    light = 0.55 + 0.45 * np.clip(normal @ _SUN, 0, 1)
    return np.column_stack((hit, np.where(hit, light, 0.0)))


def _cover(picture: np.ndarray, camera: Camera, thing: Thing) -> None:
    outline = np.array(thing.outline_m, float)
    pixels = camera.project_on_plane(outline, thing.z_m)
    cv2.fillPoly(
        picture, [np.rint(pixels * 16).astype(np.int32)], thing.color, cv2.LINE_AA, shift=4
    )


def bar(a: Point, b: Point, width_m: float, color: Bgr = WOOD, z_m: float = 0.04) -> Thing:
    """A straight thing from a to b: a cue's shaft, a forearm."""
    start, end = np.array(a), np.array(b)
    side = np.array((-(end - start)[1], (end - start)[0])) / np.hypot(*(end - start))
    half = 0.5 * width_m * side
    return Thing([tuple(start + half), tuple(end + half), tuple(end - half), tuple(start - half)],
                 color, z_m)  # fmt: skip


def hand(x_m: float, y_m: float, size_m: float = 0.1) -> Thing:
    """A fist with fingers: lobes of a ball's size."""
    angle = np.linspace(0, 2 * np.pi, 90)
    radius = 0.5 * size_m * (1 + 0.25 * np.cos(5 * angle) + 0.1 * np.sin(3 * angle))
    return Thing(list(zip(x_m + radius * np.cos(angle), y_m + radius * np.sin(angle), strict=True)))
