"""One remap a frame: an undistorted, metric view of the ball-centre plane.

In the top view every ball is a disc of the same size wherever it lies, and the area
outside the table, where most things that are not balls live, is gone.

Top-view pixels: column u grows with table x, row v grows with -y (so the picture looks
like the table from above, head end on the left); the centre of the first pixel is (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.frames import Image

Points = NDArray[np.float64]


@dataclass
class TopView:
    """The mapping of one camera's picture to the metric top view.

    `px_per_m` is the scale, `margin_m` how far the view reaches beyond the noses.
    """

    camera: Camera
    px_per_m: float = 500.0
    margin_m: float = 0.13
    width: int = field(init=False)
    height: int = field(init=False)
    _maps: tuple[NDArray[np.int16], NDArray[np.uint16]] = field(init=False, repr=False)
    _source_px: NDArray[np.float32] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        table = self.camera.table
        self.width = round((table.length_m + 2 * self.margin_m) * self.px_per_m)
        self.height = round((table.width_m + 2 * self.margin_m) * self.px_per_m)
        columns, rows = np.meshgrid(np.arange(self.width), np.arange(self.height))
        grid = np.column_stack((columns.ravel(), rows.ravel())).astype(np.float64)
        points = np.column_stack((self.to_table(grid), np.full(len(grid), table.ball_radius_m)))
        pixels = self.camera.project(points).reshape(self.height, self.width, 2)
        self._source_px = pixels.astype(np.float32)
        self._maps = self._fixed_point(0.0, 0.0)

    def _fixed_point(self, dx: float, dy: float) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        shifted = self._source_px + np.array((dx, dy), np.float32)
        # Fixed-point maps halve the cost of the remap.
        first, second = cv2.convertMaps(shifted[..., 0], shifted[..., 1], cv2.CV_16SC2)
        return np.asarray(first, np.int16), np.asarray(second, np.uint16)

    @property
    def ball_radius_px(self) -> float:
        """Radius of a ball in the top view."""
        return self.camera.table.ball_radius_m * self.px_per_m

    def render(self, picture: Image) -> Image:
        """Remap a picture ((h, w) or (h, w, 3) uint8) to the top view of the same kind."""
        flat = cv2.remap(picture, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, np.uint8)

    def to_table(self, points_px: Points) -> Points:
        """Top-view pixels (N, 2) -> table metres (N, 2)."""
        table = self.camera.table
        x_m = points_px[:, 0] / self.px_per_m - table.length_m / 2 - self.margin_m
        y_m = table.width_m / 2 + self.margin_m - points_px[:, 1] / self.px_per_m
        return np.column_stack((x_m, y_m))

    def from_table(self, points_m: Points) -> Points:
        """Table metres (N, 2) -> top-view pixels (N, 2)."""
        table = self.camera.table
        u = (points_m[:, 0] + table.length_m / 2 + self.margin_m) * self.px_per_m
        v = (table.width_m / 2 + self.margin_m - points_m[:, 1]) * self.px_per_m
        return np.column_stack((u, v))

    def distance_into_table_m(self) -> NDArray[np.float32]:
        """(h, w) metres from each pixel to the nearest nose line, positive over the bed."""
        table = self.camera.table
        columns = np.arange(self.width) / self.px_per_m - self.margin_m
        rows = np.arange(self.height) / self.px_per_m - self.margin_m
        along = np.minimum(columns, table.length_m - columns)
        across = np.minimum(rows, table.width_m - rows)
        return np.minimum(along[None, :], across[:, None]).astype(np.float32)
