"""Where every ball is in every frame of a rendered clip, and whether the camera can see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from synthetic.labels import visible_shares
from synthetic.physics.motion import ON_THE_BED, Array, Motion
from synthetic.render.frame import Scene
from synthetic.scene.graphics import Graphics
from table.state import BallState, TableState

SEEN_SHARE: Final = 0.25
"""A ball of which the camera sees less counts as hidden."""


def true_states(scene: Scene, graphics: Graphics, times_s: Array) -> Iterator[TableState]:
    """The balls on the bed, or in the air above it, at presentation times (N,) in seconds."""
    table = scene.camera.table
    for t_s in times_s:
        shares = visible_shares(scene, graphics, float(t_s))
        balls = {}
        for name, share in shares.items():
            at = scene.paths[name].sample([t_s])
            r, v, motion = at.r_m[0], at.v_mps[0], at.motion[0]
            above = motion is Motion.FLY and r[2] > 0.0 and table.contains((r[0], r[1]), 0.0)
            if motion in ON_THE_BED or above:
                balls[name] = BallState(
                    name,
                    float(r[0]),
                    float(r[1]),
                    float(v[0]),
                    float(v[1]),
                    seen=share >= SEEN_SHARE,
                )
        yield TableState(float(t_s), balls)
