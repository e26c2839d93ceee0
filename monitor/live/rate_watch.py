"""How many frames a second come in (or are looked at), against what is usual."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from monitor.live.picture_watch import Condition

_WINDOW_S: Final = 2.0
_FEWER: Final = 0.7
_TOO_FEW: Final = 10.0
"""Frames a second below which strokes are missed and contacts cannot be told apart."""
_FOR_S: Final = 0.5
_FORGET: Final = 0.999
"""What is usual falls by a thousandth a second: a camera may be set to another rate."""


@dataclass(eq=False)
class RateWatch:
    """Fed with the count of frames that came; `is_camera`: a file may be slow without harm."""

    is_camera: bool
    name: str = "rate"
    """Of the condition."""
    fewer: float = _FEWER
    """Share of the usual rate below which it is told."""
    too_few: float = _TOO_FEW
    """Frames a second below which it stops the rulings."""
    rate: float = field(default=0.0, init=False)
    """Frames a second of the last two seconds."""
    usual: float = field(default=0.0, init=False)
    _counts: deque[tuple[float, int]] = field(default_factory=deque, init=False)
    _low_since_s: float | None = field(default=None, init=False)

    def update(self, at: float, came: int, t_s: float) -> Condition | None:
        """`came` frames had come at monotonic time `at`; `t_s` in the source's time."""
        if self._counts and at - self._counts[-1][0] > _WINDOW_S:
            # Nothing came for a while: that is told apart.
            self._counts.clear()
        self._counts.append((at, came))
        while at - self._counts[0][0] > _WINDOW_S:
            self._counts.popleft()
        span_s = at - self._counts[0][0]
        if span_s < 0.75 * _WINDOW_S:
            return None
        self.rate = (came - self._counts[0][1]) / span_s
        self.usual = max(self.rate, self.usual * _FORGET ** (span_s / max(1, len(self._counts))))
        is_low = self.is_camera and (
            self.rate < self.fewer * self.usual or self.rate < self.too_few
        )
        if not is_low:
            self._low_since_s = None
            return None
        if self._low_since_s is None:
            self._low_since_s = t_s
        if t_s - self._low_since_s < _FOR_S:
            return None
        return Condition(self.name, self.rate < self.too_few, self._low_since_s, self.rate)
