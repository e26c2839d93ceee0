"""The cushion noses in a picture: where the cushion top ends and the bed begins.

Going inward over a rail one meets the rail's wood, the cloth on the cushion top, the nose,
the shadow under it and the bed. The nose is where the lightness falls (or rises, at a
cushion in the shade); on all four sides it lies about equally far inside the border of the
cloth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from calibration.edges import LEAST_FALL, Edges, nose_likeness
from calibration.filters import largest_near, smoothed
from calibration.lens import Array
from calibration.nose_band import nose_band
from calibration.observations import Observations, on_line
from calibration.strips import Rail, Strip
from table.geometry import TableSpec

_TRIALS: Final = 200
_APART: Final = 0.2
_STRETCH: Final = 0.15
_STRETCH_SIGMA: Final = 0.006
_CANDIDATES: Final = 4
_MAXIMA_APART_M: Final = 0.008
_LEAST_EVIDENCE: Final = 0.08
_MEAN_EVIDENCE: Final = 0.2
_COMMON_EVIDENCE: Final = 0.5
"""Least evidence of noses at one distance, summed over the four sides."""
_SLACK_M: Final = 0.005
_WEAKEST: Final = 0.3


@dataclass(frozen=True)
class NosePath:
    """About where a nose runs across a strip: v = offset + slope s + bow (s^2 - 1/3).

    s is the place along the rail, -1 to 1 from end to end.
    """

    offset_m: float
    slope_m: float = 0.0
    bow_m: float = 0.0

    def at(self, u_m: Array) -> Array:
        """v (N,) at places u (N,) along the rail."""
        share = u_m / np.max(np.abs(u_m))
        bent: Array = self.slope_m * share + self.bow_m * (share**2 - 1.0 / 3.0)
        return self.offset_m + bent


STRAIGHT: Final = NosePath(0.0)

_BENDS: Final = tuple(
    NosePath(0.0, slope, bow)
    for slope in (-0.024, -0.012, 0.0, 0.012, 0.024)
    for bow in (-0.012, 0.0, 0.012)
)


def nose_paths(
    edges: Mapping[str, Edges],
    limits_m: tuple[float, float],
    apart_m: float,
    table: TableSpec,
) -> list[dict[str, NosePath]]:
    """Where each side's nose runs across its strip.

    Of the likely edges of each side those are chosen that lie about equally far inside the
    strips' zero lines and leave the table about as wide as its measures say.

    Args:
        edges: the sections of each rail.
        limits_m: range in which to search.
        apart_m: how far a side may well differ from the others.
        table: the table's measures.

    Returns:
        The path for each rail: the likeliest set first. Empty when the noses are not to be seen.
    """
    likely = {name: _likely_paths(side, limits_m) for name, side in edges.items()}
    scored: list[tuple[float, dict[str, NosePath]]] = []
    for choice in product(*likely.values()):
        paths = {name: path for name, (path, _) in zip(likely, choice, strict=True)}
        strengths = [strength for _, strength in choice]
        if sum(strengths) < 4.0 * _MEAN_EVIDENCE:
            continue
        offsets = {name: path.offset_m for name, path in paths.items()}
        scored.append((sum(strengths) - _unlikeliness(offsets, apart_m, edges, table), paths))
    scored.sort(key=lambda entry: -entry[0])
    return [paths for _, paths in scored]


def strongest_paths(
    edges: Mapping[str, Edges], limits_m: tuple[float, float]
) -> dict[str, NosePath] | None:
    """The strongest edge of each side, however unevenly they lie; None when a side has none.

    A first camera from a crooked border makes the true noses look uneven.
    """
    likely = {name: _likely_paths(side, limits_m) for name, side in edges.items()}
    if not all(likely.values()):
        return None
    return {name: paths[0][0] for name, paths in likely.items()}


def common_offset_m(
    edges: Mapping[str, Edges], limits_m: tuple[float, float]
) -> tuple[float, dict[str, float]] | None:
    """How far inside the strips' zero lines the noses lie on all sides alike.

    The sides vote together, for some may not show their nose.

    Returns:
        The distance, and for each side how clearly its nose is seen there, 0 .. 1; None when
        hardly any is.
    """
    v = next(iter(edges.values())).v_m
    evidence = {name: _straight_evidence(side) for name, side in edges.items()}
    total = np.sum(list(evidence.values()), axis=0)
    total[(v < limits_m[0]) | (v > limits_m[1])] = 0.0
    best = int(np.argmax(total))
    if total[best] < _COMMON_EVIDENCE:
        return None
    near = np.abs(v - v[best]) <= 2.0 * _SLACK_M
    return float(v[best]), {name: float(side[near].max()) for name, side in evidence.items()}


def _straight_evidence(side: Edges) -> Array:
    step = side.v_m[1] - side.v_m[0]
    near = largest_near(nose_likeness(side), max(1, round(_SLACK_M / step)))
    evidence: Array = smoothed(np.mean(near, axis=0), _SLACK_M / 2.0 / step)
    return evidence


def _likely_paths(side: Edges, limits_m: tuple[float, float]) -> list[tuple[NosePath, float]]:
    evidence, bends = _bent_evidence(side)
    v = side.v_m
    apart = max(1, round(_MAXIMA_APART_M / (v[1] - v[0])))
    peak = (evidence >= largest_near(evidence, apart)) & (evidence > _LEAST_EVIDENCE)
    at = np.flatnonzero(peak & (v >= limits_m[0]) & (v <= limits_m[1]))
    chosen: list[int] = []
    for i in at[np.argsort(-evidence[at], kind="stable")]:
        # A level stretch is all maximum, but one place.
        if all(abs(i - other) > apart for other in chosen):
            chosen.append(int(i))
    return [
        (NosePath(float(v[i]), bends[i].slope_m, bends[i].bow_m), float(evidence[i]))
        for i in chosen[:_CANDIDATES]
    ]


def _unlikeliness(
    offsets: Mapping[str, float],
    apart_m: float,
    edges: Mapping[str, Edges],
    table: TableSpec,
) -> float:
    """What speaks against noses so far inside their strips' zero lines."""
    values = np.array(list(offsets.values()))
    off = np.abs(values - np.median(values)) / apart_m
    uneven = float(np.sum(np.minimum(off**2, 1.0) + 0.5 * np.maximum(off - 1.0, 0.0)))
    width_m = 2.0 * edges["HEAD"].half_length_m - offsets["LEFT"] - offsets["RIGHT"]
    length_m = 2.0 * edges["LEFT"].half_length_m - offsets["HEAD"] - offsets["FOOT"]
    stretch = width_m / length_m * table.length_m / table.width_m - 1.0
    return _APART * uneven + _STRETCH * float(np.log1p((stretch / _STRETCH_SIGMA) ** 2))


