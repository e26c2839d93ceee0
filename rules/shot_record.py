"""The events of one shot, sorted for reading: who, when, and how sure.

The reading modules (`rules.first_contact`, `rules.rail_contacts`, `rules.departures`)
ask a `ShotRecord`; `rules.reading` puts their answers together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from rules.declarations import NOTHING_SAID, Before
from rules.facts import DECIDE_PROBABILITY, ClipSpan, Mark, Truth
from rules.rack import Rack
from table.balls import CUE, Ball, BallName, ball_order, is_ball_name, is_unknown
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    LateDrop,
    OtherEvent,
    ShotEnded,
    ShotEvent,
    ShotStarted,
    known_span_s,
)
from table.geometry import NINE_FOOT, Point, TableSpec

CLIP_MARGIN_S: Final = 1.0
"""How much to look at on either side of a doubtful event."""


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """What is sure enough, and how well the camera measures."""

    decide_probability: float = DECIDE_PROBABILITY
    """An event at least this probable happened; a less probable one is undecided."""
    position_sigma_m: float = 0.003
    """One standard deviation of a resting position: steady picture and calibration."""
    line_sigmas: float = 3.0
    """The cue ball is off the head string only beyond this many standard deviations."""
    moved_m: float = 0.015
    """A resting ball that lies this far from where it lay has been moved."""
    rest_speed_mps: float = 0.005
    """Slower than this, a ball rests (8.2; the shot log's definition of rest)."""
    press_s: float = 0.02
    """A ball pressed into the rail it rests on touches it within this of being struck."""


DEFAULT_READING: Final = ReadingSettings()


@dataclass(frozen=True)
class ShotRecord:
    """The events of one shot with what was known when it began."""

    events: Sequence[ShotEvent]
    rack: Rack
    before: Before = NOTHING_SAID
    table: TableSpec = NINE_FOOT
    settings: ReadingSettings = field(default=DEFAULT_READING)

    @cached_property
    def start(self) -> ShotStarted | None:
        """The stroke; None when the log does not hold it."""
        return next((e for e in self.events if isinstance(e, ShotStarted)), None)

    @cached_property
    def end(self) -> ShotEnded | None:
        """The rest; None when the log does not hold it."""
        return next((e for e in reversed(self.events) if isinstance(e, ShotEnded)), None)

    @cached_property
    def start_balls(self) -> dict[BallName, Point]:
        """Where the balls rested before the stroke, as far as the log says.

        In a clip that begins within the shot nothing rested when it began.
        """
        return {} if self.start is None or self.begins_unseen else dict(self.start.balls)

    @cached_property
    def end_balls(self) -> dict[BallName, Point]:
        """Where the balls rest after the shot, as far as the log says.

        A ball seen lying in a pocket is not on the table and is left out.
        """
        found = self.end.balls if self.end else {}
        return {ball: point for ball, point in found.items() if not self._in_a_pocket(point)}

    def _in_a_pocket(self, point: Point) -> bool:
        past = self.settings.line_sigmas * self.settings.position_sigma_m
        return not self.table.contains(point, self.table.ball_radius_m) or any(
            shape.is_past_return(point) and shape.depth_m(point) > shape.shelf_m + past
            for shape in self.table.pockets.values()
        )

    @cached_property
    def contacts(self) -> tuple[BallContact, ...]:
        """All contacts of two balls, in order of time."""
        return tuple(e for e in self.events if isinstance(e, BallContact))

    @cached_property
    def cushion_contacts(self) -> tuple[CushionContact, ...]:
        """All contacts with cushions, jaws and rail tops, in order of time."""
        return tuple(e for e in self.events if isinstance(e, CushionContact))

    @cached_property
    def moving(self) -> frozenset[BallName]:
        """Balls that still moved when the stroke began, noise left out."""
        if self.start is None:
            return frozenset()
        speeds, rest = self.start.moving_speeds_mps, self.settings.rest_speed_mps
        return frozenset(b for b in self.start.moving if speeds.get(b, math.inf) >= rest)

    @cached_property
    def incomplete(self) -> str | None:
        """Why the events cannot be all of them, None when they can."""
        if self.start is None:
            return "the log does not hold the stroke"
        if self.start.started_before_clip:
            return "the shot began before the clip"
        if self.end is None:
            return "the log ends before the balls rest"
        if self.end.incomplete is not None:
            return self.end.incomplete or "the view was cut"
        return "the clip ends before the balls rest" if self.end.ended_after_clip else None

    @property
    def begins_unseen(self) -> bool:
        """True when contacts may have happened before the first event."""
        return self.start is None or self.start.started_before_clip

    @cached_property
    def clip(self) -> ClipSpan | None:
        """From the first to the last time in the log."""
        span = known_span_s(self.events)
        return span and (max(0.0, span[0] - CLIP_MARGIN_S), span[1] + CLIP_MARGIN_S)

    # Names

    def ball(self, name: BallName) -> Ball | None:
        """The ball of that name; for one that cannot be named, the ball that it may be.

        Nobody may rely on the latter: `mark` leaves every fact about it undecided.
        """
        return self._stand_ins.get(name) if is_unknown(name) else Ball.from_text(name)

    def is_in_play(self, name: BallName) -> bool:
        """True for a named ball that the rack holds, and for the cue ball."""
        return name == CUE or (not is_unknown(name) and Ball.from_text(name) in self.rack.balls)

    @cached_property
    def _stand_ins(self) -> dict[BallName, Ball]:
        unnamed = sorted({n for n in self._all_names() if is_unknown(n)}, key=ball_order)
        possible = self.possible_balls
        return {n: possible[min(i, len(possible) - 1)] for i, n in enumerate(unnamed) if possible}

    @cached_property
    def possible_balls(self) -> tuple[Ball, ...]:
        """What an unnamed ball may be: balls in play that are not accounted for by name.

        Best those that rest nowhere by name and did not leave by name; else those of which
        the shot tells nothing; else any.
        """
        gone = {e.ball for e in self.events if isinstance(e, (BallPocketed, BallOffTable))}
        told = {name for e in self.events for name in names_in(e)}
        at_rest = set(self.end_balls)
        accounted = [told]
        if at_rest - {CUE}:
            accounted = [gone | at_rest | told, gone | at_rest, told]
        for names in (*accounted, gone, ()):
            free = tuple(ball for ball in sorted(self.rack.balls) if ball.text not in names)
            if free:
                return free
        return ()

    def _all_names(self) -> Iterator[BallName]:
        yield from self.start_balls
        yield from self.end_balls
        if self.start is not None:
            yield from self.start.moving
        for event in self.events:
            yield from names_in(event)
            touched = event.fields.get("ball") if isinstance(event, OtherEvent) else None
            if is_ball_name(touched):
                yield str(touched)

    # Times and certainty

    def mark(self, event: ShotEvent, *names: BallName) -> Mark:
        """How sure `event` is. Resting on a ball that is not named or not in play: undecided."""
        p = event.confidence
        sure = p >= self.settings.decide_probability
        doubtful = next((n for n in names if not self.is_in_play(n)), None)
        margin = None if sure else f"p {p:.2f}"
        if doubtful is not None:
            unnamed = is_unknown(doubtful)
            margin = f"{doubtful} cannot be named" if unnamed else f"the {doubtful} is not in play"
            p = 0.9 * p / max(1, len(self.possible_balls) if unnamed else 2)
        truth = Truth.YES if sure and doubtful is None else Truth.UNDECIDED
        return Mark(truth, p, margin, (reference(event),), clip_of(event))


def names_in(event: ShotEvent) -> tuple[BallName, ...]:
    """The balls that an event is about."""
    match event:
        case BallContact():
            return (event.a, event.b)
        case CushionContact() | BallPocketed() | BallOffTable() | LateDrop():
            return (event.ball,)
    return ()


def placed_by_hand(event: ShotEvent) -> BallName | None:
    """The ball that a hand put down or holds, None for other events."""
    if isinstance(event, OtherEvent) and event.name in ("ball_placed", "ball_in_hand"):
        ball = event.fields.get("ball", CUE if event.name == "ball_in_hand" else None)
        return ball if isinstance(ball, str) else None
    return None


def reference(event: ShotEvent) -> str:
    """How evidence names an event: its kind and time, "ball_contact@1.710"."""
    kind = event.name if isinstance(event, OtherEvent) else event.kind
    return kind if event.t_s is None else f"{kind}@{event.t_s:.3f}"


def clip_of(*events: ShotEvent) -> ClipSpan | None:
    """What to look at: the events' times with a margin."""
    span = known_span_s(events)
    if span is None:
        return None
    margin = CLIP_MARGIN_S + max(e.dt_s for e in events)
    return (round(max(0.0, span[0] - margin), 3), round(span[1] + margin, 3))


def earliest(event: ShotEvent) -> float:
    """The earliest time at which the event may have happened."""
    return -math.inf if event.t_s is None else event.t_s - event.dt_s


def latest(event: ShotEvent) -> float:
    """The latest time at which the event may have happened."""
    return math.inf if event.t_s is None else event.t_s + event.dt_s


_ROUNDING_S: Final = 1e-9


def precedes(a: ShotEvent, b: ShotEvent) -> bool:
    """True when `a` surely happened before `b`: their intervals do not touch."""
    return latest(a) < earliest(b) - _ROUNDING_S


def overlap(a: ShotEvent, b: ShotEvent) -> bool:
    """True when the order of two events cannot be told."""
    return not precedes(a, b) and not precedes(b, a)
