"""Balls in a small patch: found by votes of edge pixels, then fitted to their known outline.

An edge pixel of a ball points, along its gradient, at the ball's centre (Hough transform for
a known shape, Ballard 1981). Touching balls part where their colours change, so a rack is
split without its outline. The fit moves the outline, whose size and shape are known, until
the edge pixels near it lie on it; far ones lose their say step by step, so the edge of a
shadow does not pull the centre.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frames import Image
from vision.outlines import Outlines, round_outlines

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
OutlineOf = Callable[[Floats], Outlines]
"""Centres in patch pixels (K, 2) -> the outlines of balls there."""

_BINS: Final = 24
_MOST_PEAKS: Final = 48
_ALIGNED: Final = 0.86
"""Cosine between gradient and outline normal from which a pixel counts as this ball's edge."""
_RING: Final = 0.17
"""Half-width of the ring in which edge pixels speak for an outline, in radii."""
_FITS: Final = ((0.28, 0.6), (0.2, 0.4), (0.15, 0.2), (0.13, 0.12), (0.12, 0.08), (0.12, 0.06))
"""Fit by fit, in radii, one standard deviation each: how far from the outline edge pixels have
a say, and how far from it the edge of one direction may lie to be trusted."""
_FULL_SAY: Final = 300.0
"""Weight, squared levels a pixel, from which one direction of an outline counts fully."""
_GATHERED: Final = (0.45, 1.55)
"""Ring of pixels around the start that is looked at, in radii."""
_STRONGEST: Final = 90.0
"""Gradients, levels a pixel, above this say no more."""
_LOUDEST: Final = 30.0
"""The same for votes: a bright outline must not drown its neighbours."""
_AMONG_OTHERS: Final = 55.0
"""The same where balls touch: between what a neighbour drowns and what blurs the own edge."""
_BRIGHTENING: Final = 0.4
"""Say of an edge at which it only becomes brighter in the cloth's own tint outward, as at
the edge of a shadow (and of a black ball, whose edges all count alike)."""
_WANDERED: Final = 0.6
"""A fit that moves farther than this from its start, in radii, went to something else."""


@dataclass(frozen=True, slots=True)
class Disc:
    """A ball in patch pixels: centre, share of the outline seen (0..1), edge scatter in px."""

    u: float
    v: float
    support: float
    scatter_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """The gradients of a patch where something may have an edge.

    `slopes` (h * w, 6) float32: per pixel the derivatives along u and v of brightness in the
    cloth's tint and of two colours square to it, levels a pixel, row by row; `power` (h * w,)
    the sum of their squares, 0 where there is no edge. `shape` is (h, w).
    """

    slopes: Singles
    power: Singles
    shape: tuple[int, int]


def edges_of(
    patch: Image, mask: Image, least: float, cloth_bgr: ArrayLike = (1.0, 1.0, 1.0)
) -> Edges:
    """The edges of a (h, w, 3) BGR patch where `mask` (h, w) is set.

    `least` is the weakest gradient, in levels a pixel, that counts; `cloth_bgr` the cloth's
    colour: a shadow changes brightness along it and nothing else.
    """
    smooth = cv2.GaussianBlur(patch, (3, 3), 0).astype(np.float32)
    tinted = cv2.transform(smooth, _basis(cloth_bgr))
    slope_u = cv2.Scharr(tinted, cv2.CV_32F, 1, 0, scale=1 / 32)
    slope_v = cv2.Scharr(tinted, cv2.CV_32F, 0, 1, scale=1 / 32)
    slopes = np.stack((slope_u, slope_v), axis=-1).reshape(-1, 6).astype(np.float32, copy=False)
    power = np.einsum("ij,ij->i", slopes, slopes)
    power[(power < least * least) | (mask.ravel() == 0)] = 0.0
    return Edges(slopes, power, (mask.shape[0], mask.shape[1]))


def _basis(cloth_bgr: ArrayLike) -> Singles:
    """Three orthonormal directions of colour, the first along the cloth's tint."""
    tint = np.maximum(np.asarray(cloth_bgr, np.float64), 1.0)
    rows = np.linalg.qr(np.column_stack((tint, np.eye(3)[:, :2])))[0].T
    rows[0] *= np.sign(rows[0] @ tint)
    return np.asarray(rows, np.float32)


def find_discs(
    edges: Edges, filled: Image, outline_of: OutlineOf | float, least_support: float
) -> list[Disc]:
    """All balls that the edges and the foreground speak for, best first.

    `filled` (h, w) uint8 is set where something lies on the cloth; a ball has to cover it.
    `outline_of` gives the outlines, or is the radius of round ones.
    """
    shapes = _round(outline_of) if isinstance(outline_of, float) else outline_of
    middle = shapes(np.array([[filled.shape[1] / 2, filled.shape[0] / 2]]))
    area = float(middle.areas[0])
    radius = float(np.sqrt(area / np.pi))
    votes = _votes(edges, shapes, radius)
    coverage = _coverage(filled, radius)
    votes[coverage < 0.80] = 0
    peaks = np.argwhere((votes > 0) & (votes >= cv2.dilate(votes, np.ones((5, 5), np.uint8))))
    most = min(_MOST_PEAKS, 4 + 4 * int(np.ceil(np.count_nonzero(filled) / area)))
    order = np.argsort(-votes[peaks[:, 0], peaks[:, 1]])[:most]
    starts = peaks[order][:, ::-1].astype(np.float64)
    found = [
        disc
        for disc in fit_discs(edges, starts, shapes, _AMONG_OTHERS)
        if disc is not None
        and disc.support >= least_support
        and 0 <= disc.v < coverage.shape[0]
        and 0 <= disc.u < coverage.shape[1]
        and coverage[int(disc.v), int(disc.u)] >= 0.80
    ]
    return _apart(found, 1.72 * radius)


