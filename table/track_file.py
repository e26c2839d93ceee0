"""tracks.csv, ours and truth's: where every ball was, a row a ball a frame."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from table.balls import ball_order
from table.state import BallState, TableState

COLUMNS: Final = ("t_s", "ball", "x_m", "y_m", "vx_mps", "vy_mps", "sigma_m", "seen")


def write_tracks(states: Iterable[TableState], path: Path) -> None:
    """Write tracks.csv: times in seconds, positions in metres, `seen` as 1 or 0.

    Raises:
        OSError: when the file cannot be written.
    """
    with path.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(COLUMNS)
        for state in states:
            for ball in sorted(state.balls.values(), key=lambda b: ball_order(b.name)):
                rows.writerow(_row(state.t_s, ball))


def _row(t_s: float, ball: BallState) -> tuple[str, ...]:
    numbers = (ball.x_m, ball.y_m, ball.vx_mps, ball.vy_mps, ball.sigma_m)
    return (f"{t_s:.6f}", ball.name, *(f"{n:.5f}" for n in numbers), "1" if ball.seen else "0")
