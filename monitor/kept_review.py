"""What a review kept of itself, so that it need not look at the same video again.

`.review.json` in the results says from what they were made. When all of that is the same
(the video file, the camera, the options, the program), what was seen is taken from the results and
only rulings and report are made: a question answered costs no second look.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from monitor.observation import Observation
from monitor.state_file import StateFile, span_of
from table.log import LogError, read_log

if TYPE_CHECKING:
    from monitor.review import ReviewRequest

NAME: Final = ".review.json"
_SEEING: Final = ("table", "calibration", "vision", "monitor", "models")
"""The packages whose text decides what is seen; the rules may change."""


def key_of(video: Path, request: ReviewRequest) -> str:
    """A hash of everything that decides what a review sees.

    Raises:
        OSError: when a file that was named cannot be read.
    """
    there = video.stat()
    given: dict[str, object] = {
        "program": program_hash(),
        "video": [str(video.resolve()), there.st_size, there.st_mtime_ns],
        "camera": None if request.camera is None else _hash(request.camera.read_bytes()),
        "table": [request.table.length_m, request.table.width_m],
        "head": request.head,
        "points_px": _points(request.points_px),
        "ball_set": _ball_set(request.ball_set),
        "network": asdict(request.settings.network),
        "evidence": asdict(request.settings.evidence),
    }
    return _hash(json.dumps(given, sort_keys=True).encode())


def kept_text(seen: Observation, key: str) -> str:
    """The text of `.review.json`."""
    span = span_of(seen.states)
    row: dict[str, object] = {
        "v": 1,
        "key": key,
        "states": len(seen.states),
        "span_s": None if span is None else list(span),
        "notes": list(seen.notes),
        "ended_early": seen.ended_early,
        "later_cameras": [[t_s, camera.to_json()] for t_s, camera in seen.later_cameras],
    }
    return json.dumps(row) + "\n"


def read_kept(folder: Path, key: str) -> Observation | None:
    """What an earlier review of the same saw; None when there is none, or it is not whole."""
    from calibration.camera import Camera  # noqa: PLC0415
    from calibration.camera_file import CameraFileError  # noqa: PLC0415

    try:
        row: Any = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if not isinstance(row, dict) or row.get("key") != key:
            return None
        log = read_log(folder / "shots.jsonl")
        camera = Camera.load(folder / "camera.json")
        later = tuple((t_s, Camera.from_json(one)) for t_s, one in row["later_cameras"])
        tracks = folder / "tracks.csv"
        if not tracks.is_file():
            return None
        span = row["span_s"] or (0.0, 0.0)
        states = StateFile(tracks, row["states"], (span[0], span[1]))
    except (OSError, ValueError, KeyError, LogError, CameraFileError):
        return None
    notes = tuple(row["notes"])
    return Observation(log.source, log.events, states, camera, row["ended_early"], notes, later)


@cache
def program_hash() -> str:
    """A hash of the program's own text: another version may see another thing."""
    digest = hashlib.sha256()
    for package in _SEEING:
        for file in sorted(Path(str(files(package))).rglob("*.py")):
            digest.update(file.read_bytes())
    digest.update((Path(str(files("models"))) / "SHA256SUMS").read_bytes())
    return digest.hexdigest()


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _points(points_px: Mapping[Any, tuple[float, float]] | None) -> object:
    if points_px is None:
        return None
    return {str(pocket): list(point) for pocket, point in points_px.items()}


def _ball_set(name: str | None) -> str | None:
    if name is None or not Path(name).is_file():
        return name
    return _hash(Path(name).read_bytes())
