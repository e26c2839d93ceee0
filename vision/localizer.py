"""Every frame, cheap, without weights: round things of ball size that are not cloth.

The difference from the empty cloth gives components. A component of a ball's size and
shape is fitted with a ball's outline; a long one is read as the streak of a moving ball;
anything larger (balls that touch, a hand, a cue) is searched for balls by its inner edges.
What has not changed since the last frames is not looked at again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cloth import Cloth
from vision.detections import Detections
from vision.discs import Edges, OutlineOf, edges_of, find_discs, fit_discs
from vision.faint import Faint
from vision.found import Found, found_disc, found_streak, without_doubles
from vision.frames import Image
from vision.outlines import Outlines, outlines_at
from vision.patches import (
    HALF,
    Patch,
    doubled,
    ellipse,
    large_parts,
    middle_of,
    over,
    patches_of,
    thick_parts,
)
from vision.still import Still
from vision.streaks import color_at, fit_streak, is_one_ball
from vision.topview import TopView

Points = NDArray[np.float64]

_SMALLEST: Final = 0.35
"""Smallest component that is looked at, in areas of a ball's disc."""
_SINGLE_SUPPORT: Final = 0.5
_SURE_SUPPORT: Final = 0.95
_CLUSTER_SUPPORT: Final = 0.55
_HAND_AREA: Final = 16.0
"""Components larger than this many balls are hands, bodies or a whole rack."""
_DEEPEST_SHADOW: Final = 0.3
"""Share of the cloth's light that the deepest shadow leaves."""
_MOST_OF: Final = 0.5
_APART: Final = 0.08
"""Middles nearer to each other than so many radii lead to the same place."""
_WINDOW: Final = 3.2
"""Half the side of the window around an expected ball, in radii."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What the localizer saw in one frame.

    `detections` in the table frame; `foreground` (h, w) uint8 top-view mask of all that is
    not cloth, for asking whether a place is free.
    """

    detections: Detections
    foreground: Image


