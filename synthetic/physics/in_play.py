"""The true state of a ball that is in play: on the bed, or in the air above it."""

from __future__ import annotations

from synthetic.physics.motion import ON_THE_BED, Array, Motion
from table.balls import BallName
from table.geometry import TableSpec
from table.state import BallState


def state_in_play(
    name: BallName, r_m: Array, v_mps: Array, motion: Motion, table: TableSpec, seen: bool
) -> BallState | None:
    """The state at place (3,) and velocity (3,); None where the ball is not in play."""
    above = motion is Motion.FLY and r_m[2] > 0.0
    if motion in ON_THE_BED or (above and table.contains((float(r_m[0]), float(r_m[1])), 0.0)):
        return BallState(
            name, float(r_m[0]), float(r_m[1]), float(v_mps[0]), float(v_mps[1]), 0.0, seen
        )
    return None
