"""Which ball is which when each name can be given once: exact sums over all assignments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_NEGLIGIBLE = float(np.exp(-15.0))


def matching_marginals(
    named: NDArray[np.float64], unnamed: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Probabilities of all (ball, name) pairs, given that no name is used twice.

    Args:
        named: (balls, names) log weight of a ball having a name; -inf where impossible.
        unnamed: (balls,) log weight of a ball having no name (finite).

    Returns:
        (balls, names + 1) float64: row i gives ball i's probabilities, the last column that
        of no name; and the log of the sum of the weights of all assignments (the evidence).

    The sums run over subsets of names (2^names states), ball by ball, forward and backward:
    at most 12 names, any number of balls. Weights below exp(-15) of a ball's largest count
    as impossible, which shortens the sums.

    Raises:
        ValueError: for more than 12 names or shapes that do not fit.
    """
    balls, names = named.shape
    if names > 12 or unnamed.shape != (balls,):
        raise ValueError(f"cannot match {balls} balls with {names} names (at most 12)")
    if balls == 0:
        return np.zeros((0, names + 1)), 0.0
    top = np.maximum(named.max(axis=1, initial=-np.inf), unnamed)
    weights = np.exp(named - top[:, None])
    weights[weights < _NEGLIGIBLE] = 0.0
    free = np.maximum(np.exp(unnamed - top), 1e-30)
    before, scale = _forward(weights, free)
    after = _backward(weights, free)
    marginals = np.empty((balls, names + 1))
    for ball in range(balls):
        marginals[ball] = _pair_sums(before[ball], after[ball + 1], weights[ball], free[ball])
    marginals /= marginals.sum(axis=1, keepdims=True)
    return marginals, scale + float(top.sum())


def _forward(
    weights: NDArray[np.float64], free: NDArray[np.float64]
) -> tuple[list[NDArray[np.float64]], float]:
    """Sums over the balls so far by the set of names used; rescaled to avoid underflow."""
    names = weights.shape[1]
    state = np.zeros(2**names)
    state[0] = 1.0
    states, scale = [state], 0.0
    for row, none in zip(weights, free, strict=True):
        state = _step(state, row, float(none))
        total = float(state.sum())
        state = state / total
        scale += float(np.log(total))
        states.append(state)
    return states, scale


def _step(state: NDArray[np.float64], row: NDArray[np.float64], none: float) -> NDArray[np.float64]:
    after = state * none
    for name in np.flatnonzero(row):
        old = state.reshape(-1, 2, 2**name)
        after.reshape(-1, 2, 2**name)[:, 1] += old[:, 0] * row[name]
    return after


def _backward(weights: NDArray[np.float64], free: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """For every set of used names: the sum over the remaining balls."""
    balls, names = weights.shape
    state = np.ones(2**names)
    states = [state]
    for ball in range(balls - 1, -1, -1):
        before = state * free[ball]
        for name in np.flatnonzero(weights[ball]):
            later = state.reshape(-1, 2, 2**name)
            before.reshape(-1, 2, 2**name)[:, 0] += later[:, 1] * weights[ball, name]
        state = before / before.max()
        states.append(state)
    return states[::-1]


def _pair_sums(
    before: NDArray[np.float64], after: NDArray[np.float64], row: NDArray[np.float64], none: float
) -> NDArray[np.float64]:
    sums = np.zeros(len(row) + 1)
    for name in np.flatnonzero(row):
        used = after.reshape(-1, 2, 2**name)[:, 1]
        sums[name] = row[name] * float(np.vdot(before.reshape(-1, 2, 2**name)[:, 0], used))
    sums[-1] = none * float(before @ after)
    return sums
