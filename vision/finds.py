"""What the network saw in one top view: decoded boxes, one for each thing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LOWEST: Final = 0.05
"""Boxes below this confidence are not even doubts."""
_SAME_THING: Final = 0.5
"""Intersection over union above which two boxes of one group show the same thing."""


class Kind(IntEnum):
    """The network's classes, in the order of its outputs."""

    BALL = 0
    CUE_BALL = 1
    AWAY = 2
    """A ball that lies in a pocket or is carried: not in play."""
    HAND = 3
    TIP = 4


_GROUP: Final = np.array((0, 0, 0, 1, 2))
"""Kinds of one group exclude each other at a place: a ball is one ball."""


@dataclass(frozen=True, slots=True, eq=False)
class Finds:
    """Things in a top view, best first, N rows, read-only.

    `kinds` (N,) int64 of `Kind`; `boxes_px` (N, 4) float64 left, top, right, bottom in
    top-view pixels; `confidence` (N,) float64 0..1.
    """

    kinds: NDArray[np.int64]
    boxes_px: Floats
    confidence: Floats

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def centers_px(self) -> Floats:
        """(N, 2) middles of the boxes."""
        return np.asarray((self.boxes_px[:, :2] + self.boxes_px[:, 2:]) / 2)

    def of(self, *kinds: Kind, least: float = LOWEST) -> Finds:
        """Only these kinds, of at least this confidence."""
        return self.where(np.isin(self.kinds, kinds) & (self.confidence >= least))

    def where(self, kept: NDArray[np.bool_]) -> Finds:
        """The rows for which `kept` (N,) is true."""
        return Finds(self.kinds[kept], self.boxes_px[kept], self.confidence[kept])

    @classmethod
    def none(cls) -> Finds:
        """Nothing seen."""
        return cls(np.zeros(0, np.int64), np.zeros((0, 4)), np.zeros(0))


def decode(raw: NDArray[np.float32], px_per_input_px: float) -> Finds:
    """The network's output (4 + kinds, anchors), centre, size and scores, as things.

    `px_per_input_px` is the size of one pixel of the network's input in the top view.
    Of the boxes that show one thing the most confident stays.
    """
    scores = raw[4:]
    best = scores.max(axis=0)
    kept = best >= LOWEST
    centers, half = raw[:2, kept].T, raw[2:4, kept].T / 2
    kinds = scores[:, kept].argmax(axis=0).astype(np.int64)
    boxes = np.concatenate((centers - half, centers + half), axis=1).astype(np.float64)
    # The centre of a pixel is its place here; the network counts from the pixel's corner.
    boxes = boxes * px_per_input_px - 0.5
    return without_doubles(Finds(kinds, boxes, best[kept].astype(np.float64)))


def without_doubles(finds: Finds) -> Finds:
    """Of boxes of one group that overlap, the most confident; best first."""
    order = np.argsort(-finds.confidence, kind="stable")
    boxes, groups = finds.boxes_px[order], _GROUP[finds.kinds[order]]
    area = np.prod(np.maximum(boxes[:, 2:] - boxes[:, :2], 0.0), axis=1)
    open_rows = np.ones(len(order), bool)
    kept = []
    for row in range(len(order)):
        if not open_rows[row]:
            continue
        kept.append(row)
        low = np.maximum(boxes[row, :2], boxes[:, :2])
        high = np.minimum(boxes[row, 2:], boxes[:, 2:])
        shared = np.prod(np.maximum(high - low, 0.0), axis=1)
        union = area + area[row] - shared
        open_rows &= (shared <= _SAME_THING * union) | (groups != groups[row])
    chosen = order[kept] if kept else order[:0]
    return Finds(finds.kinds[chosen], finds.boxes_px[chosen], finds.confidence[chosen])
