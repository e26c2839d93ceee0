"""The components of what is not cloth: each with its place, its pixels and what it may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image

_SHORT_LABELS: Final = 65_000
HALF: Final = 2
"""Components are found at half size: a quarter of the work, and noise is averaged away."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """One component with a margin around it, in top-view pixels.

    `own` (h, w) uint8 0/1: the component, its holes (highlights, cloth-coloured parts)
    filled; `area_px`: its area; `reach_px`: the longer side of its bounding box.
    """

    rows: slice
    columns: slice
    own: Image
    area_px: float
    reach_px: int

    @property
    def corner(self) -> tuple[int, int]:
        """Column and row of the first pixel."""
        return self.columns.start, self.rows.start


def patches_of(mask: Image, least_px: float, shortest_px: float, margin_px: int) -> Iterator[Patch]:
    """The components of a half-size mask (h, w) uint8, in full-size pixels.

    Smaller ones than `least_px` (area) or `shortest_px` (longer side) are left out.
    """
    labels, stats = components(mask)
    height, width = mask.shape[0] * HALF, mask.shape[1] * HALF
    for label in range(1, len(stats)):
        x, y, w, h, area = (int(value) for value in stats[label])
        if area * HALF**2 < least_px or max(w, h) * HALF < shortest_px:
            continue
        margin = margin_px // HALF
        rows = slice(max(0, y - margin), min(mask.shape[0], y + h + margin))
        columns = slice(max(0, x - margin), min(mask.shape[1], x + w + margin))
        small = filled((labels[rows, columns] == label).astype(np.uint8))
        yield Patch(
            slice(rows.start * HALF, min(height, rows.stop * HALF)),
            slice(columns.start * HALF, min(width, columns.stop * HALF)),
            doubled(small),
            float(cv2.countNonZero(small) * HALF**2),
            max(w, h) * HALF,
        )


def components(mask: Image) -> tuple[NDArray[np.integer], NDArray[np.int32]]:
    """The eight-connected components of a mask (h, w) uint8.

    Labels (h, w), 0 outside the mask, and for each label a row of `stats` (K, 5): left, top,
    width, height, area; row 0 is the background.
    """
    # Short labels take a third of the time; there are no more labels than pixels.
    kind = cv2.CV_16U if cv2.countNonZero(mask) < _SHORT_LABELS else cv2.CV_32S
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=kind)
    return np.asarray(labels), np.asarray(stats, np.int32)


def doubled(mask: Image) -> Image:
    """A half-size mask at full size."""
    size = (mask.shape[1] * HALF, mask.shape[0] * HALF)
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def filled(own: Image) -> Image:
    """The component with its holes filled."""
    contours, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros_like(own)
    cv2.drawContours(whole, contours, -1, 1, cv2.FILLED)
    return whole


def thick_parts(own: Image, radius_px: float, least_px: float) -> Iterator[Image]:
    """A component without what is thinner than a ball (a cue's shaft), piece by piece."""
    core = cv2.morphologyEx(own, cv2.MORPH_OPEN, ellipse(0.9 * radius_px))
    yield from large_parts(np.asarray(core, np.uint8), least_px)


def large_parts(mask: Image, least_px: float) -> Iterator[Image]:
    """The connected parts of a mask that are not smaller than `least_px`, as masks."""
    labels, stats = components(mask)
    for label in range(1, len(stats)):
        if stats[label][4] >= least_px:
            yield (labels == label).astype(np.uint8)


def ellipse(size_px: float) -> Image:
    """A round structuring element of about this diameter."""
    side = max(3, round(0.5 * size_px) * 2 + 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(kernel, np.uint8)


def middle_of(own: Image) -> tuple[float, float]:
    """The centre of gravity of a mask that is not empty."""
    moments = cv2.moments(own, binaryImage=True)
    return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]


def over(levels: Image, limit: int) -> Image:
    """255 where a (h, w) uint8 picture is above `limit`, else 0."""
    return np.asarray(cv2.threshold(levels, limit, 255, cv2.THRESH_BINARY)[1], np.uint8)
