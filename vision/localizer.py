"""Every frame, cheap, without weights: round things of ball size that are not cloth.

The difference from the empty cloth gives components. A component of a ball's size and
shape is fitted as one disc; a long one as the streak of a moving ball; anything larger
(balls that touch, a hand, a cue) is searched for discs by its inner edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cloth import Cloth
from vision.detections import Detections
from vision.discs import Disc, Edges, edges_of, find_discs, fit_disc
from vision.frames import Image
from vision.streaks import Streak, fit_streak
from vision.topview import TopView

_SMALLEST = 0.35
"""Smallest component that is looked at, in areas of a ball's disc."""
_SINGLE_SUPPORT = 0.5
_CLUSTER_SUPPORT = 0.55
_WHOLE_SUPPORT = 0.85
_STREAK_OVERLAP = 0.68
_DISCS_OVERLAP = 0.92
"""Share of a component that two whole discs have to explain to be two balls of one colour."""
_ONE_COLOR = 22.0
"""Largest difference in a*b* between the two ends of one ball's streak (8-bit levels)."""
_HAND_AREA = 16.0
"""Components larger than this many balls are hands, bodies or a whole rack."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One ball-like thing in top-view pixels."""

    u: float
    v: float
    streak_u: float
    streak_v: float
    quality: float
    sigma_px: float
    alone: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What the localizer saw in one frame.

    `detections` in the table frame; `foreground` (h, w) uint8 top-view mask of all that is
    not cloth, for asking whether a place is free.
    """

    detections: Detections
    foreground: Image


@dataclass(frozen=True, eq=False)
class Localizer:
    """Finds balls in top views of one camera over one cloth (stateless)."""

    top: TopView
    cloth: Cloth
    outer: Image = field(init=False)
    """(h, w) uint8, 1 where no ball that is in play can have its disc: beyond the noses."""

    def __post_init__(self) -> None:
        outer = (self.top.distance_into_table_m() < -0.004).astype(np.uint8)
        object.__setattr__(self, "outer", outer)

    def locate(self, view: Image) -> Sight:
        """Find the balls in a top view (h, w, 3) uint8 BGR."""
        difference = self.cloth.difference(view)
        foreground = np.where(difference > self.cloth.threshold, self.cloth.bed, 0)
        foreground = foreground.astype(np.uint8)
        seen: list[Seen] = []
        for rows, columns, own in self._patches(foreground):
            found = self._read_patch(view, rows, columns, own)
            reaches_in = self._reaches_in(rows, columns, own)
            seen += [
                replace(one, alone=not reaches_in and not self._is_outside(one)) for one in found
            ]
        seen += self._faint_streaks(difference, foreground)
        return Sight(self._detections(view, _without_doubles(seen, self._radius)), foreground)

    def _faint_streaks(self, difference: Image, foreground: Image) -> list[Seen]:
        """Streaks too faint for the threshold: a fast ball of nearly the cloth's colour.

        At half size, which averages noise away, and away from everything that is plain to
        see, whose shadows are as faint. Such a streak continues a track, it begins none.
        """
        size = (difference.shape[1] // 2, difference.shape[0] // 2)
        small = cv2.resize(difference, size, interpolation=cv2.INTER_AREA)
        plain = cv2.resize(foreground, size, interpolation=cv2.INTER_AREA)
        bed = cv2.resize(self.cloth.bed, size, interpolation=cv2.INTER_NEAREST)
        reach = max(3, round(0.45 * self._radius) | 1)
        plain = cv2.dilate(plain, np.ones((reach, reach), np.uint8))
        faint = ((small > self.cloth.faint) & (plain == 0) & (bed > 0)).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(faint, connectivity=8)
        radius = self._radius / 2
        found: list[Seen] = []
        for label in range(1, count):
            x, y, w, h, area = (int(value) for value in stats[label])
            if not 0.6 * np.pi * radius**2 < area < 12 * np.pi * radius**2:
                continue
            own = (labels[y : y + h, x : x + w] == label).astype(np.uint8)
            own = cv2.copyMakeBorder(_filled(own), 4, 4, 4, 4, cv2.BORDER_CONSTANT)
            streak = fit_streak(np.asarray(own, np.uint8), radius)
            if streak is None or streak.overlap < 0.7:
                continue
            one = _from_streak(streak, x - 4, y - 4, worse=0.6)
            found.append(
                Seen(
                    2 * one.u + 0.5,
                    2 * one.v + 0.5,
                    2 * one.streak_u,
                    2 * one.streak_v,
                    0.6 * streak.overlap,
                    2 * one.sigma_px,
                    alone=False,
                )
            )
        return found

    @property
    def _radius(self) -> float:
        return self.top.ball_radius_px

    def _patches(self, foreground: Image) -> Iterator[tuple[slice, slice, Image]]:
        """Each component as its rows, columns and own filled mask, with a margin."""
        count, labels, stats, _ = cv2.connectedComponentsWithStats(foreground, connectivity=8)
        disc_area = np.pi * self._radius**2
        margin = int(np.ceil(0.5 * self._radius))
        for label in range(1, count):
            x, y, w, h, area = (int(value) for value in stats[label])
            if area < _SMALLEST * disc_area or max(w, h) < 0.9 * self._radius:
                continue
            rows = slice(max(0, y - margin), min(foreground.shape[0], y + h + margin))
            columns = slice(max(0, x - margin), min(foreground.shape[1], x + w + margin))
            own = (labels[rows, columns] == label).astype(np.uint8)
            yield rows, columns, _filled(own)

    def _reaches_in(self, rows: slice, columns: slice, own: Image) -> bool:
        """True for a component that comes in over the table's edge: a hand, a cue, a body."""
        outside = self.outer[rows, columns]
        share = int((own & outside).sum()) / (np.pi * self._radius**2)
        return share > 0.25 or own.sum() > _HAND_AREA * np.pi * self._radius**2

    def _is_outside(self, one: Seen) -> bool:
        """True for something centred beyond the noses: a ball comes there, it begins not there."""
        rows, columns = self.outer.shape
        return bool(
            self.outer[min(rows - 1, max(0, round(one.v))), min(columns - 1, max(0, round(one.u)))]
        )

    def _read_patch(self, view: Image, rows: slice, columns: slice, own: Image) -> list[Seen]:
        area = float(own.sum()) / (np.pi * self._radius**2)
        around = np.asarray(cv2.dilate(own, np.ones((5, 5), np.uint8)), np.uint8)
        edges = edges_of(view[rows, columns], around, 0.12 * self.cloth.threshold)
        u0, v0 = columns.start, rows.start
        if area < 1.45 and max(own.shape) < 3.6 * self._radius:
            disc = fit_disc(edges, _center_of(own), self._radius)
            if disc is not None and disc.support >= _SINGLE_SUPPORT:
                return [_from_disc(disc, u0, v0)]
        seen: list[Seen] = []
        for part in self._thick_parts(own):
            seen += self._read_part(view, edges, part, u0, v0)
        return seen

    def _thick_parts(self, own: Image) -> Iterator[Image]:
        """The component without what is thinner than a ball (a cue's shaft), piece by piece."""
        size = max(3, round(0.45 * self._radius) * 2 + 1)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        core = cv2.morphologyEx(own, cv2.MORPH_OPEN, kernel)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(core, connectivity=8)
        for label in range(1, count):
            if stats[label][4] >= _SMALLEST * np.pi * self._radius**2:
                yield (labels == label).astype(np.uint8)

    def _read_part(self, view: Image, edges: Edges, part: Image, u0: int, v0: int) -> list[Seen]:
        area = float(part.sum()) / (np.pi * self._radius**2)
        discs = find_discs(edges, part, self._radius, _CLUSTER_SUPPORT)
        if area < _HAND_AREA:
            streak = fit_streak(part, self._radius)
            if streak is not None and self._is_one_ball(view, streak, part, discs, u0, v0):
                return [_from_streak(streak, u0, v0)]
        seen = [_from_disc(disc, u0, v0) for disc in discs]
        if area < _HAND_AREA:
            seen += self._rest_of(part, discs, u0, v0)
        return seen

    def _is_one_ball(
        self, view: Image, streak: Streak, own: Image, discs: list[Disc], u0: int, v0: int
    ) -> bool:
        """True when a streak explains the component better than the discs in it do.

        Two balls that touch have two colours or two whole outlines; a streak has one colour
        from end to end.
        """
        union = _union_overlap(own, discs, self._radius)
        if streak.overlap < _STREAK_OVERLAP or union > max(_DISCS_OVERLAP, streak.overlap):
            return False
        half = np.array((streak.half_u, streak.half_v))
        length = float(np.hypot(*half))
        if length < 0.35 * self._radius:
            # Hardly longer than wide: a ball and its shadow, if the outline is whole.
            return streak.overlap > 0.8 and not any(d.support >= _WHOLE_SUPPORT for d in discs)
        end = half * max(0.0, 1 - 0.2 * self._radius / length)
        colors = [
            _color(
                view,
                Seen(streak.u + u0 + s * end[0], streak.v + v0 + s * end[1], 0, 0, 0, 0),
                0.6 * self._radius,
            )
            for s in (-1.0, 0.0, 1.0)
        ]
        difference = np.ptp(np.array(colors), axis=0)
        return bool(np.hypot(*difference[1:]) < _ONE_COLOR and difference[0] < 2.5 * _ONE_COLOR)

    def _rest_of(self, own: Image, discs: list[Disc], u0: int, v0: int) -> list[Seen]:
        """Streaks in what the discs leave of a component."""
        left = own.copy()
        for disc in discs:
            cv2.circle(left, (round(disc.u), round(disc.v)), round(1.12 * self._radius), 0, -1)
        size = max(3, round(0.5 * self._radius) * 2 + 1)
        rest = cv2.morphologyEx(
            left, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        )
        count, labels, stats, _ = cv2.connectedComponentsWithStats(rest, connectivity=8)
        found: list[Seen] = []
        for label in range(1, count):
            if stats[label][4] < 0.45 * np.pi * self._radius**2:
                continue
            streak = fit_streak((labels == label).astype(np.uint8), self._radius)
            if streak is not None and streak.overlap > 0.75:
                found.append(_from_streak(streak, u0, v0, worse=0.6))
        return found

    def _detections(self, view: Image, seen: list[Seen]) -> Detections:
        if not seen:
            return Detections.empty()
        centers_px = np.array([(s.u, s.v) for s in seen])
        streaks_px = np.array([(s.streak_u, s.streak_v) for s in seen])
        lab = [_color(view, s, self._radius) for s in seen]
        scale = self.top.px_per_m
        return Detections(
            self.top.to_table(centers_px),
            streaks_px * np.array((1.0, -1.0)) / scale,
            np.array([s.quality for s in seen]),
            np.array(lab),
            np.array([s.sigma_px for s in seen]) / scale,
            np.array([s.alone for s in seen]),
        )


