"""Which ball the cue ball struck first, and how surely.

The cue ball's path from the tip is extended to the moment at which something begins to move.
The first ball whose centre comes within 2R of it is the one; with two such balls the order of
the two moments decides, as far as the paths' uncertainty allows, and what they did afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.stats import norm

from table.balls import CUE, BallName
from table.events import Alternative
from table.geometry import TableSpec
from vision.contacts import Break, Motion
from vision.legs import Leg

_CALIBRATION_M: Final = 0.002
_NUDGE_STEPS: Final = 5.0
"""Frames by which a nudge, which is seen by its result, may be noticed late."""
_TOUCHING_M: Final = 0.004
_REACH: Final = 3.5
_UNEXPECTED: Final = 0.004
"""Share of first contacts that go wrong for reasons outside this model."""


@dataclass(frozen=True, slots=True)
class FirstContact:
    """The ball, the moment, and the other balls that it may have been.

    `crowded` is True when several balls stood within reach (a rack, a cluster).
    """

    ball: BallName
    t_s: float
    dt_s: float
    probability: float
    alternatives: tuple[Alternative, ...]
    crowded: bool


@dataclass(frozen=True, slots=True)
class _Candidate:
    ball: BallName
    t_s: float
    sigma_s: float
    reached: float
    """Probability that the path comes within 2R of the ball."""
    weight: float
    """The same, and that the ball did what such a blow makes it do."""


def first_contact_of(
    motions: Mapping[BallName, Motion],
    breaks: Sequence[Break],
    from_s: float,
    until_s: float,
    table: TableSpec,
) -> FirstContact | None:
    """The first object ball that the cue ball struck after the tip at `from_s`; None: none."""
    cue = motions.get(CUE)
    if cue is None:
        return None
    kicked = _first_kick(cue, breaks, from_s, until_s, table)
    if kicked is None:
        return None
    touching = _touched_from_rest(cue, kicked, from_s, motions, table)
    if touching is not None:
        return touching
    leg = _cue_leg(cue, kicked, from_s)
    if leg is None:
        return None
    candidates = [
        candidate
        for motion in motions.values()
        if motion.name != CUE
        and (candidate := _candidate(leg, motion, kicked, breaks, motions, table)) is not None
    ]
    if not candidates:
        # The paths do not meet: the ball that moved first is the best word there is.
        return FirstContact(
            kicked.ball,
            0.5 * (kicked.from_s + kicked.to_s),
            kicked.to_s - kicked.from_s,
            0.6,
            (),
            False,
        )
    return _choose(candidates)


def _touched_from_rest(
    cue: Motion,
    kicked: Break,
    from_s: float,
    motions: Mapping[BallName, Motion],
    table: TableSpec,
) -> FirstContact | None:
    """A ball that lay against the cue ball and left with the stroke was hit by it (6.7)."""
    if kicked.from_s > from_s + (kicked.to_s - kicked.from_s):
        return None
    resting = [leg for leg in cue.legs if leg.at_rest and cue.start_of(leg) < from_s]
    if not resting:
        return None
    place = resting[-1].position(from_s)
    offset = kicked.before.position(from_s) - place
    gap = float(np.hypot(*offset)) - table.ball_diameter_m
    kick = kicked.kick(kicked.to_s)
    along = float(kick @ offset) / max(1e-9, float(np.hypot(*kick) * np.hypot(*offset)))
    alone = sum(
        float(np.hypot(*(leg.position(from_s) - place))) < 1.1 * table.ball_diameter_m
        for m in motions.values()
        if m.name != CUE and (leg := m.leg_before(from_s)) is not None
    )
    if gap > _TOUCHING_M or along < 0.9 or alone > 1:
        return None
    return FirstContact(kicked.ball, from_s, kicked.to_s - kicked.from_s, 0.985, (), False)


def _first_kick(
    cue: Motion, breaks: Sequence[Break], from_s: float, until_s: float, table: TableSpec
) -> Break | None:
    """The first start of an object ball within the shot, or its nudge by a passing cue ball."""
    starts = [
        kink
        for kink in breaks
        if kink.ball != CUE
        # A ball that touches the cue ball leaves in the frame in which the stroke falls.
        and kink.to_s >= from_s
        and kink.to_s <= until_s + 0.1
        and kink.before.at_rest
        and (
            _is_grazed(cue, kink, table)
            if kink.after.at_rest
            else np.hypot(*kink.after.velocity(kink.to_s)) > 0.03
        )
    ]
    return min(starts, key=lambda k: k.from_s, default=None)


def _is_grazed(cue: Motion, kink: Break, table: TableSpec) -> bool:
    """True when the moving cue ball was beside a ball as that was nudged to another spot."""
    step = kink.to_s - kink.from_s
    for t_s in np.arange(kink.from_s - _NUDGE_STEPS * step, kink.to_s + step, 0.25 * step):
        leg = cue.leg_before(float(t_s))
        if leg is None or leg.at_rest:
            continue
        away = float(np.hypot(*(leg.position(float(t_s)) - kink.before.p_m)))
        if away < table.ball_diameter_m + 0.006:
            return True
    return False


def _cue_leg(cue: Motion, kicked: Break, from_s: float) -> Leg | None:
    """The cue ball's leg that leads into the kick."""
    running = [
        leg
        for leg in cue.legs
        if cue.start_of(leg) <= kicked.from_s + 1e-6
        and cue.end_of(leg) >= from_s - 0.02
        and not leg.at_rest
    ]
    if running:
        return running[-1]
    moving = [leg for leg in cue.legs if not leg.at_rest and cue.end_of(leg) >= from_s]
    return moving[0] if moving else None


