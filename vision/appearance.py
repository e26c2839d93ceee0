"""How one ball looks in a picture: the colours of its disc, and how much of each.

An Appearance keeps the camera's own colours, so that the light can be judged later from
the whole table (`vision.light`), and appearances of one track can be merged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image

Bgr = tuple[float, float, float]
"""A camera colour: blue, green, red in 8-bit levels."""

CORE_RADIUS = 0.72
"""Pixels nearer to the centre than this share of the radius are the ball's own for sure."""
RIM_RADIUS = 0.93
"""Farther out a pixel is mixed with the cloth by the lens and by chroma subsampling."""

_LEVELS = 16
_LARGEST_RADIUS_PX = 17.0
_CLOTH_TOLERANCE = 14.0


@dataclass(frozen=True, slots=True, eq=False)
class Appearance:
    """The colours seen on one ball; whatever light it was seen under.

    `colors_bgr` (k, 3) float32, 8-bit levels: the mean colours of k groups of similar pixels.
    `core` (k,) and `rim` (k,) float32: the share of each group among the disc's inner pixels
    (CORE_RADIUS) and among the ring out to RIM_RADIUS; each sums to 1 (0 when nothing was
    usable). `cloth_bgr`: the cloth around the ball, None when not known.
    `pixels`: number of usable pixels, summed over merged frames. `cloth_share`: how much of
    the inner disc looked like cloth (a blurred, misplaced or cloth-coloured ball).
    `frames`: how many measurements were merged.
    """

    colors_bgr: NDArray[np.float32]
    core: NDArray[np.float32]
    rim: NDArray[np.float32]
    cloth_bgr: Bgr | None
    pixels: float
    cloth_share: float
    frames: int = 1

    @property
    def empty(self) -> bool:
        """True when no pixel of the ball was usable."""
        return self.pixels <= 0.0

    @property
    def quality(self) -> float:
        """0 (worthless) to 1 (sharp, fully seen): the weight of this measurement in a merge."""
        enough = min(1.0, self.pixels / self.frames / 60.0)
        return enough * (1.0 - 0.9 * min(1.0, self.cloth_share))


def measure_appearance(
    image_bgr: Image,
    center_px: tuple[float, float],
    radius_px: float,
    cloth_bgr: Bgr | None = None,
) -> Appearance:
    """Measure the colours of the ball whose disc has this centre and radius.

    Args:
        image_bgr: (h, w, 3) uint8.
        center_px: centre of the disc; the first pixel's centre is (0, 0).
        radius_px: radius of the disc; 5 to 60 px are useful.
        cloth_bgr: the cloth beside the ball, so that its colour at the disc's rim is left
            out of account.

    Raises:
        ValueError: when the image is not (h, w, 3) uint8 or the radius is not positive.
    """
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8:
        raise ValueError("an appearance is measured in an (h, w, 3) uint8 image")
    if not (radius_px > 0.0 and math.isfinite(radius_px)):
        raise ValueError(f"a ball's radius must be positive, got {radius_px}")
    if not (math.isfinite(center_px[0]) and math.isfinite(center_px[1])):
        raise ValueError(f"a ball's centre must be finite, got {center_px}")
    patch, offset, radius = _patch(image_bgr, center_px, radius_px)
    if patch.size == 0:
        return _nothing(cloth_bgr)
    inner, ring = _disc_masks(patch.shape[0], patch.shape[1], *_quarters(offset, radius))
    pixels = patch.reshape(-1, 3)
    return _summarise(pixels[inner], pixels[ring], cloth_bgr)


def merge_appearances(appearances: Sequence[Appearance]) -> Appearance:
    """The mean of several measurements of one ball, weighted by their quality.

    Raises:
        ValueError: when there is nothing to merge.
    """
    if not appearances:
        raise ValueError("no appearance to merge")
    usable = [each for each in appearances if not each.empty]
    if len(usable) < 2:
        return usable[0] if usable else appearances[0]
    weights = [each.quality * each.frames + 1e-6 for each in usable]
    total = sum(weights)
    colors = np.concatenate([each.colors_bgr for each in usable])
    core = np.concatenate([each.core * w for each, w in zip(usable, weights, strict=True)])
    rim = np.concatenate([each.rim * w for each, w in zip(usable, weights, strict=True)])
    colors, core, rim = _regroup(colors, _float32(core / total), _float32(rim / total))
    cloths = [
        (each.cloth_bgr, w) for each, w in zip(usable, weights, strict=True) if each.cloth_bgr
    ]
    return Appearance(
        colors,
        core,
        rim,
        _mean_color(cloths),
        sum(each.pixels for each in usable),
        sum(each.cloth_share * w for each, w in zip(usable, weights, strict=True)) / total,
        sum(each.frames for each in usable),
    )


def _mean_color(weighted: Sequence[tuple[Bgr, float]]) -> Bgr | None:
    if not weighted:
        return None
    total = sum(w for _, w in weighted)
    blue, green, red = (sum(c[i] * w for c, w in weighted) / total for i in range(3))
    return (blue, green, red)


