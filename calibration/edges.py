"""Edges across the strips along the rails: where lightness falls from cushion to bed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cloth_look import ClothLook
from calibration.filters import largest_before, slopes, smoothed
from calibration.lens import Array
from calibration.strips import Strip

LEAST_FALL: Final = 0.8
"""Least fall of lightness (8-bit Lab) at a nose; more where the bed is uneven."""

_RISE_WORTH: Final = 0.5
_COLOUR_WORTH: Final = 0.6
_ANYWHERE: Final = 0.15
_LEAD: Final = 0.6
_UNBORDERED: Final = 0.6
_PICTURE_BLUR_PX: Final = 0.6
_LEAST_UNIT: Final = 0.5
_HUE: Final = 8.0
_PLAIN_SHARE: Final = 0.6
"""From here inward a strip shows nothing but bed."""
_BORDER_M: Final = (0.036, 0.066)
"""How far outside the nose the cloth ends."""
_SHADOW_M: Final = 0.030
"""Greatest width of a nose's shadow on the bed, beside the dark face under the nose."""
_TOP: Final = (0.030, 0.008)
"""Cloth expected from this far to this far outside the nose (cushion top)."""
_TOP_V: Final = (-0.030, -0.008)
_BED: Final = (0.020, 0.060)
"""Cloth expected from here to here inside the nose (bed)."""


@dataclass(frozen=True, eq=False)
class Edges:
    """How strongly lightness falls, in sections along one strip."""

    half_length_m: float
    """Half the length of the rail's nose line, from corner to corner."""
    dark_m: float
    """Greatest width of the dark band inside the nose: the face under it and its shadow."""
    u_m: Array
    """(S,) middle of each section."""
    v_m: Array
    """(V,)."""
    fall: Array
    """(S, V) fall of lightness toward the bed across an edge (negative: rise), 8-bit Lab;
    0 where the picture does not reach."""
    colour_fall: Array
    """(S, V) the greatest fall of red, green or blue: a nose may differ in hue alone."""
    cloth: Array
    """(S, V) share of cloth-like samples."""
    lab: Array
    """(3, S, V) typical 8-bit Lab colour."""
    px_m: float
    """Size of a pixel across the strip."""
    blur_m: float
    """Standard deviation of the blur of an edge as measured: of the picture and of `fall`."""
    noise: float
    """Standard deviation of `fall` on the plain bed."""


def sections(
    strip: Strip, look: ClothLook | None, image_size: tuple[int, int], count: int
) -> Edges:
    """Reduce a strip to `count` sections along the nose and find falling edges in each.

    Without a look of the cloth every sample counts as cloth, and edges are measured finely.
    """
    fine = look is None
    v_count, u_count = strip.seen.shape
    step = strip.v_m[1] - strip.v_m[0]
    like = np.ones((v_count, u_count))
    if look is not None:
        unit = (strip.pixels / np.array(image_size) * 2.0 - 1.0).astype(np.float32)
        near = look.likeness(strip.lab.reshape(-1, 3), unit.reshape(-1, 2))
        like = near.reshape(v_count, u_count).astype(np.float64)
    bounds = np.linspace(0, u_count, count + 1).astype(int)
    values = np.empty((6, count, v_count))
    bgr = cv2.cvtColor(strip.lab.astype(np.uint8), cv2.COLOR_LAB2BGR)
    stack = np.concatenate([strip.lab, bgr], axis=2)
    cloth = np.empty((count, v_count))
    seen = np.empty((count, v_count))
    for k in range(count):
        part = slice(bounds[k], bounds[k + 1])
        values[:, k] = _typical(stack[:, part]).T
        cloth[k] = like[:, part].mean(axis=1)
        seen[k] = strip.seen[:, part].min(axis=1)
    px_m = _metres_per_px(strip)
    blur_m = 0.75 * px_m if fine else max(0.0025, 0.8 * px_m)
    width = max(blur_m / step, 0.7)
    falls = -slopes(values[[0, 3, 4, 5]], width) * 2.5 * width
    falls[:, smoothed(seen, width) < 0.99] = 0.0
    centres = np.array([strip.u_m[bounds[k] : bounds[k + 1]].mean() for k in range(count)])
    plain = np.abs(falls[0][:, strip.v_m > _PLAIN_SHARE * strip.v_m[-1]])
    return Edges(
        half_length_m=strip.rail.half_length_m,
        dark_m=_SHADOW_M + strip.undercut_m,
        u_m=centres,
        v_m=strip.v_m,
        fall=falls[0],
        colour_fall=falls[1:].max(axis=0),
        cloth=cloth,
        lab=values[:3],
        px_m=px_m,
        blur_m=float(np.hypot(_PICTURE_BLUR_PX * px_m, width * step)),
        noise=1.4826 * float(np.median(plain)) if plain.size else 1.0,
    )


