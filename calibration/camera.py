"""The camera over a table: lens and pose, from table metres to pixels and back.

Ball centres travel on the plane z = R, not on the cloth, so pixels are intersected with
that plane: `Camera.on_plane`. Table frame: see `table.geometry`; camera frame and lens
model: see `calibration.lens`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from calibration.lens import Array, distort, turning_radius, undistort
from table.geometry import Pocket, TableSpec

SIDES: Final = ("left", "right", "top", "bottom")
"""The image sides at which the head end may lie."""

HEAD_FROM: Final = ("given", "rack", "line", "break", "assumed")
"""How the head end became known (interface.md)."""


@dataclass(frozen=True, eq=False)
class Camera:
    """One calibrated camera: OpenCV pinhole with distortion, and its pose over the table.

    Arrays are float64 and read-only. All methods are vectorised over N points.

    Raises:
        ValueError: when a part has the wrong shape, is not finite, or is impossible.
    """

    image_size: tuple[int, int]
    """(width, height) in pixels."""
    camera_matrix: Array
    """K, 3x3."""
    dist: Array
    """(5,) k1, k2, p1, p2, k3."""
    r_camera_from_table: Array
    """Rotation 3x3."""
    t_camera_from_table_m: Array
    """Translation (3,), metres: x_camera = R x_table + t."""
    table: TableSpec
    head: str = "right"
    """The image side of the head end."""
    head_from: str = "assumed"
    error_mm: Mapping[str, float] = field(default_factory=dict)
    """Calibration error at the cloth: "rms", and one for each cushion."""
    more: Mapping[str, object] = field(default_factory=dict)
    """Further keys of camera.json, kept as they are."""

    def __post_init__(self) -> None:
        shapes = {
            "camera_matrix": (3, 3),
            "dist": (5,),
            "r_camera_from_table": (3, 3),
            "t_camera_from_table_m": (3,),
        }
        for name, shape in shapes.items():
            array = np.array(getattr(self, name), dtype=np.float64)
            if array.shape != shape or not np.all(np.isfinite(array)):
                raise ValueError(f"{name} must be {shape} finite numbers")
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if self.camera_matrix[0, 0] <= 0.0 or self.camera_matrix[1, 1] <= 0.0:
            raise ValueError("camera_matrix must have positive focal lengths")
        rotation = self.r_camera_from_table
        orthogonal = np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-5)
        if not orthogonal or np.linalg.det(rotation) < 0.0:
            raise ValueError("r_camera_from_table must be a rotation")
        if self.head not in SIDES:
            raise ValueError(f"head must be one of {', '.join(SIDES)}")
        if self.position_m[2] <= self.table.ball_diameter_m:
            raise ValueError("the camera must be above the table")

    @cached_property
    def position_m(self) -> Array:
        """The camera's optical centre (3,) in the table frame."""
        position: Array = -self.r_camera_from_table.T @ self.t_camera_from_table_m
        position.setflags(write=False)
        return position

    @property
    def height_m(self) -> float:
        """Height of the optical centre above the cloth."""
        return float(self.position_m[2])

    @property
    def tilt_deg(self) -> float:
        """Angle between the optical axis and straight down."""
        return math.degrees(math.acos(max(-1.0, min(1.0, -float(self.r_camera_from_table[2, 2])))))

    @property
    def focal_px(self) -> float:
        """Focal length in pixels, the mean of both axes."""
        return float(self.camera_matrix[0, 0] + self.camera_matrix[1, 1]) / 2

    @property
    def ball_plane_m(self) -> float:
        """Height R of the plane on which ball centres travel."""
        return self.table.ball_radius_m

    def project(self, points_table_m: ArrayLike) -> Array:
        """Pixels (N, 2) of points (N, 3) x, y, z in metres in the table frame.

        NaN for points that no ray of this lens can show (behind the camera, or beyond the
        radius at which the distortion polynomial folds back).
        """
        points = np.asarray(points_table_m, dtype=np.float64).reshape(-1, 3)
        in_camera = points @ self.r_camera_from_table.T + self.t_camera_from_table_m
        depth = in_camera[:, 2]
        behind = depth <= 1e-6
        ideal = in_camera[:, :2] / np.where(behind, 1.0, depth)[:, None]
        distorted = distort(ideal, self.dist)
        beyond = behind | (np.hypot(ideal[:, 0], ideal[:, 1]) > self._turning_radius)
        distorted[beyond] = np.nan
        k = self.camera_matrix
        pixels: Array = distorted @ k[:2, :2].T + k[:2, 2]
        return pixels

    def project_on_plane(self, points_table_m: ArrayLike, z_m: float | None = None) -> Array:
        """Pixels (N, 2) of points (N, 2) x, y in metres at height z_m (default: z = R)."""
        points = np.asarray(points_table_m, dtype=np.float64).reshape(-1, 2)
        height = self.ball_plane_m if z_m is None else z_m
        return self.project(np.column_stack([points, np.full(len(points), height)]))

    def rays(self, points_px: ArrayLike) -> Array:
        """Unit directions (N, 3) in the table frame of the rays through pixels (N, 2).

        The rays start at `position_m`. NaN where the lens model reaches no such pixel.
        """
        pixels = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
        k = self.camera_matrix
        distorted = (pixels - k[:2, 2]) @ np.linalg.inv(k[:2, :2]).T
        ideal = undistort(distorted, self.dist)
        directions = np.column_stack([ideal, np.ones(len(ideal))]) @ self.r_camera_from_table
        unit: Array = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        return unit

    def on_plane(self, points_px: ArrayLike, z_m: float | None = None) -> Array:
        """Table coordinates (N, 2) in metres of pixels (N, 2) seen at height z_m.

        The default height is the ball-centre plane z = R. NaN where the ray does not come
        down to the plane or the lens model reaches no such pixel.
        """
        height = self.ball_plane_m if z_m is None else z_m
        directions = self.rays(points_px)
        down = np.where(directions[:, 2] < -1e-9, directions[:, 2], np.nan)
        reach = (height - self.position_m[2]) / down
        table: Array = self.position_m[:2] + directions[:, :2] * reach[:, None]
        return table

    def jacobian_px_per_m(self, points_table_m: ArrayLike, z_m: float | None = None) -> Array:
        """Derivatives (N, 2, 2) d(pixel)/d(table metre) at points (N, 2) on a plane."""
        points = np.asarray(points_table_m, dtype=np.float64).reshape(-1, 2)
        step = 1e-4
        columns = [
            (
                self.project_on_plane(points + offset, z_m)
                - self.project_on_plane(points - offset, z_m)
            )
            / (2 * step)
            for offset in (np.array([step, 0.0]), np.array([0.0, step]))
        ]
        return np.stack(columns, axis=2)

    def px_per_m(self, points_table_m: ArrayLike, z_m: float | None = None) -> Array:
        """Local scale (N,) in pixels per metre at points (N, 2): root of the area's scale."""
        scale: Array = np.sqrt(np.abs(np.linalg.det(self.jacobian_px_per_m(points_table_m, z_m))))
        return scale

    def corner_pixels(self, z_m: float = 0.0) -> dict[Pocket, Array]:
        """Pixels (2,) of the four corners of the nose lines at height z_m."""
        corners = self.table.nose_corners
        pixels = self.project_on_plane(list(corners.values()), z_m)
        return dict(zip(corners, pixels, strict=True))

    def side_of_head(self) -> str:
        """The image side toward which the head end lies, from the pose itself."""
        a = self.table.length_m / 2
        ends = self.project_on_plane([(-a / 2, 0.0), (a / 2, 0.0)], 0.0)
        right, down = ends[0] - ends[1]
        if abs(right) >= abs(down):
            return "right" if right > 0 else "left"
        return "bottom" if down > 0 else "top"

    def turned(self) -> Camera:
        """The same view with head and foot exchanged (the table turned by 180 degrees)."""
        half_turn = np.diag([-1.0, -1.0, 1.0])
        opposite = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
        other = {"HEAD": "FOOT", "FOOT": "HEAD", "LEFT_HEAD": "RIGHT_FOOT"}
        other |= {
            "RIGHT_FOOT": "LEFT_HEAD",
            "LEFT_FOOT": "RIGHT_HEAD",
            "RIGHT_HEAD": "LEFT_FOOT",
        }
        return replace(
            self,
            r_camera_from_table=self.r_camera_from_table @ half_turn,
            head=opposite[self.head],
            error_mm={other.get(key, key): value for key, value in self.error_mm.items()},
        )

    @cached_property
    def _turning_radius(self) -> float:
        return turning_radius(self.dist)

    def to_json(self) -> dict[str, object]:
        """The object of camera.json (interface.md)."""
        from calibration.camera_file import camera_to_json  # noqa: PLC0415

        return camera_to_json(self)

    @staticmethod
    def from_json(values: Mapping[str, object], place: str = "camera.json") -> Camera:
        """Read the object of camera.json.

        Raises:
            CameraFileError: one sentence that names `place` and the field.
        """
        from calibration.camera_file import camera_from_json  # noqa: PLC0415

        return camera_from_json(values, place)

    def save(self, path: Path) -> None:
        """Write camera.json; a killed run leaves no half file."""
        text = json.dumps(self.to_json(), indent=1)
        part = path.with_name(path.name + ".part")
        part.write_text(text + "\n", encoding="utf-8")
        part.replace(path)

    @staticmethod
    def load(path: Path) -> Camera:
        """Read camera.json.

        Raises:
            CameraFileError: one sentence that names the file and the field.
        """
        from calibration.camera_file import load_camera  # noqa: PLC0415

        return load_camera(path)
