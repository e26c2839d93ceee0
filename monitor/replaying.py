"""Rules only: a shot log and declarations in, the rows of rulings.jsonl out.

A match is a fold: each shot is read, ruled on and hands its rack to the next. What is said
after a shot about that shot rules on it again; what is said apart from it (a choice, a
warning, the clock) is ruled on the state that it left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from monitor.declaration_file import (
    Assigned,
    Declaration,
    assign,
    before_stroke,
    read_declarations,
)
from monitor.obvious import obvious_call
from monitor.opening import (
    differences,
    open_clip,
    stands_racked_anew,
    without_unseen_ten,
)
from monitor.ruling_rows import Basis, Row, ruling_row
from rules.corrections import FactCorrection, corrected
from rules.declarations import (
    After,
    BallFellByItself,
    CannotRestore,
    Declarations,
    FoulCall,
    Interference,
    NextRack,
    PlacementCheck,
    Restore,
    TimeExpired,
    Undo,
)
from rules.facts import DECIDE_PROBABILITY, ShotFacts
from rules.hearing import hear
from rules.rack import DEFAULT_OPTIONS, EventOptions, Phase, Rack, new_rack
from rules.reading import ReadingSettings, read_shot
from rules.ruling import Question, Ruling
from rules.ten_ball import rule
from table.balls import CUE, Ball, BallName
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
from table.log import ShotLog

__all__ = ["read_declarations", "replay"]


def replay(
    log: ShotLog,
    declarations: Sequence[Declaration] | None = None,
    *,
    players: tuple[str, str] = ("A", "B"),
    decide_probability: float = DECIDE_PROBABILITY,
    assume_obvious: bool = False,
    options: EventOptions = DEFAULT_OPTIONS,
) -> list[Row]:
    """The rows of rulings.jsonl: one a shot, and one a declaration that changes something.

    `assume_obvious` is for a review without declarations: a plain shot that nobody called
    counts as called, visibly. `players` are names for the sentences.
    """
    settings = ReadingSettings(decide_probability=decide_probability)
    table = TableSpec(length_m=log.source.length_m, width_m=log.source.width_m)
    shots = {n: events for n, events in log.shots().items() if _is_shot(events)}
    said = assign(declarations or (), {n: _start_s(events) for n, events in shots.items()})
    match = _Match(table, settings, options, players, assume_obvious)
    match.open(next(iter(shots.values()), ()), said[0])
    for number, events in shots.items():
        match.play(number, events, said[number])
    return match.rows


@dataclass
class _Match:
    """The fold: what was played and said so far."""

    table: TableSpec
    settings: ReadingSettings
    options: EventOptions
    players: tuple[str, str]
    assume_obvious: bool
    rows: list[Row] = field(default_factory=list)
    rack: Rack = field(default_factory=new_rack)
    assumptions: tuple[str, ...] = ()
    carried_over: list[Declaration] = field(default_factory=list)
    """What was said before a stroke that only its ruling can use (a placement check)."""
    seen: frozenset[BallName] = frozenset()
    last_rest: Mapping[BallName, Point] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def open(self, first: Sequence[ShotEvent], said: Assigned) -> None:
        """The state before the first shot, and what was said before it."""
        if first:
            opening = open_clip(first, self.table)
            self.rack, self.assumptions = opening.rack, opening.assumptions
            self.seen |= _seen_in(first)
        turn = _Turn(self.rack, None, said, self.options, (), self.seen)
        self._follow(turn, 0, None, said.after)

    def play(self, number: int, events: Sequence[ShotEvent], said: Assigned) -> None:
        """One shot and everything said about it."""
        questions, notes = self._compare(events)
        end_s = _end_s(events)
        in_time = (*self.carried_over, *(d for d in said.after if _is_during(d, end_s)))
        self.carried_over = []
        before = before_stroke(said.before)
        facts = read_shot(events, self.rack, before, self.table, self.settings)
        assumed = obvious_call(self.rack, facts, before, events) if self.assume_obvious else None
        basis = Basis(
            facts=facts,
            assumptions=self.assumptions,
            questions=questions,
            health=notes,
            assumed=assumed,
        )
        turn = _Turn(self.rack, facts, said, self.options, in_time, self.seen, assumed)
        ruling = turn.ruling(in_time)
        declared = (*said.before, *in_time)
        row = ruling_row(ruling, basis, self.players, declared)
        self.rows.append({"v": 1, "shot": number, "t_s": _row_time(events)} | row)
        self.last_rest = _rest(events)
        self.rack = ruling.rack
        later = tuple(d for d in said.after if d not in in_time)
        self._follow(turn, number, basis, later, _row_time(events))

    def _follow(
        self,
        turn: _Turn,
        number: int,
        basis: Basis | None,
        later: Sequence[Declaration],
        t_s: float | None = None,
    ) -> None:
        """A row for each declaration after the shot that changes something."""
        basis = basis or Basis(facts=None, assumptions=self.assumptions)
        before = turn.ruling(turn.in_time)
        for index, declaration in enumerate(later):
            standing = (*turn.in_time, *later[: index + 1])
            ruling = turn.ruling(standing)
            if isinstance(declaration.said, PlacementCheck) and ruling.rack.phase is Phase.BREAK:
                self.carried_over.append(declaration)
            if _differs(ruling, before):
                row = ruling_row(ruling, basis, self.players, (declaration,))
                when = declaration.t_s if declaration.t_s is not None else t_s
                head: Row = {"v": 1, "shot": None, "after_shot": number, "t_s": when}
                self.rows.append(head | row)
            before = ruling
        self.rack = before.rack

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
        for difference in differences(self.rack, events):
            notes.append(difference.note)
            if difference.note not in self.asked:
                self.asked.add(difference.note)
                questions.append(difference.question)
        return tuple(questions), notes

    def _next_rack(self, assumption: str) -> None:
        over = replace(self.rack, phase=Phase.RACK_OVER)
        rack = rule(over, None, Declarations(after=(NextRack(),)), self.options).rack
        self.rack = without_unseen_ten(rack, self.seen)
        self.assumptions = (assumption,)
        self.asked.clear()


@dataclass
class _Turn:
    """One shot (or the time before the first) with what was said about it."""

    rack: Rack
    facts: ShotFacts | None
    said: Assigned
    options: EventOptions
    in_time: Sequence[Declaration]
    """Said while the shot was played: part of its own ruling."""
    seen: frozenset[BallName]
    """Every ball seen so far: a new rack holds the set that is played with."""
    assumed: After | None = None

    def ruling(self, declarations: Sequence[Declaration]) -> Ruling:
        """The ruling after `declarations`, in order."""
        standing = _standing(declarations)
        about = [d for d in standing if not self._is_apart(d)]
        apart = [d for d in standing if d not in about]
        stroke = self._stroke(about)
        ruling = stroke
        for declaration in apart:
            said = _after(declaration)
            if said is not None:
                ruling = rule(ruling.rack, None, Declarations(after=(said,)), self.options)
                if ruling.rack.phase is Phase.BREAK and self.seen:
                    rack = without_unseen_ten(ruling.rack, self.seen)
                    ruling = replace(ruling, rack=rack)
        if ruling is stroke:
            return stroke
        if declarations and declarations[-1] in about:
            return replace(stroke, rack=ruling.rack)
        return replace(ruling, questions=(*stroke.questions, *ruling.questions))

    def _stroke(self, about: Sequence[Declaration]) -> Ruling:
        facts = self.facts
        if facts is not None:
            facts = corrected(facts, [d.said for d in about if isinstance(d.said, FactCorrection)])
        after = [a for d in about if (a := _after(d)) is not None]
        if self.assumed is not None:
            after.insert(0, self.assumed)
        before = before_stroke(self.said.before)
        return rule(self.rack, facts, Declarations(before, tuple(after)), self.options)

    def _is_apart(self, declaration: Declaration) -> bool:
        """True when it was said after the stroke and not about it."""
        said = declaration.said
        if self.facts is None:
            return True
        if isinstance(said, FactCorrection) or declaration in self.in_time:
            return False
        if declaration.shot is not None and not declaration.looks_ahead:
            return self._is_heard_apart(said)
        if isinstance(said, TimeExpired):
            return True
        if isinstance(said, (Restore, Interference, BallFellByItself)):
            return not _balls_of(said) & _balls_down(self.facts)
        return self._is_heard_apart(said)

    def _is_heard_apart(self, said: object) -> bool:
        if isinstance(said, CannotRestore) or self.facts is None:
            return False
        before = before_stroke(self.said.before)
        heard = hear(self.rack, self.facts, before, [said])  # type: ignore[list-item]
        return said in heard.later


def _after(declaration: Declaration) -> After | None:
    """What the engine hears; a foul about "the previous shot" is about the one it follows."""
    said = declaration.said
    if declaration.is_before or isinstance(said, FactCorrection):
        return None
    if isinstance(said, FoulCall) and said.about_previous_shot:
        return replace(said, about_previous_shot=False)
    return said  # type: ignore[return-value]


def _standing(declarations: Sequence[Declaration]) -> list[Declaration]:
    """Those that no later undo takes back; each undo takes back the one before it."""
    standing: list[Declaration] = []
    for declaration in declarations:
        if not isinstance(declaration.said, Undo):
            standing.append(declaration)
        elif standing:
            standing.pop()
    return standing


def _balls_of(said: Restore | Interference | BallFellByItself) -> set[Ball]:
    if isinstance(said, Restore):
        return set(said.balls)
    return set() if said.ball is None else {said.ball}


def _balls_down(facts: ShotFacts) -> set[Ball]:
    down = {fallen.ball for fallen in facts.pocketed} | {held.ball for held in facts.supported}
    return down | {drop.ball for drop in facts.lip_drops} | {off.ball for off in facts.off_table}


def _differs(ruling: Ruling, before: Ruling) -> bool:
    """Did a declaration change anything? One that was refused did not."""
    if ruling.rack != before.rack or ruling.questions != before.questions:
        return True
    now, then = _consequences(ruling), _consequences(before)
    return now != then and (any(now) or ruling.stroke == before.stroke)


def _consequences(ruling: Ruling) -> tuple[object, ...]:
    return (
        ruling.fouls,
        ruling.spot,
        ruling.restore,
        ruling.replay,
        ruling.rerack,
        ruling.lag_again,
    )


# Times


def _is_shot(events: Sequence[ShotEvent]) -> bool:
    played = (ShotStarted, BallContact, CushionContact, BallPocketed, BallOffTable, ShotEnded)
    return any(isinstance(event, played) for event in events)


def _start_s(events: Sequence[ShotEvent]) -> float:
    start = next((e for e in events if isinstance(e, ShotStarted)), None)
    if start is not None:
        return -math.inf if start.t_s is None else start.t_s
    return min((e.t_s for e in events if e.t_s is not None), default=-math.inf)


def _end_s(events: Sequence[ShotEvent]) -> float:
    """When the shot was over: at rest, or with the last thing that was seen of it."""
    ended = [e.t_s for e in events if isinstance(e, ShotEnded) and e.t_s is not None]
    return max(ended or [e.t_s for e in events if e.t_s is not None], default=-math.inf)


def _row_time(events: Sequence[ShotEvent]) -> float | None:
    end_s = _end_s(events)
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
