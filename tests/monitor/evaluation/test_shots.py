"""Shots found, split, invented; clips that begin or end within one."""

from __future__ import annotations

from monitor.evaluation.scores import Counts
from tests.monitor.evaluation.shot_rows import (
    CONTACT,
    END,
    PERFECT,
    SOURCE,
    START,
    TRUTH,
    Scorer,
    assert_only_differs,
    changed,
    counts,
)


class TestShots:
    """Shots found, split, invented; clips that begin or end within one."""

    def test_an_unseen_shot_misses_everything_in_it(self, score: Scorer) -> None:
        found = score(TRUTH, [SOURCE])
        assert found.shots == Counts(0, 0, 1)
        nothing = {kind: Counts(0, 0, right.tp) for kind, right in PERFECT.items()}
        assert_only_differs(found, **nothing)
        assert found.pocketed_sets.hits == 0
        assert found.rest.missing == 4

    def test_a_shot_split_in_two_is_one_extra_shot(self, score: Scorer) -> None:
        ours = [
            *TRUTH[:5],
            {**END, "t_s": 1.6},
            {**START, "shot": 2, "t_s": 1.7},
            *({**row, "shot": 2} for row in TRUTH[5:]),
        ]
        found = score(TRUTH, ours)
        assert found.shots == Counts(1, 1, 0)
        assert_only_differs(
            found, shot_started=Counts(1, 1), shot_ended=Counts(1, 1), ball_contact=Counts(2)
        )

    def test_an_invented_shot_counts_with_its_events(self, score: Scorer) -> None:
        ours = [
            *TRUTH,
            {**START, "shot": 2, "t_s": 6.0},
            {**CONTACT, "shot": 2, "t_s": 6.2},
            {**END, "shot": 2, "t_s": 8.0},
        ]
        found = score(TRUTH, ours)
        assert found.shots == Counts(1, 1, 0)
        assert_only_differs(
            found,
            shot_started=Counts(1, 1),
            ball_contact=Counts(2, 1),
            shot_ended=Counts(1, 1),
        )

    def test_a_clip_that_begins_within_the_shot_has_no_start_to_find(self, score: Scorer) -> None:
        truth = changed(TRUTH, START, t_s=None, started_before_clip=True)
        perfect = {"shot_started": Counts()}
        assert_only_differs(score(truth, truth), **perfect)
        found = score(truth, changed(TRUTH, START, t_s=1.1))
        assert counts(found, "shot_started") == Counts(0, 1, 0)
        assert found.shots == Counts(1)

    def test_a_clip_that_ends_within_the_shot_has_no_end_to_find(self, score: Scorer) -> None:
        truth = changed(TRUTH, END, t_s=None, ended_after_clip=True, balls_frame=100)
        assert_only_differs(score(truth, truth), shot_ended=Counts())
        found = score(truth, changed(TRUTH, END, t_s=3.0))
        assert counts(found, "shot_ended") == Counts(0, 1, 0)

    def test_an_end_that_we_call_open_is_missed(self, score: Scorer) -> None:
        found = score(TRUTH, changed(TRUTH, END, ended_after_clip=True))
        assert_only_differs(found, shot_ended=Counts(0, 0, 1))
