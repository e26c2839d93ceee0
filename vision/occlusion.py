"""Where people are over the table: hands, arms and bodies, as a mask.

What is not cloth and comes in over the table's edge, or is larger than any group of balls,
is somebody or something somebody holds. The network's hands add what reaches over no edge.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.finds import Finds, Kind
from vision.frames import Image
from vision.topview import TopView

_OVER_THE_EDGE: Final = 0.25
"""Area beyond the noses, in discs of a ball, from which a component reaches in."""
_LARGEST_GROUP: Final = 16.0
"""Area of the largest group of balls (a whole rack), in discs of a ball."""
_HAND: Final = 0.3


def people_mask(foreground: Image, outer: Image, top: TopView, finds: Finds | None = None) -> Image:
    """(h, w) uint8, 255 where somebody is over the table.

    `foreground` (h, w) uint8 is the mask of all that is not cloth, `outer` (h, w) uint8 is not
    0 beyond the noses, `finds` what the network saw.
    """
    disc_px = np.pi * (top.ball_radius_px / 2) ** 2
    plain = (foreground[::2, ::2] > 0).astype(np.uint8)
    beyond = outer[::2, ::2] > 0
    count, labels, stats, _ = cv2.connectedComponentsWithStats(plain, connectivity=8)
    over = np.bincount(labels[beyond].ravel(), minlength=count)
    area = stats[:, cv2.CC_STAT_AREA]
    chosen = (over > _OVER_THE_EDGE * disc_px) | (area > _LARGEST_GROUP * disc_px)
    if finds is not None:
        chosen |= _in_hands(labels, count, finds)
    chosen[0] = False
    small = (chosen[labels] * 255).astype(np.uint8)
    height, width = foreground.shape
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def _in_hands(labels: np.ndarray, count: int, finds: Finds) -> np.ndarray:
    """(count,) whether a component lies mostly in the box of a hand."""
    inside = np.zeros(count)
    for box in finds.of(Kind.HAND, least=_HAND).boxes_px / 2:
        left, upper, right, lower = np.maximum(np.rint(box), 0).astype(int)
        inside += np.bincount(labels[upper : lower + 1, left : right + 1].ravel(), minlength=count)
    whole = np.bincount(labels.ravel(), minlength=count)
    return inside > 0.5 * np.maximum(whole, 1)


def covered(mask: Image, u: float, v: float) -> bool:
    """True when the middle of a ball at top-view pixel (u, v) lies in a mask."""
    rows, columns = mask.shape
    row, column = min(rows - 1, max(0, round(v))), min(columns - 1, max(0, round(u)))
    return bool(mask[row, column])