def _typical(samples: NDArray[np.float32]) -> Array:
    """(V, C) mean of the middle half of samples (V, U, C): finer than a median of whole levels."""
    ordered = np.sort(samples, axis=1)
    count = samples.shape[1]
    middle: Array = ordered[:, count // 4 : max(count // 4 + 1, count - count // 4)].mean(axis=1)
    return middle


def _metres_per_px(strip: Strip) -> float:
    along = np.linalg.norm(strip.pixels[-1] - strip.pixels[0], axis=1)
    seen = along[np.isfinite(along)]
    typical = float(np.median(seen)) if len(seen) else 1.0
    return float(strip.v_m[-1] - strip.v_m[0]) / max(typical, 1e-6)


def nose_likeness(side: Edges) -> Array:
    """How much each place (S, V) looks like a nose, 0 .. 1.

    A nose is an edge that stands out from the bed's own unevenness, between cloth and cloth
    of one hue, with the border of the cloth a cushion's width outside it. An edge elsewhere
    keeps some worth, for the cloth may lie in a light of another colour.
    """
    unit = max(_LEAST_UNIT, 2.0 * side.noise)
    strength = edge_strength(side)
    between = between_cloth(side) * _same_hue(side)
    bordered = _UNBORDERED + (1.0 - _UNBORDERED) * _border_outside(side)
    context = bordered * (_ANYWHERE + (1.0 - _ANYWHERE) * between)
    stands_out = 1.0 - np.exp(-np.maximum(strength - unit, 0.0) / (2.0 * unit))
    # Of several edges that stand out, the strongest of the side is the likeliest.
    typical = float(np.median(np.max(strength * context, axis=1)))
    leads = np.clip(strength / max(typical, unit), 0.0, 1.0)
    likeness: Array = stands_out * context * (1.0 - _LEAD + _LEAD * leads)
    return likeness


def _same_hue(side: Edges) -> Array:
    """(S, V) 1 where cushion top and bed have one hue, in more or less light, else less."""
    top, bed = _mean_over(side, *_TOP_V), _mean_over(side, *_BED)
    light = np.clip(top[0] / np.maximum(bed[0], 1.0), 0.3, 1.5)
    off = np.hypot(*(top[1:] - 128.0 - (bed[1:] - 128.0) * light))
    alike: Array = np.clip(1.5 - off / _HUE, 0.0, 1.0)
    return alike


def _border_outside(side: Edges) -> Array:
    """(S, V) 1 where another material begins a cushion's width outside, else less."""
    change = np.maximum(np.abs(side.fall), side.colour_fall)
    steps = max(1, round((_BORDER_M[1] - _BORDER_M[0]) / (side.v_m[1] - side.v_m[0])))
    lag = round(_BORDER_M[0] / (side.v_m[1] - side.v_m[0]))
    near = largest_before(change, steps)
    shifted = np.zeros_like(near)
    shifted[:, lag:] = near[:, :-lag]
    unit = max(_LEAST_UNIT, 2.0 * side.noise)
    seen: Array = 1.0 - np.exp(-shifted / (4.0 * unit))
    return seen


def _mean_over(side: Edges, low_m: float, high_m: float) -> Array:
    """(3, S, V) mean colour from v + low to v + high."""
    step = side.v_m[1] - side.v_m[0]
    total = np.cumsum(np.pad(side.lab, ((0, 0), (0, 0), (1, 0))), axis=2)
    count = side.lab.shape[2]
    index = np.arange(count)
    a = np.clip(index + round(low_m / step), 0, count - 1)
    b = np.maximum(np.clip(index + round(high_m / step), 0, count), a + 1)
    mean: Array = (total[:, :, b] - total[:, :, a]) / (b - a)
    return mean


def edge_strength(side: Edges) -> Array:
    """Falling edges, and at less worth edges of colour and rising ones.

    A cushion in the shade casts no shadow: there the nose is a rise. But the rise that
    follows a fall is the end of the nose's shadow on the bed, not a nose.
    """
    falling = np.maximum(side.fall, _COLOUR_WORTH * side.colour_fall)
    steps = max(1, round(side.dark_m / (side.v_m[1] - side.v_m[0])))
    outside = largest_before(falling, steps)
    rising = -_RISE_WORTH * side.fall - outside
    strength: Array = np.maximum(falling, rising)
    return strength


def between_cloth(side: Edges) -> Array:
    step = side.v_m[1] - side.v_m[0]
    total = np.cumsum(np.pad(side.cloth, ((0, 0), (1, 0))), axis=1)
    count = side.cloth.shape[1]
    index = np.arange(count)

    def share(low_m: float, high_m: float) -> Array:
        a = np.clip(index + round(low_m / step), 0, count)
        b = np.clip(index + round(high_m / step), 0, count)
        mean: Array = (total[:, b] - total[:, a]) / np.maximum(b - a, 1)
        return mean

    top, bed = share(-_TOP[0], -_TOP[1]), share(*_BED)
    both: Array = np.clip((np.minimum(top, bed) - 0.3) / 0.3, 0.0, 1.0)
    return both
