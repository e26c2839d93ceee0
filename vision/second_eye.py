"""Two eyes check each other: what only one of them sees is a doubt, not a ball.

The localizer looks at every frame and is blind to a ball of the cloth's colour; the network
looks now and then and sees balls in hands. What the network alone sees is followed up: when
it lies at the same place of the bed in several looks, apart from any hand, it is a ball, and
stands in for the localizer's until the network no longer sees it.

Places are in the table frame with the picture's shift taken out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import Detections
from vision.finds import Finds, Floats, Kind
from vision.frames import Image
from vision.network import Network
from vision.topview import TopView

SURE: Final = 0.5
"""Confidence of a find that may become a ball; set on the synthetic hold-out."""
_STILL_SEEN: Final = 0.2
"""Confidence that is enough for a doubt that was sure before."""
EVERY_FRAMES: Final = 6
_FIRST_LOOKS: Final = 5
"""Looks in a row at the start of a view."""
_YOUNG_S: Final = 0.5
"""How long a new doubt is looked at more often."""
_LOOKS: Final = 4
_SPAN_S: Final = 0.12
_SAME_PLACE_M: Final = 0.006
_SAME_BALL: Final = 0.9
"""In radii: a detection this near is the same ball."""
_STILL_SIZE: Final = (0.75, 1.35)
"""Width and height of a resting ball's box, in diameters."""
_FORGET_AFTER: Final = 2
_SIGMA_M: Final = 0.0015
_QUALITY: Final = 0.72
"""Just enough to begin a track: the localizer's own detections are measured better."""


@dataclass(slots=True, eq=False)
class Doubt:
    """A place where the network sees a resting ball and the localizer sees none."""

    xy_m: Floats
    color: Floats
    first_s: float
    last_s: float
    looks: int = 1
    missed: int = 0

    @property
    def is_ball(self) -> bool:
        """True when it was seen often and long enough to be believed."""
        return self.looks >= _LOOKS and self.last_s - self.first_s >= _SPAN_S


@dataclass(eq=False)
class SecondEye:
    """The network beside the localizer, for one unbroken view of a table."""

    top: TopView
    network: Network
    every_frames: int = EVERY_FRAMES
    doubts: list[Doubt] = field(default_factory=list, init=False)
    finds: Finds = field(default_factory=Finds.none, init=False)
    """What the latest look saw."""
    looked: int = field(default=0, init=False)
    looked_s: float = field(default=-np.inf, init=False)
    _since: int = field(default=0, init=False)
    _called: bool = field(default=True, init=False)

    def call(self) -> None:
        """Ask for a look at the next frame: a track was born or lost, everything came to rest."""
        self._called = True

    def see(
        self,
        view: Image,
        t_s: float,
        seen: Detections,
        moved_m: tuple[float, float] = (0.0, 0.0),
    ) -> Detections:
        """Look if it is time, and return the localizer's detections with the believed doubts.

        `view` is the top view (h, w, 3) uint8 BGR, `moved_m` the picture's shift that was
        taken out of `seen`.
        """
        if self._is_due(t_s):
            self._look(view, t_s, seen, np.array(moved_m))
        believed = [d for d in self.doubts if d.is_ball and not self._is_among(seen, d.xy_m)]
        return with_balls(seen, believed)

    def _is_due(self, t_s: float) -> bool:
        self._since += 1
        young = any(not d.is_ball and t_s - d.first_s < _YOUNG_S for d in self.doubts)
        wait = 2 if young else self.every_frames
        return self._called or self.looked < _FIRST_LOOKS or self._since >= wait

    def _look(self, view: Image, t_s: float, seen: Detections, moved_m: Floats) -> None:
        self._called, self._since = False, 0
        self.looked += 1
        self.looked_s = t_s
        self.finds = self.network.look(view)
        resting = resting_balls(self.finds, self.top)
        places = self.top.to_table(resting.centers_px) - moved_m
        taken = np.zeros(len(resting), bool)
        for doubt in self.doubts:
            self._follow_up(doubt, places, taken, t_s)
        self.doubts = [
            d for d in self.doubts if d.missed < _FORGET_AFTER and not self._is_among(seen, d.xy_m)
        ]
        for row in np.flatnonzero(~taken & (resting.confidence >= SURE)):
            if self._is_on_bed(places[row]) and not self._is_among(seen, places[row]):
                color = color_at(view, resting.centers_px[row], self.top.ball_radius_px)
                self.doubts.append(Doubt(places[row], color, t_s, t_s))

    def _follow_up(
        self, doubt: Doubt, places: Floats, taken: NDArray[np.bool_], t_s: float
    ) -> None:
        away = np.hypot(*(places - doubt.xy_m).T) if len(places) else np.zeros(0)
        near = np.flatnonzero((away < _SAME_PLACE_M) & ~taken)
        if not len(near):
            doubt.missed += 1
            return
        row = near[np.argmin(away[near])]
        taken[row] = True
        doubt.looks, doubt.missed, doubt.last_s = doubt.looks + 1, 0, t_s
        doubt.xy_m = doubt.xy_m + (places[row] - doubt.xy_m) / min(doubt.looks, 20)

    def _is_on_bed(self, xy_m: Floats) -> bool:
        return self.top.camera.table.contains((float(xy_m[0]), float(xy_m[1])))

    def _is_among(self, seen: Detections, xy_m: Floats) -> bool:
        if not len(seen):
            return False
        reach = _SAME_BALL * self.top.camera.table.ball_radius_m
        return bool((np.hypot(*(seen.centers_m - xy_m).T) < reach).any())

    def mark(self, foreground: Image, moved_m: tuple[float, float] = (0.0, 0.0)) -> None:
        """Draw the believed doubts into a mask of all that is not cloth, in place."""
        for doubt in self.doubts:
            if doubt.is_ball:
                u, v = self.top.from_table((doubt.xy_m + moved_m)[None])[0]
                center = (round(float(u)), round(float(v)))
                cv2.circle(foreground, center, round(self.top.ball_radius_px), 255, -1)


