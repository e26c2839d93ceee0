"""Two eyes check each other: what only one of them sees is a doubt, not a ball.

The localizer looks at every frame and is blind to a ball of the cloth's colour; the network
looks now and then and sees balls in hands. What the network alone sees is followed up: when
it lies at the same place of the bed in several looks, apart from anybody, it is a ball, and
stands in for the localizer's until the network no longer sees it. What the localizer sees
but does not trust, because it touches a person or hangs in a jaw, is trusted when the
network has seen a ball there as often. What it sees in a hand where the network sees no ball
begins no track.

Places are in the table frame with the picture's shift taken out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.brink import hangs, mouth_of
from vision.detections import Detections
from vision.finds import Finds, Floats, Kind
from vision.frames import Image
from vision.localizer import Sight
from vision.network import Network
from vision.occlusion import covered, people_mask
from vision.topview import TopView

SURE: Final = 0.5
"""Confidence of a find that may become a ball; set on the synthetic hold-out."""
_STILL_SEEN: Final = 0.2
"""Confidence that is enough for a doubt that was sure before."""
_HARDLY_SEEN: Final = 0.1
_VETOED: Final = 0.6
"""Quality that begins no track, alone or beside something."""
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
_AGREE: Final = 0.25
"""In radii: two measurements of one ball at rest differ by less."""
_MARK: Final = 0.6
"""In radii: how far from a spot's middle its mark may be seen."""
_STILL_SIZE: Final = (0.75, 1.35)
"""Width and height of a resting ball's box, in diameters."""
_FORGET_AFTER: Final = 2
_SIGMA_M: Final = 0.0015
_JAW_M: Final = 0.005
BEGIN_QUALITY: Final = 0.7
"""Quality from which a lone detection begins a track (vision.tracker)."""
_QUALITY: Final = 0.72
"""Just enough to begin a track: the localizer's own detections are measured better."""


@dataclass(slots=True, eq=False)
class Doubt:
    """A place where the network sees a resting ball and the localizer sees none for sure."""

    xy_m: Floats
    color: Floats
    first_s: float
    last_s: float
    apart: bool = True
    """Apart from anybody over the table and from marks on the cloth, at the last look."""
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
    _outer: Image = field(init=False, repr=False)
    _since: int = field(default=0, init=False)
    _called: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        self._outer = (self.top.distance_into_table_m() < -0.004).astype(np.uint8)

    def call(self) -> None:
        """Ask for a look at the next frame: a track was born or lost, everything came to rest."""
        self._called = True

    def see(
        self,
        view: Image,
        t_s: float,
        sight: Sight,
        moved_m: tuple[float, float] = (0.0, 0.0),
    ) -> Detections:
        """Look if it is time, and return the localizer's detections with the believed doubts.

        `view` is the top view (h, w, 3) uint8 BGR, `sight` what the localizer saw in it, with
        the picture's shift `moved_m` taken out of its detections. Believed doubts are drawn
        into the sight's mask of all that is not cloth.
        """
        if self._is_due(t_s):
            self._look(view, t_s, sight, np.array(moved_m))
        seen = without_fingers(sight.detections, self.finds, self.top, np.array(moved_m))
        for doubt in self.doubts:
            if doubt.is_ball:
                near = self._near(seen, doubt.xy_m)
                if len(near) and not is_sure(seen)[near].any():
                    if self._agree(seen, int(near[0]), doubt):
                        seen = trusted(seen, int(near[0]))
                elif not len(near) and doubt.apart:
                    seen = with_ball(seen, doubt)
                    self._mark(sight.foreground, doubt, moved_m)
        return seen

    def _is_due(self, t_s: float) -> bool:
        self._since += 1
        young = any(not d.is_ball and t_s - d.first_s < _YOUNG_S for d in self.doubts)
        wait = 2 if young else self.every_frames
        return self._called or self.looked < _FIRST_LOOKS or self._since >= wait

    def _look(self, view: Image, t_s: float, sight: Sight, moved_m: Floats) -> None:
        seen = sight.detections
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
            d for d in self.doubts if d.missed < _FORGET_AFTER and not self._is_sure(seen, d.xy_m)
        ]
        new = ~taken & (resting.confidence >= SURE)
        for row in np.flatnonzero(new & in_play(resting, view, self.top)):
            if not self._is_sure(seen, places[row]):
                color = color_at(view, resting.centers_px[row], self.top.ball_radius_px)
                self.doubts.append(Doubt(places[row], color, t_s, t_s))
        self._tell_apart(sight.foreground, moved_m)

    def _tell_apart(self, foreground: Image, moved_m: Floats) -> None:
        if not self.doubts:
            return
        people = people_mask(foreground, self._outer, self.top, self.finds)
        for doubt in self.doubts:
            u, v = self.top.from_table((doubt.xy_m + moved_m)[None])[0]
            on_mark = is_on_mark(doubt.xy_m, self.top)
            doubt.apart = not on_mark and not covered(people, float(u), float(v))

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

    def _near(self, seen: Detections, xy_m: Floats) -> NDArray[np.intp]:
        """Rows of the detections that show the ball at a place, the nearest first."""
        away = np.hypot(*(seen.centers_m - xy_m).T) if len(seen) else np.zeros(0)
        near = np.flatnonzero(away < _SAME_BALL * self.top.camera.table.ball_radius_m)
        return np.asarray(near[np.argsort(away[near])])

    def _agree(self, seen: Detections, row: int, doubt: Doubt) -> bool:
        """True when both eyes see one ball at rest: at one place, also at the last look."""
        away = float(np.hypot(*(seen.centers_m[row] - doubt.xy_m)))
        same = away < _AGREE * self.top.camera.table.ball_radius_m
        return same and not doubt.missed and not seen.streaks_m[row].any()

    def _is_sure(self, seen: Detections, xy_m: Floats) -> bool:
        return bool(is_sure(seen)[self._near(seen, xy_m)].any())

    def _mark(self, foreground: Image, doubt: Doubt, moved_m: tuple[float, float]) -> None:
        """Draw a believed doubt into a mask of all that is not cloth, in place."""
        u, v = self.top.from_table((doubt.xy_m + moved_m)[None])[0]
        center = (round(float(u)), round(float(v)))
        cv2.circle(foreground, center, round(self.top.ball_radius_px), 255, -1)


