"""Has the camera moved? How far, in millimetres at the cloth?

Small patches of the rails (sights, pocket rims, corners) are remembered from the first
frame and looked for again every second. Those that somebody covers drop out; the others
agree on one shift, turn and zoom of the picture. The picture's own trembling of 1-2 px is
far below the limit. When too few patches are found again, a coarser search reaches further,
and at last the cloth itself is looked for: elsewhere, the camera moved; in its place,
somebody stands before it; nowhere, this is another picture.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.cloth import ClothRegion, Image
from calibration.cloth_place import cloth_in_place, displaced, same_cloth
from calibration.lens import Array
from calibration.strips import nose_height_m

EVERY_S: Final = 1.0
"""Time between two looks."""
LIMIT_MM: Final = 5.0
"""Largest shift at the cloth that is no alarm."""
LASTING_S: Final = 2.0
"""A shift that lasts longer than this is an alarm."""

_PATCHES: Final = 60
_HALF_PX: Final = 13
_REACH_PX: Final = 12
_COARSE: Final = 4
_COARSE_REACH_PX: Final = 36
_ALIKE: Final = 0.75
_LEAST_SHARE: Final = 0.25
_LEAST_PATCHES: Final = 8
_AGREE_PX: Final = 1.5
_CLOSE_LOOKS: Final = 4
"""So many looks a shift takes that is less than twice the limit."""
_LOOKS: Final = 5
"""So many looks are compared to tell a trembling picture from a moved one."""


class Stillness(StrEnum):
    """What one look at the picture says about the camera."""

    STEADY = "steady"
    MOVED = "moved"
    HIDDEN = "hidden"
    """Too much is covered to tell; the table is where it was."""
    NO_TABLE = "no_table"
    """No table is in view: another camera's picture, or somebody right before this one."""


@dataclass(frozen=True, slots=True)
class DriftLook:
    """The result of one look."""

    t_s: float
    kind: Stillness
    moved_mm: float
    """Largest shift at the cloth, 0 where it cannot be told, infinite where it is no shift."""
    agreeing: float
    """Share of the patches that were found again and agree."""


@dataclass(frozen=True, slots=True)
class Move:
    """A span of time in which the camera was not where it had been calibrated."""

    from_s: float
    """The last look at which it was seen in its place."""
    alarm_s: float
    """When it had been seen elsewhere for long enough."""
    until_s: float | None
    """The first look at which it was seen back in its place; None: not seen back."""
    moved_mm: float
    """At the cloth; infinite when it was no mere shift, turn or zoom."""


@dataclass(frozen=True, eq=False)
class _Patches:
    centers_px: Array
    """(N, 2) whole pixels."""
    templates: list[Image]
    half_px: int


