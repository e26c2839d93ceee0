"""Frames -> what every ball did: the stages of seeing, joined for one camera.

    steady -> topview -> localizer -> tracker -> looks, and at the end names

A picture that is suddenly another one (a cut, a replay, somebody's back before the lens)
ends a `Sequence`; nothing is followed across it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from table.balls import BallName
from table.state import BallState, TableState
from vision.appearance import measure_appearance
from vision.ballset import BallSet
from vision.cadence import Cadence, find_cadence
from vision.cloth import Cloth
from vision.contacts import Motion
from vision.detections import Detections
from vision.frames import Frame, Image
from vision.freedom import Freedom
from vision.legs import Path, legs_of
from vision.localizer import Localizer
from vision.naming import Looks, name_tracks
from vision.steady import Shift, Steady
from vision.topview import TopView
from vision.tracker import Sighting, Track, Tracker

_NO_VIEW: Final = 0.12
"""Share of the rails that must fit the reference for a frame to show this table."""
_PROBE_RADIUS: Final = 0.8


@dataclass(frozen=True, slots=True)
class Glimpse:
    """Where one track was in one frame, before it had a name."""

    track: int
    state: BallState


@dataclass(eq=False)
class Sequence:
    """An unbroken stretch of frames of the same view."""

    tracker: Tracker
    freedom: Freedom
    times_s: list[float] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    glimpses: list[list[Glimpse]] = field(default_factory=list)
    looks: dict[int, Looks] = field(default_factory=dict)
    hidden_since_s: dict[int, float] = field(default_factory=dict)
    """For each track: when its first place was last seen to be bare cloth before."""
    ended_by_cut: bool = False


@dataclass(frozen=True, eq=False)
class Seen:
    """What one sequence showed: named motions, a state a frame, and the balls' set.

    The motions run in the cadence's effective time, the states in presentation time.
    """

    motions: Mapping[BallName, Motion]
    states: tuple[TableState, ...]
    cadence: Cadence
    ball_set: str
    ended_by_cut: bool


@dataclass(eq=False)
class Observer:
    """Watches one table through one camera, frame by frame."""

    camera: Camera
    top: TopView
    cloth: Cloth
    steady: Steady = field(init=False)
    localizer: Localizer = field(init=False)
    sequences: list[Sequence] = field(default_factory=list, init=False)
    _without_view: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.steady = Steady(self.camera)
        self.localizer = Localizer(self.top, self.cloth)

    def update(self, frame: Frame) -> list[Track]:
        """Take the next frame; returns the tracks followed in it (none without a view)."""
        shift = self.steady.update(frame.gray)
        if shift.agreeing < _NO_VIEW:
            self._lose_view()
            return []
        sequence = self._current()
        view = self.top.render(frame.image)
        sight = self.localizer.locate(view)
        moved_m = self._shift_m(shift)
        seen = _moved(sight.detections, moved_m)

        def probe(x_m: float, y_m: float) -> float:
            return self._covered(sight.foreground, x_m + moved_m[0], y_m + moved_m[1])

        tracks = sequence.tracker.update(frame.index, frame.t_s, seen, probe)
        for track in tracks:
            if track.number not in sequence.hidden_since_s:
                place = (track.last.x_m + moved_m[0], track.last.y_m + moved_m[1])
                sequence.hidden_since_s[track.number] = sequence.freedom.last_free_s(*place)
        sequence.freedom.update(sight.foreground, frame.t_s)
        self._look(sequence, frame, tracks, seen, shift)
        sequence.times_s.append(frame.t_s)
        sequence.frames.append(frame.index)
        sequence.glimpses.append(
            [_glimpse(track, frame.t_s) for track in tracks if track.confirmed]
        )
        return tracks

    def _lose_view(self) -> None:
        self._without_view += 1
        if self._without_view == 1 and self.sequences:
            self.sequences[-1].ended_by_cut = True

    def _current(self) -> Sequence:
        if not self.sequences or self._without_view:
            color = np.array([[self.cloth.color_bgr]]).astype(np.uint8)
            lab = cv2.cvtColor(color, cv2.COLOR_BGR2LAB)[0, 0]
            self.sequences.append(Sequence(Tracker(lab.astype(np.float64)), Freedom(self.top)))
            self._without_view = 0
        return self.sequences[-1]

    def _shift_m(self, shift: Shift) -> tuple[float, float]:
        """The picture's shift as metres on the ball plane, at the table's centre."""
        middle = self.camera.project_on_plane(np.zeros((1, 2)))
        shifted = self.camera.on_plane(middle + (shift.dx_px, shift.dy_px))
        return float(shifted[0, 0]), float(shifted[0, 1])

    def _covered(self, foreground: Image, x_m: float, y_m: float) -> float:
        """Share of a ball's place that is not cloth."""
        u, v = self.top.from_table(np.array([[x_m, y_m]]))[0]
        reach = int(_PROBE_RADIUS * self.top.ball_radius_px)
        rows = slice(max(0, int(v) - reach), max(0, int(v) + reach + 1))
        columns = slice(max(0, int(u) - reach), max(0, int(u) + reach + 1))
        patch = foreground[rows, columns]
        return float((patch > 0).mean()) if patch.size else 0.0

    def _look(
        self, sequence: Sequence, frame: Frame, tracks: list[Track], seen: Detections, shift: Shift
    ) -> None:
        """Measure the colours of the balls that are seen clearly, now and then."""
        wanted = []
        for track in tracks:
            looks = sequence.looks.setdefault(track.number, Looks())
            last = track.last
            sharp = (
                last.frame == frame.index and abs(last.streak_x_m) + abs(last.streak_y_m) < 0.006
            )
            place = (last.x_m, last.y_m)
            # In a pocket's shadow, or over a rail, a ball looks like another one.
            on_bed = self.camera.table.contains(place)
            if sharp and on_bed and last.quality > 0.7 and looks.wanted(frame.index, place):
                wanted.append((track, looks))
        if not wanted:
            return
        centers = np.array([(track.last.x_m, track.last.y_m) for track, _ in wanted])
        pixels = self.camera.project_on_plane(centers) + (shift.dx_px, shift.dy_px)
        beside = self.camera.project_on_plane(centers + (self.camera.table.ball_radius_m, 0.0))
        radii = np.hypot(*(beside + (shift.dx_px, shift.dy_px) - pixels).T)
        for (track, looks), center, radius in zip(wanted, pixels, radii, strict=True):
            look = measure_appearance(
                frame.image,
                (float(center[0]), float(center[1])),
                float(radius),
                self.cloth.color_bgr,
            )
            place = (track.last.x_m, track.last.y_m)
            looks.add(frame.index, place, look, bool(seen.alone[track.last.detection]))

    def finish(self, ball_set: BallSet | None) -> list[Seen]:
        """Name the tracks of every sequence; `ball_set` None: the one that fits best."""
        return [self._named(sequence, ball_set) for sequence in self.sequences]

    def _named(self, sequence: Sequence, ball_set: BallSet | None) -> Seen:
        names, chosen = name_tracks(sequence.tracker.tracks, sequence.looks, ball_set)
        paths: dict[BallName, list[Track]] = {}
        for track in sequence.tracker.tracks:
            if track.number in names:
                paths.setdefault(names[track.number], []).append(track)
        seen_paths = {name: _path(tracks, sequence) for name, tracks in paths.items()}
        cadence = find_cadence(sequence.times_s, [(p.t_s, p.xy_m) for p in seen_paths.values()])
        motions = {}
        for name, path in seen_paths.items():
            timed = replace(path, t_s=cadence.effective(path.t_s))
            motions[name] = Motion(name, timed, legs_of(timed))
        states = tuple(
            TableState(
                t_s,
                {
                    names[g.track]: replace(g.state, name=names[g.track])
                    for g in row
                    if g.track in names
                },
            )
            for t_s, row in zip(sequence.times_s, sequence.glimpses, strict=True)
        )
        return Seen(motions, states, cadence, chosen, sequence.ended_by_cut)


