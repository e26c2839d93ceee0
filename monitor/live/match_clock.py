"""Match time: one clock for camera, taps and rulings, going on over restarts.

While a source plays, match time is the source's own time (shifted), so that a tap and a
contact can be compared; between frames, and without a source, it runs with the machine's
monotonic clock. It never goes back.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

_TICK_S: Final = 0.001
_LONGEST_GAP_S: Final = 1.0
"""How far match time runs on when no frame comes: then the source is late, not the clock."""


@dataclass
class MatchClock:
    """The present match time."""

    start_s: float = 0.0
    """Match time when the program started."""
    monotonic: Callable[[], float] = time.monotonic
    _anchor_s: float = field(init=False)
    _anchor_at: float = field(init=False)
    _follows: bool = field(default=False, init=False)
    _last_s: float = field(init=False)

    def __post_init__(self) -> None:
        self._anchor_s, self._anchor_at = self.start_s, self.monotonic()
        self._last_s = self.start_s

    def saw(self, t_s: float, at: float) -> None:
        """A frame of match time `t_s` was taken at monotonic time `at`."""
        self._anchor_s, self._anchor_at, self._follows = t_s, at, True

    def source_ended(self) -> None:
        """No more frames come: go on by the machine's clock."""
        self._anchor_s, self._anchor_at, self._follows = self.peek(), self.monotonic(), False

    def peek(self) -> float:
        """Match time now, without a tick."""
        passed_s = max(0.0, self.monotonic() - self._anchor_at)
        if self._follows:
            passed_s = min(passed_s, _LONGEST_GAP_S)
        return max(self._last_s, self._anchor_s + passed_s)

    def now(self) -> float:
        """Match time now; later than any time given before."""
        self._last_s = round(max(self.peek(), self._last_s + _TICK_S), 6)
        return self._last_s

    def pass_over(self, span_s: float) -> None:
        """The next time lies at least `span_s` later (a shot by hand lies between)."""
        self._last_s = round(self._last_s + span_s, 6)
