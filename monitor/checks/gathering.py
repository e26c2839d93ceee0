"""Some seconds of a source, for the self-test: times of all frames, some of the pictures."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from monitor.failures import CannotBeDoneError
from monitor.live.camera_address import is_camera
from monitor.live.camera_reader import CameraReader
from monitor.live.sources import recorded_source
from vision.frames import Frame, Image, SourceError

_FIRST_WITHIN_S: Final = 15.0
_SPREAD: Final = 9
_KEPT_IN_A_ROW: Final = 30
_STEP: Final = 8


@dataclass
class Gathered:
    """What was seen. `times_s` (n,), `small` n pictures at an eighth of the size."""

    is_camera: bool
    times_s: list[float] = field(default_factory=list)
    small: list[Image] = field(default_factory=list)
    """(h/8, w/8, 3) uint8 BGR of every frame."""
    spread: list[Image] = field(default_factory=list)
    """Whole pictures, spread over the time."""
    row: list[Frame] = field(default_factory=list)
    """Whole frames, one after another."""
    connections: int = 1
    damaged: int = 0

    def take(self, frame: Frame, seconds: float) -> None:
        """One more frame."""
        self.times_s.append(frame.t_s)
        self.small.append(np.ascontiguousarray(frame.image[::_STEP, ::_STEP]))
        passed_s = frame.t_s - self.times_s[0]
        if len(self.spread) < _SPREAD and passed_s >= len(self.spread) * seconds / _SPREAD:
            self.spread.append(frame.image)
        self.row = [*self.row[-_KEPT_IN_A_ROW + 1 :], frame]


def gather(source: str, seconds: float) -> Gathered:
    """Look at a source for some seconds.

    Raises:
        CannotBeDoneError: when it gives no picture.
    """
    if not is_camera(source):
        return _from_file(Path(source), seconds)
    reader = CameraReader(source)
    reader.start()
    found = Gathered(is_camera=True)
    began = time.monotonic()
    try:
        while True:
            captured = reader.line.take(0.2)
            if captured is not None:
                found.take(captured.frame, seconds)
            waited_s = time.monotonic() - began
            if found.times_s and found.times_s[-1] - found.times_s[0] >= seconds:
                break
            if waited_s > _FIRST_WITHIN_S + (2 * seconds if found.times_s else 0.0):
                break
    finally:
        reader.stop()
    found.connections, found.damaged = reader.connections, reader.damaged
    if len(found.times_s) < 2:
        raise CannotBeDoneError(
            f"{source} gives no picture: {reader.problem or 'it does not answer.'} "
            "Check cable, power and address."
        )
    return found


def _from_file(path: Path, seconds: float) -> Gathered:
    found = Gathered(is_camera=False)
    try:
        for frame in recorded_source(path):
            found.take(frame, seconds)
            if found.times_s[-1] - found.times_s[0] >= seconds:
                break
    except SourceError as error:
        raise CannotBeDoneError(str(error)) from None
    if len(found.times_s) < 2:
        raise CannotBeDoneError(f"{path.name} holds a single frame: nothing can be measured.")
    return found
