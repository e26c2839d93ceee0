"""The facts that a ruling rests on, in words: what the referee may look at and correct."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from monitor.live.words import FACT_WORDS, Text, pocket_words
from monitor.store import Body, EvidenceRow
from rules.facts import Mark, Moment, Placement, PocketedBall, ShotFacts
from table.balls import Ball

_PLACES = {
    Placement.BEHIND: ("cue ball behind the head string", "bílá za rozstřelovou čárou"),
    Placement.IN_FRONT: ("cue ball in front of the head string", "bílá před rozstřelovou čárou"),
    Placement.ON_LINE: ("cue ball on the head string", "bílá na rozstřelové čáře"),
    Placement.UNSURE: ("cue ball at the head string", "bílá u rozstřelové čáry"),
}


def fact_rows(
    facts: ShotFacts | None, evidence: Sequence[EvidenceRow], *, is_break: bool
) -> list[Body]:
    """One row a fact of the case format: text, certainty, margin, value to start from.

    `is_break`: where the cue ball lay belongs to the facts (6.10).
    """
    if facts is None:
        return []

    def clip(what: str) -> int | None:
        return next((row.id for row in evidence if row.what == what), None)

    rows = [_first_contact(facts, clip), *_rails(facts)]
    rows += [_pocketed(facts, clip), _off_table(facts, clip)]
    if facts.moving_at_start:
        balls = [f.ball for f in facts.moving_at_start]
        words = _told(FACT_WORDS["moving_at_start"], _names(balls))
        mark = facts.moving_at_start[0].mark
        rows.append(_row("moving_at_start", words, mark, [b.text for b in balls]))
    if is_break and facts.placement is not None:
        value = facts.placement.value
        rows.append(_row("placement", _PLACES[facts.placement], facts.placement_mark, value))
    return rows


def _row(fact: str, words: Text, mark: Mark, value: object, clip: int | None = None) -> Body:
    return {
        "fact": fact,
        "text": words[0],
        "text_cs": words[1],
        "sure": mark.is_sure,
        "probability": round(mark.probability, 3),
        "margin": mark.margin,
        "value": value,
        "evidence": clip,
    }


Clip = Callable[[str], "int | None"]


def _first_contact(facts: ShotFacts, clip: Clip) -> Body:
    struck = facts.first_contact.likeliest
    names = ("?", "?") if struck.unnamed else _names(struck.balls)
    value = [ball.text for ball in struck.balls]
    single = value[0] if len(value) == 1 else (value or None)
    words = _told(("first contact", "první zásah"), names)
    return _row("first_contact", words, facts.first_contact.mark, single, clip("first_contact"))


def _rails(facts: ShotFacts) -> list[Body]:
    rows = []
    for fact, moments in (
        ("rails_before_contact", (Moment.BEFORE,)),
        ("rails_after_contact", (Moment.AFTER, Moment.UNORDERED)),
    ):
        touched = [rail for rail in facts.rails if rail.moment in moments]
        if not touched and fact == "rails_before_contact":
            continue
        best: dict[Ball, Mark] = {}
        for rail in touched:
            known = best.get(rail.ball)
            if known is None or rail.mark.probability > known.probability:
                best[rail.ball] = rail.mark
        told = [_perhaps(_name(ball), mark) for ball, mark in best.items()]
        value = [ball.text for ball, mark in best.items() if mark.is_likely]
        rows.append(
            _row(fact, _told(FACT_WORDS[fact], _listed(told)), _least(best.values()), value)
        )
    return rows


def _pocketed(facts: ShotFacts, clip: Clip) -> Body:
    told = [_perhaps(_fell(fact), fact.mark) for fact in facts.pocketed]
    mark = _least([fact.mark for fact in facts.pocketed])
    value = [
        {"ball": f.ball.text, "pocket": None if f.pocket is None else f.pocket.value}
        for f in facts.pocketed
        if f.mark.is_likely
    ]
    first = facts.pocketed[0].ball.text if facts.pocketed else ""
    words = _told(FACT_WORDS["pocketed"], _listed(told))
    return _row("pocketed", words, mark, value, clip(f"pocketed_{first}"))


def _fell(fact: PocketedBall) -> Text:
    """A ball and its pocket."""
    name, name_cs = _name(fact.ball)
    if fact.pocket is None:
        return name, name_cs
    place, place_cs = pocket_words(fact.pocket.value)
    return f"{name} {place}", f"{name_cs} {place_cs}"


def _off_table(facts: ShotFacts, clip: Clip) -> Body:
    mark = _least([fact.mark for fact in facts.off_table])
    first = facts.off_table[0].ball.text if facts.off_table else ""
    value = [fact.ball.text for fact in facts.off_table if fact.mark.is_likely]
    told = [_perhaps(_name(fact.ball), fact.mark) for fact in facts.off_table]
    words = _told(FACT_WORDS["off_table"], _listed(told))
    return _row("off_table", words, mark, value, clip(f"off_table_{first}"))


def _least(marks: Iterable[Mark]) -> Mark:
    """The first of several that is not sure; its share is told beside its ball."""
    unsure = next((mark for mark in marks if not mark.is_sure), None)
    if unsure is None:
        return Mark()
    told = unsure.margin is not None and unsure.margin.startswith("p ")
    return replace(unsure, margin=None) if told else unsure


def _perhaps(words: Text, mark: Mark) -> Text:
    """What is not sure says so, with its probability."""
    if mark.is_sure:
        return words
    percent = f"({100 * mark.probability:.0f} %)"
    return f"perhaps {words[0]} {percent}", f"možná {words[1]} {percent}"


def _told(what: Text, names: Text) -> Text:
    return f"{what[0]}: {names[0]}", f"{what[1]}: {names[1]}"


def _name(ball: Ball) -> Text:
    return ("cue ball", "bílá") if ball is Ball.CUE else (ball.text, ball.text)


def _names(balls: Sequence[Ball]) -> Text:
    return _listed([_name(ball) for ball in balls])


def _listed(names: Sequence[Text]) -> Text:
    """Names one after another; a word where there is none."""
    if not names:
        return "none", "žádná"
    return ", ".join(name for name, _ in names), ", ".join(name for _, name in names)