def fit_disc(
    edges: Edges, start: tuple[float, float], outline_of: OutlineOf | float
) -> Disc | None:
    """The ball near `start`; None when too few edges speak for one."""
    shapes = _round(outline_of) if isinstance(outline_of, float) else outline_of
    return fit_discs(edges, np.array([start], np.float64), shapes)[0]


def fit_discs(
    edges: Edges, starts: Floats, outline_of: OutlineOf, strongest: float = _STRONGEST
) -> list[Disc | None]:
    """The balls near each of the starts (K, 2): None where too few edges speak for one.

    Gradients above `strongest`, levels a pixel, say no more.
    """
    if not len(starts):
        return []
    shapes = outline_of(starts)
    near = _Neighbourhood(edges, starts + shapes.offsets, shapes.axes, strongest)
    middles = starts + shapes.offsets
    for window, trust in _FITS:
        middles = middles + near.step(middles, window, trust)
    wandered = np.hypot(*(middles - starts - shapes.offsets).T) > _WANDERED * near.radius_px
    support, scatter, enough = near.verdict(middles)
    centers = middles - shapes.offsets
    return [
        Disc(float(u), float(v), float(s), float(c)) if good else None
        for (u, v), s, c, good in zip(centers, support, scatter, enough & ~wandered, strict=True)
    ]


