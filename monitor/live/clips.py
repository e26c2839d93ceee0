"""Evidence clips: pictures of their moments; the oldest go when the disk's budget is used up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import av
import av.error
import cv2
import numpy as np

from vision.frames import Image

_SIDE_PX: Final = 360
_GAP_PX: Final = 6
_STEP_S: Final = 0.04


def moment_picture(
    clip: Path, moment_s: float, center_px: tuple[float, float] | None, span_px: float
) -> bytes | None:
    """Just before, at and just after a moment of a clip (its own time), side by side, JPEG.

    `center_px`: what to look at, a square of `span_px` around it; None: the whole picture.
    """
    wanted = [moment_s - _STEP_S, moment_s, moment_s + _STEP_S]
    best: list[tuple[float, Image] | None] = [None, None, None]
    with av.open(str(clip)) as container:
        for picture in container.decode(video=0):
            if picture.time is None or picture.time < wanted[0] - 0.1:
                continue
            if picture.time > wanted[2] + 0.1:
                break
            image: Image | None = None
            for index, t_s in enumerate(wanted):
                away = abs(picture.time - t_s)
                known = best[index]
                if known is None or away < known[0]:
                    if image is None:
                        image = np.asarray(picture.to_ndarray(format="bgr24"), np.uint8)
                    best[index] = (away, image)
    squares = [_square(found[1], center_px, span_px) for found in best if found is not None]
    return _strip(squares) if squares else None


def _square(image: Image, center_px: tuple[float, float] | None, span_px: float) -> Image:
    height, width = image.shape[:2]
    if center_px is None:
        size = (_SIDE_PX, round(_SIDE_PX * height / width))
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    scale = _SIDE_PX / span_px
    shift = np.array(
        [
            [scale, 0.0, _SIDE_PX / 2 - scale * center_px[0]],
            [0.0, scale, _SIDE_PX / 2 - scale * center_px[1]],
        ]
    )
    return np.asarray(
        cv2.warpAffine(image, shift, (_SIDE_PX, _SIDE_PX), flags=cv2.INTER_CUBIC), np.uint8
    )


def _strip(squares: Sequence[Image]) -> bytes | None:
    gap = np.full((squares[0].shape[0], _GAP_PX, 3), 255, np.uint8)
    parts: list[Image] = []
    for square in squares:
        parts += [square, gap]
    done, coded = cv2.imencode(".jpg", np.hstack(parts[:-1]), [cv2.IMWRITE_JPEG_QUALITY, 85])
    return coded.tobytes() if done else None


def folder_bytes(folder: Path) -> int:
    """What the evidence takes on disk."""
    total = 0
    with suppress(OSError):
        total = sum(entry.stat().st_size for entry in folder.iterdir() if entry.is_file())
    return total


def over_budget(folder: Path, budget: int) -> list[int]:
    """The numbers of the oldest clips that have to go for the folder to fit, oldest first."""
    files = sorted(folder.glob("*.*")) if folder.is_dir() else []
    sizes: dict[int, int] = {}
    for path in files:
        name = path.name.partition(".")[0]
        if name.isdecimal():
            sizes[int(name)] = sizes.get(int(name), 0) + path.stat().st_size
    excess = sum(sizes.values()) - budget
    going = []
    for number in sorted(sizes):
        if excess <= 0:
            break
        going.append(number)
        excess -= sizes[number]
    return going
