"""Detections -> one track a ball, in metres and seconds.

A ball is told by where it can be and by its colour, never by box overlap: a ball has no
overlap with itself from 1.7 m/s at 30 fps. Each track carries a constant-velocity Kalman
filter (filterpy; this is the only module that imports it) and two explanations for the next
detection: it went on as it was going, or it was struck and may be anywhere within reach.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from filterpy.kalman import KalmanFilter
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.detections import Detections

Floats = NDArray[np.float64]

TOP_SPEED_MPS = 13.0
"""Faster than any break (targets.md of the design: 8-12 m/s)."""
_REST_SPEED_MPS = 0.012
_ACCELERATION_MPS2 = 4.0
_MISS_COST = 16.0
_STRUCK_COST = 5.0
_STRUCK_WITHIN_S = 0.25
_SLOW_MPS = 0.3
_JUST_SEEN_S = 0.09
_SAME_PLACE_M = 0.12
"""How far a ball that was hidden for long may lie from where it is expected."""
_TOGETHER_S = 0.12
_COLOR_FLOOR = 9.0
_SHARP_M = 0.004
"""A shorter streak, or step, blurs no colour."""
_CONFIRM_HITS = 3
_BEGIN_QUALITY = 0.7
"""How much of a ball has to be seen for a new track."""
_BEGIN_BESIDE_QUALITY = 0.85
"""The same beside a hand, a cue or a body, which are seen in part as round, too."""
_CONFIRM_CLEAR = 6
_CLEAR_QUALITY = 0.7
_CONFIRM_BESIDE_HITS = 12
_CONFIRM_BESIDE_S = 0.3
_HOLD_SIGHTINGS = 5
_HOLD_LOOKBACK = 30
_HOLD_S = 0.6
_HOLD_QUALITY = 0.15
_HOLD_M = 0.002
_HOLD_ROUGHLY_M = 0.006
_HOLD_LEAST_S = 0.15
_HOLD_AWAY_M = 0.02
_JUMP_QUALITY = 0.8
_JUMP_PRICE = 10.0
_SHARP_COLOR_COST = 24.0
"""Most that a colour may speak against a ball that is seen sharply."""
_BLURRED_COLOR_COST = 12.0
_TENTATIVE_MISSES = 2
_COAST_S = 1.2
FREE_COVERAGE = 0.25
"""Share of a ball's place that is foreground below which the place is seen to be empty."""

Probe = Callable[[float, float], float]
"""(x_m, y_m) -> share (0..1) of the ball's disc at that place that is not cloth."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One detection that a track took: time, centre in metres and what came with it."""

    frame: int
    t_s: float
    x_m: float
    y_m: float
    sigma_m: float
    streak_x_m: float
    streak_y_m: float
    quality: float
    detection: int
    """Row in the frame's `Detections`."""


@dataclass(eq=False)
class Track:
    """Everything one ball did since it was first seen."""

    number: int
    sightings: list[Sighting]
    color: Floats
    color_variance: Floats
    filter: KalmanFilter
    filter_t_s: float
    hits: int = 1
    misses: int = 0
    confirmed: bool = False
    alone: bool = True
    """False for a track that began beside a hand, a cue or a body."""
    clear: int = 0
    """Sightings in a row that were whole and apart from anybody."""
    held: bool = False
    """True while it is out of sight and lay still when it was last seen."""
    lost: bool = False
    """No longer followed: dropped as a false start, or gone for too long."""
    empty_since_s: float | None = None
    """Since when its last place has been seen free of any ball."""
    rest: list[tuple[float, float]] = field(default_factory=list)

    @property
    def position(self) -> tuple[float, float]:
        """Filtered position, metres."""
        return float(self.filter.x[0, 0]), float(self.filter.x[1, 0])

    @property
    def velocity(self) -> tuple[float, float]:
        """Filtered velocity, m/s."""
        return float(self.filter.x[2, 0]), float(self.filter.x[3, 0])

    @property
    def last(self) -> Sighting:
        """The latest sighting."""
        return self.sightings[-1]

    def overlaps(self, other: Track) -> bool:
        """True when both were seen at the same time: they cannot be one ball."""
        first = max(self.sightings[0].t_s, other.sightings[0].t_s)
        return min(self.last.t_s, other.last.t_s) - first > _TOGETHER_S


