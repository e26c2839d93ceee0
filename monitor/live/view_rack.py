"""The sections of the live state about match, score and rack (docs/live-api.md)."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.live.book import MatchBook
from monitor.live.words import OPTION_WORDS, action_words, texts
from monitor.match import MatchFold
from monitor.match_header import options_to_json
from monitor.store import Body, Record
from rules.decisions import FOULS_TO_WARN
from rules.declarations import Before, Kind
from rules.hearing import allowed_kind
from rules.players import Pair, Player
from rules.rack import Option
from rules.rulebook import RULEBOOK, option_article
from table.balls import Ball, lowest


@dataclass(frozen=True, slots=True)
class SourceView:
    """What plays: for the `match` section."""

    camera: bool = False
    name: str = ""


def match_section(book: MatchBook, source: SourceView) -> Body:
    """Who plays, how far, under which options."""
    header = book.header
    return {
        "id": book.number,
        "players": dict(zip(("A", "B"), header.players, strict=True)),
        "race_to": header.race_to,
        "camera": source.camera,
        "source": source.name,
        "started": book.opened_at,
        "opening": header.opening,
        "breaker": header.breaker.value,
        "options": options_to_json(header.options),
    }


def score_section(match: MatchFold) -> Body:
    """Racks won, and each of them."""
    racks, before = [], 0
    for number, won in enumerate(match.score.won, 1):
        racks.append({"number": number, "winner": won.winner.value, "shots": won.shot - before})
        before = won.shot
    return {"A": match.score.racks.a, "B": match.score.racks.b, "racks": racks}


def rack_section(match: MatchFold) -> Body:
    """The state of the rack."""
    rack = match.rack
    low = None if rack.is_over else lowest(rack.balls)
    return {
        "number": len(match.score.won) + (0 if rack.is_over else 1),
        "balls": [ball.text for ball in sorted(rack.balls)],
        "lowest": None if low is None else low.text,
        "ball_on": None if low is None else low.text,
        "at_table": rack.at_table.value,
        "breaker": rack.breaker.value,
        "phase": rack.phase.value,
        "cue_ball": rack.cue_ball.value,
        "fouls": pair(rack.fouls),
        "warned": pair(rack.warned),
        "push_out_available": rack.push_out_available,
        "safety_available": _may_play_safe(match),
        "stalemate_turns_left": pair(rack.stalemate_turns_left),
        "stalemate_agreed": sorted(player.value for player in rack.stalemate_agreed),
        "extensions_used": pair(rack.extensions_used or Pair(0, 0)),
        "over": rack.is_over,
        "winner": rack.winner.value if rack.is_over and rack.winner else None,
        "match_over": rack.match_over,
        "match_winner": rack.winner.value if rack.match_over and rack.winner else None,
        "assumptions": list(match.assumptions),
    }


def _may_play_safe(match: MatchFold) -> bool:
    safe = Before(kind=Kind.SAFETY)
    allowed = allowed_kind(match.rack, safe, match.options.edition)
    return allowed is Kind.SAFETY and not match.rack.is_over


def pair(values: Pair[int] | Pair[bool] | None) -> Body | None:
    """A value for each player."""
    return None if values is None else {who.value: values.of(who) for who in Player}


def next_shot_section(book: MatchBook) -> Body:
    """What is announced for the coming stroke."""
    coming = book.coming
    call = coming.called
    return {
        "number": book.next_number,
        "call": None if call is None else {"ball": call.ball.text, "pocket": call.pocket.value},
        "kind": coming.kind.value,
        "withdrawn": None if coming.withdrawn is None else coming.withdrawn.value,
        "frozen": [
            {"a": f.a.text, "b": f.b.text if isinstance(f.b, Ball) else f.b.value, "by": f.by.value}
            for f in coming.frozen
        ],
    }


def decision_section(match: MatchFold, kind: Kind) -> Body | None:
    """What the player at the table has to decide; None when nothing."""
    rack = match.rack
    if not rack.options:
        return None
    by = rack.at_table
    name = match.players[0 if by is Player.A else 1]
    asks = (f"{name} decides", f"Rozhoduje {name}")
    return {
        "by": by.value,
        **texts(asks),
        "options": [_option(option, by, kind) for option in rack.options],
    }


def _option(option: Option, by: Player, kind: Kind) -> Body:
    action = {"type": "choice", "by": by.value, "value": option.value}
    article = option_article(option, kind)
    found = RULEBOOK.get(article)
    return {
        "value": option.value,
        **texts(OPTION_WORDS[option.value]),
        "article": article,
        "title": "" if found is None else found.title,
        "title_cs": "" if found is None else found.title_cs,
        "action": action,
    }


def prompts_section(match: MatchFold) -> list[Body]:
    """What the referee must do now: the warning on two fouls (6.14)."""
    rack = match.rack
    player = rack.at_table
    due = rack.fouls.of(player) == FOULS_TO_WARN and not rack.warned.of(player)
    if not due or rack.is_over:
        return []
    name = match.players[0 if player is Player.A else 1]
    return [
        {
            "id": f"warn:{player.value}",
            "kind": "warn_two_fouls",
            "player": player.value,
            "article": "6.14",
            "text": f"Warn {name}: two fouls in a row",
            "text_cs": f"Upozorněte hráče {name}: dva fauly za sebou",
            "action": {"type": "warn_two_fouls", "by": player.value},
        }
    ]


def taking_back(record: Record | None, players: tuple[str, str]) -> Body | None:
    """What an undo or redo would change."""
    if record is None:
        return None
    return {"record": record.id, **texts(action_words(record.body, players))}