def resting_balls(finds: Finds, top: TopView) -> Finds:
    """The finds that can be balls at rest, pocketed ones among them: round, of a ball's size,
    apart from any hand."""
    balls = finds.of(Kind.BALL, Kind.CUE_BALL, Kind.AWAY, least=_STILL_SEEN)
    size = (balls.boxes_px[:, 2:] - balls.boxes_px[:, :2]) / (2 * top.ball_radius_px)
    round_ones = ((size > _STILL_SIZE[0]) & (size < _STILL_SIZE[1])).all(axis=1)
    return balls.where(round_ones & ~inside_hands(balls.centers_px, finds))


def inside_hands(points_px: Floats, finds: Finds) -> NDArray[np.bool_]:
    """(N,) whether each point lies in the box of a hand."""
    hands = finds.of(Kind.HAND, least=_STILL_SEEN).boxes_px
    inside = (points_px[:, None] >= hands[None, :, :2]) & (points_px[:, None] <= hands[None, :, 2:])
    return np.asarray(np.any(np.all(inside, axis=2), axis=1))


def in_play(finds: Finds, view: Image, top: TopView) -> NDArray[np.bool_]:
    """(N,) whether each find lies where a ball in play can rest: up to the drop of a pocket.

    A ball on a pocket's brink looks pocketed to the network; it is in play when what is seen
    before it says that it did not fall (`vision.brink`).
    """
    table = top.camera.table
    places = top.to_table(finds.centers_px)
    kept = np.zeros(len(finds), bool)
    for row, (kind, xy_m) in enumerate(zip(finds.kinds, places, strict=True)):
        place = (float(xy_m[0]), float(xy_m[1]))
        if kind == Kind.AWAY:
            pocket = mouth_of(xy_m, table)
            kept[row] = pocket is not None and hangs(view, finds.centers_px[row], pocket, top)
        else:
            fallen = any(pocket.is_past_return(place) for pocket in table.pockets.values())
            kept[row] = table.contains(place, _JAW_M) and not fallen
    return kept


def is_on_mark(xy_m: Floats, top: TopView) -> bool:
    """True on a spot, where marks are printed or stuck on the cloth.

    The localizer learned the mark with the cloth and sees any ball that lies on it.
    """
    table = top.camera.table
    reach = _MARK * table.ball_radius_m
    spots = (table.foot_spot, table.head_spot, (0.0, 0.0))
    return any(np.hypot(xy_m[0] - x, xy_m[1] - y) < reach for x, y in spots)


def is_sure(seen: Detections) -> NDArray[np.bool_]:
    """(N,) whether each detection may begin a track by itself."""
    return np.asarray(seen.alone & (seen.quality >= BEGIN_QUALITY))


def trusted(seen: Detections, row: int) -> Detections:
    """Detections of which one, that the network sees as well, may begin a track."""
    rows = np.arange(len(seen)) == row
    quality = np.where(rows, np.maximum(seen.quality, _QUALITY), seen.quality)
    return replace(seen, alone=seen.alone | rows, quality=quality)


def without_fingers(seen: Detections, finds: Finds, top: TopView, moved_m: Floats) -> Detections:
    """Detections of which some begin no track where the network sees no ball: in a hand (a
    fingertip in a glove of the cloth's colour is round, of a ball's size and all alone), and
    beyond the noses (chalk)."""
    if not len(seen):
        return seen
    places_px = top.from_table(seen.centers_m + moved_m)
    reach = np.array((-1.0, -1.0, 1.0, 1.0)) * top.ball_radius_px
    wider = replace(finds, boxes_px=finds.boxes_px + reach)
    table = top.camera.table
    beyond = [not table.contains((float(x), float(y)), _JAW_M) for x, y in seen.centers_m]
    balls = finds.of(Kind.BALL, Kind.CUE_BALL, Kind.AWAY, least=_HARDLY_SEEN)
    away = np.hypot(*(places_px[:, None] - balls.centers_px[None]).transpose(2, 0, 1))
    near = away < top.ball_radius_px
    in_hand = inside_hands(places_px, wider) & ~np.any(near, axis=1)
    on_rail = np.array(beyond, bool) & ~np.any(near & (balls.confidence >= SURE), axis=1)
    vetoed = in_hand | on_rail
    quality = np.where(vetoed, np.minimum(seen.quality, _VETOED), seen.quality)
    return replace(seen, alone=seen.alone & ~vetoed, quality=quality)


def with_ball(seen: Detections, ball: Doubt) -> Detections:
    """Detections with a further ball at rest."""
    return Detections(
        np.concatenate((seen.centers_m, ball.xy_m[None])),
        np.concatenate((seen.streaks_m, np.zeros((1, 2)))),
        np.append(seen.quality, _QUALITY),
        np.concatenate((seen.colors, ball.color[None])),
        np.append(seen.sigma_m, _SIGMA_M),
        np.append(seen.alone, True),
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
