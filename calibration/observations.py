"""What was seen: pixels that lie on lines of the table, with how sure each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Array

Y_AXIS: Final = 1


@dataclass(frozen=True, eq=False)
class Observations:
    """Pixels on lines of the table; parallel arrays of length N."""

    points_px: Array
    """(N, 2)."""
    z_m: Array
    """(N,) height of the line."""
    axis: NDArray[np.int64]
    """(N,) 0: the line is x = target, 1: y = target."""
    target_m: Array
    """(N,) the line's coordinate."""
    sigma_m: Array
    """(N,) standard deviation of one observation at the table."""
    border_sign: Array
    """(N,) +1/-1 where the unknown width of the cushion tops is added to the target."""
    group: NDArray[np.str_]
    """(N,) what was observed, e.g. "HEAD", "sight"."""
    common_sigma_m: Array
    """(N,) how far all observations of one line and group may lie off together."""
    on_rail: Array
    """(N,) 1 where the unknown rise of the rails over the noses is added to the height, else 0."""
    shared_m: Array
    """(N,) signed: how far noses on all sides may well be seen off alike, outward; 0 for others."""

    @property
    def are_sights(self) -> NDArray[np.bool_]:
        """(N,) which are sights: on the rails, and not at the border of the cloth."""
        sights: NDArray[np.bool_] = (self.on_rail > 0.0) & (self.border_sign == 0.0)
        return sights

    def __len__(self) -> int:
        return len(self.points_px)

    def where(self, keep: NDArray[np.bool_]) -> Observations:
        """The observations selected by a mask (N,)."""
        return Observations(
            self.points_px[keep],
            self.z_m[keep],
            self.axis[keep],
            self.target_m[keep],
            self.sigma_m[keep],
            self.border_sign[keep],
            self.group[keep],
            self.common_sigma_m[keep],
            self.on_rail[keep],
            self.shared_m[keep],
        )


def on_line(
    points_px: Array,
    *,
    axis: int,
    target_m: float,
    z_m: float,
    sigma_m: float,
    group: str,
    border_sign: float = 0.0,
    common_sigma_m: float = 0.0,
    on_rail: bool = False,
) -> Observations:
    """Observations of pixels (N, 2) on one line of the table."""
    count = len(points_px)
    return Observations(
        np.asarray(points_px, dtype=np.float64).reshape(-1, 2),
        np.full(count, z_m),
        np.full(count, axis, dtype=np.int64),
        np.full(count, target_m),
        np.full(count, sigma_m),
        np.full(count, border_sign),
        np.full(count, group, dtype="<U16"),
        np.full(count, common_sigma_m),
        np.full(count, float(on_rail)),
        np.zeros(count),
    )


def joined(parts: Sequence[Observations]) -> Observations:
    """Several sets of observations as one."""
    return Observations(
        np.concatenate([part.points_px for part in parts]),
        np.concatenate([part.z_m for part in parts]),
        np.concatenate([part.axis for part in parts]),
        np.concatenate([part.target_m for part in parts]),
        np.concatenate([part.sigma_m for part in parts]),
        np.concatenate([part.border_sign for part in parts]),
        np.concatenate([part.group for part in parts]),
        np.concatenate([part.common_sigma_m for part in parts]),
        np.concatenate([part.on_rail for part in parts]),
        np.concatenate([part.shared_m for part in parts]),
    )
