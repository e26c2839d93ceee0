"""What is known of a lens: measured with a calibration board, kept in a lens file.

{"v": 1, "image_size": [w, h], "K": 3x3, "dist": [k1, k2, p1, p2, k3], "rms_px": ...}
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.boards import BoardView, Image, board_views
from calibration.camera_file import CameraFileError, read_array, read_camera_matrix
from calibration.errors import CalibrationError
from calibration.lens import Array
from calibration.lens_pose import LensPrior
from table.json_fields import FieldError, Fields

PICTURES: Final = (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp")

_LEAST_VIEWS: Final = 3
_LARGEST_RMS_SHARE: Final = 0.0025
"""Largest rms error of a lens calibration, as a share of the picture's longer side."""
_OUTLIER: Final = 2.5
_LARGEST_BEND3: Final = 0.15


@dataclass(frozen=True, eq=False)
class LensCalibration:
    """A lens as measured: K, distortion and how well the boards fit."""

    image_size: tuple[int, int]
    camera_matrix: Array
    dist: Array
    """(5,) k1, k2, p1, p2, k3."""
    rms_px: float
    views: int
    """How many pictures of the board were used."""

    def prior(self, image_size: tuple[int, int]) -> LensPrior:
        """What this lens says about the camera of a picture of `image_size`.

        A picture of another resolution but the same shape is scaled.

        Raises:
            CalibrationError: when the picture has another shape, i.e. is cropped.
        """
        scale = image_size[0] / self.image_size[0]
        if abs(self.image_size[1] * scale - image_size[1]) > 0.01 * image_size[1]:
            raise CalibrationError(
                f"the lens file is for {self.image_size[0]}x{self.image_size[1]} pictures, this "
                f"one has {image_size[0]}x{image_size[1]}: another shape, so it was cropped"
            )
        k = self.camera_matrix
        focal_px = float(k[0, 0] + k[1, 1]) / 2 * scale
        side = max(image_size)
        center = (k[:2, 2] + 0.5) * scale - 0.5
        middle = (np.array(image_size, dtype=np.float64) - 1.0) / 2.0
        edge = side / 2.0 / focal_px
        k1, k2, p1, p2, k3 = (float(value) for value in self.dist)
        return LensPrior(
            focal_share=focal_px / side,
            focal_sigma=0.01,
            bend1=k1 * edge**2,
            bend1_sigma=0.002,
            bend2=k2 * edge**4,
            bend2_sigma=0.002,
            center_offset_share=(
                float(center[0] - middle[0]) / side,
                float(center[1] - middle[1]) / side,
            ),
            focal_per_bend1=0.0,
            bend2_per_bend1_squared=0.0,
            k3_per_k1_cubed=0.0,
            center_sigma_share=0.003,
            fixed_dist=(p1, p2, k3),
        )

    def save(self, path: Path) -> None:
        """Write the lens file."""
        values = {
            "v": 1,
            "image_size": list(self.image_size),
            "K": self.camera_matrix.tolist(),
            "dist": self.dist.tolist(),
            "rms_px": round(self.rms_px, 4),
            "views": self.views,
        }
        part = path.with_name(path.name + ".part")
        part.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
        part.replace(path)


