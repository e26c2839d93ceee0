"""Scoring every kind of event: right, claimed, overlooked, and how far off in time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from monitor.evaluation.happenings import ENDED, MOVING, POCKETED, STARTED, TIMED_KINDS, Happening
from monitor.evaluation.intervals import Share
from monitor.evaluation.matching import ShotPairs, assign, match_events
from monitor.evaluation.results import OurShot
from monitor.evaluation.scores import (
    LISTING_TOLERANCE,
    TIME_ERROR_TOLERANCE,
    TOLERANCES,
    Counts,
    EventScore,
    Miss,
    Stated,
    tolerance_s,
)
from monitor.evaluation.truth import Truth, TruthShot

OFF_IN_TIME_REACH_S: Final = 2.0
"""The same fact this far away is listed as one event off in time, not as two faults."""
NEAR_REACH_S: Final = 0.6


@dataclass(frozen=True, slots=True)
class EventFigures:
    """What scoring the events of a clip yields."""

    events: dict[str, EventScore]
    pocketed_sets: Share
    stated: tuple[Stated, ...]
    misses: tuple[Miss, ...]


def score_events(truth: Truth, pairs: ShotPairs, ours: Sequence[OurShot]) -> EventFigures:
    """Score the timed kinds and the balls moving at the start, shot by shot."""
    events: dict[str, EventScore] = {kind: EventScore() for kind in (*TIMED_KINDS, MOVING)}
    stated: list[Stated] = []
    misses: list[Miss] = []
    sets = Share(0, 0)
    for shot, our in pairs.pairs:
        items = [
            replace(item, shot=shot.number)
            for candidate in ours
            if pairs.home.get(candidate.number) == shot.number
            for item in candidate.events
        ]
        for kind in TIMED_KINDS:
            table = _KindTable.of(truth, shot, items, kind)
            events[kind] += table.score()
            stated += table.stated()
            misses += table.misses(truth.name)
        moving, moving_misses = _score_moving(truth.name, shot, our)
        events[MOVING] += moving
        misses += moving_misses
        if shot.is_scored(POCKETED):
            same = our is not None and _same_pocketed(shot, items)
            sets += Share(int(same), 1)
    return EventFigures(events, sets, tuple(stated), tuple(misses))


@dataclass(frozen=True, slots=True)
class _KindTable:
    """Truth's and our events of one kind in one shot."""

    kind: str
    shot: TruthShot
    truth: list[Happening]
    ours: list[Happening]
    all_truth: list[Happening]
    all_ours: list[Happening]
    frame_s: float

    @classmethod
    def of(cls, truth: Truth, shot: TruthShot, items: list[Happening], kind: str) -> _KindTable:
        return cls(
            kind=kind,
            shot=shot,
            truth=[item for item in shot.events if item.kind == kind],
            ours=[item for item in items if item.kind == kind],
            all_truth=list(shot.events),
            all_ours=items,
            frame_s=truth.times.frame_s,
        )

    @property
    def is_complete(self) -> bool:
        return self.shot.is_scored(self.kind)

    def pairs(self, tolerance: str) -> list[tuple[int, int]]:
        return match_events(self.truth, self.ours, tolerance_s(tolerance, self.frame_s))

    def counts(self, tolerance: str) -> Counts:
        pairs = self.pairs(tolerance)
        tp = sum(not self.truth[i].neither for i, _ in pairs)
        overlooked, claimed = self._left(pairs)
        return Counts(tp, len(claimed) if self.is_complete else 0, len(overlooked))

    def score(self) -> EventScore:
        by_tolerance = {name: self.counts(name) for name in TOLERANCES}
        errors = tuple(
            self.ours[j].t_s - self.truth[i].t_s
            for i, j in self.pairs(TIME_ERROR_TOLERANCE)
            if not self.truth[i].neither
        )
        if self.is_complete:
            return EventScore(complete=by_tolerance, time_errors_s=errors)
        return EventScore(recall_only=by_tolerance, time_errors_s=errors)

    def stated(self) -> list[Stated]:
        """Our probabilities with what came true; nothing where truth is partial."""
        if not self.is_complete or self.kind in (STARTED, ENDED):
            return []
        pairs = self.pairs(TIME_ERROR_TOLERANCE)
        right = {j for i, j in pairs if not self.truth[i].neither}
        wrong = set(self._left(pairs)[1])
        return [
            Stated(self.kind, item.confidence, j in right)
            for j, item in enumerate(self.ours)
            if j in right or j in wrong
        ]

    def misses(self, clip: str) -> list[Miss]:
        overlooked, claimed = self._left(self.pairs(LISTING_TOLERANCE))
        truths, ours = [self.truth[i] for i in overlooked], [self.ours[j] for j in claimed]
        found = []
        late = assign(truths, ours, _off_in_time)
        for i, j in late:
            text = f"{ours[j].t_s - truths[i].t_s:+.3f} s"
            found.append(self._miss(clip, "off in time", truths[i], f"ours {text}"))
        for i, item in enumerate(truths):
            if i not in {pair[0] for pair in late}:
                near = _nearest(item, self.all_ours, "ours")
                found.append(self._miss(clip, "missed", item, near))
        for j, item in enumerate(ours if self.is_complete else []):
            if j not in {pair[1] for pair in late}:
                near = f"p {item.confidence:.2f}; {_nearest(item, self.all_truth, 'truth')}"
                found.append(self._miss(clip, "extra", item, near))
        return found

    def _miss(self, clip: str, fault: str, item: Happening, instead: str) -> Miss:
        return Miss(clip, self.kind, fault, item.t_s, item.text, instead, self.is_complete)

    def _left(self, pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
        """Indices of truth overlooked and of ours wrongly claimed; what is neither left out."""
        found, used = {i for i, _ in pairs}, {j for _, j in pairs}
        overlooked = [i for i, item in enumerate(self.truth) if i not in found and not item.neither]
        claimed = [
            j
            for j, item in enumerate(self.ours)
            if j not in used and not item.neither and not self._is_uncertain(item)
        ]
        return overlooked, claimed

    def _is_uncertain(self, item: Happening) -> bool:
        return any(zone.covers_apart_from_shot(item) for zone in self.shot.zones)


def _off_in_time(true: Happening, our: Happening) -> float | None:
    off_s = abs(true.t_s - our.t_s)
    return off_s if true.same_fact(our) and off_s <= OFF_IN_TIME_REACH_S else None


def _nearest(item: Happening, others: Sequence[Happening], whose: str) -> str:
    """What the other side says about these balls around that time, for the reader."""
    near = [
        other
        for other in others
        if abs(other.t_s - item.t_s) <= NEAR_REACH_S
        and (not item.balls.isdisjoint(other.balls) or item.kind == other.kind in (STARTED, ENDED))
    ]
    if not near:
        return f"{whose}: nothing near"
    near.sort(key=lambda other: abs(other.t_s - item.t_s) + (other.kind != item.kind) * 0.2)
    return f"{whose}: " + ", ".join(
        f"{other.text} {other.t_s - item.t_s:+.3f} s" for other in near[:2]
    )


def _score_moving(clip: str, shot: TruthShot, our: OurShot | None) -> tuple[EventScore, list[Miss]]:
    if "moving" not in shot.scored or shot.started_before_clip:
        return EventScore(), []
    claimed = our.moving if our else frozenset()
    counts = Counts(
        len(shot.moving & claimed), len(claimed - shot.moving), len(shot.moving - claimed)
    )
    misses = [
        Miss(clip, MOVING, fault, shot.start_s, ball)
        for fault, balls in (("missed", shot.moving - claimed), ("extra", claimed - shot.moving))
        for ball in sorted(balls)
    ]
    return EventScore(complete=dict.fromkeys(TOLERANCES, counts)), misses


def _same_pocketed(shot: TruthShot, ours: Sequence[Happening]) -> bool:
    def facts(items: Sequence[Happening]) -> set[tuple[frozenset[str], frozenset[str]]]:
        return {(item.balls, item.places) for item in items if item.kind == POCKETED}

    needed = facts([item for item in shot.events if not item.neither])
    allowed = facts(shot.events)
    claimed = facts(
        [
            item
            for item in ours
            if not any(zone.covers_apart_from_shot(item) for zone in shot.zones)
            or (item.balls, item.places) in allowed
        ]
    )
    return needed <= claimed <= allowed
