"""The score of a match: racks won, and the race that ends it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.players import Pair, Player
from rules.rack import Phase, Rack


@dataclass(frozen=True, slots=True)
class RackWon:
    """One rack that is over."""

    winner: Player
    shot: int
    """The last shot of it."""


@dataclass(frozen=True, slots=True)
class Score:
    """Racks won so far, in order."""

    race_to: int | None = None
    """Racks to win; None: played without an end."""
    won: tuple[RackWon, ...] = ()

    def of(self, player: Player) -> int:
        """How many racks `player` has won."""
        return sum(rack.winner is player for rack in self.won)

    @property
    def racks(self) -> Pair[int]:
        """Racks of A and B."""
        return Pair(self.of(Player.A), self.of(Player.B))

    def after(self, before: Rack, after: Rack, shot: int) -> Score:
        """The score when the rack went from `before` to `after` with what `shot` brought.

        A rack that was won and is reopened (a foul called in time on the winning shot) no
        longer counts.
        """
        if before.is_over and after.phase is Phase.NORMAL and before.winner and self.won:
            return replace(self, won=self.won[:-1])
        if after.is_over and not before.is_over and after.winner is not None:
            return replace(self, won=(*self.won, RackWon(after.winner, shot)))
        return self

    def closes(self, rack: Rack) -> bool:
        """True when the race is won with this rack."""
        if self.race_to is None or not rack.is_over or rack.winner is None:
            return False
        return self.of(rack.winner) >= self.race_to
