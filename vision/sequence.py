"""One unbroken view of the table: what was followed in it, and then by name.

The tracker numbers what it follows; names come at the end, when every ball has shown itself.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from table.balls import BallName, is_unknown
from table.state import BallState, TableState
from vision.cadence import Cadence, find_cadence
from vision.contacts import Motion
from vision.detections import Detections
from vision.legs import legs_of
from vision.naming import Looks
from vision.paths import Path
from vision.seen_cues import SeenCues
from vision.swaps import Swap
from vision.tracker import Probe, Sighting, Track, Tracker

_LEAP_FRAMES: Final = 4
_LEAP_M: Final = 0.1
_NAMING_LOOKS: Final = 3
_UNCOVERED_SIGHTINGS: Final = 12
_UNCOVERED_M: Final = 0.003
_HIDDEN_SIGHTINGS: Final = 8
_LAST_FRAME: Final = 2**31 - 1

LooksOf = Callable[[int, int, int], int]


@dataclass(frozen=True, slots=True)
class Glimpse:
    """Where one track was in one frame, before it had a name."""

    track: int
    state: BallState


@dataclass(eq=False)
class Sequence:
    """An unbroken stretch of frames of the same view."""

    tracker: Tracker
    cues: SeenCues | None = None
    """The cue as seen in this view; None where no picture was."""
    times_s: list[float] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    glimpses: list[list[Glimpse]] = field(default_factory=list)
    looks: dict[int, Looks] = field(default_factory=dict)
    hidden_since_s: dict[int, float] = field(default_factory=dict)
    """For each track: when its first place was last seen to be bare cloth before."""
    ended_by_cut: bool = False
    origin: dict[int, int] = field(default_factory=dict)
    """For each track that was parted off another: that track's number."""

    def follow(self, frame: int, t_s: float, seen: Detections, probe: Probe) -> list[Track]:
        """Take the detections of the next frame; returns the tracks that are followed."""
        tracks = self.tracker.update(frame, t_s, seen, probe)
        self.times_s.append(t_s)
        self.frames.append(frame)
        self.glimpses.append([_glimpse(track, t_s) for track in tracks if track.confirmed])
        return tracks

    def forget_before(self, t_s: float) -> None:
        """Let go of everything before `t_s`, so that an evening fits into memory.

        A ball that is hidden since then keeps its last sightings; a track that was lost
        before is gone. How the balls look is kept: it names them.
        """
        count = bisect_left(self.times_s, t_s)
        del self.times_s[:count], self.frames[:count], self.glimpses[:count]
        if self.cues is not None:
            self.cues.forget_before(t_s)
        kept = []
        for track in self.tracker.tracks:
            recent = [s for s in track.sightings if s.t_s >= t_s]
            if not recent and not track.lost:
                recent = track.sightings[-_HIDDEN_SIGHTINGS:]
            track.sightings = recent
            if recent:
                kept.append(track)
            else:
                self.looks.pop(track.number, None)
        self.tracker.tracks = kept

    def leave_out(self, numbers: Set[int]) -> None:
        """Let go of the tracks of these numbers, as if they had never been followed."""
        if numbers:
            self.tracker.tracks = [t for t in self.tracker.tracks if t.number not in numbers]
            self.glimpses = [[g for g in row if g.track not in numbers] for row in self.glimpses]

    def part_at_leaps(self, looks_of: LooksOf) -> None:
        """Part every track where the ball was out of sight and came back far away.

        What is seen there may be another ball, if it was seen well enough to be named by
        itself: `looks_of(track, first, last)` counts the looks of the frames first .. last.
        """
        parts: list[Track] = []
        number = max((t.number for t in self.tracker.tracks), default=0) + 1
        for track in self.tracker.tracks:
            for piece in _pieces(track, looks_of):
                if piece is track:
                    parts.append(track)
                    continue
                first, last = piece.sightings[0].frame, piece.last.frame
                self._hand_over(track.number, number, first, last)
                self.origin[number] = track.number
                parts.append(replace(piece, number=number))
                number += 1
        self.tracker.tracks = parts

    def exchange(self, swap: Swap) -> None:
        """Let two tracks take each other's ends after a frame, with looks and glimpses."""
        tracks = {track.number: track for track in self.tracker.tracks}
        one, other = tracks[swap.a], tracks[swap.b]
        ends = [[s for s in track.sightings if s.frame > swap.frame] for track in (one, other)]
        for track, end in ((one, ends[1]), (other, ends[0])):
            track.sightings = [s for s in track.sightings if s.frame <= swap.frame] + end
        mine, theirs = (self.looks.get(number, Looks()) for number in (swap.a, swap.b))
        for number, start, end_looks in ((swap.a, mine, theirs), (swap.b, theirs, mine)):
            until = start.between(-1, swap.frame)
            self.looks[number] = until.followed_by(end_looks.between(swap.frame + 1, _LAST_FRAME))
        self._renumber({swap.a: swap.b, swap.b: swap.a}, swap.frame + 1)

    def _hand_over(self, old: int, new: int, first: int, last: int) -> None:
        """Give the looks and glimpses of the frames first .. last to another track."""
        if old in self.looks:
            self.looks[new] = self.looks[old].between(first, last)
            self.looks[old] = self.looks[old].between(-1, first - 1)
        self._renumber({old: new}, first)

    def _renumber(self, numbers: Mapping[int, int], first: int) -> None:
        """Give the glimpses from frame `first` on to the tracks of new numbers."""
        for index, frame in enumerate(self.frames):
            if frame >= first:
                self.glimpses[index] = [
                    replace(g, track=numbers[g.track]) if g.track in numbers else g
                    for g in self.glimpses[index]
                ]

    def named(self, names: Mapping[int, BallName], ball_set: str) -> Seen:
        """Everything that was followed, by the names of the tracks."""
        names = self._inherited(names)
        paths: dict[BallName, list[Track]] = {}
        for track in self.tracker.tracks:
            if track.number in names:
                paths.setdefault(names[track.number], []).append(track)
        seen_paths = {name: _path(tracks, self) for name, tracks in paths.items()}
        cadence = find_cadence(self.times_s, [(p.t_s, p.xy_m) for p in seen_paths.values()])
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
            for t_s, row in zip(self.times_s, self.glimpses, strict=True)
        )
        return Seen(motions, states, cadence, ball_set, self.ended_by_cut, self.cues)

    def _inherited(self, names: Mapping[int, BallName]) -> dict[int, BallName]:
        """A part that cannot be named by itself is the ball that it was parted from."""
        tracks = {track.number: track for track in self.tracker.tracks}
        result = dict(names)
        for number, origin in self.origin.items():
            name = result.get(origin)
            own = result.get(number)
            if name is None or number not in tracks or not (own is None or is_unknown(own)):
                continue
            # A ball at rest leaps nowhere: what is seen elsewhere is not it.
            if not _was_moving(tracks[origin]):
                continue
            rivals = [t for t in tracks.values() if result.get(t.number) == name]
            if not any(t.overlaps(tracks[number]) for t in rivals):
                result[number] = name
        return result


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
    cues: SeenCues | None = None
    """The cue, frame by frame, in presentation time; None where no camera watched."""


