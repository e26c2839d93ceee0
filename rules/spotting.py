"""Where the ten is spotted (1.4): the exact point on the long string.

On the long string, as near to the foot spot as possible, on its foot-rail side; touching
an object ball that is in the way, with a small gap behind the cue ball. When everything
from the spot to the foot rail is blocked: in front of the spot, as near to it as possible.
No ball is moved. docs/rules.md draws it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from rules.facts import ShotFacts
from rules.ruling import SpotPosition
from table.balls import Ball
from table.geometry import Point, TableSpec

CUE_BALL_GAP_M: Final = 0.001
"""The gap that is left to the cue ball, never touched (1.4; 1 mm is our measure)."""
_TOUCH_M: Final = 1e-9
"""Two balls whose distance differs from touching by less than this touch."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the ten goes, in metres of the table frame, and why there."""

    point: Point
    position: SpotPosition
    against: Ball | None = None
    """The ball that keeps it from lying nearer to the foot spot."""


@dataclass(frozen=True, slots=True)
class _Blocked:
    """An open interval of the long string, x from the foot spot, blocked by a ball."""

    ball: Ball
    start_m: float
    end_m: float

    def blocks(self, x_m: float) -> bool:
        return self.start_m + _TOUCH_M < x_m < self.end_m - _TOUCH_M


def spot(table: TableSpec, balls: Mapping[Ball, Point]) -> Spot:
    """The point where the ten is spotted among the resting `balls` (centres, metres)."""
    blocked = list(_blocked(table, balls))
    foot_x, _ = table.foot_spot
    room_m = table.length_m / 2 - table.ball_radius_m - foot_x
    behind = [(0.0, None), *((b.end_m, b.ball) for b in blocked if b.end_m > 0.0)]
    for x_m, ball in sorted(behind, key=lambda place: place[0]):
        if x_m <= room_m + _TOUCH_M and not any(b.blocks(x_m) for b in blocked):
            return Spot((foot_x + x_m, 0.0), _position_behind(ball), ball)
    in_front = sorted(((b.start_m, b.ball) for b in blocked if b.start_m < 0.0), reverse=True)
    x_m, ball = next(place for place in in_front if not any(b.blocks(place[0]) for b in blocked))
    return Spot((foot_x + x_m, 0.0), SpotPosition.IN_FRONT_OF_FOOT_SPOT, ball)


def _blocked(table: TableSpec, balls: Mapping[Ball, Point]) -> Iterable[_Blocked]:
    foot_x, _ = table.foot_spot
    for ball, (x_m, y_m) in balls.items():
        reach_m = table.ball_diameter_m + (CUE_BALL_GAP_M if ball is Ball.CUE else 0.0)
        if abs(y_m) < reach_m:
            half_m = math.sqrt(reach_m**2 - y_m**2)
            yield _Blocked(ball, x_m - foot_x - half_m, x_m - foot_x + half_m)


def _position_behind(ball: Ball | None) -> SpotPosition:
    if ball is None:
        return SpotPosition.FOOT_SPOT
    if ball is Ball.CUE:
        return SpotPosition.BEHIND_BLOCKER_WITH_GAP
    return SpotPosition.BEHIND_BLOCKER_TOUCHING


def spot_after(facts: ShotFacts) -> tuple[SpotPosition, Point | None]:
    """Where the ten goes after a shot: in words, and the point when positions are known."""
    if facts.all_below_foot_spot_blocked:
        return SpotPosition.IN_FRONT_OF_FOOT_SPOT, None
    points = {b.ball: b.at for b in facts.blockers if not isinstance(b.at, str)}
    if len(points) == len(facts.blockers):
        found = spot(facts.table, points)
        return found.position, found.point
    farthest = facts.blockers[-1]
    return _position_behind(farthest.ball), None