@dataclass
class Tracker:
    """Follows all balls of one table; feed it every frame in order.

    `cloth_lab` is the cloth's colour (CIE L*a*b*, 8-bit scale): a fast ball's streak mixes
    its own colour with it.
    """

    cloth_lab: Floats
    tracks: list[Track] = field(default_factory=list, init=False)
    _next_number: int = field(default=1, init=False)

    def reset(self) -> None:
        """Forget all tracks (after a cut)."""
        self.tracks = []

    def update(self, frame: int, t_s: float, seen: Detections, probe: Probe) -> list[Track]:
        """Take one frame's detections; returns the tracks that are still followed."""
        alive = [track for track in self.tracks if not track.lost]
        for track in alive:
            _predict(track, t_s)
        rows, columns = self._assign(alive, seen, t_s)
        taken = set()
        for row, column in zip(rows, columns, strict=True):
            self._take(alive[row], frame, t_s, seen, column)
            taken.add(column)
        matched = set(rows)
        for index, track in enumerate(alive):
            if index not in matched:
                _miss(track, t_s, probe)
        for column in range(len(seen)):
            least = _BEGIN_QUALITY if seen.alone[column] else _BEGIN_BESIDE_QUALITY
            if column not in taken and seen.quality[column] >= least:
                self._begin(frame, t_s, seen, column)
        self._adopt_revenants()
        return [track for track in self.tracks if not track.lost]

    def _assign(
        self, alive: list[Track], seen: Detections, t_s: float
    ) -> tuple[list[int], list[int]]:
        if not alive or not len(seen):
            return [], []
        cost = np.array([self._costs(track, seen, t_s) for track in alive])
        # A column of its own for each track stands for "not seen in this frame".
        padded = np.full((len(alive), len(seen) + len(alive)), 1e6)
        padded[:, : len(seen)] = cost
        for index, track in enumerate(alive):
            padded[index, len(seen) + index] = _MISS_COST if track.confirmed else _MISS_COST / 2
        rows, columns = linear_sum_assignment(padded)
        pairs = [(r, c) for r, c in zip(rows, columns, strict=True) if c < len(seen)]
        return [int(r) for r, _ in pairs], [int(c) for _, c in pairs]

    def _costs(self, track: Track, seen: Detections, t_s: float) -> Floats:
        """Cost of giving each detection to this track; huge where physics forbids it."""
        smooth = 0.5 * _surprises(track, seen.centers_m, seen.sigma_m)
        elapsed = max(1e-3, t_s - track.last.t_s)
        away = np.hypot(*(seen.centers_m - (track.last.x_m, track.last.y_m)).T)
        reach = self._reach_mps(track, t_s) * min(elapsed, _STRUCK_WITHIN_S) + 0.02
        struck = _STRUCK_COST + 2.0 * away / (0.1 + 2.0 * elapsed)
        if elapsed > _STRUCK_WITHIN_S:
            # Gone for long: only a track begun anew elsewhere can bring the ball back.
            struck = np.full(len(seen), 1e5)
            reach = min(reach, _SAME_PLACE_M)
        # A ball leaves its way by a blow; a round patch of a hand is seen worse than a ball.
        sharp = np.hypot(*seen.streaks_m.T) < _SHARP_M
        struck = struck + _JUMP_PRICE * sharp * np.maximum(0.0, _JUMP_QUALITY - seen.quality)
        motion = np.where(away < reach, np.minimum(smooth, struck), 1e5)
        cost = motion + self._color_cost(track, seen) + 1.5 * (1 - seen.quality)
        return np.asarray(cost)

    def _reach_mps(self, track: Track, t_s: float) -> float:
        """How fast this ball may be after a blow: the tip strikes only a ball at rest; any
        other blow comes from a ball that moves already."""
        if float(np.hypot(*track.velocity)) < _SLOW_MPS or t_s - track.last.t_s < _JUST_SEEN_S:
            return TOP_SPEED_MPS
        followed = [t for t in self.tracks if t.confirmed and not t.lost]
        recent = [t for t in followed if t_s - t.last.t_s < _STRUCK_WITHIN_S]
        fastest = max((float(np.hypot(*t.velocity)) for t in recent), default=TOP_SPEED_MPS)
        # A blow falls within a frame: the first step shows as little as half the speed.
        return min(TOP_SPEED_MPS, 2.2 * fastest + 1.0)

    def _color_cost(self, track: Track, seen: Detections) -> Floats:
        """How badly each detection's colour fits; a streak may be mixed with cloth."""
        away = np.hypot(*(seen.centers_m - (track.last.x_m, track.last.y_m)).T)
        # A ball that moves turns and blurs: its colour is known less well.
        floor = np.where(away > 0.004, 1.5, 1.0) * _COLOR_FLOOR
        variance = track.color_variance + floor[:, None] ** 2
        toward_cloth = self.cloth_lab - track.color
        blurred = np.hypot(*seen.streaks_m.T) > _SHARP_M
        most_cloth = np.where(blurred, 0.6, np.where(away > 0.004, 0.2, 0.0))
        best = np.full(len(seen), np.inf)
        for share in (0.0, 0.2, 0.4, 0.6):
            expected = track.color + share * toward_cloth
            error = 0.5 * ((seen.colors - expected) ** 2 / variance).sum(axis=1) + 2.0 * share
            best = np.where(share <= most_cloth, np.minimum(best, error), best)
        sure = ~blurred & (away < _SHARP_M) & (track.hits > _CONFIRM_BESIDE_HITS)
        return np.asarray(np.minimum(best, np.where(sure, _SHARP_COLOR_COST, _BLURRED_COLOR_COST)))

    def _take(self, track: Track, frame: int, t_s: float, seen: Detections, column: int) -> None:
        x_m, y_m = (float(value) for value in seen.centers_m[column])
        sigma = float(seen.sigma_m[column])
        row = slice(column, column + 1)
        surprise = float(_surprises(track, seen.centers_m[row], seen.sigma_m[row])[0])
        if surprise > 25.0:
            _restart(track, t_s, x_m, y_m, sigma)
        else:
            track.filter.update(np.array([[x_m], [y_m]]), R=sigma**2 * np.eye(2))
        track.sightings.append(_sighting(frame, t_s, seen, column))
        if np.hypot(*seen.streaks_m[column]) < _SHARP_M and seen.quality[column] > 0.75:
            _learn_color(track, seen.colors[column])
        track.hits += 1
        clear = bool(seen.alone[column]) and seen.quality[column] > _CLEAR_QUALITY
        track.clear = track.clear + 1 if clear else 0
        track.misses = 0
        track.empty_since_s = None
        track.confirmed = track.confirmed or _is_confirmed(track)

    def _begin(self, frame: int, t_s: float, seen: Detections, column: int) -> None:
        first = _sighting(frame, t_s, seen, column)
        color = seen.colors[column].copy()
        track = Track(
            self._next_number,
            [first],
            color,
            np.full(3, 100.0),
            _filter(first.x_m, first.y_m, first.sigma_m),
            t_s,
            alone=bool(seen.alone[column]),
        )
        self._next_number += 1
        self.tracks.append(track)

    def _adopt_revenants(self) -> None:
        """A ball that was lost and is seen again elsewhere goes on in its old track."""
        for track in self.tracks:
            if track.lost or not track.confirmed or track.hits != _CONFIRM_HITS:
                continue
            if len(track.sightings) != _CONFIRM_HITS:
                continue
            old = self._old_self(track)
            if old is not None:
                old.sightings += track.sightings
                old.filter, old.filter_t_s = track.filter, track.filter_t_s
                old.misses, old.hits, old.lost = 0, old.hits + track.hits, False
                old.empty_since_s = None
                track.lost, track.sightings = True, []

    def _old_self(self, track: Track) -> Track | None:
        first = track.sightings[0]
        best, best_cost = None, 6.0
        for old in self.tracks:
            missing = old.lost or old.misses >= _CONFIRM_HITS
            if old is track or not old.confirmed or not missing or not old.sightings:
                continue
            if old.last.t_s >= first.t_s:
                continue
            variance = old.color_variance + _COLOR_FLOOR**2
            cost = 0.5 * float(((track.color - old.color) ** 2 / variance).sum())
            if cost < best_cost:
                best, best_cost = old, cost
        return best


