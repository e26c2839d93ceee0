"""A moving ball's blur streak: a capsule as wide as a ball, fitted to a component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.discs import Disc
from vision.frames import Image

Floats = NDArray[np.float64]

_WHOLE_SUPPORT: Final = 0.85
_STREAK_OVERLAP: Final = 0.68
_DISCS_OVERLAP: Final = 0.92
"""Share of a component that two whole discs have to explain to be two balls of one colour."""
_ONE_COLOR: Final = 22.0
"""Largest difference in a*b* between the two ends of one ball's streak (8-bit levels)."""


@dataclass(frozen=True, slots=True)
class Streak:
    """A capsule in patch pixels: middle, half the way travelled in the exposure, fit (0..1)."""

    u: float
    v: float
    half_u: float
    half_v: float
    overlap: float


def fit_streak(own: Image, radius_px: float) -> Streak | None:
    """Fit a capsule to a component mask (h, w) uint8 0/1; None when it is not ball-wide."""
    points = cv2.findNonZero(own)
    if points is None:
        return None
    (u, v), sides, angle_deg = cv2.minAreaRect(points)
    angle = np.deg2rad(angle_deg)
    along = np.array((np.cos(angle), np.sin(angle)))
    long_px, wide_px = sides
    if wide_px > long_px:
        along = np.array((-along[1], along[0]))
        long_px, wide_px = wide_px, long_px
    # A fast streak is fainter at its sides and ends: it shows narrower than the ball.
    if not 1.1 * radius_px < wide_px < 2.5 * radius_px:
        return None
    half = max(0.0, long_px + 1 - (wide_px + 1)) / 2
    drawn = np.zeros_like(own)
    center = np.array((u, v))
    first, last = np.rint(center - half * along), np.rint(center + half * along)
    thickness = max(1, round(wide_px + 1))
    cv2.line(
        drawn,
        (int(first[0]), int(first[1])),
        (int(last[0]), int(last[1])),
        1,
        thickness,
    )
    overlap = float((drawn & own).sum()) / max(1, int((drawn | own).sum()))
    moments = cv2.moments(own, binaryImage=True)
    middle_u, middle_v = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
    return Streak(
        float(middle_u), float(middle_v), float(half * along[0]), float(half * along[1]), overlap
    )


def is_one_ball(
    patch: Image, streak: Streak, own: Image, discs: Sequence[Disc], radius_px: float
) -> bool:
    """True when a streak explains a component better than the discs found in it do.

    `patch` (h, w, 3) BGR and `own` (h, w) are the component's pixels and mask. Two balls that
    touch have two colours or two whole outlines; a streak has one colour from end to end, and
    of its outline the blur leaves only the sides.
    """
    union = _union_overlap(own, discs, radius_px)
    if streak.overlap < _STREAK_OVERLAP or union > max(_DISCS_OVERLAP, streak.overlap):
        return False
    whole = sum(disc.support >= _WHOLE_SUPPORT for disc in discs)
    half = np.array((streak.half_u, streak.half_v))
    length = float(np.hypot(*half))
    if length < 0.35 * radius_px:
        # Hardly longer than wide: a ball and its shadow, if the outline is whole.
        return streak.overlap > 0.8 and whole == 0
    if whole >= 2:
        return False
    end = half * max(0.0, 1 - 0.2 * radius_px / length)
    colors = [
        color_at(patch, (streak.u + s * end[0], streak.v + s * end[1]), (0.0, 0.0), 0.6 * radius_px)
        for s in (-1.0, 0.0, 1.0)
    ]
    difference = np.ptp(np.array(colors), axis=0)
    return bool(np.hypot(*difference[1:]) < _ONE_COLOR and difference[0] < 2.5 * _ONE_COLOR)


def _union_overlap(own: Image, discs: Sequence[Disc], radius_px: float) -> float:
    """Intersection over union of a component and the discs found in it."""
    drawn = np.zeros_like(own)
    for disc in discs:
        cv2.circle(drawn, (round(disc.u), round(disc.v)), round(radius_px), 1, -1)
    union = int((drawn | own).sum())
    return float((drawn & own).sum()) / union if union else 0.0


def color_at(
    picture: Image,
    center_px: tuple[float, float],
    half_way_px: tuple[float, float],
    radius_px: float,
) -> Floats:
    """Median Lab colour (8-bit scale) of a disc's inner part, or of a streak's core, (3,)."""
    reach = 0.62 * radius_px
    size = int(np.ceil(reach + max(abs(half_way_px[0]), abs(half_way_px[1]))))
    u, v = round(center_px[0]), round(center_px[1])
    rows = slice(max(0, v - size), max(0, min(picture.shape[0], v + size + 1)))
    columns = slice(max(0, u - size), max(0, min(picture.shape[1], u + size + 1)))
    patch = picture[rows, columns]
    mask = np.zeros(patch.shape[:2], np.uint8)
    center = np.array((center_px[0] - columns.start, center_px[1] - rows.start))
    half = 0.6 * np.array(half_way_px)
    first, last = np.rint(center - half).astype(int), np.rint(center + half).astype(int)
    thickness = max(1, round(2 * reach))
    cv2.line(mask, (int(first[0]), int(first[1])), (int(last[0]), int(last[1])), 1, thickness)
    pixels = patch[mask > 0]
    if not len(pixels):
        return np.zeros(3)
    lab = cv2.cvtColor(pixels[None], cv2.COLOR_BGR2LAB)[0]
    return np.asarray(np.median(lab, axis=0), np.float64)
