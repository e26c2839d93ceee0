"""The cue: its line and tip while aiming and at the strike, and a cue that lies on the cloth.

In the mask of all that is not cloth a shaft is what is thinner than a ball and straight. The
line is fitted to the shaft, which is long: a pixel at its end turns it by little. The tip is
its free end; the network's look at the tip, where there is one, says which end that is.

A stick is above the plane of the balls' centres and rises to its butt: a camera that is not
straight above sees it turned. The turn is taken out with the least elevation at which a
stick clears the rail behind it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.patches import components
from vision.topview import TopView

Floats = NDArray[np.float64]

_THINNER_THAN_M: Final = 0.030
_SHORTEST_M: Final = 0.10
_PIECE_M: Final = 0.035
_SCATTER_M: Final = 0.010
"""Standard deviation across a straight shaft: a third of its thickness, and some room."""
_ON_LINE_M: Final = 0.008
_GAP_M: Final = 0.25
"""Pieces of one stick may be this far apart: a bridge hand lies between."""
_TIP_NEAR_M: Final = 0.05
_RAIL_TOP_M: Final = 0.036
"""Height of a rail above the cloth (WPA: the nose at 63.5 % of a ball's diameter)."""
_SHAFT_ABOVE_M: Final = 0.022
"""Half a shaft's thickness and the room a player leaves."""
_LEAST_ELEVATION: Final = math.radians(2.0)


@dataclass(frozen=True, slots=True)
class CueLine:
    """A cue in one frame, table frame.

    `tip_m` (x, y) of the tip's end as seen on the plane of the balls' centres; `direction_rad`
    of aim, from +x toward +y, the camera's view of the rise taken out; `length_m` of the part
    that is seen; `by_network` True when the network saw a tip at this end.
    """

    tip_m: tuple[float, float]
    direction_rad: float
    length_m: float
    by_network: bool = False

    def ahead(self, way_m: float) -> tuple[float, float]:
        """The place `way_m` ahead of the tip on the line of aim."""
        x, y = self.tip_m
        return (
            x + way_m * math.cos(self.direction_rad),
            y + way_m * math.sin(self.direction_rad),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """A straight thin piece of the mask: its points (N, 2) px, middle, axis and ends."""

    points: Floats
    middle: Floats
    axis: Floats
    low: float
    high: float

    @property
    def length(self) -> float:
        return self.high - self.low

    def end(self, along: float) -> Floats:
        return np.asarray(self.middle + along * self.axis)


def find_cues(foreground: Image, top: TopView, tips_px: Floats | None = None) -> list[CueLine]:
    """The cues in a top-view mask (h, w) uint8 of all that is not cloth, the longest first.

    `tips_px` (K, 2): where the network sees tips.
    """
    tips = np.zeros((0, 2)) if tips_px is None else tips_px
    pieces = sorted(_thin_pieces(foreground, top), key=lambda piece: -piece.length)
    cues = []
    while pieces:
        merged, pieces = _merged(pieces, top.px_per_m)
        if merged.length >= _SHORTEST_M * top.px_per_m:
            cues.append(_cue(merged, top, tips))
    return sorted(cues, key=lambda cue: -cue.length_m)


def _thin_pieces(foreground: Image, top: TopView) -> Iterator[_Piece]:
    # Half the resolution is enough for a line: it is long.
    mask = (foreground[::2, ::2] > 0).astype(np.uint8)
    if not mask.any():
        return
    size = max(3, round(_THINNER_THAN_M * top.px_per_m / 2) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    thick = cv2.dilate(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.ones((3, 3), np.uint8))
    labels, stats = components(np.asarray(cv2.subtract(mask, thick), np.uint8))
    shortest = _PIECE_M * top.px_per_m
    for label in range(1, len(stats)):
        x, y, w, h, _area = (int(value) for value in stats[label])
        if 2 * math.hypot(w, h) < shortest:
            continue
        rows, columns = np.nonzero(labels[y : y + h, x : x + w] == label)
        places = np.column_stack((columns + x, rows + y)).astype(np.float64)
        piece = _piece(2.0 * places + 0.5)
        across = (piece.points - piece.middle) @ np.array((-piece.axis[1], piece.axis[0]))
        straight = float(across.std()) < _SCATTER_M * top.px_per_m
        if straight and piece.length >= shortest and piece.length > 10.0 * float(across.std()):
            yield piece


def _piece(points: Floats) -> _Piece:
    line = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    axis, middle = line[:2].astype(np.float64), line[2:].astype(np.float64)
    along = (points - middle) @ axis
    return _Piece(points, middle, axis, float(along.min()), float(along.max()))


def _merged(pieces: Sequence[_Piece], px_per_m: float) -> tuple[_Piece, list[_Piece]]:
    """The first piece with all that lie on its line, and the rest."""
    whole, rest = pieces[0], []
    for piece in pieces[1:]:
        away = (piece.points - whole.middle) @ np.array((-whole.axis[1], whole.axis[0]))
        along = (piece.points - whole.middle) @ whole.axis
        gap = max(float(along.min()) - whole.high, whole.low - float(along.max()))
        on_line = float(np.abs(away).mean()) < _ON_LINE_M * px_per_m
        parallel = piece.length < 0.08 * px_per_m or abs(float(piece.axis @ whole.axis)) > 0.995
        if on_line and parallel and gap < _GAP_M * px_per_m:
            whole = _piece(np.concatenate((whole.points, piece.points)))
        else:
            rest.append(piece)
    return whole, rest


def _cue(piece: _Piece, top: TopView, tips: Floats) -> CueLine:
    ends = np.stack((piece.end(piece.low), piece.end(piece.high)))
    away = np.hypot(*(ends[:, None] - tips[None]).transpose(2, 0, 1)) if len(tips) else None
    near = None if away is None else away.min(axis=1) < _TIP_NEAR_M * top.px_per_m
    by_network = near is not None and bool(near.any())
    if by_network and away is not None:
        first = int(np.argmin(away.min(axis=1)))
    else:
        first = int(np.argmax([_into_table(end, top) for end in ends]))
    tip_px, back_px = ends[first], ends[1 - first]
    tip = top.to_table(tip_px[None])[0]
    seen = tip - top.to_table(back_px[None])[0]
    direction = _without_rise(tip, seen / np.hypot(*seen), top)
    length_m = piece.length / top.px_per_m
    return CueLine((float(tip[0]), float(tip[1])), direction, length_m, by_network)


def _into_table(end_px: Floats, top: TopView) -> float:
    """How far inside the noses a place lies, in metres; a shaft's free end is the inner one."""
    x, y = top.to_table(end_px[None])[0]
    table = top.camera.table
    return float(min(table.length_m / 2 - abs(x), table.width_m / 2 - abs(y)))


def least_elevation(tip: Floats, ahead: Floats, top: TopView) -> float:
    """The least elevation (radians) at which a stick clears the rail behind its tip."""
    table = top.camera.table
    to_rail = 1.47
    for axis, half in ((0, table.length_m / 2), (1, table.width_m / 2)):
        if abs(ahead[axis]) > 1e-6:
            wall = -math.copysign(half, float(ahead[axis]))
            to_rail = min(to_rail, max((float(tip[axis]) - wall) / float(ahead[axis]), 0.03))
    above = _RAIL_TOP_M + _SHAFT_ABOVE_M - table.ball_radius_m
    return max(math.atan2(above, to_rail), _LEAST_ELEVATION)


def _without_rise(tip: Floats, seen: Floats, top: TopView) -> float:
    """The direction of aim from the direction `seen` on the plane of the balls' centres.

    A point s behind the tip is s tan(e) higher; the camera at height h above the plane sees
    it moved by (place - camera) s tan(e) / h. To first order the seen direction is
    u - (tip - camera) tan(e) / h, from which the unit vector u follows.
    """
    camera = top.camera
    height = camera.height_m - camera.ball_plane_m
    moved = (tip - camera.position_m[:2]) * math.tan(least_elevation(tip, seen, top)) / height
    along = float(seen @ moved)
    # |k seen + moved| = 1.
    k = -along + math.sqrt(max(along**2 + 1.0 - float(moved @ moved), 0.0))
    ahead = k * seen + moved
    return math.atan2(float(ahead[1]), float(ahead[0]))


def strike_time_s(
    tips: Sequence[tuple[float, CueLine]], cue_ball_m: tuple[float, float], ball_radius_m: float
) -> float | None:
    """When the tip met a resting cue ball, from the tip's way toward it.

    `tips` are times in seconds and cues, in order, up to the ball's first movement. The last
    forward steps are continued, with the stroke's acceleration, to the ball's surface. None
    when the cue was not seen to come.
    """
    gaps = [(t_s, _gap_m(cue, cue_ball_m, ball_radius_m)) for t_s, cue in tips]
    steps = list(pairwise(gaps))
    forward: list[tuple[float, float]] = []
    for before, after in reversed(steps):
        if after[1] >= before[1] - 0.002:
            break
        forward = [before, after] if not forward else [before, *forward]
    if len(forward) < 2:
        return None
    (t0, g0), (t1, g1) = forward[-2:]
    speed = (g0 - g1) / (t1 - t0)
    return t1 + max(g1, 0.0) / speed if speed > 0.05 else None


def _gap_m(cue: CueLine, ball_m: tuple[float, float], radius_m: float) -> float:
    """How far the tip is from the ball's surface, along the line of aim."""
    dx, dy = ball_m[0] - cue.tip_m[0], ball_m[1] - cue.tip_m[1]
    ux, uy = math.cos(cue.direction_rad), math.sin(cue.direction_rad)
    along, across = dx * ux + dy * uy, dx * uy - dy * ux
    return along - math.sqrt(max(radius_m**2 - across**2, 0.0))


@dataclass(eq=False)
class LyingCue:
    """A cue that lies on the cloth, let go (advisory for rule 6.12): it rests, without a hand.

    Feed the cues of each look; `since_s` says since when one has been lying.
    """

    rest_s: float = 1.0
    _cue: CueLine | None = None
    _still_since_s: float = 0.0

    def update(self, t_s: float, cues: Sequence[CueLine], held: Sequence[bool]) -> float | None:
        """Take a look's cues, `held` by a hand or not; since when one lies there, else None."""
        loose = [cue for cue, is_held in zip(cues, held, strict=True) if not is_held]
        if not loose:
            self._cue = None
            return None
        cue = loose[0]
        if self._cue is None or not _same_place(cue, self._cue):
            self._cue, self._still_since_s = cue, t_s
        return self._still_since_s if t_s - self._still_since_s >= self.rest_s else None


def _same_place(one: CueLine, other: CueLine) -> bool:
    away = math.hypot(one.tip_m[0] - other.tip_m[0], one.tip_m[1] - other.tip_m[1])
    turn = math.remainder(one.direction_rad - other.direction_rad, math.tau)
    return away < 0.006 and abs(turn) < math.radians(1.0)
