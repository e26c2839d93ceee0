"""What a detector or the localizer saw in one frame: checked, read-only columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Round, ball-sized things of one frame, table frame, N rows.

    `centers_m` (N, 2) float64 metres on the ball-centre plane; for a moving ball the middle
    of its blur streak. `streaks_m` (N, 2): half the streak's length along its direction
    (sign unknown), zero for a still ball. `quality` (N,) 0..1: how much of a ball's outline
    and disc was seen. `colors` (N, 3): robust mean colour of the disc, CIE L*a*b* (8-bit scale).
    `sigma_m` (N,): one standard deviation of the centre along each axis. `alone` (N,) bool:
    seen apart from anything that reaches over the table's edge (a hand, a cue, a body).

    Raises:
        ValueError: when the columns do not fit each other.
    """

    centers_m: Floats
    streaks_m: Floats
    quality: Floats
    colors: Floats
    sigma_m: Floats
    alone: NDArray[np.bool_]

    def __post_init__(self) -> None:
        n = len(self.centers_m)
        wanted = {
            "centers_m": (n, 2),
            "streaks_m": (n, 2),
            "quality": (n,),
            "colors": (n, 3),
            "sigma_m": (n,),
        }
        for name, shape in wanted.items():
            column = np.array(getattr(self, name), np.float64)
            if column.shape != shape:
                raise ValueError(f"{name} has shape {column.shape}, expected {shape}")
            if not np.isfinite(column).all():
                raise ValueError(f"{name} holds a number that is not finite")
            column.setflags(write=False)
            object.__setattr__(self, name, column)
        alone = np.array(self.alone, bool)
        if alone.shape != (n,):
            raise ValueError(f"alone has shape {alone.shape}, expected {(n,)}")
        alone.setflags(write=False)
        object.__setattr__(self, "alone", alone)

    def __len__(self) -> int:
        return len(self.centers_m)

    @classmethod
    def empty(cls) -> Detections:
        """No detection."""
        none = np.zeros((0, 2))
        return cls(none, none, np.zeros(0), np.zeros((0, 3)), np.zeros(0), np.zeros(0, bool))
