"""A drafted shot: what is played, what was declared, who carries which ball."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from synthetic.physics.flight import NotPlayableError
from synthetic.physics.play import Course, Play, Stroke, resting
from synthetic.physics.pool import PoolSimulation
from synthetic.verdicts import Intent
from table.balls import CUE, BallName
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    ShotEvent,
)
from table.geometry import Pocket, Point, TableSpec

Layout = dict[BallName, Point]


@dataclass(frozen=True)
class Carry:
    """A hand moves a ball: seen before a stroke (cue ball in hand) or after (spotting)."""

    ball: BallName
    from_s: float
    to_s: float
    reach_rad: float
    """Direction in the table frame from the ball to the person."""


@dataclass(frozen=True, eq=False)
class Draft:
    """One clip's shots, exact."""

    kind: str
    play: Play
    intents: tuple[Intent, ...]
    """One a stroke."""
    racked: bool = False
    carries: tuple[Carry, ...] = ()
    tail_s: float = 1.0
    """How long the clip goes on after the last ball stops."""
    starts_within: bool = False
    """True when the clip begins while balls still move from a stroke before it."""

    @property
    def first_shot(self) -> int:
        """Number of the first stroke that the clip shows."""
        return 2 if self.starts_within else 1

    @property
    def table(self) -> TableSpec:
        """The table it is played on."""
        return self.play.table

    @property
    def duration_s(self) -> float:
        """Length of the clip."""
        return self.play.end_s + self.tail_s


@dataclass(frozen=True)
class Told:
    """A play in the words that the kinds' conditions ask for."""

    events: tuple[ShotEvent, ...]

    @property
    def cue_contacts(self) -> list[BallContact]:
        """Contacts of the cue ball, by time."""
        return [e for e in self.events if isinstance(e, BallContact) and e.a == CUE]

    @property
    def first(self) -> BallName | None:
        """The ball struck first."""
        return self.cue_contacts[0].b if self.cue_contacts else None

    @property
    def first_s(self) -> float:
        """Time of the first contact, infinite without one."""
        return _time(self.cue_contacts[0]) if self.cue_contacts else float("inf")

    @property
    def pocketed(self) -> dict[BallName, Pocket]:
        """Balls that fell, with their pockets."""
        return {e.ball: e.pocket for e in self.events if isinstance(e, BallPocketed)}

    @property
    def off(self) -> set[BallName]:
        """Balls that left the table."""
        return {e.ball for e in self.events if isinstance(e, BallOffTable)}

    def cushions(self, ball: BallName | None = None, *, jaws: bool = True) -> list[CushionContact]:
        """Cushion contacts of one ball or of all."""
        return [
            e
            for e in self.events
            if isinstance(e, CushionContact) and ball in (None, e.ball) and (jaws or not e.jaw)
        ]

    def before_first(self) -> list[CushionContact]:
        """The cue ball's cushions before it struck a ball."""
        return [e for e in self.cushions(CUE) if _time(e) < self.first_s]

    def after_first(self) -> list[CushionContact]:
        """All cushion contacts after the first ball was struck."""
        return [e for e in self.cushions() if _time(e) >= self.first_s]

    def contacts(self, a: BallName, b: BallName) -> list[BallContact]:
        """Contacts between two balls."""
        return [e for e in self.events if isinstance(e, BallContact) and {e.a, e.b} == {a, b}]


def _time(event: ShotEvent) -> float:
    return float("inf") if event.t_s is None else event.t_s


def lowest(layout: Mapping[BallName, Point]) -> BallName:
    """The ball that must be struck first."""
    return min((name for name in layout if name != CUE), key=int)


def shoot(sim: PoolSimulation, layout: Layout, stroke: Stroke) -> Play:
    """Balls at rest, one stroke, to rest."""
    course = Course(sim)
    course.place(resting(sim.table, layout))
    course.strike(stroke)
    return course.finish()


Attempt = Callable[[], Draft | None]


def until_found(attempt: Attempt, tries: int = 600) -> Draft:
    """Try until a plan works; each try draws anew from its generator.

    Raises:
        NotPlayableError: when no try worked.
    """
    for _ in range(tries):
        try:
            draft = attempt()
        except NotPlayableError:
            continue
        if draft is not None:
            return draft
    raise NotPlayableError(f"no such shot in {tries} tries")


def choose(rng: np.random.Generator, items: Sequence[BallName]) -> BallName:
    """One of several balls."""
    return items[int(rng.integers(len(items)))]
