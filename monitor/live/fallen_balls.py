"""Balls that fell in an earlier shot and can still be seen in their pocket.

Their fall is forgotten after the shot, and a ball that lies in a pocket is seen where one on
the brink would lie. So the tracks of what fell are remembered, and are read no more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from typing import Final

from monitor.live.shot_reading import SeenShot
from table.events import BallPocketed, ShotEnded
from table.geometry import PocketShape, Point, TableSpec
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
    _places: dict[int, Point] = field(default_factory=dict, init=False)
    """Where the ball of each such track lay."""
    _played: set[int] = field(default_factory=set, init=False)
    """Tracks that were seen on the bed."""
    _shot: SeenShot | None = field(default=None, init=False)
    """A shot that may still be read again."""

    @property
    def numbers(self) -> Set[int]:
        """The tracks of what is down."""
        return self._places.keys()

    def new_view(self) -> None:
        """Tracks are numbered anew, and pockets may have been emptied out of sight."""
        self._places, self._played = {}, set()

    def look(self, number: int, place_m: Point) -> None:
        """Where a track is now; one that first shows where a fallen ball lies is that ball."""
        if number in self._places:
            near = self.table.nearest_pocket(place_m)
            if near is None or math.dist(near.drop_point, place_m) > _TAKEN_OUT_M:
                del self._places[number]
        elif self._shown_in(place_m) is None:
            self._played.add(number)
        elif number not in self._played and _is_near(place_m, self._places.values()):
            self._places[number] = place_m

    def take(self, shot: SeenShot) -> None:
        """A shot was read; until it is left, it may be read again with all that fell in it."""
        self._shot = shot

    def leave_shot(self, tracks: Sequence[Track]) -> None:
        """The shot is forgotten: what fell in it and shows in its pocket is in play no more."""
        followed = {track.number for track in tracks}
        self._places = {n: place for n, place in self._places.items() if n in followed}
        self._played &= followed
        shot, self._shot = self._shot, None
        if shot is None:
            return
        fell = {e.pocket for e in shot.events if isinstance(e, BallPocketed)}
        resting = [p for e in shot.events if isinstance(e, ShotEnded) for p in e.balls.values()]
        for track in tracks:
            shape = self._shown_in(track.position)
            if shape is None or shape.pocket not in fell:
                continue
            # One that came to hang on the brink in the same shot stays in play.
            if not _is_near(track.position, resting):
                self._places[track.number] = track.position

    def _shown_in(self, place_m: Point) -> PocketShape | None:
        near = self.table.nearest_pocket(place_m)
        return near if near is not None and may_show_in(near, place_m) else None


def _is_near(place_m: Point, others: Iterable[Point]) -> bool:
    return any(math.dist(place_m, other) < _SAME_BALL_M for other in others)
