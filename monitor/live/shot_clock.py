"""The shot clock (6.15, regulation on the shot clock), as its records and the shots tell it.

It runs from the rest of all balls to the next stroke: 35 s, a warning at 10 s, and once a
player and rack an extension of 25 s. Overrun makes a card; the foul is the referee's tap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from monitor.live.book import MatchBook
from monitor.live.records import CLOCK, DECLARATION, NOTE, SHOT
from monitor.match import end_of
from monitor.store import Record
from table.json_fields import as_number

LIMIT_S: Final = 35.0
EXTENSION_S: Final = 25.0
WARNING_S: Final = 10.0
_PAUSING_NOTES: Final = ("protest", "time_out")
_NEW_PERIOD: Final = ("next_rack", "rerack", "choice", "clock_on")


@dataclass(frozen=True, slots=True)
class ShotClock:
    """The clock after the last record that changed it; all times are match time."""

    on: bool = False
    limit_s: float = LIMIT_S
    extension_s: float = EXTENSION_S
    began_s: float = 0.0
    """When the time of the present shot began."""
    extra_s: float = 0.0
    """Extensions and pauses within it."""
    paused_s: float | None = None
    """Since when it is paused."""

    def left_s(self, t_s: float) -> float:
        """What is left at `t_s`, never below 0."""
        until_s = t_s if self.paused_s is None else self.paused_s
        return max(0.0, self.limit_s + self.extra_s - max(0.0, until_s - self.began_s))


def clock_of(book: MatchBook, refused: frozenset[int] = frozenset()) -> ShotClock:
    """The clock as the records of a match leave it; `refused` records had no effect."""
    clock = ShotClock()
    for record in book.records:
        if record.id not in book.gone and record.id not in refused:
            clock = _after(clock, record, book)
    return clock


def _after(clock: ShotClock, record: Record, book: MatchBook) -> ShotClock:
    if record.kind == SHOT and record.shot in book.shots:
        shot = book.shots[record.shot]
        began_s = end_of(shot.events) if shot.record.id == record.id else record.t_s
        return _begun(clock, began_s)
    name = record.body.get("type")
    if record.kind == DECLARATION:
        return _declared(clock, record, str(name))
    if record.kind == NOTE and name in _PAUSING_NOTES and clock.paused_s is None:
        return _with(clock, paused_s=record.t_s)
    if record.kind == CLOCK:
        return _switched(clock, record, str(name))
    return clock


def _declared(clock: ShotClock, record: Record, name: str) -> ShotClock:
    if name == "clock_on":
        clock = _with(
            clock,
            on=True,
            limit_s=as_number(record.body.get("limit_s")) or LIMIT_S,
            extension_s=as_number(record.body.get("extension_s")) or EXTENSION_S,
        )
    if name == "extension":
        return _with(clock, extra_s=clock.extra_s + clock.extension_s)
    return _begun(clock, record.t_s) if name in _NEW_PERIOD else clock


def _switched(clock: ShotClock, record: Record, name: str) -> ShotClock:
    if name == "clock_off":
        return _with(clock, on=False)
    if name == "clock_restart":
        return _begun(clock, record.t_s)
    if name == "clock_pause" and clock.paused_s is None:
        return _with(clock, paused_s=record.t_s)
    if name == "clock_resume" and clock.paused_s is not None:
        waited_s = record.t_s - max(clock.paused_s, clock.began_s)
        return _with(clock, paused_s=None, extra_s=clock.extra_s + max(0.0, waited_s))
    return clock


def _begun(clock: ShotClock, t_s: float) -> ShotClock:
    return _with(clock, began_s=t_s, extra_s=0.0, paused_s=None)


def _with(clock: ShotClock, **changes: object) -> ShotClock:
    return replace(clock, **changes)  # type: ignore[arg-type]
