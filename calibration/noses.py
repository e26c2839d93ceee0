"""The cushion noses in a picture: where the cushion top ends and the bed begins.

Going inward over a rail one meets the rail's wood, the cloth on the cushion top, the nose,
the shadow under it and the bed. The nose is where the lightness falls; on all four sides
it lies equally far inside the border of the cloth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from calibration.cloth import ClothLook
from calibration.lens import Array
from calibration.solve import Observations, on_line
from calibration.strips import Rail, Strip

_TOP: Final = (0.030, 0.008)
"""Cloth expected from this far to this far outside the nose (cushion top)."""
_BED: Final = (0.020, 0.060)
"""Cloth expected from here to here inside the nose (bed)."""
_TRIALS: Final = 200
_APART: Final = 0.2
_RISE_WORTH: Final = 0.5
_LEAST_EVIDENCE: Final = 0.08
_MEAN_EVIDENCE: Final = 0.2
_LEAST_FALL: Final = 3.0
"""Least fall of lightness (8-bit Lab) at a nose."""


@dataclass(frozen=True, eq=False)
class Edges:
    """How strongly lightness falls, in sections along one strip."""

    u_m: Array
    """(S,) middle of each section."""
    v_m: Array
    """(V,)."""
    fall: Array
    """(S, V) fall of lightness toward the bed across an edge (negative: rise), 8-bit Lab;
    0 where the picture does not reach."""
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
    lightness = np.empty((count, v_count))
    cloth = np.empty((count, v_count))
    seen = np.empty((count, v_count))
    for k in range(count):
        part = slice(bounds[k], bounds[k + 1])
        lightness[k] = np.median(strip.lab[:, part, 0], axis=1)
        cloth[k] = like[:, part].mean(axis=1)
        seen[k] = strip.seen[:, part].min(axis=1)
    width = max(0.0025, 0.8 * _metres_per_px(strip)) / step
    fall = -gaussian_filter1d(lightness, width, axis=1, order=1) * 2.5 * width
    fall[gaussian_filter1d(seen, width, axis=1) < 0.99] = 0.0
    centres = np.array([strip.u_m[bounds[k] : bounds[k + 1]].mean() for k in range(count)])
    return Edges(centres, strip.v_m, fall, cloth)


def _metres_per_px(strip: Strip) -> float:
    along = np.linalg.norm(strip.pixels[-1] - strip.pixels[0], axis=1)
    return float((strip.v_m[-1] - strip.v_m[0]) / max(float(np.nanmedian(along)), 1e-6))


def nose_offsets(
    edges: Mapping[str, Edges], limits_m: tuple[float, float], apart_m: float
) -> dict[str, float] | None:
    """Where each side's nose lies across its strip, about equally far on all four sides.

    Args:
        edges: the sections of each rail.
        limits_m: range in which to search.
        apart_m: how far a side may well differ from the others.

    Returns:
        The distance inside the strip's zero line for each rail, or None when the noses are
        not to be seen.
    """
    evidence = {name: side_evidence(side) for name, side in edges.items()}
    v = next(iter(edges.values())).v_m
    inside = (v >= limits_m[0]) & (v <= limits_m[1])
    cost = _APART * np.minimum(((v[:, None] - v[None, :]) / apart_m) ** 2, 1.0)
    cost[:, ~inside] = np.inf
    total = np.zeros(len(v))
    own: dict[str, NDArray[np.int64]] = {}
    for name, strength in evidence.items():
        gain = strength[None, :] - cost
        own[name] = np.argmax(gain, axis=1)
        total += gain[np.arange(len(v)), own[name]]
    shared = int(np.argmax(np.where(inside, total, -np.inf)))
    places = {name: int(best[shared]) for name, best in own.items()}
    strengths = sorted(float(evidence[name][at]) for name, at in places.items())
    if strengths[0] < _LEAST_EVIDENCE or sum(strengths) < 4.0 * _MEAN_EVIDENCE:
        return None
    return {name: float(v[at]) for name, at in places.items()}


def side_evidence(side: Edges, slack_m: float = 0.006) -> Array:
    """Evidence 0 .. 1 at each v that this side's nose lies there (within `slack_m`)."""
    step = side.v_m[1] - side.v_m[0]
    steps = max(1, round(slack_m / step))
    strong = np.clip((_edge_strength(side) - 0.5 * _LEAST_FALL) / (3.0 * _LEAST_FALL), 0.0, 1.0)
    strong *= 0.25 + 0.75 * _between_cloth(side)
    near = maximum_filter1d(strong, 2 * steps + 1, axis=1)
    evidence: Array = np.mean(near, axis=0)
    return evidence


def _edge_strength(side: Edges) -> Array:
    """Falling edges, and rising ones at less worth: a cushion in the shade has no shadow."""
    return np.maximum(side.fall, -_RISE_WORTH * side.fall)


def _between_cloth(side: Edges) -> Array:
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


