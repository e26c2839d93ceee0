"""What is told to others: small flat objects, made from the live state and the journal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from monitor.store import Body

VERSION = 1


@dataclass(frozen=True, slots=True)
class RulingMessage:
    """A ruling of the journal; a consumer knows it again by its record's number."""

    record: int
    match: int
    shot: int | None
    written_at: str
    row: Mapping[str, object] | None
    """The line of rulings.jsonl; None: the ruling no longer stands."""

    def to_json(self) -> Body:
        """As it is sent."""
        row = self.row
        return {
            "v": VERSION,
            "kind": "ruling",
            "record": self.record,
            "match": self.match,
            "shot": self.shot,
            "written_at": self.written_at,
            "stands": row is not None,
            "sentence": None if row is None else row.get("sentence"),
            "sentence_cs": None if row is None else row.get("sentence_cs"),
            "ruling": None if row is None else dict(row),
        }


def state_message(state: Mapping[str, Any]) -> Body:
    """The table at a glance, out of the live state (docs/live-api.md)."""
    match, score, rack, health = state["match"], state["score"], state["rack"], state["health"]
    rulings = state["rulings"]
    last = rulings[0] if rulings else None
    return {
        "v": VERSION,
        "kind": "state",
        "match": match["id"],
        "players": dict(match["players"]),
        "race_to": match["race_to"],
        "score": {"A": score["A"], "B": score["B"]},
        "rack": rack["number"],
        "at_table": rack["at_table"],
        "ball_on": rack["ball_on"],
        "balls": list(rack["balls"]),
        "phase": rack["phase"],
        "cue_ball": rack["cue_ball"],
        "fouls": dict(rack["fouls"]),
        "winner": rack["match_winner"],
        "last_ruling": None if last is None else last["sentence"],
        "last_ruling_cs": None if last is None else last["sentence_cs"],
        "provisional": bool(last and last["provisional"]),
        "ruling": health["ruling"],
        "health": health["level"],
        "reason": next((r["text"] for r in health["reasons"]), None),
    }


def payload(message: Body) -> str:
    """A message as text."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
