"""Contacts with a ball that was out of sight as it was struck.

A ball under an arm cannot be followed. When it rolls out, its way leads back to where another
ball changed its motion without a cause that was seen: there the two met.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from table.balls import CUE, BallName
from table.geometry import TableSpec
from vision.contacts import BallMeeting, Break, Motion, NoseMeeting
from vision.legs import Leg

_LONGEST_S: Final = 1.0
_LEAST_KICK_MPS: Final = 0.1
_LEAST_TURN_MPS: Final = 0.15
_SPREAD_M: Final = 0.01
_SPREAD_MPS: Final = 0.06
"""How much worse a place is known for every second before the ball was seen."""
_WORST: Final = 3.0
_COST: Final = 11.0
_MOVING_MPS: Final = 0.05


def unseen_meetings(
    breaks: Sequence[Break],
    explained: Iterable[int],
    motions: Mapping[BallName, Motion],
    table: TableSpec,
    from_s: float,
) -> list[BallMeeting]:
    """For each break without a cause: the ball that came into view rolling away from it.

    `explained` are the breaks with a cause; `from_s` is the first frame's time.
    """
    done = set(explained)
    emerging = [(m.name, leg) for m in motions.values() if (leg := _emerging(m, from_s))]
    found = []
    for index, kink in enumerate(breaks):
        if index in done or not causeless(kink):
            continue
        options = [
            meeting
            for name, leg in emerging
            if name != kink.ball
            and (meeting := _meet(index, kink, name, leg, motions[name], table)) is not None
        ]
        if options:
            found.append(min(options, key=lambda m: m.cost))
    return found


def causeless(kink: Break) -> bool:
    """True for a change of a moving ball's motion that is too large for friction."""
    if kink.before.at_rest or kink.after.at_rest:
        return False
    kick = float(np.hypot(*kink.kick(0.5 * (kink.from_s + kink.to_s))))
    return kick > _LEAST_KICK_MPS + 0.05 * float(np.hypot(*kink.before.velocity(kink.from_s)))


def lacks_a_cause(
    breaks: Sequence[Break],
    balls: Sequence[BallMeeting],
    noses: Sequence[NoseMeeting],
    from_s: float,
    until_s: float,
) -> bool:
    """True when the cue ball's motion changed between two times and nothing seen explains it."""
    meetings: list[BallMeeting | NoseMeeting] = [*balls, *noses]
    explained = {i for m in meetings for i in m.breaks}
    return any(
        kink.ball == CUE
        and index not in explained
        and kink.from_s > from_s + 1e-3
        # What ends within half a frame of the contact is the contact's own.
        and kink.to_s < until_s - 0.5 * (kink.to_s - kink.from_s)
        and _is_sharp(kink)
        for index, kink in enumerate(breaks)
    )


def _is_sharp(kink: Break) -> bool:
    """True for a kick that no slipping ball makes within a frame or two."""
    before, after = kink.before.velocity(kink.from_s), kink.after.velocity(kink.to_s)
    speed, change = float(np.hypot(*before)), after - before
    # A sliding ball slows down along its way; only a blow turns it, or takes half its speed.
    ahead = before / max(1e-6, speed)
    aside = abs(float(change @ np.array((-ahead[1], ahead[0]))))
    turned = aside > max(_LEAST_TURN_MPS, 0.12 * speed)
    return causeless(kink) and (turned or float(np.hypot(*change)) > max(0.25, 0.5 * speed))


def _emerging(motion: Motion, from_s: float) -> Leg | None:
    """The first leg of a ball that came into view in motion."""
    first = motion.legs[0] if motion.legs else None
    if first is None or first.at_rest or motion.start_of(first) < from_s + 0.05:
        return None
    moving = float(np.hypot(*first.velocity(motion.start_of(first)))) > _MOVING_MPS
    return first if moving and first.last > first.first else None


def _meet(
    index: int, kink: Break, name: BallName, leg: Leg, motion: Motion, table: TableSpec
) -> BallMeeting | None:
    seen_s = motion.start_of(leg)
    if not 0.0 <= seen_s - kink.to_s < _LONGEST_S:
        return None
    t_s = 0.5 * (kink.from_s + kink.to_s)
    # Straight back: how friction acted where nobody saw it is not known.
    velocity = leg.velocity(seen_s)
    place = leg.position(seen_s) - velocity * (seen_s - t_s)
    offset = place - kink.before.position(t_s)
    apart = float(np.hypot(*offset))
    spread = _SPREAD_M + _SPREAD_MPS * (seen_s - t_s) + 0.5 * table.ball_radius_m
    miss = abs(apart - table.ball_diameter_m) / spread
    along = -float(kink.kick(t_s) @ velocity)
    if miss > _WORST or along < 0.3 * float(np.hypot(*kink.kick(t_s)) * np.hypot(*velocity)):
        return None
    speed = float(np.hypot(*kink.kick(t_s)))
    return BallMeeting(
        kink.ball, name, t_s, kink.to_s - kink.from_s, _COST + miss * miss, (index,), speed
    )
