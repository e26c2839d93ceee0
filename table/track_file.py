"""tracks.csv, ours and truth's: where every ball was, a row a ball a frame."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from table.balls import BallName, ball_order
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


def read_states(path: Path) -> tuple[TableState, ...]:
    """The states in a tracks.csv, one for each time that has a row.

    Raises:
        OSError: when the file cannot be read.
        ValueError: one sentence, when a column is missing or holds no number.
    """
    with path.open(encoding="utf-8", newline="") as lines:
        header = next(csv.reader(lines), [])
        by_time: dict[float, dict[BallName, BallState]] = {}
        for state in states_in(lines, path.name, header):
            by_time.setdefault(state.t_s, {}).update(state.balls)
    return tuple(TableState(t_s, balls) for t_s, balls in sorted(by_time.items()))


def states_in(
    lines: Iterable[str], name: str, columns: Sequence[str] = COLUMNS
) -> Iterator[TableState]:
    """The states in rows of a tracks.csv without its header, in the rows' order.

    Raises:
        ValueError: one sentence, when a column is missing or holds no number.
    """
    t_s: float | None = None
    balls: dict[BallName, BallState] = {}
    for number, row in enumerate(csv.DictReader(lines, columns), start=2):
        try:
            ball, at_s = _ball_state(row), float(row["t_s"])
        except (KeyError, TypeError, ValueError) as error:
            what = f"lacks {error}" if isinstance(error, KeyError) else "holds no number"
            raise ValueError(f"{name}, line {number} {what}") from None
        if t_s is not None and at_s != t_s:
            yield TableState(t_s, balls)
            balls = {}
        t_s = at_s
        balls[ball.name] = ball
    if t_s is not None:
        yield TableState(t_s, balls)


def _ball_state(row: Mapping[str, str]) -> BallState:
    return BallState(
        row["ball"],
        float(row["x_m"]),
        float(row["y_m"]),
        float(row["vx_mps"] or 0.0),
        float(row["vy_mps"] or 0.0),
        float(row.get("sigma_m") or 0.0),
        row.get("seen", "1").strip().lower() in ("1", "true", "1.0"),
    )
