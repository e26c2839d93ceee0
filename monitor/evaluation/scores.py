"""The parts of a clip's figures, made so that figures of many clips add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from monitor.evaluation.intervals import Share

TOLERANCES: Final = ("1 frame", "0.1 s", "0.2 s")
LISTING_TOLERANCE: Final = "0.1 s"
"""The tolerance at which misses are listed."""
TIME_ERROR_TOLERANCE: Final = "0.2 s"
"""Time errors are those of events matched within this."""


def tolerance_s(name: str, frame_s: float) -> float:
    """Seconds of a named tolerance at this frame interval."""
    return frame_s if name == "1 frame" else float(name.removesuffix(" s"))


@dataclass(frozen=True, slots=True)
class Counts:
    """Right (TP), claimed but wrong (FP), and overlooked (FN)."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> Share:
        """Share of what we claimed that is right."""
        return Share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> Share:
        """Share of what happened that we claimed."""
        return Share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of both; None when nothing happened and nothing was claimed."""
        whole = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / whole if whole else None


@dataclass(frozen=True, slots=True)
class EventScore:
    """One kind of event. Partial lists of truth serve `recall_only`, never precision."""

    complete: Mapping[str, Counts] = field(default_factory=dict)
    """Counts by tolerance, over the complete lists."""
    recall_only: Mapping[str, Counts] = field(default_factory=dict)
    """TP and FN by tolerance, over the partial lists; FP stays 0."""
    time_errors_s: tuple[float, ...] = ()
    """Ours minus truth, of the events matched within TIME_ERROR_TOLERANCE."""

    def __add__(self, other: EventScore) -> EventScore:
        return EventScore(
            _added(self.complete, other.complete),
            _added(self.recall_only, other.recall_only),
            self.time_errors_s + other.time_errors_s,
        )


@dataclass(frozen=True, slots=True)
class FirstContactScore:
    """The first ball struck: right and wrong of those given, and those left undecided."""

    right: int = 0
    wrong: int = 0
    undecided: int = 0
    undecided_leading_right: int = 0
    """Undecided ones whose likeliest ball is right."""

    def __add__(self, other: FirstContactScore) -> FirstContactScore:
        return FirstContactScore(
            self.right + other.right,
            self.wrong + other.wrong,
            self.undecided + other.undecided,
            self.undecided_leading_right + other.undecided_leading_right,
        )

    @property
    def given(self) -> Share:
        """Right among those given."""
        return Share(self.right, self.right + self.wrong)

    @property
    def left_undecided(self) -> Share:
        """Share of all scored shots left undecided."""
        return Share(self.undecided, self.right + self.wrong + self.undecided)


@dataclass(frozen=True, slots=True)
class RestScore:
    """Balls at rest: place and name. `errors_mm` is one value a ball and moment."""

    errors_mm: tuple[float, ...] = ()
    errors_without_shift_mm: tuple[float, ...] = ()
    """The same after the common shift of all balls of the moment is removed."""
    named_right: int = 0
    named_wrong: int = 0
    unnamed: int = 0
    missing: int = 0
    extra: int = 0

    def __add__(self, other: RestScore) -> RestScore:
        return RestScore(
            self.errors_mm + other.errors_mm,
            self.errors_without_shift_mm + other.errors_without_shift_mm,
            self.named_right + other.named_right,
            self.named_wrong + other.named_wrong,
            self.unnamed + other.unnamed,
            self.missing + other.missing,
            self.extra + other.extra,
        )

    @property
    def named(self) -> Share:
        """Right names among the names given."""
        return Share(self.named_right, self.named_right + self.named_wrong)

    @property
    def found(self) -> Share:
        """Resting balls found, whatever their name."""
        seen = self.named_right + self.named_wrong + self.unnamed
        return Share(seen, seen + self.missing)


@dataclass(frozen=True, slots=True)
class TrackScore:
    """Tracking figures that can be added: sums from which HOTA and IDF1 are recomputed."""

    hota_tp: tuple[float, ...] = ()
    """By localisation threshold: true positives; likewise below."""
    hota_fn: tuple[float, ...] = ()
    hota_fp: tuple[float, ...] = ()
    hota_ass: tuple[float, ...] = ()
    """Association accuracy weighted by true positives."""
    id_tp: int = 0
    id_fp: int = 0
    id_fn: int = 0
    switches: int = 0
    without_switch: Share = field(default_factory=Share)
    """Clips without any switch."""
    moving: Counts = field(default_factory=Counts)
    named: Share = field(default_factory=Share)
    """Ball-frames in which the ball is in its place under its own name."""

    def __add__(self, other: TrackScore) -> TrackScore:
        return TrackScore(
            _sums(self.hota_tp, other.hota_tp),
            _sums(self.hota_fn, other.hota_fn),
            _sums(self.hota_fp, other.hota_fp),
            _sums(self.hota_ass, other.hota_ass),
            self.id_tp + other.id_tp,
            self.id_fp + other.id_fp,
            self.id_fn + other.id_fn,
            self.switches + other.switches,
            self.without_switch + other.without_switch,
            self.moving + other.moving,
            self.named + other.named,
        )

    @property
    def hota(self) -> float | None:
        """HOTA, averaged over the thresholds (Luiten et al., IJCV 129, 2021, eq. 15)."""
        values = []
        for tp, fn, fp, ass in zip(
            self.hota_tp, self.hota_fn, self.hota_fp, self.hota_ass, strict=True
        ):
            detection = tp / max(tp + fn + fp, 1.0)
            values.append((detection * ass / max(tp, 1.0)) ** 0.5)
        return sum(values) / len(values) if values else None

    @property
    def idf1(self) -> float | None:
        """IDF1 (Ristani et al., ECCV 2016 workshops)."""
        whole = 2 * self.id_tp + self.id_fp + self.id_fn
        return 2 * self.id_tp / whole if whole else None


@dataclass(frozen=True, slots=True)
class RulingScore:
    """Rulings against the expected ones; one with an open question counts as a question."""

    right: int = 0
    wrong: int = 0
    questions: int = 0
    questions_agreeing: int = 0
    """Questions whose provisional ruling is the expected one."""

    def __add__(self, other: RulingScore) -> RulingScore:
        return RulingScore(
            self.right + other.right,
            self.wrong + other.wrong,
            self.questions + other.questions,
            self.questions_agreeing + other.questions_agreeing,
        )

    @property
    def given(self) -> Share:
        """Right among those given without a question."""
        return Share(self.right, self.right + self.wrong)

    @property
    def asked(self) -> Share:
        """Share of all rulings that hang on a question."""
        return Share(self.questions, self.right + self.wrong + self.questions)


@dataclass(frozen=True, slots=True)
class SpeedScore:
    """Seconds of footage and of work; `startup_s` is the work before the first frame."""

    clips: int = 0
    footage_s: float = 0.0
    frames: int = 0
    total_s: float = 0.0
    startup_s: float = 0.0

    def __add__(self, other: SpeedScore) -> SpeedScore:
        return SpeedScore(
            self.clips + other.clips,
            self.footage_s + other.footage_s,
            self.frames + other.frames,
            self.total_s + other.total_s,
            self.startup_s + other.startup_s,
        )


@dataclass(frozen=True, slots=True)
class Stated:
    """A probability that we stated, and whether the fact was right."""

    kind: str
    probability: float
    right: bool


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing that is wrong, with what we said instead."""

    clip: str
    kind: str
    fault: str
    """missed, extra, off in time, wrong, undecided"""
    t_s: float | None
    text: str
    instead: str = ""
    counted: bool = True
    """False for partial lists and undecided facts, which do not lower precision."""


def _added(a: Mapping[str, Counts], b: Mapping[str, Counts]) -> dict[str, Counts]:
    return {key: a.get(key, Counts()) + b.get(key, Counts()) for key in {**a, **b}}


def _sums(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, ...]:
    if not a or not b:
        return a or b
    return tuple(x + y for x, y in zip(a, b, strict=True))
