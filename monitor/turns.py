"""One shot (or the time before the first) with everything said about it.

What is said about the stroke rules on it again; what is said apart from it (a choice, a
warning, the clock) is ruled on the state that it left, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from monitor.declaration_file import Assigned, Declaration, before_stroke
from monitor.opening import without_unseen_ten
from monitor.score import Score
from monitor.state_change import StateChange
from rules.corrections import FactCorrection, corrected
from rules.declarations import (
    After,
    BallFellByItself,
    CannotRestore,
    Confirm,
    Declarations,
    Dismiss,
    FoulCall,
    Interference,
    Restore,
    TimeExpired,
    Undo,
)
from rules.facts import ShotFacts
from rules.hearing import hear
from rules.rack import EventOptions, Phase, Rack
from rules.records import changed
from rules.ruling import Question, Ruling
from rules.ten_ball import rule
from table.balls import Ball, BallName

SERIES: Final = "6.14"
"""Three fouls in a row."""
_LOSS: Final = Question(SERIES, "Is the rack lost by three fouls in a row?")


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
    number: int = 0
    score: Score = field(default_factory=Score)
    """The score before it."""
    holds_losses: bool = False
    """A third foul ends the rack only when a person confirms 6.14 (live)."""

    def ruling(self, declarations: Sequence[Declaration]) -> Ruling:
        """The ruling after `declarations`, in order."""
        standing = _standing(declarations)
        about, apart = self._sorted(standing)
        steps = self._steps(about, apart, self._spared(standing))
        stroke, ruling = steps[0][0], steps[-1][0]
        if len(steps) == 1:
            return stroke
        if declarations and declarations[-1] in about:
            return replace(stroke, rack=ruling.rack)
        return replace(ruling, questions=(*stroke.questions, *ruling.questions))

    def score_after(self, declarations: Sequence[Declaration]) -> Score:
        """The score after `declarations`, in order."""
        standing = _standing(declarations)
        return self._steps(*self._sorted(standing), self._spared(standing))[-1][1]

    def _sorted(
        self, standing: Sequence[Declaration]
    ) -> tuple[list[Declaration], list[Declaration]]:
        """What is about the stroke, and what was said apart from it."""
        heard = [d for d in standing if not (self.holds_losses and _confirms_series(d))]
        about = [d for d in heard if not self._is_apart(d)]
        return about, [d for d in heard if d not in about]

    def _spared(self, standing: Sequence[Declaration]) -> bool:
        """True while the loss of the rack by three fouls waits for a person's word."""
        return self.holds_losses and not any(_confirms_series(d) for d in standing)

    def _steps(
        self, about: Sequence[Declaration], apart: Sequence[Declaration], spared: bool
    ) -> list[tuple[Ruling, Score]]:
        """The ruling on the stroke, then the one after each declaration apart from it."""
        ruling = self._stroke(about)
        if spared and _loses_by_series(ruling):
            ruling = _asking(self._stroke((_SPARE, *about)))
        steps = [self._counted(self.rack, ruling, self.score)]
        for declaration in apart:
            before, score = steps[-1]
            after = self._step(before, declaration, spared)
            if after is not None:
                steps.append(self._counted(before.rack, after, score))
        return steps

    def _step(self, before: Ruling, declaration: Declaration, spared: bool) -> Ruling | None:
        """The ruling after one declaration apart from the stroke."""
        if isinstance(declaration.said, StateChange):
            return Ruling(declaration.said.applied(before.rack))
        said = _after(declaration)
        if said is None:
            return None
        ruling = rule(before.rack, None, Declarations(after=(said,)), self.options)
        if spared and _loses_by_series(ruling):
            spare = (Dismiss(SERIES), said)
            ruling = rule(before.rack, None, Declarations(after=spare), self.options)
            ruling = _asking(ruling)
        if ruling.rack.phase is Phase.BREAK and self.seen:
            return replace(ruling, rack=without_unseen_ten(ruling.rack, self.seen))
        return ruling

    def _counted(self, before: Rack, ruling: Ruling, score: Score) -> tuple[Ruling, Score]:
        """The ruling with the score after it; a race that is won ends the match."""
        score = score.after(before, ruling.rack, self.number)
        if score.closes(ruling.rack):
            ruling = replace(ruling, rack=changed(ruling.rack, match_over=True))
        return ruling, score

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
        if self.facts is None or isinstance(said, StateChange):
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
    if declaration.is_before or isinstance(said, (FactCorrection, StateChange)):
        return None
    if isinstance(said, FoulCall) and said.about_previous_shot:
        return replace(said, about_previous_shot=False)
    return said  # type: ignore[return-value]


_SPARE: Final = Declaration("dismiss", Dismiss(SERIES))


def _confirms_series(declaration: Declaration) -> bool:
    said = declaration.said
    return isinstance(said, Confirm) and said.rule == SERIES


def _loses_by_series(ruling: Ruling) -> bool:
    return any(foul.article == SERIES for foul in ruling.fouls)


def _asking(ruling: Ruling) -> Ruling:
    """The ruling with the loss of the rack left open."""
    return replace(ruling, questions=(*ruling.questions, _LOSS))


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