def _filled(own: Image) -> Image:
    """The component with its holes (highlights, cloth-coloured parts) filled."""
    contours, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(own)
    cv2.drawContours(filled, contours, -1, 1, cv2.FILLED)
    return filled


def _center_of(own: Image) -> tuple[float, float]:
    moments = cv2.moments(own, binaryImage=True)
    return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]


def _from_disc(disc: Disc, u0: int, v0: int) -> Seen:
    sigma = 0.12 + 0.25 * disc.scatter_px * (1.2 - disc.support)
    return Seen(disc.u + u0, disc.v + v0, 0.0, 0.0, disc.support, sigma)


def _from_streak(streak: Streak, u0: int, v0: int, worse: float = 1.0) -> Seen:
    length = float(np.hypot(streak.half_u, streak.half_v))
    sigma = 0.4 + 0.08 * length + (1 - worse) * 3.0
    return Seen(
        streak.u + u0, streak.v + v0, streak.half_u, streak.half_v, streak.overlap * worse, sigma
    )


def _union_overlap(own: Image, discs: list[Disc], radius_px: float) -> float:
    """Intersection over union of a component and the discs found in it."""
    drawn = np.zeros_like(own)
    for disc in discs:
        cv2.circle(drawn, (round(disc.u), round(disc.v)), round(radius_px), 1, -1)
    union = int((drawn | own).sum())
    return float((drawn & own).sum()) / union if union else 0.0


