"""Text on pictures: OpenCV's own TrueType font, so any player's name can be written."""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

WHITE: Final[Colour] = (255, 255, 255)
BLACK: Final[Colour] = (0, 0, 0)


@cache
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")


def text_width_px(text: str, size_px: int, weight: int = 600) -> int:
    """Width of one line of text."""
    # The size given is only an upper bound for wrapping.
    _x, _y, width, _height = cv2.getTextSize((1 << 14, 256), text, (0, 0), _font(), size_px, weight)
    return int(width)


def write(
    picture: Picture,
    text: str,
    at_px: tuple[int, int],
    size_px: int,
    colour: Colour = WHITE,
    weight: int = 600,
) -> None:
    """Write one line into `picture` (h, w, 3 uint8 BGR); `at_px` is its left base point."""
    cv2.putText(picture, text, at_px, colour, _font(), size_px, weight)


def write_outlined(
    picture: Picture, text: str, center_px: tuple[float, float], size_px: int, colour: Colour
) -> None:
    """Write centred on `center_px`, with a dark edge that reads on any ground."""
    x = round(center_px[0] - text_width_px(text, size_px) / 2)
    y = round(center_px[1] + size_px * 0.36)
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        write(picture, text, (x + dx, y + dy), size_px, BLACK, 800)
    write(picture, text, (x, y), size_px, colour, 800)


def wrapped(text: str, size_px: int, width_px: int) -> list[str]:
    """Break `text` into lines of at most `width_px`."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width_px(longer, size_px) <= width_px:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def panel(picture: Picture, left: int, top: int, right: int, bottom: int) -> None:
    """Darken a rectangle so that white text reads on it."""
    height, width = picture.shape[:2]
    rows, columns = slice(max(0, top), min(height, bottom)), slice(max(0, left), min(width, right))
    area = picture[rows, columns]
    if area.size:
        picture[rows, columns] = (area.astype(np.uint16) * 5 // 16).astype(np.uint8)
