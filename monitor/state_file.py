"""The states of a long video, read from its tracks.csv when they are wanted.

A match of hours has more positions than should lie in memory at once. The file is in order of
time; one pass notes where each second begins, and a span is read from there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final, overload

from table.state import TableState
from table.track_file import states_in

_STEP_S: Final = 1.0


@dataclass(frozen=True)
class StateFile(Sequence[TableState]):
    """The states in a tracks.csv; a frame without a known ball has no row and no state here."""

    path: Path
    frames: int
    """Frames in which the table was in view, those without a known ball too."""
    span_s: tuple[float, float]
    """Time of the first and of the last of them."""

    def __len__(self) -> int:
        return self.frames

    def __iter__(self) -> Iterator[TableState]:
        with self.path.open(encoding="utf-8", newline="") as lines:
            next(lines, None)
            yield from states_in(lines, self.path.name)

    @overload
    def __getitem__(self, index: int) -> TableState: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TableState]: ...
    def __getitem__(self, index: int | slice) -> TableState | Sequence[TableState]:
        """States by number, counted in the file; slow, for the few who need it."""
        if isinstance(index, slice):
            return tuple(self)[index]
        if index < 0:
            return tuple(self)[index]
        found = next(islice(self, index, None), None)
        if found is None:
            raise IndexError(index)
        return found

    def between(self, from_s: float, until_s: float) -> tuple[TableState, ...]:
        """The states from `from_s` to `until_s`, both included."""
        times_s, places = self._index
        start = max(0, bisect_right(times_s, from_s) - 1)
        if not times_s:
            return ()
        found = []
        with self.path.open("rb") as file:
            file.seek(places[start])
            lines = (line.decode("utf-8") for line in file)
            for state in states_in(lines, self.path.name):
                if state.t_s > until_s:
                    break
                if state.t_s >= from_s:
                    found.append(state)
        return tuple(found)

    @cached_property
    def _index(self) -> tuple[list[float], list[int]]:
        """Times, about a second apart, and where in the file their rows begin."""
        times_s: list[float] = []
        places: list[int] = []
        with self.path.open("rb") as file:
            place = len(file.readline())
            last = b""
            for line in file:
                time = line.split(b",", 1)[0]
                if time != last:
                    t_s, last = float(time), time
                    if not times_s or t_s >= times_s[-1] + _STEP_S:
                        times_s.append(t_s)
                        places.append(place)
                place += len(line)
        return times_s, places


def states_between(
    states: Sequence[TableState], from_s: float, until_s: float
) -> Sequence[TableState]:
    """The states from `from_s` to `until_s`, wherever they lie."""
    if isinstance(states, StateFile):
        return states.between(from_s, until_s)
    first = bisect_left(states, from_s, key=lambda state: state.t_s)
    last = bisect_right(states, until_s, key=lambda state: state.t_s)
    return states[first:last]


def span_of(states: Sequence[TableState]) -> tuple[float, float] | None:
    """Time of the first and of the last state; None when there is none."""
    if isinstance(states, StateFile):
        return states.span_s
    return (states[0].t_s, states[-1].t_s) if states else None
