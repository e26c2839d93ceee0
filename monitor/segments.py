"""A long video watched in segments: each can be watched by itself, with the same result.

A segment begins with fresh eyes and ends at rest, with every ball in sight, or while the
table is out of view, or where a moved camera was found again (`monitor.stretches`). The eyes
of the next one begin a moment earlier, so that they know every ball when they take over.
Memory holds one segment; a run that was killed goes on with the segment it was in.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from calibration.camera import Camera
from calibration.drift import EVERY_S, DriftWatch
from monitor.camera_again import CalibratingAgain, FoundAgain, just_found
from monitor.moved_camera import with_moves
from monitor.pipeline import gathered
from monitor.quiet import Quiet
from monitor.stretches import told
from table.events import ShotEvent
from table.state import TableState
from vision.ballset import BallSet, ball_set_named
from vision.frames import Frame, Image, VideoFile
from vision.observer import Observer

SEGMENT_S: Final = 120.0
"""A segment is at least so long."""
REST_S: Final = 1.0
"""So long all must be at rest before the next eyes begin..."""
OVERLAP_S: Final = 1.5
"""...and so long they look on together before the next ones take over."""

Begin = Callable[[Camera, Sequence[Image]], Observer]
OnFrame = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Start:
    """Where a segment begins, and what its eyes must know."""

    index: int
    """Number of its first frame."""
    t_s: float | None
    """That frame's time; None: the video's beginning."""
    camera: Camera
    stretch_s: float | None = None
    """From when on the camera stands where it is; None: from the video's beginning."""
    reference_bgr: Image | None = None
    """A picture that a camera sees that was found again; None: the first frames serve."""


@dataclass(frozen=True, eq=False)
class Segment:
    """What was seen from one start to the next."""

    start: Start
    next: Start | None
    """Where the following segment begins; None: this is the last one."""
    frames: int
    """Frames of the video up to its end."""
    events: tuple[ShotEvent, ...]
    """Shots numbered from 1 within the segment."""
    states: tuple[TableState, ...]
    """Those of the frames that the segment before does not have."""
    ball_set: str | None
    notes: tuple[str, ...] = ()
    ended_early: str | None = None


@dataclass(eq=False)
class _Watch:
    """The eyes of one segment."""

    observer: Observer
    drift: DriftWatch
    start: Start
    quiet: Quiet
    first_s: float = 0.0
    times_s: list[float] = field(default_factory=list)

    def update(self, frame: Frame) -> None:
        tracks = self.observer.update(frame)
        self.drift.update(frame.image, frame.t_s)
        self.quiet.update(frame.t_s, tracks)
        self.times_s.append(frame.t_s)

    @property
    def has_view(self) -> bool:
        views = self.observer.sequences
        return bool(views) and not views[-1].ended_by_cut

    def may_end(self, t_s: float, rest_s: float) -> bool:
        """True at rest, with all in sight and the camera in its place."""
        quiet = self.quiet.lasted_s(t_s) >= rest_s and self.quiet.in_sight
        return quiet and self.has_view and self.drift.alarm is None


