"""All figures of one clip, or of many added up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from monitor.evaluation.intervals import Share
from monitor.evaluation.scores import (
    Counts,
    EventScore,
    FirstContactScore,
    Miss,
    RestScore,
    RulingScore,
    SpeedScore,
    Stated,
    TrackScore,
)


@dataclass(frozen=True, slots=True)
class ClipScore:
    """All figures of a clip, or of many added up."""

    name: str
    clips: int = 1
    problems: tuple[str, ...] = ()
    shots: Counts = field(default_factory=Counts)
    events: Mapping[str, EventScore] = field(default_factory=dict)
    first_contact: FirstContactScore = field(default_factory=FirstContactScore)
    pocketed_sets: Share = field(default_factory=Share)
    """Shots with exactly the right set of pocketed balls and pockets."""
    rest: RestScore = field(default_factory=RestScore)
    rolling: Share = field(default_factory=Share)
    """Balls that may roll at a labelled frame: right name within a ball's radius."""
    tracks: TrackScore | None = None
    rulings: RulingScore | None = None
    speed: SpeedScore | None = None
    stated: tuple[Stated, ...] = ()
    misses: tuple[Miss, ...] = ()
    notes: tuple[str, ...] = ()


def total_of(scores: Iterable[ClipScore], name: str = "total") -> ClipScore:
    """The figures of all clips together."""
    return reduce(lambda a, b: _joined(a, b, name), scores, ClipScore(name, clips=0))


def _joined(a: ClipScore, b: ClipScore, name: str) -> ClipScore:
    kinds = {**a.events, **b.events}
    return ClipScore(
        name=name,
        clips=a.clips + b.clips,
        problems=a.problems + b.problems,
        shots=a.shots + b.shots,
        events={
            kind: a.events.get(kind, EventScore()) + b.events.get(kind, EventScore())
            for kind in kinds
        },
        first_contact=a.first_contact + b.first_contact,
        pocketed_sets=a.pocketed_sets + b.pocketed_sets,
        rest=a.rest + b.rest,
        rolling=a.rolling + b.rolling,
        tracks=a.tracks + b.tracks if a.tracks and b.tracks else a.tracks or b.tracks,
        rulings=a.rulings + b.rulings if a.rulings and b.rulings else a.rulings or b.rulings,
        speed=a.speed + b.speed if a.speed and b.speed else a.speed or b.speed,
        stated=a.stated + b.stated,
        misses=a.misses + b.misses,
        notes=a.notes + b.notes,
    )
