"""Paths of balls, cut out of the states of the table."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from table.balls import BallName
from table.geometry import Point
from table.state import TableState


@dataclass(frozen=True, slots=True)
class Track:
    """One ball's positions in order of time."""

    times_s: tuple[float, ...]
    points: tuple[Point, ...]

    def at(self, t_s: float, reach_s: float = 0.25) -> Point | None:
        """The position at `t_s`, linear between frames.

        None when the ball has no position within `reach_s`.
        """
        index = bisect_left(self.times_s, t_s)
        near = [i for i in (index - 1, index) if 0 <= i < len(self.times_s)]
        near = [i for i in near if abs(self.times_s[i] - t_s) <= reach_s]
        if len(near) < 2:
            return self.points[near[0]] if near else None
        (t0, t1), (p0, p1) = [self.times_s[i] for i in near], [self.points[i] for i in near]
        part = (t_s - t0) / (t1 - t0)
        return (p0[0] + (p1[0] - p0[0]) * part, p0[1] + (p1[1] - p0[1]) * part)

    def between(self, start_s: float, end_s: float) -> tuple[Point, ...]:
        """The positions from `start_s` to `end_s`, both included."""
        return self.points[bisect_left(self.times_s, start_s) : bisect_right(self.times_s, end_s)]

    def last_before(self, t_s: float, count: int) -> tuple[Point, ...]:
        """The last `count` positions before `t_s`, in order of time; fewer where there are."""
        end = bisect_left(self.times_s, t_s)
        return self.points[max(0, end - count) : end]

    def cut(self, start_s: float, end_s: float) -> Track:
        """The part from `start_s` to `end_s`, both included."""
        part = slice(bisect_left(self.times_s, start_s), bisect_right(self.times_s, end_s))
        return Track(self.times_s[part], self.points[part])


@dataclass(frozen=True)
class Tracks:
    """The tracks of one video."""

    of: dict[BallName, Track] = field(default_factory=dict)

    @staticmethod
    def from_states(states: Sequence[TableState]) -> Tracks:
        """Gather each ball's positions from the states of all frames."""
        gathered: dict[BallName, list[tuple[float, Point]]] = {}
        for state in states:
            for name, ball in state.balls.items():
                gathered.setdefault(name, []).append((state.t_s, ball.position))
        return Tracks(
            {
                name: Track(tuple(t for t, _ in rows), tuple(p for _, p in rows))
                for name, rows in gathered.items()
            }
        )

    def at(self, ball: BallName, t_s: float | None) -> Point | None:
        """Where `ball` was at `t_s`, None when that is not known."""
        track = self.of.get(ball)
        return None if track is None or t_s is None else track.at(t_s)


def moved(points: Sequence[Point], least_m: float) -> bool:
    """True when a path leads at least `least_m` away from its first point."""
    return any(math.dist(points[0], point) >= least_m for point in points)


def simplified(points: Sequence[Point], tolerance_m: float) -> list[Point]:
    """A path with fewer points that stays within `tolerance_m` (Douglas and Peucker, 1973)."""
    if len(points) < 3:
        return list(points)
    keep = {0, len(points) - 1}
    pending = [(0, len(points) - 1)]
    while pending:
        first, last = pending.pop()
        farthest, distance_m = first, tolerance_m
        for index in range(first + 1, last):
            d = _distance_m(points[index], points[first], points[last])
            if d > distance_m:
                farthest, distance_m = index, d
        if farthest != first:
            keep.add(farthest)
            pending += [(first, farthest), (farthest, last)]
    return [points[index] for index in sorted(keep)]


def _distance_m(point: Point, a: Point, b: Point) -> float:
    """Distance of `point` from the segment a-b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    if square == 0.0:
        return math.dist(point, a)
    part = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square
    part = max(0.0, min(1.0, part))
    return math.dist(point, (a[0] + part * dx, a[1] + part * dy))
