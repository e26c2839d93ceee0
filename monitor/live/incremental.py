"""The eyes of an evening: frame by frame, a shot as soon as all balls rest.

The same stages as `monitor.pipeline`, on the same objects: what was followed since shortly
before the stroke is named and read as a clip would be. In between only motion is watched.
What is over is forgotten.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Final

from monitor.live.fallen_balls import FallenBalls
from monitor.live.shot_reading import (
    Read,
    Reader,
    Reading,
    SeenShot,
    end_of_shot,
    ends_open,
    pocketed_in,
    read_here,
    reading_of,
)
from table.balls import CUE, TO_THE_END, BallName, is_unknown
from table.events import ShotEnded, ShotEvent, ShotStarted
from table.geometry import Point, TableSpec
from vision.ballset import BallSet
from vision.frames import Frame
from vision.naming import name_tracks
from vision.observer import Observer
from vision.tracker import Track

QUIET_S: Final = 0.5
"""Rest is every ball slower than 5 mm/s for so long (docs/formats.md)."""
LIP_S: Final = 5.0
"""A ball on the lip that falls within these seconds was pocketed by the shot (8.3)."""
_MOVING_MPS: Final = 0.02
"""Faster than this a ball moves; a filter's noise at rest is some 5 mm/s."""
_STROKE_M: Final = 0.05
"""Way of a cue ball that was at rest from which a stroke is taken to have begun."""
_KEPT_BEFORE_S: Final = 2.5
_FORGET_EVERY_S: Final = 2.0
_READ_AGAIN_S: Final = 0.12
_GIVE_UP_S: Final = 2.5
_NAME_EVERY_S: Final = 1.0
_SAME_SHOT_S: Final = 0.3
_GAP_S: Final = 0.7
"""So long without a frame, and nothing can be followed on."""


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
    beside: bool = False
    """Shots are read in a thread beside the frames (a camera does not wait)."""
    before: int = 0
    """Shots that were numbered before, by eyes with another camera set-up."""
    read: Reader = read_here
    """Who names and reads what was followed."""
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
    _reader: ThreadPoolExecutor | None = field(default=None, init=False)
    _reading: Future[list[Read]] | None = field(default=None, init=False)
    _seen_s: float = field(default=math.inf, init=False)
    """Time of the last frame."""
    _last: SeenShot | None = field(default=None, init=False)
    """The shot that was handed out last."""
    _fallen: FallenBalls = field(init=False)

    def __post_init__(self) -> None:
        self._count = self.before
        self._fallen = FallenBalls(self.table)

    @property
    def count(self) -> int:
        """How many shots were numbered."""
        return self._count

    @property
    def table(self) -> TableSpec:
        """The table that is watched."""
        return self.observer.camera.table

    def update(self, frame: Frame) -> tuple[Glance, list[SeenShot]]:
        """Take the next frame: what is seen in it, and the shots that ended with it."""
        told = self.cut() if frame.t_s - self._seen_s > _GAP_S else []
        self._seen_s = frame.t_s
        tracks = self.observer.update(frame)
        if self.observer.sequences and self.observer.sequences[-1].ended_by_cut:
            # Out of view: what was under way is told as far as it was seen.
            return self._glance(frame.t_s, [], False), told + self._tell_cut()
        self._new_view()
        if not self.observer.sequences:
            return self._glance(frame.t_s, tracks, False), told
        confirmed = [track for track in tracks if track.confirmed]
        self._watch_motion(frame.t_s, confirmed)
        shots = told + self._read_if_due(frame.t_s)
        self._name_if_due(frame.t_s, confirmed)
        self._forget_if_due(frame.t_s)
        return self._glance(frame.t_s, confirmed, bool(tracks)), shots

    def cut(self) -> list[SeenShot]:
        """No frames came for a while: nothing is followed across that; the shot it cut."""
        self.observer.cut()
        return self._tell_cut()

    def finish(self) -> list[SeenShot]:
        """The shots that were not over when the source ended."""
        if not self.observer.sequences:
            return []
        if self._reading is not None:
            self._reading.result()
            self._reading = None
        # What began before the first frame is told where nothing was told after it.
        told = self._count > self.before
        found = self.read(self._work(final=not told))
        return self._new(self._numbered(found))

    def _tell_cut(self) -> list[SeenShot]:
        """The shot that was under way when the view was lost, as far as it was seen."""
        if not self._moved or not self.observer.sequences:
            return []
        if self._reading is not None:
            self._reading.result()
            self._reading = None
        found = self.read(self._work(final=False))
        self._moved, self._struck_s = False, None
        self._next_reading_s = -math.inf
        return self._new(self._numbered(found))

    # Motion

    def _new_view(self) -> None:
        """After a cut nothing is followed on; the old view is let go."""
        sequences = self.observer.sequences
        if len(sequences) > 1:
            del sequences[:-1]
        if sequences and id(sequences[-1]) != self._view:
            self._view = id(sequences[-1])
            self.names, self._rest = {}, {}
            self._fallen.new_view()
            self._moved, self._struck_s = False, None
            self._named_s = -math.inf

    def _watch_motion(self, t_s: float, tracks: Sequence[Track]) -> None:
        for track in tracks:
            if track.last.t_s < t_s - 1e-9:
                continue
            place = (track.last.x_m, track.last.y_m)
            self._fallen.look(track.number, place)
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
        if self._reading is not None:
            return self._take_reading(t_s, quiet_s) if self._reading.done() else []
        if not self._moved or quiet_s < QUIET_S or t_s < self._next_reading_s:
            return []
        work = self._work(final=False)
        if not self.beside:
            return self._judge(self.read(work), t_s, quiet_s)
        if self._reader is None:
            self._reader = ThreadPoolExecutor(1, "reading")
        self._reading = self._reader.submit(self.read, work)
        return []

    def _take_reading(self, t_s: float, quiet_s: float) -> list[SeenShot]:
        """The reading beside the frames is done; if all moves again, the next one counts."""
        assert self._reading is not None
        found, self._reading = self._reading.result(), None
        if quiet_s < QUIET_S:
            return self._new(self._numbered([read for read in found if not ends_open(read.events)]))
        return self._judge(found, t_s, quiet_s)

    def _judge(self, found: Sequence[Read], t_s: float, quiet_s: float) -> list[SeenShot]:
        """Hand out what is over; read again soon when the balls were not at rest after all."""
        shots = self._numbered(found)
        at_rest = not shots or not ends_open(shots[-1].events)
        if not at_rest and quiet_s <= _GIVE_UP_S:
            self._next_reading_s = t_s + _READ_AGAIN_S
            return self._new(shots[:-1])
        self._moved, self._struck_s = False, None
        self._next_reading_s = -math.inf
        # What does not come to rest for so long is told as far as it was seen.
        new = self._new(shots)
        self._note_lips(t_s, new)
        return new

    def _new(self, shots: Sequence[SeenShot]) -> list[SeenShot]:
        """Those not handed out yet, and the last one again when it is known better."""
        fresh = []
        for shot in shots:
            last = self._last
            if last is None or shot.number > last.number or self._is_better(last, shot):
                fresh.append(shot)
                self._last = shot
                self._fallen.take(shot)
        return fresh

    def _is_better(self, last: SeenShot, shot: SeenShot) -> bool:
        """Did a ball fall from its lip since, or was the shot not seen to its end before?"""
        if shot.number != last.number:
            return False
        fell = pocketed_in(shot) - pocketed_in(last)
        ended = ends_open(last.events) and not ends_open(shot.events)
        return ended or (bool(fell) and fell <= set(self._on_lip))

    def _leave_last_shot(self, t_s: float) -> None:
        """Something begins to move: the shot before is over, unless a ball hung on a lip."""
        end_s = None if self._last is None else end_of_shot(self._last)
        if end_s is None or self._on_lip:
            return
        since_s = max(end_s + 0.05, t_s - _KEPT_BEFORE_S)
        self._forget_before(since_s)

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

    def _work(self, *, final: bool) -> Reading:
        """All that is remembered, less what fell before."""
        return reading_of(self.observer, self.ball_set, final=final, down=self._fallen.numbers)

    def _numbered(self, found: Sequence[Read]) -> list[SeenShot]:
        shots = []
        for read in found:
            number = self._number_of(read.events)
            events = tuple(replace(event, shot=number) for event in read.events)
            shots.append(SeenShot(number, events, read.paths))
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
        unnamed = any(
            track.number not in self.names or is_unknown(self.names[track.number])
            for track in tracks
        )
        if not unnamed or t_s - self._named_s < _NAME_EVERY_S or t_s - self._last_moved_s < 0.2:
            return
        self._named_s = t_s
        self.name_now()

    def name_now(self) -> None:
        """Name what is followed, as well as it can be told by now."""
        if self.observer.sequences:
            sequence = self.observer.sequences[-1]
            down = self._fallen.numbers
            self.names, _ = name_tracks(
                [track for track in sequence.tracker.tracks if track.number not in down],
                sequence.looks,
                self.ball_set,
                self.observer.camera.table,
                TO_THE_END,
            )

    # Forgetting

    def _forget_if_due(self, t_s: float) -> None:
        """Keep only what the next shot needs: the last seconds of rest."""
        quiet_s = t_s - self._last_moved_s
        if self._moved or quiet_s < LIP_S + 1.0 or t_s - self._forgot_s < _FORGET_EVERY_S:
            return
        self._forgot_s = t_s
        self._forget_before(t_s - _KEPT_BEFORE_S)
        followed = {track.number for track in self.observer.sequences[-1].tracker.tracks}
        self._rest = {n: place for n, place in self._rest.items() if n in followed}
        self._shots = {n: s for n, s in self._shots.items() if s > t_s - 60.0}

    def _forget_before(self, t_s: float) -> None:
        """Let go of the last shot; what fell in it may lie in its pocket, in sight."""
        sequence = self.observer.sequences[-1]
        sequence.forget_before(t_s)
        self._fallen.leave_shot(sequence.tracker.tracks)

    # Now

    def _glance(self, t_s: float, tracks: Sequence[Track], has_view: bool) -> Glance:
        if self._provisional_until_s is not None and t_s >= self._provisional_until_s:
            self._provisional_until_s, self._on_lip = None, ()
        balls: dict[BallName, Point] = {}
        moving, hidden = [], []
        gone = set() if self._last is None else pocketed_in(self._last)
        for track in tracks:
            name = self.names.get(track.number)
            unseen = track.last.t_s < t_s - 0.15
            down = track.number in self._fallen.numbers
            if name is None or track.lost or down or (unseen and name in gone):
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