def resting_balls(finds: Finds, top: TopView) -> Finds:
    """The finds that can be balls at rest: round, of a ball's size, apart from any hand."""
    balls = finds.of(Kind.BALL, Kind.CUE_BALL, least=_STILL_SEEN)
    size = (balls.boxes_px[:, 2:] - balls.boxes_px[:, :2]) / (2 * top.ball_radius_px)
    round_ones = ((size > _STILL_SIZE[0]) & (size < _STILL_SIZE[1])).all(axis=1)
    return balls.where(round_ones & ~inside_hands(balls.centers_px, finds))


def inside_hands(points_px: Floats, finds: Finds) -> NDArray[np.bool_]:
    """(N,) whether each point lies in the box of a hand."""
    hands = finds.of(Kind.HAND, least=_STILL_SEEN).boxes_px
    inside = (points_px[:, None] >= hands[None, :, :2]) & (points_px[:, None] <= hands[None, :, 2:])
    return np.asarray(np.any(np.all(inside, axis=2), axis=1))


def with_balls(seen: Detections, balls: Sequence[Doubt]) -> Detections:
    """Detections with further balls at rest."""
    if not balls:
        return seen
    count = len(balls)
    return replace(
        seen,
        centers_m=np.concatenate((seen.centers_m, [b.xy_m for b in balls])),
        streaks_m=np.concatenate((seen.streaks_m, np.zeros((count, 2)))),
        quality=np.concatenate((seen.quality, np.full(count, _QUALITY))),
        colors=np.concatenate((seen.colors, [b.color for b in balls])),
        sigma_m=np.concatenate((seen.sigma_m, np.full(count, _SIGMA_M))),
        alone=np.concatenate((seen.alone, np.ones(count, bool))),
    )


def color_at(view: Image, center_px: Floats, radius_px: float) -> Floats:
    """Median Lab colour (8-bit scale) of a disc's inner part."""
    reach = max(1, round(0.45 * radius_px))
    u, v = (round(float(value)) for value in center_px)
    patch = view[max(0, v - reach) : v + reach + 1, max(0, u - reach) : u + reach + 1]
    if not patch.size:
        return np.zeros(3)
    lab = cv2.cvtColor(np.ascontiguousarray(patch), cv2.COLOR_BGR2LAB)
    return np.asarray(np.median(lab.reshape(-1, 3), axis=0), np.float64)
