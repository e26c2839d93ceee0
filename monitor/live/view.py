"""The whole live state as one JSON object: what a snapshot holds (docs/live-api.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from monitor.live.book import MatchBook
from monitor.live.shot_clock import WARNING_S, ShotClock, clock_of
from monitor.live.table_now import Health, TableNow
from monitor.live.view_cards import cards_section, expired_card
from monitor.live.view_rack import (
    SourceView,
    decision_section,
    match_section,
    next_shot_section,
    prompts_section,
    rack_section,
    score_section,
    taking_back,
)
from monitor.live.view_rulings import RulingKey, not_judged, rulings_section
from monitor.live.view_table import (
    last_rest,
    paths_section,
    restore_section,
    shot_section,
    spotting_section,
    table_section,
)
from monitor.match import MatchFold
from monitor.store import Body, EvidenceRow
from rules.declarations import Kind
from rules.players import Player


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that a state is made of."""

    book: MatchBook
    match: MatchFold
    written: Mapping[RulingKey, tuple[int, bool]]
    evidence: Sequence[EvidenceRow]
    now: TableNow
    health: Health
    source: SourceView
    head: str | None
    t_s: float
    """Match time of the state."""


def state_of(shown: Shown) -> Body:
    """The state, section by section."""
    book, match, now = shown.book, shown.match, _lips_over(shown.now, shown.t_s)
    clock = clock_of(book, _refused(book, match))
    return {
        "match": match_section(book, shown.source),
        "score": score_section(match),
        "rack": rack_section(match),
        "next_shot": next_shot_section(book),
        "shot": shot_section(book, now),
        "decision": decision_section(match, _last_kind(match)),
        "prompts": prompts_section(match),
        "cards": cards_section(match, shown.evidence, _expiry(clock, shown)),
        "clock": _clock_section(clock, shown),
        "table": table_section(book.header.table, shown.head, now, last_rest(book)),
        "paths": paths_section(book.last_shot),
        "spotting": spotting_section(book, match, now),
        "restore": restore_section(book, match, now),
        "rulings": rulings_section(
            book, match, shown.written, shown.evidence, on_lip=_is_on_lip(now)
        ),
        "undo": taking_back(book.undo, book.header.players),
        "redo": taking_back(book.redo, book.header.players),
        "not_judged": not_judged(),
        "health": shown.health.to_json(),
    }


def _refused(book: MatchBook, match: MatchFold) -> frozenset[int]:
    """The records that the rules gave no effect."""
    refused = {id(declaration) for declaration, _ in match.refused}
    return frozenset(number for number, said in book.declarations if id(said) in refused)


def _last_kind(match: MatchFold) -> Kind:
    return match.ruled[-1].ruling.kind if match.ruled else Kind.NORMAL


def _lips_over(now: TableNow, t_s: float) -> TableNow:
    """After its five seconds a ball on the lip keeps nothing open, also when no frame comes."""
    if now.provisional_until_s is None or t_s < now.provisional_until_s:
        return now
    return replace(now, on_lip=(), provisional_until_s=None)


def _is_on_lip(now: TableNow) -> bool:
    """Does a ball rest on its lip, within its five seconds?"""
    return now.provisional_until_s is not None and now.moving_since_s is None


def _running(clock: ShotClock, shown: Shown) -> bool:
    over = shown.match.rack.is_over
    still = shown.now.moving_since_s is None
    return clock.on and clock.paused_s is None and still and not over


def _clock_section(clock: ShotClock, shown: Shown) -> Body:
    left_s = clock.left_s(shown.t_s)
    return {
        "on": clock.on,
        "limit_s": clock.limit_s,
        "extension_s": clock.extension_s,
        "warning_s": WARNING_S,
        "running": _running(clock, shown),
        "paused": clock.paused_s is not None,
        "player": shown.match.rack.at_table.value,
        "left_s": round(left_s, 2) if clock.on else None,
        "at_s": round(shown.t_s, 3) if clock.on else None,
        "expired": clock.on and left_s <= 0.0,
    }


def _expiry(clock: ShotClock, shown: Shown) -> Body | None:
    """The card of an overrun, until it is answered or the next stroke is played."""
    if not _running(clock, shown) or clock.left_s(shown.t_s) > 0.0:
        return None
    player = shown.match.rack.at_table
    name = shown.match.players[0 if player is Player.A else 1]
    last = shown.book.last_shot
    return expired_card(0 if last is None else last.number, player.value, name)
