"""What a frame shows, exactly: balls, stick, hands and corners in pixels.

Image coordinates: the centre of the first pixel is (0, 0). A ball's centre is the pixel of
its middle at the middle of the exposure; the streak joins the centres at its two ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.camera import Camera
from synthetic.jit import compiled
from synthetic.physics.motion import ON_THE_BED, Array, Motion
from synthetic.render.frame import Scene, Shutter
from synthetic.render.solids import ball_hit, cone_hit
from synthetic.render.tracing import table_hit
from synthetic.scene.balls import BALL_ORDER
from synthetic.scene.furniture import hole_array, shape_array
from synthetic.scene.graphics import Graphics
from synthetic.scene.hands import CONES_A_HAND
from synthetic.scene.solids import Cone, cone_rows
from table.balls import BallName

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""
Pixel = tuple[float, float]

_POINTS: Final = 96
"""Rays by which the visible fraction of a ball is measured."""


@dataclass(frozen=True)
class BallLabel:
    """One ball in one frame."""

    ball: BallName
    center_px: Pixel
    radius_px: float
    visible: float
    """Share 0..1 of the ball's disc that is not hidden nor outside the picture."""
    streak_px: tuple[Pixel, Pixel]
    """Centres at the beginning and the end of the exposure."""
    where: str
    """"bed", "air", "hand" or "pocket"."""
    box: Box
    """Around the whole streak."""


@dataclass(frozen=True)
class StickLabel:
    """A cue stick: tip and butt (they may lie outside the picture)."""

    tip_px: Pixel
    butt_px: Pixel


@dataclass(frozen=True)
class FrameLabels:
    """All labels of one frame."""

    t_s: float
    balls: tuple[BallLabel, ...]
    sticks: tuple[StickLabel, ...]
    hands: tuple[Box, ...]
    corners_px: tuple[Pixel, ...]
    """Intersections of the nose lines at the noses' height: HL, HR, FL, FR."""

    def to_json(self) -> dict[str, object]:
        """The object of one line of labels.jsonl."""
        return {
            "v": 1,
            "t_s": round(self.t_s, 6),
            "balls": [
                {
                    "ball": b.ball,
                    "center_px": _rounded(b.center_px),
                    "radius_px": round(b.radius_px, 2),
                    "visible": round(b.visible, 3),
                    "streak_px": [_rounded(p) for p in b.streak_px],
                    "where": b.where,
                    "box": _rounded(b.box),
                }
                for b in self.balls
            ],
            "sticks": [
                {"tip_px": _rounded(s.tip_px), "butt_px": _rounded(s.butt_px)} for s in self.sticks
            ],
            "hands": [_rounded(box) for box in self.hands],
            "corners_px": [_rounded(p) for p in self.corners_px],
        }


def label_frame(scene: Scene, shutter: Shutter, graphics: Graphics, middle_s: float) -> FrameLabels:
    """Labels of the frame whose exposure's middle is at `middle_s`."""
    camera = scene.camera
    half = 0.5 * shutter.exposure_s
    cones = _cones(scene, middle_s)
    balls = []
    for name, share in _shares(scene, graphics, cones, middle_s).items():
        ends = scene.paths[name].sample([middle_s - half, middle_s, middle_s + half])
        label = _ball(camera, name, ends.r_m, ends.motion[1], share)
        if label is not None:
            balls.append(label)
    corners = camera.project(
        [
            (x, y, camera.table.ball_diameter_m * 0.635)
            for x, y in camera.table.nose_corners.values()
        ]
    )
    return FrameLabels(
        middle_s,
        tuple(balls),
        tuple(_stick(camera, cone) for cone in cones if cone.part == "stick"),
        _hands(scene, middle_s),
        tuple(_pixel(p) for p in corners),
    )


def visible_shares(scene: Scene, graphics: Graphics, middle_s: float) -> dict[BallName, float]:
    """Share 0..1 of each ball's disc that the camera sees at a time."""
    return _shares(scene, graphics, _cones(scene, middle_s), middle_s)


def _cones(scene: Scene, t_s: float) -> list[Cone]:
    return [cone for actor in scene.actors for cone in actor.cones(t_s)]


def _shares(
    scene: Scene, graphics: Graphics, cones: Sequence[Cone], t_s: float
) -> dict[BallName, float]:
    names = [name for name in BALL_ORDER if name in scene.paths]
    shown = _visible(scene, _solids(scene, names, cones, t_s), len(names), graphics)
    return {name: float(share) for name, share in zip(names, shown, strict=True)}


def _solids(scene: Scene, names: Sequence[BallName], cones: Sequence[Cone], t_s: float) -> Array:
    radius = scene.camera.table.ball_radius_m
    rows = [[*(r := scene.paths[name].sample([t_s]).r_m[0]), radius, *r, radius] for name in names]
    balls = np.array(rows, dtype=np.float64).reshape(-1, 8)
    return np.concatenate([balls, cone_rows(cones)])


