"""What truth leaves open counts neither way, or for recall only."""

from __future__ import annotations

import pytest

from monitor.evaluation.scores import Counts, FirstContactScore
from tests.monitor.evaluation.shot_rows import (
    CUSHION,
    POT,
    SECOND,
    START,
    TRUTH,
    Scorer,
    assert_only_differs,
    changed,
    counts,
    without,
)


def test_partial_lists_serve_recall_only(score: Scorer) -> None:
    truth = changed(TRUTH, START, complete=False, complete_lists=["pocketed"])
    truth = without(truth, truth[TRUTH.index(SECOND)])
    found = score(truth, [*without(TRUTH, CUSHION), {**POT, "ball": "2"}])
    assert "0.1 s" not in found.events["ball_contact"].complete
    assert found.events["ball_contact"].recall_only["0.1 s"] == Counts(1, 0, 0)
    assert found.events["cushion_contact"].recall_only["0.1 s"] == Counts(1, 0, 1)
    assert counts(found, "ball_pocketed") == Counts(1, 1, 0)
    assert found.first_contact == FirstContactScore()
    assert "0.1 s" not in found.events["moving_at_start"].complete
    assert {stated.kind for stated in found.stated} == {"ball_pocketed"}


def test_a_marked_entry_counts_neither_way(score: Scorer) -> None:
    truth = changed(TRUTH, CUSHION, uncertain=True)
    perfect_rest = {"cushion_contact": Counts(1)}
    assert_only_differs(score(truth, TRUTH), **perfect_rest)
    assert_only_differs(score(truth, without(TRUTH, CUSHION)), **perfect_rest)


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "cushion_contact", "ball": "1", "t_s": 3.0, "dt_s": 0.1},
        {"kind": "cushion_contact", "balls": ["1"], "from_s": 2.8, "to_s": 3.2},
        {"what": "ONE touching the bottom cushion, frame 75", "reason": "slow"},
        {"what": "ONE at the right nose", "reason": "frames 74-76 show no gap"},
        "ONE may touch the HEAD cushion at 75",
    ],
)
def test_claims_within_an_uncertain_entry_are_not_false(score: Scorer, entry: object) -> None:
    truth = changed(TRUTH, START, uncertain=[entry])
    doubtful = {**CUSHION, "t_s": 3.0}
    assert_only_differs(score(truth, [*TRUTH, doubtful]))
    for other in ({**doubtful, "ball": "2"}, {**doubtful, "t_s": 3.6}):
        found = score(truth, [*TRUTH, other])
        assert_only_differs(found, cushion_contact=Counts(2, 1))


@pytest.mark.parametrize(
    "entry",
    [
        {"what": "frame of ONE pocketed", "reason": "any frame 45-60 is defensible"},
        {"kind": "ball_pocketed", "ball": "1", "from_s": 1.9, "to_s": 2.5, "time_only": True},
    ],
)
def test_an_entry_about_the_time_alone_widens_it(score: Scorer, entry: object) -> None:
    truth = changed(TRUTH, START, uncertain=[entry])
    assert_only_differs(score(truth, changed(TRUTH, POT, t_s=2.45)))
    assert_only_differs(score(truth, without(TRUTH, POT)), ball_pocketed=Counts(0, 0, 1))