def nose_curve(
    side: Edges, near_m: float, reach_m: float, degree: int
) -> tuple[Array, Array] | None:
    """Follow the nose along one strip: the falling edge, or the rising one if none falls.

    Takes each section's falling edges within `reach_m` of `near_m`, finds the polynomial
    that most sections agree on, and keeps their sub-sample positions.

    Returns:
        (u, v) of the sections on the nose, or None when fewer than a third agree.
    """
    falling = _curve(side.u_m, side.v_m, side.fall, (near_m, reach_m), degree)
    return falling or _curve(side.u_m, side.v_m, -side.fall, (near_m, reach_m), degree)


def _curve(
    u_m: Array, v_m: Array, fall: Array, window_m: tuple[float, float], degree: int
) -> tuple[Array, Array] | None:
    near_m, reach_m = window_m
    fall = np.where((np.abs(v_m - near_m) <= reach_m)[None, :], fall, 0.0)
    candidates: list[tuple[int, float, float]] = []
    for row in range(len(fall)):
        candidates += [(row, v, strength) for v, strength in _peaks(fall[row], v_m)]
    if len(candidates) < max(4, len(fall) // 3):
        return None
    rows = np.array([c[0] for c in candidates])
    u = u_m[rows]
    v = np.array([c[1] for c in candidates])
    weight = np.minimum(np.array([c[2] for c in candidates]), 6.0 * _LEAST_FALL)
    line = _consensus(u, v, weight, degree, tolerance_m=max(0.0025, 0.15 * reach_m))
    off = np.abs(v - np.polyval(line, u))
    close = off < max(0.003, 0.2 * reach_m)
    keep: dict[int, int] = {}
    for index in np.flatnonzero(close):
        row = int(rows[index])
        if row not in keep or off[index] < off[keep[row]]:
            keep[row] = int(index)
    chosen = np.array(sorted(keep.values()), dtype=int)
    if len(chosen) < max(4, len(fall) // 3):
        return None
    return u[chosen], v[chosen]


def _peaks(fall: Array, v_m: Array) -> list[tuple[float, float]]:
    middle = fall[1:-1]
    at = np.flatnonzero((middle > fall[:-2]) & (middle >= fall[2:]) & (middle > _LEAST_FALL)) + 1
    step = v_m[1] - v_m[0]
    found = []
    for i in at:
        a, b, c = fall[i - 1], fall[i], fall[i + 1]
        bend = a - 2.0 * b + c
        shift = 0.5 * (a - c) / bend if bend < 0 else 0.0
        found.append((float(v_m[i] + np.clip(shift, -0.5, 0.5) * step), float(b)))
    return found


def _consensus(u: Array, v: Array, weight: Array, degree: int, tolerance_m: float) -> Array:
    """The polynomial through the points that most agree on (many random minimal fits)."""
    rng = np.random.default_rng(0)
    span = max(float(np.ptp(u)), 1e-6)
    chance = weight / weight.sum()
    chosen = rng.choice(len(u), size=(_TRIALS, degree + 1), p=chance)
    apart = np.min(np.diff(np.sort(u[chosen], axis=1), axis=1), axis=1) > 0.2 * span
    chosen = chosen[apart]
    if len(chosen) == 0:
        return np.array([float(np.median(v))])
    powers = np.arange(degree, -1, -1)
    lines = np.linalg.solve(u[chosen][..., None] ** powers, v[chosen][..., None])[..., 0]
    off = v[None, :] - lines @ (u[None, :] ** powers[:, None])
    score = np.exp(-((off / tolerance_m) ** 2)) @ weight
    best = lines[int(np.argmax(score))]
    for _ in range(3):
        near = np.exp(-(((v - np.polyval(best, u)) / tolerance_m) ** 2)) * weight
        if np.count_nonzero(near > 1e-3) <= degree + 1:
            break
        best = np.polyfit(u, v, degree, w=np.sqrt(near))
    return np.asarray(best, dtype=np.float64)


def nose_observations(
    strip: Strip, rail: Rail, curve: tuple[Array, Array], z_m: float, sigma_m: float
) -> Observations:
    """Turn points (u, v) on a strip's nose into pixels that lie on the line of `rail`."""
    u, v = curve
    column = np.interp(u, strip.u_m, np.arange(len(strip.u_m)))
    row = np.interp(v, strip.v_m, np.arange(len(strip.v_m)))
    points = np.stack([_bilinear(strip.pixels[..., k], row, column) for k in (0, 1)], axis=1)
    return on_line(
        points,
        axis=rail.axis,
        target_m=rail.line_m,
        z_m=z_m,
        sigma_m=sigma_m,
        group=rail.name,
    )


def _bilinear(grid: Array, row: Array, column: Array) -> Array:
    r = np.clip(row.astype(int), 0, grid.shape[0] - 2)
    c = np.clip(column.astype(int), 0, grid.shape[1] - 2)
    y, x = row - r, column - c
    upper = grid[r, c] * (1 - x) + grid[r, c + 1] * x
    lower = grid[r + 1, c] * (1 - x) + grid[r + 1, c + 1] * x
    value: Array = upper * (1 - y) + lower * y
    return value