def _bent_evidence(side: Edges) -> tuple[Array, list[NosePath]]:
    """At each v the best share of sections with a nose there, and along which bend."""
    step = side.v_m[1] - side.v_m[0]
    near = largest_near(nose_likeness(side), max(1, round(_SLACK_M / step)))
    padded = np.pad(near, ((0, 0), (40, 40)))
    count = near.shape[1]
    evidence = []
    for bend in _BENDS:
        shift = np.round(bend.at(side.u_m) / step).astype(int)
        columns = np.clip(np.arange(count)[None, :] + 40 + shift[:, None], 0, count + 79)
        worth = 1.0 if bend == STRAIGHT else 0.93
        evidence.append(worth * np.mean(np.take_along_axis(padded, columns, axis=1), axis=0))
    every = np.stack(evidence)
    best = np.argmax(every, axis=0)
    return np.max(every, axis=0), [_BENDS[int(index)] for index in best]


@dataclass(frozen=True, eq=False)
class NoseCurve:
    """Where the nose of one side is seen."""

    u_m: Array
    """(N,) places along the rail."""
    v_m: Array
    """(N,) places across the strip."""
    depth: float
    """How much darker the band inside the nose is, 8-bit lightness; 0: there is none."""


def nose_curve(side: Edges, near: NosePath, reach_m: float, degree: int) -> NoseCurve | None:
    """Follow the nose along one strip: where lightness falls, else a colour, else rises.

    Takes each section's falling edges within `reach_m` of the path `near`, finds the
    polynomial that most sections agree on, and keeps their sub-sample positions.

    Returns:
        The sections on the nose, or None when fewer than a quarter agree.
    """
    inside = np.abs(side.v_m[None, :] - near.at(side.u_m)[:, None]) <= reach_m
    for kind in (side.fall, side.colour_fall, -side.fall):
        curve = followed(side, np.where(inside, kind, 0.0), reach_m, degree)
        if curve is not None:
            u, v = curve
            band = nose_band(side, u, v) if kind is side.fall else None
            if band is None:
                return NoseCurve(u, v, 0.0)
            return NoseCurve(u, v + band.nose_m - float(np.median(v)), band.depth)
    return None


def curve_scatter_m(u_m: Array, v_m: Array) -> float:
    """Robust standard deviation of points (u, v) about a smooth curve through them."""
    if len(u_m) < 5:
        return 0.0
    rest = v_m - np.polyval(np.polyfit(u_m, v_m, 2), u_m)
    return 1.4826 * float(np.median(np.abs(rest)))


def followed(
    side: Edges,
    fall: Array,
    reach_m: float,
    degree: int,
    least: float = LEAST_FALL,
    close_m: float = 0.0,
) -> tuple[Array, Array] | None:
    """The (u, v) of the peaks of `fall` (S, V) that lie along one polynomial.

    `least` is the least height of a peak; `close_m` how close to the polynomial a peak may lie
    at least to be on it. None when fewer than a quarter of the sections agree.
    """
    candidates: list[tuple[int, float, float]] = []
    # What is far weaker than this nose is elsewhere is chance.
    least = max(least, _WEAKEST * float(np.median(np.max(fall, axis=1))))
    for row in range(len(fall)):
        candidates += [(row, v, strength) for v, strength in _peaks(fall[row], side.v_m, least)]
    if len(candidates) < max(4, len(fall) // 4):
        return None
    rows = np.array([c[0] for c in candidates])
    u = side.u_m[rows]
    v = np.array([c[1] for c in candidates])
    strengths = np.array([c[2] for c in candidates])
    weight = np.minimum(strengths, 1.5 * float(np.median(strengths)))
    line = _consensus(u, v, weight, degree, tolerance_m=max(0.0025, 0.15 * reach_m))
    off = np.abs(v - np.polyval(line, u))
    close = off < max(0.003, 0.2 * reach_m, close_m)
    keep: dict[int, int] = {}
    for index in np.flatnonzero(close):
        row = int(rows[index])
        if row not in keep or off[index] < off[keep[row]]:
            keep[row] = int(index)
    chosen = np.array(sorted(keep.values()), dtype=int)
    if len(chosen) < max(4, len(fall) // 4):
        return None
    return u[chosen], v[chosen]


def _peaks(fall: Array, v_m: Array, least: float) -> list[tuple[float, float]]:
    middle = fall[1:-1]
    at = np.flatnonzero((middle > fall[:-2]) & (middle >= fall[2:]) & (middle > least)) + 1
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
