"""A sender's timestamps on the machine's monotonic clock.

A frame arrives some time after it was seen, never before. The smallest delay of the last
seconds is taken for the true one, so that a frame that the network held up keeps the time at
which the camera saw it. The two clocks may run apart slowly; a leap is taken up anew and counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

_WINDOW_S: Final = 10.0
_QUIET_S: Final = 0.3
"""So long no frame came quicker than those before: the burst of the first ones is over."""
_SETTLED_S: Final = 2.0
_STEP_S: Final = 0.01
_SLEW: Final = 0.002
"""Seconds a second: far more than two quartz clocks run apart, too little to be seen."""
_LEAP_S: Final = 2.0
"""A frame that seems to come in so long before it was seen: the sender's clock was set."""


@dataclass
class SenderClock:
    """Feed it with `saw` for each picture in the order of showing."""

    jumps: int = field(default=0, init=False)
    """How often the sender's clock leapt within a connection."""
    _offset_s: float | None = field(default=None, init=False)
    """Monotonic time minus sender's time."""
    _least_s: list[float] = field(default_factory=list, init=False)
    """Smallest offset of the window before, and of this one."""
    _window_at: float = field(default=0.0, init=False)
    _began_at: float = field(default=0.0, init=False)
    _stepped_at: float = field(default=0.0, init=False)
    _settled: bool = field(default=False, init=False)
    _last: tuple[float, float] = field(default=(0.0, 0.0), init=False)

    @property
    def is_settled(self) -> bool:
        """False during the first moments of a connection, when old frames come in a burst."""
        return self._offset_s is not None and self._settled

    def begin(self) -> None:
        """Another connection: its timestamps have nothing to do with those before."""
        self._offset_s, self._settled = None, False

    def saw(self, sent_s: float, at: float) -> None:
        """A picture of sender's time `sent_s` came in at monotonic time `at`."""
        offset_s = at - sent_s
        known = self._offset_s
        if known is None:
            self._anchor(sent_s, at)
            return
        if sent_s < self._last[0] or offset_s < known - _LEAP_S:
            self.jumps += 1
            self._anchor(sent_s, at)
            return
        if at - self._window_at > _WINDOW_S:
            self._least_s, self._window_at = [self._least_s[-1], offset_s], at
        self._least_s[-1] = min(self._least_s[-1], offset_s)
        wanted = min(self._least_s)
        if not self._settled:
            self._settle(wanted, known, at)
        else:
            most = _SLEW * max(0.0, at - self._last[1])
            self._offset_s = known + min(max(wanted - known, -most), most)
        self._last = sent_s, at

    def _settle(self, wanted: float, known: float, at: float) -> None:
        """A connection begins with what was waiting: times are not yet to be relied on."""
        self._offset_s = wanted
        if wanted < known - _STEP_S:
            self._stepped_at = at
        self._settled = at - self._stepped_at > _QUIET_S or at - self._began_at > _SETTLED_S

    def _anchor(self, sent_s: float, at: float) -> None:
        self._offset_s = at - sent_s
        self._least_s, self._window_at = [self._offset_s], at
        self._began_at, self._stepped_at, self._settled = at, at, False
        self._last = sent_s, at

    def time_of(self, sent_s: float) -> float:
        """Monotonic time of a sender's time.

        Raises:
            ValueError: before the first picture of a connection.
        """
        if self._offset_s is None:
            raise ValueError("nothing was seen yet")
        return sent_s + self._offset_s
