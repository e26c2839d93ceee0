"""What one shot shows of the cue ball: how fast, how far, and where it came to rest."""

from __future__ import annotations

import itertools
import math
from typing import Final

from monitor.diagram import PATH_TOLERANCE_M, Shot, ghost_of
from monitor.reporting.played_shots import Motion
from monitor.tracks import simplified
from table.balls import CUE
from table.events import BallContact, BallPocketed, CushionContact, LateDrop
from table.geometry import Point

LONGEST_S: Final = 0.3
_SHARPEST: Final = 0.2
"""A speed whose time is less certain than this share of itself is not told."""


def motion_of(shot: Shot) -> Motion:
    """What is measured on a shot's events and tracks."""
    started, ended = shot.started, shot.ended
    drops = (BallPocketed, LateDrop)
    rest = ended.balls.get(CUE) if ended and not ended.ended_after_clip else None
    return Motion(
        start_s=started.t_s if started else None,
        end_s=ended.t_s if ended else None,
        speed_mps=_speed_mps(shot),
        travel_m=_travel_m(shot),
        cue_rest=rest,
        dropped=tuple(
            (e.ball, e.pocket) for e in shot.events if isinstance(e, drops) and e.ball != CUE
        ),
    )


def _speed_mps(shot: Shot) -> float | None:
    """The cue ball's mean speed from its place to its first contact, at most 0.3 s on.

    A sliding ball loses about 2 m/s each second, so the mean is less than the speed off the
    tip (measured: docs/report.md).
    """
    started = shot.started
    if started is None or started.t_s is None or CUE not in started.balls:
        return None
    t_s, place, dt_s = _first_contact(shot)
    if t_s > started.t_s + LONGEST_S:
        t_s, dt_s = started.t_s + LONGEST_S, 0.0
        place = shot.tracks.at(CUE, t_s)
    elapsed_s = t_s - started.t_s
    if place is None or math.hypot(dt_s, started.dt_s) > _SHARPEST * elapsed_s:
        return None
    return math.dist(started.balls[CUE], place) / elapsed_s


def _first_contact(shot: Shot) -> tuple[float, Point | None, float]:
    """When and where the cue ball first met a ball or a cushion, and the time's tolerance."""
    for event in shot.events:
        if event.t_s is None:
            continue
        if isinstance(event, BallContact) and event.a == CUE:
            return event.t_s, ghost_of(event, shot), event.dt_s
        if isinstance(event, CushionContact) and event.ball == CUE and not event.from_rest:
            return event.t_s, shot.tracks.at(CUE, event.t_s), event.dt_s
    return math.inf, None, 0.0


def _travel_m(shot: Shot) -> float | None:
    """Length of the cue ball's way; small wanderings are noise and left out."""
    started = shot.started
    if started is None or started.t_s is None or CUE not in started.balls:
        return None
    points = simplified(shot.path_of(CUE), PATH_TOLERANCE_M)
    if len(points) < 2:
        return None
    return sum(math.dist(a, b) for a, b in itertools.pairwise(points))
