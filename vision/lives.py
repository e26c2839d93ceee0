"""The lives of a ball in one view: from when it comes to the table until it leaves it.

A ball that fell or flew off comes back by a hand only: the cue ball in hand, the ten on its
spot, all of them in a new rack. What was seen before and after are two lives, and the view is
read in parts between them: what left in one part is not there in the next.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from table.balls import BallName
from table.geometry import Point, TableSpec
from vision.contacts import Motion
from vision.departures import Departure, departure_of
from vision.legs import legs_of
from vision.paths import Path
from vision.spans import Clock, moving_at

_AWAY_S: Final = 0.5
"""No hand brings a ball back sooner."""
_AWAY_M: Final = 0.15
_SURELY_GONE: Final = 0.6
_ON_THE_BED_M: Final = 0.01
_CALM_STEP_S: Final = 0.1
_CARRIED_SIGHTINGS: Final = 8
"""Last sightings that a ball hidden at a part's start brings along."""


@dataclass(frozen=True, slots=True)
class Return:
    """A ball that had left was put on the table again at a time; `gone_s`: when it had left."""

    ball: BallName
    gone_s: float
    t_s: float
    at_m: Point


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a view in which no ball comes back, and the balls that are there in it."""

    motions: Mapping[BallName, Motion]
    departures: Mapping[BallName, Departure]
    clock: Clock
    returns: tuple[Return, ...]
    """Balls that came back between the part before and the end of this one."""


@dataclass(frozen=True, slots=True)
class _Life:
    motion: Motion
    departure: Departure | None
    since: Return | None

    @property
    def from_s(self) -> float:
        return -np.inf if self.since is None else self.since.t_s

    @property
    def until_s(self) -> float:
        gone = self.departure is not None and self.departure.is_gone
        return self.departure.t_s if self.departure is not None and gone else np.inf


def parts_of(motions: Mapping[BallName, Motion], table: TableSpec, clock: Clock) -> list[Part]:
    """The view in parts, in order of time: one, unless balls were brought back."""
    lives = {name: list(_lives(motion, table, clock)) for name, motion in motions.items()}
    returns = [life.since for own in lives.values() for life in own if life.since is not None]
    cuts = _cuts(returns, motions)
    bounds = [clock.from_s, *cuts, clock.until_s]
    parts = []
    for index, (from_s, until_s) in enumerate(itertools.pairwise(bounds)):
        is_last = index == len(cuts)
        piece = replace(
            clock,
            from_s=from_s,
            until_s=until_s,
            ended_by_cut=clock.ended_by_cut and is_last,
        )
        came = tuple(r for r in returns if from_s <= r.t_s < until_s)
        parts.append(_part(lives, piece, came, whole=not cuts))
    return parts


def _lives(motion: Motion, table: TableSpec, clock: Clock) -> Iterator[_Life]:
    """The lives of one ball, first to last."""
    path, start = motion.path, 0
    since: Return | None = None
    for index in _gaps(path, table):
        before = piece_of(motion, start, index + 1)
        back_s = float(path.t_s[index + 1])
        left = departure_of(before, table, clock.frame_s, back_s)
        if left is None or not left.is_gone or left.probability < _SURELY_GONE:
            continue
        yield _Life(before, left, since)
        start = index + 1
        since = Return(motion.name, left.t_s, back_s, _resting_place(path, start))
    last = motion if start == 0 else piece_of(motion, start, len(path))
    yield _Life(last, departure_of(last, table, clock.frame_s, clock.until_s), since)


def _gaps(path: Path, table: TableSpec) -> Iterator[int]:
    """Sightings after which the ball was out of sight, and then seen on the bed elsewhere."""
    waits = np.diff(path.t_s)
    ways = np.hypot(*np.diff(path.xy_m, axis=0).T)
    for index in np.flatnonzero((waits > _AWAY_S) & (ways > _AWAY_M)):
        x_m, y_m = path.xy_m[index + 1]
        if table.contains((float(x_m), float(y_m)), _ON_THE_BED_M):
            yield int(index)


def _resting_place(path: Path, start: int) -> Point:
    """Where the ball first lay still for a moment after it came; else where it was first seen."""
    for index in range(start, len(path) - 3):
        if np.ptp(path.xy_m[index : index + 4], axis=0).max() < 0.003:
            return (float(path.xy_m[index][0]), float(path.xy_m[index][1]))
    return (float(path.xy_m[start][0]), float(path.xy_m[start][1]))


def _cuts(returns: Sequence[Return], motions: Mapping[BallName, Motion]) -> list[float]:
    """As few times as possible, each of them calm, between every departure and its return."""
    cuts: list[float] = []
    for one in sorted(returns, key=lambda r: r.t_s):
        if not any(one.gone_s < cut <= one.t_s for cut in cuts):
            cuts.append(_calm_before(one, motions))
    return sorted(cuts)


def _calm_before(one: Return, motions: Mapping[BallName, Motion]) -> float:
    """The last time before a return at which nothing moves; the return itself without any."""
    for t_s in np.arange(one.t_s, one.gone_s, -_CALM_STEP_S):
        if not set(moving_at(motions, float(t_s))) - {one.ball}:
            return float(t_s)
    return one.t_s


def _part(
    lives: Mapping[BallName, Sequence[_Life]],
    clock: Clock,
    returns: tuple[Return, ...],
    *,
    whole: bool,
) -> Part:
    motions: dict[BallName, Motion] = {}
    departures: dict[BallName, Departure] = {}
    for name, own in lives.items():
        there = [x for x in own if x.from_s < clock.until_s and x.until_s > clock.from_s]
        if not there:
            continue
        life = there[0]
        motion = life.motion if whole else _within(life.motion, clock)
        if motion is None:
            continue
        motions[name] = motion
        departure = life.departure
        if departure is not None and (whole or clock.from_s < departure.t_s <= clock.until_s):
            departures[name] = departure
    return Part(motions, departures, clock, returns)


def _within(motion: Motion, clock: Clock) -> Motion | None:
    """The motion within a part; a ball that is hidden at its start brings its last sightings."""
    first, last = np.searchsorted(motion.path.t_s, (clock.from_s, clock.until_s + 1e-9))
    if first == last or motion.path.t_s[first] > clock.from_s + 3 * clock.frame_s:
        first = max(0, first - _CARRIED_SIGHTINGS)
    if first == last:
        return None
    return piece_of(motion, int(first), int(last))


def piece_of(motion: Motion, first: int, last: int) -> Motion:
    """The sightings first .. last - 1 as a motion of their own."""
    if (first, last) == (0, len(motion.path)):
        return motion
    path = motion.path
    rows = slice(first, last)
    cut = Path(path.t_s[rows], path.xy_m[rows], path.sigma_m[rows], path.frame[rows])
    return Motion(motion.name, cut, legs_of(cut))
