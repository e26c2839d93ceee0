"""The rows of a tracks.csv, ours or truth's."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from table.balls import BallName
from table.state import TableState


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
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8", newline="") as lines:
        try:
            return tuple(_track_row(row) for row in csv.DictReader(lines))
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path.name} lacks the column {error}") from None


def _track_row(row: Mapping[str, str]) -> TrackRow:
    velocity = complex(float(row["vx_mps"] or 0.0), float(row["vy_mps"] or 0.0))
    return TrackRow(
        t_s=float(row["t_s"]),
        ball=row["ball"],
        x_m=float(row["x_m"]),
        y_m=float(row["y_m"]),
        speed_mps=abs(velocity),
        seen=row.get("seen", "1").strip().lower() in ("1", "true", "1.0"),
    )


def rows_of_states(states: Iterable[TableState]) -> tuple[TrackRow, ...]:
    """The same rows from states in memory."""
    return tuple(
        TrackRow(state.t_s, ball.name, ball.x_m, ball.y_m, ball.speed_mps, ball.seen)
        for state in states
        for ball in state.balls.values()
    )
