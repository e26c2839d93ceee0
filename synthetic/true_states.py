"""Where every ball is in every frame of a rendered clip, and whether the camera can see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from synthetic.labels import visible_shares
from synthetic.physics.in_play import state_in_play
from synthetic.physics.motion import Array
from synthetic.render.frame import Scene
from synthetic.scene.graphics import Graphics
from table.state import TableState

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
            state = state_in_play(
                name, at.r_m[0], at.v_mps[0], at.motion[0], table, share >= SEEN_SHARE
            )
            if state is not None:
                balls[name] = state
        yield TableState(float(t_s), balls)
