"""One shot without pixels: the truth, and what a detector saw of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from synthetic.physics.motion import Array
from table.balls import BallName
from table.geometry import TableSpec
from table.log import ShotLog
from table.state import TableState
from vision.detections import Detections

Reading = BallName | None
"""The name that one frame's look votes for, None when it says nothing."""


@dataclass(frozen=True, eq=False)
class SimulatedShot:
    """One shot: the truth, and what a detector saw of it frame by frame."""

    name: str
    log: ShotLog
    times_s: tuple[float, ...]
    states: tuple[TableState, ...]
    """Where every ball is; `seen` False where no camera could see it."""
    declarations: tuple[Mapping[str, object], ...]
    expected: tuple[Mapping[str, object], ...]
    detections: tuple[Detections, ...]
    readings: tuple[tuple[Reading, ...], ...]
    """For each detection of each frame, the name its look votes for."""
    covers: tuple[Array, ...]
    """For each frame the places (N, 3) x, y, radius of everything that is not cloth."""
    table: TableSpec

    def covered(self, frame: int, x_m: float, y_m: float) -> float:
        """Share 0..1 of a ball's disc at a place that is not cloth in a frame."""
        cover, radius = self.covers[frame], self.table.ball_radius_m
        if not len(cover):
            return 0.0
        away = np.hypot(cover[:, 0] - x_m, cover[:, 1] - y_m)
        share = np.clip((radius + cover[:, 2] - away) / (2.0 * radius), 0.0, 1.0)
        return float(share.max())
