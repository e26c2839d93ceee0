"""`export`: a reviewed folder in one of the formats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from monitor.exports import DEFAULT_EVERY
from monitor.exports.coco import write_coco
from monitor.exports.mot import write_mot
from monitor.exports.pooltool_shots import write_pooltool
from monitor.exports.reviewed_folder import ReviewedFolder
from monitor.exports.tables import write_csv, write_parquet
from monitor.exports.yolo import write_yolo
from monitor.staging import staged_folder


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What the user asked for."""

    folder: Path
    format: str
    out: Path
    video: Path | None = None
    every: int = DEFAULT_EVERY
    """Pictures for training: every n-th frame."""


_Writer = Callable[[ReviewedFolder, Path, ExportRequest], list[Path]]
_WRITERS: Final[dict[str, _Writer]] = {
    "mot": lambda reviewed, out, _: write_mot(reviewed, out),
    "coco": lambda reviewed, out, asked: write_coco(reviewed, out, asked.every),
    "yolo": lambda reviewed, out, asked: write_yolo(reviewed, out, asked.every),
    "parquet": lambda reviewed, out, _: write_parquet(reviewed, out),
    "csv": lambda reviewed, out, _: write_csv(reviewed, out),
    "pooltool": lambda reviewed, out, _: write_pooltool(reviewed, out),
}


def export(asked: ExportRequest) -> list[Path]:
    """Write a reviewed folder in another format; returns what was written.

    Nothing is left behind when it fails.

    Raises:
        CannotBeDoneError: one sentence, when the folder lacks what the format needs.
    """
    reviewed = ReviewedFolder(asked.folder, asked.video)
    with staged_folder(asked.out) as stage:
        written = _WRITERS[asked.format](reviewed, stage, asked)
        names = [path.relative_to(stage) for path in written]
    return [asked.out / name for name in names]
