"""Where motion breaks, and why: ball against ball, ball against cushion, tip against ball.

Two balls that are near each other have not touched. A contact needs a break in a path, a
meeting of the extrapolated paths (centres 2R apart, or a centre R from a nose), and a change
of velocity that the impact explains: along the line of centres, equal and opposite, of the
size that the approach speed gives (Alciatore, TP A.5 and A.6; restitution about 0.95).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.balls import BallName
from table.geometry import Cushion, CushionShape, TableSpec
from vision.legs import Leg, Path

Floats = NDArray[np.float64]

_BALL_RESTITUTION: Final = 0.95
_CALIBRATION_M: Final = 0.0025
"""What the map from pixels to metres may be wrong by, locally."""
_NOSE_RESTITUTION: Final = 0.7
NOSE_NEAR_M: Final = 0.03
"""Gap between ball and nose that is crossed to and fro between two frames."""
_JAW_REGION_M: Final = 0.05
"""How far from its end a nose may be cut back."""
_JAW_M: Final = 0.006
_NOSE_M: Final = 0.0045
"""What a nose's place may be off by: the map there, and the rubber giving way (2-6 mm)."""
_JAW_TIP_M: Final = 0.018
"""A ball centre farther than this beyond the nose's end meets the jaw, not the nose: the tip is
rounded, and mouths of tournament tables are up to 8 mm tighter than the usual one."""
_INSIDE_M: Final = 0.006
_BESIDE_M: Final = 0.0008
_SPEED_NOISE: Final = 0.10
"""Share of a velocity change that spin, throw and timing leave unexplained."""
_LEAST_KICK_MPS: Final = 0.02
_GRID: Final = 81
_ACCEPT: Final = 14.0


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """One ball's path with its legs."""

    name: BallName
    path: Path
    legs: Sequence[Leg]

    def leg_before(self, t_s: float) -> Leg | None:
        """The leg that was running just before time t; None before the first sighting."""
        running = [leg for leg in self.legs if self.path.t_s[leg.first] <= t_s + 1e-9]
        return running[-1] if running else None

    def start_of(self, leg: Leg) -> float:
        """Time of a leg's first sighting."""
        return float(self.path.t_s[leg.first])

    def end_of(self, leg: Leg) -> float:
        """Time of a leg's last sighting."""
        return float(self.path.t_s[leg.last])


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    """A change of motion of one ball between two legs; the blow fell between the two times."""

    ball: BallName
    before: Leg
    after: Leg
    from_s: float
    to_s: float

    def kick(self, t_s: float) -> Floats:
        """Change of velocity (2,) at time t, m/s."""
        return self.after.velocity(t_s) - self.before.velocity(t_s)


@dataclass(frozen=True, slots=True)
class BallMeeting:
    """Two balls touched: when, how surely, and how badly the physics fits (`cost`)."""

    a: BallName
    b: BallName
    t_s: float
    dt_s: float
    cost: float
    breaks: tuple[int, ...]
    """Indices of the breaks that it explains."""
    speed_mps: float


@dataclass(frozen=True, slots=True)
class NoseMeeting:
    """A ball touched a cushion (or a jaw)."""

    ball: BallName
    cushion: Cushion
    jaw: bool
    t_s: float
    dt_s: float
    cost: float
    breaks: tuple[int, ...]
    from_rest: bool = False


def breaks_of(motions: Mapping[BallName, Motion]) -> list[Break]:
    """All changes of motion of all balls, in order of time."""
    found = []
    for motion in motions.values():
        for before, after in zip(motion.legs, motion.legs[1:], strict=False):
            kink = Break(motion.name, before, after, motion.end_of(before), motion.start_of(after))
            middle = (kink.from_s + kink.to_s) / 2
            nudged = before.at_rest and after.at_rest
            if (
                nudged
                or (not after.at_rest and np.hypot(*kink.kick(middle)) > _LEAST_KICK_MPS)
                or (after.at_rest and np.hypot(*before.velocity(kink.from_s)) > 0.08)
            ):
                found.append(kink)
    return sorted(found, key=lambda k: k.from_s)


def nose_meetings(breaks: Sequence[Break], table: TableSpec) -> list[NoseMeeting]:
    """Every break that a cushion explains."""
    found = []
    for index, kink in enumerate(breaks):
        options = [
            meeting
            for cushion in table.cushions.values()
            if (meeting := _meet_nose(index, kink, cushion, table)) is not None
        ]
        if options:
            found.append(min(options, key=lambda m: m.cost))
    return found


