"""What happened in one shot, in the words of the rules, each fact with its certainty.

`ShotFacts` is all that a ruling knows of a stroke. The case format writes it down as it
is; `rules.reading` derives it from the events of a shot log. Facts are raw: that a lip
ball which falls after four seconds is pocketed (8.3), that a ball returned by the lamp is
off the table (8.5), or that a frozen ball must leave its rail (8.4) is decided by the
rules (`rules.stroke`), not here.

A fact is true, false or undecided. Facts that are false are simply not in the lists; one
that stands in a list is true or undecided, as its `Mark` says. An undecided fact makes a
question, never a foul (decision J26).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from rules.players import Player
from table.balls import Ball
from table.geometry import NINE_FOOT, Cushion, Pocket, TableSpec

ClipSpan = tuple[float, float]
"""From and to, in seconds of the source's presentation time."""

DECIDE_PROBABILITY: Final = 0.98
"""A fact with at least this probability is taken as true (setting `decide_probability`)."""


class Truth(Enum):
    """Yes, no, or undecided."""

    NO = 0
    UNDECIDED = 1
    YES = 2


def decided(probability: float, threshold: float = DECIDE_PROBABILITY) -> Truth:
    """The truth of a fact of `probability`: sure enough, surely not, or undecided."""
    if probability >= threshold:
        return Truth.YES
    return Truth.NO if probability <= 1.0 - threshold else Truth.UNDECIDED


@dataclass(frozen=True, slots=True)
class Mark:
    """How sure a fact is, and what shows it."""

    truth: Truth = Truth.YES
    probability: float = 1.0
    margin: str | None = None
    """What the decision rests on or misses by, with unit: "3.1 mm", "12 ms", "p 0.64"."""
    evidence: tuple[str, ...] = ()
    """References to the events that show it ("ball_contact@1.710")."""
    clip: ClipSpan | None = None
    """What to look at when a person must decide."""

    @property
    def is_sure(self) -> bool:
        """True when the fact is not open to doubt."""
        return self.truth is Truth.YES

    @property
    def is_likely(self) -> bool:
        """True when the fact happened more probably than not: the provisional reading."""
        return self.truth is Truth.YES or (
            self.truth is Truth.UNDECIDED and self.probability >= 0.5
        )


CERTAIN: Final = Mark()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way in which the first contact may have been made.

    `balls` are those struck at one instant (not separable counts as one instant, J8);
    empty: none was struck. `unnamed` balls ("u1") may be any ball.
    """

    balls: tuple[Ball, ...]
    probability: float = 1.0
    unnamed: bool = False


@dataclass(frozen=True, slots=True)
class FirstContact:
    """The first object ball that the cue ball touched.

    `candidates` are ordered by probability. With a sure mark the first one is the fact;
    otherwise each of them is possible.
    """

    candidates: tuple[Candidate, ...]
    mark: Mark = CERTAIN

    @property
    def likeliest(self) -> Candidate:
        """The candidate that counts, or would count if nobody looked closer."""
        return self.candidates[0]


def contact_with(*balls: Ball, mark: Mark = CERTAIN) -> FirstContact:
    """A first contact with `balls` at one instant; none given: no contact at all."""
    return FirstContact((Candidate(balls),), mark)


NO_CONTACT: Final = contact_with()


class Moment(Enum):
    """When a rail was touched, seen from the first contact of cue ball and object ball."""

    BEFORE = "before"
    AFTER = "after"
    UNORDERED = "unordered"
    """The intervals overlap: for the shooter, as a contact after it (J8)."""


class RailDetail(StrEnum):
    """What is special about a ball's contact with a rail (8.1, 8.4, 8.5)."""

    JAW_ONLY = "jaw_only"
    SAME_RAIL_NEVER_LEFT = "same_rail_never_left"
    """It rested against this rail and was only pressed into it."""
    LEFT_AND_RETURNED = "left_and_returned"
    OTHER_RAIL = "other_rail"
    RAIL_TOP_RETURNED = "rail_top_returned"
    RAIL_TOP_THEN_POCKET = "rail_top_then_pocket"


@dataclass(frozen=True, slots=True)
class RailContact:
    """One contact of a ball with a cushion, a jaw, a pocket liner or a rail top."""

    ball: Ball
    moment: Moment = Moment.AFTER
    detail: RailDetail | None = None
    cushion: Cushion | None = None
    """Which of the six; None when the report does not say."""
    mark: Mark = CERTAIN


@dataclass(frozen=True, slots=True)
class PocketedBall:
    """A ball that fell into a pocket, or came back out of one (`ShotFacts.rebounded`)."""

    ball: Ball
    pocket: Pocket | None
    """None when it fell for sure but the pocket is not known."""
    mark: Mark = CERTAIN


