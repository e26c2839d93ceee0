"""Learning a ball set from a clip or a picture: the work behind `enroll`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from monitor.failures import CannotBeDoneError
from monitor.staging import write_whole
from table.geometry import Pocket, Point, TableSpec

if TYPE_CHECKING:
    from calibration.camera import Camera
    from vision.enrolment import Enrolment
    from vision.frames import Image

_WATCHED_S: Final = 4.0
_APART_S: Final = 0.5
_FOR_CAMERA: Final = 5


@dataclass(frozen=True, slots=True)
class EnrolRequest:
    """What is to be learned from where, and where it goes.

    `camera` (camera.json) or else `table`, `head` and `points_px` say where the table is;
    `preview` is the picture to check the result by, None for none.
    """

    source: Path
    out: Path
    table: TableSpec
    camera: Path | None = None
    head: str | None = None
    points_px: Mapping[Pocket, Point] | None = None
    preview: Path | None = None


def enroll_from(request: EnrolRequest) -> tuple[str, ...]:
    """Learn the set, write it and its preview; sentences for the user.

    Raises:
        CannotBeDoneError: one sentence: what hinders and what to do.
        OSError: when a result cannot be written.
    """
    import json  # noqa: PLC0415

    from vision.ballset import ball_set_fields  # noqa: PLC0415

    learned = _learn(request)
    text = json.dumps(ball_set_fields(learned.ball_set), indent=1) + "\n"
    write_whole(request.out, text)
    if request.preview is not None:
        _write_picture(request.preview, learned.preview_bgr)
    names = ", ".join(learned.ball_set.names)
    return (f"{len(learned.ball_set.names)} balls learned: {names}.", *learned.notes)


def _learn(request: EnrolRequest) -> Enrolment:
    from calibration.camera_file import CameraFileError  # noqa: PLC0415
    from calibration.errors import CalibrationError  # noqa: PLC0415
    from vision.enrolment import enroll  # noqa: PLC0415
    from vision.frames import SourceError  # noqa: PLC0415
    from vision.laid_out import LayoutError  # noqa: PLC0415
    from vision.topview import TopView  # noqa: PLC0415

    try:
        pictures = _pictures(request.source)
        top = TopView(_camera(request, pictures))
        return enroll([top.render(each) for each in pictures], top, request.out.stem)
    except CalibrationError as error:
        raise CannotBeDoneError(f"{request.source.name}: {error}.") from None
    except (SourceError, CameraFileError, LayoutError) as error:
        raise CannotBeDoneError(str(error)) from None


def _pictures(source: Path) -> list[Image]:
    """A few frames from the first seconds."""
    from vision.frames import VideoFile  # noqa: PLC0415

    pictures: list[Image] = []
    first_s: float | None = None
    due_s = 0.0
    for frame in VideoFile(source):
        first_s = frame.t_s if first_s is None else first_s
        if frame.t_s - first_s > _WATCHED_S:
            break
        if frame.t_s - first_s >= due_s:
            pictures.append(frame.image)
            due_s += _APART_S
    return pictures


def _camera(request: EnrolRequest, pictures: list[Image]) -> Camera:
    from calibration.camera import Camera  # noqa: PLC0415
    from calibration.find import find_camera  # noqa: PLC0415

    if request.camera is not None:
        return Camera.load(request.camera)
    step = max(1, len(pictures) // _FOR_CAMERA)
    few = pictures[::step][:_FOR_CAMERA]
    return find_camera(few, request.table, request.head, request.points_px).camera


def _write_picture(path: Path, picture: Image) -> None:
    import cv2  # noqa: PLC0415

    suffix = path.suffix.lower() if path.suffix.lower() in {".png", ".jpg", ".jpeg"} else ".png"
    done, data = cv2.imencode(suffix, picture)
    if not done:
        raise CannotBeDoneError(f"The preview {path} could not be made.")
    path.write_bytes(data.tobytes())
