"""What has to be written and cannot be: it waits, in order, until the disk takes it.

A disk that is full must not cost a ruling. What the eyes bring is kept in memory and tried
again each second.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(eq=False)
class WaitingWords:
    """Steps that write to the journal, first in, first out; one thread."""

    _steps: deque[Callable[[], None]] = field(default_factory=deque, init=False)

    def __len__(self) -> int:
        return len(self._steps)

    def put(self, step: Callable[[], None]) -> None:
        """Do it now, or when it can be done, after all that waits already."""
        self._steps.append(step)
        self.retry()

    def retry(self) -> None:
        """Do what waits, as far as it can be done."""
        while self._steps:
            # The step in hand is not one that waits: what it shows must not say so.
            step = self._steps.popleft()
            try:
                step()
            except (sqlite3.OperationalError, OSError):
                self._steps.appendleft(step)
                return