@dataclass(eq=False)
class Localizer:
    """Finds balls in top views of one camera over one cloth.

    It remembers only what saves work: the same views give the same balls in any order, to
    the noise of the pictures.
    """

    top: TopView
    cloth: Cloth
    outer: Image = field(init=False)
    """(h, w) uint8, 1 where no ball that is in play can have its disc: beyond the noses."""
    _still: Still = field(init=False)
    _small_cloth: Image = field(init=False)
    _small_bed: Image = field(init=False)
    _faint: Faint = field(init=False)

    def __post_init__(self) -> None:
        self.outer = (self.top.distance_into_table_m() < -0.004).astype(np.uint8)
        self._still = Still(max(6, round(0.6 * self.cloth.faint)))
        self._small_cloth = _halved(self.cloth.picture)
        height, width = self._small_cloth.shape[:2]
        self._small_bed = np.ascontiguousarray(self.cloth.bed[::HALF, ::HALF][:height, :width])
        self._faint = Faint(self.cloth.faint, self._small_bed)

    def locate(self, view: Image, expected_px: Points | None = None) -> Sight:
        """Find the balls in a top view (h, w, 3) uint8 BGR.

        `expected_px` (K, 2): where balls are expected; what reaches over the table's edge
        (a player, a cue) is then searched there only. None: everywhere.
        """
        difference = _largest(cv2.absdiff(_halved(view), self._small_cloth))
        plain = over(difference, self.cloth.threshold) & self._small_bed
        self._still.turn()
        found: list[Found] = []
        explained = np.zeros_like(plain)
        for patch in patches_of(
            plain,
            _SMALLEST * self._disc_px,
            0.9 * self._radius,
            int(np.ceil(0.5 * self._radius)),
        ):
            seen, reaches_in = self._read(view, patch, expected_px)
            for one in seen:
                found.append(replace(one, alone=not reaches_in and not self._is_outside(one)))
            if seen or reaches_in:
                _mark(explained, patch)
        found += self._faint.streaks(difference, explained, self._radius)
        foreground = self._full_size(plain)
        return Sight(self._detections(view, without_doubles(found, self._radius)), foreground)

    @property
    def _radius(self) -> float:
        return self.top.ball_radius_px

    @property
    def _disc_px(self) -> float:
        return float(np.pi * self._radius**2)

    def _full_size(self, plain: Image) -> Image:
        foreground = doubled(plain)
        height, width = self.cloth.picture.shape[:2]
        if foreground.shape == (height, width):
            return foreground
        missing = (0, height - foreground.shape[0], 0, width - foreground.shape[1])
        return np.asarray(cv2.copyMakeBorder(foreground, *missing, cv2.BORDER_CONSTANT), np.uint8)

    def _outlines(self, u0: int, v0: int) -> OutlineOf:
        """The outlines of balls by their centres in a patch that begins at (u0, v0)."""

        def outlines(centers: Points) -> Outlines:
            return outlines_at(self.top, centers + (u0, v0))

        return outlines

    def _reaches_in(self, patch: Patch) -> bool:
        """True for a component that comes in over the table's edge: a hand, a cue, a body."""
        if patch.area_px > _HAND_AREA * self._disc_px:
            return True
        outside = self.outer[patch.rows, patch.columns]
        return bool(cv2.countNonZero(cv2.bitwise_and(patch.own, outside)) > 0.25 * self._disc_px)

    def _is_outside(self, one: Found) -> bool:
        """True for something centred beyond the noses: a ball comes there, it begins not there."""
        rows, columns = self.outer.shape
        return bool(
            self.outer[min(rows - 1, max(0, round(one.v))), min(columns - 1, max(0, round(one.u)))]
        )

    def _read(
        self, view: Image, patch: Patch, expected_px: Points | None
    ) -> tuple[list[Found], bool]:
        """The balls of one component, and whether it reaches over the table's edge."""
        reaches_in = self._reaches_in(patch)
        known = self._still.recall(view, patch.rows, patch.columns)
        if known is not None:
            return list(known), reaches_in
        if not reaches_in or expected_px is None:
            found = self._search(view, patch)
            if not reaches_in:
                self._still.keep(view, patch.rows, patch.columns, found)
            return found, reaches_in
        found = self._still.unmoved(view, patch.rows, patch.columns)
        for window in self._windows(patch, expected_px, found):
            found += self._search(view, window)
        return found, reaches_in

    def _windows(self, patch: Patch, expected_px: Points, known: list[Found]) -> Iterator[Patch]:
        """The parts of a component around the balls that are expected in it."""
        u0, v0 = patch.corner
        reach = round(_WINDOW * self._radius)
        for u, v in expected_px:
            if any(np.hypot(one.u - u, one.v - v) < 0.5 * self._radius for one in known):
                continue
            column, row = round(u) - u0, round(v) - v0
            rows = slice(max(0, row - reach), min(patch.own.shape[0], row + reach))
            columns = slice(max(0, column - reach), min(patch.own.shape[1], column + reach))
            if rows.start >= rows.stop or columns.start >= columns.stop:
                continue
            own = np.ascontiguousarray(patch.own[rows, columns])
            area = float(cv2.countNonZero(own))
            if area > _SMALLEST * self._disc_px:
                yield Patch(
                    slice(rows.start + v0, rows.stop + v0),
                    slice(columns.start + u0, columns.stop + u0),
                    own,
                    area,
                    max(own.shape),
                )

    def _search(self, view: Image, patch: Patch) -> list[Found]:
        """Look for balls in a component."""
        u0, v0 = patch.corner
        own = self._sharpened(view, patch)
        area = cv2.countNonZero(own) / self._disc_px
        if area < _SMALLEST:
            return []
        around = np.asarray(cv2.dilate(own, np.ones((5, 5), np.uint8)), np.uint8)
        edges = edges_of(
            view[patch.rows, patch.columns],
            around,
            0.12 * self.cloth.threshold,
            self.cloth.color_bgr,
        )
        outlines = self._outlines(u0, v0)
        stretch = float(outlines(np.array([middle_of(own)])).areas[0]) / self._disc_px
        if area < 1.45 * stretch and patch.reach_px < 3.1 * self._radius * stretch:
            # A blue stripe on blue cloth looks like shadow: both middles are tried.
            middles = (middle_of(own), middle_of(self._without_shadow(view, patch, own)))
            disc = _best_single(edges, middles, self._radius, outlines)
            if disc is not None:
                return [disc.moved(u0, v0)]
        found: list[Found] = []
        for part in thick_parts(own, self._radius, _SMALLEST * self._disc_px):
            found += self._search_part(view, edges, part, u0, v0)
        return found

    def _sharpened(self, view: Image, patch: Patch) -> Image:
        """The component at full size: what differs from the cloth, its holes filled."""
        here = view[patch.rows, patch.columns]
        plain = _largest(cv2.absdiff(here, self.cloth.picture[patch.rows, patch.columns]))
        grown = cv2.dilate(patch.own, np.ones((3, 3), np.uint8))
        sharp = over(plain, self.cloth.threshold) & (np.asarray(grown, np.uint8) * 255)
        contours, _ = cv2.findContours(sharp, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        own = np.zeros_like(patch.own)
        least = 0.1 * self._disc_px
        cv2.drawContours(
            own, [c for c in contours if cv2.contourArea(c) > least], -1, 1, cv2.FILLED
        )
        return own

    def _without_shadow(self, view: Image, patch: Patch, own: Image) -> Image:
        """A component without its shadow, where enough is left: a shadow keeps the cloth's tint
        and never takes all of its light."""
        here = view[patch.rows, patch.columns].astype(np.float32)
        cloth = self.cloth.picture[patch.rows, patch.columns].astype(np.float32)
        share = np.einsum("ijk,ijk->ij", here, cloth) / (
            np.einsum("ijk,ijk->ij", cloth, cloth) + 1.0
        )
        off_tint = np.abs(here - share[..., None] * cloth).max(axis=-1)
        shaded = (share > _DEEPEST_SHADOW) & (off_tint < 0.5 * self.cloth.threshold)
        left = np.where(shaded, 0, own).astype(np.uint8)
        return left if cv2.countNonZero(left) > _MOST_OF * self._disc_px else own

    def _search_part(self, view: Image, edges: Edges, part: Image, u0: int, v0: int) -> list[Found]:
        area = cv2.countNonZero(part) / self._disc_px
        discs = find_discs(edges, part, self._outlines(u0, v0), _CLUSTER_SUPPORT)
        found = [found_disc(disc, u0, v0) for disc in discs]
        if area >= _HAND_AREA:
            return found
        streak = fit_streak(part, self._radius)
        patch = view[v0 : v0 + part.shape[0], u0 : u0 + part.shape[1]]
        if streak is not None and is_one_ball(patch, streak, part, discs, self._radius):
            return [found_streak(streak, u0, v0)]
        return found + self._rest_of(part, found, u0, v0)

    def _rest_of(self, own: Image, discs: list[Found], u0: int, v0: int) -> list[Found]:
        """Streaks in what the discs leave of a component."""
        left = own.copy()
        for disc in discs:
            center = (round(disc.u - u0), round(disc.v - v0))
            cv2.circle(left, center, round(1.12 * self._radius), 0, -1)
        rest = cv2.morphologyEx(left, cv2.MORPH_OPEN, ellipse(self._radius))
        found: list[Found] = []
        for part in large_parts(np.asarray(rest, np.uint8), 0.45 * self._disc_px):
            streak = fit_streak(part, self._radius)
            if streak is not None and streak.overlap > 0.75:
                found.append(found_streak(streak, u0, v0, worse=0.6))
        return found

    def _detections(self, view: Image, found: list[Found]) -> Detections:
        if not found:
            return Detections.empty()
        centers_px = np.array([(s.u, s.v) for s in found])
        streaks_px = np.array([(s.streak_u, s.streak_v) for s in found])
        scale = self.top.px_per_m
        return Detections(
            self.top.to_table(centers_px),
            streaks_px * np.array((1.0, -1.0)) / scale,
            np.array([s.quality for s in found]),
            np.array(
                [color_at(view, (s.u, s.v), (s.streak_u, s.streak_v), self._radius) for s in found]
            ),
            np.array([s.sigma_px for s in found]) / scale,
            np.array([s.alone for s in found]),
        )


def _best_single(
    edges: Edges,
    middles: tuple[tuple[float, float], tuple[float, float]],
    radius_px: float,
    outlines: OutlineOf,
) -> Found | None:
    """The one ball of a component: the best of fits from its middles and around the first.

    A shadow on one side draws the middle away.
    """

    def best(starts: Points, least: float) -> Found | None:
        good = [d for d in fit_discs(edges, starts, outlines) if d is not None]
        found = [d for d in good if d.support >= least]
        if not found:
            return None
        return found_disc(
            max(found, key=lambda d: d.support - 0.5 * d.scatter_px / radius_px), 0, 0
        )

    around = 0.3 * radius_px * np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])
    apart = math.dist(*middles) > _APART * radius_px
    first = best(np.array(middles if apart else middles[:1]), _SURE_SUPPORT)
    return first or best(np.array(middles[0]) + around, _SINGLE_SUPPORT)


def _mark(mask: Image, patch: Patch) -> None:
    """Set a component in a half-size mask."""
    rows, columns = (slice(s.start // HALF, s.stop // HALF) for s in (patch.rows, patch.columns))
    mask[rows, columns] |= patch.own[::HALF, ::HALF]


def _halved(picture: Image) -> Image:
    """A (h, w, 3) picture at half size; an odd last row or column is left out."""
    height, width = picture.shape[0] // 2 * 2, picture.shape[1] // 2 * 2
    size = (width // 2, height // 2)
    small = cv2.resize(picture[:height, :width], size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _largest(difference: cv2.typing.MatLike) -> Image:
    """(h, w): the largest of three channels."""
    blue, green, red = cv2.split(difference)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
