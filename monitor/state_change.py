"""`set_state`: the rack as the referee says it is, where picture and score went apart.

A declaration of its own, in the words of `state_before` of the case format; what it leaves
out stays as it was::

    {"type": "set_state", "balls_on_table": ["3", "10"], "at_table": "B"}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from rules.case_format import object_balls
from rules.declaration_json import inner, optional
from rules.players import Pair, Player
from rules.rack import CueBall, Phase, Rack
from rules.records import changed
from table.balls import Ball
from table.json_fields import Fields

_CUE_BALLS: Final = {
    None: CueBall.IN_PLACE,
    "anywhere": CueBall.ANYWHERE,
    "behind_head_string": CueBall.BEHIND_HEAD_STRING,
}
_MOST_FOULS: Final = 2
KEYS: Final = (
    "balls_on_table",
    "at_table",
    "breaker",
    "phase",
    "cue_ball_in_hand",
    "fouls",
    "warned",
)


@dataclass(frozen=True, slots=True)
class StateChange:
    """What a person sets; None leaves it as it is."""

    balls: frozenset[Ball] | None = None
    at_table: Player | None = None
    breaker: Player | None = None
    phase: Phase | None = None
    cue_ball: CueBall | None = None
    fouls: Pair[int] | None = None
    warned: Pair[bool] | None = None

    def applied(self, rack: Rack) -> Rack:
        """The rack after the change; a decision that was pending is dropped with the turn."""
        given: dict[str, Any] = {
            "balls": self.balls,
            "at_table": self.at_table,
            "breaker": self.breaker,
            "phase": self.phase,
            "cue_ball": self.cue_ball,
            "fouls": self.fouls,
            "warned": self.warned,
        }
        rack = changed(rack, **{name: value for name, value in given.items() if value is not None})
        if self.phase is not None:
            rack = changed(rack, winner=None, match_over=False)
        if self.at_table is not None or self.phase is not None:
            rack = changed(rack, options=(), hand_back_to=None)
        return rack


def read_state_change(fields: Fields) -> StateChange:
    """Read the keys of a `set_state`.

    Raises:
        FieldError: naming the first field that has a wrong value, or when none is given.
    """
    given = {key for key in KEYS if key in fields.values}
    if not given:
        raise fields.fail("balls_on_table", "at least one of " + ", ".join(KEYS))
    balls = None
    if "balls_on_table" in given:
        balls = frozenset(object_balls(fields, "balls_on_table"))
    phase = optional(fields, "phase", Phase)
    if phase is Phase.RACK_OVER:
        raise fields.fail("phase", "break, second_shot or normal (a rack is conceded, not set)")
    return StateChange(
        balls=balls,
        at_table=optional(fields, "at_table", Player),
        breaker=optional(fields, "breaker", Player),
        phase=phase,
        cue_ball=_cue_ball(fields) if "cue_ball_in_hand" in given else None,
        fouls=_fouls(fields) if "fouls" in given else None,
        warned=_warned(fields) if "warned" in given else None,
    )


def _cue_ball(fields: Fields) -> CueBall:
    value = fields.values.get("cue_ball_in_hand")
    if not isinstance(value, (str, type(None))) or value not in _CUE_BALLS:
        raise fields.fail("cue_ball_in_hand", "null, anywhere or behind_head_string")
    return _CUE_BALLS[value]


def _fouls(fields: Fields) -> Pair[int]:
    pair = inner(fields, "fouls")
    counts = [pair.integer(who) for who in Player]
    if max(counts) > _MOST_FOULS:
        raise fields.fail("fouls", f"whole numbers from 0 to {_MOST_FOULS} for A and B")
    return Pair(*counts)


def _warned(fields: Fields) -> Pair[bool]:
    pair = inner(fields, "warned")
    return Pair(*(pair.boolean(who) for who in Player))
