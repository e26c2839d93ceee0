"""The fold of a match, computed anew only from the first shot that changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from monitor.declaration_file import Assigned
from monitor.match import MatchFold
from rules.rack import Rack
from table.events import ShotEvent

Events = tuple[ShotEvent, ...]


@dataclass
class Refold:
    """Keeps the state after every shot, so that a word on the last one costs one shot."""

    start: MatchFold
    """Before the first shot; never changed."""
    opening: Rack | None
    """The rack of the opening; None: what the first shot shows."""
    _stages: list[tuple[object, MatchFold]] = field(default_factory=list, init=False)

    def fold(
        self, shots: Mapping[int, Events], said: Mapping[int, Assigned], preview: Events = ()
    ) -> MatchFold:
        """The match after all `shots`, with what was `said` about each (0: before the first).

        `preview`: what stands on the table while no shot was played yet.
        """
        first: Sequence[ShotEvent] = next(iter(shots.values()), preview)
        keys: list[object] = [(said[0], first if self.opening is None else None)]
        keys += [(number, events, said[number]) for number, events in shots.items()]
        kept = 0
        while kept < min(len(keys), len(self._stages)) and self._stages[kept][0] == keys[kept]:
            kept += 1
        del self._stages[kept:]
        for key in keys[kept:]:
            self._stages.append((key, self._next(key, first, said)))
        return self._stages[-1][1]

    def _next(
        self, key: object, first: Sequence[ShotEvent], said: Mapping[int, Assigned]
    ) -> MatchFold:
        if not self._stages:
            match = self.start.copy()
            match.open(first, said[0], self.opening)
            return match
        assert isinstance(key, tuple)
        match = self._stages[-1][1].copy()
        match.play(*key)
        return match