def _sighting(frame: int, t_s: float, seen: Detections, column: int) -> Sighting:
    x_m, y_m = (float(value) for value in seen.centers_m[column])
    streak_x_m, streak_y_m = (float(value) for value in seen.streaks_m[column])
    sigma_m, quality = float(seen.sigma_m[column]), float(seen.quality[column])
    return Sighting(frame, t_s, x_m, y_m, sigma_m, streak_x_m, streak_y_m, quality, column)


def _filter(x_m: float, y_m: float, sigma_m: float) -> KalmanFilter:
    kalman = KalmanFilter(dim_x=4, dim_z=2)
    kalman.x = np.array([[x_m], [y_m], [0.0], [0.0]])
    kalman.H = np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0]])
    kalman.P = np.diag([sigma_m**2, sigma_m**2, 0.5**2, 0.5**2])
    return kalman


def _predict(track: Track, t_s: float) -> None:
    dt = t_s - track.filter_t_s
    kalman = track.filter
    if track.held and track.misses:
        track.filter_t_s = t_s
        return
    kalman.F = np.array([[1, 0, dt, 0], [0, 1, 0, dt], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    speed = float(np.hypot(*track.velocity))
    # A resting ball has no reason to move by itself; a moving one slows and curves.
    strength = _ACCELERATION_MPS2 if speed > _REST_SPEED_MPS * 4 else 0.15
    q11, q12, q22 = dt**4 / 4, dt**3 / 2, dt**2
    kalman.Q = strength**2 * np.array(
        [[q11, 0, q12, 0], [0, q11, 0, q12], [q12, 0, q22, 0], [0, q12, 0, q22]]
    )
    kalman.predict()
    track.filter_t_s = t_s


def _restart(track: Track, t_s: float, x_m: float, y_m: float, sigma_m: float) -> None:
    """A struck ball: its velocity is what the last step says, and hardly known."""
    elapsed = max(1e-3, t_s - track.last.t_s)
    vx, vy = (x_m - track.last.x_m) / elapsed, (y_m - track.last.y_m) / elapsed
    track.filter = _filter(x_m, y_m, sigma_m)
    track.filter.x = np.array([[x_m], [y_m], [vx], [vy]])
    # The blow fell somewhere within the step: the speed may be several times that.
    loose = (0.6 * float(np.hypot(vx, vy)) + 0.05) ** 2
    track.filter.P = np.diag([sigma_m**2, sigma_m**2, loose, loose])


def _miss(track: Track, t_s: float, probe: Probe) -> None:
    track.misses += 1
    track.held = track.held if track.misses > 1 else False
    if not track.confirmed and track.misses > _TENTATIVE_MISSES:
        track.lost = True
        return
    place = (track.last.x_m, track.last.y_m)
    _hold_if_still(track, t_s)
    if probe(*place) < FREE_COVERAGE:
        track.empty_since_s = t_s if track.empty_since_s is None else track.empty_since_s
    else:
        track.empty_since_s = None
    if t_s - track.last.t_s > _COAST_S:
        # Nothing moves for long unseen: hold it where it was last seen.
        speed = float(np.hypot(*track.velocity))
        if speed > _REST_SPEED_MPS:
            track.filter = _filter(place[0], place[1], 0.02)
        if track.empty_since_s is not None and t_s - track.empty_since_s > _COAST_S:
            track.lost = True


def _is_confirmed(track: Track) -> bool:
    """True when a new track is no false start: beside a hand, only what lies still for long,
    or what is left as a whole ball when the hand has gone."""
    if track.alone:
        return track.hits >= _CONFIRM_HITS
    if track.clear >= _CONFIRM_CLEAR:
        return True
    lasting = track.last.t_s - track.sightings[0].t_s >= _CONFIRM_BESIDE_S
    return track.hits >= _CONFIRM_BESIDE_HITS and lasting and _is_still(track.sightings)


def _is_still(sightings: list[Sighting], within_m: float = _HOLD_M) -> bool:
    places = np.array([(s.x_m, s.y_m) for s in sightings])
    return bool(np.hypot(*(places - places.mean(axis=0)).T).max() < within_m)


def _hold_if_still(track: Track, t_s: float) -> None:
    """An unseen ball that lay still stays where it lay: its filter would drift on noise."""
    if track.misses != 1:
        return
    recent = [s for s in track.sightings[-_HOLD_LOOKBACK:] if t_s - s.t_s < _HOLD_S]
    best = max((s.quality for s in recent), default=0.0)
    # An arm that comes over a ball pulls its measured centre aside before it hides it.
    clear = [s for s in recent if s.quality > best - _HOLD_QUALITY]
    if len(clear) < _HOLD_SIGHTINGS or not _is_still(clear, _HOLD_ROUGHLY_M):
        return
    lasting = clear[-1].t_s - clear[0].t_s >= _HOLD_LEAST_S
    if not _is_still(clear) and not lasting:
        return
    x_m, y_m = (float(np.median([getattr(s, axis) for s in clear])) for axis in ("x_m", "y_m"))
    if np.hypot(track.last.x_m - x_m, track.last.y_m - y_m) > _HOLD_AWAY_M:
        return
    track.filter.x = np.array([[x_m], [y_m], [0.0], [0.0]])
    track.filter.P = np.diag([_HOLD_M**2, _HOLD_M**2, _REST_SPEED_MPS**2, _REST_SPEED_MPS**2])
    track.held = True


def _surprises(track: Track, centers_m: Floats, sigma_m: Floats) -> Floats:
    """Squared distances (N,) from where the track should be, in units of their error."""
    x_m, y_m = track.position
    dx, dy = centers_m[:, 0] - x_m, centers_m[:, 1] - y_m
    p = track.filter.P
    own = sigma_m**2 + 1e-6
    xx, yy, xy = p[0, 0] + own, p[1, 1] + own, p[0, 1]
    return np.asarray((yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / (xx * yy - xy * xy))


def _learn_color(track: Track, color: Floats) -> None:
    """Running mean and variance of the colour over the clear sightings."""
    rate = max(0.04, 1.0 / (1 + track.hits))
    error = color - track.color
    track.color = track.color + rate * error
    track.color_variance = (1 - rate) * (track.color_variance + rate * error**2)
