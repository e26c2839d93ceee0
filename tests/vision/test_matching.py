"""The sums over all assignments equal those of plain enumeration."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.matching import matching_marginals


def _enumerated(
    named: NDArray[np.float64], unnamed: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    balls, names = named.shape
    sums = np.zeros((balls, names + 1))
    for choice in itertools.product(range(names + 1), repeat=balls):
        given_names = [name for name in choice if name < names]
        if len(given_names) != len(set(given_names)):
            continue
        log = sum(
            unnamed[ball] if name == names else named[ball, name]
            for ball, name in enumerate(choice)
        )
        for ball, name in enumerate(choice):
            sums[ball, name] += math.exp(log)
    total = sums[0].sum()
    return sums / total, math.log(total)


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(0, 10_000),
)
def test_marginals_and_evidence_are_exact(balls: int, names: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    named = rng.normal(0, 2, (balls, names))
    named[rng.random((balls, names)) < 0.2] = -np.inf
    unnamed = rng.normal(0, 2, balls)
    marginals, evidence = matching_marginals(named, unnamed)
    wanted, wanted_evidence = _enumerated(named, unnamed)
    np.testing.assert_allclose(marginals, wanted, atol=1e-5)
    assert evidence == pytest.approx(wanted_evidence, abs=1e-5)


def test_more_balls_than_names_leaves_some_unnamed() -> None:
    marginals, _ = matching_marginals(np.full((3, 1), 5.0), np.zeros(3))
    assert marginals[:, 0].sum() <= 1.0 + 1e-9
    np.testing.assert_allclose(marginals[:, 0], marginals[0, 0])


def test_a_ball_with_no_possible_name_is_unnamed() -> None:
    marginals, _ = matching_marginals(np.array([[-np.inf], [3.0]]), np.array([-900.0, 0.0]))
    assert marginals[0, 1] == pytest.approx(1.0)


def test_too_many_names_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 12"):
        matching_marginals(np.zeros((1, 13)), np.zeros(1))
