"""`clips`: one video file a shot, packets copied and not encoded again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from monitor.exports.reviewed_folder import ReviewedFolder
from monitor.failures import CannotBeDoneError
from monitor.packet_cut import cut_from_file
from monitor.staging import staged_folder
from table.events import known_span_s

BEFORE_S: Final = 2.0
AFTER_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class ShotClip:
    """One written file; it begins at the key frame before the wanted moment."""

    shot: int
    path: Path
    from_s: float
    """Presentation time in the reviewed video at which the file begins."""


def write_shot_clips(reviewed: ReviewedFolder, out: Path) -> list[ShotClip]:
    """Cut the reviewed video into its shots, from 2 s before the stroke to 1 s after rest.

    Raises:
        CannotBeDoneError: when the log has no shot with a time, or the video is not there.
    """
    video = reviewed.video_file()
    clips: list[ShotClip] = []
    with staged_folder(out) as stage:
        for number, events in reviewed.log.shots().items():
            span = known_span_s(events)
            if span is None:
                continue
            name = f"shot_{number:03d}.mp4"
            cut = cut_from_file(video, span[0] - BEFORE_S, span[1] + AFTER_S, stage / name)
            clips.append(ShotClip(number, out / name, cut.from_s))
        if not clips:
            raise CannotBeDoneError(f"{reviewed.folder} has no shot whose time is known.")
    return clips
