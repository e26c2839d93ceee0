"""Shots gathered into racks, racks into a score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from monitor.reporting.played_shots import PlayedShot


@dataclass(frozen=True, slots=True)
class PlayedRack:
    """The shots of one rack, as far as the video shows it."""

    number: int
    shots: tuple[PlayedShot, ...]
    score_before: tuple[int, int] = (0, 0)
    """Racks that A and B had won in this video before it."""

    @property
    def breaker(self) -> str | None:
        """Who broke; None when the break is not in the video."""
        return next((shot.by for shot in self.shots if shot.is_break), None)

    @property
    def is_over(self) -> bool:
        """True when the video shows its end."""
        return self.shots[-1].ends_rack

    @property
    def winner(self) -> str | None:
        """Who won it; None while it is not over."""
        return self.shots[-1].winner if self.is_over else None

    @property
    def score_after(self) -> tuple[int, int]:
        """Racks that A and B have won after it."""
        a, b = self.score_before
        return (a + (self.winner == "A"), b + (self.winner == "B"))

    @property
    def is_break_and_run(self) -> bool:
        """True when the breaker won it and nobody else came to the table."""
        return (
            self.winner is not None
            and self.winner == self.breaker
            and all(shot.by == self.winner for shot in self.shots)
            and all(shot.continues for shot in self.shots[:-1])
        )

    @property
    def span_s(self) -> tuple[float, float] | None:
        """From the first stroke to the last rest; None when either is not known."""
        start, end = self.shots[0].motion.start_s, self.shots[-1].motion.end_s
        return None if start is None or end is None else (start, end)

    def visits(self) -> Iterator[tuple[PlayedShot, ...]]:
        """The shots of one player in a row: until he misses, fouls or the rack ends."""
        visit: list[PlayedShot] = []
        for shot in self.shots:
            if visit and not (visit[-1].continues and shot.by == visit[-1].by):
                yield tuple(visit)
                visit = []
            visit.append(shot)
        if visit:
            yield tuple(visit)


def racks_of(shots: Iterable[PlayedShot]) -> tuple[PlayedRack, ...]:
    """The racks: one ends with its last ball, or where a new break shows that it must have."""
    racks: list[PlayedRack] = []
    gathered: list[PlayedShot] = []
    for shot in shots:
        if gathered and _begins_rack(gathered[-1], shot):
            racks.append(_rack(racks, gathered))
            gathered = []
        gathered.append(shot)
    if gathered:
        racks.append(_rack(racks, gathered))
    return tuple(racks)


def _begins_rack(last: PlayedShot, shot: PlayedShot) -> bool:
    return last.ends_rack or (shot.is_break and not last.reracked)


def _rack(before: list[PlayedRack], shots: list[PlayedShot]) -> PlayedRack:
    score = before[-1].score_after if before else (0, 0)
    return PlayedRack(len(before) + 1, tuple(shots), score)
