"""Cards of the live state: what only a person can decide, with the actions that answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from monitor.live.words import (
    CONFIRM,
    DISMISS,
    NO,
    YES,
    Text,
    asked_in_czech,
    pocket_words,
    texts,
)
from monitor.match import MatchFold, Ruled
from monitor.store import Body, EvidenceRow
from rules.facts import PocketedBall, ShotFacts
from rules.fouls import FOULS
from rules.rack import ALL_BALLS, Rack
from rules.rulebook import RULEBOOK
from table.balls import Ball

_FOUL_ARTICLES: Final = frozenset(article for article, _ in FOULS)
_LOSS: Final = "6.14"
_ADVISORIES: Final = ("6.4", "6.6", "6.7", "6.8", "6.12", "6.13", "6.16")


@dataclass(frozen=True, slots=True)
class _Asked:
    """One open question of a shot, and what it is about."""

    shot: int
    article: str
    ask: str
    ball: str | None
    clip: object
    margin: object
    facts: ShotFacts | None
    rack_before: Rack


def cards_section(
    match: MatchFold, evidence: Sequence[EvidenceRow], expired: Body | None
) -> list[Body]:
    """The open questions about the last shot; `expired`: the clock's card."""
    cards = [] if expired is None else [expired]
    last = match.ruled[-1] if match.ruled else None
    if last is None:
        return cards
    questions = last.row.get("questions")
    for index, row in enumerate(questions if isinstance(questions, list) else []):
        asked = _asked(row, last, match)
        cards.append(_card(asked, index, evidence))
    return cards


def expired_card(shot: int, player: str, name: str) -> Body:
    """The card that says that the time of a player ran out (6.15)."""
    actions: list[tuple[str, Text, Body]] = [
        ("confirm", CONFIRM, {"type": "time_expired", "by": player}),
        ("dismiss", DISMISS, {"type": "clock_restart"}),
    ]
    return {
        "id": f"{shot}:6.15:{player}",
        "kind": "clock",
        "shot": shot,
        **_article("6.15"),
        "text": f"{name}: the time has run out",
        "text_cs": f"{name}: čas vypršel",
        "ball": None,
        "margin": None,
        "clip": None,
        "evidence": None,
        "answers": _answers(actions),
    }


def _asked(row: Body, last: Ruled, match: MatchFold) -> _Asked:
    ball = row.get("ball")
    return _Asked(
        shot=last.shot,
        article=str(row["article"]),
        ask=str(row["ask"]),
        ball=None if ball is None else str(ball),
        clip=row.get("clip"),
        margin=row.get("margin"),
        facts=last.facts,
        rack_before=_rack_before(last.shot, match),
    )


def _rack_before(shot: int, match: MatchFold) -> Rack:
    """The rack as it was carried to a shot."""
    earlier = [ruled for ruled in match.ruled if ruled.shot < shot]
    return earlier[-1].ruling.rack if earlier else match.rack


def _card(asked: _Asked, index: int, evidence: Sequence[EvidenceRow]) -> Body:
    return {
        "id": f"{asked.shot}:{asked.article}:{asked.ball or index}",
        "kind": _kind(asked),
        "shot": asked.shot,
        **_article(asked.article),
        "text": asked.ask,
        "text_cs": asked_in_czech(asked.article, asked.ball, asked.ask),
        "ball": asked.ball,
        "margin": asked.margin,
        "clip": asked.clip,
        "evidence": _evidence_for(asked, evidence),
        "answers": _answers(_ways(asked)),
    }


def _article(number: str) -> Body:
    found = RULEBOOK.get(number)
    title, title_cs = ("", "") if found is None else (found.title, found.title_cs)
    return {"article": number, "title": title, "title_cs": title_cs}


def _kind(asked: _Asked) -> str:
    if asked.article == _LOSS:
        return "loss"
    if asked.article in _ADVISORIES:
        return "advisory"
    return "state" if _is_about_state(asked) else "question"


def _is_about_state(asked: _Asked) -> bool:
    """Picture and score differ about which balls are in play."""
    if asked.article in ("9.2", "9.9"):
        return True
    return asked.article == "8.3" and _fallen(asked) is None


def _fallen(asked: _Asked) -> PocketedBall | None:
    pocketed = () if asked.facts is None else asked.facts.pocketed
    return next((fell for fell in pocketed if fell.ball.text == asked.ball), None)


