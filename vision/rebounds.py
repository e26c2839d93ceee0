"""A ball that is struck toward a cushion beside it comes back within one frame.

No sighting shows it on its way there: the blow pushed it at the nose, and it leaves the nose.
That is a cushion contact all the same, and the one that a safety often stands on (6.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from table.balls import BallName
from table.geometry import CushionShape, TableSpec
from vision.ball_meetings import NOSE_NEAR_M
from vision.contacts import BallMeeting, Break, Motion, NoseMeeting

_TOUCHING_M: Final = 0.003
_PUSHED: Final = 0.35
"""Share of the blow that has to point into the cushion."""
_LEAST_MPS: Final = 0.05
_COST: Final = 6.0


def hidden_rebounds(
    meetings: Sequence[BallMeeting],
    breaks: Sequence[Break],
    motions: Mapping[BallName, Motion],
    table: TableSpec,
) -> list[NoseMeeting]:
    """Cushion contacts that must have followed a ball contact within the same frame."""
    found = []
    for meeting in meetings:
        for name, other in ((meeting.a, meeting.b), (meeting.b, meeting.a)):
            if name not in motions or other not in motions:
                continue
            for cushion in table.cushions.values():
                rebound = _rebound(meeting, breaks, motions[name], motions[other], cushion, table)
                if rebound is not None:
                    found.append(rebound)
    return found


def _rebound(
    meeting: BallMeeting,
    breaks: Sequence[Break],
    motion: Motion,
    other: Motion,
    cushion: CushionShape,
    table: TableSpec,
) -> NoseMeeting | None:
    own = [i for i in meeting.breaks if breaks[i].ball == motion.name]
    theirs = other.leg_before(meeting.t_s - 1e-4)
    if not own or theirs is None:
        return None
    kink = breaks[own[0]]
    place = kink.before.position(meeting.t_s)
    gap = cushion.distance_m((float(place[0]), float(place[1]))) - table.ball_radius_m
    along = cushion.along_m((float(place[0]), float(place[1])))
    if gap > NOSE_NEAR_M or not 0.0 <= along <= cushion.length_m:
        return None
    line = place - theirs.position(meeting.t_s)
    line = line / max(1e-6, float(np.hypot(*line)))
    normal = np.array(cushion.inward)
    pushed = -float(line @ normal)
    leaving = float(kink.after.velocity(kink.to_s) @ normal)
    if pushed < _PUSHED or leaving < _LEAST_MPS:
        return None
    speed = max(0.1, 0.95 * meeting.speed_mps * pushed)
    wait_s = min(kink.to_s - kink.from_s, max(0.0, gap) / speed)
    return NoseMeeting(
        motion.name,
        cushion.cushion,
        False,
        meeting.t_s + wait_s + 1e-4,
        max(0.002, 0.5 * (kink.to_s - kink.from_s)),
        _COST,
        (own[0],),
        from_rest=kink.before.at_rest and gap < _TOUCHING_M,
    )
