"""MOTChallenge: gt/gt.txt and seqinfo.ini of one sequence.

Source: Dendorfer et al., "MOTChallenge: a benchmark for single-camera multiple target
tracking", IJCV 2021, and its submission instructions: frame, id, left, top, width, height,
flag, class, visibility; frames and pixels count from 1.
"""

from __future__ import annotations

import configparser
from pathlib import Path
from typing import Final

from monitor.exports.ball_boxes import ball_boxes
from monitor.exports.reviewed_folder import ReviewedFolder
from table.balls import Ball, BallName, is_unknown

_FIRST_UNKNOWN: Final = 100
"""Ids: cue ball 1, balls 1 to 10 as 2 to 11; u1 is 101, and so on."""


def write_mot(reviewed: ReviewedFolder, out: Path) -> list[Path]:
    """Write the tracks as ground truth of one sequence; frames are those of the video."""
    (out / "gt").mkdir(parents=True, exist_ok=True)
    truth, frames = out / "gt" / "gt.txt", 0
    with truth.open("w", encoding="ascii", newline="\n") as lines:
        for frame, state in reviewed.frames():
            frames = frame.index + 1
            for box in ball_boxes(state, reviewed.camera) if state else ():
                left, top, size = box.left_top_size
                lines.write(
                    f"{frames},{mot_id(box.ball)},{left + 1:.2f},{top + 1:.2f},"
                    f"{size:.2f},{size:.2f},1,1,{1 if box.seen else 0}\n"
                )
    sequence = out / "seqinfo.ini"
    _write_sequence(sequence, reviewed, frames)
    return [truth, sequence]


def mot_id(ball: BallName) -> int:
    """The number of a ball's track."""
    if is_unknown(ball):
        return _FIRST_UNKNOWN + int(ball.removeprefix("u"))
    return int(Ball.from_text(ball)) + 1


def _write_sequence(path: Path, reviewed: ReviewedFolder, frames: int) -> None:
    source, (width, height) = reviewed.log.source, reviewed.camera.image_size
    sequence = configparser.ConfigParser()
    sequence.optionxform = str  # type: ignore[assignment,method-assign]
    sequence["Sequence"] = {
        "name": Path(source.file).stem,
        "imDir": "img1",
        "frameRate": f"{source.fps or 0:g}",
        "seqLength": str(frames),
        "imWidth": str(width),
        "imHeight": str(height),
        "imExt": ".jpg",
    }
    with path.open("w", encoding="utf-8") as out:
        sequence.write(out, space_around_delimiters=False)