def _moved(seen: Detections, moved_m: tuple[float, float]) -> Detections:
    """Detections with the picture's shift taken out."""
    return replace(seen, centers_m=seen.centers_m - np.array(moved_m))


def _glimpse(track: Track, t_s: float) -> Glimpse:
    (x_m, y_m), (vx, vy) = track.position, track.velocity
    sigma = float(np.sqrt(max(1e-10, track.filter.P[0, 0])))
    state = BallState("u1", x_m, y_m, vx, vy, min(sigma, 9.0), track.last.t_s >= t_s - 1e-9)
    return Glimpse(track.number, state)


def _uncovered(track: Track, sequence: Sequence) -> list[Sighting]:
    """What must have been there before a track began: a ball that comes into view at rest lay
    there since its place was last seen to be free."""
    first = track.sightings[0]
    still = [
        s for s in track.sightings[:8] if abs(s.x_m - first.x_m) + abs(s.y_m - first.y_m) < 0.004
    ]
    free_s = max(sequence.hidden_since_s.get(track.number, first.t_s), sequence.times_s[0] - 1e-3)
    if len(still) < 8 or first.t_s - free_s < 0.3:
        return []
    earlier = [
        (frame, t_s)
        for frame, t_s in zip(sequence.frames, sequence.times_s, strict=True)
        if free_s < t_s < first.t_s
    ]
    return [replace(first, frame=frame, t_s=t_s, sigma_m=0.003) for frame, t_s in earlier]


def _path(tracks: list[Track], sequence: Sequence) -> Path:
    """The sightings of one ball, from one or more tracks, as a path."""
    first = min(tracks, key=lambda t: t.sightings[0].t_s)
    rows = sorted((s for track in tracks for s in track.sightings), key=lambda s: s.t_s)
    rows = _uncovered(first, sequence) + rows
    unique = [s for i, s in enumerate(rows) if i == 0 or s.t_s > rows[i - 1].t_s]
    return Path(
        np.array([s.t_s for s in unique]),
        np.array([(s.x_m, s.y_m) for s in unique]),
        np.array([s.sigma_m for s in unique]),
        np.array([s.frame for s in unique]),
    )
