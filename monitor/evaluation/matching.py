"""Which of our shots and events belongs to which of truth's: one-to-one assignments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from scipy.optimize import linear_sum_assignment

from monitor.evaluation.happenings import Happening
from monitor.evaluation.results import OurShot
from monitor.evaluation.truth import Truth, TruthShot

T = TypeVar("T")
U = TypeVar("U")

FORBIDDEN: Final = 1e6
NEITHER_COST_S: Final = 1e-3
"""Between equals, an event goes to the truth that counts rather than to one that does not."""
ROUNDING_S: Final = 1e-6
START_REACH_S: Final = 1.0
"""Shots that do not overlap are still the same if they start this close together."""


def assign(
    rows: Sequence[T], columns: Sequence[U], cost: Callable[[T, U], float | None]
) -> list[tuple[int, int]]:
    """The largest one-to-one pairing of least cost; `cost` None forbids a pair."""
    if not rows or not columns:
        return []
    matrix = np.full((len(rows), len(columns)), FORBIDDEN)
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            value = cost(row, column)
            if value is not None:
                matrix[i, j] = value
    pairs = zip(*linear_sum_assignment(matrix), strict=True)
    return [(int(i), int(j)) for i, j in pairs if matrix[i, j] < FORBIDDEN / 2]


def match_events(
    truth: Sequence[Happening], ours: Sequence[Happening], tolerance_s: float
) -> list[tuple[int, int]]:
    """Pairs (truth index, our index) that say the same fact within the tolerance.

    What we mark as counting neither way (a jaw, a touch from rest) may answer only to
    truth that counts neither way.
    """

    def cost(true: Happening, our: Happening) -> float | None:
        if not true.same_fact(our) or (our.neither and not true.neither):
            return None
        off_s = abs(true.t_s - our.t_s)
        if off_s > tolerance_s + true.slack_s + ROUNDING_S:
            return None
        return off_s + (NEITHER_COST_S if true.neither else 0.0)

    return assign(truth, ours, cost)


@dataclass(frozen=True, slots=True)
class ShotPairs:
    """Truth's shots with the one of ours that covers each, and where our events belong."""

    pairs: tuple[tuple[TruthShot, OurShot | None], ...]
    extra: tuple[OurShot, ...]
    """Our shots that are no shot of truth's."""
    home: dict[int, int]
    """Number of each of our shots -> number of the truth shot its events are judged with."""


def pair_shots(truth: Truth, ours: Sequence[OurShot]) -> ShotPairs:
    """Pair shots by the time they share."""
    first_s, last_s = truth.times.first_s, truth.times.last_s
    last_s = min(last_s, 1e9)

    def span(start_s: float | None, end_s: float | None) -> tuple[float, float]:
        return (first_s if start_s is None else start_s, last_s if end_s is None else end_s)

    def cost(true: TruthShot, our: OurShot) -> float | None:
        (a, b), (c, d) = span(true.start_s, true.end_s), span(our.start_s, our.end_s)
        shared = min(b, d) - max(a, c)
        if shared <= 0.0 and abs(a - c) > START_REACH_S:
            return None
        return abs(a - c) - 10.0 * max(shared, 0.0)

    found = assign(truth.shots, ours, cost)
    partner = {i: ours[j] for i, j in found}
    taken = {j for _, j in found}
    home = {ours[j].number: truth.shots[i].number for i, j in found}
    for j, our in enumerate(ours):
        if j not in taken and truth.shots:
            middle = sum(span(our.start_s, our.end_s)) / 2
            home[our.number] = _nearest(truth.shots, middle, span).number
    return ShotPairs(
        pairs=tuple((shot, partner.get(i)) for i, shot in enumerate(truth.shots)),
        extra=tuple(our for j, our in enumerate(ours) if j not in taken),
        home=home,
    )


def _nearest(
    shots: Sequence[TruthShot],
    t_s: float,
    span: Callable[[float | None, float | None], tuple[float, float]],
) -> TruthShot:
    def gap_s(shot: TruthShot) -> float:
        a, b = span(shot.start_s, shot.end_s)
        return max(a - t_s, t_s - b, 0.0)

    return min(shots, key=gap_s)


def names_used_alike(
    truth: Sequence[Happening], ours: Sequence[Happening], reach_s: float = 0.3
) -> dict[str, str]:
    """Our ball names -> truth's, for balls without numbers: the naming that agrees most.

    Counts for each pair of names how many of our events would be truth's under it.
    """
    our_names = sorted({name for item in ours for name in item.balls} - {"cue"})
    true_names = sorted({name for item in truth for name in item.balls} - {"cue"})

    def agreements(our_name: str, true_name: str) -> float | None:
        renamed = [item.renamed({our_name: true_name}) for item in ours if our_name in item.balls]
        hits = sum(
            any(t.same_fact(item) and abs(t.t_s - item.t_s) <= reach_s + t.slack_s for t in truth)
            for item in renamed
        )
        return -float(hits) if hits else None

    pairs = assign(our_names, true_names, agreements)
    names = {our_names[i]: true_names[j] for i, j in pairs}
    left = {name: f"not {name}" for name in our_names if name not in names}
    return names | left
