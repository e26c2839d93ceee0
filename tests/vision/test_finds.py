"""Decoding the network's output: boxes in top-view pixels, one a thing."""

from __future__ import annotations

import numpy as np
import pytest

from vision.finds import Finds, Kind, decode, without_doubles


def raw(*rows: tuple[float, float, float, float, Kind, float]) -> np.ndarray:
    """The network's output (9, anchors) for centre, size, kind and score of each anchor."""
    out = np.zeros((9, len(rows)), np.float32)
    for i, (x, y, w, h, kind, score) in enumerate(rows):
        out[:4, i] = x, y, w, h
        out[4 + kind, i] = score
    return out


def test_boxes_are_scaled_to_the_top_view() -> None:
    """Twice the size and counted from the middle of the first pixel."""
    finds = decode(raw((20, 10, 8, 6, Kind.CUE_BALL, 0.9)), 2.0)
    assert finds.kinds.tolist() == [Kind.CUE_BALL]
    assert finds.boxes_px[0] == pytest.approx([31.5, 13.5, 47.5, 25.5])
    assert finds.centers_px[0] == pytest.approx([39.5, 19.5])
    assert finds.confidence[0] == pytest.approx(0.9)


def test_faint_boxes_are_left_out() -> None:
    """Nothing below the lowest confidence; nothing at all is an empty table."""
    assert len(decode(raw((20, 10, 8, 8, Kind.BALL, 0.04)), 1.0)) == 0
    assert len(decode(np.zeros((9, 0), np.float32), 1.0)) == 0


def test_of_boxes_of_one_ball_the_best_stays() -> None:
    """A ball is one ball: also when one box calls it the cue ball and one a pocketed ball."""
    finds = decode(
        raw(
            (50, 50, 20, 20, Kind.BALL, 0.6),
            (51, 50, 20, 20, Kind.CUE_BALL, 0.8),
            (49, 50, 20, 21, Kind.AWAY, 0.3),
        ),
        1.0,
    )
    assert finds.kinds.tolist() == [Kind.CUE_BALL]


def test_balls_that_touch_are_two() -> None:
    """Two discs that touch, side by side or aslant, are both kept."""
    for dx, dy in ((20, 0), (14.2, 14.2), (17.3, 10)):
        finds = decode(
            raw((50, 50, 20, 20, Kind.BALL, 0.6), (50 + dx, 50 + dy, 20, 20, Kind.BALL, 0.5)), 1.0
        )
        assert len(finds) == 2


def test_a_tip_before_a_ball_in_a_hand_is_all_three() -> None:
    """Things of different groups may lie at one place."""
    finds = decode(
        raw(
            (50, 50, 20, 20, Kind.BALL, 0.6),
            (50, 50, 20, 20, Kind.TIP, 0.5),
            (50, 50, 22, 22, Kind.HAND, 0.7),
        ),
        1.0,
    )
    assert finds.kinds.tolist() == [Kind.HAND, Kind.BALL, Kind.TIP]


def test_of_picks_kinds_of_a_confidence() -> None:
    """Only the wanted kinds, from the wanted confidence on, the best first."""
    finds = Finds(
        np.array([Kind.BALL, Kind.CUE_BALL, Kind.BALL]),
        np.array([(0, 0, 9, 9), (20, 0, 29, 9), (40, 0, 49, 9)], np.float64),
        np.array([0.3, 0.7, 0.6]),
    )
    finds = without_doubles(finds)
    assert finds.confidence.tolist() == [0.7, 0.6, 0.3]
    assert finds.of(Kind.BALL, least=0.5).confidence.tolist() == [0.6]
    assert len(finds.of(Kind.TIP)) == 0