def _without_doubles(seen: list[Seen], radius_px: float) -> list[Seen]:
    kept: list[Seen] = []
    for one in sorted(seen, key=lambda s: -s.quality):
        if all(np.hypot(one.u - k.u, one.v - k.v) > 1.2 * radius_px for k in kept):
            kept.append(one)
    return kept


def _color(view: Image, seen: Seen, radius_px: float) -> NDArray[np.float64]:
    """Median Lab colour (8-bit scale) of the disc's inner part, or of a streak's core."""
    reach = 0.62 * radius_px
    size = int(np.ceil(reach + max(abs(seen.streak_u), abs(seen.streak_v))))
    u, v = round(seen.u), round(seen.v)
    rows = slice(max(0, v - size), min(view.shape[0], v + size + 1))
    columns = slice(max(0, u - size), min(view.shape[1], u + size + 1))
    patch = view[rows, columns]
    mask = np.zeros(patch.shape[:2], np.uint8)
    center = np.array((seen.u - columns.start, seen.v - rows.start))
    half = 0.6 * np.array((seen.streak_u, seen.streak_v))
    first, last = np.rint(center - half).astype(int), np.rint(center + half).astype(int)
    thickness = max(1, round(2 * reach))
    cv2.line(mask, (int(first[0]), int(first[1])), (int(last[0]), int(last[1])), 1, thickness)
    pixels = patch[mask > 0]
    if not len(pixels):
        return np.zeros(3)
    lab = cv2.cvtColor(pixels[None], cv2.COLOR_BGR2LAB)[0]
    return np.asarray(np.median(lab, axis=0), np.float64)
