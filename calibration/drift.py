"""Has the camera moved? How far, in millimetres at the cloth?

Small patches of the rails (sights, pocket rims, corners) are remembered from the first
frame and looked for again every second. Those that somebody covers drop out; the others
agree on one shift, turn and zoom of the picture. The picture's own trembling of 1-2 px is
far below the limit. When too few patches are found again, a coarser search reaches further,
and at last the cloth itself is looked for: elsewhere, the camera moved; in its place,
somebody stands before it; nowhere, this is another picture.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.cloth import ClothRegion, Image
from calibration.cloth_place import cloth_in_place, displaced, same_cloth
from calibration.drift_patches import (
    COARSE,
    COARSE_REACH_PX,
    REACH_PX,
    Patches,
    motion_of,
    remember,
    smaller,
)
from calibration.lens import Array

EVERY_S: Final = 1.0
"""Time between two looks."""
LIMIT_MM: Final = 5.0
"""Largest shift at the cloth that is no alarm."""
LASTING_S: Final = 2.0
"""A shift that lasts longer than this is an alarm."""

_CLOSE_LOOKS: Final = 4
"""So many looks a shift takes that is less than twice the limit."""
_KEPT: Final = 6
"""Frames that are kept of a moved camera, to calibrate it again."""
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


@dataclass
class DriftWatch:
    """Watches one camera; `update` with every frame, or with some each second."""

    camera: Camera
    _fine: Patches | None = field(default=None, init=False, repr=False)
    _coarse: Patches | None = field(default=None, init=False, repr=False)
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
    steady_bgr: Image | None = field(default=None, init=False, repr=False)
    """The frame in which the camera was last seen in its place."""
    moved_bgr: deque[tuple[float, Image]] = field(
        default_factory=lambda: deque(maxlen=_KEPT), init=False, repr=False
    )
    """Time and frame of the last looks at which it was seen elsewhere, since it was last steady."""
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
        self.steady_bgr = None
        self.moved_bgr.clear()
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
            self._fine = remember(grey, self.camera, 1)
            self._coarse = remember(smaller(grey), self.camera, COARSE)
            self._cloth = cloth_in_place(frame_bgr, self.camera)
            self._steady_s, self.steady_bgr = t_s, frame_bgr
            return DriftLook(t_s, Stillness.STEADY, 0.0, 1.0)
        look = self._look(frame_bgr, grey, self._fine, self._coarse, t_s)
        self._judge(look)
        if look.kind is Stillness.STEADY:
            self.steady_bgr = frame_bgr
            self.moved_bgr.clear()
        elif look.kind is Stillness.MOVED:
            self.moved_bgr.append((t_s, frame_bgr))
        return look

    def _look(
        self,
        frame_bgr: Image,
        grey: Image,
        fine: Patches,
        coarse: Patches,
        t_s: float,
    ) -> DriftLook:
        motion = motion_of(grey, fine, REACH_PX, 1)
        if motion is None:
            motion = motion_of(smaller(grey), coarse, COARSE_REACH_PX, COARSE)
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
