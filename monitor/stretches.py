"""A video watched stretch by stretch: a new one begins where a moved camera was found again.

When the camera moves, what was seen since is let go, and the video is read again from where
the camera stands in its new place.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.camera import Camera
from calibration.drift import EVERY_S, DriftWatch, Move
from monitor.camera_again import CalibratingAgain, FoundAgain, JustFound, just_found
from monitor.moved_camera import sentence_of
from vision.ballset import BallSet
from vision.frames import Image, VideoFile
from vision.observer import Observer
from vision.sequence import Seen
from vision.sequence import Sequence as View

Begin = Callable[[Camera, Sequence[Image]], Observer]
"""Makes the eyes for a camera and pictures that it saw."""
Progress = Callable[[int], None]
"""Called with the number of frames done so far."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """What was seen through one camera."""

    camera: Camera
    from_s: float | None
    """The first frame's time; None: the video's beginning."""
    observer: Observer
    seen: tuple[Seen, ...]
    moves: tuple[Move, ...]
    """Of the camera; the last one ends this stretch where it was found again."""
    notes: tuple[str, ...]
    """A sentence for each move."""


@dataclass(frozen=True, eq=False)
class Watched:
    """A whole video."""

    stretches: tuple[Stretch, ...]
    frames: int
    ended_early: str | None


def watch_stretches(
    video: Path,
    camera: Camera,
    firsts: Sequence[Image],
    begin: Begin,
    ball_set: BallSet | None,
    on_frame: Progress,
) -> Watched:
    """Watch a video from end to end.

    Raises:
        SourceError: when no frame can be decoded.
    """
    stretches: list[Stretch] = []
    times_s: list[float] = []
    found: FoundAgain | None = None
    while True:
        from_s = None if found is None else found.from_s
        camera = camera if found is None else found.camera
        pictures = firsts if found is None else [found.reference_bgr]
        source, observer = VideoFile(video, from_s=from_s), begin(camera, pictures)
        drift = DriftWatch(camera)
        if found is not None:
            drift.update(found.reference_bgr, found.from_s - EVERY_S)
        again = CalibratingAgain(just_found)
        new: JustFound | None = None
        for frame in source:
            observer.update(frame)
            drift.update(frame.image, frame.t_s)
            times_s.append(frame.t_s)
            on_frame(len(times_s))
            new = again.update(drift, frame.t_s)
            if new is not None:
                break
        found = None if new is None else new.found
        stretches.append(told(observer, drift, from_s, ball_set, found, again.problem))
        if found is None:
            return Watched(tuple(stretches), len(times_s), source.ended_early)
        del times_s[bisect_left(times_s, found.from_s) :]


def told(
    observer: Observer,
    drift: DriftWatch,
    from_s: float | None,
    ball_set: BallSet | None,
    found: FoundAgain | None,
    problem: str | None,
) -> Stretch:
    """A stretch that is over: at the video's end, or where the camera moved."""
    moves, notes = list(drift.moves), [sentence_of(move) for move in drift.moves]
    if found is not None:
        moves[-1] = replace(moves[-1], until_s=found.from_s)
        notes[-1] = sentence_of(moves[-1], anew_s=found.from_s)
        _keep_until(observer, moves[-1].from_s)
    elif moves and moves[-1].until_s is None and problem is not None:
        notes[-1] = sentence_of(moves[-1], problem=problem)
    seen = tuple(observer.finish(ball_set))
    return Stretch(drift.camera, from_s, observer, seen, tuple(moves), tuple(notes))


def _keep_until(observer: Observer, t_s: float) -> None:
    """Let go of what was seen after `t_s`; what was under way is told as cut off."""
    observer.cut()
    kept = [view for view in observer.sequences if view.times_s and view.times_s[0] <= t_s]
    if kept:
        _cut_after(kept[-1], t_s)
    observer.sequences[:] = kept


def _cut_after(view: View, t_s: float) -> None:
    count = bisect_right(view.times_s, t_s)
    last_frame = view.frames[count - 1]
    del view.times_s[count:], view.frames[count:], view.glimpses[count:]
    for track in view.tracker.tracks:
        track.sightings = [s for s in track.sightings if s.t_s <= t_s]
    view.tracker.tracks = [track for track in view.tracker.tracks if track.sightings]
    numbers = {track.number for track in view.tracker.tracks}
    looks = {n: looks.between(-1, last_frame) for n, looks in view.looks.items() if n in numbers}
    view.looks = looks
    view.ended_by_cut = True
