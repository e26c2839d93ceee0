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

    def __call__(self, done: int, expected: int | None) -> None:
        """Show `done` of `expected` steps (None: unknown), not more often than useful."""
        now_s = time.monotonic()
        terminal = self.stream.isatty()
        step_s = TERMINAL_STEP_S if terminal else PLAIN_STEP_S
        if not terminal and self._shown_s == float("-inf"):
            self._shown_s = now_s
            return
        if now_s - self._shown_s < step_s:
            return
        self._shown_s = now_s
        line = self._line(done, expected, now_s - self.started_s)
        self.stream.write(f"\r\x1b[K{line}" if terminal else f"{line}\n")
        self.stream.flush()
        self._drawn = terminal

    def close(self) -> None:
        """Take the bar off the terminal."""
        if self._drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self._drawn = False

    def _line(self, done: int, expected: int | None, spent_s: float) -> str:
        if not expected:
            return f"{self.title}  {done} frames, {_clock(spent_s)}"
        share = min(1.0, done / expected)
        bar = "#" * round(WIDTH * share)
        left = f", {_clock(spent_s * (1 - share) / share)} left" if share > 0.02 else ""
        return f"{self.title}  [{bar:<{WIDTH}}] {share:4.0%}{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
