"""The figures as JSON: counts, shares with their 95 % bounds, time errors, every miss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from monitor.evaluation.clip_score import ClipScore, total_of
from monitor.evaluation.intervals import Share, percentile
from monitor.evaluation.rows import KIND_TITLES
from monitor.evaluation.scores import Counts, EventScore, Miss, TrackScore

VERSION: Final = 1
Json = dict[str, object]


def evaluation_json(scores: Sequence[ClipScore]) -> Json:
    """All clips and their total."""
    total = total_of(scores)
    return {
        "v": VERSION,
        "clips": [clip_json(score) for score in scores],
        "total": clip_json(total),
    }


def clip_json(score: ClipScore) -> Json:
    """The figures of one clip, or of many."""
    first, rest = score.first_contact, score.rest
    row: Json = {
        "name": score.name,
        "clips": score.clips,
        "shots": counts_json(score.shots),
        "first_contact": {
            "right": first.right,
            "wrong": first.wrong,
            "undecided": first.undecided,
            "undecided_leading_right": first.undecided_leading_right,
            "given": share_json(first.given),
            "left_undecided": share_json(first.left_undecided),
        },
        "pocketed_sets": share_json(score.pocketed_sets),
        "events": {
            kind: event_json(score.events[kind]) for kind in KIND_TITLES if kind in score.events
        },
        "rest": {
            "error_mm": spread_json(rest.errors_mm),
            "error_without_shift_mm": spread_json(rest.errors_without_shift_mm),
            "named_right": rest.named_right,
            "named_wrong": rest.named_wrong,
            "unnamed": rest.unnamed,
            "missing": rest.missing,
            "extra": rest.extra,
            "named": share_json(rest.named),
            "found": share_json(rest.found),
        },
        "rolling": share_json(score.rolling),
        "stated": [[s.kind, round(s.probability, 4), s.right] for s in score.stated],
        "misses": [miss_json(miss) for miss in score.misses],
        "problems": list(score.problems),
        "notes": list(score.notes),
    }
    if score.tracks is not None:
        row["tracks"] = tracks_json(score.tracks)
    if score.rulings is not None:
        rulings = score.rulings
        shares = {"given": share_json(rulings.given), "asked": share_json(rulings.asked)}
        row["rulings"] = asdict(rulings) | shares
    if score.speed is not None:
        row["speed"] = asdict(score.speed)
    return row


def event_json(score: EventScore) -> Json:
    """Counts at each tolerance, and the time errors in seconds."""
    return {
        "complete": {name: counts_json(counts) for name, counts in score.complete.items()},
        "recall_only": {
            name: {"found": c.tp, "missed": c.fn, "recall": share_json(c.recall)}
            for name, c in score.recall_only.items()
        },
        "time_error_s": spread_json([abs(error) for error in score.time_errors_s]),
    }


def counts_json(counts: Counts) -> Json:
    """TP, FP, FN and what follows from them."""
    return {
        "tp": counts.tp,
        "fp": counts.fp,
        "fn": counts.fn,
        "precision": share_json(counts.precision),
        "recall": share_json(counts.recall),
        "f1": counts.f1,
    }


def share_json(share: Share) -> Json:
    """A share with its bounds."""
    low, high = share.bounds
    bounds = [round(low, 6), round(high, 6)]
    return {"hits": share.hits, "of": share.trials, "value": share.value, "bounds_95": bounds}


def spread_json(values: Sequence[float]) -> Json:
    """Count, median, 95th percentile and maximum."""
    return {
        "count": len(values),
        "median": percentile(values, 0.5),
        "p95": percentile(values, 0.95),
        "max": max(values, default=None),
    }


def tracks_json(tracks: TrackScore) -> Json:
    """Tracking figures."""
    return {
        "hota": tracks.hota,
        "idf1": tracks.idf1,
        "switches": tracks.switches,
        "without_switch": share_json(tracks.without_switch),
        "moving_recall": share_json(tracks.moving.recall),
        "named": share_json(tracks.named),
    }


def miss_json(miss: Miss) -> Json:
    """One fault."""
    return asdict(miss)
