"""Where motion breaks: the motions of the balls and the changes between their legs.

Two balls that are near each other have not touched: a contact needs a break in a path. Why
motion broke is found in `vision.cushion_meetings` and `vision.ball_meetings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.balls import BallName
from table.geometry import Cushion
from vision.legs import Leg
from vision.paths import Path

Floats = NDArray[np.float64]

_LEAST_KICK_MPS: Final = 0.02


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

    def leg_after(self, leg: Leg) -> Leg | None:
        """The leg that follows one of the motion's own; None after the last."""
        index = next(i for i, own in enumerate(self.legs) if own is leg)
        return self.legs[index + 1] if index + 1 < len(self.legs) else None

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


def speed_error_mps(leg: Leg) -> float:
    """One standard deviation of a leg's velocity along each axis."""
    return float(np.sqrt(leg.covariance[1, 1]))
