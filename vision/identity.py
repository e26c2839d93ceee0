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
from scipy.optimize import linear_sum_assignment

from table.balls import BallName
from vision.appearance import Appearance, Bgr
from vision.ball_features import features
from vision.ballset import BUILT_IN, BallSet
from vision.light import NEUTRAL_LIGHT, Light, balances, common_cloth, white_candidates
from vision.matching import matching_marginals
from vision.name_scores import CAMERA_TRAITS, OWN_CAMERA, log_weights

UNKNOWN = "unknown"
NAME_PROBABILITY = 0.90
"""A name is given from this probability on."""

_PRESENT_NATS = 3.0
"""What it is worth that a ball is known to be on the table: 20 to 1 against half and half."""
_MOST_THEORIES = 10
_NATS = 5.0


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
    return dict(assign_names([appearance], ball_set, light=light).balls[0].probabilities)


def assign_names(
    appearances: Sequence[Appearance],
    ball_set: BallSet,
    *,
    allowed: Set[BallName] | None = None,
    priors: Sequence[Mapping[BallName, float] | None] | None = None,
    light: Light | None = None,
    name_probability: float = NAME_PROBABILITY,
    sides: Sequence[Sequence[Appearance]] | None = None,
    present: Set[BallName] = frozenset(),
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
        sides: for each ball its looks from each side that it turned up, if it rolled.
        present: names that the game itself has on the table, seen or hidden.

    Raises:
        ValueError: when `priors` does not have one entry per ball.
    """
    if priors is not None and len(priors) != len(appearances):
        raise ValueError(f"{len(priors)} priors for {len(appearances)} balls")
    whites = [(light.white_bgr, 0.0)] if light else _whites(appearances, ball_set)
    known = _log_priors(ball_set, allowed, priors, present)
    theories = _theories(appearances, ball_set, whites, known, sides)
    marginals, weights, evidence = _mean_marginals(theories)
    best = theories[int(np.argmax(weights))]
    balls = tuple(_naming(_row(row, ball_set), name_probability) for row in marginals)
    chosen = Light(best.white_bgr, common_cloth(appearances))
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


@dataclass(frozen=True, slots=True, eq=False)
class _Theory:
    """One way to see the table: a white and a camera trait, and the weights under it."""

    white_bgr: Bgr
    log_prior: float
    named: NDArray[np.float64]
    unnamed: NDArray[np.float64]
    best: float
    """Log weight of the best single assignment, prior included."""


def _theories(
    appearances: Sequence[Appearance],
    ball_set: BallSet,
    whites: Sequence[tuple[Bgr, float]],
    log_priors: NDArray[np.float64] | float,
    sides: Sequence[Sequence[Appearance]] | None = None,
) -> list[_Theory]:
    """The theories that explain the table best, best first."""
    found: list[_Theory] = []
    learned = ball_set.light is not None
    traits = OWN_CAMERA if learned else CAMERA_TRAITS
    empty = [appearance.empty for appearance in appearances]
    for white, white_prior in whites:
        seen = [features(appearance, white) for appearance in appearances]
        turned = None if sides is None else [[features(s, white) for s in own] for own in sides]
        for balance, balance_prior in [(white, 0.0)] if learned else balances(white):
            named, unnamed = log_weights(seen, ball_set, balance, traits, turned)
            named += log_priors
            named[:, empty] = -np.inf
            unnamed[:, empty] = 0.0
            priors = traits.log_prior + (white_prior + balance_prior)
            bound = np.maximum(named.max(axis=2), unnamed).sum(axis=1) + priors
            for index in np.argsort(-bound)[:_MOST_THEORIES]:
                best = float(priors[index]) + _best_assignment(named[index], unnamed[index])
                prior = float(priors[index])
                found.append(_Theory(white, prior, named[index], unnamed[index], best))
    found.sort(key=lambda theory: -theory.best)
    return [each for each in found[:_MOST_THEORIES] if each.best > found[0].best - _NATS]


def _whites(appearances: Sequence[Appearance], ball_set: BallSet) -> list[tuple[Bgr, float]]:
    """What white may look like: as when the set was learned, or as this table says."""
    candidates = white_candidates(appearances)
    if ball_set.light is None:
        return candidates
    cloth = common_cloth(appearances)
    learned = ball_set.light if cloth is None else ball_set.light.following(cloth)
    return [(learned.white_bgr, 0.0), *((white, prior - 2.0) for white, prior in candidates[1:])]


def _best_assignment(named: NDArray[np.float64], unnamed: NDArray[np.float64]) -> float:
    """Log weight of the best assignment: each name once, any ball may stay unnamed."""
    gain = np.maximum(named - unnamed[:, None], 0.0)
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return float(gain[rows, columns].sum() + unnamed.sum())


def _mean_marginals(
    theories: Sequence[_Theory],
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Marginals averaged over the theories by their evidence; the weights; the log evidence."""
    results = [matching_marginals(each.named, each.unnamed) for each in theories]
    evidence = np.array([log for _, log in results]) + [each.log_prior for each in theories]
    weights = np.exp(evidence - evidence.max())
    total = float(weights.sum())
    mean = sum(w * marginals for w, (marginals, _) in zip(weights / total, results, strict=True))
    return np.asarray(mean), weights, float(evidence.max()) + float(np.log(total))


def _log_priors(
    ball_set: BallSet,
    allowed: Set[BallName] | None,
    priors: Sequence[Mapping[BallName, float] | None] | None,
    present: Set[BallName],
) -> NDArray[np.float64] | float:
    """What is known without looking, as log factors: (names,) or (balls, names)."""
    names = ball_set.names
    known: NDArray[np.float64] = np.array([_PRESENT_NATS * (name in present) for name in names])
    if allowed is not None:
        known[[name not in allowed for name in names]] = -np.inf
    if priors is None:
        return known
    neutral = 1.0 / len(names)
    rows = [
        [(prior or {}).get(name, 0.5 * neutral if prior else neutral) for name in names]
        for prior in priors
    ]
    factors = np.maximum(np.array(rows).reshape(-1, len(names)), 1e-6) / neutral
    return np.asarray(known + np.log(factors))


def _row(marginals: NDArray[np.float64], ball_set: BallSet) -> dict[BallName, float]:
    row = {name: float(p) for name, p in zip(ball_set.names, marginals, strict=False)}
    row[UNKNOWN] = float(marginals[-1])
    return row


def _naming(probabilities: dict[BallName, float], name_probability: float) -> Naming:
    name = max(probabilities, key=lambda each: probabilities[each])
    probability = probabilities[name]
    sure = name != UNKNOWN and probability >= name_probability
    return Naming(name if sure else None, probability, probabilities)
