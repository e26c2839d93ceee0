"""What people declare: the words before a stroke, and everything said after or instead.

A camera cannot know these. `Before` belongs to the stroke that follows; the others are
given in order, after the stroke or instead of one. Names and fields are those of the case
format; `rules.declaration_json` reads them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.facts import Placement
from rules.players import Player
from rules.rack import Option
from table.balls import Ball
from table.geometry import Cushion, Pocket


class Kind(StrEnum):
    """How the stroke was announced."""

    NORMAL = "normal"
    SAFETY = "safety"
    PUSH_OUT = "push_out"


class Declarer(StrEnum):
    """Who declared balls frozen."""

    REFEREE = "referee"
    OPPONENT = "opponent"
    SHOOTER = "shooter"


class Penalty(StrEnum):
    """What the referee gives for unsporting conduct (6.17)."""

    WARNING = "warning"
    STANDARD_FOUL = "standard_foul"
    SERIOUS_FOUL = "serious_foul"
    LOSS_OF_RACK = "loss_of_rack"
    LOSS_OF_SET = "loss_of_set"
    LOSS_OF_MATCH = "loss_of_match"
    DISQUALIFICATION = "disqualification"


class Scope(StrEnum):
    """What is conceded."""

    RACK = "rack"
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class Call:
    """A called ball and pocket (9.5)."""

    ball: Ball
    pocket: Pocket


@dataclass(frozen=True, slots=True)
class Frozen:
    """`a` touches `b` (a ball or a cushion), as `by` declared before the stroke (6.7, 8.4)."""

    a: Ball
    b: Ball | Cushion
    by: Declarer


@dataclass(frozen=True, slots=True)
class Before:
    """All that was declared before the stroke."""

    called: Call | None = None
    kind: Kind = Kind.NORMAL
    frozen: tuple[Frozen, ...] = ()
    withdrawn: Kind | None = None
    """A kind that was announced and taken back before the stroke."""


NOTHING_SAID = Before()


@dataclass(frozen=True, slots=True)
class FoulCall:
    """A person calls a foul by `by`."""

    rule: str
    by: Player
    intentional: bool = False
    about_previous_shot: bool = False
    penalty: Penalty | None = None
    """For 6.17 only; None: the normal one, a serious foul."""
    item: str | None = None
    ball: Ball | None = None
    pocketed: Pocket | None = None
    """Where `ball` was knocked to by the touch (6.6, J10)."""
    thing: str | None = None
    """What touched it: clothing, chalk, bridge..."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """A person confirms an advisory or an automatic finding."""

    rule: str


@dataclass(frozen=True, slots=True)
class Dismiss:
    """A person dismisses an advisory or an automatic finding."""

    rule: str


@dataclass(frozen=True, slots=True)
class ObviousCall:
    """The referee accepts the uncalled shot as obvious (9.5)."""

    ball: Ball
    pocket: Pocket
    by: str | None = None
    """"assumed" when a program assumed it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The decider decides."""

    by: Player
    value: Option


@dataclass(frozen=True, slots=True)
class CorrectCall:
    """The operator's slip in the call, corrected in time."""

    to: Call
    was: Call | None = None


@dataclass(frozen=True, slots=True)
class LateDeclaration:
    """Said after the stroke began: no effect."""

    kind: Kind | None = None


@dataclass(frozen=True, slots=True)
class LateFoulCall:
    """A foul claimed late: void once the next stroke was played."""

    rule: str
    by: Player
    after_next_stroke: bool = True


@dataclass(frozen=True, slots=True)
class CallRequested:
    """Somebody asks for the call; no effect by itself."""

    by: str | None = None


@dataclass(frozen=True, slots=True)
class WarnTwoFouls:
    """The referee has warned `by` on two fouls (6.14)."""

    by: Player


@dataclass(frozen=True, slots=True)
class SpeedUpRequest:
    """The referee asks `by` to speed up (6.15)."""

    by: Player


