"""Since when each place of the bed has not been seen free of any ball.

A ball that comes into view at rest, from under an arm, was there all along unless its place
was seen to be bare cloth in between.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.topview import TopView

_CELL_PX: Final = 12
_FREE: Final = 30
"""Mean of a cell of the 0/255 foreground mask up to which it counts as bare cloth."""


@dataclass(eq=False)
class Freedom:
    """The last moment at which each cell of the top view was seen to be bare cloth."""

    top: TopView
    _last_free_s: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self._last_free_s = np.full(
            (self.top.height // _CELL_PX, self.top.width // _CELL_PX), -np.inf
        )

    def update(self, foreground: Image, t_s: float) -> None:
        """Take a frame's (h, w) uint8 mask of all that is not cloth."""
        rows, columns = self._last_free_s.shape
        whole = foreground[: rows * _CELL_PX, : columns * _CELL_PX]
        cells = cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA)
        self._last_free_s[cells < _FREE] = t_s

    def last_free_s(self, x_m: float, y_m: float) -> float:
        """When the place around (x, y) was last bare; -inf when never."""
        u, v = self.top.from_table(np.array([[x_m, y_m]]))[0]
        row, column = int(v) // _CELL_PX, int(u) // _CELL_PX
        near = self._last_free_s[max(0, row - 1) : row + 1, max(0, column - 1) : column + 1]
        return float(near.max()) if near.size else -np.inf
