"""The cloth in a picture: the regions that look like a table's cloth, of any colour.

A cloth is a large, smooth, convex, four-sided region of one hue whose brightness may
change slowly from lamp to corner. Regions are found on a small picture; the exact lines
are the business of `calibration.noses`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.outline import quad_of_hull

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

SMALL_SIDE_PX: Final = 420
"""Longer side of the picture in which regions are searched."""

_LEAST_AREA: Final = 0.02
_MODES: Final = 5
_PARTS: Final = 3
_SURE: Final = 0.45
"""A region with this score is a table; smaller modes are not looked at then."""


@dataclass(frozen=True, eq=False)
class ClothRegion:
    """One region that may be the cloth, in pixels of the full picture."""

    quad_px: Floats
    """(4, 2) corners of the four-sided outline, counter-clockwise as seen in the picture."""
    mask_small: NDArray[np.bool_]
    """The region in the small picture, holes filled."""
    small_scale: float
    """Pixels of the small picture per pixel of the full picture."""
    fill: float
    """Share of the outline that is cloth (holes are not), 0 .. 1."""
    area_share: float
    """Share of the picture that the outline covers."""
    at_edge: float
    """Share of the picture's own edge that the region covers: a floor's is large."""
    look: ClothLook

    @property
    def score(self) -> float:
        """How much this looks like a table among the regions of one picture."""
        return float(self.fill**3 * self.area_share**0.8 * (1.0 - self.at_edge))


@dataclass(frozen=True)
class Limits:
    """How far a colour may be from the cloth's and still be cloth."""

    colour: float
    """Largest deviation of the colour, as a share of its strength."""
    shade: float
    """Least lightness, as a share of the cloth's."""
    grey_shade: float
    """The same for a cloth without colour."""


USUAL: Final = Limits(0.22, 0.4, 0.55)
_STRICT: Final = Limits(0.13, 0.65, 0.75)
_NARROW: Final = Limits(0.08, 0.82, 0.85)
"""Where the rails have the cloth's hue and are nearly as light."""


@dataclass(frozen=True, eq=False)
class ClothLook:
    """How the cloth looks at each place: a quadratic field of Lab colour over the picture."""

    field: Floats
    """(6, 3): coefficients of 1, x, y, xx, xy, yy (x, y from -1 to 1) for L, a, b."""
    low: Floats
    high: Floats
    """(3,) range of the field over the cloth, so that it is never extrapolated."""
    spread: Floats
    """(3,) robust standard deviation about the field."""

    @property
    def colour(self) -> Floats:
        """(3,) 8-bit Lab colour in the middle of the picture, within the cloth's range."""
        colour: Floats = np.clip(self.field[0], self.low, self.high)
        return colour

    def likeness(
        self, lab: Floats32, points_unit: Floats32, limits: Limits = USUAL
    ) -> NDArray[np.bool_]:
        """Which colours can be cloth in more or less light.

        Args:
            lab: (N, 3) 8-bit Lab colours as float.
            points_unit: (N, 2) places in the picture, -1 .. 1 along each side.
            limits: how much deviation and shade is allowed.
        """
        expected = _terms(points_unit) @ self.field.astype(np.float32)
        np.clip(
            expected,
            self.low.astype(np.float32),
            self.high.astype(np.float32),
            out=expected,
        )
        ratio = lab[:, 0] / np.maximum(expected[:, 0], np.float32(1.0))
        a, b = expected[:, 1] - np.float32(128.0), expected[:, 2] - np.float32(128.0)
        dim = np.clip(ratio, 0.25, 1.3)
        off2 = (lab[:, 1] - 128.0 - a * dim) ** 2 + (lab[:, 2] - 128.0 - b * dim) ** 2
        strength2 = a * a + b * b
        noise = min(2.5 * float(np.hypot(self.spread[1], self.spread[2])), 6.0)
        dim2 = np.clip(ratio, 0.35, 1.0) ** 2
        share = np.float32(limits.colour**2)
        limit2 = np.maximum(np.float32((3.5 + noise) ** 2), share * strength2 * dim2)
        is_grey = strength2 < 144.0
        darkest = np.where(is_grey, np.float32(limits.grey_shade), np.float32(limits.shade))
        brightest = np.where(is_grey, np.float32(1.35), np.float32(1.6))
        near: NDArray[np.bool_] = (off2 < limit2) & (ratio > darkest) & (ratio < brightest)
        return near


def small_picture(frames_bgr: Sequence[Image]) -> tuple[Image, float]:
    """The median of the frames, reduced, and its scale: what moves is gone."""
    height, width = frames_bgr[0].shape[:2]
    scale = min(1.0, SMALL_SIDE_PX / max(width, height))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = [cv2.resize(frame, size, interpolation=cv2.INTER_AREA) for frame in frames_bgr]
    return median_picture([np.asarray(picture, dtype=np.uint8) for picture in small]), scale


