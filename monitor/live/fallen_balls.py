"""Balls that fell in an earlier shot and can still be seen in their pocket.

Their fall is forgotten after the shot, and a ball that lies in a pocket is seen where one on
the brink would lie. So the tracks of what fell are remembered, and are read no more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from monitor.live.shot_reading import SeenShot
from table.events import BallPocketed, ShotEnded
from table.geometry import Pocket, PocketShape, Point, TableSpec
from vision.falls import may_show_in
from vision.tracker import Track

_SAME_BALL_M: Final = 0.02
_TAKEN_OUT_M: Final = 0.15
"""So far from its pocket a ball that was down is in a hand or on the bed again; nearer, an arm
that reaches over the pocket is taken for it."""


@dataclass(eq=False)
class FallenBalls:
    """Which tracks of one view follow balls that are down."""

    table: TableSpec
    numbers: set[int] = field(default_factory=set, init=False)
    _pockets: set[Pocket] = field(default_factory=set, init=False)
    """Pockets in which a ball is down."""
    _played: set[int] = field(default_factory=set, init=False)
    """Tracks that were seen on the bed."""
    _shot: SeenShot | None = field(default=None, init=False)
    """A shot that may still be read again."""

    def new_view(self) -> None:
        """Tracks are numbered anew; what is down stays down."""
        self.numbers, self._played = set(), set()

    def look(self, number: int, place_m: Point) -> None:
        """Where a track is now; one that first shows in the pocket of a ball is that ball."""
        shape = self._shown_in(place_m)
        if number in self.numbers:
            near = self.table.nearest_pocket(place_m)
            if near is None or math.dist(near.drop_point, place_m) > _TAKEN_OUT_M:
                self.numbers.discard(number)
        elif shape is None:
            self._played.add(number)
        elif number not in self._played and shape.pocket in self._pockets:
            self.numbers.add(number)

    def take(self, shot: SeenShot) -> None:
        """A shot was read; until it is left, it may be read again with all that fell in it."""
        self._shot = shot

    def leave_shot(self, tracks: Iterable[Track]) -> None:
        """The shot is forgotten: what fell in it and shows in its pocket is in play no more."""
        shot, self._shot = self._shot, None
        if shot is None:
            return
        fell = {e.pocket for e in shot.events if isinstance(e, BallPocketed)}
        resting = [p for e in shot.events if isinstance(e, ShotEnded) for p in e.balls.values()]
        self._pockets |= fell
        for track in tracks:
            shape = self._shown_in(track.position)
            if shape is None or shape.pocket not in fell:
                continue
            # One that came to hang on the brink in the same shot stays in play.
            if all(math.dist(track.position, place) > _SAME_BALL_M for place in resting):
                self.numbers.add(track.number)

    def _shown_in(self, place_m: Point) -> PocketShape | None:
        near = self.table.nearest_pocket(place_m)
        return near if near is not None and may_show_in(near, place_m) else None
