"""One line of rulings.jsonl: the keys of the case format and everything around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from monitor.declaration_file import Declaration
from rules.declarations import ObviousCall
from rules.facts import ShotFacts
from rules.phrases_cs import CZECH
from rules.phrases_en import ENGLISH
from rules.players import Player
from rules.rulebook import article
from rules.ruling import Foul, Question, Ruling
from rules.ruling_json import ruling_to_json
from rules.sentence import sentence

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Basis:
    """What a ruling rests on besides the declarations."""

    facts: ShotFacts | None
    assumptions: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    """Asked about the state before the shot."""
    health: Sequence[str] = field(default_factory=list)
    assumed: ObviousCall | None = None


def ruling_row(
    ruling: Ruling, basis: Basis, players: tuple[str, str], declared: Sequence[Declaration]
) -> Row:
    """The keys of one line, without shot and time."""
    ruling = replace(ruling, questions=(*basis.questions, *ruling.questions))
    incomplete = None if basis.facts is None else basis.facts.incomplete
    row = ruling_to_json(ruling)
    row["played"] = _played(ruling)
    row["findings"] = [_finding(foul) for foul in ruling.fouls]
    row["questions"] = [_question(question) for question in ruling.questions]
    row["assumptions"] = [*basis.assumptions, *_assumed_call(basis.assumed)]
    row["declared"] = [dict(d.row) for d in declared if d.row is not None]
    if basis.assumed is not None:
        row["declared"] = [*row["declared"], _call_row(basis.assumed)]  # type: ignore[misc]
    row["complete"] = incomplete is None
    if incomplete is not None:
        row["incomplete"] = incomplete
    row["provisional"] = ruling.provisional
    if basis.health:
        row["health"] = list(basis.health)
    names = dict(zip(Player, players, strict=True))
    row["sentence"] = sentence(ruling, names, ENGLISH)
    row["sentence_cs"] = sentence(ruling, names, CZECH)
    return row


def _played(ruling: Ruling) -> Row | None:
    """Who played what; None when the ruling is not about a stroke."""
    if not ruling.stroke:
        return None
    called = ruling.called
    return {
        "by": None if ruling.shooter is None else ruling.shooter.value,
        "kind": ruling.kind.value,
        "break": ruling.was_break,
        "called": None if called is None else {"ball": called.ball.text, "pocket": called.pocket},
        "made": None if ruling.called_made is None else ruling.called_made.text,
        "pocketed": [ball.text for ball in ruling.pocketed],
    }


def _finding(foul: Foul) -> Row:
    return {
        "article": foul.article,
        "title": article(foul.article).title,
        "by": foul.by.value,
        "ball": None if foul.ball is None else foul.ball.text,
        "evidence": list(foul.mark.evidence),
        "margin": foul.mark.margin,
        "called": foul.called,
    }


def _question(question: Question) -> Row:
    clip = None if question.clip is None else [round(t_s, 3) for t_s in question.clip]
    row: Row = {"article": question.article, "ask": question.ask, "clip": clip}
    if question.ball is not None:
        row["ball"] = question.ball.text
    if question.mark.margin is not None:
        row["margin"] = question.mark.margin
    if question.mark.evidence:
        row["evidence"] = list(question.mark.evidence)
    return row


def _assumed_call(call: ObviousCall | None) -> list[str]:
    return [] if call is None else [f"the {call.ball.text} was obviously meant for {call.pocket}"]


def _call_row(call: ObviousCall) -> Row:
    return {
        "type": "obvious_call",
        "ball": call.ball.text,
        "pocket": call.pocket.value,
        "by": call.by,
    }