def load_lens(path: Path) -> LensCalibration:
    """Read a lens file, or measure the lens from a folder of pictures of a board.

    Raises:
        CameraFileError: one sentence that names the file and the field.
        CalibrationError: when a folder's pictures do not yield the lens.
    """
    if path.is_dir():
        return lens_from_folder(path)
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CameraFileError(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise CameraFileError(f"{path.name} is not a JSON file") from None
    if not isinstance(values, dict):
        raise CameraFileError(f"{path.name} is not a JSON object")
    fields = Fields(values, path.name)
    try:
        width, height = read_array(fields, "image_size", (2,))
        if width < 1 or height < 1:
            raise fields.fail("image_size", "two whole numbers [width, height]")
        return LensCalibration(
            image_size=(int(width), int(height)),
            camera_matrix=read_camera_matrix(fields),
            dist=read_array(fields, "dist", (5,)),
            rms_px=fields.not_negative("rms_px", 0.0),
            views=fields.integer("views") if "views" in values else 0,
        )
    except FieldError as error:
        raise CameraFileError(str(error)) from None


def lens_from_folder(folder: Path) -> LensCalibration:
    """Measure the lens from all pictures of one camera in a folder.

    Raises:
        CalibrationError: when too few pictures show a board, or they do not fit.
    """
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    pictures = []
    for path in paths:
        picture = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
        if picture is not None:
            pictures.append(np.asarray(picture, np.uint8))
    if not pictures:
        raise CalibrationError(f"{folder.name} holds no pictures of a calibration board")
    return lens_from_pictures(pictures)


def lens_from_pictures(pictures_bgr: Sequence[Image]) -> LensCalibration:
    """Measure the lens from pictures of one chessboard or ChArUco board.

    Raises:
        CalibrationError: when too few pictures show a board, or they do not fit.
    """
    if len({picture.shape for picture in pictures_bgr}) != 1:
        raise CalibrationError("the pictures of the calibration board differ in size")
    height, width = pictures_bgr[0].shape[:2]
    best: LensCalibration | None = None
    for views in board_views(pictures_bgr):
        if len(views) < _LEAST_VIEWS:
            continue
        lens = _calibrated(views, (width, height))
        if best is None or lens.rms_px < best.rms_px:
            best = lens
    if best is None:
        raise CalibrationError(
            f"fewer than {_LEAST_VIEWS} pictures show a whole chessboard or enough of a ChArUco "
            "board: take ten, at different angles and places of the picture"
        )
    if best.rms_px > _LARGEST_RMS_SHARE * max(width, height):
        raise CalibrationError(
            f"the calibration board's corners do not fit a lens ({best.rms_px:.1f} px rms): "
            "is the board flat, and are all pictures of one camera at one zoom?"
        )
    return best


def _calibrated(views: Sequence[BoardView], image_size: tuple[int, int]) -> LensCalibration:
    kept = list(views)
    while True:
        rms, matrix, dist, errors = _fit(kept, image_size, cv2.CALIB_FIX_K3)
        worst = int(np.argmax(errors))
        # A bent print or a misread corner spoils one view, and that view only.
        if len(kept) <= _LEAST_VIEWS + 1 or errors[worst] < _OUTLIER * np.median(errors):
            break
        del kept[worst]
    plain = LensCalibration(image_size, matrix, dist, rms, len(kept))
    rms, matrix, dist, _ = _fit(kept, image_size, 0)
    full = LensCalibration(image_size, matrix, dist, rms, len(kept))
    # k3 is for lenses that need it; elsewhere it would only follow the noise.
    bend3 = abs(float(dist[4])) * (max(image_size) / 2.0 / float(matrix[0, 0])) ** 6
    return full if rms < 0.9 * plain.rms_px and bend3 < _LARGEST_BEND3 else plain


def _fit(
    views: Sequence[BoardView], image_size: tuple[int, int], flags: int
) -> tuple[float, Array, Array, Array]:
    start = 0.8 * max(image_size)
    matrix = np.array(
        [
            [start, 0.0, image_size[0] / 2],
            [0.0, start, image_size[1] / 2],
            [0.0, 0.0, 1.0],
        ]
    )
    result = cv2.calibrateCameraExtended(
        [view.points_board for view in views],
        [view.points_px for view in views],
        image_size,
        matrix,
        np.zeros(5),
        flags=cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | flags,
    )
    rms, fitted, dist, errors = result[0], result[1], result[2], result[7]
    return (
        float(rms),
        np.asarray(fitted, dtype=np.float64),
        np.asarray(dist, dtype=np.float64).reshape(-1)[:5],
        np.asarray(errors, dtype=np.float64).reshape(-1),
    )
