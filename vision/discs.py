"""Discs of known radius in a small patch: found by votes of edge pixels, then fitted.

An edge pixel of a ball points, along its gradient, at the ball's centre one radius away
(Hough transform for circles of known radius, Ballard 1981). Touching balls part where
their colours change, so a rack is split without its outline.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image

Floats = NDArray[np.float64]
_BINS = 24
_MOST_PEAKS = 48
_ALIGNED = 0.86
"""Cosine between gradient and radius from which a pixel counts as this disc's edge."""
_RING_PX = 0.17
"""Half-width of the ring in which edge pixels are taken, in radii."""


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc in patch pixels: centre, share of the outline seen (0..1), edge scatter in px."""

    u: float
    v: float
    support: float
    scatter_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edge pixels of a patch: positions, unit gradients (N, 2) and weights (N,), row by row."""

    points: Floats
    directions: Floats
    weights: Floats
    shape: tuple[int, int]

    def near(self, center: Floats, reach_px: float) -> Edges:
        """The edge pixels within a square around a point."""
        first, last = np.searchsorted(
            self.points[:, 1], (center[1] - reach_px, center[1] + reach_px)
        )
        columns = self.points[first:last, 0]
        kept = first + np.flatnonzero(np.abs(columns - center[0]) < reach_px)
        return Edges(self.points[kept], self.directions[kept], self.weights[kept], self.shape)


def edges_of(patch: Image, mask: Image, least: float) -> Edges:
    """Edge pixels of a (h, w, 3) BGR patch where `mask` (h, w) is set.

    Per pixel the channel with the strongest gradient speaks; `least` is the weakest
    gradient, in levels a pixel, that counts.
    """
    smooth = cv2.GaussianBlur(patch, (3, 3), 0).astype(np.float32)
    gx = cv2.Scharr(smooth, cv2.CV_32F, 1, 0, scale=1 / 32)
    gy = cv2.Scharr(smooth, cv2.CV_32F, 0, 1, scale=1 / 32)
    power = gx * gx + gy * gy
    channel = power.argmax(axis=2)
    strongest = np.take_along_axis(power, channel[..., None], 2)[..., 0]
    rows, columns = np.nonzero((strongest > least * least) & (mask > 0))
    chosen = channel[rows, columns]
    magnitude = np.sqrt(strongest[rows, columns]).astype(np.float64)
    gradient = np.column_stack((gx[rows, columns, chosen], gy[rows, columns, chosen]))
    points = np.column_stack((columns, rows)).astype(np.float64)
    height, width = mask.shape
    return Edges(
        points, gradient / magnitude[:, None], np.minimum(magnitude, 30.0), (height, width)
    )


def find_discs(edges: Edges, filled: Image, radius_px: float, least_support: float) -> list[Disc]:
    """All discs of `radius_px` that the edges and the foreground speak for, best first.

    `filled` (h, w) uint8 is set where something lies on the cloth; a disc has to cover it.
    """
    votes = _votes(edges, radius_px)
    found: list[Disc] = []
    coverage = _coverage(filled, radius_px)
    votes[coverage < 0.80] = 0
    peak_kernel = np.ones((5, 5), np.uint8)
    peaks = np.argwhere((votes > 0) & (votes >= cv2.dilate(votes, peak_kernel)))
    balls = float((filled > 0).sum()) / (np.pi * radius_px**2)
    most = min(_MOST_PEAKS, 4 + 4 * int(np.ceil(balls)))
    order = np.argsort(-votes[peaks[:, 0], peaks[:, 1]])[:most]
    for row, column in peaks[order]:
        disc = fit_disc(edges, (float(column), float(row)), radius_px)
        if disc is None or disc.support < least_support:
            continue
        if not (0 <= disc.v < coverage.shape[0] and 0 <= disc.u < coverage.shape[1]):
            continue
        if coverage[int(disc.v), int(disc.u)] < 0.80:
            continue
        found.append(disc)
    return _apart(found, 1.72 * radius_px)


def fit_disc(edges: Edges, start: tuple[float, float], radius_px: float) -> Disc | None:
    """Least-squares centre of the disc near `start`; None when too few edges speak for one."""
    center = np.array(start)
    edges = edges.near(center, 1.9 * radius_px)
    for ring in (0.28, 0.22, _RING_PX):
        chosen = _ring(edges, center, radius_px, ring)
        if chosen is None:
            return None
        offset, radial, distance, weights = chosen
        error = distance - radius_px
        # One Gauss-Newton step for the centre of a circle of fixed radius.
        normal = (radial * weights[:, None]).T @ radial + 1e-6 * np.eye(2)
        center = center + np.linalg.solve(normal, (radial * (weights * error)[:, None]).sum(axis=0))
        if np.hypot(*(center - start)) > 0.6 * radius_px:
            return None
    chosen = _ring(edges, center, radius_px, _RING_PX)
    if chosen is None:
        return None
    offset, _, distance, weights = chosen
    angle = np.arctan2(offset[:, 1], offset[:, 0])
    bins = np.bincount(((angle + np.pi) / (2 * np.pi) * _BINS).astype(int) % _BINS, minlength=_BINS)
    support = float((bins > 0).mean())
    scatter = float(np.sqrt(np.average((distance - radius_px) ** 2, weights=weights)))
    return Disc(float(center[0]), float(center[1]), support, scatter)


def _ring(
    edges: Edges, center: Floats, radius_px: float, ring: float
) -> tuple[Floats, Floats, Floats, Floats] | None:
    """Edge pixels in the ring around `center` whose gradient is radial."""
    offset = edges.points - center
    distance = np.hypot(offset[:, 0], offset[:, 1])
    near = np.flatnonzero(np.abs(distance - radius_px) < ring * radius_px)
    if len(near) < 8:
        return None
    radial = offset[near] / distance[near, None]
    aligned = np.abs((radial * edges.directions[near]).sum(axis=1)) > _ALIGNED
    if aligned.sum() < 8:
        return None
    kept = near[aligned]
    return offset[kept], radial[aligned], distance[kept], edges.weights[kept]


def _votes(edges: Edges, radius_px: float) -> NDArray[np.float32]:
    height, width = edges.shape
    total = np.zeros(height * width)
    for sign in (1.0, -1.0):
        target = edges.points + sign * radius_px * edges.directions
        columns = np.rint(target[:, 0]).astype(int)
        rows = np.rint(target[:, 1]).astype(int)
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        index = rows[inside] * width + columns[inside]
        total += np.bincount(index, weights=edges.weights[inside], minlength=height * width)
    votes = total.reshape(height, width).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(votes, (0, 0), max(1.0, 0.1 * radius_px)), np.float32)


def _coverage(filled: Image, radius_px: float) -> NDArray[np.float32]:
    """Share of the disc around each pixel that is foreground."""
    reach = int(np.ceil(radius_px))
    v, u = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = (u * u + v * v <= (0.9 * radius_px) ** 2).astype(np.float32)
    soft = (filled > 0).astype(np.float32)
    return np.asarray(
        cv2.filter2D(soft, cv2.CV_32F, kernel / kernel.sum(), borderType=cv2.BORDER_CONSTANT),
        np.float32,
    )


def _apart(discs: list[Disc], distance_px: float) -> list[Disc]:
    """The best discs of which no two lie nearer than `distance_px`."""
    kept: list[Disc] = []
    for disc in sorted(discs, key=lambda d: -d.support):
        if all(np.hypot(disc.u - k.u, disc.v - k.v) >= distance_px for k in kept):
            kept.append(disc)
    return kept
