"""Editions of the rules: what differs between printed texts, as data.

The default edition is complete: the text with a safety call, the template foul 6.16 and
unsporting conduct 6.17. A second one, the first ten-ball text of 2008, is there because
its differences are data. docs/rules.md says what the 2025 text would change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

STANDARD_FOULS: Final = (
    "6.1",
    "6.2",
    "6.3",
    "6.4",
    "6.5",
    "6.6",
    "6.7",
    "6.8",
    "6.9",
    "6.10",
    "6.12",
    "6.13",
    "6.15",
    "6.16",
)


@dataclass(frozen=True)
class Edition:
    """What one printed text of ten-ball says where texts differ."""

    name: str
    safety_call: bool = True
    """A safety may be called (9.6); without it the call is refused and judged as normal."""
    ten_on_break_wins: bool = False
    """A ten on a legal break wins the rack instead of being spotted (9)."""
    called_ten_always_wins: bool = False
    """A called ten wins at any time instead of only as the last ball (9.8)."""
    standard_fouls: tuple[str, ...] = STANDARD_FOULS
    printed_numbers: dict[str, str] = field(default_factory=dict, hash=False)
    """Where the printed number of an article is another than ours."""

    def printed(self, number: str) -> str:
        """The number that this edition prints for our article `number`."""
        return self.printed_numbers.get(number, number)


DEFAULT_EDITION: Final = Edition("WPA ten-ball with safety call (between 2010 and 2016)")
FIRST_2008: Final = Edition(
    "WPA ten-ball, first text of 2008",
    safety_call=False,
    ten_on_break_wins=True,
    called_ten_always_wins=True,
    standard_fouls=tuple(f for f in STANDARD_FOULS if f != "6.16"),
)
