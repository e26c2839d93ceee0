"""Frames from a scene: only what changed is painted again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from synthetic.physics.motion import Array, BallPath, Floats, IntArray
from synthetic.physics.spin import Orientation
from synthetic.render.backdrop import Backdrop, Optics
from synthetic.render.paint import paint_tiles
from synthetic.render.tiles import TILE, mark_tiles
from synthetic.scene.balls import BALL_ORDER, BallLook
from synthetic.scene.furniture import Furniture
from synthetic.scene.lamps import Lighting
from synthetic.scene.solids import Actor, cone_rows
from table.balls import BallName

BoolArray = NDArray[np.bool_]
_FAR_M: Final = 1.2
"""No camera over a table sees so far beyond its edge."""


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that a frame shows, as functions of time."""

    camera: Camera
    optics: Optics
    backdrop: Backdrop
    furniture: Furniture
    lighting: Lighting
    look: BallLook
    paths: Mapping[BallName, BallPath]
    orientations: Mapping[BallName, Orientation]
    actors: Sequence[Actor]
    bands: Array
    """(B, 4) colours of the stick."""


@dataclass(frozen=True)
class Shutter:
    """When the rows of a frame see light."""

    exposure_s: float = 0.008
    readout_s: float = 0.0
    """Delay of the last row against the first (rolling shutter)."""

    def middle_s(self, t_s: float) -> float:
        """The middle of the exposure of the middle row of the frame that begins at `t_s`."""
        return t_s + 0.5 * (self.exposure_s + self.readout_s)


@dataclass(frozen=True, eq=False)
class Instants:
    """The solids of one frame at K instants."""

    solids: Array
    """(K, N, 8)."""
    turns: Array
    """(K, balls, 9)."""
    balls: int