def _glimpse(track: Track, t_s: float) -> Glimpse:
    (x_m, y_m), (vx, vy) = track.position, track.velocity
    sigma = float(np.sqrt(max(1e-10, track.filter.P[0, 0])))
    state = BallState("u1", x_m, y_m, vx, vy, min(sigma, 9.0), track.last.t_s >= t_s - 1e-9)
    return Glimpse(track.number, state)


def _was_moving(track: Track) -> bool:
    """True when the ball moved as it was last seen."""
    last = track.sightings[-3:]
    return any(abs(s.x_m - track.last.x_m) + abs(s.y_m - track.last.y_m) > 0.01 for s in last)


def _pieces(track: Track, looks_of: LooksOf) -> list[Track]:
    """The track cut at its leaps; the first piece is the track itself, shortened."""
    rows = track.sightings
    cuts = [
        i
        for i in range(1, len(rows))
        if rows[i].frame - rows[i - 1].frame >= _LEAP_FRAMES
        and np.hypot(rows[i].x_m - rows[i - 1].x_m, rows[i].y_m - rows[i - 1].y_m) > _LEAP_M
    ]
    cuts = [
        cut
        for cut, end in itertools.pairwise([*cuts, len(rows)])
        if looks_of(track.number, rows[cut].frame, rows[end - 1].frame) >= _NAMING_LOOKS
    ]
    if not cuts:
        return [track]
    bounds = [0, *cuts, len(rows)]
    pieces = [
        replace(track, sightings=rows[a:b], hits=b - a) for a, b in itertools.pairwise(bounds)
    ]
    track.sightings = rows[: cuts[0]]
    return [track, *pieces[1:]]


def _uncovered(track: Track, sequence: Sequence) -> list[Sighting]:
    """What must have been there before a track began: a ball that comes into view at rest lay
    there since its place was last seen to be free."""
    first = track.sightings[0]
    # What uncovers a ball pulls its measured centre aside at first.
    rows = track.sightings[:_UNCOVERED_SIGHTINGS]
    x_m, y_m = (float(np.median([getattr(s, axis) for s in rows])) for axis in ("x_m", "y_m"))
    still = [s for s in rows if math.hypot(s.x_m - x_m, s.y_m - y_m) < _UNCOVERED_M]
    free_s = max(sequence.hidden_since_s.get(track.number, first.t_s), sequence.times_s[0] - 1e-3)
    settled = still[-1:] == rows[-1:] and 3 * len(still) >= 2 * len(rows)
    if len(rows) < _UNCOVERED_SIGHTINGS or not settled or first.t_s - free_s < 0.3:
        return []
    earlier = [
        (frame, t_s)
        for frame, t_s in zip(sequence.frames, sequence.times_s, strict=True)
        if free_s < t_s < first.t_s
    ]
    there = replace(first, x_m=x_m, y_m=y_m, sigma_m=0.003)
    return [replace(there, frame=frame, t_s=t_s) for frame, t_s in earlier]


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
