"""How a match was opened: players, race, who breaks, event options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rules.case_format import read_options
from rules.declaration_json import optional
from rules.players import Player
from rules.rack import DEFAULT_OPTIONS, EventOptions
from table.geometry import NINE_FOOT, TableSpec
from table.json_fields import Fields

BREAK: Final = "break"
"""The match begins with a rack and a break."""
SEEN: Final = "seen"
"""The balls seen before the first stroke are in play: a rack under way."""
_OPENINGS: Final = (BREAK, SEEN)
_LONGEST_NAME: Final = 40
_LONGEST_RACE: Final = 99


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """What was said when a match was opened."""

    players: tuple[str, str] = ("A", "B")
    race_to: int | None = None
    breaker: Player = Player.A
    opening: str = BREAK
    options: EventOptions = DEFAULT_OPTIONS
    table: TableSpec = field(default_factory=lambda: NINE_FOOT)

    def to_json(self) -> dict[str, object]:
        """The header as one JSON object."""
        return {
            "players": list(self.players),
            "race_to": self.race_to,
            "breaker": self.breaker.value,
            "opening": self.opening,
            "options": options_to_json(self.options),
            "table": {"length_m": self.table.length_m, "width_m": self.table.width_m},
        }


def options_to_json(options: EventOptions) -> dict[str, object]:
    """Event options in the words of the case format."""
    return {
        "three_point_break": options.three_point_break,
        "break_order": options.break_order.value,
        "ten_last_ball_moment": options.ten_last_ball_moment.value,
        "visible_counter_is_warning": options.visible_counter_is_warning,
    }


def read_header(values: Mapping[str, object], place: str, table: TableSpec) -> MatchHeader:
    """A header from JSON; what is left out has its default, `table` is used without one.

    Raises:
        FieldError: naming the field.
    """
    fields = Fields(values, place)
    opening = fields.optional_text("opening") or BREAK
    if opening not in _OPENINGS:
        raise fields.fail("opening", "break or seen")
    race_to = None
    if values.get("race_to") is not None:
        race_to = fields.integer("race_to", least=1)
        if race_to > _LONGEST_RACE:
            raise fields.fail("race_to", f"a whole number from 1 to {_LONGEST_RACE}, or null")
    return MatchHeader(
        players=_players(fields),
        race_to=race_to,
        breaker=optional(fields, "breaker", Player) or Player.A,
        opening=opening,
        options=_options(fields),
        table=_table(fields, table),
    )


def _players(fields: Fields) -> tuple[str, str]:
    value = fields.values.get("players")
    if value is None:
        return ("A", "B")
    if not isinstance(value, list) or len(value) != 2:
        raise fields.fail("players", "a list of two names")
    names = [name.strip() if isinstance(name, str) else "" for name in value]
    good = all(0 < len(name) <= _LONGEST_NAME and name.isprintable() for name in names)
    if not good or names[0] == names[1]:
        raise fields.fail("players", f"two different names of 1 to {_LONGEST_NAME} characters")
    return names[0], names[1]


def _options(fields: Fields) -> EventOptions:
    value = fields.values.get("options")
    if value is None:
        return DEFAULT_OPTIONS
    if not isinstance(value, dict):
        raise fields.fail("options", "an object")
    return read_options(Fields(value, f'{fields.place}, field "options"'))


def _table(fields: Fields, table: TableSpec) -> TableSpec:
    value = fields.values.get("table")
    if not isinstance(value, dict):
        return table
    measures = Fields(value, f'{fields.place}, field "table"')
    try:
        return TableSpec(measures.number("length_m"), measures.number("width_m"))
    except ValueError as error:
        raise fields.fail("table", str(error)) from None
