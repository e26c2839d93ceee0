"""A ball seen to fall into a pocket, or to stay on its brink.

A ball whose centre passes the drop's edge falls (`PocketShape.shelf_m`). It may be seen in the
throat for a while, lower and so farther in than it is; one that hangs is watched all the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.geometry import Pocket, PocketShape, TableSpec
from vision.contacts import Motion

_BED_AGAIN_M: Final = -0.02
"""Depth behind the mouth line (so: in front of it) at which a ball lies on the bed."""
_HANGS_S: Final = 0.4
_STILL_M: Final = 0.004
_EDGE_M: Final = 0.006
"""What the edge's place differs by from table to table, and what is measured of it."""
_BETWEEN_JAWS: Final = 0.40
"""Share of a mouth's width, to either side of its axis, where a ball's centre fits through."""
_DEEPEST_SEEN_M: Final = 0.30
_FIRST_SIGHTINGS: Final = 5
"""Enough to tell where a ball was when it was first seen."""


@dataclass(frozen=True, slots=True)
class Fall:
    """A ball was seen to fall into a pocket; `lasting`: it was seen in it more than once."""

    pocket: Pocket
    t_s: float
    lasting: bool


def seen_in_pocket(motion: Motion, table: TableSpec) -> Fall | None:
    """A ball that was seen past the point of no return and never again on the bed."""
    points = [(float(x), float(y)) for x, y in motion.path.xy_m]
    for shape in table.pockets.values():
        past = np.array([_is_past(shape, point) for point in points])
        on_bed = np.array([shape.depth_m(p) < _BED_AGAIN_M and table.contains(p) for p in points])
        after = last_on_bed(on_bed) + 1
        inside = np.flatnonzero(past[after:])
        if not len(inside) or after + int(inside[0]) == 0 or _hangs(shape, motion, after):
            continue
        # A ball that lies in a pocket shows again and again; one glimpse may be a mistake.
        lasting = len(inside) >= 2 or rolled_into_mouth(motion, after, table, points[-1])
        t_s = _crossing(shape, motion, after + int(inside[0]))
        return Fall(shape.pocket, t_s, lasting)
    return None


def _hangs(shape: PocketShape, motion: Motion, after: int) -> bool:
    """True when a ball stays on the brink: watched all the time from the bed on, it came no
    deeper than the edge and lies still there. One that falls passes the edge, or is lost."""
    path = motion.path
    depths = [shape.depth_m((float(x), float(y))) for x, y in path.xy_m[after:]]
    settled = path.t_s > path.t_s[-1] - _HANGS_S
    wander = np.ptp(path.xy_m[settled], axis=0).max()
    watched = np.diff(path.t_s[max(0, after - 1) :]).max(initial=0.0) < _HANGS_S / 2
    return bool(
        path.t_s[-1] - path.t_s[after] > _HANGS_S
        and watched
        and wander < _STILL_M
        and max(depths) < shape.shelf_m + _EDGE_M
        and max(depths[-int(settled.sum()) :]) < shape.shelf_m + _EDGE_M / 2
    )


def last_on_bed(on_bed: NDArray[np.bool_]) -> int:
    """Index of the last of three sightings in a row on the bed, -1 without any."""
    rows = np.flatnonzero(on_bed[2:] & on_bed[1:-1] & on_bed[:-2])
    return int(rows[-1]) + 2 if len(rows) else (0 if len(on_bed) and on_bed[0] else -1)


def _is_past(shape: PocketShape, point: tuple[float, float]) -> bool:
    """True for a ball in the throat, or deeper, where it is seen farther out."""
    return shape.depth_m(point) > shape.shelf_m and may_show_in(shape, point)


def may_show_in(shape: PocketShape, point: tuple[float, float]) -> bool:
    """True where a ball that lies in a pocket may be seen: behind its mouth line.

    One on the brink is seen there too, before the drop's edge.
    """
    depth = shape.depth_m(point)
    wide = 0.6 * shape.mouth_m + 0.5 * max(0.0, depth - shape.shelf_m)
    return 0.0 < depth < _DEEPEST_SEEN_M and abs(shape.offset_m(point)) < wide


def lies_in_pocket(points: Sequence[tuple[float, float]], table: TableSpec) -> bool:
    """True for a ball that never was anywhere but farther in than the edge of a pocket's drop.

    One that fell off the brink meanwhile is not meant: its first sightings lie before the edge.
    """
    if not all(_deep(points[:count], table) for count in (_FIRST_SIGHTINGS, len(points))):
        return False
    shape = table.nearest_pocket(points[0])
    return shape is not None and all(may_show_in(shape, point) for point in points)


def _deep(points: Sequence[tuple[float, float]], table: TableSpec) -> bool:
    """True when the middle of these sightings lies farther in than the drop's edge."""
    middle = np.median(np.array(points), axis=0)
    place = (float(middle[0]), float(middle[1]))
    shape = table.nearest_pocket(place)
    if shape is None or shape.depth_m(place) < shape.shelf_m + _EDGE_M:
        return False
    return may_show_in(shape, place)


def _crossing(shape: PocketShape, motion: Motion, first: int) -> float:
    """Time between two sightings at which the centre passed the point of no return."""
    path = motion.path
    before = shape.depth_m((float(path.xy_m[first - 1][0]), float(path.xy_m[first - 1][1])))
    after = shape.depth_m((float(path.xy_m[first][0]), float(path.xy_m[first][1])))
    share = (shape.shelf_m - before) / max(1e-6, after - before)
    t0, t1 = float(path.t_s[first - 1]), float(path.t_s[first])
    return t0 + min(1.0, max(0.0, share)) * (t1 - t0)


def rolled_into_mouth(
    motion: Motion, after: int, table: TableSpec, last: tuple[float, float]
) -> bool:
    """True when the way on the bed led between a pocket's jaws and the ball went no farther.

    A ball that falls is seen farther out the deeper it is, because the camera looks past the
    rail; one that flies over a pocket hardly comes from between its jaws.
    """
    path = motion.path
    first = max(0, after - 3)
    if after - first < 2:
        return False
    step = path.xy_m[after - 1] - path.xy_m[first]
    for shape in table.pockets.values():
        inward = float(step @ np.array(shape.outward))
        here = path.xy_m[after - 1]
        depth = shape.depth_m((float(here[0]), float(here[1])))
        if inward <= 0 or depth < -0.25:
            continue
        at_mouth = here - step * depth / inward
        offset = abs(shape.offset_m((float(at_mouth[0]), float(at_mouth[1]))))
        if offset < _BETWEEN_JAWS * shape.mouth_m and shape.depth_m(last) < _DEEPEST_SEEN_M:
            return True
    return False
