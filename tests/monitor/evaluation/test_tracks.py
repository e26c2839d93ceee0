"""Tracks frame by frame: HOTA, IDF1, switches, recall and naming, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from monitor.evaluation.score_tracks import score_tracks
from monitor.evaluation.scores import Counts, TrackScore
from monitor.evaluation.track_rows import TrackRow

pytest.importorskip("trackers", reason="trackers computes HOTA and IDF1")

FRAMES = 20
FRAME_S = 0.04


def row(frame: int, ball: str, x_m: float, speed_mps: float = 0.0) -> TrackRow:
    """One ball in one frame."""
    return TrackRow(frame * FRAME_S, ball, x_m, 0.0, speed_mps, True)


TRUTH = [
    row(frame, ball, x_m + 0.02 * frame * (ball == "1"), 0.5 if ball == "1" else 0.0)
    for frame in range(FRAMES)
    for ball, x_m in (("cue", -0.5), ("1", 0.3))
]


def scored(ours: list[TrackRow], truth: list[TrackRow] = TRUTH) -> TrackScore:
    """The score of our rows."""
    score = score_tracks(truth, ours, FRAME_S)
    assert score is not None
    return score


def test_the_same_tracks_are_perfect() -> None:
    score = scored(TRUTH)
    assert score.hota == pytest.approx(1.0)
    assert score.idf1 == pytest.approx(1.0)
    assert (score.switches, score.without_switch.hits) == (0, 1)
    assert score.moving == Counts(FRAMES)
    assert (score.named.hits, score.named.trials) == (40, 40)


def test_without_true_tracks_there_is_no_score() -> None:
    assert score_tracks([], TRUTH, FRAME_S) is None


def test_half_the_balls_unseen_halves_detection() -> None:
    score = scored([r for r in TRUTH if r.ball == "cue"])
    # DetA 20 / 40, AssA 1: HOTA is the root of one half; IDF1 2*20 / (2*20 + 20)
    assert score.hota == pytest.approx(0.5**0.5)
    assert score.idf1 == pytest.approx(2 / 3)
    assert score.moving == Counts(0, 0, FRAMES)


def test_a_place_off_counts_up_to_its_similarity() -> None:
    score = scored([replace(r, x_m=r.x_m + 0.02) for r in TRUTH])
    # similarity 1 - 20 / 57.15 = 0.65003: right at 13 of the 19 thresholds
    assert score.hota == pytest.approx(13 / 19)


def test_names_exchanged_half_way_are_two_switches() -> None:
    names = {"cue": "1", "1": "cue"}
    ours = [replace(r, ball=names[r.ball]) if r.t_s >= 10 * FRAME_S else r for r in TRUTH]
    score = scored(ours)
    assert score.switches == 2
    assert score.without_switch.hits == 0
    assert score.idf1 == pytest.approx(0.5)
    # DetA 1; each of four pairings holds 10 of 20 + 20 - 10 ball-frames: AssA 1 / 3
    assert score.hota == pytest.approx((1 / 3) ** 0.5)
    assert score.named.hits == 20


def test_names_exchanged_throughout_show_in_naming_alone() -> None:
    names = {"cue": "1", "1": "cue"}
    score = scored([replace(r, ball=names[r.ball]) for r in TRUTH])
    assert score.hota == pytest.approx(1.0)
    assert score.named.hits == 0


def test_a_predicted_place_is_not_a_sighting() -> None:
    score = scored([replace(r, seen=r.t_s < 5 * FRAME_S) for r in TRUTH])
    assert score.moving == Counts(5, 0, 15)
    assert score.hota == pytest.approx(1.0)


def test_a_ball_that_no_camera_sees_counts_neither_way() -> None:
    truth = [replace(r, seen=r.ball != "1") for r in TRUTH]
    for ours in (TRUTH, [r for r in TRUTH if r.ball == "cue"]):
        score = scored(ours, truth)
        assert score.hota == pytest.approx(1.0)
        assert score.moving == Counts()


def test_without_the_library_recall_and_naming_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monitor.evaluation.score_tracks.find_spec", lambda _name: None)
    score = scored(TRUTH)
    assert (score.hota, score.idf1) == (None, None)
    assert score.moving == Counts(FRAMES)
    assert (score.named.hits, score.named.trials) == (40, 40)


def test_frames_that_we_lack_are_misses() -> None:
    score = scored([r for r in TRUTH if r.t_s < 9.5 * FRAME_S])
    assert score.moving == Counts(10, 0, 10)
    assert score.idf1 == pytest.approx(2 * 20 / (2 * 20 + 20))


def test_scores_of_clips_add_up_as_one_sequence_would() -> None:
    perfect, half = scored(TRUTH), scored([r for r in TRUTH if r.ball == "cue"])
    total = perfect + half
    # 60 of 80 ball-frames found, all associated
    assert total.hota == pytest.approx((60 / 80) ** 0.5)
    assert total.idf1 == pytest.approx(2 * 60 / (2 * 60 + 20))