def median_picture(pictures: Sequence[Image]) -> Image:
    """The median of equally large pictures, value by value (the lower one of an even count).

    Sorted by comparators on whole pictures, many times faster than `numpy.median`.
    """
    stack = [picture.copy() for picture in pictures]
    for turn in range(len(stack)):
        for i in range(turn % 2, len(stack) - 1, 2):
            low = np.minimum(stack[i], stack[i + 1])
            np.maximum(stack[i], stack[i + 1], out=stack[i + 1])
            stack[i] = low
    return stack[(len(stack) - 1) // 2]


def cloth_regions(small_bgr: Image, small_scale: float) -> list[ClothRegion]:
    """All regions of the picture that may be a cloth, the likeliest first.

    Args:
        small_bgr: the reduced picture (see `small_picture`).
        small_scale: its pixels per pixel of the full picture.
    """
    soft = cv2.GaussianBlur(small_bgr, (0, 0), 1.2)
    lab = np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), dtype=np.uint8)
    lab32 = lab.astype(np.float32)
    regions: list[ClothRegion] = []
    for mode in _colour_modes(lab):
        for region in _regions_of_mode(lab32, mode, small_scale):
            if not any(_same(region, other) for other in regions):
                regions.append(region)
        if any(region.score > _SURE for region in regions):
            break
    return sorted(regions, key=lambda region: -region.score)


def look_inside(small_bgr: Image, quad_small: Floats) -> ClothLook:
    """How the cloth looks inside a quadrilateral of the small picture."""
    inside = np.zeros(small_bgr.shape[:2], dtype=np.uint8)
    cv2.fillPoly(inside, [np.round(quad_small).astype(np.int32)], 1)
    lab = cv2.cvtColor(cv2.GaussianBlur(small_bgr, (0, 0), 1.2), cv2.COLOR_BGR2LAB)
    if np.count_nonzero(inside) < 100:
        inside[:] = 1
    return _look_of(lab.astype(np.float32), inside > 0)


def _same(a: ClothRegion, b: ClothRegion) -> bool:
    both = np.count_nonzero(a.mask_small & b.mask_small)
    return bool(both > 0.95 * np.count_nonzero(a.mask_small | b.mask_small))


def _colour_modes(lab: Image) -> list[Floats]:
    bins, low = (16, 42, 42), (0.0, 0.0, 0.0)
    steps = (16.0, 6.1, 6.1)
    sample = lab[::2, ::2].reshape(-1, 3).astype(np.float64)
    index = np.minimum((sample / steps).astype(int), np.array(bins) - 1)
    flat = np.ravel_multi_index(tuple(index.T), bins)
    counts = np.bincount(flat, minlength=int(np.prod(bins))).reshape(bins).astype(np.float64)
    smooth = sum(
        (np.roll(counts, shift, axis) for axis in range(3) for shift in (-1, 1)),
        2.0 * counts,
    )
    modes: list[Floats] = []
    for _ in range(_MODES):
        peak = np.unravel_index(int(np.argmax(smooth)), bins)
        if smooth[peak] < 0.01 * len(sample):
            break
        modes.append(np.asarray((np.array(peak) + 0.5) * steps + low, dtype=np.float64))
        near = tuple(slice(max(0, p - 1), p + 2) for p in peak)
        smooth[near] = 0.0
    return modes


def _regions_of_mode(lab: Floats32, mode: Floats, small_scale: float) -> list[ClothRegion]:
    alike = np.all(np.abs(lab - mode) < (26.0, 9.0, 9.0), axis=2)
    regions: list[ClothRegion] = []
    # Cloth and floor may have one colour; the rails part them.
    for seed in _parts(alike, open_px=2, least=_LEAST_AREA / 2)[:_PARTS]:
        regions += _regions_of_seed(lab, seed, small_scale)
    return regions


def _regions_of_seed(
    lab: Floats32, seed: NDArray[np.bool_], small_scale: float
) -> list[ClothRegion]:
    look = _look_of(lab, seed)
    like = _likeness(look, lab)
    # Once more from what was found: the light may fall off beyond the seed's range.
    wider = _part_with(like, seed, open_px=2)
    if np.count_nonzero(wider) > 1.1 * np.count_nonzero(seed):
        look = _look_of(lab, wider)
        like = _likeness(look, lab)
    # A small gap joins bed and cushions across the shadow of the nose, a wide one also the
    # two parts of a bed that a cue stick divides.
    strict = _likeness(look, lab, _STRICT)
    gap = max(seed.shape)
    regions = [
        _region(like, seed, look, 0.009 * gap, small_scale),
        _region(like, seed, look, 0.03 * gap, small_scale),
        _region(strict, seed, look, 0.009 * gap, small_scale),
        _region(_likeness(look, lab, _NARROW), seed, look, 0.015 * gap, small_scale),
    ]
    return [region for region in regions if region is not None]


