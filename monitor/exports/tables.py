"""Tables: tracks and events as CSV and as Parquet."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from monitor.exports.event_rows import COLUMNS, event_rows
from monitor.exports.reviewed_folder import ReviewedFolder
from monitor.failures import CannotBeDoneError
from table.track_file import write_tracks

if TYPE_CHECKING:
    import polars


def write_csv(reviewed: ReviewedFolder, out: Path) -> list[Path]:
    """Write events.csv and tracks.csv."""
    out.mkdir(parents=True, exist_ok=True)
    events, tracks = out / "events.csv", out / "tracks.csv"
    with events.open("w", encoding="utf-8", newline="") as lines:
        rows = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
        rows.writeheader()
        rows.writerows(event_rows(reviewed.log))
    write_tracks(reviewed.states, tracks)
    return [events, tracks]


def write_parquet(reviewed: ReviewedFolder, out: Path) -> list[Path]:
    """Write events.parquet and tracks.parquet.

    Raises:
        CannotBeDoneError: when polars is not installed.
    """
    try:
        import polars  # noqa: F401, PLC0415
    except ImportError:
        raise CannotBeDoneError(
            "Parquet needs the package polars; install it with pip, or export as csv."
        ) from None
    out.mkdir(parents=True, exist_ok=True)
    events, tracks = out / "events.parquet", out / "tracks.parquet"
    _events(reviewed).write_parquet(events)
    _tracks(reviewed).write_parquet(tracks)
    return [events, tracks]


def _events(reviewed: ReviewedFolder) -> polars.DataFrame:
    import polars  # noqa: PLC0415

    special: dict[str, type[polars.DataType]] = {
        "shot": polars.Int32,
        "t_s": polars.Float64,
        "dt_s": polars.Float64,
        "confidence": polars.Float64,
        "jaw": polars.Boolean,
    }
    types = {name: special.get(name, polars.String) for name in COLUMNS}
    return polars.DataFrame(list(event_rows(reviewed.log)), schema=types)


def _tracks(reviewed: ReviewedFolder) -> polars.DataFrame:
    import polars  # noqa: PLC0415

    balls = [(state.t_s, ball) for state in reviewed.states for ball in state.balls.values()]
    return polars.DataFrame(
        {
            "t_s": [t_s for t_s, _ in balls],
            "ball": [ball.name for _, ball in balls],
            "x_m": [ball.x_m for _, ball in balls],
            "y_m": [ball.y_m for _, ball in balls],
            "vx_mps": [ball.vx_mps for _, ball in balls],
            "vy_mps": [ball.vy_mps for _, ball in balls],
            "sigma_m": [ball.sigma_m for _, ball in balls],
            "seen": [ball.seen for _, ball in balls],
        },
        schema={
            "t_s": polars.Float64,
            "ball": polars.String,
            **dict.fromkeys(("x_m", "y_m", "vx_mps", "vy_mps", "sigma_m"), polars.Float64),
            "seen": polars.Boolean,
        },
    )
