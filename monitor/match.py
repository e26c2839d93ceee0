"""The match as a fold: each shot is read, ruled on and hands its rack to the next.

What is said after a shot about that shot rules on it again; what is said apart from it (a
choice, a warning, the clock) is ruled on the state that it left. `replay` folds a shot log;
a live match is the same fold over its journal.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from monitor.declaration_file import Assigned, Declaration, before_stroke
from monitor.moved_camera import health_notes
from monitor.obvious import obvious_call
from monitor.opening import (
    differences,
    open_clip,
    stands_racked_anew,
    strange_departures,
    uncovered,
    unnamed,
    without_unseen_ten,
)
from monitor.ruling_rows import Basis, Row, ruling_row
from monitor.score import Score
from monitor.turns import Turn, differs
from rules.corrections import FactCorrection, corrected
from rules.declarations import Declarations, Dismiss, NextRack, PlacementCheck
from rules.facts import ShotFacts
from rules.rack import DEFAULT_OPTIONS, EventOptions, Phase, Rack, new_rack
from rules.reading import ReadingSettings, read_shot
from rules.ruling import Question, Ruling
from rules.ten_ball import rule
from table.balls import CUE, BallName
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    ShotEnded,
    ShotEvent,
    ShotStarted,
)
from table.geometry import Point, TableSpec


@dataclass(frozen=True, slots=True)
class Ruled:
    """One row of rulings.jsonl with what it was made from."""

    row: Row
    ruling: Ruling
    facts: ShotFacts | None
    """The facts that were judged, corrections included."""
    shot: int
    """The shot that was played, or the one that the declaration came after."""
    by_declaration: bool = False


@dataclass
class MatchFold:
    """What was played and said so far, and every ruling on it."""

    table: TableSpec
    settings: ReadingSettings = field(default_factory=ReadingSettings)
    options: EventOptions = DEFAULT_OPTIONS
    players: tuple[str, str] = ("A", "B")
    assume_obvious: bool = False
    """A plain shot that nobody called counts as called (a review without declarations)."""
    holds_losses: bool = False
    """A rack is lost by three fouls only when a person confirms 6.14 (live)."""
    score: Score = field(default_factory=Score)
    ruled: list[Ruled] = field(default_factory=list)
    rack: Rack = field(default_factory=new_rack)
    assumptions: tuple[str, ...] = ()
    carried_over: list[Declaration] = field(default_factory=list)
    """What was said before a stroke that only its ruling can use (a placement check)."""
    seen: frozenset[BallName] = frozenset()
    played: bool = False
    """False until the first shot: its own picture is the state that it starts from."""
    last_rest: Mapping[BallName, Point] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    refused: list[tuple[Declaration, str]] = field(default_factory=list)
    """Declarations without effect, and the name under which the rules refused them."""

    @property
    def rows(self) -> list[Row]:
        """The rows of rulings.jsonl."""
        return [ruled.row for ruled in self.ruled]

    def copy(self) -> MatchFold:
        """The same state, to go on from without changing this one."""
        twin = copy.copy(self)
        twin.ruled = list(self.ruled)
        twin.carried_over = list(self.carried_over)
        twin.asked = set(self.asked)
        twin.refused = list(self.refused)
        return twin

    def open(self, first: Sequence[ShotEvent], said: Assigned, rack: Rack | None = None) -> None:
        """The state before the first shot, and what was said before it.

        `rack` None: what the first shot's picture shows is in play.
        """
        if rack is not None:
            self.rack = rack
        elif first:
            opening = open_clip(first, self.table)
            self.rack, self.assumptions = opening.rack, opening.assumptions
            self.seen |= _seen_in(first)
        self._follow(self._turn(0, None, said), None, said.after)

    def play(self, number: int, events: Sequence[ShotEvent], said: Assigned) -> None:
        """One shot and everything said about it."""
        questions, notes = self._compare(events)
        end_s = end_of(events)
        in_time = (*self.carried_over, *(d for d in said.after if _is_during(d, end_s)))
        self.carried_over = []
        before = before_stroke(said.before)
        facts = read_shot(events, self.rack, before, self.table, self.settings)
        assumed = obvious_call(self.rack, facts, before, events) if self.assume_obvious else None
        basis = Basis(
            facts=facts,
            assumptions=self.assumptions,
            questions=questions,
            health=[*notes, *health_notes(events)],
            assumed=assumed,
        )
        turn = replace(self._turn(number, facts, said), in_time=in_time, assumed=assumed)
        ruling = turn.ruling(in_time)
        row = ruling_row(ruling, _open_of(basis, in_time), self.players, (*said.before, *in_time))
        head: Row = {"v": 1, "shot": number, "t_s": _row_time(events)}
        self.ruled.append(Ruled(head | row, ruling, _corrected(facts, in_time), number))
        self.last_rest = _rest(events)
        self.played = True
        self.rack = ruling.rack
        later = tuple(d for d in said.after if d not in in_time)
        self._follow(turn, basis, later, _row_time(events))

    def _turn(self, number: int, facts: ShotFacts | None, said: Assigned) -> Turn:
        return Turn(
            self.rack,
            facts,
            said,
            self.options,
            (),
            self.seen,
            number=number,
            score=self.score,
            holds_losses=self.holds_losses,
        )

    def _follow(
        self,
        turn: Turn,
        basis: Basis | None,
        later: Sequence[Declaration],
        t_s: float | None = None,
    ) -> None:
        """A row for each declaration after the shot that changes something."""
        basis = basis or Basis(facts=None, assumptions=self.assumptions)
        before = turn.ruling(turn.in_time)
        standing = tuple(turn.in_time)
        for declaration in later:
            standing = (*standing, declaration)
            ruling = turn.ruling(standing)
            if isinstance(declaration.said, PlacementCheck) and ruling.rack.phase is Phase.BREAK:
                self.carried_over.append(declaration)
            if ruling.refused != before.refused:
                self.refused += [(declaration, name) for name in ruling.refused[-1:]]
            now_open = _open_of(basis, standing)
            answers = now_open.questions != _open_of(basis, standing[:-1]).questions
            if answers or differs(ruling, before):
                row = ruling_row(ruling, now_open, self.players, (declaration,))
                when = declaration.t_s if declaration.t_s is not None else t_s
                head: Row = {"v": 1, "shot": None, "after_shot": turn.number, "t_s": when}
                facts = _corrected(turn.facts, standing)
                self.ruled.append(Ruled(head | row, ruling, facts, turn.number, True))
            before = ruling
        self.rack = before.rack
        self.score = turn.score_after(standing)

    def _compare(self, events: Sequence[ShotEvent]) -> tuple[tuple[Question, ...], list[str]]:
        """Bring the carried rack to the stroke: questions and notes where the picture differs."""
        self.seen |= _seen_in(events)
        questions: list[Question] = []
        notes: list[str] = []
        if self.rack.is_over and not self.rack.match_over:
            self._next_rack("the next rack is racked")
        elif stands_racked_anew(self.rack, events, self.last_rest, self.table):
            ask = "The balls stand racked again: has a new rack begun?"
            questions.append(Question("9.2", ask))
            notes.append("the balls stand racked while a rack is under way")
            self._next_rack("a new rack has begun: the balls stand racked")
        if self.played:
            known = differences(self.rack, events)
        else:
            known = (*unnamed(self.rack, events), *uncovered(self.rack, events))
        for difference in (*known, *strange_departures(self.rack, events)):
            notes.append(difference.note)
            if difference.note not in self.asked:
                self.asked.add(difference.note)
                questions.append(difference.question)
        return tuple(questions), notes

    def _next_rack(self, assumption: str) -> None:
        over = replace(self.rack, phase=Phase.RACK_OVER)
        rack = rule(over, None, Declarations(after=(NextRack(),)), self.options).rack
        self.rack = without_unseen_ten(rack, self.seen) if self.seen else rack
        self.assumptions = (assumption,)
        self.asked.clear()


def _open_of(basis: Basis, declarations: Sequence[Declaration]) -> Basis:
    """What is asked about the state before the shot, without what a person answered."""
    answered = {d.said.rule for d in declarations if isinstance(d.said, Dismiss)}
    if not any(question.article in answered for question in basis.questions):
        return basis
    left = tuple(q for q in basis.questions if q.article not in answered)
    return replace(basis, questions=left)


def _corrected(facts: ShotFacts | None, declarations: Sequence[Declaration]) -> ShotFacts | None:
    if facts is None:
        return None
    return corrected(facts, [d.said for d in declarations if isinstance(d.said, FactCorrection)])


# Times


def is_shot(events: Sequence[ShotEvent]) -> bool:
    """True when something of a stroke stands among the events."""
    played = (ShotStarted, BallContact, CushionContact, BallPocketed, BallOffTable, ShotEnded)
    return any(isinstance(event, played) for event in events)


def start_of(events: Sequence[ShotEvent]) -> float:
    """When the tip met the cue ball; -inf where the clip does not show it."""
    start = next((e for e in events if isinstance(e, ShotStarted)), None)
    if start is not None:
        return -math.inf if start.t_s is None else start.t_s
    return min((e.t_s for e in events if e.t_s is not None), default=-math.inf)


def end_of(events: Sequence[ShotEvent]) -> float:
    """When the shot was over: at rest, or with the last thing that was seen of it."""
    ended = [e.t_s for e in events if isinstance(e, ShotEnded) and e.t_s is not None]
    return max(ended or [e.t_s for e in events if e.t_s is not None], default=-math.inf)


def _row_time(events: Sequence[ShotEvent]) -> float | None:
    end_s = end_of(events)
    return end_s if math.isfinite(end_s) else None


def _is_during(declaration: Declaration, end_s: float) -> bool:
    known = declaration.t_s is not None and declaration.shot is None
    return known and not declaration.looks_ahead and (declaration.t_s or 0.0) < end_s


def _rest(events: Sequence[ShotEvent]) -> Mapping[BallName, Point]:
    end = next((e for e in events if isinstance(e, ShotEnded)), None)
    return end.balls if end else {}


def _seen_in(events: Sequence[ShotEvent]) -> frozenset[BallName]:
    starts = (e.balls for e in events if isinstance(e, ShotStarted))
    return frozenset(name for balls in starts for name in balls if name != CUE)