def _meet_nose(
    index: int, kink: Break, cushion: CushionShape, table: TableSpec
) -> NoseMeeting | None:
    normal = np.array(cushion.inward)
    spare = 0.5 * (kink.to_s - kink.from_s) + 1e-3
    times = np.linspace(kink.from_s - spare, kink.to_s + spare, _GRID)
    radius = table.ball_radius_m
    before = np.array([cushion.distance_m(tuple(kink.before.position(t))) for t in times]) - radius
    after = np.array([cushion.distance_m(tuple(kink.after.position(t))) for t in times]) - radius
    sigma_b = np.array([kink.before.sigma_m(t) for t in times])
    sigma_a = np.array([kink.after.sigma_m(t) for t in times])
    middle = kink.before.position(0.5 * (kink.from_s + kink.to_s))
    place = cushion.along_m((float(middle[0]), float(middle[1])))
    near_end = min(place, cushion.length_m - place) < _JAW_REGION_M
    # The nose is cut back and rounded toward a pocket.
    known = _JAW_M if near_end else _NOSE_M
    # Best single moment: both legs at the nose, as far as each is known there.
    spread = np.sqrt(0.5 * (sigma_b**2 + sigma_a**2) + known**2)
    cost = (before / np.hypot(sigma_b, known)) ** 2
    cost += (after / np.hypot(sigma_a, known)) ** 2
    best = int(cost.argmin())
    t_s = float(times[best])
    into = float(kink.before.velocity(t_s) @ normal)
    out = float(kink.after.velocity(t_s) @ normal)
    if into > -0.01 or out < into * 0.2 or out - into < 0.03:
        return None
    # Rebound: 0.3 to 1 of the speed into the cushion comes back, unless the ball dies there.
    gain = -out / into
    known = 0.15 + _velocity_sigma(kink.after) / max(0.05, -into)
    total = float(cost[best]) + (max(0.0, gain - 1.0) / known) ** 2
    total += (max(0.0, 0.25 - gain) / known) ** 2
    along = float(kink.kick(t_s) @ np.array((-normal[1], normal[0])))
    total += (max(0.0, abs(along) - 0.5 * (out - into)) / (0.1 + known * (out - into))) ** 2
    if total > _ACCEPT:
        return None
    place = cushion.along_m(tuple(kink.before.position(t_s)))
    outside = max(-place, place - cushion.length_m)
    if outside > 0.5 * table.corner_mouth_m:
        return None
    width = max(1e-3, float(spread[best]) / max(0.1, out - into))
    return NoseMeeting(
        kink.ball,
        cushion.cushion,
        bool(outside > _JAW_TIP_M),
        t_s,
        min(width, 0.5 * (kink.to_s - kink.from_s) + 1e-3),
        total,
        (index,),
    )


def _velocity_sigma(leg: Leg) -> float:
    return float(np.sqrt(leg.covariance[1, 1]))


def ball_meetings(
    breaks: Sequence[Break], motions: Mapping[BallName, Motion], table: TableSpec
) -> list[BallMeeting]:
    """Every pair of balls that a break of one of them may come from, cheapest first."""
    found: dict[tuple[BallName, BallName, int], BallMeeting] = {}
    for index, kink in enumerate(breaks):
        for other in motions.values():
            if other.name == kink.ball:
                continue
            meeting = _meet_ball(index, kink, other, breaks, table)
            if meeting is None:
                continue
            a, b = sorted((meeting.a, meeting.b))
            key = (a, b, round(meeting.t_s / 0.02))
            if key not in found or found[key].cost > meeting.cost:
                found[key] = meeting
    possible = [m for m in found.values() if not _is_through(m, found.values(), breaks, table)]
    return sorted(possible, key=lambda m: m.cost)


def _is_through(
    meeting: BallMeeting, others: Iterable[BallMeeting], breaks: Sequence[Break], table: TableSpec
) -> bool:
    """True when the way to a meeting leads through a ball that was met before it.

    In a cluster the extended path reaches balls behind the first one, too; they were struck
    by that one.
    """
    for other in others:
        if other is meeting or other.t_s >= meeting.t_s:
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
    breaks: Sequence[Break],
    table: TableSpec,
) -> BallMeeting | None:
    step = kink.to_s - kink.from_s
    spare = 0.5 * step + 1e-3
    partner = _break_near(other.name, kink, breaks)
    theirs_before = other.leg_before(kink.from_s) if partner is None else breaks[partner].before
    if theirs_before is None or kink.from_s > other.end_of(other.legs[-1]) + 2.5 * step:
        return None
    theirs_after = theirs_before if partner is None else breaks[partner].after
    times = np.linspace(kink.from_s - spare, kink.to_s + spare, _GRID)
    mine = np.array([kink.before.position(t) for t in times])
    their = np.array([theirs_before.position(t) for t in times])
    gap = np.hypot(*(their - mine).T) - table.ball_diameter_m
    sigma = np.array([np.hypot(kink.before.sigma_m(t), theirs_before.sigma_m(t)) for t in times])
    sigma = np.hypot(sigma, _CALIBRATION_M)
    best = _first_touch(gap, sigma)
    if gap[best] > 4.0 * sigma[best] + 0.002:
        return None
    t_s = float(times[best])
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
    spread_mine = np.hypot(loose + turn, _velocity_sigma(kink.after))
    spread_theirs = np.hypot(loose + turn, _velocity_sigma(theirs_after))
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


def _break_near(name: BallName, kink: Break, breaks: Sequence[Break]) -> int | None:
    """The break of ball `name` that overlaps in time with `kink`, the nearest one."""
    # A ball at a nose is pressed into it and seen to leave a frame late.
    best, best_gap = None, 1.2 * (kink.to_s - kink.from_s) + 1e-3
    for index, other in enumerate(breaks):
        if other.ball != name:
            continue
        gap = max(other.from_s - kink.to_s, kink.from_s - other.to_s)
        if gap < best_gap:
            best, best_gap = index, gap
    return best
