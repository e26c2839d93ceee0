"""Figures as rows of text: the same rows serve the terminal, the page and JSON."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
from monitor.evaluation.scores import TOLERANCES, Counts, EventScore, Stated

KIND_TITLES = {
    STARTED: "shot start",
    CONTACT: "ball contacts",
    CUSHION: "cushion contacts",
    POCKETED: "pocketed",
    OFF_TABLE: "off the table",
    MOVING: "moving at start",
    ENDED: "shot end",
}

RELIABILITY_EDGES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table of text cells."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remark: str = ""


def percent(share: Share) -> str:
    """A share with its bounds: "97.5 % [86.8, 99.9]", "-" without a trial."""
    if share.value is None:
        return "-"
    low, high = share.bounds
    return f"{100 * share.value:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def number(value: float | None, form: str = ".2f") -> str:
    """A number, "-" for none."""
    return "-" if value is None else format(value, form)


def of(share: Share) -> str:
    """A share as counts: "7 of 9"."""
    return f"{share.hits} of {share.trials}"


def event_table(score: ClipScore) -> Table:
    """A row for each kind of event and tolerance, over the complete lists."""
    rows = []
    for kind, title in KIND_TITLES.items():
        found = score.events.get(kind, EventScore())
        for tolerance in TOLERANCES[:1] if kind == MOVING else TOLERANCES:
            counts = found.complete.get(tolerance, Counts())
            if counts != Counts():
                first = tolerance == TOLERANCES[0]
                within = "" if kind == MOVING else tolerance
                rows.append(_event_row(title if first else "", within, counts, found))
    head = ("event", "within", "TP", "FP", "FN", "precision", "recall", "F1")
    title = "Events (lists of truth that are complete)"
    return Table(title, (*head, "time off: median", "p95"), tuple(rows))


def _event_row(title: str, tolerance: str, counts: Counts, score: EventScore) -> tuple[str, ...]:
    off_ms = [abs(error) * 1000 for error in score.time_errors_s]
    times = (number(percentile(off_ms, 0.5), ".0f"), number(percentile(off_ms, 0.95), ".0f"))
    shown = tuple(f"{t} ms" if t != "-" else t for t in times) if title else ("", "")
    return (
        title,
        tolerance,
        str(counts.tp),
        str(counts.fp),
        str(counts.fn),
        percent(counts.precision),
        percent(counts.recall),
        number(counts.f1, ".3f"),
        *shown,
    )


def recall_table(score: ClipScore) -> Table:
    """Recall over truth's partial lists, where extra events of ours mean nothing."""
    rows = []
    for kind, title in KIND_TITLES.items():
        found = score.events.get(kind, EventScore())
        for tolerance in TOLERANCES:
            counts = found.recall_only.get(tolerance, Counts())
            if counts != Counts():
                rows.append(
                    (title, tolerance, str(counts.tp), str(counts.fn), percent(counts.recall))
                )
    return Table(
        "Recall only (lists of truth that are partial)",
        ("event", "within", "found", "missed", "recall"),
        tuple(rows),
    )


def clip_table(scores: Sequence[ClipScore]) -> Table:
    """A row for each clip."""
    rows = []
    for score in scores:
        first, rest = score.first_contact, score.rest
        rows.append(
            (
                score.name,
                f"{score.shots.tp}/{score.shots.tp + score.shots.fn}"
                + (f" +{score.shots.fp}" if score.shots.fp else ""),
                _outcome(first.right, first.wrong, first.undecided),
                of(score.pocketed_sets) if score.pocketed_sets.trials else "-",
                *(_counts_text(score, kind) for kind in (CONTACT, CUSHION, POCKETED, OFF_TABLE)),
                number(percentile(rest.errors_mm, 0.5)),
                number(max(rest.errors_mm, default=None)),
                f"{rest.named_right}/{rest.found.trials}",
                _ruling_text(score),
            )
        )
    head = ("clip", "shots", "first contact", "pocketed set", "contacts", "cushions", "pocketed")
    remark = "Events: right+extra-missed within 0.1 s; (n/m) partial lists, found of those named."
    return Table(
        "Clips", (*head, "off", "rest mm", "max", "identity", "rulings"), tuple(rows), remark
    )


def _outcome(right: int, wrong: int, undecided: int) -> str:
    parts = [(right, "right"), (wrong, "WRONG"), (undecided, "undecided")]
    if right + wrong + undecided == 1:
        return next(word for count, word in parts if count)
    return ", ".join(f"{count} {word}" for count, word in parts if count) or "-"


def _counts_text(score: ClipScore, kind: str) -> str:
    found = score.events.get(kind, EventScore())
    counts, partial = found.complete.get("0.1 s"), found.recall_only.get("0.1 s", Counts())
    parts = []
    if counts is not None:
        parts.append(f"{counts.tp}+{counts.fp}-{counts.fn}")
    if partial != Counts():
        parts.append(f"({partial.tp}/{partial.tp + partial.fn})")
    return " ".join(parts) or "-"


def _ruling_text(score: ClipScore) -> str:
    rulings = score.rulings
    if rulings is None:
        return "-"
    return _outcome(rulings.right, rulings.wrong, rulings.questions)


def reliability_table(stated: Iterable[Stated]) -> Table:
    """Stated probabilities against what came true, by ranges of the stated value."""
    items = list(stated)
    rows = []
    for low, high in itertools.pairwise(RELIABILITY_EDGES):
        last = high == RELIABILITY_EDGES[-1]
        part = [s for s in items if low <= s.probability and (s.probability < high or last)]
        if not part:
            continue
        share = Share(sum(s.right for s in part), len(part))
        mean = sum(s.probability for s in part) / len(part)
        rows.append((f"{low:.2f} to {high:.2f}", str(len(part)), f"{mean:.3f}", percent(share)))
    return Table(
        "Stated probabilities (facts in complete lists, right within 0.2 s)",
        ("stated", "facts", "mean stated", "came true"),
        tuple(rows),
    )


def miss_table(score: ClipScore, limit: int | None = None) -> Table:
    """Everything that is wrong, clip by clip, in order of time."""
    ordered = sorted(score.misses, key=lambda miss: (miss.clip, miss.t_s or 0.0))
    rows = tuple(
        (
            miss.clip,
            miss.kind,
            miss.fault
            + ("" if miss.counted else " (partial list)" if "undecided" not in miss.fault else ""),
            number(miss.t_s, ".3f"),
            miss.text,
            miss.instead,
        )
        for miss in ordered[:limit]
    )
    left = len(ordered) - len(rows)
    head = ("clip", "kind", "fault", "t_s", "what", "instead")
    return Table("Misses", head, rows, f"... and {left} more" if left else "")
