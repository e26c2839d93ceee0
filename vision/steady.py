"""The picture's own shift, frame by frame: estimated on the rails and removed.

Broadcast pictures move by 1-2 px within a clip (nearly 3 mm on the table), which would make
resting balls "move". The rails' edges of each frame are registered on those of the first one;
pixels that a player covers drop out by their weight.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.frames import Image

Floats = NDArray[np.float64]
_RAIL_BAND_M = (0.03, 0.17)
_CELL_PX = 60
_PIXELS_A_CELL = 60
_LARGEST_SHIFT_PX = 12.0
_LEAST_SPREAD = 12.0
"""Difference, levels, that noise and soft edges make; more is no view of this table..."""
_EXPLAINED = 0.75
"""...unless it is still less than this share of what the rails' own pixels differ by."""
_LEAST_CONTRAST = 4.0
"""Gradient, levels a pixel, from which a pixel of the rails says something about a shift."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How far the picture lies from the reference, px.

    `agreeing` is the share of rail pixels that fit this shift; the others are covered by
    somebody, or the camera did not merely shift.
    """

    dx_px: float
    dy_px: float
    agreeing: float

    @property
    def is_sure(self) -> bool:
        """True when enough of the rails was seen."""
        return self.agreeing >= 0.3


@dataclass(frozen=True, eq=False)
class _Reference:
    """Rail pixels of the first frame: positions (N, 2), brightness (N,), gradient (N, 2), and
    how much the brightness is spread."""

    points: Floats
    level: Floats
    gradient: Floats
    spread: float


@dataclass
class Steady:
    """Estimates the shift of each frame against the first one given to `update`."""

    camera: Camera
    _reference: _Reference | None = field(default=None, init=False)
    _last: Shift = field(default=Shift(0.0, 0.0, 1.0), init=False)

    @property
    def last(self) -> Shift:
        """The shift of the last frame."""
        return self._last

    def reset(self) -> None:
        """Forget the reference; the next frame becomes it."""
        self._reference = None
        self._last = Shift(0.0, 0.0, 1.0)

    def update(self, gray: Image) -> Shift:
        """The shift of a (h, w) uint8 luma picture; the first call sets the reference."""
        if self._reference is None:
            self._reference = _rail_pixels(gray, _rail_mask(self.camera, gray.shape))
            return self._last
        shift = _register(gray, self._reference, self._last)
        if shift.is_sure and np.hypot(shift.dx_px, shift.dy_px) < _LARGEST_SHIFT_PX:
            self._last = shift
        else:
            # Too much of the rails is covered: the last sure shift is the best guess.
            self._last = Shift(self._last.dx_px, self._last.dy_px, shift.agreeing)
        return self._last


def _register(gray: Image, reference: _Reference, start: Shift) -> Shift:
    """Gauss-Newton with Tukey weights for one shift and a change of brightness.

    Source: Lucas and Kanade 1981, for a single translation over all pixels.
    """
    if len(reference.points) < 100:
        return Shift(start.dx_px, start.dy_px, 0.0)
    shift = np.array((start.dx_px, start.dy_px))
    jacobian = np.column_stack((reference.gradient, reference.level, np.ones(len(reference.level))))
    agreeing = 0.0
    known = max(_LEAST_SPREAD, _EXPLAINED * reference.spread)
    for _ in range(4):
        # The gradient at the reference stands for the one of the shifted picture.
        where = (reference.points + shift).astype(np.float32)
        level = cv2.remap(gray, where[:, :1], where[:, 1:], cv2.INTER_LINEAR).ravel().astype(float)
        error = reference.level - level
        scale = _spread(error) + 1.0
        ratio = np.clip(np.abs(error - np.median(error)) / (4.7 * scale), 0, 1)
        weights = (1 - ratio**2) ** 2
        weighted = jacobian * weights[:, None]
        step = np.linalg.lstsq(weighted.T @ jacobian, weighted.T @ error, rcond=None)[0]
        shift = shift + np.clip(step[:2], -2, 2)
        agreeing = float((weights > 0.3).mean()) if scale < known else 0.0
        if np.abs(step[:2]).max() < 0.01:
            break
    return Shift(float(shift[0]), float(shift[1]), agreeing)


def _spread(values: Floats) -> float:
    """A robust standard deviation."""
    return 1.4826 * float(np.median(np.abs(values - np.median(values))))


def _rail_pixels(gray: Image, mask: Image) -> _Reference:
    """The pixels with the strongest gradients, spread over all cells of the rails."""
    smooth = cv2.GaussianBlur(gray, (3, 3), 0).astype(np.float32)
    gx = cv2.Scharr(smooth, cv2.CV_32F, 1, 0, scale=1 / 32)
    gy = cv2.Scharr(smooth, cv2.CV_32F, 0, 1, scale=1 / 32)
    strength = np.hypot(gx, gy)
    strength[mask == 0] = 0
    strength[:14], strength[-14:], strength[:, :14], strength[:, -14:] = 0, 0, 0, 0
    rows, columns = np.nonzero(strength > _LEAST_CONTRAST)
    cell = rows // _CELL_PX * 10_000 + columns // _CELL_PX
    order = np.lexsort((-strength[rows, columns], cell))
    cell = cell[order]
    starts = np.flatnonzero(np.r_[True, cell[1:] != cell[:-1]])
    rank = np.arange(len(cell)) - np.repeat(starts, np.diff(np.r_[starts, len(cell)]))
    kept = order[rank < _PIXELS_A_CELL]
    rows, columns = rows[kept], columns[kept]
    level = gray[rows, columns].astype(np.float64)
    return _Reference(
        np.column_stack((columns, rows)).astype(np.float64),
        level,
        np.column_stack((gx[rows, columns], gy[rows, columns])).astype(np.float64),
        _spread(level) if len(level) else 0.0,
    )


def _rail_mask(camera: Camera, shape: tuple[int, ...]) -> Image:
    """(h, w) uint8, 255 on the rails' tops."""
    table = camera.table
    near, far = _RAIL_BAND_M
    rings = []
    for margin in (far, near):
        a, b = table.length_m / 2 + margin, table.width_m / 2 + margin
        side = np.linspace(-1, 1, 40)
        outline = np.concatenate(
            [
                np.column_stack((side * a, np.full(40, b))),
                np.column_stack((np.full(40, a), -side * b)),
                np.column_stack((-side * a, np.full(40, -b))),
                np.column_stack((np.full(40, -a), side * b)),
            ]
        )
        pixels = camera.project(np.column_stack((outline, np.full(160, 0.04))))
        rings.append(np.rint(np.nan_to_num(pixels)).astype(np.int32))
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [rings[0]], 255)
    cv2.fillPoly(mask, [rings[1]], 0)
    return mask
