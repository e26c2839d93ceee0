"""When the table is at rest with every ball in sight: a moment at which a video can be parted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from table.geometry import Point, TableSpec
from vision.tracker import Track

_MOVING_MPS: Final = 0.02
_MOVED_M: Final = 0.004
_AT_POCKET_M: Final = 0.12
HIDDEN_S: Final = 10.0
"""A ball out of sight for longer is waited for no more: it comes into view, or it is gone."""
LIP_S: Final = 6.0
"""A ball on a lip may fall within five seconds and belong to the shot (8.3)."""


@dataclass
class Quiet:
    """Since when nothing has moved, frame by frame."""

    table: TableSpec
    since_s: float | None = None
    """Since when all has been at rest; None before the first frame."""
    in_sight: bool = False
    """True when every ball that is followed, or was until lately, was seen in the last frame."""
    on_lip: bool = False
    """True while a ball hangs at the brink of a pocket."""
    _rest: dict[int, Point] = field(default_factory=dict)

    def update(self, t_s: float, tracks: Sequence[Track]) -> None:
        """Take the tracks followed in a frame."""
        if self.since_s is None:
            self.since_s = t_s
        followed = [track for track in tracks if track.confirmed and not track.lost]
        seen = [track for track in followed if track.last.t_s >= t_s - 1e-9]
        for track in seen:
            place = (track.last.x_m, track.last.y_m)
            rest = self._rest.setdefault(track.number, place)
            if math.hypot(*track.velocity) > _MOVING_MPS and math.dist(place, rest) > _MOVED_M:
                self.since_s = t_s
                self._rest[track.number] = place
        numbers = {track.number for track in followed}
        self._rest = {n: place for n, place in self._rest.items() if n in numbers}
        hidden = [track for track in followed if track not in seen]
        lately = [track for track in hidden if t_s - track.last.t_s < HIDDEN_S]
        self.in_sight = all(self._has_fallen(track) for track in lately)
        self.on_lip = any(self._hangs(track) for track in seen)

    def lasted_s(self, t_s: float) -> float:
        """How long all has been at rest; 0 while a ball on a lip may still fall."""
        lasted = 0.0 if self.since_s is None else t_s - self.since_s
        return 0.0 if self.on_lip and lasted < LIP_S else lasted

    def _has_fallen(self, track: Track) -> bool:
        """True where a ball that is no longer seen was last seen: at a pocket, or beyond."""
        place = (track.last.x_m, track.last.y_m)
        near = self.table.nearest_pocket(place)
        at_pocket = near is not None and math.dist(near.mouth_center, place) < _AT_POCKET_M
        return at_pocket or not self.table.contains(place)

    def _hangs(self, track: Track) -> bool:
        place = (track.last.x_m, track.last.y_m)
        near = self.table.nearest_pocket(place)
        return near is not None and near.depth_m(place) > -0.5 * self.table.ball_radius_m
