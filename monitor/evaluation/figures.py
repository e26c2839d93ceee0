"""The headline figures of a score by name: what floors guard and the page compares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.happenings import (
    CONTACT,
    CUSHION,
    ENDED,
    MOVING,
    OFF_TABLE,
    POCKETED,
    STARTED,
)
from monitor.evaluation.intervals import Share, percentile
from monitor.evaluation.scores import EventScore


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `more_is_better` says in which direction it improves."""

    name: str
    value: float
    more_is_better: bool = True

    def is_worse_than(self, other: float) -> bool:
        """True when `other` is better than this figure."""
        return self.value < other if self.more_is_better else self.value > other


def more_is_better(name: str) -> bool:
    """In which direction the figure of this name improves."""
    return not name.endswith(("_mm", "_ms"))


_F1_KINDS: Final = {
    STARTED: "0.1 s",
    CONTACT: "0.1 s",
    CUSHION: "0.1 s",
    POCKETED: "0.2 s",
    OFF_TABLE: "0.2 s",
    MOVING: "0.1 s",
    ENDED: "0.2 s",
}


def figures_of(score: ClipScore) -> dict[str, Figure]:
    """Every figure for which the score has a sample.

    The share of right first contacts counts undecided ones as not right, so that no floor
    is kept by deciding less; likewise rulings.
    """
    first, rulings, tracks = score.first_contact, score.rulings, score.tracks
    scored = first.right + first.wrong + first.undecided
    shares = {
        "shots_found": score.shots.recall,
        "first_contact_right": Share(first.right, scored),
        "first_contact_right_of_given": first.given,
        "pocketed_sets_right": score.pocketed_sets,
        "named_right": score.rest.named,
        "resting_balls_found": score.rest.found,
    }
    if rulings is not None:
        whole = rulings.right + rulings.wrong + rulings.questions
        shares["rulings_right"] = Share(rulings.right, whole)
        shares["rulings_right_of_given"] = rulings.given
    values: dict[str, float | None] = {name: share.value for name, share in shares.items()}
    for kind, tolerance in _F1_KINDS.items():
        counts = score.events.get(kind, EventScore()).complete.get(tolerance)
        values[f"{kind}_f1"] = counts.f1 if counts is not None else None
    if tracks is not None:
        values |= {"hota": tracks.hota, "idf1": tracks.idf1}
        values["moving_recall"] = tracks.moving.recall.value
    figures = [Figure(name, value) for name, value in values.items() if value is not None]
    return {figure.name: figure for figure in figures + _smaller_is_better(score)}


def _smaller_is_better(score: ClipScore) -> list[Figure]:
    errors, contacts = score.rest.errors_mm, score.events.get(CONTACT, EventScore())
    off_ms = [abs(error) * 1000.0 for error in contacts.time_errors_s]
    values = {
        "rest_error_median_mm": percentile(errors, 0.5),
        "rest_error_p95_mm": percentile(errors, 0.95),
        "rest_error_max_mm": max(errors, default=None),
        "contact_time_median_ms": percentile(off_ms, 0.5),
    }
    return [
        Figure(name, value, more_is_better(name))
        for name, value in values.items()
        if value is not None
    ]
