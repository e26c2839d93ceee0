"""Frames of a reviewed video as pictures with labels, for training and for label editors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from monitor.exports.ball_boxes import BallBox, ball_boxes
from monitor.exports.reviewed_folder import ReviewedFolder
from monitor.failures import CannotBeDoneError
from table.balls import Ball, BallName, is_unknown

UNKNOWN_CLASS: Final = "unknown"
CLASSES: Final = (*(ball.text for ball in Ball), UNKNOWN_CLASS)
"""Class names in the order of their numbers: cue ball 0, balls 1 to 10, unknown 11."""
_QUALITY: Final = 92


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """One written picture and the balls seen in it."""

    path: Path
    width: int
    height: int
    t_s: float
    boxes: tuple[BallBox, ...]


def class_of(ball: BallName) -> int:
    """The class number of a ball."""
    return CLASSES.index(UNKNOWN_CLASS if is_unknown(ball) else ball)


def write_pictures(reviewed: ReviewedFolder, folder: Path, every: int) -> Iterator[LabelledPicture]:
    """Write every n-th frame whose balls are known as a JPEG file.

    Balls that were not seen (hidden, predicted) have no box.

    Raises:
        CannotBeDoneError: when no frame has balls.
        OSError: when a picture cannot be written.
    """
    import cv2  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    stem, written = Path(reviewed.log.source.file).stem, 0
    for frame, state in reviewed.frames():
        if frame.index % every or state is None:
            continue
        height, width = frame.image.shape[:2]
        path = folder / f"{stem}_{frame.index:06d}.jpg"
        _, jpeg = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        path.write_bytes(jpeg.tobytes())
        boxes = tuple(box for box in ball_boxes(state, reviewed.camera) if box.seen)
        yield LabelledPicture(path, width, height, frame.t_s, boxes)
        written += 1
    if not written:
        raise CannotBeDoneError(
            f"No frame of {stem} has known balls, so there is nothing to label."
        )
