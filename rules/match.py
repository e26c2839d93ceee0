"""A match as a fold over its journal: racks, score, race, undo and correction.

The journal only grows. An event is what was played and declared; a correction replaces an
earlier event ("the 3 was hit first") and an undo takes the record before it back. The
state of the match, and every ruling, follow from the journal alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.declarations import SILENCE, Declarations
from rules.facts import ShotFacts
from rules.players import NO_FOULS, Pair, Player
from rules.rack import DEFAULT_OPTIONS, EventOptions, Phase, Rack, new_rack
from rules.records import changed
from rules.ruling import Ruling
from rules.ten_ball import rule


@dataclass(frozen=True, slots=True)
class Event:
    """One stroke with what was said about it, or a declaration alone (no facts)."""

    facts: ShotFacts | None
    declarations: Declarations = SILENCE


@dataclass(frozen=True, slots=True)
class Correction:
    """Event number `index` (from 0, of those that stand) was in truth `event`."""

    index: int
    event: Event


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The record before this one, of those not yet taken back, never happened."""


Record = Event | Correction | TakeBack


@dataclass(frozen=True, slots=True)
class Match:
    """The state of a match between two events."""

    rack: Rack
    score: Pair[int] = NO_FOULS
    race_to: int | None = None
    """Racks to win; None: played without an end."""
    options: EventOptions = DEFAULT_OPTIONS

    @property
    def winner(self) -> Player | None:
        """Who won the match."""
        return self.rack.winner if self.rack.match_over else None


def new_match(
    breaker: Player = Player.A,
    race_to: int | None = None,
    options: EventOptions = DEFAULT_OPTIONS,
) -> Match:
    """A match before its first break."""
    return Match(new_rack(breaker), race_to=race_to, options=options)


def play(match: Match, event: Event) -> tuple[Match, Ruling]:
    """The match after one event, and the ruling on it."""
    before = match.rack
    ruling = rule(before, event.facts, event.declarations, match.options)
    rack = ruling.rack
    score = match.score
    if before.is_over and rack.phase is Phase.NORMAL and before.winner is not None:
        score = score.changed(before.winner, score.of(before.winner) - 1)
    if rack.is_over and rack.winner is not None and not before.is_over:
        score = score.changed(rack.winner, score.of(rack.winner) + 1)
        if match.race_to is not None and score.of(rack.winner) >= match.race_to:
            rack = changed(rack, match_over=True)
            ruling = changed(ruling, rack=rack)
    return changed(match, rack=rack, score=score), ruling


def standing(journal: Iterable[Record]) -> tuple[Event, ...]:
    """The events that stand after all corrections and undos, in order.

    A correction of an event that does not stand changes nothing; so does an undo when
    nothing is left to take back.
    """
    history: list[tuple[Event, ...]] = [()]
    for record in journal:
        events = history[-1]
        match record:
            case Event():
                history.append((*events, record))
            case Correction() if 0 <= record.index < len(events):
                after = events[record.index + 1 :]
                history.append((*events[: record.index], record.event, *after))
            case TakeBack() if len(history) > 1:
                history.pop()
    return history[-1]


def fold(start: Match, journal: Iterable[Record]) -> tuple[Match, tuple[Ruling, ...]]:
    """The match after a journal, with the ruling on every event that stands."""
    match = start
    rulings: list[Ruling] = []
    for event in standing(journal):
        match, ruling = play(match, event)
        rulings.append(ruling)
    return match, tuple(rulings)
