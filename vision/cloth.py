"""The empty cloth as this camera sees it: what a top-view pixel shows without a ball.

Learned from a few frames of a table in use: balls that rest through all of them are
replaced by what the cloth around them and along the same cushion looks like.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.topview import TopView

_BED_INSET_M = 0.05
_CUSHION_BAND_M = 0.06
_BEYOND_M = 0.125
"""How far beyond the noses balls are looked for: over the rails, not over the floor."""


@dataclass(frozen=True, eq=False)
class Cloth:
    """The empty cloth: `picture` (h, w, 3) uint8 BGR and the difference that is noise.

    `threshold` is the largest colour difference (maximum over channels, 8-bit levels) that
    cloth, its shadow and noise show; more is something lying on it. `faint` is what noise alone
    shows. `bed` (h, w) uint8 is 255 where a ball may be seen: over the bed, in a pocket, or
    flying over a rail. `color_bgr` is the typical cloth colour.
    """

    picture: Image
    threshold: int
    faint: int
    bed: Image
    color_bgr: tuple[float, float, float]

    def difference(self, view: Image) -> Image:
        """(h, w) uint8: the largest channel difference of a top view from the empty cloth."""
        delta = cv2.absdiff(view, self.picture)
        blue, green, red = cv2.split(delta)
        return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def learn_cloth(views: Sequence[Image], top: TopView) -> Cloth:
    """Learn the empty cloth from top views of a table in use.

    `views` are (h, w, 3) uint8 BGR pictures of the same camera, spread over some time. Where
    any of them shows what a smooth cloth between these cushions would, that is the cloth
    there, however long a ball, a hand or a cue lay over it in the others.

    Raises:
        ValueError: when `views` is empty.
    """
    if not views:
        raise ValueError("no view to learn the cloth from")
    median = median_view(views).astype(np.float32)
    inside_m = top.distance_into_table_m()
    smooth = _smooth_surface(median, inside_m)
    residual = median - smooth
    spread = float(np.median(np.abs(residual[inside_m > _BED_INSET_M]).max(axis=-1)))
    color = np.median(median[inside_m > _BED_INSET_M], axis=0)
    threshold = int(np.clip(0.22 * float(color.max()), 20, 48) + 2 * spread)
    empty = smooth + _cushion_profile(residual, inside_m)
    shown, bare = _where_bare(views, empty, 0.5 * threshold)
    picture = _without_resting_balls(np.where(bare[..., None], shown, median), empty, bare, top)
    bed = np.where(inside_m > -_BEYOND_M, 255, 0).astype(np.uint8)
    return Cloth(
        picture,
        threshold,
        int(np.clip(8 + 3 * spread, 10, 24)),
        bed,
        (float(color[0]), float(color[1]), float(color[2])),
    )


def median_view(views: Sequence[Image]) -> Image:
    """The median of pictures of one size, by pixel and channel.

    An odd-even merge sort in which every exchange is one minimum and one maximum of whole
    pictures (Batcher 1968): twenty times as fast as sorting pixel by pixel. For an even
    number the lower of the two in the middle.
    """
    rows = [np.asarray(view) for view in views]
    for first, second in _exchanges(len(rows)):
        low, high = cv2.min(rows[first], rows[second]), cv2.max(rows[first], rows[second])
        rows[first], rows[second] = np.asarray(low, np.uint8), np.asarray(high, np.uint8)
    return rows[(len(rows) - 1) // 2]


def _exchanges(count: int) -> Iterator[tuple[int, int]]:
    """The pairs that Batcher's odd-even merge sort of `count` items compares, in order."""
    step = 1
    while step < count:
        apart = step
        while apart >= 1:
            for start in range(apart % step, count - apart, 2 * apart):
                for index in range(min(apart, count - start - apart)):
                    first = start + index
                    if first // (2 * step) == (first + apart) // (2 * step):
                        yield first, first + apart
            apart //= 2
        step *= 2


