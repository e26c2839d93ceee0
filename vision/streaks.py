"""A moving ball's blur streak: a capsule as wide as a ball, fitted to a component."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frames import Image


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
