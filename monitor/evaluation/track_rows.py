"""The rows of a tracks.csv, ours or truth's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from table.balls import BallName
from table.state import TableState
from table.track_file import read_states


@dataclass(frozen=True, slots=True)
class TrackRow:
    """A ball at a time, from tracks.csv."""

    t_s: float
    ball: BallName
    x_m: float
    y_m: float
    speed_mps: float
    seen: bool


def read_tracks(path: Path) -> tuple[TrackRow, ...]:
    """The rows of a tracks.csv, none when there is no such file.

    Raises:
        ValueError: when a column is missing or holds no number.
    """
    return rows_of_states(read_states(path)) if path.is_file() else ()


def rows_of_states(states: Iterable[TableState]) -> tuple[TrackRow, ...]:
    """The same rows from states in memory."""
    return tuple(
        TrackRow(state.t_s, ball.name, ball.x_m, ball.y_m, ball.speed_mps, ball.seen)
        for state in states
        for ball in state.balls.values()
    )
