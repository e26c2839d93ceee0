"""The scorer's desk: takes what the eyes and people bring, writes it down, rules, shows.

One thing at a time, in this order: a transaction writes what came, the rulings that follow
and the answer; only when it is on disk is the new state shown. When anything fails in
between, nothing of it stands and the book is read anew from the journal.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from monitor.live.actions import ActionError, Planned, check_id, plan
from monitor.live.book import MatchBook, event_rows
from monitor.live.hand_shots import SHOT_S, fact_rows, hand_events, read_hand_facts
from monitor.live.match_clock import MatchClock
from monitor.live.moments import deciding_moments
from monitor.live.records import RULING, SESSION, SESSION_END, SHOT
from monitor.live.table_now import Health, TableNow
from monitor.live.view import Shown, state_of
from monitor.live.view_rack import SourceView
from monitor.live.view_rulings import RulingKey, keyed
from monitor.match import MatchFold
from monitor.match_header import BREAK, SEEN, MatchHeader, read_header
from monitor.store import Body, EvidenceRow, Journal, Record
from table.events import ShotEvent
from table.geometry import NINE_FOOT, TableSpec
from table.json_fields import FieldError

Listener = Callable[[Body], None]
"""Called with the new state, in the thread that changed it."""


@dataclass(frozen=True, slots=True)
class DeskSettings:
    """How a desk is set up."""

    table: TableSpec = NINE_FOOT
    camera: bool = False
    source: str = ""
    players: tuple[str, str] = ("A", "B")
    decide_probability: float = 0.98


@dataclass
class Desk:
    """The live match: the only writer of the journal. All methods may be called by any thread."""

    journal: Journal
    settings: DeskSettings = field(default_factory=DeskSettings)
    clock: MatchClock = field(init=False)
    listener: Listener = field(default_factory=lambda: _nobody, init=False)
    book: MatchBook = field(init=False)
    now: TableNow = field(default_factory=TableNow, init=False)
    health: Health = field(default_factory=Health, init=False)
    head: str | None = field(default=None, init=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False)
    _match: MatchFold = field(init=False)
    _written: dict[RulingKey, tuple[int, bool]] = field(default_factory=dict, init=False)
    _rows: dict[RulingKey, object] = field(default_factory=dict, init=False)
    _evidence: list[EvidenceRow] = field(default_factory=list, init=False)
    _wanted: list[int] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        head = self.journal.last_match()
        number = head.id if head is not None else self._open(self._first_header())
        self._load(number)
        # Time stands still while the program does not run.
        self.clock = MatchClock(self.book.last_t_s + 1.0 if self.book.records else 0.0)

    def _first_header(self) -> MatchHeader:
        settings = self.settings
        opening = SEEN if settings.camera else BREAK
        return MatchHeader(settings.players, opening=opening, table=settings.table)

    def _open(self, header: MatchHeader) -> int:
        return self.journal.open_match(header.to_json())

    def _load(self, number: int) -> None:
        """Read a match from the journal."""
        head = next(h for h in self.journal.matches() if h.id == number)
        header = read_header(head.header, f"match {number}", self.settings.table)
        decide = self.settings.decide_probability
        self.book = MatchBook(number, header, head.opened_at, decide)
        self.book.apply(*self.journal.records(number))
        self._written, self._rows = {}, {}
        for record in self.book.records:
            if record.kind == RULING:
                self._note_ruling(record)
        self._evidence = self.journal.evidence(number)
        self._match = self.book.fold()

    def _note_ruling(self, record: Record) -> None:
        key = _key_of(record)
        known = key in self._written
        self._written[key] = (record.id, known)
        self._rows[key] = record.body.get("row")
        if record.body.get("row") is None:
            del self._written[key], self._rows[key]

    # What people do

    def act(self, action: Mapping[str, object]) -> Body:
        """Take one action of a person and return the answer.

        Raises:
            ActionError: when it cannot be taken now.
            FieldError: when a field is missing or wrong.
        """
        with self._lock:
            known = self._known(action)
            if known is not None:
                return known
            self._match = self.book.fold()
            t_s = self.clock.now()
            planned = plan(action, self.book, self._match, t_s)
            return self._commit([planned], t_s, check_id(action))

    def enter_shot(self, asked: Mapping[str, object]) -> Body:
        """Take a shot whose facts a person entered.

        Raises:
            ActionError, FieldError: as `act`.
        """
        with self._lock:
            known = self._known(asked)
            if known is not None:
                return known
            facts = read_hand_facts(asked.get("facts"), "shot")
            if self.book.moving_since_s is not None:
                raise ActionError("stroke_begun", "The balls are running: wait until they rest.")
            if self._match.rack.match_over:
                raise ActionError("match_over", "The match is over; begin a new one.")
            t_s, number = self.clock.now(), self.book.next_number
            self.clock.pass_over(2 * SHOT_S)
            body: Body = {
                "source": "hand",
                "events": event_rows(hand_events(facts, number, t_s)),
                "facts": facts,
                "facts_said": fact_rows(facts, t_s),
            }
            return self._commit([Planned(SHOT, number, body)], t_s, check_id(asked))

    def open_match(self, asked: Mapping[str, object]) -> Body:
        """Begin a new match; the old one stays in the journal.

        Raises:
            ActionError, FieldError: as `act`.
        """
        with self._lock:
            known = self._known(asked)
            if known is not None:
                return known
            action = check_id(asked)
            header = read_header(asked, "match", self.settings.table)
            if header.opening == SEEN and not self.settings.camera:
                raise FieldError('match, field "opening": without a camera it is break')
            with self.journal.transaction():
                number = self._open(header)
                answer: Body = {"match": number}
                self.journal.keep_answer(action, number, answer)
            session = self.book.session
            self._load(number)
            self.now = replace(self.now, moving_since_s=None)
            if session is not None:
                self._commit([Planned(SESSION, None, session.body)], self.clock.now(), None)
            self._show()
            return answer | {"repeated": False}

    def _known(self, asked: Mapping[str, object]) -> Body | None:
        answer = self.journal.answer_to(check_id(asked))
        return None if answer is None else answer | {"repeated": True}

    # What the eyes bring

    def open_session(self, body: Body) -> Record:
        """A camera or file was opened."""
        with self._lock:
            t_s = self.clock.now()
            self._commit([Planned(SESSION, None, body)], t_s, None)
            session = self.book.session
            assert session is not None
            return session

    def end_session(self) -> None:
        """The file was played to its end."""
        with self._lock:
            self._commit([Planned(SESSION_END, None, {})], self.clock.now(), None)

    def take_shot(self, events: Sequence[ShotEvent], body: Body) -> int:
        """Take a shot that the eyes have seen, or a better reading of one; returns its number.

        `events` carry the shot's number and match time. `body` may hold `paths`.
        """
        with self._lock:
            number = events[0].shot
            self.book.moving_since_s = None
            self.now = replace(self.now, moving_since_s=None)
            record: Body = {"source": "camera", "events": event_rows(events)} | body
            played = self.book.shots.get(number)
            if played is not None and played.record.body.get("events") == record["events"]:
                self._show()
                return number
            self._commit([Planned(SHOT, number, record)], self.clock.now(), None)
            return number

    def see(self, now: TableNow, *, show: bool) -> None:
        """Take the newest look at the table; `show`: more than positions changed."""
        with self._lock:
            changed = now.moving_since_s != self.book.moving_since_s
            changed |= self.book.look_at_opening(now.balls, bool(now.moving))
            self.now = now
            self.book.moving_since_s = now.moving_since_s
            if changed:
                self._match = self.book.fold()
            if show or changed:
                self._show()

    def feel(self, health: Health) -> None:
        """Take the newest health."""
        with self._lock:
            if health != self.health:
                self.health = health
                self._show()

    def evidence_is(self, number: int, state: str, size: int = 0) -> None:
        """A clip is ready, or could not be made."""
        with self._lock:
            self.journal.evidence_is(number, state, size)
            self._evidence = self.journal.evidence(self.book.number)
            self._show()

    def abandon_evidence(self) -> None:
        """Clips that were wanted when the program was killed cannot be cut any more."""
        with self._lock:
            for row in self._evidence:
                if row.state == "wanted":
                    self.journal.evidence_is(row.id, "none")
            self._evidence = self.journal.evidence(self.book.number)

    def evidence_of(self, shot: int) -> list[EvidenceRow]:
        """The clips of a shot of the present match."""
        with self._lock:
            return [row for row in self._evidence if row.shot == shot]

    def evidence_state(self, number: int) -> str | None:
        """What became of a clip; None when there is none of that number."""
        with self._lock:
            return next((row.state for row in self.journal.evidence(number=number)), None)

    def wanted_evidence(self) -> list[EvidenceRow]:
        """Clips to cut that nobody was told of yet."""
        with self._lock:
            wanted, self._wanted = self._wanted, []
            return [row for row in self._evidence if row.id in wanted]

    def tick(self) -> None:
        """Show what the passing of time changes: an expired clock, a lip's five seconds."""
        with self._lock:
            self._show()

    # The order of things

    def _commit(self, planned: Sequence[Planned], t_s: float, action: str | None) -> Body:
        """Write, rule, answer: all of it or nothing; then show."""
        try:
            with self.journal.transaction():
                records = [self._write(p.kind, t_s, p.shot, p.body) for p in planned]
                self.book.apply(*records)
                refused_before = len(self._match.refused)
                self._match = self.book.fold()
                self._write_rulings(t_s)
                answer = self._answer(records[0], refused_before)
                if action is not None:
                    self.journal.keep_answer(action, self.book.number, answer)
        except BaseException:
            self._load(self.book.number)
            raise
        self._evidence = self.journal.evidence(self.book.number)
        self._show()
        return answer | {"repeated": False}

    def _write(self, kind: str, t_s: float, shot: int | None, body: Body) -> Record:
        return self.journal.write(self.book.number, kind, t_s, shot, body)

    def _write_rulings(self, t_s: float) -> None:
        """The rulings that are new or changed, and those that no longer stand."""
        standing = keyed(self._match)
        for key, ruled in standing.items():
            if self._rows.get(key) != ruled.row:
                self._write_ruling(key, ruled.row, t_s)
                if key[1] == 0 and not any(row.shot == key[0] for row in self._evidence):
                    self._want_evidence(key[0])
        for key in [key for key in self._rows if key not in standing]:
            self._write_ruling(key, None, t_s)

    def _write_ruling(self, key: RulingKey, row: Body | None, t_s: float) -> None:
        body: Body = {"key": list(key), "row": row}
        record = self._write(RULING, t_s, key[0], body)
        self.book.records.append(record)
        self._note_ruling(record)

    def _want_evidence(self, shot: int) -> None:
        played = self.book.shots.get(shot)
        if played is None or played.by_hand:
            return
        row = self._rows[(shot, 0)]
        for moment in deciding_moments(played.events, row if isinstance(row, dict) else {}):
            number = self.journal.want_evidence(
                self.book.number, shot, moment.what, moment.t_s, moment.span
            )
            self._wanted.append(number)

    def _answer(self, record: Record, refused_before: int) -> Body:
        refused = [name for _, name in self._match.refused[refused_before:]]
        last = self._match.ruled[-1].row if self._match.ruled else {}
        return {
            "record": record.id,
            "shot": record.shot,
            "refused": refused[-1] if refused else None,
            "sentence": last.get("sentence", ""),
            "sentence_cs": last.get("sentence_cs", ""),
        }

    # The state

    def state(self) -> Body:
        """The state as it is now."""
        with self._lock:
            return state_of(
                Shown(
                    self.book,
                    self._match,
                    self._written,
                    self._evidence,
                    self.now,
                    self.health,
                    SourceView(self.settings.camera, self.settings.source),
                    self.head,
                    self.clock.peek(),
                )
            )

    def _show(self) -> None:
        self.listener(self.state())


def _nobody(_: Body) -> None:
    """Nobody listens."""


def _key_of(record: Record) -> RulingKey:
    key = record.body["key"]
    assert isinstance(key, list)
    return int(key[0]), int(key[1])