def _ways(asked: _Asked) -> list[tuple[str, Text, Body]]:
    """The answers: name, words, action."""
    if asked.article == _LOSS:
        lost = ("Rack is lost", "Hra je prohraná")
        return _confirm_or_dismiss(asked, lost, ("Rack goes on", "Hraje se dál"))
    if asked.article in _FOUL_ARTICLES:
        return _confirm_or_dismiss(asked, CONFIRM, DISMISS)
    special = _SPECIAL.get(asked.article)
    if special is not None:
        return special(asked)
    return [("dismiss", ("Seen", "Na vědomí"), _about(asked, "dismiss"))]


def _about(asked: _Asked, name: str) -> Body:
    return {"type": name, "rule": asked.article, "shot": asked.shot}


def _confirm_or_dismiss(asked: _Asked, yes: Text, no: Text) -> list[tuple[str, Text, Body]]:
    return [
        ("confirm", yes, _about(asked, "confirm")),
        ("dismiss", no, _about(asked, "dismiss")),
    ]


def _obvious(asked: _Asked) -> list[tuple[str, Text, Body]]:
    """9.5: which ball was obviously meant for its pocket; or: into the called pocket?"""
    pocketed = () if asked.facts is None else asked.facts.pocketed
    ways: list[tuple[str, Text, Body]] = []
    for fell in pocketed:
        if fell.ball is Ball.CUE or fell.pocket is None:
            continue
        ball, pocket = fell.ball.text, fell.pocket.value
        place, place_cs = pocket_words(pocket)
        words = (f"Obvious: {ball}, {place}", f"Zjevné: {ball}, {place_cs}")
        action: Body = {"type": "obvious_call", "ball": ball, "pocket": pocket, "shot": asked.shot}
        ways.append((f"obvious-{ball}", words, action))
    return [*ways, ("dismiss", ("Not obvious", "Nebylo zjevné"), _about(asked, "dismiss"))]


def _pocketed(asked: _Asked) -> list[tuple[str, Text, Body]]:
    """8.3: did it fall? Or, between shots: is it still in play?"""
    fell = _fallen(asked)
    if fell is None or asked.facts is None:
        return _in_play(asked)
    others = [f for f in asked.facts.pocketed if f is not fell and f.mark.is_sure]
    down: list[object] = [_row(f) for f in (*others, fell)]
    fact: Body = {"type": "correct_fact", "fact": "pocketed", "shot": asked.shot}
    return [
        ("confirm", YES, fact | {"value": down}),
        ("dismiss", NO, fact | {"value": [_row(f) for f in others]}),
    ]


def _row(fell: PocketedBall) -> Body:
    pocket = None if fell.pocket is None else fell.pocket.value
    return {"ball": fell.ball.text, "pocket": pocket}


def _in_play(asked: _Asked) -> list[tuple[str, Text, Body]]:
    """Picture and score differ about a ball: the person says which of them is right."""
    ball = next((b for b in ALL_BALLS if b.text == asked.ball), None)
    rack = asked.rack_before
    if ball is None:
        return [("dismiss", ("Seen", "Na vědomí"), _about(asked, "dismiss"))]
    change: Body = {
        "type": "set_state",
        "shot": max(0, asked.shot - 1),
        "late": True,
        "balls_on_table": _texts(rack.balls ^ {ball}),
    }
    is_in_play = ball in rack.balls
    yes = ("Yes: not in play", "Ano: není ve hře") if is_in_play else ("Yes: in play", "Ano: hraje")
    return [("confirm", yes, change), ("dismiss", NO, _about(asked, "dismiss"))]


def _ten_spotted(asked: _Asked) -> list[tuple[str, Text, Body]]:
    gone: Body = {
        "type": "set_state",
        "shot": max(0, asked.shot - 1),
        "late": True,
        "balls_on_table": _texts(asked.rack_before.balls - {Ball.TEN}),
    }
    return [("confirm", YES, _about(asked, "dismiss")), ("dismiss", NO, gone)]


def _texts(balls: Iterable[Ball]) -> list[str]:
    return [ball.text for ball in sorted(balls)]


_SPECIAL: Final[dict[str, Callable[[_Asked], list[tuple[str, Text, Body]]]]] = {
    "9.5": _obvious,
    "8.3": _pocketed,
    "9.9": _ten_spotted,
}


def _answers(ways: Iterable[tuple[str, Text, Body]]) -> list[Body]:
    return [{"id": name, **texts(words), "action": action} for name, words, action in ways]


def _evidence_for(asked: _Asked, evidence: Sequence[EvidenceRow]) -> int | None:
    """The clip that shows best what is asked."""
    rows = [row for row in evidence if row.shot == asked.shot]
    if not rows:
        return None
    clip = asked.clip
    if isinstance(clip, list) and len(clip) == 2:
        middle_s = 0.5 * (float(clip[0]) + float(clip[1]))
        return min(rows, key=lambda row: abs(row.t_s - middle_s)).id
    return rows[0].id
