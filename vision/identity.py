"""Which ball is which: appearances of the whole table to names, each number once.

    looks = [measure_appearance(image, center_px, radius_px, cloth_bgr) for each ball]
    names = assign_names(looks, ball_set)

A ball whose best name is not sure enough gets no name (None): unknown is right, wrong is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table.balls import BallName
from vision.appearance import Appearance
from vision.ballset import BUILT_IN, BallSet
from vision.light import NEUTRAL_LIGHT, Light, light_candidates
from vision.matching import matching_marginals
from vision.name_scores import features, log_likelihoods

UNKNOWN = "unknown"
NAME_PROBABILITY = 0.90
"""A name is given from this probability on."""


@dataclass(frozen=True, slots=True)
class Naming:
    """What one ball is: `name` (None: not sure), its probability, and all alternatives.

    `probabilities` holds every name of the set and "unknown"; they sum to 1.
    """

    name: BallName | None
    probability: float
    probabilities: Mapping[BallName, float]


@dataclass(frozen=True, slots=True)
class TableNaming:
    """The names of all balls of a table, in the order of the appearances.

    `light` is the light that explained the table best: pass it to later calls to save time.
    `evidence` is the log likelihood of the table under this ball set.
    """

    balls: tuple[Naming, ...]
    ball_set: BallSet
    light: Light
    evidence: float


def name_probabilities(
    appearance: Appearance, ball_set: BallSet, light: Light = NEUTRAL_LIGHT
) -> dict[BallName, float]:
    """Probability of each name for one ball by itself, and of "unknown"; they sum to 1."""
    named, unnamed = _log_weights([appearance], ball_set, light)
    marginals, _ = matching_marginals(named, unnamed)
    return _row(marginals[0], ball_set)


def assign_names(
    appearances: Sequence[Appearance],
    ball_set: BallSet,
    *,
    allowed: Set[BallName] | None = None,
    priors: Sequence[Mapping[BallName, float] | None] | None = None,
    light: Light | None = None,
    name_probability: float = NAME_PROBABILITY,
) -> TableNaming:
    """Name all balls of a table together: each name once, "unknown" rather than a guess.

    Args:
        appearances: one per ball on the table.
        ball_set: how the balls look.
        allowed: names that can be on the table (pocketed balls left out); None: all.
        priors: for each ball what is known from elsewhere (its track's earlier naming): a
            probability for each name, names left out count as 0.5 / number of names; None:
            nothing known.
        light: the light if it is known; None: judged from the table.
        name_probability: a name is given from this probability on.

    Raises:
        ValueError: when `priors` does not have one entry per ball.
    """
    if priors is not None and len(priors) != len(appearances):
        raise ValueError(f"{len(priors)} priors for {len(appearances)} balls")
    lights = [(light, 0.0)] if light is not None else light_candidates(appearances)
    best: tuple[float, Light, NDArray[np.float64]] | None = None
    for candidate, log_prior in lights:
        named, unnamed = _log_weights(appearances, ball_set, candidate)
        _restrict(named, ball_set, allowed, priors)
        marginals, evidence = matching_marginals(named, unnamed)
        if best is None or evidence + log_prior > best[0]:
            best = (evidence + log_prior, candidate, marginals)
    if best is None:
        raise ValueError("no light to judge the table by")
    evidence, chosen, marginals = best
    balls = tuple(_naming(_row(row, ball_set), name_probability) for row in marginals)
    return TableNaming(balls, ball_set, chosen, evidence)


def choose_ball_set(
    appearances: Sequence[Appearance], sets: Sequence[BallSet] = tuple(BUILT_IN.values())
) -> tuple[BallSet, float]:
    """The set that explains the whole table best, and its probability among `sets`.

    About 0.5 between the built-in sets when neither the 4 nor the 7 can be seen.

    Raises:
        ValueError: when `sets` is empty.
    """
    if not sets:
        raise ValueError("no ball set to choose from")
    evidence = np.array([assign_names(appearances, each).evidence for each in sets])
    weights = np.exp(evidence - evidence.max())
    best = int(np.argmax(weights))
    return sets[best], float(weights[best] / weights.sum())


def _log_weights(
    appearances: Sequence[Appearance], ball_set: BallSet, light: Light
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    named = np.full((len(appearances), len(ball_set.names)), -np.inf)
    unnamed = np.zeros(len(appearances))
    for index, appearance in enumerate(appearances):
        if appearance.empty:
            continue
        scores, unnamed[index] = log_likelihoods(features(appearance, light), ball_set)
        named[index] = [scores[name] for name in ball_set.names]
    return named, unnamed


def _restrict(
    named: NDArray[np.float64],
    ball_set: BallSet,
    allowed: Set[BallName] | None,
    priors: Sequence[Mapping[BallName, float] | None] | None,
) -> None:
    names = ball_set.names
    if allowed is not None:
        named[:, [name not in allowed for name in names]] = -np.inf
    if priors is None:
        return
    neutral = 1.0 / len(names)
    for index, prior in enumerate(priors):
        if prior:
            weights = [max(prior.get(name, 0.5 * neutral), 1e-6) / neutral for name in names]
            named[index] += np.log(weights)


def _row(marginals: NDArray[np.float64], ball_set: BallSet) -> dict[BallName, float]:
    row = {name: float(p) for name, p in zip(ball_set.names, marginals, strict=False)}
    row[UNKNOWN] = float(marginals[-1])
    return row


def _naming(probabilities: dict[BallName, float], name_probability: float) -> Naming:
    name = max(probabilities, key=lambda each: probabilities[each])
    probability = probabilities[name]
    sure = name != UNKNOWN and probability >= name_probability
    return Naming(name if sure else None, probability, probabilities)
