"""Cuts of a path moved to where something can have caused them.

With few sightings between two impacts many cuts into parabolas fit nearly alike. A change of
motion has a cause: a nose or a ball within reach. Each cut is therefore tried a sighting or two
earlier and later, dropped, and added where a ball turned back at a nose, at a price that
depends on whether something stands there that explains it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.balls import BallName
from table.geometry import TableSpec
from vision.bounces import bounce_from, bounce_to
from vision.contacts import Break, Motion
from vision.cushion_meetings import nose_meetings
from vision.legs import Leg, cost_of, fit_leg, moving_leg, with_velocity

Floats = NDArray[np.float64]

_AT_NOSE: Final = 6.0
_AT_BALL: Final = 14.0
_WITHOUT_CAUSE: Final = 22.0
_BALL_REACH_M: Final = 0.012
_TOUCH_M: Final = 0.006
_SLACK: Final = 0.15
"""Share of a frame by which a blow may fall outside the two sightings of its cut."""
_NOSE_REACH_M: Final = 0.03
_TURNED_AT_M: Final = 0.005
_LEAST_TURN_MPS: Final = 0.03
_TURN_S: Final = 0.1
_TURN_WITHOUT_CUT: Final = 12.0
"""What a leg costs that turns back at a nose: friction alone does not do that there."""
_ROUNDS: Final = 4
_SHIFTS: Final = (-2, -1, 1, 2)


def recut(motions: Mapping[BallName, Motion], table: TableSpec) -> dict[BallName, Motion]:
    """The motions with every run of moving legs cut where causes are."""
    return {name: _recut_one(motion, motions, table) for name, motion in motions.items()}


def _recut_one(motion: Motion, motions: Mapping[BallName, Motion], table: TableSpec) -> Motion:
    legs: list[Leg] = []
    for resting, group in itertools.groupby(motion.legs, key=lambda leg: leg.at_rest):
        run = list(group)
        if not resting and run[-1].last - run[0].first >= 2:
            run = _Run(motion, motions, table, run).settled()
        legs += run
    return Motion(motion.name, motion.path, legs)


@dataclass(eq=False)
class _Run:
    """An unbroken stretch of motion of one ball, between two rests."""

    motion: Motion
    motions: Mapping[BallName, Motion]
    table: TableSpec
    legs: Sequence[Leg]
    _prices: dict[tuple[int, int, int], float] = field(default_factory=dict)
    _costs: dict[tuple[int, int], float] = field(default_factory=dict)

    def settled(self) -> list[Leg]:
        """The legs of the cheapest cuts found."""
        first, stop = self.legs[0].first, self.legs[-1].last + 1
        bounds = [first, *(leg.first for leg in self.legs[1:]), stop]
        best = self._total(bounds)
        for _ in range(_ROUNDS):
            options = [(self._total(b), b) for b in self._variants(bounds)]
            cheapest = min(options, key=lambda row: row[0], default=(best, bounds))
            if cheapest[0] >= best - 1e-6:
                break
            best, bounds = cheapest
        return self._legs(bounds)

    def _legs(self, bounds: list[int]) -> list[Leg]:
        """The legs between cuts; one that was seen once gets its velocity from a bounce."""
        path = self.motion.path
        legs = [moving_leg(path, a, b - 1) for a, b in itertools.pairwise(bounds)]
        for i, leg in enumerate(legs):
            if leg.first != leg.last:
                continue
            place, t_s = path.xy_m[leg.first], float(path.t_s[leg.first])
            found = None
            if i + 1 < len(legs) and legs[i + 1].first != legs[i + 1].last:
                until_s = float(path.t_s[leg.first + 1])
                found = bounce_from(place, t_s, legs[i + 1], until_s, self.table)
            if found is None and i > 0 and legs[i - 1].first != legs[i - 1].last:
                from_s = float(path.t_s[leg.first - 1])
                found = bounce_to(legs[i - 1], from_s, place, t_s, self.table)
            if found is not None:
                legs[i] = with_velocity(leg, found.way_mps, found.way_sigma_mps)
        return legs

    def _variants(self, bounds: list[int]) -> list[list[int]]:
        found = []
        for i in range(1, len(bounds) - 1):
            found.append(bounds[:i] + bounds[i + 1 :])
            for shift in _SHIFTS:
                moved = bounds[i] + shift
                if bounds[i - 1] < moved < bounds[i + 1]:
                    found.append([*bounds[:i], moved, *bounds[i + 1 :]])
        for a, b in itertools.pairwise(bounds):
            found += [sorted([*bounds, at]) for at in self._turns(a, b)]
        return found

    def _turns(self, a: int, b: int) -> list[int]:
        """Samples of a .. b - 1 before which the ball may have turned back at a nose."""
        if b - a < 3:
            return []
        path = self.motion.path
        # A ball that dies at the nose comes back a little before it rests.
        beyond = min(len(path), b + 3) if b == self.legs[-1].last + 1 else b
        places, times = path.xy_m[a:beyond], path.t_s[a:beyond]
        found: list[int] = []
        for shape in self.table.cushions.values():
            normal = np.array(shape.inward)
            gaps = (places - np.array(shape.start)) @ normal - self.table.ball_radius_m
            at = int(gaps.argmin())
            if not 0 < at < len(gaps) - 1:
                continue
            reach = 0.5 * abs(float(gaps[at - 1] - gaps[at]))
            if float(gaps[at]) > _TURNED_AT_M + reach:
                continue
            first = int(np.searchsorted(times, times[at] - _TURN_S))
            last = min(len(gaps), int(np.searchsorted(times, times[at] + _TURN_S))) - 1
            if at in (first, last):
                continue
            into = float(gaps[at] - gaps[first]) / (times[at] - times[first])
            out = float(gaps[last] - gaps[at]) / (times[last] - times[at])
            if into < -_LEAST_TURN_MPS and out > 0.2 * _LEAST_TURN_MPS:
                found += [a + at, a + at + 1]
        return [at for at in found if a < at < b]

    def _total(self, bounds: list[int]) -> float:
        total = sum(self._cost(a, b) for a, b in itertools.pairwise(bounds))
        for a, k, b in zip(bounds, bounds[1:], bounds[2:], strict=False):
            total += self._price(a, k, b)
        return total

    def _cost(self, a: int, b: int) -> float:
        if (a, b) not in self._costs:
            turned = _TURN_WITHOUT_CUT if self._turns(a, b) else 0.0
            self._costs[a, b] = cost_of(self.motion.path, a, b - 1) + turned
        return self._costs[a, b]

    def _price(self, a: int, k: int, b: int) -> float:
        """What a cut before sample k between legs a .. k - 1 and k .. b - 1 costs."""
        if (a, k, b) not in self._prices:
            self._prices[a, k, b] = self._priced(a, k, b)
        return self._prices[a, k, b]

    def _priced(self, a: int, k: int, b: int) -> float:
        path = self.motion.path
        step = float(np.hypot(*(path.xy_m[k] - path.xy_m[k - 1])))
        if self._near_nose(k, step) and self._is_bounce(a, k, b):
            return _AT_NOSE
        if self._near_ball(k, step) and self._meets_ball(a, k, b):
            return _AT_BALL
        return _WITHOUT_CAUSE

    def _near_nose(self, k: int, step_m: float) -> bool:
        for place in self.motion.path.xy_m[k - 1 : k + 1]:
            point = (float(place[0]), float(place[1]))
            for shape in self.table.cushions.values():
                gap = shape.distance_m(point) - self.table.ball_radius_m
                if gap < _NOSE_REACH_M + step_m:
                    return True
        return False

    def _is_bounce(self, a: int, k: int, b: int) -> bool:
        path = self.motion.path
        if k - a == 1 and b - k == 1:
            return False
        if k - a == 1:
            after = fit_leg(path, k, b - 1)
            return bounce_from(path.xy_m[a], float(path.t_s[a]), after, float(path.t_s[k]),
                               self.table) is not None  # fmt: skip
        if b - k == 1:
            before = fit_leg(path, a, k - 1)
            return bounce_to(before, float(path.t_s[k - 1]), path.xy_m[k], float(path.t_s[k]),
                             self.table) is not None  # fmt: skip
        kink = Break(
            self.motion.name,
            fit_leg(path, a, k - 1),
            fit_leg(path, k, b - 1),
            float(path.t_s[k - 1]),
            float(path.t_s[k]),
        )
        return bool(nose_meetings([kink], self.table))

    def _meets_ball(self, a: int, k: int, b: int) -> bool:
        """True when the way to the cut, or the way from it, leads to a ball between the two
        sightings; where both were seen once only, anything near will do."""
        path = self.motion.path
        if k - a > 1:
            leg = fit_leg(path, a, k - 1)
        elif b - k > 1:
            leg = fit_leg(path, k, b - 1)
        else:
            return True
        from_s, to_s = float(path.t_s[k - 1]), float(path.t_s[k])
        times = np.linspace(from_s - _SLACK * (to_s - from_s), to_s + _SLACK * (to_s - from_s), 9)
        places, sigma = leg.positions(times), leg.sigmas_m(times)
        for other in self.motions.values():
            theirs = other.leg_before(0.5 * (from_s + to_s))
            if other.name == self.motion.name or theirs is None:
                continue
            gaps = np.hypot(*(theirs.positions(times) - places).T) - self.table.ball_diameter_m
            if (gaps < _TOUCH_M + 2.0 * sigma).any():
                return True
        return False

    def _near_ball(self, k: int, step_m: float) -> bool:
        path = self.motion.path
        middle = 0.5 * float(path.t_s[k - 1] + path.t_s[k])
        here = 0.5 * (path.xy_m[k - 1] + path.xy_m[k])
        reach = self.table.ball_diameter_m + _BALL_REACH_M + step_m
        for other in self.motions.values():
            if other.name == self.motion.name:
                continue
            leg = other.leg_before(middle)
            if leg is not None and float(np.hypot(*(leg.position(middle) - here))) < reach:
                return True
        return False
