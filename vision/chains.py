"""Blows that pass through balls that touch each other.

A ball that lies against another one hands a blow on at once: it may hardly move itself, and
what the moving ball seems to have struck is the ball behind it. The blow went through the
balls in between, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.balls import BallName
from table.geometry import TableSpec
from vision.contacts import BallMeeting, Break, Motion

Floats = NDArray[np.float64]

_INSIDE_M: Final = 0.006
_TOUCHING_M: Final = 0.004
_HANDED_ON_S: Final = 1e-4
_BACK_S: Final = 0.08


def handed_on(
    meetings: Sequence[BallMeeting],
    breaks: Sequence[Break],
    motions: Mapping[BallName, Motion],
    table: TableSpec,
) -> list[BallMeeting]:
    """The meetings, with those that lead through a resting ball replaced by what led there."""
    found: list[BallMeeting] = []
    for meeting in meetings:
        way = _way_through(meeting, breaks, motions, table)
        found += [meeting] if way is None else way
    return found


def _way_through(
    meeting: BallMeeting,
    breaks: Sequence[Break],
    motions: Mapping[BallName, Motion],
    table: TableSpec,
) -> list[BallMeeting] | None:
    """None where nothing lies between; else the blows in its place, none if they lead nowhere."""
    for mover, struck in ((meeting.a, meeting.b), (meeting.b, meeting.a)):
        own = [breaks[i] for i in meeting.breaks if breaks[i].ball == mover]
        if not own or own[0].before.at_rest:
            continue
        for between, touch_s in _in_the_way(own[0], meeting.t_s, struck, motions, table):
            return _by_way_of(between, touch_s, mover, struck, meeting, breaks, motions, table)
    return None


def _in_the_way(
    kink: Break,
    until_s: float,
    struck: BallName,
    motions: Mapping[BallName, Motion],
    table: TableSpec,
) -> Iterator[tuple[BallName, float]]:
    """Resting balls that the mover's way leads into before `until_s`, and when it reaches them."""
    times = np.linspace(until_s - _BACK_S, until_s, 81)
    ways = kink.before.positions(times)
    for other in motions.values():
        if other.name in (kink.ball, struck):
            continue
        leg = other.leg_before(kink.from_s)
        if leg is None or not leg.at_rest:
            continue
        apart = np.hypot(*(ways - leg.p_m).T)
        if apart.min() < table.ball_diameter_m - _INSIDE_M:
            touching = np.flatnonzero(apart < table.ball_diameter_m)
            yield other.name, float(times[int(touching[0])])


def _by_way_of(
    between: BallName,
    touch_s: float,
    mover: BallName,
    struck: BallName,
    meeting: BallMeeting,
    breaks: Sequence[Break],
    motions: Mapping[BallName, Motion],
    table: TableSpec,
) -> list[BallMeeting]:
    near, far = motions[between].leg_before(touch_s), motions[struck].leg_before(touch_s)
    if near is None or far is None:
        return []
    gap = float(np.hypot(*(near.position(touch_s) - far.position(touch_s))))
    if gap - table.ball_diameter_m > _TOUCHING_M:
        return []
    mine = tuple(i for i in meeting.breaks if breaks[i].ball == mover)
    theirs = tuple(i for i in meeting.breaks if breaks[i].ball == struck)
    first = replace(meeting, a=mover, b=between, t_s=touch_s, breaks=mine)
    if not theirs:
        return [first]
    return [first, replace(first, a=between, b=struck, t_s=touch_s + _HANDED_ON_S, breaks=theirs)]
