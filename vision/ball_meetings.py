"""Breaks of motion that another ball explains.

Two balls touch where their extrapolated paths bring the centres 2R together, and the change of
velocity is along the line of centres, equal and opposite, of the size that the approach speed
gives (Alciatore, TP A.5 and A.6; restitution about 0.95).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.balls import BallName
from table.geometry import TableSpec
from vision.chains import handed_on
from vision.contacts import BallMeeting, Break, Motion, speed_error_mps

Floats = NDArray[np.float64]

_BALL_RESTITUTION: Final = 0.95
_CALIBRATION_M: Final = 0.0025
"""What the map from pixels to metres may be wrong by, locally."""
_NOSE_RESTITUTION: Final = 0.7
NOSE_NEAR_M: Final = 0.03
"""Gap between ball and nose that is crossed to and fro between two frames."""
_INSIDE_M: Final = 0.006
_BESIDE_M: Final = 0.0008
_SPEED_NOISE: Final = 0.10
"""Share of a velocity change that spin, throw and timing leave unexplained."""
_LATE_STEPS: Final = 1.2
_GRID: Final = 81


def ball_meetings(
    breaks: Sequence[Break], motions: Mapping[BallName, Motion], table: TableSpec
) -> list[BallMeeting]:
    """Every pair of balls that a break of one of them may come from, cheapest first."""
    found: dict[tuple[BallName, BallName, int], BallMeeting] = {}
    for index, kink in enumerate(breaks):
        for other in motions.values():
            if other.name == kink.ball:
                continue
            for partner in _breaks_near(other.name, kink, breaks) or [None]:
                meeting = _meet_ball(index, kink, other, partner, breaks, table)
                if meeting is None:
                    continue
                a, b = sorted((meeting.a, meeting.b))
                key = (a, b, round(meeting.t_s / 0.02))
                if key not in found or found[key].cost > meeting.cost:
                    found[key] = meeting
    possible = [m for m in found.values() if not _is_through(m, found.values(), breaks, table)]
    return sorted(handed_on(possible, breaks, motions, table), key=lambda m: m.cost)


def _is_through(
    meeting: BallMeeting, others: Iterable[BallMeeting], breaks: Sequence[Break], table: TableSpec
) -> bool:
    """True when the way to a meeting leads through a ball that was met before it.

    In a cluster the extended path reaches balls behind the first one, too; they were struck
    by that one.
    """
    for other in others:
        same = {other.a, other.b} == {meeting.a, meeting.b}
        if same or other.t_s >= meeting.t_s or other.cost > meeting.cost:
            continue
        for index in set(meeting.breaks) & set(other.breaks):
            kink = breaks[index]
            if kink.ball not in (meeting.a, meeting.b) or kink.ball not in (other.a, other.b):
                continue
            blocked_by = other.b if kink.ball == other.a else other.a
            blockers = [breaks[i] for i in other.breaks if breaks[i].ball == blocked_by]
            if not blockers:
                continue
            apart = kink.before.position(meeting.t_s) - blockers[0].before.position(meeting.t_s)
            if float(np.hypot(*apart)) < table.ball_diameter_m - _INSIDE_M:
                return True
    return False


def _meet_ball(
    index: int,
    kink: Break,
    other: Motion,
    partner: int | None,
    breaks: Sequence[Break],
    table: TableSpec,
) -> BallMeeting | None:
    step = kink.to_s - kink.from_s
    spare = 0.5 * step + 1e-3
    theirs_before = other.leg_before(kink.from_s) if partner is None else breaks[partner].before
    if theirs_before is None or kink.from_s > other.end_of(other.legs[-1]) + 2.5 * step:
        return None
    theirs_after = theirs_before if partner is None else breaks[partner].after
    times = np.linspace(kink.from_s - spare, kink.to_s + spare, _GRID)
    mine, their = kink.before.positions(times), theirs_before.positions(times)
    gap = np.hypot(*(their - mine).T) - table.ball_diameter_m
    sigma = np.hypot(kink.before.sigmas_m(times), theirs_before.sigmas_m(times))
    sigma = np.hypot(sigma, _CALIBRATION_M)
    best = _first_touch(gap, sigma)
    if gap[best] > 4.0 * sigma[best] + 0.002:
        return None
    t_s = float(times[best])
    if partner is not None and not _may_be_at(breaks[partner], t_s):
        return None
    line = (their[best] - mine[best]) / max(1e-6, float(np.hypot(*(their[best] - mine[best]))))
    my_kick = kink.kick(t_s)
    their_kick = theirs_after.velocity(t_s) - theirs_before.velocity(t_s)
    approach = float((kink.before.velocity(t_s) - theirs_before.velocity(t_s)) @ line)
    if approach < 0.01:
        return None
    expected = 0.5 * (1 + _BALL_RESTITUTION) * approach * line
    loose = 0.03 + _SPEED_NOISE * approach
    relative = kink.before.velocity(t_s) - theirs_before.velocity(t_s)
    # The line of centres turns the kick; at a thin hit it changes its size, too.
    # Beside each other both balls are off the same way: little of the map's error remains.
    apart = float(np.hypot(kink.before.sigma_m(t_s), theirs_before.sigma_m(t_s)))
    turn = float(np.hypot(apart, _BESIDE_M)) / table.ball_diameter_m * float(np.hypot(*relative))
    known = np.hypot(speed_error_mps(kink.before), speed_error_mps(theirs_before))
    spread_mine = np.hypot(np.hypot(loose + turn, known), speed_error_mps(kink.after))
    spread_theirs = np.hypot(np.hypot(loose + turn, known), speed_error_mps(theirs_after))
    cost = float((gap[best] / sigma[best]) ** 2) if gap[best] > 0 else 0.0
    cost += _kick_error(my_kick, -expected, mine[best], table) / spread_mine**2
    cost += _kick_error(their_kick, expected, their[best], table) / spread_theirs**2
    involved = (index,) if partner is None else (index, partner)
    dt_s = max(5e-4, float(sigma[best]) / approach)
    return BallMeeting(
        kink.ball, other.name, t_s, min(dt_s, step), cost, tuple(sorted(involved)), approach
    )


def _kick_error(kick: Floats, expected: Floats, place: Floats, table: TableSpec) -> float:
    """Squared difference of a kick from the expected one; a ball that is struck into a nose
    beside it may have come back from it already."""
    options = [expected]
    for cushion in table.cushions.values():
        normal = np.array(cushion.inward)
        gap = cushion.distance_m((float(place[0]), float(place[1]))) - table.ball_radius_m
        into = float(expected @ normal)
        if gap < NOSE_NEAR_M and into < 0:
            options.append(expected - (1 + _NOSE_RESTITUTION) * into * normal)
    return min(float(((kick - option) ** 2).sum()) for option in options)


def _first_touch(gap: Floats, sigma: Floats) -> int:
    """Index of the first time at which the gap closes, else of the smallest gap."""
    closed = np.flatnonzero(gap <= 0)
    return int(closed[0]) if len(closed) else int((gap / sigma).argmin())


def _may_be_at(kink: Break, t_s: float) -> bool:
    """True when the blow that made a break may have fallen at time t."""
    step = kink.to_s - kink.from_s
    # A ball at a nose is pressed into it and seen to leave a frame late.
    early = _LATE_STEPS if kink.before.at_rest else 0.5
    return kink.from_s - early * step - 1e-3 <= t_s <= kink.to_s + 0.5 * step + 1e-3


def _breaks_near(name: BallName, kink: Break, breaks: Sequence[Break]) -> list[int | None]:
    """The breaks of ball `name` that may be of the same blow as `kink`."""
    most = _LATE_STEPS * (kink.to_s - kink.from_s) + 1e-3
    return [
        index
        for index, other in enumerate(breaks)
        if other.ball == name and max(other.from_s - kink.to_s, kink.from_s - other.to_s) < most
    ]