@dataclass(frozen=True, slots=True)
class ClockOn:
    """The shot clock is imposed, for both players (6.15)."""


@dataclass(frozen=True, slots=True)
class Extension:
    """`by` takes an extension, once a rack."""

    by: Player


@dataclass(frozen=True, slots=True)
class TimeExpired:
    """The time of `by` ran out before the stroke (6.15)."""

    by: Player


@dataclass(frozen=True, slots=True)
class Unsporting:
    """Unsporting conduct of `by`, with the referee's penalty and the item a-h (6.17)."""

    by: Player
    penalty: Penalty = Penalty.SERIOUS_FOUL
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Interference:
    """Somebody else disturbed `ball`: it is put back (1.9)."""

    by: str | None = None
    ball: Ball | None = None


@dataclass(frozen=True, slots=True)
class Restore:
    """The referee puts balls back (1.8)."""

    balls: tuple[Ball, ...] = ()


@dataclass(frozen=True, slots=True)
class CannotRestore:
    """The position cannot be restored: as a stalemate (1.9)."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The shot is annulled and played again from the restored position (1.7, 1.9)."""


@dataclass(frozen=True, slots=True)
class BallFellByItself:
    """A resting ball fell into a pocket by itself: put back (1.7)."""

    ball: Ball
    pocket: Pocket | None = None


@dataclass(frozen=True, slots=True)
class PlacementCheck:
    """The breaker asked and the referee answered: behind or in front (6.10)."""

    result: Placement


@dataclass(frozen=True, slots=True)
class StalemateAnnounce:
    """No progress: three more turns each (1.12)."""


@dataclass(frozen=True, slots=True)
class StalemateAgree:
    """`by` agrees to a stalemate at once (1.12)."""

    by: Player


@dataclass(frozen=True, slots=True)
class StalemateDeclare:
    """The referee declares the stalemate (1.12, 9.12)."""


@dataclass(frozen=True, slots=True)
class Rerack:
    """The referee has the balls racked again; the same player breaks."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class NextRack:
    """The next rack of the match is racked (9.1)."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A ball that should be on the table is spotted now; only the ten ever is (9.9)."""

    ball: Ball


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes back the declaration before it."""


@dataclass(frozen=True, slots=True)
class WithdrawFoul:
    """The referee withdraws a call: position restored, nobody fouls (J24)."""

    rule: str


@dataclass(frozen=True, slots=True)
class Concede:
    """`by` concedes; without a scope, the match (1.11)."""

    by: Player
    scope: Scope = Scope.MATCH


@dataclass(frozen=True, slots=True)
class LagResult:
    """One player's lag: good, or why not (1.2)."""

    good: bool
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Lag:
    """Both players' lags (1.2)."""

    a: LagResult
    b: LagResult


@dataclass(frozen=True, slots=True)
class LagWon:
    """`by` won the lag and chooses who breaks first (1.2, 9.1)."""

    by: Player


After = (
    FoulCall
    | Confirm
    | Dismiss
    | ObviousCall
    | Choice
    | CorrectCall
    | LateDeclaration
    | LateFoulCall
    | CallRequested
    | WarnTwoFouls
    | SpeedUpRequest
    | ClockOn
    | Extension
    | TimeExpired
    | Unsporting
    | Interference
    | Restore
    | CannotRestore
    | Replay
    | BallFellByItself
    | PlacementCheck
    | StalemateAnnounce
    | StalemateAgree
    | StalemateDeclare
    | Rerack
    | NextRack
    | Spot
    | Undo
    | WithdrawFoul
    | Concede
    | Lag
    | LagWon
)
"""Anything that may be declared after a stroke, or instead of one."""


@dataclass(frozen=True, slots=True)
class Declarations:
    """Everything said about one event: before the stroke, and after it in order."""

    before: Before = NOTHING_SAID
    after: tuple[After, ...] = ()


SILENCE = Declarations()
