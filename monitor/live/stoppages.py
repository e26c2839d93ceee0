"""When nothing is ruled on: from when to when, why, and what was missed meanwhile.

A shot that began before a stoppage is told as incomplete, with the reason. What seems to be a
shot within one is withheld: a jolt of the camera moves all the balls. When all is well again,
the resting balls are compared with those before: a stroke that nobody saw is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from monitor.live.incremental import Glance
from monitor.live.picture_watch import Condition
from monitor.live.shot_reading import SeenShot
from table.balls import BallName
from table.events import ShotEnded, ShotStarted
from table.geometry import Point

_CLEAR_S: Final = 0.6
"""So long nothing may be wrong before the rulings go on."""
_COMPARE_AFTER_S: Final = 1.5
_COMPARE_WITHIN_S: Final = 20.0
_STEADY_S: Final = 2.5
"""So long no other ball was found: all that lie there are seen."""
_DISPLACED_M: Final = 0.03
_KEPT_S: Final = 180.0
SOURCE: Final = "source"
"""The reason of a stoppage in which no frames came."""
SLOW: Final = "slow"
"""Frames came, and this computer let them go by."""


@dataclass(frozen=True, slots=True)
class Stoppage:
    """A span in which nothing was ruled on; presentation time of the source."""

    from_s: float
    until_s: float
    reasons: tuple[str, ...]
    withheld: int = 0
    """What seemed to be shots within it."""
    displaced: tuple[BallName, ...] = ()
    """Balls that lie elsewhere than before, or are gone."""
    compared: bool = False
    """True once the balls were seen again well enough to say so."""


@dataclass(eq=False)
class _Open:
    from_s: float
    reasons: list[str]
    before: Mapping[BallName, Point]
    withheld: int = 0
    clear_since_s: float | None = None


@dataclass(eq=False)
class Stoppages:
    """Stands between the eyes and the desk."""

    _open: _Open | None = field(default=None, init=False)
    _past: list[Stoppage] = field(default_factory=list, init=False)
    """Closed ones, the last minutes."""
    _compared: list[tuple[Stoppage, Mapping[BallName, Point]]] = field(
        default_factory=list, init=False
    )
    """Closed ones that wait for the balls to be compared with those before."""
    _held: list[SeenShot] = field(default_factory=list, init=False)
    _steady: tuple[int, float] = field(default=(0, -math.inf), init=False)
    """How many balls are seen at rest, and since when."""
    _rest: Mapping[BallName, Point] = field(default_factory=dict, init=False)
    """The balls when they rested last, while all was well."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why nothing is ruled on just now; empty when all is well."""
        return () if self._open is None else tuple(self._open.reasons)

    def gap(self, from_s: float, until_s: float, reason: str = SOURCE) -> None:
        """No frames were seen between two times."""
        self._begin(from_s, reason)
        assert self._open is not None
        self._open.clear_since_s = until_s

    def update(
        self, glance: Glance | None, t_s: float, wrong: Sequence[Condition]
    ) -> list[Stoppage]:
        """Take what is seen and what is wrong now; the stoppages that are over and compared."""
        stopping = [condition for condition in wrong if condition.stops]
        for condition in stopping:
            self._begin(condition.since_s, condition.id)
        if self._open is not None:
            self._end_if_clear(t_s, bool(stopping))
        if self._open is None and glance is not None:
            hidden = any(condition.stops or condition.id == "covered" for condition in wrong)
            return self._compare(glance, t_s, hidden)
        return []

    def admit(
        self, shots: Sequence[SeenShot], t_s: float, suspected_since_s: float | None
    ) -> list[SeenShot]:
        """The shots that may be told now, each marked when a stoppage spoils it."""
        self._held += shots
        if suspected_since_s is not None and self._open is None:
            # The camera may have moved: the next look will tell.
            return []
        held, self._held = self._held, []
        told = []
        for shot in held:
            spoiling = self._spoiling(shot, t_s)
            if spoiling is None:
                told.append(shot)
            elif _start_of(shot) < spoiling[0] - 1e-6:
                told.append(_incomplete(shot, spoiling[1]))
            elif self._open is not None:
                self._open.withheld += 1
            else:
                self._count_late(spoiling)
        return told

    def _begin(self, from_s: float, reason: str) -> None:
        if self._open is None:
            self._open = _Open(from_s, [reason], dict(self._rest))
        elif reason not in self._open.reasons:
            self._open.reasons.append(reason)
        self._open.from_s = min(self._open.from_s, from_s)
        self._open.clear_since_s = None

    def _end_if_clear(self, t_s: float, is_wrong: bool) -> None:
        open_ = self._open
        assert open_ is not None
        if is_wrong:
            return
        if open_.clear_since_s is None:
            open_.clear_since_s = t_s
        if t_s - open_.clear_since_s < _CLEAR_S:
            return
        reasons = _causes(open_.reasons)
        over = Stoppage(open_.from_s, open_.clear_since_s, reasons, open_.withheld)
        self._past = [p for p in self._past if t_s - p.until_s < _KEPT_S] + [over]
        self._compared.append((over, open_.before))
        self._open = None

    def _compare(self, glance: Glance, t_s: float, hidden: bool) -> list[Stoppage]:
        """Tell a stoppage once it is seen whether the balls lie as they did."""
        at_rest = not glance.moving and glance.has_view and not hidden
        if not at_rest or len(glance.balls) != self._steady[0]:
            # Balls are still being found again: what is not there yet is not gone.
            self._steady = (len(glance.balls), t_s)
        done: list[Stoppage] = []
        for over, before in list(self._compared):
            passed_s = t_s - over.until_s
            is_same = len(glance.balls) >= len(before) or t_s - self._steady[1] >= _STEADY_S
            if at_rest and is_same and passed_s >= _COMPARE_AFTER_S:
                displaced = _displaced(before, glance.balls)
                done.append(replace(over, displaced=displaced, compared=True))
            elif passed_s > _COMPARE_WITHIN_S:
                done.append(over)
            else:
                continue
            self._compared.remove((over, before))
        if at_rest and not self._compared and glance.balls:
            self._rest = dict(glance.balls)
        return done

    def _spoiling(self, shot: SeenShot, t_s: float) -> tuple[float, str] | None:
        """From when on, and why, a shot cannot be trusted."""
        spans = [(p.from_s, p.until_s, p.reasons) for p in self._past]
        if self._open is not None:
            spans.append((self._open.from_s, math.inf, _causes(self._open.reasons)))
        start_s, end_s = _start_of(shot), _end_of(shot, t_s)
        for from_s, until_s, reasons in spans:
            if start_s <= until_s and end_s >= from_s:
                return from_s, reasons[0]
        return None

    def _count_late(self, spoiling: tuple[float, str]) -> None:
        """A shot of a stoppage that is over already."""
        for index, (over, before) in enumerate(self._compared):
            if over.from_s == spoiling[0]:
                self._compared[index] = (replace(over, withheld=over.withheld + 1), before)


