"""The way from detections to shot events, without a picture: for simulated detections.

The tracker, the legs, the contacts and the shots are those of `monitor.pipeline`; only the
eyes are replaced, and names come from votes instead of colours. The game is known to be
ten-ball, as it is for `watch`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from monitor.pipeline import events_of
from table.balls import CUE, OBJECT_BALLS, TO_THE_END, BallName
from table.events import Source
from table.geometry import TableSpec
from table.log import ShotLog
from table.state import TableState
from vision.detections import Detections
from vision.naming import first_and_later
from vision.sequence import Sequence as Followed
from vision.swaps import swaps_of
from vision.tracker import FREE_COVERAGE, Track, Tracker

_CLOTH_LAB: Final = (120.0, 128.0, 128.0)
_LEAST_VOTES: Final = 5
_LASTING_SIGHTINGS: Final = 20
_LEAST_SHARE: Final = 0.35
_LIP_M: Final = 0.008
"""How far beyond the noses a ball that hangs in a side pocket's jaws still lies."""
_LEAST_QUALITY: Final = 0.7
_STRIPES: Final = ("9", "10")
_WHITE_CAP: Final = 0.8
"""What a vote for the cue ball says for a stripe, whose white cap looks like it."""
_DOUBT: Final = 0.2
"""Share of looks that say nothing from which a white ball may be a stripe's white cap."""
_NO_NAME: Final = ""
_MOST_WEIGHT: Final = 12.0
"""How many independent looks the votes of a stretch count for, at most."""
_NAMES: Final = (CUE, *(ball.text for ball in OBJECT_BALLS))


Ballots: TypeAlias = dict[tuple[int, int], tuple[BallName, bool]]
"""(track, frame) -> the name that the look votes for, and whether nothing was beside the ball."""


class DetectedShot(Protocol):
    """A shot as a detector saw it, frame by frame."""

    @property
    def times_s(self) -> Sequence[float]:
        """The presentation time of every frame."""

    @property
    def detections(self) -> Sequence[Detections]:
        """What was seen in every frame."""

    @property
    def readings(self) -> Sequence[Sequence[BallName | None]]:
        """For each detection of each frame, the name its look votes for."""

    @property
    def table(self) -> TableSpec:
        """The table's measures."""

    def covered(self, frame: int, x_m: float, y_m: float) -> float:
        """Share 0..1 of a ball's place that is not cloth in a frame."""


def observe_detections(shot: DetectedShot) -> tuple[ShotLog, tuple[TableState, ...]]:
    """The shot log that the product makes of a shot's detections, and a state a frame."""
    followed = Followed(Tracker(np.array(_CLOTH_LAB)))
    ballots: Ballots = {}
    for frame, (t_s, seen) in enumerate(zip(shot.times_s, shot.detections, strict=True)):

        def probe(x_m: float, y_m: float, frame: int = frame) -> float:
            return shot.covered(frame, x_m, y_m)

        for track in followed.follow(frame, t_s, seen, probe):
            if track.number not in followed.hidden_since_s:
                since_s = _hidden_since(shot, frame, track.last.x_m, track.last.y_m)
                followed.hidden_since_s[track.number] = since_s
            if track.last.frame != frame:
                continue
            reading = shot.readings[frame][track.last.detection]
            on_bed = shot.table.contains((track.last.x_m, track.last.y_m), _LIP_M)
            if on_bed:
                # A look that says nothing speaks against every name: marks on the cloth do that.
                alone = bool(seen.alone[track.last.detection])
                ballots[track.number, frame] = (reading or _NO_NAME, alone)
    followed.part_at_leaps(
        lambda track, first, last: sum((track, f) in ballots for f in range(first, last + 1))
    )
    origin = followed.origin

    def looks(number: int, first: int, last: int) -> dict[BallName, float] | None:
        return _piece_logs(ballots, origin.get(number, number), first, last)

    for swap in swaps_of(followed.tracker.tracks, looks):
        followed.exchange(swap)
        _exchange(ballots, origin.get(swap.a, swap.a), origin.get(swap.b, swap.b), swap.frame)
    votes = {
        track.number: _counted(ballots, followed.origin.get(track.number, track.number), track)
        for track in followed.tracker.tracks
    }
    names = _names(followed.tracker.tracks, votes)
    seen_all = followed.named(names, "voted")
    source = Source(
        length_m=shot.table.length_m, width_m=shot.table.width_m, frames=len(shot.times_s)
    )
    return ShotLog(source, events_of(seen_all, shot.table)), seen_all.states


def _piece_logs(
    ballots: Ballots, number: int, first: int, last: int
) -> dict[BallName, float] | None:
    """How well the votes for a stretch of a track fit each name."""
    cast = [name for (n, f), (name, _) in ballots.items() if n == number and first <= f <= last]
    if len(cast) < _LEAST_VOTES:
        return None
    # Votes of one resting side repeat each other.
    weight = min(1.0, _MOST_WEIGHT / len(cast))
    votes = Counter(cast)
    return {
        name: weight * sum(count * math.log(_chance(vote, name)) for vote, count in votes.items())
        for name in _NAMES
    }


