"""Rules only: a shot log and declarations in, the rows of rulings.jsonl out."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.declaration_file import Declaration, assign, read_declarations
from monitor.match import MatchFold, is_shot, start_of
from monitor.match_header import BREAK, MatchHeader, read_header
from monitor.ruling_rows import Row
from monitor.score import Score
from rules.facts import DECIDE_PROBABILITY
from rules.rack import DEFAULT_OPTIONS, EventOptions, Rack, new_rack
from rules.reading import ReadingSettings
from table.geometry import TableSpec
from table.log import ShotLog

__all__ = ["read_declarations", "replay"]


def replay(
    log: ShotLog,
    declarations: Sequence[Declaration] | None = None,
    *,
    players: tuple[str, str] = ("A", "B"),
    decide_probability: float = DECIDE_PROBABILITY,
    assume_obvious: bool = False,
    options: EventOptions = DEFAULT_OPTIONS,
) -> list[Row]:
    """The rows of rulings.jsonl: one a shot, and one a declaration that changes something.

    `assume_obvious` is for a review without declarations: a plain shot that nobody called
    counts as called, visibly. `players` are names for the sentences.
    """
    shots = {n: events for n, events in log.shots().items() if is_shot(events)}
    said = assign(declarations or (), {n: start_of(events) for n, events in shots.items()})
    table = TableSpec(length_m=log.source.length_m, width_m=log.source.width_m)
    match = MatchFold(
        table,
        ReadingSettings(decide_probability=decide_probability),
        options,
        players,
        assume_obvious,
    )
    opened = log.source.more.get("match")
    opening = None
    if isinstance(opened, dict):
        header = read_header(opened, "the source's match", table)
        opening = _opened(match, header)
    match.open(next(iter(shots.values()), ()), said[0], opening)
    for number, events in shots.items():
        match.play(number, events, said[number])
    return match.rows


def _opened(match: MatchFold, header: MatchHeader) -> Rack | None:
    """The log of a live match says how it was opened; the rack, if with a break."""
    match.options = header.options
    match.score = Score(header.race_to)
    match.holds_losses = True
    if match.players == ("A", "B"):
        match.players = header.players
    return new_rack(header.breaker) if header.opening == BREAK else None