def _ball(
    camera: Camera, name: BallName, ends_m: Array, motion: Motion, shown: float
) -> BallLabel | None:
    center = ends_m[1]
    if motion is Motion.DROPPED and center[2] < -0.3:
        return None
    pixels = camera.project(ends_m)
    if np.isnan(pixels).any():
        return None
    depth = float(np.linalg.norm(center - camera.position_m))
    radius = camera.focal_px * camera.table.ball_radius_m / depth
    low = pixels[[0, 2]].min(axis=0) - radius
    high = pixels[[0, 2]].max(axis=0) + radius
    if motion in ON_THE_BED:
        where = "bed"
    elif center[2] < 0.0:
        where = "pocket"
    else:
        where = "hand" if motion is Motion.CARRIED else "air"
    return BallLabel(
        name,
        _pixel(pixels[1]),
        radius,
        shown,
        (_pixel(pixels[0]), _pixel(pixels[2])),
        where,
        (float(low[0]), float(low[1]), float(high[0]), float(high[1])),
    )


def _stick(camera: Camera, cone: Cone) -> StickLabel:
    tip, butt = camera.project([cone.a_m, cone.b_m])
    return StickLabel(_pixel(tip), _pixel(butt))


def _hands(scene: Scene, t_s: float) -> tuple[Box, ...]:
    """A box around each actor's hands that lies at least partly in the picture."""
    boxes: list[Box] = []
    width, height = scene.camera.image_size
    for actor in scene.actors:
        parts = [cone for cone in actor.cones(t_s) if cone.part == "hand"]
        # One hand after the other.
        for first in range(0, len(parts), CONES_A_HAND):
            hand = parts[first : first + CONES_A_HAND]
            points = [c.a_m for c in hand] + [c.b_m for c in hand]
            pixels = scene.camera.project(points)
            if np.isnan(pixels).any():
                continue
            low, high = pixels.min(axis=0) - 3.0, pixels.max(axis=0) + 3.0
            if high[0] > 0 and high[1] > 0 and low[0] < width and low[1] < height:
                boxes.append((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
    return tuple(boxes)


def _visible(scene: Scene, solids: Array, balls: int, graphics: Graphics) -> Array:
    """Visible share (balls,) of each ball's disc."""
    camera = scene.camera
    shape = shape_array(camera.table, scene.furniture)
    holes = hole_array(camera.table)
    points, seen = _ball_points(camera.position_m.copy(), solids, balls, shape, holes, _POINTS)
    pixels = camera.project(points.reshape(-1, 3)).reshape(balls, _POINTS, 2)
    width, height = camera.image_size
    inside = (
        (pixels[..., 0] > -0.5)
        & (pixels[..., 1] > -0.5)
        & (pixels[..., 0] < width - 0.5)
        & (pixels[..., 1] < height - 0.5)
    )
    seen = seen * inside
    for patch in graphics.patches:
        h, w = patch.opacity.shape[:2]
        x, y = pixels[..., 0] - patch.left, pixels[..., 1] - patch.top
        over = (x >= 0) & (y >= 0) & (x < w) & (y < h)
        px = np.clip(np.nan_to_num(x), 0, w - 1).astype(int)
        py = np.clip(np.nan_to_num(y), 0, h - 1).astype(int)
        seen = seen * ~(over & (patch.opacity[py, px, 0] > 0.5))
    share: Array = seen.mean(axis=1)
    return share


@compiled
def _ball_points(
    origin: Array, solids: Array, balls: int, shape: Array, holes: Array, count: int
) -> tuple[Array, Array]:
    """Points (balls, count, 3) on the discs that the camera sees, and whether it sees them."""
    points = np.zeros((balls, count, 3))
    seen = np.zeros((balls, count))
    ox, oy, oz = origin[0], origin[1], origin[2]
    for i in range(balls):
        cx, cy, cz, radius = solids[i, 0], solids[i, 1], solids[i, 2], solids[i, 3]
        vx, vy, vz = cx - ox, cy - oy, cz - oz
        away = math.sqrt(vx * vx + vy * vy + vz * vz)
        vx, vy, vz = vx / away, vy / away, vz / away
        flat = math.sqrt(vx * vx + vy * vy)
        ax, ay, az = (1.0, 0.0, 0.0) if flat < 1e-9 else (-vy / flat, vx / flat, 0.0)
        bx, by, bz = vy * az - vz * ay, vz * ax - vx * az, vx * ay - vy * ax
        for n in range(count):
            r = 0.985 * radius * math.sqrt((n + 0.5) / count)
            angle = 2.399963 * n
            u, v = r * math.cos(angle), r * math.sin(angle)
            px, py, pz = cx + u * ax + v * bx, cy + u * ay + v * by, cz + u * az + v * bz
            points[i, n, 0], points[i, n, 1], points[i, n, 2] = px, py, pz
            dx, dy, dz = px - ox, py - oy, pz - oz
            length = math.sqrt(dx * dx + dy * dy + dz * dz)
            dx, dy, dz = dx / length, dy / length, dz / length
            own = ball_hit(ox, oy, oz, dx, dy, dz, solids[i])
            free = own > 0.0
            for k in range(solids.shape[0]):
                if k == i or not free:
                    continue
                if k < balls:
                    t = ball_hit(ox, oy, oz, dx, dy, dz, solids[k])
                else:
                    t = cone_hit(ox, oy, oz, dx, dy, dz, solids[k])[0]
                if 0.0 < t < own:
                    free = False
            if free and dz < -1e-3:
                free = table_hit(ox, oy, oz, dx, dy, dz, shape, holes)[0] > own - 0.002
            seen[i, n] = 1.0 if free else 0.0
    return points, seen


def _pixel(point: Array) -> Pixel:
    return (float(point[0]), float(point[1]))


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(float(value), 2) for value in values]
