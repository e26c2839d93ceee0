"""Scoring balls at rest: where they are (mm) and which they are.

Truth in pixels: our metres are projected through our camera at the ball-centre plane, and
the difference is divided by the local scale (the inverse of the projection's Jacobian).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from monitor.evaluation.intervals import Share
from monitor.evaluation.matching import ShotPairs, assign
from monitor.evaluation.results import Results
from monitor.evaluation.scores import Miss, RestScore
from monitor.evaluation.track_rows import TrackRow
from monitor.evaluation.truth import RestTruth, Truth
from table.balls import BallName, is_unknown
from table.geometry import NINE_FOOT, Point

GATE_MM: Final = NINE_FOOT.ball_radius_m * 1000.0
"""Two balls never lie closer than two radii: within one radius it is the same ball."""
FAR_MM: Final = 5.0
"""Position errors above this are listed."""
SAME_FRAME_S: Final = 0.021

Offset = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RestFigures:
    """What scoring the resting balls of a clip yields."""

    rest: RestScore
    rolling: Share
    misses: tuple[Miss, ...]


def score_rest(truth: Truth, pairs: ShotPairs, results: Results) -> RestFigures:
    """Score both resting tables of every shot, and rolling balls at labelled frames."""
    rest, rolling, misses = RestScore(), Share(0, 0), []
    for shot, our in pairs.pairs:
        moments = (
            ("start", shot.start_rest, our.start_balls if our else {}, shot.start_s),
            ("end", shot.end_rest, our.end_balls if our else {}, shot.end_s),
        )
        for when, true, balls, t_s in moments:
            if true is None:
                continue
            label = f"shot {shot.number} {when}"
            moment = _Moment(truth.name, label, true, balls, t_s, results)
            rest += moment.rest_score()
            rolling += moment.rolling_share()
            misses += moment.misses()
    return RestFigures(rest, rolling, tuple(misses))


@dataclass(frozen=True, slots=True)
class _Moment:
    """One labelled moment beside our resting table of it."""

    clip: str
    label: str
    truth: RestTruth
    ours: Mapping[BallName, Point]
    t_s: float | None
    results: Results

    @property
    def still(self) -> dict[BallName, Point]:
        """Truth's balls that lie still."""
        return {b: p for b, p in self.truth.balls.items() if b not in self.truth.may_move}

    def offsets_mm(
        self, true: Mapping[BallName, Point], ours: Mapping[BallName, Point]
    ) -> dict[tuple[BallName, BallName], Offset]:
        """Vector ours minus truth, in mm on the table, for each pair of balls that is near."""
        if not true or not ours:
            return {}
        found = offsets_mm(
            np.array(list(true.values())),
            np.array(list(ours.values())),
            self.results.camera if self.truth.in_pixels else None,
            self.truth.in_pixels,
        )
        if found is None:
            return {}
        return {
            (a, b): found[i, j]
            for i, a in enumerate(true)
            for j, b in enumerate(ours)
            if np.hypot(*found[i, j]) <= GATE_MM
        }

    def pairs(self) -> dict[BallName, tuple[BallName, Offset]]:
        """Truth's resting balls -> our ball in that place, and the error."""
        offsets = self.offsets_mm(self.still, self.ours)
        true, ours = list(self.still), list(self.ours)

        def cost(a: BallName, b: BallName) -> float | None:
            return float(np.hypot(*offsets[a, b])) if (a, b) in offsets else None

        return {true[i]: (ours[j], offsets[true[i], ours[j]]) for i, j in assign(true, ours, cost)}

    def extra(self) -> list[BallName]:
        """Our resting balls where no ball of truth's lies."""
        if not self.ours or not self.still:
            return []
        taken = {name for name, _ in self.pairs().values()}
        rolling = {b: p for b, p in self.truth.balls.items() if b in self.truth.may_move}
        near = {b for _, b in self.offsets_mm(rolling, self.ours)}
        return [b for b in self.ours if b not in taken | near | self.truth.may_move]

    def rest_score(self) -> RestScore:
        pairs = self.pairs()
        names = [(true, our) for true, (our, _) in pairs.items()]
        right = sum(true == our for true, our in names)
        unnamed = sum(true != our and is_unknown(our) for true, our in names)
        offsets = [offset for _, offset in pairs.values()]
        shift = np.median(np.array(offsets), axis=0) if offsets else np.zeros(2)
        return RestScore(
            errors_mm=tuple(float(np.hypot(*offset)) for offset in offsets),
            errors_without_shift_mm=tuple(float(np.hypot(*(o - shift))) for o in offsets),
            named_right=right,
            named_wrong=len(names) - right - unnamed,
            unnamed=unnamed,
            missing=len(self.still) - len(names),
            extra=len(self.extra()),
        )

    def rolling_share(self) -> Share:
        """Balls that may roll: found under their name in the frame that was labelled."""
        true = {b: p for b, p in self.truth.balls.items() if b in self.truth.may_move}
        if not true or self.truth.t_s is None:
            return Share(0, 0)
        ours = places_at(self.results.tracks, self.truth.t_s) or self.ours
        offsets = self.offsets_mm(true, ours)
        return Share(sum((ball, ball) in offsets for ball in true), len(true))

    def misses(self) -> list[Miss]:
        pairs = self.pairs()
        found = []
        for ball in self.still:
            if ball not in pairs:
                instead = "ours elsewhere" if ball in self.ours else ""
                found.append(self._miss("missing", ball, instead))
                continue
            our, offset = pairs[ball]
            if our != ball:
                fault = "unnamed" if is_unknown(our) else "wrong name"
                found.append(self._miss(fault, ball, f"ours: {our}"))
            if np.hypot(*offset) > FAR_MM:
                text = f"({offset[0]:+.1f}, {offset[1]:+.1f}) mm"
                found.append(self._miss("off in place", ball, text))
        found += [self._miss("extra", ball, "no ball there") for ball in self.extra()]
        return found

    def _miss(self, fault: str, ball: BallName, instead: str) -> Miss:
        return Miss(self.clip, "ball at rest", fault, self.t_s, f"{ball} at {self.label}", instead)


def offsets_mm(
    truth: Offset, ours_m: Offset, camera: Camera | None, in_pixels: bool
) -> Offset | None:
    """Vectors (N, M, 2), ours minus truth in mm on the table; None without a camera.

    `truth` is (N, 2) in pixels or metres, `ours_m` (M, 2) in metres.
    """
    if not in_pixels:
        metres: Offset = (ours_m[None, :, :] - truth[:, None, :]) * 1000.0
        return metres
    if camera is None:
        return None
    pixels = camera.project_on_plane(ours_m)
    to_metres = np.linalg.inv(camera.jacobian_px_per_m(ours_m))
    difference = pixels[None, :, :] - truth[:, None, :]
    millimetres: Offset = np.einsum("mij,nmj->nmi", to_metres, difference) * 1000.0
    return millimetres


def places_at(tracks: Sequence[TrackRow], t_s: float) -> dict[BallName, Point]:
    """Our balls in the frame at that time, from tracks.csv."""
    near = [row for row in tracks if abs(row.t_s - t_s) < SAME_FRAME_S]
    if not near:
        return {}
    best_s = min((row.t_s for row in near), key=lambda time_s: abs(time_s - t_s))
    return {row.ball: (row.x_m, row.y_m) for row in near if row.t_s == best_s}