@dataclass(frozen=True, slots=True)
class BallFact:
    """One ball of which something holds: off the table, moving at the start..."""

    ball: Ball
    mark: Mark = CERTAIN


@dataclass(frozen=True, slots=True)
class OutsideObject:
    """A ball that came back off a lamp, a person, a piece of chalk (8.5)."""

    ball: Ball
    thing: str = ""
    mark: Mark = CERTAIN


@dataclass(frozen=True, slots=True)
class LipDrop:
    """A ball that fell by itself `seconds` after everything stopped (8.3, five seconds)."""

    ball: Ball
    pocket: Pocket | None
    seconds: float
    tolerance_s: float = 0.0
    """Half-width of the uncertainty of `seconds`."""
    mark: Mark = CERTAIN


@dataclass(frozen=True, slots=True)
class SupportedBall:
    """A ball at the brink that falls if the balls `by` are taken away (8.3)."""

    ball: Ball
    pocket: Pocket | None
    by: tuple[Ball, ...] = ()
    mark: Mark = CERTAIN


@dataclass(frozen=True, slots=True)
class SettledBall:
    """A ball that fell by itself during the stroke (1.7)."""

    ball: Ball
    pocket: Pocket | None
    affected: bool
    """True when that changed the outcome of the stroke."""


class Placement(StrEnum):
    """The cue ball's centre against the head string when the break was struck (6.10)."""

    BEHIND = "behind"
    IN_FRONT = "in_front"
    ON_LINE = "on_line"
    UNSURE = "unsure"
    """Within the measuring error of the line."""


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The shot clock when the stroke began (6.15)."""

    used_s: float
    limit_s: float
    active: bool | None = None
    """None: the rack knows whether a clock is in force."""


@dataclass(frozen=True, slots=True)
class Advisory:
    """A suspicion of vision: without a person's confirmation it has no effect."""

    article: str
    mark: Mark = CERTAIN
    ball: Ball | None = None


@dataclass(frozen=True, slots=True)
class Blocker:
    """A ball in the way of spotting the ten: on the foot spot, or at a point (1.4)."""

    ball: Ball
    at: tuple[float, float] | str = "foot_spot"
    """A point of the table frame in metres, or the words of a report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotFacts:
    """One shot, from the tip's contact to the rest of all balls, in rule words.

    The lists hold what is true or undecided. `pocketed` and `off_table` hold the balls that
    went there and stayed there during the shot; lip balls, supported, rebounded and
    returned balls stand in their own lists.
    """

    first_contact: FirstContact = NO_CONTACT
    rails: tuple[RailContact, ...] = ()
    pocketed: tuple[PocketedBall, ...] = ()
    """In the order of falling where it is known (`pocket_order_known`)."""
    pocket_order_known: bool = False
    off_table: tuple[BallFact, ...] = ()
    moving_at_start: tuple[BallFact, ...] = ()
    shooter: Player | None = None
    """Who struck; None: the player at the table."""
    outside_objects: tuple[OutsideObject, ...] = ()
    lip_drops: tuple[LipDrop, ...] = ()
    supported: tuple[SupportedBall, ...] = ()
    rebounded: tuple[PocketedBall, ...] = ()
    cue_ball_touched_pocketed_ball: Mark | None = None
    """Not None: the cue ball touched a ball lying in a pocket and came back (8.3)."""
    frozen_ball_moved: Ball | None = None
    """A ball frozen to the cue ball that moved when the stroke was played (6.7)."""
    contact_and_rail_simultaneous: bool = False
    """First contact together with a cushion of the cue ball: for the shooter (J8)."""
    placement: Placement | None = None
    placement_mark: Mark = CERTAIN
    advisories: tuple[Advisory, ...] = ()
    settled: SettledBall | None = None
    settling: frozenset[Ball] = frozenset()
    """Balls that move by settling only: exempt from 6.9 (1.7)."""
    motion_residual_mm_s: float | None = None
    """Greatest speed seen at the start, when below the noise it is no motion."""
    reached_head_string: frozenset[Ball] = frozenset()
    """Object balls that reached the head string on the break (three-point option)."""
    clock: ClockReading | None = None
    template_touched: Ball | None = None
    next_stroke_started: bool = False
    """The next stroke has begun: advisories and late calls lapse (ch. 6 preamble)."""
    blockers: tuple[Blocker, ...] = ()
    """Balls near the long string when the ten is spotted, in order from the foot spot."""
    table: TableSpec = NINE_FOOT
    all_below_foot_spot_blocked: bool = False
    incomplete: str | None = None
    """Why the facts cannot be complete (the clip begins or ends within the shot)."""
    clip: ClipSpan | None = None
    """The whole shot."""
