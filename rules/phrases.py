"""What a language must provide to say a ruling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from table.balls import Ball


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of one language, by key, with {fields} to fill in."""

    language: str
    text: Mapping[str, str]
    ball: Callable[[Ball], str]
    balls: Callable[[Sequence[Ball]], str]
    refused: Mapping[str, str]
    """What was refused, by the name in `Ruling.refused`."""

    def say(self, key: str, **fields: str) -> str:
        """The phrase of `key` with its fields filled in."""
        return self.text[key].format(**fields)

    def counted(self, key: str, balls: Sequence[Ball]) -> str:
        """The phrase of `key` for one ball or for several."""
        number = "one" if len(balls) == 1 else "many"
        return self.say(f"{key}.{number}", balls=self.balls(balls))
