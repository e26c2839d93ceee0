"""Small patches of the rails, remembered and looked for again: where has the picture gone?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.cloth import Image
from calibration.lens import Array
from calibration.strips import nose_height_m

COARSE: Final = 4
"""By so much the picture is reduced for the coarser search."""
REACH_PX: Final = 12
COARSE_REACH_PX: Final = 36
_PATCHES: Final = 60
_HALF_PX: Final = 13
_ALIKE: Final = 0.75
_LEAST_SHARE: Final = 0.25
_LEAST_PATCHES: Final = 8
_AGREE_PX: Final = 1.5


@dataclass(frozen=True, eq=False)
class Patches:
    """What is remembered of a picture's rails."""

    centers_px: Array
    """(N, 2) whole pixels."""
    templates: list[Image]
    half_px: int


def smaller(grey: Image) -> Image:
    """A grey picture, reduced by `COARSE`."""
    size = (max(1, grey.shape[1] // COARSE), max(1, grey.shape[0] // COARSE))
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


def remember(grey: Image, camera: Camera, scale: int) -> Patches:
    """Patches of a grey picture (H, W) that is reduced by `scale`."""
    half = max(6, _HALF_PX // (1 if scale == 1 else 2))
    mask = _ring(camera, grey.shape, scale)
    mask[:half], mask[-half:], mask[:, :half], mask[:, -half:] = 0, 0, 0, 0
    spread = 0.035 * max(grey.shape)
    corners = cv2.goodFeaturesToTrack(grey, _PATCHES, 0.02, spread, mask=mask, blockSize=5)
    if corners is None:
        return Patches(np.zeros((0, 2)), [], half)
    centers = np.rint(corners.reshape(-1, 2)).astype(int)
    templates = [grey[y - half : y + half + 1, x - half : x + half + 1] for x, y in centers]
    return Patches(centers.astype(np.float64), templates, half)


def motion_of(
    grey: Image, patches: Patches, reach_px: int, scale: int
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


def _found_again(grey: Image, patches: Patches, reach_px: int) -> tuple[Array, Array]:
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
