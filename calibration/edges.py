"""Edges across the strips along the rails: where lightness falls from cushion to bed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from calibration.cloth import ClothLook
from calibration.lens import Array
from calibration.strips import Strip

LEAST_FALL: Final = 3.0
"""Least fall of lightness (8-bit Lab) at a nose."""

_RISE_WORTH: Final = 0.5
_COLOUR_WORTH: Final = 0.6
_ANYWHERE: Final = 0.4
_SHADOW_M: Final = 0.030
"""Greatest width of a nose's shadow on the bed, beside the dark face under the nose."""
_TOP: Final = (0.030, 0.008)
"""Cloth expected from this far to this far outside the nose (cushion top)."""
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


def sections(
    strip: Strip, look: ClothLook | None, image_size: tuple[int, int], count: int
) -> Edges:
    """Reduce a strip to `count` sections along the nose and find falling edges in each.

    Without a look of the cloth every sample counts as cloth.
    """
    v_count, u_count = strip.seen.shape
    step = strip.v_m[1] - strip.v_m[0]
    like = np.ones((v_count, u_count))
    if look is not None:
        unit = (strip.pixels / np.array(image_size) * 2.0 - 1.0).astype(np.float32)
        near = look.likeness(strip.lab.reshape(-1, 3), unit.reshape(-1, 2))
        like = near.reshape(v_count, u_count).astype(np.float64)
    bounds = np.linspace(0, u_count, count + 1).astype(int)
    values = np.empty((4, count, v_count))
    bgr = cv2.cvtColor(strip.lab.astype(np.uint8), cv2.COLOR_LAB2BGR)
    stack = np.concatenate([strip.lab[..., :1], bgr], axis=2)
    cloth = np.empty((count, v_count))
    seen = np.empty((count, v_count))
    for k in range(count):
        part = slice(bounds[k], bounds[k + 1])
        values[:, k] = np.median(stack[:, part], axis=1).T
        cloth[k] = like[:, part].mean(axis=1)
        seen[k] = strip.seen[:, part].min(axis=1)
    width = max(0.0025, 0.8 * _metres_per_px(strip)) / step
    falls = -gaussian_filter1d(values, width, axis=2, order=1) * 2.5 * width
    falls[:, gaussian_filter1d(seen, width, axis=1) < 0.99] = 0.0
    centres = np.array([strip.u_m[bounds[k] : bounds[k + 1]].mean() for k in range(count)])
    return Edges(
        half_length_m=strip.rail.half_length_m,
        dark_m=_SHADOW_M + strip.undercut_m,
        u_m=centres,
        v_m=strip.v_m,
        fall=falls[0],
        colour_fall=falls[1:].max(axis=0),
        cloth=cloth,
    )


def _metres_per_px(strip: Strip) -> float:
    along = np.linalg.norm(strip.pixels[-1] - strip.pixels[0], axis=1)
    seen = along[np.isfinite(along)]
    typical = float(np.median(seen)) if len(seen) else 1.0
    return float(strip.v_m[-1] - strip.v_m[0]) / max(typical, 1e-6)


def nose_likeness(side: Edges) -> Array:
    """How much each place (S, V) looks like a nose, 0 .. 1: an edge between cloth and cloth.

    An edge elsewhere keeps some worth, for the cloth may lie in a light of another colour.
    """
    strong = np.clip((edge_strength(side) - 0.5 * LEAST_FALL) / (3.0 * LEAST_FALL), 0.0, 1.0)
    likeness: Array = strong * (_ANYWHERE + (1.0 - _ANYWHERE) * between_cloth(side))
    return likeness


def edge_strength(side: Edges) -> Array:
    """Falling edges, and at less worth edges of colour and rising ones.

    A cushion in the shade casts no shadow: there the nose is a rise. But the rise that
    follows a fall is the end of the nose's shadow on the bed, not a nose.
    """
    falling = np.maximum(side.fall, _COLOUR_WORTH * side.colour_fall)
    steps = max(1, round(side.dark_m / (side.v_m[1] - side.v_m[0])))
    outside = maximum_filter1d(falling, steps, axis=1, origin=(steps - 1) // 2)
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