def _candidate(
    leg: Leg,
    motion: Motion,
    kicked: Break,
    breaks: Sequence[Break],
    motions: Mapping[BallName, Motion],
    table: TableSpec,
) -> _Candidate | None:
    """When the cue ball on `leg` reaches this ball, with the weight of what the ball did."""
    theirs = motion.leg_before(kicked.from_s)
    if theirs is None:
        return None
    step = kicked.to_s - kicked.from_s
    before = _NUDGE_STEPS if kicked.after.at_rest else 0.6
    times = np.linspace(kicked.from_s - before * step, kicked.to_s + 0.6 * step, 241)
    offset = np.array([theirs.position(t) - leg.position(t) for t in times])
    gap = np.hypot(*offset.T) - table.ball_diameter_m
    sigma = np.array([np.hypot(leg.sigma_m(t), theirs.sigma_m(t)) for t in times])
    sigma = np.hypot(sigma, _CALIBRATION_M)
    closed = np.flatnonzero(gap <= 0)
    at = int(closed[0]) if len(closed) else int((gap / sigma).argmin())
    miss = max(0.0, float(gap[at] / sigma[at]))
    if miss > _REACH:
        return None
    t_s = float(times[at])
    line = offset[at] / max(1e-6, float(np.hypot(*offset[at])))
    closing = float((leg.velocity(t_s) - theirs.velocity(t_s)) @ line)
    sigma_s = float(sigma[at]) / max(0.15, abs(closing))
    reached = float(np.exp(-0.5 * miss * miss))
    weight = reached * _moved(
        motion.name, kicked, breaks, line, _is_packed(motion, motions, kicked.from_s, table)
    )
    return _Candidate(motion.name, t_s, sigma_s, reached, weight)


def _is_packed(
    motion: Motion, motions: Mapping[BallName, Motion], t_s: float, table: TableSpec
) -> bool:
    """True when the ball touches another one: what it does then is not its own."""
    leg = motion.leg_before(t_s)
    if leg is None:
        return False
    place = leg.position(t_s)
    for other in motions.values():
        near = other.leg_before(t_s)
        if other.name in (motion.name, CUE) or near is None:
            continue
        if np.hypot(*(near.position(t_s) - place)) < 1.12 * table.ball_diameter_m:
            return True
    return False


def _moved(
    name: BallName, kicked: Break, breaks: Sequence[Break], line: np.ndarray, packed: bool
) -> float:
    """How well what a ball did fits a hit along `line`: it left that way, or it did not move."""
    own = [
        kink
        for kink in breaks
        if kink.ball == name
        and abs(kink.from_s - kicked.from_s) <= 1.6 * (kicked.to_s - kicked.from_s)
    ]
    if not own:
        return 0.6 if packed else 0.01
    if packed:
        return 1.0
    kick = own[0].kick(0.5 * (own[0].from_s + own[0].to_s))
    along = float(kick @ line) / max(1e-6, float(np.hypot(*kick)))
    if along > 0.95:
        return 1.0
    # Throw and a second contact turn a ball aside, but hardly back.
    return 0.5 if along > 0.3 else 0.15


def _not_before(other: _Candidate, one: _Candidate) -> float:
    """Probability that `other` did not stand in the way of the cue ball before `one`.

    Whether a ball was reached at all is a matter of the paths alone; in a rack the first one
    may hardly move because it passes its speed on.
    """
    later = float(norm.cdf((other.t_s - one.t_s) / np.hypot(one.sigma_s, other.sigma_s)))
    return later * other.reached + (1 - other.reached)


def _choose(candidates: list[_Candidate]) -> FirstContact:
    """Probability of each candidate: it is within reach, and nobody was reached earlier."""
    scores = []
    for one in candidates:
        earlier = [_not_before(other, one) for other in candidates if other is not one]
        scores.append(one.weight * float(np.prod(earlier)) + 1e-9)
    total = sum(scores)
    shares = [(1 - _UNEXPECTED) * score / total for score in scores]
    order = sorted(range(len(candidates)), key=lambda i: -shares[i])
    best = candidates[order[0]]
    others = tuple(
        Alternative(candidates[i].ball, shares[i]) for i in order[1:] if shares[i] > 0.01
    )
    return FirstContact(
        best.ball,
        best.t_s,
        max(5e-4, best.sigma_s),
        shares[order[0]],
        others,
        len(candidates) > 1,
    )
