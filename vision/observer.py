"""Frames -> what every ball did: the stages of seeing, joined for one camera.

    steady -> topview -> localizer (and network) -> tracker -> looks, and at the end names

A picture that is suddenly another one (a cut, a replay, somebody's back before the lens)
ends a `Sequence`; nothing is followed across it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from table.balls import BallName
from table.geometry import TableSpec
from vision.appearance import measure_appearance
from vision.ballset import BallSet
from vision.cloth import Cloth
from vision.cue_watch import CueWatch
from vision.detections import Detections
from vision.falls import lies_in_pocket
from vision.finds import Finds
from vision.frames import Frame, Image
from vision.freedom import Freedom
from vision.localizer import Localizer
from vision.naming import Looks, name_tracks, piece_looks
from vision.network import Network
from vision.second_eye import EVERY_FRAMES, SecondEye
from vision.sequence import Seen, Sequence
from vision.steady import Shift, Steady
from vision.swaps import swaps_of
from vision.topview import TopView
from vision.tracker import Track, Tracker

_NO_VIEW: Final = 0.12
"""Share of the rails that must fit the reference for a frame to show this table."""
_PROBE_RADIUS: Final = 0.8
_WARM_FRAMES: Final = 8
"""Enough for balls to be followed and named."""
_BEGINS_S: Final = 0.5
"""What is first seen within this time was there when the view began."""


@dataclass(eq=False)
class Observer:
    """Watches one table through one camera, frame by frame."""

    camera: Camera
    top: TopView
    cloth: Cloth
    network: Network | None = None
    """The learned eye; None: the localizer alone."""
    every_frames: int = EVERY_FRAMES
    """The network looks at every n-th frame, and when something happens."""
    steady: Steady = field(init=False)
    localizer: Localizer = field(init=False)
    sequences: list[Sequence] = field(default_factory=list, init=False)
    _without_view: int = field(default=0, init=False)
    _freedom: Freedom = field(init=False)
    _cues: CueWatch = field(init=False)
    _eye: SecondEye | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.steady = Steady(self.camera)
        self.localizer = Localizer(self.top, self.cloth)
        self._freedom = Freedom(self.top)
        self._cues = CueWatch(self.top)

    def warm_up(self, picture: Image) -> None:
        """Look at a picture (h, w, 3) uint8 BGR once and forget it: the first look of a process
        takes longest, and a live frame should not wait for it."""
        twin = Observer(self.camera, self.top, self.cloth, self.network, self.every_frames)
        gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        for index in range(_WARM_FRAMES):
            twin.update(Frame(index, index / 30, picture, gray))
        twin.finish(None)

    def update(self, frame: Frame) -> list[Track]:
        """Take the next frame; returns the tracks followed in it (none without a view)."""
        shift = self.steady.update(frame.gray)
        if shift.agreeing < _NO_VIEW:
            self._lose_view()
            return []
        sequence = self._current()
        view = self.top.render(frame.image)
        moved_m = self._shift_m(shift)
        sight = self.localizer.locate(view, self._expected_px(sequence, frame.t_s, moved_m))
        seen = _moved(sight.detections, moved_m)
        if self._eye is not None:
            seen = self._eye.see(view, frame.t_s, replace(sight, detections=seen), moved_m)
        finds = self._eye.finds if self._eye is not None else Finds.none()
        self._cues.update(frame.t_s, sight.foreground, finds, moved_m)

        def probe(x_m: float, y_m: float) -> float:
            return self._covered(sight.foreground, x_m + moved_m[0], y_m + moved_m[1])

        before = {track.number for track in sequence.tracker.tracks if not track.lost}
        tracks = sequence.follow(frame.index, frame.t_s, seen, probe)
        if self._eye is not None and before != {track.number for track in tracks}:
            self._eye.call()
        for track in tracks:
            if track.number not in sequence.hidden_since_s:
                place = (track.last.x_m + moved_m[0], track.last.y_m + moved_m[1])
                sequence.hidden_since_s[track.number] = self._freedom.last_free_s(*place)
        self._freedom.update(sight.foreground, frame.t_s)
        self._look(sequence, frame, tracks, seen, shift)
        return tracks

    def cut(self) -> None:
        """No frames came for a while: nothing is followed across that."""
        self._lose_view()

    def _lose_view(self) -> None:
        self._without_view += 1
        if self._without_view == 1 and self.sequences:
            self.sequences[-1].ended_by_cut = True

    def _current(self) -> Sequence:
        if not self.sequences or self._without_view:
            color = np.array([[self.cloth.color_bgr]]).astype(np.uint8)
            lab = cv2.cvtColor(color, cv2.COLOR_BGR2LAB)[0, 0]
            self._cues = CueWatch(self.top)
            self.sequences.append(Sequence(Tracker(lab.astype(np.float64)), self._cues.found))
            self._freedom = Freedom(self.top)
            if self.network is not None:
                self._eye = SecondEye(self.top, self.network, self.every_frames)
            self._without_view = 0
        return self.sequences[-1]

    def _expected_px(
        self, sequence: Sequence, t_s: float, moved_m: tuple[float, float]
    ) -> NDArray[np.float64] | None:
        """Where the followed balls should be in the top view; None while there are none."""
        followed = [track for track in sequence.tracker.tracks if not track.lost]
        if not followed:
            return None
        ahead = [(t.position, t.velocity, t_s - t.filter_t_s) for t in followed]
        places = [(x + vx * dt, y + vy * dt) for (x, y), (vx, vy), dt in ahead]
        return self.top.from_table(np.array(places) + moved_m)

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

    def finish(self, ball_set: BallSet | None, present: Set[BallName] = frozenset()) -> list[Seen]:
        """Name the tracks of every sequence; `ball_set` None: the one that fits best.

        `present`: balls that the game, where it is known, keeps on the table.
        """
        table = self.camera.table
        return [named(sequence, ball_set, table, present) for sequence in self.sequences]


def named(
    sequence: Sequence, ball_set: BallSet | None, table: TableSpec, present: Set[BallName]
) -> Seen:
    """Part, mend and name the tracks of a sequence; as in `Observer.finish`.

    A ball that lay in a pocket when the view began, and still does, is no ball of the game.
    """
    sequence.leave_out(_down_from_the_start(sequence, table))
    sequence.part_at_leaps(_counter(sequence.looks))
    tracks = sequence.tracker.tracks
    for swap in swaps_of(tracks, piece_looks(tracks, sequence.looks, ball_set, table)):
        sequence.exchange(swap)
    tracks = sequence.tracker.tracks
    names, chosen = name_tracks(tracks, sequence.looks, ball_set, table, present)
    return sequence.named(names, chosen)


def _down_from_the_start(sequence: Sequence, table: TableSpec) -> set[int]:
    """The tracks of balls that lie in a pocket since the view began."""
    begun_s = sequence.times_s[0] + _BEGINS_S if sequence.times_s else -np.inf
    return {
        track.number
        for track in sequence.tracker.tracks
        if track.sightings
        and track.sightings[0].t_s <= begun_s
        and lies_in_pocket([(s.x_m, s.y_m) for s in track.sightings], table)
    }


def _counter(looks: Mapping[int, Looks]) -> Callable[[int, int, int], int]:
    """How many looks a track got in the frames first .. last."""
    return lambda track, first, last: sum(
        first <= frame <= last for frame in looks.get(track, Looks()).frames
    )


def _moved(seen: Detections, moved_m: tuple[float, float]) -> Detections:
    """Detections with the picture's shift taken out."""
    return replace(seen, centers_m=seen.centers_m - np.array(moved_m))
