"""Tracks that took each other's ball as they met, found by how the balls look, and mended.

A cue ball that stops dead hands its motion on: what goes ahead looks like its continuation,
and what stays lies nearly where the other ball lay. Motion alone cannot tell that from a cue
ball that rolls through. How the two look before and after can: if both fit clearly better with
their ends exchanged, they are exchanged.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from table.balls import BallName
from vision.tracker import Track

LogLikelihoods = Mapping[BallName, float]
"""For each name: how well what was seen fits it, up to a constant."""
PieceLooks = Callable[[int, int, int], LogLikelihoods | None]
"""(track, first frame, last frame): how the ball looked there; None: seen too little."""

_NEAR_M: Final = 0.075
_LEAST_STEP_M: Final = 0.004
_BEFORE_AND_AFTER: Final = 5
"""Least sightings of each of the four ends."""
_CLEARLY: Final = 4.0
"""Nats by which the exchange must fit better: one in fifty otherwise."""
_EVER: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Swap:
    """After frame `frame` the tracks `a` and `b` followed each other's ball."""

    a: int
    b: int
    frame: int


def swaps_of(tracks: Sequence[Track], looks: PieceLooks) -> Iterator[Swap]:
    """The exchanges that explain clearly better how the balls looked; at most one a pair."""
    for one, other in itertools.combinations(tracks, 2):
        frame = _met(one, other)
        if frame is None:
            continue
        pieces = [
            looks(track.number, first, last)
            for track in (one, other)
            for first, last in ((-1, frame), (frame + 1, _EVER))
        ]
        if any(piece is None for piece in pieces):
            continue
        a_before, a_after, b_before, b_after = (piece for piece in pieces if piece is not None)
        straight = _fit(a_before, a_after, b_before, b_after)
        if _fit(a_before, b_after, b_before, a_after) > straight + _CLEARLY:
            yield Swap(one.number, other.number, frame)


def _fit(
    a_before: LogLikelihoods,
    a_after: LogLikelihoods,
    b_before: LogLikelihoods,
    b_after: LogLikelihoods,
) -> float:
    """Of two balls with different names, how well the best two names fit all four pieces."""
    first = {name: a_before[name] + a_after.get(name, -math.inf) for name in a_before}
    second = {name: b_before[name] + b_after.get(name, -math.inf) for name in b_before}
    return max(
        (p + q for (n, p), (m, q) in itertools.product(first.items(), second.items()) if n != m),
        default=-math.inf,
    )


def _met(one: Track, other: Track) -> int | None:
    """The last frame before the blow, where two tracks came together and one had moved."""
    first = {s.frame: (s.x_m, s.y_m) for s in one.sightings}
    second = {s.frame: (s.x_m, s.y_m) for s in other.sightings}
    frames = sorted(first.keys() & second.keys())
    if len(frames) < 2 * _BEFORE_AND_AFTER:
        return None
    a, b = (np.array([own[f] for f in frames]) for own in (first, second))
    steps = np.maximum(np.hypot(*np.diff(a, axis=0).T), np.hypot(*np.diff(b, axis=0).T))
    apart = _closest_m(a - b)
    near = np.flatnonzero((apart < _NEAR_M) & (steps > _LEAST_STEP_M))
    if not len(near):
        return None
    at = int(near[apart[near].argmin()])
    # The exchange must join the ends with the shortest ways.
    options = range(max(1, at - 2), min(len(frames) - 1, at + 2))
    cut = min(options, key=lambda i: _joined_m(a, b, i), default=None)
    if cut is None or not _BEFORE_AND_AFTER <= cut + 1 <= len(frames) - _BEFORE_AND_AFTER:
        return None
    return frames[cut]


def _closest_m(offsets: np.ndarray) -> np.ndarray:
    """How close two balls came between sightings, (N - 1,), from their offsets (N, 2) in them:
    fast ones meet and part within one step."""
    start, way = offsets[:-1], np.diff(offsets, axis=0)
    length2 = np.maximum((way**2).sum(axis=1), 1e-12)
    share = np.clip(-(start * way).sum(axis=1) / length2, 0.0, 1.0)
    return np.asarray(np.hypot(*(start + share[:, None] * way).T))


def _joined_m(a: np.ndarray, b: np.ndarray, cut: int) -> float:
    """The ways from both ends at `cut` to the other track's next sightings."""
    return float(np.hypot(*(b[cut + 1] - a[cut])) + np.hypot(*(a[cut + 1] - b[cut])))
