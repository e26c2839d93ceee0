"""The way from a video to its shot events: calibrate, watch every frame, read the shots."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from calibration.camera import Camera
from calibration.find import find_camera
from monitor.cues import with_cues
from monitor.moved_camera import with_moves
from monitor.observation import Observation, ObserveOptions
from monitor.settings import NetworkSettings
from monitor.stretches import Watched, watch_stretches
from table.events import ShotEvent, Source
from table.geometry import TableSpec
from table.state import TableState
from vision.ballset import ball_set_named
from vision.cloth import learn_cloth
from vision.frames import Frame, Image, VideoFile
from vision.network import load_network
from vision.observer import Observer
from vision.sequence import Seen
from vision.shots import read_shots
from vision.spans import Clock
from vision.topview import TopView

_FIRST_LOOK_S: Final = 5.0
_FIRST_FRAMES: Final = 9
_CALIBRATION_FRAMES: Final = 5


def observe(
    video: Path, camera: Camera | None = None, options: ObserveOptions | None = None
) -> Observation:
    """Watch one video file from end to end.

    `camera` None: it is found in the first frames.

    Raises:
        SourceError: when the file cannot be read as video.
        CalibrationError: when no table is found, or it cannot be seen well enough.
        BallSetError: when the ball set's file cannot be read.
    """
    options = options or ObserveOptions()
    ball_set = None if options.ball_set is None else ball_set_named(options.ball_set)
    source = VideoFile(video)
    firsts = first_frames(source)
    notes: list[str] = []
    if camera is None:
        step = max(1, len(firsts) // _CALIBRATION_FRAMES)
        calibration = find_camera(firsts[::step], options.table, options.head, options.points_px)
        camera, notes = calibration.camera, list(calibration.notes)
    expected = source.expected_frames or None
    watched = watch_stretches(
        video,
        camera,
        firsts,
        lambda camera, pictures: observer_for(camera, pictures, options.network),
        ball_set,
        lambda done: options.on_progress(done, expected),
    )
    notes += [note for stretch in watched.stretches for note in stretch.notes]
    found = _observation(video, source, watched, notes)
    moves = [move for stretch in watched.stretches for move in stretch.moves]
    found = replace(found, events=with_moves(found.events, moves))
    network = watched.stretches[0].observer.network
    eyes = "localizer" if network is None else network.runtime.name
    return replace(found, source=replace(found.source, more={"detector": eyes}))


def first_frames(source: Iterable[Frame]) -> list[Image]:
    """Frames spread over the first seconds, for the camera and the empty cloth."""
    taken: list[Image] = []
    next_s: float | None = None
    for frame in source:
        if next_s is None:
            start_s = next_s = frame.t_s
        if frame.t_s >= next_s:
            taken.append(frame.image)
            next_s += _FIRST_LOOK_S / _FIRST_FRAMES
        if frame.t_s - start_s > _FIRST_LOOK_S:
            break
    return taken


def observer_for(
    camera: Camera, firsts: Sequence[Image], network: NetworkSettings | None = None
) -> Observer:
    """The eyes for a camera, with the empty cloth learned from its first frames.

    `network` None: the localizer alone.
    """
    top = TopView(camera)
    cloth = learn_cloth([top.render(image) for image in firsts], top)
    if network is None or not network.on:
        return Observer(camera, top, cloth)
    own = Path(network.file) if network.file else None
    learned = load_network(top, device=network.device, own=own)
    return Observer(camera, top, cloth, learned, network.every_frames)


def _observation(video: Path, source: VideoFile, watched: Watched, notes: list[str]) -> Observation:
    first_camera, *later = watched.stretches
    camera = first_camera.camera
    seen = [(one, stretch.camera.table) for stretch in watched.stretches for one in stretch.seen]
    events, states = gathered(seen)
    first = Source(
        file=video.name,
        fps=source.nominal_fps,
        frames=watched.frames,
        length_m=camera.table.length_m,
        width_m=camera.table.width_m,
        head=camera.head,
        head_from=camera.head_from,
        ball_set=seen[0][0].ball_set if seen else None,
    )
    return Observation(
        first,
        events,
        states,
        camera,
        watched.ended_early,
        tuple(notes),
        tuple((stretch.from_s or 0.0, stretch.camera) for stretch in later),
    )


def gathered(
    seen: Iterable[tuple[Seen, TableSpec]],
) -> tuple[tuple[ShotEvent, ...], tuple[TableState, ...]]:
    """Events and states of several views one after the other, the shots numbered through."""
    events: list[ShotEvent] = []
    states: list[TableState] = []
    shots = 0
    for sequence, table in seen:
        part = events_of(sequence, table)
        events += [replace(event, shot=event.shot + shots) for event in part]
        shots += max((event.shot for event in part), default=0)
        states += sequence.states
    return tuple(events), tuple(states)


def events_of(sequence: Seen, table: TableSpec) -> tuple[ShotEvent, ...]:
    """The shot events of one unbroken view, in presentation time."""
    times = sequence.cadence.effective_s
    if len(times) < 2:
        return ()
    frame_s = statistics.median(b - a for a, b in itertools.pairwise(times.tolist()))
    clock = Clock(float(times[0]), float(times[-1]), frame_s, sequence.ended_by_cut)
    events = with_cues(read_shots(sequence.motions, table, clock), sequence.cues, frame_s)
    return tuple(
        event if event.t_s is None else replace(event, t_s=sequence.cadence.presented(event.t_s))
        for event in events
    )
