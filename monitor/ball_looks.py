"""How the balls of the two built-in sets look, for drawings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table.balls import CUE, BallName, is_unknown

IVORY: Final = "#f7f3e6"


@dataclass(frozen=True, slots=True)
class BallLook:
    """Colour of one ball as "#rrggbb", and whether it is a stripe on white."""

    colour: str
    striped: bool = False

    @property
    def bgr(self) -> tuple[int, int, int]:
        """The colour as OpenCV wants it."""
        red, green, blue = (int(self.colour[i : i + 2], 16) for i in (1, 3, 5))
        return blue, green, red

    @property
    def text_colour(self) -> str:
        """Black or white, whichever reads better on the colour."""
        blue, green, red = self.bgr
        return "#111" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#fff"


UNKNOWN: Final = BallLook("#8a8f98")

_STANDARD: Final = {
    CUE: BallLook(IVORY),
    "1": BallLook("#f2c314"),
    "2": BallLook("#1f4fb5"),
    "3": BallLook("#d8262c"),
    "4": BallLook("#5b2a86"),
    "5": BallLook("#f07c1b"),
    "6": BallLook("#12793f"),
    "7": BallLook("#7a1f24"),
    "8": BallLook("#17181a"),
    "9": BallLook("#f2c314", striped=True),
    "10": BallLook("#1f4fb5", striped=True),
}
_TV: Final = {**_STANDARD, "4": BallLook("#f08fb4"), "7": BallLook("#b9804a")}


def look_of(ball: BallName, ball_set: str | None) -> BallLook:
    """The look of `ball` in the named set; grey when it is unknown."""
    if is_unknown(ball):
        return UNKNOWN
    return (_TV if ball_set == "tv" else _STANDARD).get(ball, UNKNOWN)
