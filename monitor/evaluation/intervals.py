"""Two-sided 95 % bounds for shares, and percentiles, of small samples.

A share without its sample says nothing: no error in 200 trials bounds the error at 1.8 %
(two-sided) only. Bounds are those of Clopper and Pearson (Biometrika 26, 1934, p. 404),
which never cover less than they promise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import beta

MISS_PROBABILITY = 0.05


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `trials`, with the bounds within which the true share lies (95 %)."""

    hits: int = 0
    trials: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.trials:
            raise ValueError(f"{self.hits} of {self.trials} is not a share")

    def __add__(self, other: Share) -> Share:
        return Share(self.hits + other.hits, self.trials + other.trials)

    @property
    def value(self) -> float | None:
        """The observed share, None without a trial."""
        return self.hits / self.trials if self.trials else None

    @property
    def bounds(self) -> tuple[float, float]:
        """Lower and upper 95 % bound; (0, 1) without a trial."""
        return clopper_pearson(self.hits, self.trials)


def clopper_pearson(hits: int, trials: int) -> tuple[float, float]:
    """Exact two-sided 95 % bounds of a binomial share (Clopper and Pearson 1934)."""
    if trials == 0:
        return (0.0, 1.0)
    half = MISS_PROBABILITY / 2
    low = 0.0 if hits == 0 else float(beta.ppf(half, hits, trials - hits + 1))
    high = 1.0 if hits == trials else float(beta.ppf(1 - half, hits + 1, trials - hits))
    return (low, high)


def percentile(values: Sequence[float], share: float) -> float | None:
    """The value below which `share` (0 to 1) of the values lie, linear between ranks."""
    if not values:
        return None
    ordered = sorted(values)
    rank = share * (len(ordered) - 1)
    below = math.floor(rank)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (rank - below)
