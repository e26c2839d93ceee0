"""The first ball struck: right, wrong, or left open."""

from __future__ import annotations

import pytest

from monitor.evaluation.scores import FirstContactScore
from tests.monitor.evaluation.shot_rows import (
    CONTACT,
    SECOND,
    START,
    TRUTH,
    Scorer,
    changed,
    without,
)


class TestFirstContact:
    """The first ball struck: right, wrong, or left open."""

    def test_the_wrong_ball_is_wrong(self, score: Scorer) -> None:
        found = score(TRUTH, changed(TRUTH, CONTACT, b="2"))
        assert found.first_contact == FirstContactScore(wrong=1)

    def test_no_contact_is_wrong_when_there_was_one(self, score: Scorer) -> None:
        found = score(TRUTH, without(without(TRUTH, CONTACT), SECOND))
        assert found.first_contact == FirstContactScore(wrong=1)

    @pytest.mark.parametrize(
        ("probability", "expected"),
        [
            (0.97, FirstContactScore(undecided=1, undecided_leading_right=1)),
            (0.98, FirstContactScore(right=1)),
        ],
    )
    def test_below_the_threshold_it_is_undecided(
        self, score: Scorer, probability: float, expected: FirstContactScore
    ) -> None:
        rest = [{"b": "2", "p": 1 - probability}]
        ours = changed(TRUTH, CONTACT, confidence=probability, alternatives=rest)
        assert score(TRUTH, ours).first_contact == expected

    def test_an_unlikely_wrong_ball_is_undecided_and_not_wrong(self, score: Scorer) -> None:
        ours = changed(TRUTH, CONTACT, b="2", confidence=0.6, alternatives=[{"b": "1", "p": 0.4}])
        assert score(TRUTH, ours).first_contact == FirstContactScore(undecided=1)

    def test_a_ball_without_a_name_is_undecided(self, score: Scorer) -> None:
        found = score(TRUTH, changed(TRUTH, CONTACT, b="u1"))
        assert found.first_contact == FirstContactScore(undecided=1)

    def test_no_ball_hit_is_an_answer(self, score: Scorer) -> None:
        truth = changed(without(without(TRUTH, CONTACT), SECOND), START, first_contact=None)
        assert score(truth, truth).first_contact == FirstContactScore(right=1)
        assert score(truth, TRUTH).first_contact == FirstContactScore(wrong=1)

    def test_of_two_struck_at_once_either_is_right(self, score: Scorer) -> None:
        truth = changed(TRUTH, START, first_contact=["1", "2"])
        assert score(truth, TRUTH).first_contact == FirstContactScore(right=1)
        ours = changed(TRUTH, CONTACT, b="2")
        assert score(truth, ours).first_contact == FirstContactScore(right=1)

    def test_null_in_a_partial_list_is_not_scored(self, score: Scorer) -> None:
        truth = changed(
            TRUTH, START, first_contact=None, complete=False, complete_lists=["pocketed"]
        )
        assert score(truth, TRUTH).first_contact == FirstContactScore()