class _Neighbourhood:
    """The edge pixels around K starts, gathered once, and K outlines laid over them."""

    def __init__(self, edges: Edges, middles: Floats, axes: Floats, strongest: float) -> None:
        self._strongest = strongest
        self.radius_px = float(np.sqrt(np.abs(np.linalg.det(axes[0]))))
        self._inverse = np.linalg.inv(axes).astype(np.float32)
        long_px = float(np.linalg.norm(axes, axis=(1, 2), ord=2).max())
        wide_px = float(np.linalg.norm(axes, axis=(1, 2), ord=-2).min())
        reach = int(np.ceil(_GATHERED[1] * long_px))
        v, u = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        away = np.hypot(u, v)
        ring = (away > _GATHERED[0] * wide_px) & (away < _GATHERED[1] * long_px)
        columns = np.rint(middles[:, 0]).astype(np.intp)[:, None] + u[ring]
        rows = np.rint(middles[:, 1]).astype(np.intp)[:, None] + v[ring]
        height, width = edges.shape
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        index = np.where(inside, rows * width + columns, 0)
        power = np.where(inside, edges.power[index], np.float32(0.0))
        kept = power.any(axis=0)
        self._power = power[:, kept]
        slopes = edges.slopes[index[:, kept]]
        self._slopes_u = tuple(np.ascontiguousarray(slopes[..., c]) for c in (0, 2, 4))
        self._slopes_v = tuple(np.ascontiguousarray(slopes[..., c]) for c in (1, 3, 5))
        self._columns = columns[:, kept].astype(np.float32)
        self._rows = rows[:, kept].astype(np.float32)

    def _laid(self, middles: Floats) -> tuple[Singles, Singles, Singles, Singles, Singles]:
        """Per outline and pixel: distance outside it (px), its normal, the angle, the say."""
        du = self._columns - middles[:, :1].astype(np.float32)
        dv = self._rows - middles[:, 1:].astype(np.float32)
        uu, uv, vu, vv = (m[:, None] for m in self._inverse.reshape(-1, 4).T)
        qu, qv = uu * du + uv * dv, vu * du + vv * dv
        rho = np.sqrt(qu * qu + qv * qv) + 1e-9
        nu, nv = uu * qu + vu * qv, uv * qu + vv * qv
        length = np.sqrt(nu * nu + nv * nv) + 1e-12
        outside = (rho - 1.0) * rho / length
        nu, nv = nu / length, nv / length
        tone, first, second = (
            du * nu + dv * nv for du, dv in zip(self._slopes_u, self._slopes_v, strict=True)
        )
        color = first * first + second * second
        aligned = (color + tone * tone > _ALIGNED**2 * self._power) & (self._power > 0.0)
        say = np.sqrt(color) + np.where(tone > 0.0, _BRIGHTENING, -1.0).astype(np.float32) * tone
        say = np.where(aligned, np.minimum(say, self._strongest), np.float32(0.0))
        return outside, nu, nv, np.arctan2(qv, qu), say

    def step(self, middles: Floats, window: float, trust: float) -> Floats:
        """The move (K, 2) after which the edges lie best on the outlines (least squares).

        Each direction has one say, however strong its contrast: the mean distance of its
        edge pixels within `window`. Directions that disagree with the outline by more than
        `trust` (both one standard deviation, in radii) count less.
        """
        outside, nu, nv, angle, say = self._laid(middles)
        weights = say * say * np.exp(-0.5 * (outside / (window * self.radius_px)) ** 2)
        index = _bins(angle) + _BINS * np.arange(len(middles))[:, None]
        sums = _BINS * len(middles)
        total = np.bincount(index.ravel(), weights.ravel(), sums) + 1e-9
        distance = np.bincount(index.ravel(), (weights * outside).ravel(), sums) / total
        share = np.minimum(1.0, total / _FULL_SAY) * np.exp(
            -0.5 * (distance / (trust * self.radius_px)) ** 2
        )
        along_u = np.bincount(index.ravel(), (weights * nu).ravel(), sums) / total
        along_v = np.bincount(index.ravel(), (weights * nv).ravel(), sums) / total
        share, distance, along_u, along_v = (
            column.reshape(-1, _BINS) for column in (share, distance, along_u, along_v)
        )
        a = (share * along_u * along_u).sum(1) + 0.05
        b = (share * along_u * along_v).sum(1)
        c = (share * along_v * along_v).sum(1) + 0.05
        p, q = (share * along_u * distance).sum(1), (share * along_v * distance).sum(1)
        det = a * c - b * b
        move = np.stack(((c * p - b * q) / det, (a * q - b * p) / det), axis=1)
        longest = np.maximum(np.hypot(move[:, 0], move[:, 1]) / (0.3 * self.radius_px), 1.0)
        return np.asarray(move / longest[:, None])

    def verdict(self, middles: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Share of each outline that is seen, scatter of its edge, and whether it is one."""
        outside, _, _, angle, say = self._laid(middles)
        near = (say > 0.0) & (np.abs(outside) < _RING * self.radius_px)
        index = _bins(angle) + _BINS * np.arange(len(middles))[:, None]
        seen = np.bincount(index[near], minlength=_BINS * len(middles)).reshape(-1, _BINS)
        weights = np.where(near, say, 0.0)
        total = np.maximum(weights.sum(axis=1), 1e-9)
        scatter = np.sqrt((weights * outside * outside).sum(axis=1) / total)
        return (seen > 0).mean(axis=1), scatter, near.sum(axis=1) >= 8


def _bins(angle: Singles) -> NDArray[np.intp]:
    """The direction bin of each angle, radians."""
    return ((angle + np.pi) * (_BINS / (2 * np.pi))).astype(np.intp) % _BINS


def _round(radius_px: float) -> OutlineOf:
    return lambda centers: round_outlines(radius_px, len(centers))


def _votes(edges: Edges, outline_of: OutlineOf, radius_px: float) -> Singles:
    """Where the edge pixels see the centres of balls, (h, w)."""
    height, width = edges.shape
    chosen = np.flatnonzero(edges.power)
    points = np.column_stack((chosen % width, chosen // width)).astype(np.float64)
    slopes = edges.slopes[chosen]
    strongest = np.argmax(slopes[:, 0::2] ** 2 + slopes[:, 1::2] ** 2, axis=1)
    rows = np.arange(len(chosen))
    normal = np.column_stack((slopes[rows, 2 * strongest], slopes[rows, 2 * strongest + 1]))
    weights = np.minimum(np.sqrt(edges.power[chosen]), _LOUDEST)
    shapes = outline_of(points)
    # The point of an ellipse with this normal (its support point).
    across = np.einsum("kji,kj->ki", shapes.axes, normal.astype(np.float64))
    across /= np.hypot(across[:, 0], across[:, 1])[:, None] + 1e-12
    reach = np.einsum("kij,kj->ki", shapes.axes, across)
    total = np.zeros(height * width)
    for sign in (1.0, -1.0):
        target = points + sign * reach - shapes.offsets
        columns, lines = np.rint(target).astype(int).T
        inside = (columns >= 0) & (columns < width) & (lines >= 0) & (lines < height)
        index = lines[inside] * width + columns[inside]
        total += np.bincount(index, weights=weights[inside], minlength=height * width)
    votes = total.reshape(height, width).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(votes, (0, 0), max(1.0, 0.1 * radius_px)), np.float32)


def _coverage(filled: Image, radius_px: float) -> Singles:
    """Share of foreground in the square that fits into a ball around each pixel."""
    side = 2 * round(0.72 * radius_px) + 1
    soft = (filled > 0).astype(np.float32)
    return np.asarray(cv2.blur(soft, (side, side), borderType=cv2.BORDER_CONSTANT), np.float32)


def _apart(discs: list[Disc], distance_px: float) -> list[Disc]:
    """The best discs of which no two lie nearer than `distance_px`."""
    kept: list[Disc] = []
    for disc in sorted(discs, key=lambda d: -d.support):
        if all(np.hypot(disc.u - k.u, disc.v - k.v) >= distance_px for k in kept):
            kept.append(disc)
    return kept