@dataclass
class DriftWatch:
    """Watches one camera; `update` with every frame, or with some each second."""

    camera: Camera
    _fine: _Patches | None = field(default=None, init=False, repr=False)
    _coarse: _Patches | None = field(default=None, init=False, repr=False)
    _cloth: ClothRegion | None = field(default=None, init=False, repr=False)
    _next_s: float = field(default=-np.inf, init=False)
    _moved_since_s: float | None = field(default=None, init=False)
    alarm: DriftLook | None = field(default=None, init=False)
    """The look that raised the alarm, None while the camera stands still."""
    moves: list[Move] = field(default_factory=list, init=False)
    """Every span in which there was an alarm, the last one perhaps still open."""
    motion: Array | None = field(default=None, init=False, repr=False)
    """Where the picture has gone, as last seen: (2, 3), pixels at the calibration to pixels now
    (shift, turn and zoom); None when it cannot be told, or is none of these."""
    _steady_s: float = field(default=-np.inf, init=False)
    _pending: list[Array] = field(default_factory=list, init=False, repr=False)
    """Where the picture had gone at each look since it was last seen in its place."""

    def reset(self) -> None:
        """Forget everything; the next frame becomes the reference."""
        self._fine = self._coarse = self._cloth = None
        self._next_s = -np.inf
        self._moved_since_s = None
        self.alarm = None
        self.moves = []
        self.motion = None
        self._pending = []
        self._steady_s = -np.inf

    def update(self, frame_bgr: Image, t_s: float) -> DriftLook | None:
        """Look at a frame (H, W, 3) when a second has passed since the last look.

        Returns:
            What was seen, or None when it was not yet time. `alarm` is set once the camera
            has been seen moved for longer than `LASTING_S`, and cleared when it is seen
            back in its place.
        """
        if t_s < self._next_s:
            return None
        self._next_s = t_s + EVERY_S
        grey = np.asarray(cv2.cvtColor(frame_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        if self._fine is None or self._coarse is None:
            self._fine = _remember(grey, self.camera, 1)
            self._coarse = _remember(_smaller(grey), self.camera, _COARSE)
            self._cloth = cloth_in_place(frame_bgr, self.camera)
            self._steady_s = t_s
            return DriftLook(t_s, Stillness.STEADY, 0.0, 1.0)
        look = self._look(frame_bgr, grey, self._fine, self._coarse, t_s)
        self._judge(look)
        return look

    def _look(
        self,
        frame_bgr: Image,
        grey: Image,
        fine: _Patches,
        coarse: _Patches,
        t_s: float,
    ) -> DriftLook:
        motion = _motion(grey, fine, _REACH_PX, 1)
        if motion is None:
            motion = _motion(_smaller(grey), coarse, _COARSE_REACH_PX, _COARSE)
        self.motion = None if motion is None else motion[0]
        if motion is not None:
            matrix, agreeing = motion
            moved_mm = _moved_mm(self.camera, matrix)
            kind = Stillness.MOVED if moved_mm > LIMIT_MM else Stillness.STEADY
            return DriftLook(t_s, kind, moved_mm, agreeing)
        if self._cloth is None:
            return DriftLook(t_s, Stillness.HIDDEN, 0.0, 0.0)
        cloth = same_cloth(frame_bgr, self._cloth)
        if cloth is None:
            return DriftLook(t_s, Stillness.NO_TABLE, 0.0, 0.0)
        if displaced(self.camera, self._cloth.quad_px, cloth.quad_px) >= 3:
            return DriftLook(t_s, Stillness.MOVED, np.inf, 0.0)
        return DriftLook(t_s, Stillness.HIDDEN, 0.0, 0.0)

    def _judge(self, look: DriftLook) -> None:
        if look.kind is Stillness.STEADY:
            if self.alarm is not None:
                self.moves[-1] = replace(self.moves[-1], until_s=look.t_s)
            self._moved_since_s = None
            self._pending = []
            self.alarm = None
            self._steady_s = look.t_s
        elif look.kind is Stillness.MOVED:
            if self._moved_since_s is None:
                self._moved_since_s = look.t_s
            seen = [] if self.motion is None else [self.motion]
            self._pending = [*self._pending, *seen][-_LOOKS:]
            lasting = look.t_s - self._moved_since_s >= LASTING_S
            if lasting and self.alarm is None and not self._only_trembles(look):
                self.alarm = look
                self.moves.append(Move(self._steady_s, look.t_s, None, look.moved_mm))

    def _only_trembles(self, look: DriftLook) -> bool:
        """True when the looks since the last steady one were off to and fro, not one way.

        In a small picture a pixel is more than the limit, and pictures tremble by a pixel.
        """
        if not np.isfinite(look.moved_mm) or len(self._pending) < 2:
            return False
        last = np.stack([_shifts_mm(self.camera, motion) for motion in self._pending])
        off_mm = np.linalg.norm(last.mean(axis=0), axis=1)
        unsure_mm = np.linalg.norm(last.std(axis=0, ddof=1), axis=1) / np.sqrt(len(last))
        if len(last) < _CLOSE_LOOKS and np.nanmax(off_mm) < 2.0 * LIMIT_MM:
            return True
        return bool(np.nanmax(off_mm - unsure_mm) <= LIMIT_MM)


def _smaller(grey: Image) -> Image:
    size = (max(1, grey.shape[1] // _COARSE), max(1, grey.shape[0] // _COARSE))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _ring(camera: Camera, shape: tuple[int, ...], scale: int) -> Image:
    """(h, w) uint8: 255 over cushions, rails and a little floor around the table."""
    table = camera.table
    mask = np.zeros(shape[:2], np.uint8)
    for margin_m, value in ((0.20, 255), (0.0, 0)):
        a, b = table.length_m / 2 + margin_m, table.width_m / 2 + margin_m
        side = np.linspace(-1.0, 1.0, 24)
        edges = [(side * a, side * 0 + b), (side * 0 + a, -side * b)]
        edges += [(-side * a, side * 0 - b), (side * 0 - a, side * b)]
        outline = np.concatenate([np.column_stack(edge) for edge in edges])
        pixels = camera.project_on_plane(outline, nose_height_m(table)) / scale
        pixels = np.clip(np.nan_to_num(pixels, nan=0.0), -30_000, 30_000)
        cv2.fillPoly(mask, [np.rint(pixels).astype(np.int32)], value)
    return mask


def _remember(grey: Image, camera: Camera, scale: int) -> _Patches:
    half = max(6, _HALF_PX // (1 if scale == 1 else 2))
    mask = _ring(camera, grey.shape, scale)
    mask[:half], mask[-half:], mask[:, :half], mask[:, -half:] = 0, 0, 0, 0
    spread = 0.035 * max(grey.shape)
    corners = cv2.goodFeaturesToTrack(grey, _PATCHES, 0.02, spread, mask=mask, blockSize=5)
    if corners is None:
        return _Patches(np.zeros((0, 2)), [], half)
    centers = np.rint(corners.reshape(-1, 2)).astype(int)
    templates = [grey[y - half : y + half + 1, x - half : x + half + 1] for x, y in centers]
    return _Patches(centers.astype(np.float64), templates, half)


def _motion(
    grey: Image, patches: _Patches, reach_px: int, scale: int
) -> tuple[Array, float] | None:
    """Shift, turn and zoom (2, 3) in full pixels that the patches agree on, and their share."""
    old, new = _found_again(grey, patches, reach_px)
    count = len(patches.templates)
    if len(old) < max(_LEAST_PATCHES, _LEAST_SHARE * count):
        return None
    matrix, inliers = cv2.estimateAffinePartial2D(
        old, new, method=cv2.RANSAC, ransacReprojThreshold=_AGREE_PX, confidence=0.999
    )
    if matrix is None:
        return None
    agreeing = int(np.count_nonzero(inliers))
    if agreeing < max(_LEAST_PATCHES, 0.6 * len(old)):
        return None
    full = np.asarray(matrix, dtype=np.float64).copy()
    full[:, 2] *= scale
    return full, agreeing / count


def _found_again(grey: Image, patches: _Patches, reach_px: int) -> tuple[Array, Array]:
    old, new = [], []
    height, width = grey.shape
    half = patches.half_px
    for center, template in zip(patches.centers_px, patches.templates, strict=True):
        x, y = int(center[0]), int(center[1])
        left, top = max(0, x - half - reach_px), max(0, y - half - reach_px)
        right = min(width, x + half + reach_px + 1)
        bottom = min(height, y + half + reach_px + 1)
        window = grey[top:bottom, left:right]
        answer = np.asarray(cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED), np.float32)
        _, best, _, (u, v) = cv2.minMaxLoc(answer)
        if best < _ALIKE or not np.isfinite(best):
            continue
        du, dv = _peak_shift(answer, u, v)
        old.append((x, y))
        new.append((left + u + du + half, top + v + dv + half))
    return np.array(old, dtype=np.float64), np.array(new, dtype=np.float64)


def _peak_shift(answer: NDArray[np.float32], u: int, v: int) -> tuple[float, float]:
    def vertex(a: float, b: float, c: float) -> float:
        bend = a - 2.0 * b + c
        return 0.5 * (a - c) / bend if bend < -1e-9 else 0.0

    du = dv = 0.0
    if 0 < u < answer.shape[1] - 1:
        du = vertex(float(answer[v, u - 1]), float(answer[v, u]), float(answer[v, u + 1]))
    if 0 < v < answer.shape[0] - 1:
        dv = vertex(float(answer[v - 1, u]), float(answer[v, u]), float(answer[v + 1, u]))
    return du, dv


def _moved_mm(camera: Camera, matrix: Array) -> float:
    """The largest shift at the cloth that a motion of the picture means."""
    return float(np.nanmax(np.linalg.norm(_shifts_mm(camera, matrix), axis=1)))


def _shifts_mm(camera: Camera, matrix: Array) -> Array:
    """Shifts (9, 2) at places over the cloth that a motion of the picture means."""
    table = camera.table
    a, b = table.length_m / 2, table.width_m / 2
    places = np.array([(x, y) for x in (-a, 0.0, a) for y in (-b, 0.0, b)])
    pixels = camera.project_on_plane(places, 0.0)
    moved = pixels @ matrix[:, :2].T + matrix[:, 2]
    # Where the old camera would see the moved picture's points.
    seen = camera.on_plane(moved, 0.0)
    shifts: Array = 1e3 * (seen - places)
    return shifts
