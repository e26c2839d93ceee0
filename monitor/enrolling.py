"""`enroll`: how this table's balls look, from a clip or picture, as a file and a preview."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from calibration.camera import Camera
from calibration.camera_file import CameraFileError
from calibration.errors import CalibrationError
from calibration.find import find_camera
from monitor.calibrating import CalibrationRequest, frames_of, lens_prior
from monitor.failures import CannotBeDoneError
from monitor.staging import write_whole
from vision.ballset import ball_set_fields
from vision.enrolment import Enrolment, enroll
from vision.frames import Image, SourceError
from vision.laid_out import LayoutError
from vision.topview import TopView


@dataclass(frozen=True, slots=True)
class EnrolRequest:
    """Where the table is: `camera` (camera.json), else found as `calibration` says."""

    camera: Path | None = None
    calibration: CalibrationRequest = field(default_factory=CalibrationRequest)


def enroll_source(source: Path, name: str, request: EnrolRequest) -> Enrolment:
    """Learn the ball set that lies on the table in the source's first seconds.

    Raises:
        CannotBeDoneError: one sentence: what hinders and what to do.
    """
    try:
        pictures = frames_of(source)
        top = TopView(_camera(pictures, request))
        return enroll([top.render(each) for each in pictures], top, name)
    except CalibrationError as error:
        raise CannotBeDoneError(f"{source.name}: {str(error).rstrip('.')}.") from None
    except (SourceError, CameraFileError, LayoutError) as error:
        raise CannotBeDoneError(str(error)) from None


def save_enrolment(learned: Enrolment, out: Path, preview: Path | None) -> None:
    """Write the ball set, whole or not at all, and the picture to check it by.

    Raises:
        CannotBeDoneError: when the preview's file type is unknown.
        OSError: when a file cannot be written.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    if preview is not None:
        try:
            done, data = cv2.imencode(preview.suffix.lower() or ".png", learned.preview_bgr)
        except cv2.error:
            done, data = False, None
        if not done or data is None:
            raise CannotBeDoneError(f"{preview.name}: previews are written as .png or .jpg.")
        preview.parent.mkdir(parents=True, exist_ok=True)
        preview.write_bytes(data.tobytes())
    write_whole(out, json.dumps(ball_set_fields(learned.ball_set), indent=1) + "\n")


def _camera(pictures: Sequence[Image], request: EnrolRequest) -> Camera:
    if request.camera is not None:
        return Camera.load(request.camera)
    asked = request.calibration
    lens = lens_prior(asked.lens_file, pictures[0])
    return find_camera(pictures, asked.table, asked.head, asked.points_px, lens).camera
