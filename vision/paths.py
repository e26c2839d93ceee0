"""What was seen of one ball, sighting by sighting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """What was seen of one ball: `t_s` (N,), `xy_m` (N, 2), `sigma_m` (N,), in order of time.

    `frame` (N,) are the frames' numbers.
    """

    t_s: Floats
    xy_m: Floats
    sigma_m: Floats
    frame: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.t_s)
