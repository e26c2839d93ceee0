"""The eyes of an evening: frame by frame, a shot as soon as all balls rest.

The same stages as `monitor.pipeline`, on the same objects: what was followed since shortly
before the stroke is named and read as a clip would be. In between only motion is watched.
What is over is forgotten.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from monitor.pipeline import events_of
from table.balls import CUE, BallName, is_unknown
from table.events import BallPocketed, ShotEnded, ShotEvent, ShotStarted
from table.geometry import Point, TableSpec
from vision.ballset import BallSet
from vision.frames import Frame
from vision.naming import name_tracks
from vision.observer import Observer
from vision.sequence import Seen
from vision.tracker import Track

QUIET_S: Final = 0.5
"""Rest is every ball slower than 5 mm/s for so long (docs/formats.md)."""
LIP_S: Final = 5.0
"""A ball on the lip that falls within these seconds was pocketed by the shot (8.3)."""
_MOVING_MPS: Final = 0.03
_STROKE_M: Final = 0.05
"""Way of a cue ball that was at rest from which a stroke is taken to have begun."""
_KEPT_BEFORE_S: Final = 2.5
_FORGET_EVERY_S: Final = 2.0
_READ_AGAIN_S: Final = 0.25
_GIVE_UP_S: Final = 2.5
_NAME_EVERY_S: Final = 1.0
_SAME_SHOT_S: Final = 0.3
_PATH_POINTS: Final = 60


@dataclass(frozen=True, slots=True)
class SeenShot:
    """A shot as it was read; times are presentation time of the source."""

    number: int
    """Counted from 1 in this session; the same again: a better reading."""
    events: tuple[ShotEvent, ...]
    paths: Mapping[BallName, Sequence[tuple[float, Point]]]


@dataclass(frozen=True, slots=True)
class Glance:
    """The table in one frame."""

    t_s: float
    balls: Mapping[BallName, Point]
    moving: tuple[BallName, ...]
    hidden: tuple[BallName, ...]
    moving_since_s: float | None
    on_lip: tuple[BallName, ...]
    provisional_until_s: float | None
    has_view: bool = True


@dataclass(eq=False)
class LiveObserver:
    """Watches one table for an evening."""

    observer: Observer
    ball_set: BallSet | None = None
    names: dict[int, BallName] = field(default_factory=dict, init=False)
    _shots: dict[int, float] = field(default_factory=dict, init=False)
    """Start of each shot that was read, by number."""
    _count: int = field(default=0, init=False)
    _last_moved_s: float = field(default=-math.inf, init=False)
    _moved: bool = field(default=False, init=False)
    """Something moved since the last reading."""
    _struck_s: float | None = field(default=None, init=False)
    _next_reading_s: float = field(default=-math.inf, init=False)
    _give_up_s: float = field(default=math.inf, init=False)
    _named_s: float = field(default=-math.inf, init=False)
    _forgot_s: float = field(default=-math.inf, init=False)
    _provisional_until_s: float | None = field(default=None, init=False)
    _on_lip: tuple[BallName, ...] = field(default=(), init=False)
    _rest: dict[int, Point] = field(default_factory=dict, init=False)
    _view: int = field(default=0, init=False)
    _last: SeenShot | None = field(default=None, init=False)
    """The shot that was handed out last."""

    @property
    def table(self) -> TableSpec:
        """The table that is watched."""
        return self.observer.camera.table

    def update(self, frame: Frame) -> tuple[Glance, list[SeenShot]]:
        """Take the next frame: what is seen in it, and the shots that ended with it."""
        tracks = self.observer.update(frame)
        self._new_view()
        if not self.observer.sequences:
            return self._glance(frame.t_s, tracks, False), []
        confirmed = [track for track in tracks if track.confirmed]
        self._watch_motion(frame.t_s, confirmed)
        shots = self._read_if_due(frame.t_s)
        self._name_if_due(frame.t_s, confirmed)
        self._forget_if_due(frame.t_s)
        return self._glance(frame.t_s, confirmed, bool(tracks)), shots

    def finish(self) -> list[SeenShot]:
        """The shots that were not over when the source ended."""
        return self._new(self._read(final=True)) if self.observer.sequences else []

    # Motion

    def _new_view(self) -> None:
        """After a cut nothing is followed on; the old view is let go."""
        sequences = self.observer.sequences
        if len(sequences) > 1:
            del sequences[:-1]
        if sequences and id(sequences[-1]) != self._view:
            self._view = id(sequences[-1])
            self.names, self._rest = {}, {}
            self._moved, self._struck_s = False, None
            self._named_s = -math.inf

    def _watch_motion(self, t_s: float, tracks: Sequence[Track]) -> None:
        for track in tracks:
            if track.last.t_s < t_s - 1e-9:
                continue
            place = (track.last.x_m, track.last.y_m)
            rest = self._rest.setdefault(track.number, place)
            speed = math.hypot(*track.velocity)
            away_m = math.dist(place, rest)
            if speed > _MOVING_MPS and away_m > 0.004:
                if not self._moved:
                    self._leave_last_shot(t_s)
                self._last_moved_s, self._moved = t_s, True
                if away_m > _STROKE_M and self._struck_s is None and self._may_be_cue(track):
                    self._struck_s = t_s
            elif t_s - self._last_moved_s > QUIET_S:
                self._rest[track.number] = place
        if self._moved and self._next_reading_s == -math.inf:
            self._next_reading_s = self._last_moved_s

    def _may_be_cue(self, track: Track) -> bool:
        """The cue ball, or, while it has no name yet, a ball without one."""
        name = self.names.get(track.number)
        return name == CUE or (CUE not in self.names.values() and (not name or is_unknown(name)))

    def _read_if_due(self, t_s: float) -> list[SeenShot]:
        """Read what happened once all has been quiet for half a second."""
        quiet_s = t_s - self._last_moved_s
        if not self._moved or quiet_s < QUIET_S or t_s < self._next_reading_s:
            return []
        shots = self._read(final=False)
        at_rest = not shots or not _ends_open(shots[-1])
        if not at_rest and quiet_s <= _GIVE_UP_S:
            self._next_reading_s = t_s + _READ_AGAIN_S
            return self._new(shots[:-1])
        self._moved, self._struck_s = False, None
        self._next_reading_s = -math.inf
        new = self._new(shots if at_rest else shots[:-1])
        self._note_lips(t_s, new)
        return new

    def _new(self, shots: Sequence[SeenShot]) -> list[SeenShot]:
        """Those not handed out yet, and the last one again when a ball fell from its lip."""
        fresh = []
        for shot in shots:
            last = self._last
            if last is None or shot.number > last.number or self._fell_since(last, shot):
                fresh.append(shot)
                self._last = shot
        return fresh

    def _fell_since(self, last: SeenShot, shot: SeenShot) -> bool:
        """Did nothing change but that a ball on its lip fell?"""
        fell = _pocketed(shot) - _pocketed(last)
        return shot.number == last.number and bool(fell) and fell <= set(self._on_lip)

    def _leave_last_shot(self, t_s: float) -> None:
        """Something begins to move: the shot before is over, unless a ball hung on a lip."""
        end_s = None if self._last is None else _end_s(self._last)
        if end_s is None or self._on_lip:
            return
        since_s = max(end_s + 0.05, t_s - _KEPT_BEFORE_S)
        self.observer.sequences[-1].forget_before(since_s)

    def _note_lips(self, t_s: float, shots: Sequence[SeenShot]) -> None:
        """Balls at the brink keep the ruling provisional for their five seconds (8.3)."""
        if not shots:
            return
        end = next((e for e in shots[-1].events if isinstance(e, ShotEnded)), None)
        if end is None or end.t_s is None:
            return
        lips = tuple(name for name, at in end.balls.items() if self._is_on_lip(at))
        until_s = end.t_s + LIP_S
        if lips and t_s < until_s:
            self._provisional_until_s, self._on_lip = until_s, lips

    def _is_on_lip(self, place: Point) -> bool:
        near = self.table.nearest_pocket(place)
        return (
            near is not None
            and near.depth_m(place) > -0.5 * self.table.ball_radius_m
            and (abs(near.offset_m(place)) < near.mouth_m / 2)
        )

    # Reading

    def _read(self, *, final: bool) -> list[SeenShot]:
        """Name and read all that is remembered; the live state itself stays as it is."""
        twin = copy.copy(self.observer)
        twin.sequences = copy.deepcopy(self.observer.sequences)
        seen = twin.finish(self.ball_set)[-1]
        shots = []
        by_number: dict[int, list[ShotEvent]] = {}
        for event in events_of(seen, self.table):
            by_number.setdefault(event.shot, []).append(event)
        for events in by_number.values():
            if _begins_unseen(events) and not final:
                continue
            number = self._number_of(events)
            numbered = tuple(replace(event, shot=number) for event in events)
            shots.append(SeenShot(number, numbered, _paths(seen, events)))
        return shots

    def _number_of(self, events: Sequence[ShotEvent]) -> int:
        """The number of a shot: that of the one read before at the same time, or a new one."""
        start = next((e for e in events if isinstance(e, ShotStarted)), None)
        t_s = None if start is None else start.t_s
        if t_s is not None:
            for number, start_s in self._shots.items():
                if abs(start_s - t_s) < _SAME_SHOT_S:
                    return number
        self._count += 1
        self._shots[self._count] = -math.inf if t_s is None else t_s
        return self._count

    # Names

    def _name_if_due(self, t_s: float, tracks: Sequence[Track]) -> None:
        """Name what is followed, again and again while something has no name."""
        sequence = self.observer.sequences[-1]
        unnamed = any(
            track.number not in self.names or is_unknown(self.names[track.number])
            for track in tracks
        )
        if not unnamed or t_s - self._named_s < _NAME_EVERY_S or t_s - self._last_moved_s < 0.2:
            return
        self._named_s = t_s
        self.names, _ = name_tracks(sequence.tracker.tracks, sequence.looks, self.ball_set)

    # Forgetting

    def _forget_if_due(self, t_s: float) -> None:
        """Keep only what the next shot needs: the last seconds of rest."""
        quiet_s = t_s - self._last_moved_s
        if self._moved or quiet_s < LIP_S + 1.0 or t_s - self._forgot_s < _FORGET_EVERY_S:
            return
        self._forgot_s = t_s
        self.observer.sequences[-1].forget_before(t_s - _KEPT_BEFORE_S)
        followed = {track.number for track in self.observer.sequences[-1].tracker.tracks}
        self._rest = {n: place for n, place in self._rest.items() if n in followed}
        self._shots = {n: s for n, s in self._shots.items() if s > t_s - 60.0}

    # Now

    def _glance(self, t_s: float, tracks: Sequence[Track], has_view: bool) -> Glance:
        if self._provisional_until_s is not None and t_s >= self._provisional_until_s:
            self._provisional_until_s, self._on_lip = None, ()
        balls: dict[BallName, Point] = {}
        moving, hidden = [], []
        gone = set() if self._last is None else _pocketed(self._last)
        for track in tracks:
            name = self.names.get(track.number)
            unseen = track.last.t_s < t_s - 0.15
            if name is None or track.lost or (unseen and name in gone):
                continue
            balls[name] = track.position
            if unseen:
                hidden.append(name)
            elif math.hypot(*track.velocity) > _MOVING_MPS and t_s - self._last_moved_s < 0.2:
                moving.append(name)
        return Glance(
            t_s,
            balls,
            tuple(moving),
            tuple(hidden),
            self._struck_s,
            self._on_lip,
            self._provisional_until_s,
            has_view,
        )


def _pocketed(shot: SeenShot) -> set[BallName]:
    return {event.ball for event in shot.events if isinstance(event, BallPocketed)}


def _end_s(shot: SeenShot) -> float | None:
    return next((e.t_s for e in shot.events if isinstance(e, ShotEnded)), None)


def _begins_unseen(events: Sequence[ShotEvent]) -> bool:
    return any(isinstance(e, ShotStarted) and e.started_before_clip for e in events)


def _ends_open(shot: SeenShot) -> bool:
    return any(isinstance(e, ShotEnded) and e.ended_after_clip for e in shot.events)


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