def _where_bare(
    views: Sequence[Image], empty: NDArray[np.float32], tolerance: float
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The mean of the views where they look like empty cloth, and where any of them does."""
    expected = np.clip(np.rint(empty), 0, 255).astype(np.uint8)
    total = np.zeros(empty.shape, np.float32)
    count = np.zeros(empty.shape[:2], np.uint8)
    for view in views:
        blue, green, red = cv2.split(cv2.absdiff(view, expected))
        largest = cv2.max(cv2.max(blue, green), red)
        own = cv2.threshold(largest, tolerance, 255, cv2.THRESH_BINARY_INV)[1]
        cv2.accumulate(view, total, mask=own)
        count += np.asarray(own, np.uint8) // 255
    mean = total / np.maximum(count, 1)[..., None]
    return np.asarray(mean, np.float32), np.asarray(count > 0)


def _smooth_surface(
    median: NDArray[np.float32], inside_m: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Third-degree surface per channel through the cloth's pixels, robust to what lies on it."""
    height, width = inside_m.shape
    step = 4
    rows, columns = np.mgrid[0:height:step, 0:width:step]
    keep = inside_m[::step, ::step] > _BED_INSET_M
    u = (columns[keep] / width * 2 - 1).astype(np.float64)
    v = (rows[keep] / height * 2 - 1).astype(np.float64)
    terms = _terms(u, v)
    colors = median[::step, ::step][keep].astype(np.float64)
    center = np.median(colors, axis=0)
    good = np.abs(colors - center).max(axis=1) < 60
    for _ in range(3):
        weights, *_ = np.linalg.lstsq(terms[good], colors[good], rcond=None)
        error = np.abs(colors - terms @ weights).max(axis=1)
        good = error < max(6.0, 3 * float(np.median(error[good])))
    # The surface is smooth: an eighth of the size loses nothing.
    few_v, few_u = height // 8, width // 8
    grid_u, grid_v = np.meshgrid(np.linspace(-1, 1, few_u), np.linspace(-1, 1, few_v))
    flat = (_terms(grid_u.ravel(), grid_v.ravel()) @ weights).reshape(few_v, few_u, 3)
    return np.asarray(cv2.resize(flat.astype(np.float32), (width, height)), np.float32)


def _terms(u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([u**i * v**j for i in range(4) for j in range(4 - i)])


def _without_resting_balls(
    picture: NDArray[np.float32],
    empty: NDArray[np.float32],
    bare: NDArray[np.bool_],
    top: TopView,
) -> Image:
    """The picture of the cloth, with every ball that rested throughout replaced by cloth."""
    inside_m = top.distance_into_table_m()
    foreign = ~bare & (inside_m > -0.02)
    # Thin marks (lines, spots, cushion shadows) belong to the cloth; only what is thick is a ball.
    kernel_px = max(3, round(0.45 * top.ball_radius_px) * 2 + 1)
    thick = cv2.morphologyEx(
        foreign.astype(np.uint8),
        cv2.MORPH_OPEN,
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (kernel_px, kernel_px)),
    )
    grown = cv2.dilate(thick, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (kernel_px, kernel_px)))
    grown[(inside_m < -0.02) | bare] = 0
    for pocket in top.camera.table.pockets.values():
        # A pocket's dark throat is thick and always there: it stays in the picture.
        center = top.from_table(np.array([pocket.drop_point]))[0]
        reach = round(0.06 * top.px_per_m)
        cv2.circle(grown, (round(center[0]), round(center[1])), reach, 0, -1)
    return np.clip(np.rint(np.where(grown[..., None] > 0, empty, picture)), 0, 255).astype(np.uint8)


def _cushion_profile(
    residual: NDArray[np.float32], inside_m: NDArray[np.float32]
) -> NDArray[np.float32]:
    """What the cushions add to the smooth cloth: the median along each rail, by distance."""
    height, width = inside_m.shape
    profile: NDArray[np.float32] = np.zeros_like(residual)
    band = inside_m < _CUSHION_BAND_M
    rows_band = band[:, width // 4]
    columns_band = band[height // 2, :]
    for row in np.flatnonzero(rows_band):
        profile[row, :, :] = np.median(residual[row, width // 6 : -width // 6], axis=0)
    for column in np.flatnonzero(columns_band):
        rail = np.median(residual[height // 4 : -height // 4, column], axis=0)
        profile[height // 8 : -height // 8, column, :] = rail
    return profile