def _chance(vote: BallName, name: BallName) -> float:
    """How often a look at a ball votes for a name; the empty one: says nothing."""
    if name in _STRIPES:
        return {name: 0.5, _NO_NAME: 0.25, CUE: 0.2}.get(vote, 0.05 / len(_NAMES))
    return {name: 0.88, _NO_NAME: 0.06}.get(vote, 0.06 / len(_NAMES))


def _exchange(ballots: Ballots, a: int, b: int, frame: int) -> None:
    """Let two tracks take each other's votes after a frame."""
    ends = {(n, f): ballots.pop((n, f)) for n, f in list(ballots) if n in (a, b) and f > frame}
    ballots |= {(a + b - n, f): vote for (n, f), vote in ends.items()}


def _hidden_since(shot: DetectedShot, frame: int, x_m: float, y_m: float) -> float:
    """When a place was last seen to be bare cloth before a frame; -inf when never."""
    for earlier in range(frame - 1, -1, -1):
        if shot.covered(earlier, x_m, y_m) < FREE_COVERAGE:
            return shot.times_s[earlier]
    return -math.inf


def _counted(ballots: Ballots, number: int, track: Track) -> Counter[BallName]:
    """The votes for a track: those cast while nothing was beside the ball, if there are any."""
    cast = [ballots[number, s.frame] for s in track.sightings if (number, s.frame) in ballots]
    apart = [name for name, alone in cast if alone]
    return Counter(apart if len(apart) >= _LEAST_VOTES else [name for name, _ in cast])


def _names(tracks: Sequence[Track], votes: dict[int, Counter[BallName]]) -> dict[int, BallName]:
    """Names by track: jointly for the tracks of the fullest moment, then the later ones."""
    voted = [t for t in tracks if sum(votes.get(t.number, Counter()).values()) >= _LEAST_VOTES]
    fullest, later = first_and_later(voted)
    names: dict[int, BallName] = {}
    shares = np.array([[_share(votes[t.number], n) for n in _NAMES] for t in fullest])
    shares = _with_white_caps(shares)
    if len(fullest):
        # Of two things that look alike, the one that is played is the ball.
        moved = np.array([[0.05 * _has_moved(t)] for t in fullest])
        rows, columns = linear_sum_assignment(-(shares + moved * (shares > 0)))
        for row, column in zip(rows, columns, strict=True):
            if shares[row, column] >= _LEAST_SHARE:
                names[fullest[row].number] = _NAMES[column]
    for track in [*fullest, *later]:
        if track.number not in names:
            taken = {names[o.number] for o in voted if o.number in names and o.overlaps(track)}
            options = {n: _share(votes[track.number], n) for n in _NAMES if n not in taken}
            best = max(options, key=lambda n: options[n], default=None)
            if best is not None and options[best] >= _LEAST_SHARE:
                names[track.number] = best
    for track in voted:
        if track.number not in names and _is_surely_a_ball(track):
            names[track.number] = f"u{1 + sum(n.startswith('u') for n in names.values())}"
    return names


def _with_white_caps(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares (tracks, names) in which a vote for the cue ball says something for a stripe.

    A stripe with its white cap up looks like the cue ball. If one stripe only can be it, it is
    that one. With both of them unseen a single white cap is the stripe that must be there, and
    nothing tells two of them apart.
    """
    if not len(shares):
        return shares
    known = {n for n, column in zip(_NAMES, shares.T, strict=True) if column.max() >= _LEAST_SHARE}
    unseen = [name for name in _STRIPES if name not in known]
    cue = shares[:, _NAMES.index(CUE)]
    # The cue ball itself is read as such nearly always; a white cap leaves doubts.
    doubtful = (1.0 - shares.sum(axis=1) > _DOUBT) | (cue < 1.0 - 2.0 * _DOUBT)
    capped = doubtful & (cue > _LEAST_SHARE)
    if len(unseen) > 1 and np.count_nonzero(capped) == 1:
        unseen = [name for name in unseen if name in TO_THE_END]
    if len(unseen) != 1:
        return shares
    mixed = shares.copy()
    told = np.maximum(shares.sum(axis=1), 1e-9)
    column = mixed[:, _NAMES.index(unseen[0])]
    column += np.where(capped, _WHITE_CAP * cue / told, 0.0)
    return mixed


def _is_surely_a_ball(track: Track) -> bool:
    """True when an unnamed track was seen for long, and mostly as a whole ball."""
    qualities = sorted(s.quality for s in track.sightings)
    whole = qualities[len(qualities) // 2] > _LEAST_QUALITY
    return len(qualities) >= _LASTING_SIGHTINGS and whole


def _has_moved(track: Track) -> bool:
    first = track.sightings[0]
    return any(abs(s.x_m - first.x_m) + abs(s.y_m - first.y_m) > 0.05 for s in track.sightings)


def _share(votes: Counter[BallName], name: BallName) -> float:
    return votes[name] / max(1, sum(votes.values()))
