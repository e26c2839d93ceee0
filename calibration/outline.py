"""The four-sided outline of a region, and the border points that belong to each side."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SAMPLES: Final = 40
"""How many places of a side its border is looked for."""
_REACH: Final = 0.09
_CORNER: Final = 0.09
_RUN: Final = 8
"""A region goes on when so many samples lie in it, half a pixel apart."""


def quad_of_hull(mask: NDArray[np.bool_]) -> Floats | None:
    """The quadrilateral about a region's convex hull, counter-clockwise in the picture.

    Hull edges are given up one by one, always the one whose removal (its neighbours
    extended until they meet) adds the least area; cut corners (pockets, an arm) go first.

    Returns:
        (4, 2) corners in pixels of the mask, or None when no quadrilateral remains.
    """
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    points = np.concatenate(contours)
    hull = cv2.convexHull(points)
    rough = cv2.approxPolyDP(hull, 0.004 * cv2.arcLength(hull, True), True)
    polygon = np.asarray(rough[:, 0], dtype=np.float64)
    while len(polygon) > 4:
        smaller = _without_cheapest_edge(polygon)
        if smaller is None:
            return None
        polygon = smaller
    if len(polygon) < 4:
        return None
    return polygon if _signed_area(polygon) < 0 else polygon[::-1].copy()


def _signed_area(polygon: Floats) -> float:
    """Positive for clockwise as seen (y points down)."""
    x, y = polygon[:, 0], polygon[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)


def _without_cheapest_edge(polygon: Floats) -> Floats | None:
    best: tuple[float, int, Floats] | None = None
    count = len(polygon)
    for i in range(count):
        before, a = polygon[i - 1], polygon[i]
        b, after = polygon[(i + 1) % count], polygon[(i + 2) % count]
        meet = _intersection(before, a, after, b)
        if meet is None:
            continue
        added = abs(_signed_area(np.array([a, meet, b])))
        if best is None or added < best[0]:
            best = (added, i, meet)
    if best is None:
        return None
    _, i, meet = best
    kept = [meet if k == i else polygon[k] for k in range(count) if k != (i + 1) % count]
    return np.array(kept)


def _intersection(p0: Floats, p1: Floats, q0: Floats, q1: Floats) -> Floats | None:
    """Where p0->p1 extended beyond p1 meets q0->q1 extended beyond q1."""
    u, v = p1 - p0, q1 - q0
    denominator = u[0] * v[1] - u[1] * v[0]
    if abs(denominator) < 1e-9:
        return None
    w = q0 - p0
    s = (w[0] * v[1] - w[1] * v[0]) / denominator
    t = (w[0] * u[1] - w[1] * u[0]) / denominator
    if s < 1.0 - 1e-9 or t < 1.0 - 1e-9:
        return None
    meet: Floats = p0 + s * u
    return meet


def border_points(mask: NDArray[np.bool_], quad: Floats) -> list[Floats]:
    """Border points of a region for each side of its outline.

    From outside each side inward, the first place where the region begins and goes on;
    near the corners nothing is read, nor at the picture's own edge.

    Args:
        mask: the region.
        quad: (4, 2) outline in pixels of the mask.

    Returns:
        For side i (corner i to corner i+1) an (N, 2) array in pixels of the mask.
    """
    sides: list[Floats] = []
    smooth = np.asarray(cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 1.0), np.float32)
    centre = quad.mean(axis=0)
    size = float(np.sqrt(abs(_signed_area(quad))))
    for i in range(4):
        a, b = quad[i], quad[(i + 1) % 4]
        along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
        inward = np.array([-along[1], along[0]])
        if inward @ (centre - a) < 0:
            inward = -inward
        sides.append(_scan(smooth, a, b, inward, _REACH * size))
    return sides


def _scan(
    smooth: NDArray[np.float32], a: Floats, b: Floats, inward: Floats, reach: float
) -> Floats:
    share = np.linspace(_CORNER, 1.0 - _CORNER, SAMPLES)
    # Room for a run of samples, even about a region of a few pixels.
    depth = np.arange(-0.5 * reach, max(reach, 0.5 * _RUN - 0.5 * reach + 0.5), 0.5)
    feet = a + share[:, None] * (b - a)
    places = feet[:, None, :] + depth[None, :, None] * inward
    values = cv2.remap(
        smooth,
        places[..., 0].astype(np.float32),
        places[..., 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=0,
    )
    inside = values > 0.5
    steady = np.all(np.lib.stride_tricks.sliding_window_view(inside, _RUN, axis=1), axis=2)
    first = np.argmax(steady, axis=1)
    found = steady[np.arange(len(first)), first] & (first > 0)
    rows = np.flatnonzero(found)
    at = first[rows]
    before, after = values[rows, at - 1], values[rows, at]
    part = np.clip((0.5 - before) / np.maximum(after - before, 1e-6), 0.0, 1.0)
    points = feet[rows] + (depth[at] - 0.5 + 0.5 * part)[:, None] * inward
    height, width = smooth.shape
    edge = (points < 1.5) | (points > np.array([width, height]) - 2.5)
    return np.asarray(points[~np.any(edge, axis=1)], dtype=np.float64)
