"""Scoring tracks frame by frame, where truth has them (`truth_tracks.csv`).

The file has the columns of tracks.csv; `seen` 0 marks a ball that no camera could see in
that frame, and such rows count neither way. Similarity of two places is
1 - distance / ball diameter: one half at a radius, the gate of CLEAR and IDF1.

HOTA, IDF1 and switches come from the library `trackers` (its evaluation is adapted from
TrackEval and tested against it); without it only recall and naming are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from monitor.evaluation.intervals import Share
from monitor.evaluation.scores import Counts, TrackScore
from monitor.evaluation.track_rows import TrackRow
from table.balls import ball_order
from table.geometry import NINE_FOOT

MOVING_MPS: Final = 0.05
"""Faster balls count as moving for recall."""
DIAMETER_M: Final = NINE_FOOT.ball_diameter_m

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Frame:
    """Truth and output of one frame, with the similarity (N, M) of every pair."""

    true: tuple[TrackRow, ...]
    ours: tuple[TrackRow, ...]
    similarity: Array


def score_tracks(
    truth: Sequence[TrackRow], ours: Sequence[TrackRow], frame_s: float
) -> TrackScore | None:
    """Score our tracks against truth's; None when truth has none."""
    if not truth:
        return None
    frames = _frames(truth, ours, frame_s)
    score = TrackScore(moving=_moving(frames), named=_named(frames))
    if find_spec("trackers") is None:
        return score
    return score + _library_figures(frames)


def _frames(truth: Sequence[TrackRow], ours: Sequence[TrackRow], frame_s: float) -> list[_Frame]:
    by_time = _by_time(ours)
    times = np.array(sorted(by_time))
    frames = []
    for t_s, rows in sorted(_by_time(truth).items()):
        found: list[TrackRow] = []
        if len(times):
            nearest = float(times[int(np.argmin(np.abs(times - t_s)))])
            found = by_time[nearest] if abs(nearest - t_s) <= frame_s / 2 else []
        hidden = [row for row in rows if not row.seen]
        seen = tuple(row for row in rows if row.seen)
        kept = tuple(row for row in found if not _stands_for_hidden(row, hidden, seen))
        frames.append(_Frame(seen, kept, _similarity(seen, kept)))
    return frames


def _by_time(rows: Sequence[TrackRow]) -> dict[float, list[TrackRow]]:
    grouped: dict[float, list[TrackRow]] = {}
    for row in rows:
        grouped.setdefault(row.t_s, []).append(row)
    return grouped


def _stands_for_hidden(row: TrackRow, hidden: Sequence[TrackRow], seen: Sequence[TrackRow]) -> bool:
    """True when our row is about a ball that could not be seen: it counts neither way."""
    if any(row.ball == true.ball for true in hidden):
        return True
    near = [true for true in hidden if _distance_m(true, row) < DIAMETER_M / 2]
    return bool(near) and not any(_distance_m(true, row) < DIAMETER_M / 2 for true in seen)


def _distance_m(a: TrackRow, b: TrackRow) -> float:
    return float(np.hypot(a.x_m - b.x_m, a.y_m - b.y_m))


def _similarity(true: Sequence[TrackRow], ours: Sequence[TrackRow]) -> Array:
    a = np.array([(row.x_m, row.y_m) for row in true]).reshape(-1, 1, 2)
    b = np.array([(row.x_m, row.y_m) for row in ours]).reshape(1, -1, 2)
    similarity: Array = np.maximum(0.0, 1.0 - np.linalg.norm(a - b, axis=2) / DIAMETER_M)
    return similarity


def _moving(frames: Sequence[_Frame]) -> Counts:
    """Moving balls of truth near which we saw (not only predicted) a ball."""
    found = missed = 0
    for frame in frames:
        seen = np.array([row.seen for row in frame.ours], dtype=bool)
        for i, row in enumerate(frame.true):
            if row.speed_mps > MOVING_MPS:
                hit = bool(np.any(frame.similarity[i][seen] > 0.0)) if seen.any() else False
                found, missed = found + hit, missed + (not hit)
    return Counts(tp=found, fn=missed)


def _named(frames: Sequence[_Frame]) -> Share:
    """Ball-frames of truth in which the ball stands in its place under its own name."""
    right = total = 0
    for frame in frames:
        columns = {row.ball: j for j, row in enumerate(frame.ours)}
        for i, row in enumerate(frame.true):
            total += 1
            right += row.ball in columns and bool(frame.similarity[i, columns[row.ball]] >= 0.5)
    return Share(right, total)


def _library_figures(frames: Sequence[_Frame]) -> TrackScore:
    from trackers.eval import (  # noqa: PLC0415
        compute_clear_metrics,
        compute_hota_metrics,
        compute_identity_metrics,
    )

    names = sorted({row.ball for f in frames for row in (*f.true, *f.ours)}, key=ball_order)
    ids = {name: number for number, name in enumerate(names)}
    true_ids = [np.array([ids[row.ball] for row in f.true], dtype=int) for f in frames]
    our_ids = [np.array([ids[row.ball] for row in f.ours], dtype=int) for f in frames]
    similarity = [f.similarity for f in frames]
    hota: dict[str, Any] = compute_hota_metrics(true_ids, our_ids, similarity)
    identity: dict[str, Any] = compute_identity_metrics(true_ids, our_ids, similarity)
    clear: dict[str, Any] = compute_clear_metrics(true_ids, our_ids, similarity)
    tp = tuple(float(x) for x in hota["HOTA_TP_array"])
    return TrackScore(
        hota_tp=tp,
        hota_fn=tuple(float(x) for x in hota["HOTA_FN_array"]),
        hota_fp=tuple(float(x) for x in hota["HOTA_FP_array"]),
        hota_ass=tuple(float(a) * t for a, t in zip(hota["AssA_array"], tp, strict=True)),
        id_tp=int(identity["IDTP"]),
        id_fp=int(identity["IDFP"]),
        id_fn=int(identity["IDFN"]),
        switches=int(clear["IDSW"]),
        without_switch=Share(int(clear["IDSW"] == 0), 1),
    )