def _share_of_edge(mask: NDArray[np.bool_]) -> float:
    edge = np.concatenate([mask[1], mask[-2], mask[:, 1], mask[:, -2]])
    return float(np.mean(edge))


def _likeness(look: ClothLook, lab: Floats32, limits: Limits = USUAL) -> NDArray[np.bool_]:
    points = _unit_grid(lab.shape[:2])
    return look.likeness(lab.reshape(-1, 3), points, limits).reshape(lab.shape[:2])


def _region(
    like: NDArray[np.bool_],
    seed: NDArray[np.bool_],
    look: ClothLook,
    gap_px: float,
    small_scale: float,
) -> ClothRegion | None:
    # Closing joins, opening cuts what leaks out through a pocket; neither draws the border.
    joined = cv2.morphologyEx(like.astype(np.uint8), cv2.MORPH_CLOSE, _disc(round(gap_px))) > 0
    part = _part_with(joined, seed, open_px=3) & like
    if np.count_nonzero(part) < _LEAST_AREA * part.size:
        return None
    mask = _filled(_opened(_filled(part), 2))
    quad = quad_of_hull(mask)
    if quad is None:
        return None
    inside = np.zeros(mask.shape, dtype=np.uint8)
    cv2.fillPoly(inside, [np.round(quad).astype(np.int32)], 1)
    area = int(np.count_nonzero(inside))
    fill = np.count_nonzero(part & (inside > 0)) / max(area, 1)
    return ClothRegion(
        quad_px=(quad + 0.5) / small_scale - 0.5,
        mask_small=mask,
        small_scale=small_scale,
        fill=float(fill),
        area_share=area / mask.size,
        at_edge=_share_of_edge(mask),
        look=look,
    )


def _look_of(lab: Floats32, seed: NDArray[np.bool_]) -> ClothLook:
    points = _unit_grid(seed.shape)[seed.ravel()]
    colours = lab.reshape(-1, 3)[seed.ravel()].astype(np.float64)
    if len(points) > 3000:
        step = len(points) // 3000 + 1
        points, colours = points[::step], colours[::step]
    terms = _terms(points).astype(np.float64)
    keep = np.ones(len(points), dtype=bool)
    field = np.zeros((6, 3))
    spread = np.ones(3)
    for _ in range(3):
        fit = np.linalg.lstsq(terms[keep], colours[keep], rcond=None)[0]
        field = np.asarray(fit, dtype=np.float64)
        rest = colours - terms @ field
        spread = np.maximum(1.4826 * np.median(np.abs(rest[keep]), axis=0), 0.7)
        keep = np.all(np.abs(rest) < 3.5 * spread, axis=1)
    fitted = terms[keep] @ field
    return ClothLook(field, fitted.min(axis=0), fitted.max(axis=0), spread)


def _terms(points_unit: Floats32) -> Floats32:
    x, y = points_unit[:, 0], points_unit[:, 1]
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


def _unit_grid(shape: tuple[int, ...]) -> Floats32:
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    unit = np.stack([x / shape[1] * 2.0 - 1.0, y / shape[0] * 2.0 - 1.0], axis=-1)
    return unit.reshape(-1, 2).astype(np.float32)


def _disc(radius_px: int) -> Image:
    size = 2 * radius_px + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)


def _parts(mask: NDArray[np.bool_], open_px: int, least: float) -> list[NDArray[np.bool_]]:
    """The connected parts that cover at least a share `least` of the picture, largest first."""
    opened = _opened(mask, open_px).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    areas = stats[1:count, cv2.CC_STAT_AREA]
    order = [1 + int(i) for i in np.argsort(-areas) if areas[i] >= least * mask.size]
    return [np.asarray(labels == label) for label in order]


def _part_with(mask: NDArray[np.bool_], seed: NDArray[np.bool_], open_px: int) -> NDArray[np.bool_]:
    """The connected part that shares most with `seed`."""
    opened = _opened(mask, open_px).astype(np.uint8)
    count, labels, _, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    shared = np.bincount(labels[seed], minlength=count)
    shared[0] = 0
    part: NDArray[np.bool_] = (labels == int(np.argmax(shared))) & (shared.max() > 0)
    return part


def _opened(mask: NDArray[np.bool_], radius_px: int) -> NDArray[np.bool_]:
    opened: NDArray[np.bool_] = (
        cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, _disc(radius_px)) > 0
    )
    return opened


def _filled(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros(mask.shape, dtype=np.uint8)
    cv2.drawContours(filled, contours, -1, 1, cv2.FILLED)
    return filled > 0
