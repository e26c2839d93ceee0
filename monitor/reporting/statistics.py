"""What a player did in a match, in numbers (definitions: docs/report.md)."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from monitor.reporting.played_shots import PlayedShot
from monitor.reporting.racks import PlayedRack
from table.geometry import Pocket


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """One player's figures; medians and means are None where nothing was measured."""

    player: str
    shots: int = 0
    unjudged: int = 0
    """Shots that were not seen as a whole; they count in no other figure but `shots`."""
    attempts: int = 0
    pots: int = 0
    misses: int = 0
    safeties: int = 0
    safeties_answered_by_foul: int = 0
    push_outs: int = 0
    fouls: int = 0
    """Shots with a foul."""
    fouls_by_article: Mapping[str, int] = field(default_factory=dict)
    breaks: int = 0
    breaks_made: int = 0
    """Breaks without a foul on which a ball fell."""
    balls_down: int = 0
    """Object balls that fell without a foul, those of breaks included."""
    visits: int = 0
    runs: tuple[int, ...] = ()
    """Balls down in each visit in which one fell, the longest first."""
    racks_won: int = 0
    break_and_runs: int = 0
    provisional: int = 0
    """Shots whose ruling rests on an open question."""
    seconds_a_shot: float | None = None
    """Mean time from rest to the stroke, breaks left out."""
    timed_shots: int = 0
    speed_mps: float | None = None
    """Median speed of the cue ball off the tip, breaks left out."""
    break_speed_mps: float | None = None
    """Mean of the breaks."""
    travel_m: float | None = None
    """Mean way of the cue ball a shot, breaks left out."""

    @property
    def pot_share(self) -> float | None:
        """Pots of the attempts that were judged."""
        return self.pots / self.attempts if self.attempts else None

    @property
    def break_share(self) -> float | None:
        """Breaks made of the breaks that were judged."""
        return self.breaks_made / self.breaks if self.breaks else None


def figures_of(racks: Sequence[PlayedRack], player: str) -> PlayerFigures:
    """One player's figures over all racks."""
    shots = [shot for rack in racks for shot in rack.shots if shot.by == player]
    judged = [shot for shot in shots if shot.legal is not None]
    breaks = [shot for shot in judged if shot.is_break]
    later = [shot for shot in shots if not shot.is_break]
    visits = [visit for rack in racks for visit in rack.visits() if visit[0].by == player]
    runs = sorted((sum(shot.balls_down for shot in visit) for visit in visits), reverse=True)
    times = [pause for rack in racks for pause in pauses_s(rack, player)]
    articles = Counter(article for shot in judged for article in shot.fouls)
    return PlayerFigures(
        player,
        shots=len(shots),
        unjudged=len(shots) - len(judged),
        attempts=sum(shot.is_attempt for shot in judged),
        pots=sum(shot.is_pot for shot in judged),
        misses=sum(shot.is_miss for shot in judged),
        safeties=sum(shot.kind == "safety" for shot in judged),
        safeties_answered_by_foul=sum(_answered_by_foul(rack, player) for rack in racks),
        push_outs=sum(shot.kind == "push_out" for shot in judged),
        fouls=sum(bool(shot.fouls) for shot in judged),
        fouls_by_article=dict(sorted(articles.items())),
        breaks=len(breaks),
        breaks_made=sum(shot.balls_down > 0 for shot in breaks),
        balls_down=sum(shot.balls_down for shot in judged),
        visits=len(visits),
        runs=tuple(run for run in runs if run),
        racks_won=sum(rack.winner == player for rack in racks),
        break_and_runs=sum(rack.is_break_and_run and rack.winner == player for rack in racks),
        provisional=sum(shot.provisional for shot in shots),
        seconds_a_shot=_mean(times),
        timed_shots=len(times),
        speed_mps=_median([shot.motion.speed_mps for shot in later]),
        break_speed_mps=_mean([shot.motion.speed_mps for shot in breaks]),
        travel_m=_mean([shot.motion.travel_m for shot in later]),
    )


def pauses_s(rack: PlayedRack, player: str) -> Iterator[float]:
    """The times from rest to a player's strokes within a rack, breaks left out."""
    for before, shot in zip(rack.shots, rack.shots[1:], strict=False):
        rest_s, stroke_s = before.motion.end_s, shot.motion.start_s
        if shot.by != player or shot.is_break or rest_s is None or stroke_s is None:
            continue
        if stroke_s >= rest_s:
            yield stroke_s - rest_s


def pots_by_pocket(racks: Sequence[PlayedRack], player: str | None = None) -> dict[Pocket, int]:
    """Object balls that fell without a foul, by pocket; every pocket stands in it."""
    fell = Counter(
        pocket
        for rack in racks
        for shot in rack.shots
        if shot.legal is True and player in (None, shot.by)
        for _, pocket in shot.motion.dropped
    )
    return {pocket: fell.get(pocket, 0) for pocket in Pocket}


def _answered_by_foul(rack: PlayedRack, player: str) -> int:
    pairs = zip(rack.shots, rack.shots[1:], strict=False)
    return sum(
        a.by == player
        and a.kind == "safety"
        and a.legal is True
        and b.by != player
        and bool(b.fouls)
        for a, b in pairs
    )


def _known(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _mean(values: Sequence[float | None]) -> float | None:
    known = _known(values)
    return statistics.fmean(known) if known else None


def _median(values: Sequence[float | None]) -> float | None:
    known = _known(values)
    return statistics.median(known) if known else None


def all_shots(racks: Sequence[PlayedRack]) -> tuple[PlayedShot, ...]:
    """Every shot of every rack, in order."""
    return tuple(shot for rack in racks for shot in rack.shots)
