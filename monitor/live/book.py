"""One match as its records tell it: what was played, what was said, and the fold of both."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from monitor.declaration_file import (
    Declaration,
    assign,
    before_stroke,
    parse_declaration,
    unused,
)
from monitor.live.records import (
    DECLARATION,
    SESSION,
    SHOT,
    TAKE_BACK,
    VOID,
    is_undoable,
    taken_back,
)
from monitor.live.refold import Refold
from monitor.match import MatchFold, start_of
from monitor.match_header import BREAK, MatchHeader
from monitor.score import Score
from monitor.store import Record
from rules.declarations import Before
from rules.rack import new_rack
from rules.reading import ReadingSettings
from table.balls import BallName
from table.events import ShotEvent, ShotStarted
from table.geometry import Point
from table.log import event_to_json, parse_log


@dataclass(frozen=True, slots=True)
class PlayedShot:
    """One stroke as it stands: the newest record of its number."""

    number: int
    events: tuple[ShotEvent, ...]
    record: Record
    first_record: int
    """The record that told of it first."""

    @property
    def by_hand(self) -> bool:
        """True when a person entered its facts."""
        return self.record.body.get("source") == "hand"


@dataclass
class MatchBook:
    """The records of one match, and the state that follows from them."""

    number: int
    header: MatchHeader
    opened_at: str
    decide_probability: float = 0.98
    records: list[Record] = field(default_factory=list)
    shots: dict[int, PlayedShot] = field(default_factory=dict)
    """All that stand, by number."""
    declarations: list[tuple[int, Declaration]] = field(default_factory=list)
    """All that stand, with the number of the record, in the order in which they came."""
    gone: frozenset[int] = frozenset()
    moving_since_s: float | None = None
    """Match time of a stroke whose shot is not over: what is said since then waits for it."""
    _preview: tuple[ShotEvent, ...] = field(default=(), init=False)
    """What stands on the table before the first stroke of a rack under way."""
    _events: dict[int, tuple[ShotEvent, ...]] = field(default_factory=dict, init=False)
    _parsed: dict[int, Declaration] = field(default_factory=dict, init=False)
    _refold: Refold = field(init=False)

    def __post_init__(self) -> None:
        start = MatchFold(
            self.header.table,
            ReadingSettings(decide_probability=self.decide_probability),
            self.header.options,
            self.header.players,
            holds_losses=True,
            score=Score(self.header.race_to),
        )
        opening = new_rack(self.header.breaker) if self.header.opening == BREAK else None
        self._refold = Refold(start, opening)

    # Records

    def apply(self, *records: Record) -> None:
        """Take new records, in order."""
        self.records += records
        if any(r.kind in (SHOT, DECLARATION, VOID, TAKE_BACK) for r in records):
            self._sort_out()

    def _sort_out(self) -> None:
        """What stands, from all records."""
        self.gone = taken_back(self.records)
        standing = [r for r in self.records if r.id not in self.gone]
        void = {r.shot for r in standing if r.kind == VOID}
        first: dict[int, int] = {}
        shots: dict[int, PlayedShot] = {}
        for record in standing:
            if record.kind == SHOT and record.shot is not None:
                first.setdefault(record.shot, record.id)
                if record.shot not in void:
                    shots[record.shot] = self._shot(record, first[record.shot])
        self.shots = dict(sorted(shots.items()))
        self.declarations = [
            (number, declaration)
            for record in standing
            for number, declaration in self._declared(record)
            if not (record.kind == SHOT and record.shot in void)
        ]

    def _shot(self, record: Record, first: int) -> PlayedShot:
        if record.id not in self._events:
            self._events[record.id] = events_from(record)
        assert record.shot is not None
        return PlayedShot(record.shot, self._events[record.id], record, first)

    def _declared(self, record: Record) -> list[tuple[int, Declaration]]:
        """The declaration of a record; a shot by hand brings its facts."""
        if record.kind == DECLARATION:
            rows = [record.body]
        elif record.kind == SHOT:
            rows = list(record.body.get("facts_said") or ())  # type: ignore[call-overload]
        else:
            return []
        found = []
        for index, row in enumerate(rows):
            key = record.id * 100 + index
            if key not in self._parsed:
                self._parsed[key] = parse_declaration(row)
            found.append((record.id, self._parsed[key]))
        return found

    # State

    def fold(self) -> MatchFold:
        """The match after everything that stands."""
        shots = {number: shot.events for number, shot in self.shots.items()}
        starts = {number: start_of(events) for number, events in shots.items()}
        return self._refold.fold(shots, assign(self._told(), starts), self._preview)

    def look_at_opening(self, balls: Mapping[BallName, Point], moving: bool) -> bool:
        """Before the first stroke the balls that are seen are in play; did that change?

        Not on record: the first stroke's own picture is what counts.
        """
        if self.header.opening == BREAK or self.shots or moving or not balls:
            return False
        known = self._preview[0] if self._preview else None
        if isinstance(known, ShotStarted) and set(known.balls) == set(balls):
            return False
        self._preview = (ShotStarted(shot=1, t_s=0.0, balls=dict(balls)),)
        return True

    def _told(self) -> list[Declaration]:
        """What was said, without what waits for the shot that is being played."""
        return [d for _, d in self.declarations if not self.waits(d)]

    def waits(self, declaration: Declaration) -> bool:
        """Was this said since the balls have been running?"""
        since_s, t_s = self.moving_since_s, declaration.t_s
        if since_s is None or t_s is None or declaration.shot is not None:
            return False
        return t_s >= since_s

    @property
    def coming(self) -> Before:
        """What was announced for the stroke that comes next."""
        starts = {number: start_of(shot.events) for number, shot in self.shots.items()}
        left = unused([d for _, d in self.declarations], starts)
        return before_stroke([d for d in left if d.is_before])

    @property
    def last_shot(self) -> PlayedShot | None:
        """The shot that was played last."""
        return next(reversed(self.shots.values()), None)

    @property
    def next_number(self) -> int:
        """The number that the next shot gets."""
        return max((r.shot for r in self.records if r.kind == SHOT and r.shot), default=0) + 1

    @property
    def session(self) -> Record | None:
        """The camera or file that was opened last."""
        return next((r for r in reversed(self.records) if r.kind == SESSION), None)

    @property
    def last_t_s(self) -> float:
        """The latest match time on record."""
        ends = [e.t_s for s in self.shots.values() for e in s.events if e.t_s is not None]
        return max([0.0, *(r.t_s for r in self.records), *ends[-1:]])

    # Taking back

    @property
    def undo(self) -> Record | None:
        """The record that an undo takes back: the last word since the last stroke."""
        last = self.last_shot
        bar = 0 if last is None else last.first_record - (1 if last.by_hand else 0)
        for record in reversed(self.records):
            if record.id <= bar:
                return None
            if is_undoable(record) and record.id not in self.gone:
                return record
        return None

    @property
    def redo(self) -> Record | None:
        """The record that a redo brings back: the last one taken back, if nothing came since."""
        for record in reversed(self.records):
            if record.kind == TAKE_BACK:
                number = int(str(record.body["record"]))
                if not record.body.get("stands"):
                    return next((r for r in self.records if r.id == number), None)
            elif is_undoable(record) and record.id not in self.gone:
                return None
        return None


def event_rows(events: Sequence[ShotEvent]) -> list[dict[str, object]]:
    """Events as the lines of a shot log."""
    return [event_to_json(event) for event in events]


def events_from(record: Record) -> tuple[ShotEvent, ...]:
    """The events of a shot's record."""
    rows = record.body.get("events")
    lines = [json.dumps(row) for row in rows] if isinstance(rows, list) else []
    return parse_log(lines, f"record {record.id}").events
