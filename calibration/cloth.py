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

from calibration.cloth_look import (
    NARROW,
    STRICT,
    ClothLook,
    Floats,
    Floats32,
    cloth_like,
    look_of,
)
from calibration.outline import quad_of_hull

Image = NDArray[np.uint8]

SMALL_SIDE_PX: Final = 420
"""Longer side of the picture in which regions are searched."""

_LEAST_AREA: Final = 0.02
_MODES: Final = 5
_PARTS: Final = 3
_SURE: Final = 0.45
"""A region with this score is a table; smaller modes are not looked at then."""
_APART_FROM_EDGE: Final = 0.02
"""Share of the picture's own edge that a table may well reach."""
_FULL: Final = 0.8
_PARTING_PX: Final = 7
"""Half the width of what joins a cloth to a floor of its colour: between the rails, at pockets."""


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
            if not any(is_same(region, other) for other in regions):
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
    return look_of(lab.astype(np.float32), inside > 0)


def is_same(a: ClothRegion, b: ClothRegion) -> bool:
    """True for two readings of one region."""
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
        # A shade of the same colour is no colour of its own.
        near = tuple(slice(max(0, p - k), p + k + 1) for p, k in zip(peak, (2, 1, 1), strict=True))
        smooth[near] = 0.0
    return modes


def _regions_of_mode(lab: Floats32, mode: Floats, small_scale: float) -> list[ClothRegion]:
    alike = np.all(np.abs(lab - mode) < (26.0, 9.0, 9.0), axis=2)
    regions: list[ClothRegion] = []
    # Cloth and floor may have one colour; the rails part them.
    for seed in parts_of(alike, open_px=2, least=_LEAST_AREA / 2)[:_PARTS]:
        regions += _regions_of_seed(lab, seed, small_scale)
    return regions


def _regions_of_seed(
    lab: Floats32, seed: NDArray[np.bool_], small_scale: float
) -> list[ClothRegion]:
    look = look_of(lab, seed)
    like = cloth_like(look, lab)
    # Once more from what was found: the light may fall off beyond the seed's range.
    wider = _part_with(like, seed, open_px=2)
    if _share_of_edge(wider) > _APART_FROM_EDGE:
        wider = _part_with(like, seed, _PARTING_PX)
    if np.count_nonzero(wider) > 1.1 * np.count_nonzero(seed):
        look = look_of(lab, wider)
        like = cloth_like(look, lab)
    # A small gap joins bed and cushions across the shadow of the nose, a wide one also the
    # two parts of a bed that a cue stick divides.
    strict = cloth_like(look, lab, STRICT)
    gap = max(seed.shape)
    regions = [
        region_of(like, seed, look, 0.009 * gap, small_scale),
        region_of(like, seed, look, 0.03 * gap, small_scale),
        region_of(strict, seed, look, 0.009 * gap, small_scale),
        region_of(cloth_like(look, lab, NARROW), seed, look, 0.015 * gap, small_scale),
    ]
    found = [region for region in regions if region is not None]
    if not any(region.at_edge < _APART_FROM_EDGE and region.fill > _FULL for region in found):
        parted = region_of(strict, seed, look, 0.0, small_scale, _PARTING_PX)
        found += [] if parted is None else [parted]
    return found


def _share_of_edge(mask: NDArray[np.bool_]) -> float:
    edge = np.concatenate([mask[1], mask[-2], mask[:, 1], mask[:, -2]])
    return float(np.mean(edge))


def region_of(
    like: NDArray[np.bool_],
    seed: NDArray[np.bool_],
    look: ClothLook,
    gap_px: float,
    small_scale: float,
    open_px: int = 3,
) -> ClothRegion | None:
    """The four-sided region of what is `like` a cloth about a `seed` (h, w); None if too small.

    `gap_px`: how wide a gap is joined; `open_px`: half the width of what is cut off.
    """
    # Closing joins, opening cuts what leaks out through a pocket; neither draws the border.
    joined = cv2.morphologyEx(like.astype(np.uint8), cv2.MORPH_CLOSE, _disc(round(gap_px))) > 0
    part = _part_with(joined, seed, open_px) & like
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


def _disc(radius_px: int) -> Image:
    size = 2 * radius_px + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)


def parts_of(mask: NDArray[np.bool_], open_px: int, least: float) -> list[NDArray[np.bool_]]:
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
