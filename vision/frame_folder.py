"""A folder of pictures as a source of frames.

The pictures are taken in the order of their names (numbers in them count as numbers). Their
times stand in `times.txt`, a number of seconds a line; without it they are 1/30 s apart.
"""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.frames import Frame, Image, SourceError

PICTURES: Final = frozenset((".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp"))
TIMES: Final = "times.txt"
_RATE: Final = 30.0


@dataclass
class FrameFolder:
    """A folder of pictures, looked through and checked; iterate it for its frames.

    Raises:
        SourceError: when it holds no pictures, or `times.txt` does not fit them.
    """

    path: Path
    from_s: float | None = None
    """Time of the first frame that is wanted; None: from the beginning."""
    width: int = field(init=False)
    height: int = field(init=False)
    nominal_fps: float = field(init=False)
    expected_frames: int = field(init=False)
    ended_early: str | None = field(init=False, default=None)
    _files: list[Path] = field(init=False)
    _times_s: list[float] = field(init=False)

    def __post_init__(self) -> None:
        inside = self.path.iterdir() if self.path.is_dir() else iter(())
        pictures = (path for path in inside if path.suffix.lower() in PICTURES)
        self._files = sorted(pictures, key=_natural)
        if not self._files:
            raise SourceError(f"{self.path} holds no pictures.")
        self._times_s = self._read_times()
        steps = [b - a for a, b in itertools.pairwise(self._times_s)]
        self.nominal_fps = 1.0 / statistics.median(steps) if steps else _RATE
        self.expected_frames = len(self._files)
        self.height, self.width = _picture(self._files[0]).shape[:2]

    def _read_times(self) -> list[float]:
        path = self.path / TIMES
        if not path.exists():
            return [index / _RATE for index in range(len(self._files))]
        try:
            times = [float(line) for line in path.read_text("utf-8").split()]
        except (OSError, ValueError):
            raise SourceError(f"{path} does not hold one number of seconds a line.") from None
        if len(times) != len(self._files):
            raise SourceError(f"{path} has {len(times)} times for {len(self._files)} pictures.")
        if not all(a < b for a, b in itertools.pairwise(times)):
            raise SourceError(f"{path}: the times have to grow.")
        return times

    def __iter__(self) -> Iterator[Frame]:
        """Read every picture in order.

        A picture that cannot be read, or has another size, ends it and sets `ended_early`.
        """
        for index, (path, t_s) in enumerate(zip(self._files, self._times_s, strict=True)):
            if self.from_s is not None and t_s < self.from_s:
                continue
            try:
                image = _picture(path)
            except SourceError as error:
                self.ended_early = str(error)
                return
            if image.shape[:2] != (self.height, self.width):
                self.ended_early = f"{path.name} has another size than the pictures before it."
                return
            gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
            yield Frame(index, t_s, image, gray)


def _picture(path: Path) -> Image:
    try:
        coded = np.fromfile(path, np.uint8)
    except OSError:
        coded = np.empty(0, np.uint8)
    image = cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None
    if image is None:
        raise SourceError(f"{path.name} is not a picture that can be read.")
    return np.asarray(image, np.uint8)


def _natural(path: Path) -> list[tuple[int, str]]:
    parts = re.split(r"(\d+)", path.stem)
    return [(int(p), "") if p.isdecimal() else (-1, p) for p in parts if p]