def _causes(reasons: Sequence[str]) -> tuple[str, ...]:
    """Without what was only a consequence."""
    has_cause = any(reason in ("moved", "blurred") for reason in reasons)
    return tuple(reason for reason in reasons if not (has_cause and reason == "no_view"))


def _start_of(shot: SeenShot) -> float:
    start = next((e for e in shot.events if isinstance(e, ShotStarted)), None)
    return -math.inf if start is None or start.t_s is None else start.t_s


def _end_of(shot: SeenShot, t_s: float) -> float:
    end = next((e for e in shot.events if isinstance(e, ShotEnded)), None)
    return t_s if end is None or end.t_s is None else end.t_s


def _incomplete(shot: SeenShot, reason: str) -> SeenShot:
    """The shot, said to be seen in part only."""
    text = INCOMPLETE[reason]
    events = tuple(
        replace(event, incomplete=text)
        if isinstance(event, ShotEnded) and event.incomplete is None
        else event
        for event in shot.events
    )
    return replace(shot, events=events)


def _displaced(
    before: Mapping[BallName, Point], now: Mapping[BallName, Point]
) -> tuple[BallName, ...]:
    """The balls in whose place none lies any more (names are found again more slowly)."""
    return tuple(
        name
        for name, place in before.items()
        if all(math.dist(place, other) > _DISPLACED_M for other in now.values())
    )


INCOMPLETE: Final = {
    SOURCE: "the camera gave no picture within the shot",
    SLOW: "the computer could not keep up within the shot",
    "dark": "the picture was dark within the shot",
    "frozen": "the picture was frozen within the shot",
    "no_view": "the table was out of view within the shot",
    "moved": "the camera moved within the shot",
    "blurred": "the picture was blurred within the shot",
    "rate": "too few frames came within the shot",
}
