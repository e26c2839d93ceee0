"""Scoring the first ball struck in each shot."""

from __future__ import annotations

from typing import Final

from monitor.evaluation.matching import ShotPairs
from monitor.evaluation.results import FirstContact
from monitor.evaluation.scores import FirstContactScore, Miss, Stated
from table.balls import is_unknown

DECIDE_PROBABILITY: Final = 0.98
"""A fact with at least this probability is decided (interface.md, `decide_probability`)."""


def score_first_contacts(
    clip: str, pairs: ShotPairs, unknown_set: bool
) -> tuple[FirstContactScore, list[Stated], list[Miss]]:
    """Compare the first contact of every shot in which truth knows it."""
    score, stated, misses = FirstContactScore(), [], []
    for shot, our in pairs.pairs:
        if shot.first_contact is None:
            continue
        answer = our.first_contact if our else FirstContact(None, 1.0, False, None)
        is_right = answer.ball in shot.first_contact if answer.ball else not shot.first_contact
        if answer.ball is not None:
            stated.append(Stated("first_contact", answer.probability, is_right))
        wanted = "/".join(sorted(shot.first_contact)) or "no ball"
        said = f"ours: {answer.ball or 'no ball'}, p {answer.probability:.2f}"
        if _is_open(answer, unknown_set):
            score += FirstContactScore(undecided=1, undecided_leading_right=int(is_right))
            fault = "undecided, " + ("right" if is_right else "wrong") + " leading"
            misses.append(
                Miss(clip, "first_contact", fault, answer.t_s, wanted, said, counted=False)
            )
        elif is_right:
            score += FirstContactScore(right=1)
        else:
            score += FirstContactScore(wrong=1)
            misses.append(Miss(clip, "first_contact", "wrong", answer.t_s, wanted, said))
    return score, stated, misses


def _is_open(answer: FirstContact, unknown_set: bool) -> bool:
    if answer.ball is None:
        return False
    unnamed = is_unknown(answer.ball) and not unknown_set
    return unnamed or answer.probability < DECIDE_PROBABILITY
