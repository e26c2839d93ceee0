"""A video of any length watched in constant memory, resumed where a run was interrupted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from calibration.camera import Camera
from calibration.find import find_camera
from monitor.observation import Observation, ObserveOptions
from monitor.pipeline import first_frames, observer_for
from monitor.segment_store import SegmentStore, camera_again
from monitor.segments import SEGMENT_S, Segments, Start
from table.events import ShotEvent, Source
from vision.ballset import ball_set_named
from vision.frames import Image, SourceError, VideoFile
from vision.observer import Observer

CALIBRATION_FRAMES: Final = 5
LONG_S: Final = 180.0
"""A video of unknown or greater length is watched in segments."""


def is_long(video: Path) -> bool:
    """True when a video is to be watched in segments; what cannot be read is not long."""
    try:
        source = VideoFile(video)
    except SourceError:
        return False
    if not source.expected_frames or source.nominal_fps <= 0.0:
        return True
    return source.expected_frames / source.nominal_fps > LONG_S


def observe_long(
    video: Path,
    camera: Camera | None,
    options: ObserveOptions,
    store: SegmentStore,
    plan: dict[str, Any],
    tracks: Path,
    least_s: float = SEGMENT_S,
) -> Observation:
    """Watch a video in segments, those that `store` holds already left out.

    `plan` says what is watched with what; segments of another plan are thrown away. The
    states are written to `tracks`, and read from there when they are wanted.

    Raises:
        SourceError: when the file cannot be read as video.
        CalibrationError: when no table is found, or it cannot be seen well enough.
        BallSetError: when the ball set's file cannot be read.
        OSError: when the disk refuses.
    """
    source = VideoFile(video)
    firsts = first_frames(source)
    known = store.plan(plan)
    camera, notes = _camera(known, camera, firsts, options)
    eyes = observer_for(camera, firsts, options.network)
    detector = "localizer" if eyes.network is None else eyes.network.runtime.name
    if known is None or known.get("detector") != detector:
        # Another runtime may see another ball: its segments are not mixed with these.
        store.begin(plan | {"detector": detector, "camera": camera.to_json(), "notes": notes})
    stored = list(store)
    _watch_the_rest(video, camera, eyes, firsts, options, store, least_s)
    stored = list(store)
    first = Source(
        file=video.name,
        fps=source.nominal_fps,
        frames=stored[-1].frames,
        length_m=camera.table.length_m,
        width_m=camera.table.width_m,
        head=camera.head,
        head_from=camera.head_from,
        ball_set=next((one.ball_set for one in stored if one.ball_set), None),
        more={"detector": detector},
    )
    return Observation(
        first,
        _events(store),
        store.tracks(tracks),
        camera,
        stored[-1].ended_early,
        (*notes, *(note for one in stored for note in one.notes)),
        _later_cameras(store),
    )


def _camera(
    known: dict[str, Any] | None,
    camera: Camera | None,
    firsts: list[Image],
    options: ObserveOptions,
) -> tuple[Camera, list[str]]:
    """The camera, as a file would give it, and what is to be said about it."""
    if known is not None:
        return camera_again(known["camera"]), list(known["notes"])
    notes: list[str] = []
    if camera is None:
        step = max(1, len(firsts) // CALIBRATION_FRAMES)
        found = find_camera(firsts[::step], options.table, options.head, options.points_px)
        camera, notes = found.camera, list(found.notes)
    return camera_again(camera.to_json()), notes


def _watch_the_rest(
    video: Path,
    camera: Camera,
    eyes: Observer,
    firsts: list[Image],
    options: ObserveOptions,
    store: SegmentStore,
    least_s: float,
) -> None:
    """Watch what the store does not hold yet, and add it."""
    stored = list(store)
    if stored and stored[-1].next is None:
        return
    start = stored[-1].next if stored else Start(0, None, camera)
    assert start is not None
    expected = VideoFile(video).expected_frames or None
    ball_set = None if options.ball_set is None else ball_set_named(options.ball_set)
    chosen = next((one.ball_set for one in stored if one.ball_set), None)
    if ball_set is None and chosen is not None:
        ball_set = ball_set_named(chosen)

    def begin(where: Camera, pictures: Any) -> Observer:
        # The video's own camera has its eyes already.
        return eyes if pictures is firsts else observer_for(where, pictures, options.network)

    segments = Segments(
        video,
        firsts,
        begin,
        ball_set,
        lambda done: options.on_progress(done, expected),
        least_s,
    )
    spans = [one.span_s for one in stored if one.span_s is not None]
    told_until_s = spans[-1][1] if spans else float("-inf")
    for number, segment in enumerate(segments.from_start(start, told_until_s), len(stored)):
        store.add(number, segment)


def _events(store: SegmentStore) -> tuple[ShotEvent, ...]:
    """The events of all segments, shots numbered through."""
    events: list[ShotEvent] = []
    shots = 0
    for segment in store:
        events += [replace(event, shot=event.shot + shots) for event in segment.events]
        shots += max((event.shot for event in segment.events), default=0)
    return tuple(events)


def _later_cameras(store: SegmentStore) -> tuple[tuple[float, Camera], ...]:
    found: dict[float, Camera] = {}
    for segment in store:
        start = segment.next
        if start is not None and start.stretch_s is not None:
            found.setdefault(start.stretch_s, start.camera)
    return tuple(sorted(found.items(), key=lambda item: item[0]))
