"""A ball on a pocket's brink, or one that fell in: told apart by what lies before it.

Seen from above, a fallen ball can appear where a ball hangs: it is lower, and a camera over
the table's middle sees it nearer. But the bed's edge then covers its table side, and cloth is
seen there; the disc of a hanging ball is whole and lies over the bed.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.geometry import PocketShape, TableSpec
from vision.frames import Image
from vision.topview import TopView

Floats = NDArray[np.float64]

_TABLE_SIDE: Final = (0.55, 0.8)
"""Where the disc's table side is looked at: this far before the centre, in radii."""
_CLOTH: Final = (1.5, 2.0)
"""Where the cloth before the ball is looked at."""
_MIDDLE: Final = (-0.3, 0.3)
_HOLE: Final = (-1.9, -1.4)
"""Where the hole behind the ball is looked at."""
_REACH: Final = 2.2
"""All of it lies within this many radii."""
_ACROSS: Final = (-0.35, 0.0, 0.35)
_LIT: Final = 0.6
"""Lightness of a ball in the lamps' light, in that of the cloth; one in a hole is darker."""
_DIFFERENT: Final = 24.0
"""Distance in L*a*b* (8-bit scale) of two things that are not both cloth."""


def mouth_of(xy_m: Floats, table: TableSpec) -> PocketShape | None:
    """The pocket in whose mouth, before its drop, a ball's centre lies; None elsewhere."""
    place = (float(xy_m[0]), float(xy_m[1]))
    for pocket in table.pockets.values():
        depth, aside = pocket.depth_m(place), abs(pocket.offset_m(place))
        if -table.ball_radius_m < depth <= pocket.shelf_m and aside < pocket.mouth_m / 2:
            return pocket
    return None


def hangs(view: Image, center_px: Floats, pocket: PocketShape, top: TopView) -> bool:
    """True when the ball seen at `center_px` (u, v) lies on the pocket's brink.

    `view` is the top view (h, w, 3) uint8 BGR. The hole itself, which is dark throughout, is
    no ball. A ball that is dark or of the cloth's colour is not told.
    """
    low = np.maximum(np.rint(center_px - _REACH * top.ball_radius_px).astype(int), 0)
    high = np.maximum(np.rint(center_px + _REACH * top.ball_radius_px).astype(int) + 1, 0)
    near = np.ascontiguousarray(view[low[1] : high[1], low[0] : high[0]])
    if not near.size:
        return False
    lab, center_px = cv2.cvtColor(near, cv2.COLOR_BGR2LAB), center_px - low
    before = np.array((-pocket.outward[0], pocket.outward[1]))
    side = _median(lab, center_px, before, _TABLE_SIDE, top.ball_radius_px)
    cloth = _median(lab, center_px, before, _CLOTH, top.ball_radius_px)
    middle = _median(lab, center_px, before, _MIDDLE, top.ball_radius_px)
    hole = _median(lab, center_px, before, _HOLE, top.ball_radius_px)
    whole = np.linalg.norm(side - cloth) > _DIFFERENT
    lit = middle[0] > _LIT * cloth[0]
    return bool(whole and lit and np.linalg.norm(middle - hole) > _DIFFERENT)


def _median(
    lab: NDArray[np.generic],
    center_px: Floats,
    before: Floats,
    reach: tuple[float, float],
    r: float,
) -> Floats:
    across = np.array((-before[1], before[0]))
    steps = np.linspace(reach[0], reach[1], 5)
    places = np.array([center_px + r * (s * before + a * across) for s in steps for a in _ACROSS])
    rows, columns = lab.shape[:2]
    u = np.clip(np.rint(places[:, 0]).astype(int), 0, columns - 1)
    v = np.clip(np.rint(places[:, 1]).astype(int), 0, rows - 1)
    return np.asarray(np.median(lab[v, u].astype(np.float64), axis=0))
