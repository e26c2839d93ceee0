"""What is measured of a source's pictures: light, flicker, colour, sharpness, steadiness."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.frames import Frame, Image
from vision.steady import Steady

_STEP: Final = 8
_EDGES: Final = 400
_REACH_PX: Final = 8


@dataclass(frozen=True, slots=True)
class Rate:
    """How frames come."""

    fps: float
    late_share: float
    """Steps longer than one and a half of the usual one."""


@dataclass(frozen=True, slots=True)
class Light:
    """The cloth's light; levels of 255."""

    level: float
    clipped: float
    """Share at full level."""
    evenness: float
    """Darkest quarter of the cloth against the brightest."""
    flicker: float
    """Change of the whole level from frame to frame, against the level."""
    colour_drift: float
    """Way of the mean colour (a, b of CIELAB, 8 bit) over the seconds."""


def rate_of(times_s: Sequence[float]) -> Rate:
    """From the times of at least two frames."""
    steps = [b - a for a, b in itertools.pairwise(times_s)]
    usual = statistics.median(steps)
    late = sum(step > 1.5 * usual for step in steps) / len(steps)
    return Rate((len(times_s) - 1) / (times_s[-1] - times_s[0]), late)


def light_of(small: Sequence[Image], camera: Camera | None) -> Light:
    """From pictures (h, w, 3) at an eighth of the size; without a camera, of the whole picture."""
    masks = _quarters(camera, small[0].shape)
    whole = np.logical_or.reduce(masks)
    luma = [np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float64) for image in small]
    levels = np.array([float(np.median(gray[whole])) for gray in luma])
    means = np.array([float(gray[whole].mean()) for gray in luma])
    middle = np.median(np.stack(luma[:: max(1, len(luma) // 15)]), axis=0)
    parts = [float(np.median(middle[mask])) for mask in masks]
    clipped = float((np.stack([image.max(axis=2) for image in small])[:, whole] >= 253).mean())
    # Slow changes (a hand, a ball) are not flicker: only what differs from its neighbours is.
    steps = np.abs(means[1:-1] - 0.5 * (means[:-2] + means[2:])) if len(means) > 2 else means[:0]
    colours = np.array([_colour(image, whole) for image in small[:: max(1, len(small) // 30)]])
    return Light(
        level=float(np.median(levels)),
        clipped=clipped,
        evenness=min(parts) / max(*parts, 1.0),
        flicker=float(np.mean(steps) / max(float(means.mean()), 1.0)) if len(steps) else 0.0,
        colour_drift=float(np.linalg.norm(colours[-5:].mean(axis=0) - colours[:5].mean(axis=0))),
    )


def _colour(image: Image, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    return np.asarray(np.median(lab[mask][:, 1:], axis=0), np.float64)


def _quarters(camera: Camera | None, shape: tuple[int, ...]) -> list[NDArray[np.bool_]]:
    """(h, w) masks of the four quarters of the cloth along the table."""
    masks = []
    if camera is not None:
        a, b = camera.table.length_m / 2, 0.8 * camera.table.width_m / 2
        for quarter in range(4):
            x0, x1 = -a + quarter * a / 2 + 0.05, -a + (quarter + 1) * a / 2 - 0.05
            corners = np.array([(x0, -b), (x1, -b), (x1, b), (x0, b)])
            pixels = camera.project_on_plane(corners, 0.0) / _STEP
            mask = np.zeros(shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, np.rint(pixels).astype(np.int32), 1)
            masks.append(mask.astype(np.bool_))
    if not masks or not all(mask.any() for mask in masks):
        return [np.ones(shape[:2], np.bool_)]
    return masks


def edge_width_px(gray: Image) -> float:
    """How many pixels the strongest edges of a (h, w) picture take: 2 sharp, 8 out of focus.

    The height of an edge, over its steepest slope.
    """
    values = gray.astype(np.float32)
    slope_x = cv2.Sobel(values, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    slope_y = cv2.Sobel(values, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    strength = np.hypot(slope_x, slope_y)
    inner = np.zeros_like(strength)
    inner[_REACH_PX:-_REACH_PX, _REACH_PX:-_REACH_PX] = 1.0
    strength *= inner
    # The strongest pixel of each cell, so that one bright thing does not speak for all.
    cell = 24
    rows, columns = (strength.shape[0] // cell) * cell, (strength.shape[1] // cell) * cell
    cells = strength[:rows, :columns].reshape(rows // cell, cell, columns // cell, cell)
    best = cells.transpose(0, 2, 1, 3).reshape(rows // cell, columns // cell, -1)
    where, peaks = best.argmax(axis=2), best.max(axis=2)
    order = np.argsort(peaks.ravel())[::-1][:_EDGES]
    widths = []
    for flat in order:
        row, column = divmod(int(flat), columns // cell)
        dy, dx = divmod(int(where[row, column]), cell)
        y, x = row * cell + dy, column * cell + dx
        peak = float(strength[y, x])
        if peak < 6.0:
            continue
        ux, uy = float(slope_x[y, x]) / peak, float(slope_y[y, x]) / peak
        steps = np.arange(-_REACH_PX, _REACH_PX + 1)
        line = values[
            np.rint(y + uy * steps).astype(int).clip(0, gray.shape[0] - 1),
            np.rint(x + ux * steps).astype(int).clip(0, gray.shape[1] - 1),
        ]
        widths.append(float(line.max() - line.min()) / peak)
    return float(np.median(widths)) if widths else float("inf")


def trembling_px(frames: Sequence[Frame], camera: Camera) -> float:
    """How far the picture's shift spreads (95 %) over frames of a camera at rest."""
    steady = Steady(camera)
    shifts = [steady.update(frame.gray) for frame in frames]
    away = np.array([(s.dx_px, s.dy_px) for s in shifts])
    return float(np.percentile(np.hypot(*(away - np.median(away, axis=0)).T), 95))
