"""`calibrate`: the camera of a clip or picture, as a file and as a picture to check it by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.camera_file import CameraFileError
from calibration.errors import CalibrationError
from calibration.find import find_camera
from calibration.found import Calibration
from calibration.lens_file import load_lens
from calibration.lens_pose import LensPrior
from monitor.failures import CannotBeDoneError
from table.geometry import NINE_FOOT, Pocket, Point, TableSpec
from vision.frames import Image, SourceError, VideoFile

PICTURES: Final = frozenset((".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp"))
FRAMES: Final = 5
STEP_S: Final = 0.75
"""What moves over the table has moved on by the next of these frames."""


@dataclass(frozen=True, slots=True)
class CalibrationRequest:
    """What the user said about the camera."""

    table: TableSpec = NINE_FOOT
    head: str | None = None
    points_px: Mapping[Pocket, Point] | None = None
    lens_file: Path | None = None
    """A lens file, or a folder with pictures of a calibration board."""


def calibrate_source(source: Path, request: CalibrationRequest) -> tuple[Calibration, Image]:
    """The calibration and the first frame it was made from.

    Raises:
        CannotBeDoneError: one sentence: the source cannot be read, or shows no table.
    """
    try:
        frames = frames_of(source)
        lens = lens_prior(request.lens_file, frames[0])
        found = find_camera(frames, request.table, request.head, request.points_px, lens)
    except (SourceError, CameraFileError) as error:
        raise CannotBeDoneError(str(error)) from None
    except CalibrationError as error:
        raise CannotBeDoneError(f"{source.name}: {str(error).rstrip('.')}.") from None
    return found, frames[0]


def lens_prior(lens_file: Path | None, picture: Image) -> LensPrior | None:
    """What is known of the lens that made `picture`.

    Raises:
        CameraFileError, CalibrationError: when the lens file cannot be used.
    """
    height, width = picture.shape[:2]
    return None if lens_file is None else load_lens(lens_file).prior((width, height))


def frames_of(source: Path) -> Sequence[Image]:
    """Frames (h, w, 3) uint8 BGR to calibrate from: a picture, or some of a video's first ones.

    Raises:
        SourceError: when the source cannot be read.
    """
    if source.suffix.lower() in PICTURES and source.is_file():
        picture = cv2.imdecode(np.fromfile(source, np.uint8), cv2.IMREAD_COLOR)
        if picture is None:
            raise SourceError(f"{source.name} is not a picture that can be read.")
        return [np.asarray(picture, np.uint8)]
    wanted = islice(VideoFile(source, every_s=STEP_S), FRAMES)
    return [frame.image for frame in wanted]
