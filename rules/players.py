"""The two players, and a value for each of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Player(StrEnum):
    """A player; real names change sentences only."""

    A = "A"
    B = "B"

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.B if self is Player.A else Player.A


class Pair(NamedTuple, Generic[T]):
    """One value a player: counters, warnings, clocks."""

    a: T
    b: T

    def of(self, player: Player) -> T:
        """The value of `player`."""
        return self.a if player is Player.A else self.b

    def changed(self, player: Player, value: T) -> Pair[T]:
        """The same pair with another value for `player`."""
        return Pair(value, self.b) if player is Player.A else Pair(self.a, value)


NO_FOULS: Pair[int] = Pair(0, 0)
NOT_WARNED: Pair[bool] = Pair(False, False)