@dataclass(eq=False)
class FramePainter:
    """Paints frame after frame of one scene, linear light."""

    scene: Scene
    shutter: Shutter
    rays: tuple[int, int, int] = (4, 5, 14)
    """Rays a pixel where all is still, where something moves, where it moves fast."""
    _frame: Floats | None = None
    _last: Instants | None = None
    _last_capsules: Array | None = None
    _skins: Array = field(init=False)
    _looks: IntArray = field(init=False)
    _names: tuple[BallName, ...] = field(init=False)

    def __post_init__(self) -> None:
        scene = self.scene
        self._names = tuple(name for name in BALL_ORDER if name in scene.paths)
        cones = [cone for actor in scene.actors for cone in actor.cones(0.0)]
        skins = list(dict.fromkeys(cone.skin for cone in cones))
        looks = [BALL_ORDER.index(name) for name in self._names]
        looks += [skins.index(cone.skin) for cone in cones]
        self._looks = np.array(looks, dtype=np.int64)
        rows = [skin.row() for skin in skins] or [[0.0] * 11]
        self._skins = np.array(rows, dtype=np.float64)

    def paint(self, t_s: float) -> Floats:
        """The frame whose exposure begins at `t_s`: (H, W, 3) linear r g b, float32.

        The array is reused by the next call.
        """
        now = self.instants(t_s)
        moves = _moves(now, self.scene.camera)
        if not moves.any():
            now = Instants(now.solids[:1], now.turns[:1], now.balls)
        capsules = self._capsules(now)
        tiles = self._changed_tiles(now, capsules, moves)
        if self._frame is None:
            self._frame = self.scene.backdrop.light.copy()
        if len(tiles):
            self._paint(tiles, now, moves, capsules)
        self._last, self._last_capsules = now, capsules
        return self._frame

    def instants(self, t_s: float) -> Instants:
        """Solids at the instants that the exposure spans."""
        span = self.shutter.exposure_s + self.shutter.readout_s
        count = 24 if self.shutter.readout_s > 0 else 12
        times = t_s + (np.arange(count) + 0.5) / count * span
        radius = self.scene.camera.table.ball_radius_m
        balls = np.zeros((count, len(self._names), 8))
        turns = np.zeros((count, len(self._names), 9))
        for i, name in enumerate(self._names):
            r = self.scene.paths[name].sample(times).r_m
            balls[:, i, 0:3] = balls[:, i, 4:7] = r
            balls[:, i, 3] = balls[:, i, 7] = radius
            turns[:, i] = self.scene.orientations[name].matrices(times).reshape(count, 9)
        cones = self._cones(times)
        return Instants(np.concatenate([balls, cones], axis=1), turns, len(self._names))

    def _cones(self, times: Array) -> Array:
        """(K, M, 8) rows of the actors' cones, exact at three instants, straight between."""
        knots = np.array([times[0], times[len(times) // 2], times[-1]])
        rows = np.stack(
            [cone_rows([c for a in self.scene.actors for c in a.cones(float(t))]) for t in knots]
        )
        share = np.interp(times, knots, [0.0, 1.0, 2.0])
        low = np.minimum(share.astype(int), 1)
        part = (share - low)[:, None, None]
        mixed: Array = rows[low] * (1.0 - part) + rows[low + 1] * part
        return mixed

    def _paint(self, tiles: IntArray, now: Instants, moves: IntArray, capsules: Array) -> None:
        scene, look = self.scene, self.scene.look
        span = self.shutter.exposure_s + self.shutter.readout_s
        timing = np.array([self.shutter.readout_s, self.shutter.exposure_s]) / span
        cloth = np.array(scene.furniture.cloth) * (1.0 + scene.lighting.ambient)
        assert self._frame is not None
        paint_tiles(
            tiles,
            capsules,
            now.balls,
            moves,
            _high(now),
            now.solids,
            now.turns,
            self._looks,
            look.colour,
            look.white,
            look.stripe,
            look.digits,
            look.ink,
            look.dot,
            np.array([look.disc, look.cue_dots, look.dirt, look.gloss]),
            self._skins,
            scene.bands,
            scene.optics.origin_m,
            scene.optics.table_from_camera,
            scene.optics.corners,
            scene.lighting.panels,
            np.array([*scene.lighting.ambient_rgb, scene.lighting.ambient, scene.lighting.ceiling]),
            cloth,
            timing,
            np.array(self.rays),
            scene.backdrop.light,
            scene.backdrop.place_m,
            scene.backdrop.level,
            self._frame,
        )

    def _capsules(self, now: Instants) -> Array:
        """(N, 2 + P, 5) pixel capsules: seen, ambient shade, and the shadow of each panel."""
        camera, panels = self.scene.camera, self.scene.lighting.panels
        k, n, _ = now.solids.shape
        ends = now.solids[[0, k // 2, k - 1]].reshape(3, n, 2, 4)
        capsules = np.empty((n, 2 + len(panels), 5))
        capsules[:, 0] = _seen(camera, ends[..., :3], ends[..., 3])
        shaded = ends[..., :3].copy()
        shaded[..., 2] = np.minimum(shaded[..., 2], 0.0)
        capsules[:, 1] = _seen(camera, shaded, ends[..., 3] * 3.5 + 0.01)
        for j, panel in enumerate(panels):
            centers, radii = _cast(ends, panel)
            capsules[:, 2 + j] = _seen(camera, centers, radii)
        under = (ends[..., 2].max(axis=(0, 2)) < 0.2) & (ends[..., 2].min(axis=(0, 2)) < -0.4)
        capsules[under, 1:, :] = (-1e6, -1e6, -1e6, -1e6, 0.0)
        return capsules

    def _changed_tiles(self, now: Instants, capsules: Array, moves: IntArray) -> IntArray:
        width, height = self.scene.camera.image_size
        dirty = np.zeros((-(-height // TILE), -(-width // TILE)), dtype=np.int64)
        last, count = self._last, now.solids.shape[1]
        changed = np.array(
            [last is None or moves[i] > 0 or not _same(now, last, i) for i in range(count)],
            dtype=np.int64,
        )
        mark_tiles(capsules, changed, dirty)
        if self._last_capsules is not None:
            mark_tiles(self._last_capsules, changed, dirty)
        tiles: IntArray = np.argwhere(dirty > 0).astype(np.int64)
        return tiles


def _same(now: Instants, last: Instants, i: int) -> bool:
    still = bool(np.abs(now.solids[0, i] - last.solids[-1, i]).max() < 1e-7)
    if still and i < now.balls:
        still = bool(np.abs(now.turns[0, i] - last.turns[-1, i]).max() < 1e-5)
    return still


def _moves(now: Instants, camera: Camera) -> IntArray:
    """(N,) 1 where a solid moves by a fifth of a pixel within the exposure, 2 by four pixels."""
    way = np.abs(now.solids - now.solids[:1]).max(axis=(0, 2))
    turn = np.zeros(now.solids.shape[1])
    turn[: now.balls] = np.abs(now.turns - now.turns[:1]).max(axis=(0, 2)) * 0.03
    scale = camera.focal_px / camera.height_m
    pixels = (way + turn) * scale
    moves: IntArray = (pixels > 0.2).astype(np.int64) + (pixels > 4.0)
    return moves


def _high(now: Instants) -> IntArray:
    """(N,) 0 for balls and thin things, 1 for people's limbs, 2 for what stays 12 cm up."""
    solids = now.solids[now.solids.shape[0] // 2]
    lowest = np.minimum(solids[:, 2] - solids[:, 3], solids[:, 6] - solids[:, 7])
    length = np.linalg.norm(solids[:, 4:7] - solids[:, :3], axis=1)
    thin = (np.maximum(solids[:, 3], solids[:, 7]) < 0.016) & (length > 0.12)
    high = np.where(lowest > 0.12, 2, np.where(thin, 0, 1)).astype(np.int64)
    high[: now.balls] = 0
    return high


def _cast(ends: Array, panel: Array) -> tuple[Array, Array]:
    """Where the ends' shadows of one panel fall on the bed: centres and radii."""
    to = ends[..., :3] - panel[:3]
    down = np.minimum(to[..., 2], -0.2)
    k = (0.0 - panel[2]) / down
    centers = panel[:3] + to * k[..., None]
    size = 0.5 * (panel[3] + panel[4])
    soft = size * np.clip(k - 1.0, 0.0, 1.5)
    radii = np.minimum((ends[..., 3] + 0.02) * 1.6 + soft, 0.5)
    low = ends[..., 2] < -0.03
    centers = np.where(low[..., None], ends[..., :3], centers)
    return centers, radii


def _seen(camera: Camera, centers: Array, radii: Array) -> Array:
    """Capsules (N, 5) around spheres (3 instants, N, 2 ends), all instants together."""
    instants, n = centers.shape[:2]
    pixels = camera.project(centers.reshape(-1, 3)).reshape(instants, n, 2, 2)
    # Perspective and lens bend a long cone away from the straight line between its ends.
    bend = camera.project(centers[instants // 2].mean(axis=1)) - pixels[instants // 2].mean(axis=1)
    bent = np.nan_to_num(np.linalg.norm(_across(bend, pixels[instants // 2]), axis=1))
    depth = np.maximum(camera.position_m[2] - centers[..., 2], 0.3)
    grown = radii * camera.focal_px / depth * 1.2 + 2.0
    middle = np.nan_to_num(pixels[instants // 2], nan=-1e4)
    way = np.linalg.norm(np.nan_to_num(pixels - pixels[instants // 2], nan=0.0), axis=-1)
    radius = (grown + way).max(axis=(0, 2)) + 1.3 * bent
    # What has no place in the picture may lie over all of it, unless it is far from the table.
    lost, far = np.isnan(pixels).any(axis=(0, 2, 3)), _far_from(camera, centers)
    radius[lost & ~far] = 1e5
    radius[lost & far], middle[lost & far] = 0.0, -1e6
    return np.column_stack([middle.reshape(n, 4), radius])


def _far_from(camera: Camera, centers: Array) -> BoolArray:
    """(N,) is a cone, centres (3, N, 2, 3), far beyond the same edge of the table all the time?"""
    x_m, y_m = centers[..., 0], centers[..., 1]
    across, along = camera.table.width_m / 2 + _FAR_M, camera.table.length_m / 2 + _FAR_M
    beyond = [x_m > along, x_m < -along, y_m > across, y_m < -across]
    far: BoolArray = np.any([side.all(axis=(0, 2)) for side in beyond], axis=0)
    return far


def _across(offset: Array, ends: Array) -> Array:
    """The part of offsets (N, 2) across the lines between ends (N, 2 ends, 2)."""
    way = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    unit = way / length
    across: Array = offset - (offset * unit).sum(axis=1, keepdims=True) * unit
    return across
