"""What was followed since the last shot, named and read as a clip would be.

The reading works on copies, so that the frames can go on beside it.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final, TypeVar

from monitor.pipeline import events_of
from table.balls import TO_THE_END, BallName
from table.events import BallPocketed, ShotEnded, ShotEvent, ShotStarted
from table.geometry import Point, TableSpec
from vision.ballset import BallSet
from vision.observer import Observer, named
from vision.sequence import Seen
from vision.sequence import Sequence as FollowedSequence

T = TypeVar("T")
_PATH_POINTS: Final = 60


@dataclass(frozen=True, slots=True)
class SeenShot:
    """A shot as it was read; times are presentation time of the source."""

    number: int
    """Counted from 1 in this session; the same again: a better reading."""
    events: tuple[ShotEvent, ...]
    paths: Mapping[BallName, Sequence[tuple[float, Point]]]


@dataclass(frozen=True, slots=True)
class Read:
    """A shot as a reading found it, before it has its number."""

    events: tuple[ShotEvent, ...]
    paths: Mapping[BallName, Sequence[tuple[float, Point]]]


@dataclass(frozen=True, eq=False)
class Reading:
    """The work of naming and reading all that was remembered at one moment.

    It holds no picture and can be sent to another process. `final`: the source ended; a shot
    that began before it is told too.
    """

    sequence: FollowedSequence
    table: TableSpec
    ball_set: BallSet | None
    final: bool


Reader = Callable[[Reading], list[Read]]


def reading_of(
    observer: Observer, ball_set: BallSet | None, *, final: bool, down: Set[int] = frozenset()
) -> Reading:
    """What there is to read now; what is followed on does not change it.

    `down`: the tracks of balls that fell in an earlier shot.
    """
    snapshot = _snapshot(observer.sequences[-1])
    snapshot.leave_out(down)
    return Reading(snapshot, observer.camera.table, ball_set, final)


def read_here(reading: Reading) -> list[Read]:
    """Do the work, in order of the shots."""
    seen = named(reading.sequence, reading.ball_set, reading.table, TO_THE_END)
    by_number: dict[int, list[ShotEvent]] = {}
    for event in events_of(seen, reading.table):
        by_number.setdefault(event.shot, []).append(event)
    return [
        Read(tuple(events), _paths(seen, events))
        for events in by_number.values()
        if reading.final or not _begins_unseen(events)
    ]


def pocketed_in(shot: SeenShot) -> set[BallName]:
    """The balls that fell in a shot."""
    return {event.ball for event in shot.events if isinstance(event, BallPocketed)}


def end_of_shot(shot: SeenShot) -> float | None:
    """When all balls rested."""
    return next((e.t_s for e in shot.events if isinstance(e, ShotEnded)), None)


def _begins_unseen(events: Sequence[ShotEvent]) -> bool:
    return any(isinstance(e, ShotStarted) and e.started_before_clip for e in events)


def ends_open(events: Sequence[ShotEvent]) -> bool:
    """True when the balls did not rest before the last frame."""
    return any(isinstance(e, ShotEnded) and e.ended_after_clip for e in events)


def _snapshot(sequence: FollowedSequence) -> FollowedSequence:
    """A copy that reading may part and name while the original goes on.

    Sightings and looks are never changed once made; only the lists that hold them are copied.
    """
    twin = _with_own_lists(sequence)
    twin.tracker = _with_own_lists(sequence.tracker)
    twin.tracker.tracks = [_with_own_lists(track) for track in sequence.tracker.tracks]
    twin.looks = {number: _with_own_lists(looks) for number, looks in sequence.looks.items()}
    twin.cues = None if sequence.cues is None else _with_own_lists(sequence.cues)
    return twin


def _with_own_lists(thing: T) -> T:
    twin = copy.copy(thing)
    for name, value in vars(thing).items():
        if isinstance(value, (list, dict, set)):
            setattr(twin, name, copy.copy(value))
    return twin


def _paths(seen: Seen, events: Sequence[ShotEvent]) -> dict[BallName, list[tuple[float, Point]]]:
    """Where the balls that moved went during a shot, thinned."""
    times = [event.t_s for event in events if event.t_s is not None]
    if len(times) < 2:
        return {}
    low, high = min(times) - 0.05, max(times) + 0.05
    states = [state for state in seen.states if low <= state.t_s <= high]
    fell = {event.ball for event in events if isinstance(event, BallPocketed)}
    paths: dict[BallName, list[tuple[float, Point]]] = {}
    for name in dict.fromkeys(name for state in states for name in state.balls):
        points = [(s.t_s, s.balls[name].position) for s in states if name in s.balls]
        if name in fell or _went_anywhere(points):
            paths[name] = _thinned(points)
    return paths


def _went_anywhere(points: Sequence[tuple[float, Point]]) -> bool:
    return any(math.dist(point, points[0][1]) > 0.01 for _, point in points)


def _thinned(points: Sequence[tuple[float, Point]]) -> list[tuple[float, Point]]:
    """Points at least a centimetre apart, at most 60 of them."""
    kept = [points[0]]
    for point in points[1:]:
        if math.dist(point[1], kept[-1][1]) >= 0.01:
            kept.append(point)
    step = max(1, math.ceil(len(kept) / _PATH_POINTS))
    return [*kept[::step], kept[-1]]