def _float32(values: NDArray[np.floating]) -> NDArray[np.float32]:
    return np.asarray(values, np.float32)


def _nothing(cloth_bgr: Bgr | None) -> Appearance:
    none = np.zeros(0, np.float32)
    return Appearance(np.zeros((0, 3), np.float32), none, none, cloth_bgr, 0.0, 1.0)


def _patch(
    image: Image, center_px: tuple[float, float], radius_px: float
) -> tuple[Image, tuple[float, float], float]:
    """The square around the disc, the disc's centre in it, and its radius there.

    Large balls are shrunk: more pixels tell no more about a colour.
    """
    reach = radius_px + 1.0
    height, width = image.shape[:2]
    left = min(max(0, math.floor(center_px[0] - reach)), width)
    top = min(max(0, math.floor(center_px[1] - reach)), height)
    right = min(width, max(left, math.ceil(center_px[0] + reach) + 1))
    bottom = min(height, max(top, math.ceil(center_px[1] + reach) + 1))
    patch = image[top:bottom, left:right]
    x_px, y_px = center_px[0] - left, center_px[1] - top
    if radius_px <= _LARGEST_RADIUS_PX or patch.size == 0:
        return np.ascontiguousarray(patch), (x_px, y_px), radius_px
    scale = _LARGEST_RADIUS_PX / radius_px
    size = (max(1, round(patch.shape[1] * scale)), max(1, round(patch.shape[0] * scale)))
    scale_x, scale_y = size[0] / patch.shape[1], size[1] / patch.shape[0]
    small = np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), np.uint8)
    center = ((x_px + 0.5) * scale_x - 0.5, (y_px + 0.5) * scale_y - 0.5)
    return small, center, radius_px * (scale_x + scale_y) / 2


def _quarters(center: tuple[float, float], radius: float) -> tuple[int, int, int]:
    """Centre and radius in quarters of a pixel: the key of a cached mask."""
    return round(center[0] * 4), round(center[1] * 4), round(radius * 4)


@lru_cache(maxsize=4096)
def _disc_masks(
    height: int, width: int, x_quarter: int, y_quarter: int, radius_quarter: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Flat indices of the inner disc and of the ring around it."""
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    squared = (columns - x_quarter / 4) ** 2 + (rows - y_quarter / 4) ** 2
    radius = radius_quarter / 4
    inner = squared <= (CORE_RADIUS * radius) ** 2
    ring = (squared <= (RIM_RADIUS * radius) ** 2) & ~inner
    return np.flatnonzero(inner), np.flatnonzero(ring)


def _summarise(inner: Image, ring: Image, cloth_bgr: Bgr | None) -> Appearance:
    cloth_share = 0.0
    if cloth_bgr is not None:
        own = ~_is_cloth(inner, cloth_bgr)
        cloth_share = 1.0 - float(own.mean()) if len(own) else 1.0
        ring = ring[~_is_cloth(ring, cloth_bgr)]
        if 0.0 < cloth_share < 0.6:
            inner = inner[own]
    if len(inner) == 0:
        return _nothing(cloth_bgr)
    pixels = np.concatenate([inner, ring]).astype(np.float32)
    core = np.zeros(len(pixels), np.float32)
    core[: len(inner)] = 1.0 / len(inner)
    rim = np.zeros(len(pixels), np.float32)
    if len(ring):
        rim[len(inner) :] = 1.0 / len(ring)
    colors, core, rim = _regroup(pixels, core, rim)
    return Appearance(colors, core, rim, cloth_bgr, float(len(pixels)), cloth_share)


def _is_cloth(pixels: Image, cloth_bgr: Bgr) -> NDArray[np.bool_]:
    difference = np.abs(pixels.astype(np.float32) - np.asarray(cloth_bgr, np.float32))
    return np.asarray(difference.max(axis=1) < _CLOTH_TOLERANCE, np.bool_)


def _regroup(
    colors: NDArray[np.float32], core: NDArray[np.float32], rim: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Group colours by 16 levels a channel; a group keeps the mean of what fell into it."""
    step = 256 // _LEVELS
    levels = (colors * (1.0 / step)).astype(np.int64)
    codes = levels[:, 0] * (_LEVELS * _LEVELS) + levels[:, 1] * _LEVELS + levels[:, 2]
    kinds, member = np.unique(codes, return_inverse=True)
    count = len(kinds)
    mass = core + rim
    core_sum = np.bincount(member, core, count)
    rim_sum = np.bincount(member, rim, count)
    total = np.bincount(member, mass, count)
    total[total <= 0.0] = 1.0
    mean = np.empty((count, 3), np.float32)
    for channel in range(3):
        mean[:, channel] = np.bincount(member, colors[:, channel] * mass, count) / total
    return mean, core_sum.astype(np.float32), rim_sum.astype(np.float32)
