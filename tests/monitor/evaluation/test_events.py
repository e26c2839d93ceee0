"""Hand-made truth and logs whose right score is worked out by hand."""

from __future__ import annotations

import copy

import pytest

from monitor.evaluation.clip_score import total_of
from monitor.evaluation.scores import Counts, FirstContactScore
from tests.monitor.evaluation.cases import Row
from tests.monitor.evaluation.shot_rows import (
    CUSHION,
    EVERY,
    LONG,
    OFF,
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


def test_the_same_log_is_perfect(score: Scorer) -> None:
    found = score(TRUTH, TRUTH)
    assert_only_differs(found)
    assert found.misses == ()
    assert found.first_contact == FirstContactScore(right=1)
    assert found.shots == Counts(1)
    assert (found.pocketed_sets.hits, found.pocketed_sets.trials) == (1, 1)
    assert found.rest.errors_mm == pytest.approx([0.0] * 4, abs=1e-9)
    assert found.rest.named_right == 4
    assert found.events["ball_contact"].time_errors_s == (0.0, 0.0)
    assert all(stated.right for stated in found.stated)


@pytest.mark.parametrize(
    ("row", "kind", "fewer"),
    [
        (SECOND, "ball_contact", Counts(1, 0, 1)),
        (CUSHION, "cushion_contact", Counts(1, 0, 1)),
        (POT, "ball_pocketed", Counts(0, 0, 1)),
        (OFF, "ball_off_table", Counts(0, 0, 1)),
    ],
)
def test_an_event_left_out_is_one_miss(score: Scorer, row: Row, kind: str, fewer: Counts) -> None:
    found = score(TRUTH, without(TRUTH, row))
    assert_only_differs(found, **{kind: fewer})
    assert [miss.fault for miss in found.misses] == ["missed"]


@pytest.mark.parametrize(
    ("row", "kind", "more"),
    [
        ({**SECOND, "a": "cue", "b": "2"}, "ball_contact", Counts(2, 1)),
        ({**CUSHION, "ball": "2"}, "cushion_contact", Counts(2, 1)),
        ({**POT, "ball": "2"}, "ball_pocketed", Counts(1, 1)),
        ({**OFF, "ball": "1"}, "ball_off_table", Counts(1, 1)),
    ],
)
def test_an_invented_event_is_one_false_claim(
    score: Scorer, row: Row, kind: str, more: Counts
) -> None:
    found = score(TRUTH, [*TRUTH, row])
    assert_only_differs(found, **{kind: more})
    assert [miss.fault for miss in found.misses] == ["extra"]


@pytest.mark.parametrize(
    ("which", "change", "kind", "expected"),
    [
        (SECOND, {"b": "cue", "a": "2"}, "ball_contact", Counts(1, 1, 1)),
        (CUSHION, {"cushion": "HEAD"}, "cushion_contact", Counts(1, 1, 1)),
        (CUSHION, {"ball": "2"}, "cushion_contact", Counts(1, 1, 1)),
        (LONG, {"cushion": "LEFT_HEAD"}, "cushion_contact", Counts(1, 1, 1)),
        (POT, {"pocket": "FR"}, "ball_pocketed", Counts(0, 1, 1)),
        (POT, {"ball": "2"}, "ball_pocketed", Counts(0, 1, 1)),
        (OFF, {"ball": "1"}, "ball_off_table", Counts(0, 1, 1)),
    ],
)
def test_a_wrong_ball_or_place_is_a_miss_and_a_false_claim(
    score: Scorer, which: Row, change: Row, kind: str, expected: Counts
) -> None:
    assert_only_differs(score(TRUTH, changed(TRUTH, which, **change)), **{kind: expected})


def test_the_order_of_the_two_balls_does_not_matter(score: Scorer) -> None:
    assert_only_differs(score(TRUTH, changed(TRUTH, SECOND, a="2", b="1")))


@pytest.mark.parametrize(
    ("off_s", "right_within"),
    [
        (0.039, {"1 frame", "0.1 s", "0.2 s"}),
        (-0.041, {"0.1 s", "0.2 s"}),
        (0.101, {"0.2 s"}),
        (-0.201, set()),
    ],
)
def test_an_event_counts_within_its_tolerance(
    score: Scorer, off_s: float, right_within: set[str]
) -> None:
    found = score(TRUTH, changed(TRUTH, POT, t_s=2.0 + off_s))
    for tolerance in EVERY:
        expected = Counts(1) if tolerance in right_within else Counts(0, 1, 1)
        assert counts(found, "ball_pocketed", tolerance) == expected
    errors = found.events["ball_pocketed"].time_errors_s
    assert errors == (pytest.approx((off_s,)) if right_within else ())
    listed = [] if "0.1 s" in right_within else ["off in time"]
    assert [miss.fault for miss in found.misses] == listed


def test_truth_that_is_uncertain_in_time_widens_the_tolerance(score: Scorer) -> None:
    truth = changed(TRUTH, POT, dt_s=0.05)
    found = score(truth, changed(TRUTH, POT, t_s=2.089))
    assert counts(found, "ball_pocketed", "1 frame") == Counts(1)
    found = score(truth, changed(TRUTH, POT, t_s=2.091))
    assert counts(found, "ball_pocketed", "1 frame") == Counts(0, 1, 1)


def test_one_claim_cannot_answer_two_truths(score: Scorer) -> None:
    again = {**CUSHION, "t_s": 1.55}
    truth = [*TRUTH[:5], again, *TRUTH[5:]]
    assert counts(score(truth, TRUTH), "cushion_contact") == Counts(2, 0, 1)
    assert counts(score(TRUTH, truth), "cushion_contact") == Counts(2, 1, 0)
    assert counts(score(truth, truth), "cushion_contact") == Counts(3)


@pytest.mark.parametrize(("side", "named"), [("LEFT", "LEFT_HEAD"), ("LEFT", "LEFT_FOOT")])
def test_a_whole_long_rail_matches_either_half(score: Scorer, side: str, named: str) -> None:
    truth = changed(TRUTH, LONG, cushion=side)
    assert_only_differs(score(truth, changed(TRUTH, LONG, cushion=named)))


def test_a_whole_long_rail_does_not_match_the_other_rail(score: Scorer) -> None:
    truth = changed(TRUTH, LONG, cushion="LEFT")
    found = score(truth, changed(TRUTH, LONG, cushion="RIGHT_FOOT"))
    assert counts(found, "cushion_contact") == Counts(1, 1, 1)


@pytest.mark.parametrize("mark", ["jaw", "from_rest"])
def test_jaws_and_touches_from_rest_count_neither_way(score: Scorer, mark: str) -> None:
    marked = {**CUSHION, "t_s": 1.9, mark: True}
    plain = {**CUSHION, "t_s": 1.9}
    assert_only_differs(score([*TRUTH, marked], TRUTH))
    assert_only_differs(score(TRUTH, [*TRUTH, marked]))
    assert_only_differs(score([*TRUTH, marked], [*TRUTH, marked]))
    assert_only_differs(score([*TRUTH, marked], [*TRUTH, plain]))


def test_a_contact_called_a_jaw_contact_does_not_answer_a_plain_one(score: Scorer) -> None:
    found = score(TRUTH, changed(TRUTH, CUSHION, jaw=True))
    assert counts(found, "cushion_contact") == Counts(1, 0, 1)


def test_moving_balls_are_compared_ball_by_ball(score: Scorer) -> None:
    truth = changed(TRUTH, START, moving=["1", "2"])
    found = score(truth, changed(TRUTH, START, moving=["2", "cue"]))
    assert counts(found, "moving_at_start") == Counts(1, 1, 1)
    assert_only_differs(found)


def test_an_assumed_head_end_turned_round_counts_as_right(score: Scorer) -> None:
    places = {"FOOT": "HEAD", "LEFT_FOOT": "RIGHT_HEAD", "FL": "HR"}
    ours = copy.deepcopy(TRUTH)
    ours[0] |= {"head": "left", "head_from": "assumed"}
    for row in ours:
        for key in ("cushion", "pocket"):
            if key in row:
                row[key] = places[str(row[key])]
        balls = row.get("balls")
        if isinstance(balls, dict):
            row["balls"] = {ball: [-x, -y] for ball, (x, y) in balls.items()}
    found = score(TRUTH, ours)
    assert_only_differs(found)
    assert max(found.rest.errors_mm) < 1e-6
    assert "180°" in found.notes[0]
    ours[0]["head_from"] = "rack"
    found = score(TRUTH, ours)
    assert counts(found, "ball_pocketed") == Counts(0, 1, 1)
    assert found.notes == ()


def test_stated_probabilities_carry_their_outcome(score: Scorer) -> None:
    ours = changed(changed(TRUTH, CUSHION, confidence=0.7), LONG, cushion="HEAD", confidence=0.6)
    stated = [s for s in score(TRUTH, ours).stated if s.kind == "cushion_contact"]
    assert sorted((s.probability, s.right) for s in stated) == [(0.6, False), (0.7, True)]


def test_figures_of_clips_add_up(score: Scorer) -> None:
    scores = [score(TRUTH, TRUTH), score(TRUTH, without(TRUTH, POT))]
    total = total_of(scores)
    assert total.clips == 2
    assert counts(total, "ball_pocketed") == Counts(1, 0, 1)
    assert counts(total, "ball_contact") == Counts(4)
    assert total.first_contact == FirstContactScore(right=2)
    assert len(total.rest.errors_mm) == 8


def test_balls_without_numbers_may_be_named_freely_but_alike(score: Scorer) -> None:
    names = {"1": "u1", "2": "u2"}
    truth = copy.deepcopy(TRUTH)
    truth[0]["ball_set"] = "none"
    for row in truth:
        for key in ("ball", "a", "b"):
            if key in row:
                row[key] = names.get(str(row[key]), row[key])
        row.pop("balls", None)
    ours = copy.deepcopy(TRUTH)
    found = score(truth, ours)
    assert_only_differs(found)
    assert found.first_contact == FirstContactScore(right=1)
    swapped = changed(ours, SECOND, b="3")
    assert counts(score(truth, swapped), "ball_contact") == Counts(1, 1, 1)
