"""One shot (or the time before the first) with everything said about it.

What is said about the stroke rules on it again; what is said apart from it (a choice, a
warning, the clock) is ruled on the state that it left, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from monitor.declaration_file import Assigned, Declaration, before_stroke
from monitor.opening import without_unseen_ten
from rules.corrections import FactCorrection, corrected
from rules.declarations import (
    After,
    BallFellByItself,
    CannotRestore,
    Declarations,
    FoulCall,
    Interference,
    Restore,
    TimeExpired,
    Undo,
)
from rules.facts import ShotFacts
from rules.hearing import hear
from rules.rack import EventOptions, Phase, Rack
from rules.ruling import Ruling
from rules.ten_ball import rule
from table.balls import Ball, BallName


@dataclass
class Turn:
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


def differs(ruling: Ruling, before: Ruling) -> bool:
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
