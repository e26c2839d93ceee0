"""Was the computer's clock set? Match time does not depend on it; people should know.

The monotonic clock cannot be set. Where the clock of the day runs away from it, somebody
(or a time server) has set it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

_STEP_S: Final = 1.0
_SAID_S: Final = 60.0


@dataclass(eq=False)
class WallClock:
    """Ask it often; one thread."""

    wall: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    _apart_s: float | None = field(default=None, init=False)
    _step: tuple[float, float] = field(default=(0.0, -math.inf), init=False)
    """By how much it was set, and when."""

    def step_s(self) -> float:
        """By how much it was set within the last minute; 0: it was not."""
        now = self.monotonic()
        apart_s = self.wall() - now
        if self._apart_s is not None and abs(apart_s - self._apart_s) > _STEP_S:
            self._step = (apart_s - self._apart_s, now)
        self._apart_s = apart_s
        return self._step[0] if now - self._step[1] < _SAID_S else 0.0
