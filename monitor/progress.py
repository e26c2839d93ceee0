"""A progress bar on stderr, with the time left; plain lines where stderr is no terminal."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import Final, TextIO

WIDTH: Final = 28
TERMINAL_STEP_S: Final = 0.2
PLAIN_STEP_S: Final = 10.0


@dataclass
class ProgressBar:
    """Shows how far one task is; call it with (done, expected) as often as you like."""

    title: str
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    started_s: float = field(default_factory=time.monotonic)
    _shown_s: float = field(default=float("-inf"), init=False)
    _drawn: bool = field(default=False, init=False)
    _first: tuple[float, float] | None = field(default=None, init=False)
    """Share and time of the first step that was told: what was done before has no speed."""

    def __call__(self, done: int, expected: int | None) -> None:
        """Show `done` of `expected` steps (None: unknown), not more often than useful."""
        now_s = time.monotonic()
        if self._first is None:
            self._first = (min(1.0, done / expected) if expected else 0.0, now_s)
        terminal = self.stream.isatty()
        step_s = TERMINAL_STEP_S if terminal else PLAIN_STEP_S
        if not terminal and self._shown_s == float("-inf"):
            self._shown_s = now_s
            return
        if now_s - self._shown_s < step_s:
            return
        self._shown_s = now_s
        line = self._line(done, expected, now_s)
        self.stream.write(f"\r\x1b[K{line}" if terminal else f"{line}\n")
        self.stream.flush()
        self._drawn = terminal

    def close(self) -> None:
        """Take the bar off the terminal."""
        if self._drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self._drawn = False

    def _line(self, done: int, expected: int | None, now_s: float) -> str:
        if not expected:
            return f"{self.title}  {done} frames, {_clock(now_s - self.started_s)}"
        share = min(1.0, done / expected)
        bar = "#" * round(WIDTH * share)
        return f"{self.title}  [{bar:<{WIDTH}}] {share:4.0%}{self._left(share, now_s)}"

    def _left(self, share: float, now_s: float) -> str:
        """The time left at the speed since the first step; empty while that is not known."""
        before, since_s = self._first or (0.0, self.started_s)
        if share - before <= 0.02:
            return ""
        left_s = (now_s - since_s) * (1 - share) / (share - before)
        return f", {_clock(left_s)} left"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
