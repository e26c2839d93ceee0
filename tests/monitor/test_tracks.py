"""Tracks: the CSV file, positions between frames, shorter paths."""

import csv
import math
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.tracks import Tracks, moved, simplified
from table.geometry import Point
from table.state import BallState, TableState
from table.track_file import COLUMNS, write_tracks

points = st.lists(st.tuples(st.floats(-1.3, 1.3), st.floats(-0.7, 0.7)), min_size=2, max_size=30)


def states() -> list[TableState]:
    """The cue ball rolls 1 m in 1 s; the 3 is seen only in the first frame."""
    return [
        TableState(0.0, {"3": BallState("3", 0.5, 0.5), "cue": BallState("cue", 0.0, 0.0, 1.0)}),
        TableState(0.5, {"cue": BallState("cue", 0.5, 0.0, 1.0, seen=False)}),
        TableState(1.0, {"cue": BallState("cue", 1.0, 0.0, 1.0, sigma_m=0.001)}),
    ]


def test_tracks_csv_has_a_row_a_ball_a_frame(tmp_path: Path) -> None:
    write_tracks(states(), tmp_path / "tracks.csv")
    with (tmp_path / "tracks.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["t_s"], row["ball"], row["seen"]) for row in rows] == [
        ("0.000000", "cue", "1"),
        ("0.000000", "3", "1"),
        ("0.500000", "cue", "0"),
        ("1.000000", "cue", "1"),
    ]
    assert float(rows[-1]["x_m"]) == 1.0
    assert float(rows[-1]["sigma_m"]) == 0.001


def test_positions_between_frames_are_linear() -> None:
    track = Tracks.from_states(states()).of["cue"]
    assert track.at(0.75, reach_s=0.3) == pytest.approx((0.75, 0.0))
    assert track.at(0.5) == pytest.approx((0.5, 0.0))


def test_far_from_any_frame_there_is_no_position() -> None:
    tracks = Tracks.from_states(states())
    assert tracks.at("3", 0.1) == (0.5, 0.5)
    assert tracks.at("3", 0.9) is None
    assert tracks.at("cue", 1.4) is None
    assert tracks.at("9", 0.0) is None
    assert tracks.at("cue", None) is None


def test_between_includes_both_ends() -> None:
    track = Tracks.from_states(states()).of["cue"]
    assert track.between(0.5, 1.0) == ((0.5, 0.0), (1.0, 0.0))
    assert track.between(-math.inf, math.inf) == ((0.0, 0.0), (0.5, 0.0), (1.0, 0.0))


def test_a_straight_path_needs_two_points_and_a_corner_a_third() -> None:
    straight = [(k / 10, 0.0) for k in range(11)]
    assert simplified(straight, 0.001) == [(0.0, 0.0), (1.0, 0.0)]
    bent = [*straight, (1.0, 0.3), (1.0, 0.6)]
    assert simplified(bent, 0.001) == [(0.0, 0.0), (1.0, 0.0), (1.0, 0.6)]


def test_a_ball_that_comes_back_keeps_its_turning_point() -> None:
    assert simplified([(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], 0.01)[1] == (1.0, 0.0)


@given(points, st.floats(0.001, 0.2))
def test_the_shorter_path_stays_within_the_tolerance(path: list[Point], tolerance: float) -> None:
    short = simplified(path, tolerance)
    assert short[0] == path[0]
    assert short[-1] == path[-1]
    for point in path:
        assert min(_distance(point, a, b) for a, b in pairwise(short)) <= tolerance + 1e-9


@pytest.mark.parametrize(
    ("path", "answer"),
    [([], False), ([(0, 0)], False), ([(0, 0), (0.005, 0)], False), ([(0, 0), (0.1, 0)], True)],
)
def test_moved(path: list[Point], answer: bool) -> None:
    assert moved(path, 0.01) is answer


def _distance(point: Point, a: Point, b: Point) -> float:
    best = math.inf
    for k in range(201):
        part = k / 200
        best = min(
            best, math.dist(point, (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])))
        )
    return best - math.dist(a, b) / 200
