"""The eleven balls of ten-ball and their text form.

Events carry balls as text (`BallName`), because a camera may see a ball that it
cannot name: "u1", "u2"... are such balls. Rules work with `Ball`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import Final

BallName = str
"""Text form of a ball: "cue", "1".."10", or "u1", "u2"... when it cannot be named."""


class Ball(IntEnum):
    """A ball of the ten-ball set; the value is its number, the cue ball is 0."""

    CUE = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10

    @property
    def text(self) -> BallName:
        """The text form: "cue" or the number."""
        return "cue" if self is Ball.CUE else str(int(self))

    @classmethod
    def from_text(cls, text: str) -> Ball:
        """Parse "cue" or "1".."10".

        Raises:
            ValueError: for any other text, unknown balls ("u1") included.
        """
        try:
            return _BY_TEXT[text]
        except (KeyError, TypeError):
            raise ValueError(f'"{text}" is not a ball (cue, 1 .. 10)') from None


_BY_TEXT: Final = {ball.text: ball for ball in Ball}

CUE: Final[BallName] = "cue"
OBJECT_BALLS: Final = tuple(ball for ball in Ball if ball is not Ball.CUE)
TO_THE_END: Final = frozenset({Ball.TEN.text})
"""Object balls that stay in play until the rack is decided: pocketed early, the ten is spotted
(9.6, 9.9). No other ball can be counted on."""

_UNKNOWN = re.compile(r"u[1-9][0-9]{0,3}")


def is_unknown(name: BallName) -> bool:
    """True for a ball that could not be named ("u1", "u2"...)."""
    return _UNKNOWN.fullmatch(name) is not None


def is_ball_name(name: object) -> bool:
    """True for every text that may name a ball in a shot log."""
    return isinstance(name, str) and (name in _BY_TEXT or is_unknown(name))


def lowest(balls: Iterable[Ball]) -> Ball | None:
    """The lowest-numbered object ball among `balls`, None when there is none (9)."""
    return min((ball for ball in balls if ball is not Ball.CUE), default=None)


def ball_order(name: BallName) -> tuple[int, int]:
    """Sort key: cue, 1 .. 10, then unknown balls by number."""
    if name in _BY_TEXT:
        return (0, int(_BY_TEXT[name]))
    return (1, int(name[1:]) if is_unknown(name) else 0)
