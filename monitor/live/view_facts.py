"""The facts that a ruling rests on, in words: what the referee may look at and correct."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from monitor.store import Body, EvidenceRow
from rules.facts import Mark, Moment, Placement, ShotFacts
from rules.rack import Phase, Rack
from table.balls import Ball

_PLACES = {
    Placement.BEHIND: ("cue ball behind the head string", "bílá za rozstřelovou čárou"),
    Placement.IN_FRONT: ("cue ball in front of the head string", "bílá před rozstřelovou čárou"),
    Placement.ON_LINE: ("cue ball on the head string", "bílá na rozstřelové čáře"),
    Placement.UNSURE: ("cue ball at the head string", "bílá u rozstřelové čáry"),
}


def fact_rows(facts: ShotFacts | None, before: Rack, evidence: Sequence[EvidenceRow]) -> list[Body]:
    """One row a fact of the case format: text, certainty, margin, value to start from."""
    if facts is None:
        return []

    def clip(what: str) -> int | None:
        return next((row.id for row in evidence if row.what == what), None)

    rows = [_first_contact(facts, clip), *_rails(facts)]
    rows += [_pocketed(facts, clip), _off_table(facts, clip)]
    if facts.moving_at_start:
        balls = [f.ball for f in facts.moving_at_start]
        words = (f"moving at the start: {_names(balls)}", f"v pohybu na začátku: {_names(balls)}")
        mark = facts.moving_at_start[0].mark
        rows.append(_row("moving_at_start", words, mark, [b.text for b in balls]))
    if before.phase is Phase.BREAK and facts.placement is not None:
        value = facts.placement.value
        rows.append(_row("placement", _PLACES[facts.placement], facts.placement_mark, value))
    return rows


def _row(
    fact: str, words: tuple[str, str], mark: Mark, value: object, clip: int | None = None
) -> Body:
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
    names = "?" if struck.unnamed else _names(struck.balls)
    words = (f"first contact: {names}", f"první zásah: {names}")
    value = [ball.text for ball in struck.balls]
    single = value[0] if len(value) == 1 else (value or None)
    return _row("first_contact", words, facts.first_contact.mark, single, clip("first_contact"))


def _rails(facts: ShotFacts) -> list[Body]:
    rows = []
    for fact, words, moments in (
        ("rails_before_contact", ("rails before", "mantinely před"), (Moment.BEFORE,)),
        (
            "rails_after_contact",
            ("rails after", "mantinely po"),
            (Moment.AFTER, Moment.UNORDERED),
        ),
    ):
        touched = [rail for rail in facts.rails if rail.moment in moments]
        if not touched and fact == "rails_before_contact":
            continue
        balls = list(dict.fromkeys(rail.ball for rail in touched))
        mark = next((rail.mark for rail in touched if not rail.mark.is_sure), Mark())
        names = _names(balls)
        value = [rail.ball.text for rail in touched]
        rows.append(_row(fact, (f"{words[0]}: {names}", f"{words[1]}: {names}"), mark, value))
    return rows


def _pocketed(facts: ShotFacts, clip: Clip) -> Body:
    told = ", ".join(
        f"{_name(f.ball)} {'' if f.pocket is None else f.pocket.value}".strip()
        for f in facts.pocketed
    )
    mark = next((f.mark for f in facts.pocketed if not f.mark.is_sure), Mark())
    value = [
        {"ball": f.ball.text, "pocket": None if f.pocket is None else f.pocket.value}
        for f in facts.pocketed
    ]
    words = (f"pocketed: {told or '-'}", f"v kapse: {told or '-'}")
    first = facts.pocketed[0].ball.text if facts.pocketed else ""
    return _row("pocketed", words, mark, value, clip(f"pocketed_{first}"))


def _off_table(facts: ShotFacts, clip: Clip) -> Body:
    balls = [fact.ball for fact in facts.off_table]
    mark = next((fact.mark for fact in facts.off_table if not fact.mark.is_sure), Mark())
    words = (f"off the table: {_names(balls)}", f"mimo stůl: {_names(balls)}")
    first = balls[0].text if balls else ""
    value = [ball.text for ball in balls]
    return _row("off_table", words, mark, value, clip(f"off_table_{first}"))


def _name(ball: Ball) -> str:
    return "cue" if ball is Ball.CUE else ball.text


def _names(balls: Sequence[Ball]) -> str:
    return " ".join(_name(ball) for ball in balls) or "-"
