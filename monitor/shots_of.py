"""The shots of a review one at a time: a match of hours need not lie in memory as tracks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, overload

from monitor.diagram import Shot
from monitor.observation import Observation
from monitor.state_file import span_of, states_between
from monitor.tracks import Tracks
from table.events import ShotEvent, known_span_s

_AROUND_S: Final = 2.0
"""Shown before the first and after the last event of a shot."""
_UNSEEN_S: Final = 30.0
"""The same where its stroke or its rest was not seen."""
_KEPT: Final = 4


@dataclass
class ShotsOf(Sequence[Shot]):
    """Makes each shot when it is asked for, and remembers the last few."""

    seen: Observation
    _made: OrderedDict[int, Shot] = field(default_factory=OrderedDict, init=False, repr=False)

    @cached_property
    def events(self) -> Mapping[int, tuple[ShotEvent, ...]]:
        """The events of each shot, by number."""
        return self.seen.log.shots()

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the shots, in order."""
        return tuple(self.events)

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Shot]:
        return (self.number(number) for number in self.numbers)

    @overload
    def __getitem__(self, index: int) -> Shot: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Shot]: ...
    def __getitem__(self, index: int | slice) -> Shot | Sequence[Shot]:
        if isinstance(index, slice):
            return [self.number(number) for number in self.numbers[index]]
        return self.number(self.numbers[index])

    def number(self, number: int) -> Shot:
        """The shot of a number."""
        if number not in self._made:
            self._made[number] = self._make(number)
        self._made.move_to_end(number)
        while len(self._made) > _KEPT:
            self._made.popitem(last=False)
        return self._made[number]

    def around(self, from_s: float, until_s: float, tracks: Tracks) -> tuple[Shot, ...]:
        """The shots of which something happened between two times, with these tracks.

        A shot of which no time is known is among them.
        """
        return tuple(
            self._shot(number, tracks)
            for number, events in self.events.items()
            if (span := known_span_s(events)) is None or (span[0] <= until_s and span[1] >= from_s)
        )

    def _make(self, number: int) -> Shot:
        from_s, until_s = self._span_s(number)
        states = states_between(self.seen.states, from_s, until_s)
        return self._shot(number, Tracks.from_states(states))

    def _shot(self, number: int, tracks: Tracks) -> Shot:
        table, ball_set = self.seen.camera.table, self.seen.source.ball_set
        return Shot(number, self.events[number], tracks, table, ball_set)

    def _span_s(self, number: int) -> tuple[float, float]:
        """The time around a shot: not beyond its neighbours where its own ends are unseen."""
        events = self.events[number]
        times_s = [e.t_s for e in events if e.t_s is not None]
        whole = span_of(self.seen.states) or (0.0, 0.0)
        if not times_s:
            return whole if len(self) == 1 else (whole[0], whole[0] + _UNSEEN_S)
        open_start, open_end = events[0].t_s is None, events[-1].t_s is None
        from_s = min(times_s) - (_UNSEEN_S if open_start else _AROUND_S)
        until_s = max(times_s) + (_UNSEEN_S if open_end else _AROUND_S)
        place = self.numbers.index(number)
        if open_start and place > 0:
            from_s = max([from_s, *self._times_s(place - 1)])
        if open_end and place + 1 < len(self):
            until_s = min([until_s, *self._times_s(place + 1)])
        return from_s, until_s

    def _times_s(self, place: int) -> list[float]:
        return [e.t_s for e in self.events[self.numbers[place]] if e.t_s is not None]
