"""Training tiles: labelled pieces of metric top views, made from synthetic stills.

A still is remapped to the top view that the product looks at, in which a ball has one size
wherever it lies, and cut into tiles around what is hard: balls, pockets, hands, tips, rails.
Boxes are metric too: a ball's box is its disc (or its streak's hull) on the plane of the
balls' centres, so that the middle of the box is the ball's place on the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from synthetic.labels import FrameLabels
from synthetic.stills import Still
from table.balls import CUE
from vision.topview import TopView

CLASSES: Final[tuple[str, ...]] = ("ball", "cue_ball", "away", "hand", "tip")
"""Class names in the order of their numbers.

"ball" and "cue_ball" are on the bed or in the air; "away" is a ball that lies in a pocket or
is carried by a hand: it looks like a ball and is not in play. Which ball it is, is not asked:
one class for all sets generalises better, and identity is measured elsewhere. "tip" is a
square of a ball's size around a cue's tip: a point that a box head learns.
"""
TILE_PX: Final = 320
MARGIN_M: Final = 0.13
SMALLEST_PX_PER_M: Final = 340.0
LARGEST_PX_PER_M: Final = 480.0
"""Balls of 19 to 27 pixels; the product looks at 23."""
LEAST_VISIBLE: Final = 0.25
_LEAST_INSIDE: Final = 0.35
"""Share of a box that has to lie in a tile to be labelled there."""
_JITTER_PX: Final = 110.0

Boxes = NDArray[np.float64]
Image = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Tile:
    """One training image: `image` (320, 320, 3) uint8 BGR.

    `classes` (N,) int64; `boxes` (N, 4) left, top, right, bottom in pixels of the tile, counted
    from the outer corner of its first pixel.
    """

    image: Image
    classes: NDArray[np.int64]
    boxes: Boxes

    def yolo_lines(self) -> list[str]:
        """Lines "class x y w h", centre and size as shares of the tile."""
        lines = []
        for number, (left, top, right, bottom) in zip(self.classes, self.boxes, strict=True):
            x, y = (left + right) / 2 / TILE_PX, (top + bottom) / 2 / TILE_PX
            w, h = (right - left) / TILE_PX, (bottom - top) / TILE_PX
            lines.append(f"{number} {x:.6f} {y:.6f} {w:.6f} {h:.6f}")
        return lines


@dataclass(frozen=True, eq=False)
class LabelledView:
    """A whole top view with boxes in its pixels: columns as in `Tile`."""

    view: Image
    classes: NDArray[np.int64]
    boxes: Boxes


def labelled_view(still: Still, px_per_m: float) -> LabelledView:
    """The top view of a still with all its labels."""
    top = TopView(still.camera, px_per_m=px_per_m, margin_m=MARGIN_M)
    view = top.render(np.ascontiguousarray(still.image[..., ::-1]))
    rows = list(_boxes(still.labels, still.camera, top))
    classes = np.array([CLASSES.index(name) for name, _ in rows], np.int64)
    boxes = np.array([box for _, box in rows], np.float64).reshape(-1, 4)
    return LabelledView(view, classes, boxes)


def _boxes(
    labels: FrameLabels, camera: Camera, top: TopView
) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    def place(pixels: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
        return top.from_table(camera.on_plane(np.array(pixels, np.float64)))

    radius = top.ball_radius_px
    for ball in labels.balls:
        if ball.visible < LEAST_VISIBLE:
            continue
        ends = place(ball.streak_px)
        low, high = ends.min(axis=0) - radius, ends.max(axis=0) + radius
        name = "cue_ball" if ball.ball == CUE else "ball"
        if ball.where in ("pocket", "hand"):
            name = "away"
        yield name, (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    for stick in labels.sticks:
        u, v = place([stick.tip_px])[0]
        if np.isfinite(u + v):
            low, high = (
                (float(u - radius), float(v - radius)),
                (float(u + radius), float(v + radius)),
            )
            yield "tip", (*low, *high)
    for left, upper, right, lower in labels.hands:
        corners = place([(left, upper), (right, upper), (left, lower), (right, lower)])
        if np.isfinite(corners).all():
            low, high = corners.min(axis=0), corners.max(axis=0)
            yield "hand", (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def cut(whole: LabelledView, left: int, top: int) -> Tile:
    """The tile whose first pixel is (left, top) of the view, with the labels inside it."""
    image = whole.view[top : top + TILE_PX, left : left + TILE_PX]
    # In the view a pixel's centre is its place; training tools count from its corner.
    boxes = whole.boxes - np.array((left, top, left, top), np.float64) + 0.5
    inside = np.clip(boxes, 0.0, float(TILE_PX))
    share = _area(inside) / np.maximum(_area(boxes), 1e-9)
    is_hand = whole.classes == CLASSES.index("hand")
    # A part of a hand is a hand.
    kept = share > np.where(is_hand, 0.15, _LEAST_INSIDE)
    return Tile(np.ascontiguousarray(image), whole.classes[kept], inside[kept])


def _area(boxes: Boxes) -> NDArray[np.float64]:
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 0.0)
    return np.asarray(sides[:, 0] * sides[:, 1])


def tiles_of(rng: np.random.Generator, still: Still, count: int = 4) -> list[Tile]:
    """Cut tiles from one still: half around balls, the rest around what else there is."""
    whole = labelled_view(still, float(rng.uniform(SMALLEST_PX_PER_M, LARGEST_PX_PER_M)))
    height, width = whole.view.shape[:2]
    tiles = []
    for center in _centers(rng, whole, count):
        u, v = center + rng.uniform(-_JITTER_PX, _JITTER_PX, 2)
        left = int(np.clip(u - TILE_PX / 2, 0, width - TILE_PX))
        top = int(np.clip(v - TILE_PX / 2, 0, height - TILE_PX))
        tiles.append(cut(whole, left, top))
    return tiles


def _centers(
    rng: np.random.Generator, whole: LabelledView, count: int
) -> list[NDArray[np.float64]]:
    middles = (whole.boxes[:, :2] + whole.boxes[:, 2:]) / 2
    on_bed = middles[whole.classes <= CLASSES.index("cue_ball")]
    rest = middles[whole.classes >= CLASSES.index("away")]
    height, width = whole.view.shape[:2]
    left: list[NDArray[np.float64]] = list(rng.permutation(on_bed))
    chosen: list[NDArray[np.float64]] = []
    while left and len(chosen) < count // 2:
        center = left.pop(0)
        chosen.append(center)
        left = [one for one in left if np.abs(one - center).max() > TILE_PX / 2]
    hard = list(rng.permutation(rest))[: count - 1 - len(chosen)] if len(rest) else []
    chosen += hard
    while len(chosen) < count:
        chosen.append(rng.uniform((0.0, 0.0), (width, height)))
    return chosen
