"""Shares carry exact bounds; percentiles are linear between ranks."""

from __future__ import annotations

import pytest

from monitor.evaluation.intervals import Share, clopper_pearson, percentile


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        # Clopper-Pearson, closed forms: 0 of n -> 1 - 0.025 ** (1 / n)
        (0, 200, 0.0, 1 - 0.025 ** (1 / 200)),
        (10, 10, 0.025 ** (1 / 10), 1.0),
        # Table in Newcombe, Statistics in Medicine 17 (1998), p. 861, method 5
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_bounds_are_those_of_clopper_and_pearson(
    hits: int, trials: int, low: float, high: float
) -> None:
    found = clopper_pearson(hits, trials)
    assert found == pytest.approx((low, high), abs=6e-5)


def test_a_share_without_a_trial_says_nothing() -> None:
    assert Share(0, 0).value is None
    assert Share(0, 0).bounds == (0.0, 1.0)


def test_a_share_cannot_have_more_hits_than_trials() -> None:
    with pytest.raises(ValueError, match="3 of 2"):
        Share(3, 2)


def test_shares_add_up() -> None:
    assert Share(1, 2) + Share(3, 4) == Share(4, 6)


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([], 0.5, None), ([4.0], 0.95, 4.0), ([3.0, 1.0, 2.0], 0.5, 2.0), ([0.0, 10.0], 0.95, 9.5)],
)
def test_percentiles_are_linear_between_ranks(
    values: list[float], share: float, expected: float | None
) -> None:
    assert percentile(values, share) == pytest.approx(expected)
