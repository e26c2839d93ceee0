"""A bounded line of frames between the reader and the eyes: old ones are let go and counted.

A short stall (a reading of a shot takes a fifth of a second) is made up for; what has waited
longer than the limit is stale and dropped, oldest first.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from vision.frames import Frame

STALE_S: Final = 0.4
"""How long a frame may wait for the eyes."""
_MOST_WAITING: Final = 32


@dataclass(frozen=True, slots=True)
class Captured:
    """A frame and the monotonic time at which it came in."""

    frame: Frame
    at: float


@dataclass
class CapturedLine:
    """First in, first out, for one reader and one taker. `lossless`: the reader waits instead."""

    lossless: bool = False
    stale_s: float = STALE_S
    dropped: int = field(default=0, init=False)
    came: int = field(default=0, init=False)
    _waiting: deque[Captured] = field(default_factory=deque, init=False)
    _changed: threading.Condition = field(default_factory=threading.Condition, init=False)
    _closed: bool = field(default=False, init=False)

    def put(self, captured: Captured) -> bool:
        """Hand a frame on; False once nobody takes any more."""
        with self._changed:
            while self.lossless and len(self._waiting) >= _MOST_WAITING and not self._closed:
                self._changed.wait()
            if self._closed:
                return False
            self._waiting.append(captured)
            self.came += 1
            if not self.lossless:
                self._drop_stale(captured.at)
            self._changed.notify_all()
            return True

    def _drop_stale(self, now: float) -> None:
        while len(self._waiting) > 1 and (
            now - self._waiting[0].at > self.stale_s or len(self._waiting) > _MOST_WAITING
        ):
            self._waiting.popleft()
            self.dropped += 1

    def take(self, timeout_s: float) -> Captured | None:
        """The next frame; None when none came in time, or none will."""
        with self._changed:
            if not self._waiting and not self._closed:
                self._changed.wait(timeout_s)
            if not self._waiting:
                return None
            captured = self._waiting.popleft()
            self._changed.notify_all()
            return captured

    @property
    def waiting(self) -> int:
        """How many frames wait."""
        return len(self._waiting)

    @property
    def ended(self) -> bool:
        """True when no frame waits and none will come."""
        with self._changed:
            return self._closed and not self._waiting

    def close(self) -> None:
        """No more frames come, or none are wanted."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