@dataclass
class Segments:
    """Watches a video from a start on; iterate it for its segments.

    Raises:
        SourceError: when no frame can be decoded.
    """

    video: Path
    firsts: Sequence[Image]
    """Frames of the first seconds: the empty cloth is learned from them."""
    begin: Begin
    ball_set: BallSet | None = None
    on_frame: OnFrame = lambda _: None
    least_s: float = SEGMENT_S
    _eyes: Observer | None = field(default=None, init=False)
    _reference: Frame | None = field(default=None, init=False)
    _stretch_s: float | None = field(default=-1.0, init=False)
    _after_s: float = field(default=float("-inf"), init=False)
    """Time of the last state that was told."""

    def from_start(self, start: Start, told_until_s: float = float("-inf")) -> Iterator[Segment]:
        """The segments from `start` to the video's end; `told_until_s`: the last state before."""
        following: Start | None = start
        self._after_s = told_until_s
        while following is not None:
            for segment in self._stretch(following):
                following = segment.next
                yield segment

    def _stretch(self, start: Start) -> Iterator[Segment]:
        """The segments up to where the camera is found again in another place."""
        source = VideoFile(self.video, from_s=start.t_s, first_index=start.index)
        again = CalibratingAgain(just_found)
        now: _Watch | None = None
        later: _Watch | None = None
        for frame in source:
            if now is None:
                now = self._watch(start, frame)
            now.update(frame)
            if later is not None:
                later.update(frame)
            self.on_frame(frame.index + 1)
            new = again.update(now.drift, frame.t_s)
            if new is not None:
                yield self._segment(now, self._after_move(new.found, now), new.found)
                return
            if frame.t_s - now.first_s < self.least_s:
                continue
            if not now.has_view and now.observer.sequences:
                yield self._segment(now, _start_after(now, frame))
                start, now, later = _start_after(now, frame), None, None
            elif later is None:
                if now.may_end(frame.t_s, REST_S):
                    later = self._watch(_start_at(now, frame), frame)
                    later.update(frame)
            elif now.quiet.since_s is not None and now.quiet.since_s > later.first_s:
                later = None
            elif frame.t_s - later.first_s >= OVERLAP_S and now.may_end(frame.t_s, REST_S):
                yield self._segment(now, later.start)
                now, later = later, None
        if now is not None:
            last = self._segment(now, None, problem=again.problem)
            yield replace(last, ended_early=source.ended_early)

    def _watch(self, start: Start, first: Frame) -> _Watch:
        """Fresh eyes for a segment, with what the stretch's first ones learned."""
        if self._eyes is None or self._stretch_s != start.stretch_s:
            pictures = self.firsts if start.reference_bgr is None else [start.reference_bgr]
            self._eyes = self.begin(start.camera, pictures)
            self._stretch_s = start.stretch_s
            self._reference = next(iter(VideoFile(self.video, from_s=start.stretch_s)))
        eyes, drift = self._eyes, DriftWatch(start.camera)
        observer = Observer(eyes.camera, eyes.top, eyes.cloth, eyes.network, eyes.every_frames)
        if self._reference is not None and self._reference.t_s < first.t_s:
            observer.steady.update(self._reference.gray)
            drift.update(self._reference.image, first.t_s - EVERY_S)
        if start.reference_bgr is not None:
            drift.reset()
            drift.update(start.reference_bgr, first.t_s - EVERY_S)
        return _Watch(observer, drift, start, Quiet(start.camera.table), first.t_s)

    def _after_move(self, found: FoundAgain, now: _Watch) -> Start:
        index = now.start.index + bisect_left(now.times_s, found.from_s)
        return Start(index, found.from_s, found.camera, found.from_s, found.reference_bgr)

    def _segment(
        self,
        now: _Watch,
        following: Start | None,
        found: FoundAgain | None = None,
        problem: str | None = None,
    ) -> Segment:
        done = told(now.observer, now.drift, now.start.t_s, self.ball_set, found, problem)
        events, states = gathered((view, done.camera.table) for view in done.seen)
        if done.seen and self.ball_set is None:
            # One match is played with one set.
            self.ball_set = ball_set_named(done.seen[0].ball_set)
        fresh = tuple(state for state in states if state.t_s > self._after_s)
        self._after_s = max([self._after_s, *(state.t_s for state in fresh[-1:])])
        frames = now.start.index + len(now.times_s)
        if found is not None and following is not None:
            frames = following.index
        return Segment(
            now.start,
            following,
            frames,
            with_moves(events, done.moves),
            fresh,
            done.seen[0].ball_set if done.seen else None,
            done.notes,
        )


def _start_at(now: _Watch, frame: Frame) -> Start:
    return replace(now.start, index=frame.index, t_s=frame.t_s)


def _start_after(now: _Watch, frame: Frame) -> Start:
    # The next frame's time is not known yet: any later time finds it.
    return replace(now.start, index=frame.index + 1, t_s=frame.t_s + 1e-6)
