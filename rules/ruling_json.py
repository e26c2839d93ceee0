"""A ruling as a JSON object: the keys of the case format's `expected`."""

from __future__ import annotations

from rules.players import Pair, Player
from rules.rack import Rack
from rules.ruling import Ruling
from table.balls import Ball

Json = dict[str, object]


def ruling_to_json(ruling: Ruling) -> Json:
    """The keys of `expected`; keys that need not be compared stand there all the same."""
    rack = ruling.rack
    over = rack.is_over
    row: Json = {
        "legal": ruling.legal,
        "fouls": [foul.article for foul in ruling.fouls],
        "penalised": None if ruling.penalised is None else ruling.penalised.article,
        "next_player": None if over or ruling.lag_again else rack.at_table.value,
        "cue_ball": _cue_ball(rack),
        "spot": _texts(ruling.spot),
        "options": [option.value for option in rack.options],
        "fouls_after": _pair(rack.fouls),
        "game_over": over,
        "winner": rack.winner.value if over and rack.winner else None,
        "next_phase": None if over else rack.phase.value,
        "push_out_available": rack.push_out_available,
        "balls_after": _texts(sorted(rack.balls)),
        "warned_after": _pair(rack.warned),
        "stalemate_turns_left": _pair(rack.stalemate_turns_left),
        "provisional": ruling.provisional,
    }
    return row | _where_relevant(ruling)


def _where_relevant(ruling: Ruling) -> Json:
    rack = ruling.rack
    row: Json = {}
    if ruling.warn_prompt is not None:
        row["warn_prompt"] = ruling.warn_prompt.value
    if rack.clock is not None:
        row["clock"] = _pair(rack.clock)
    if ruling.restore:
        row["restore"] = _texts(ruling.restore)
    if ruling.prompt is not None:
        row["prompt"] = ruling.prompt
    if ruling.refused:
        row["refused"] = ruling.refused[0]
    if ruling.spot_position is not None:
        row["spot_position"] = ruling.spot_position.value
    flags = {
        "replay": ruling.replay,
        "rerack": ruling.rerack,
        "match_over": rack.match_over,
        "lag_again": ruling.lag_again,
    }
    return row | {key: True for key, value in flags.items() if value}


def _cue_ball(rack: Rack) -> str | None:
    return None if rack.is_over else rack.cue_ball.value


def _texts(balls: tuple[Ball, ...] | list[Ball]) -> list[str]:
    return [ball.text for ball in balls]


def _pair(pair: Pair[int] | Pair[bool] | None) -> Json | None:
    return None if pair is None else {who.value: pair.of(who) for who in Player}
