"""The state of one rack, and the event options: everything a ruling depends on.

A `Rack` is immutable; a ruling contains the next one, so a rack (and a match) is a fold
over what was played and declared. Words and values are those of the case format
(docs/case-format.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.edition import DEFAULT_EDITION, Edition
from rules.players import NO_FOULS, NOT_WARNED, Pair, Player
from table.balls import OBJECT_BALLS, Ball

ALL_BALLS: Final = frozenset(OBJECT_BALLS)


class Phase(StrEnum):
    """Where the rack stands."""

    BREAK = "break"
    SECOND_SHOT = "second_shot"
    """The one shot after a foul-free break: a push out may be announced (9.4)."""
    NORMAL = "normal"
    RACK_OVER = "rack_over"


class CueBall(StrEnum):
    """Where the player who acts next finds the cue ball."""

    IN_PLACE = "in_place"
    ANYWHERE = "in_hand_anywhere"
    BEHIND_HEAD_STRING = "behind_head_string"


class Option(StrEnum):
    """A decision that a player may have to take before anybody plays."""

    ACCEPT = "accept"
    HAND_BACK = "hand_back"
    ACCEPT_NO_PUSH_OUT = "accept_no_push_out"
    HAND_BACK_PUSH_OUT_ALLOWED = "hand_back_push_out_allowed"
    SELF_BREAKS = "self_breaks"
    OPPONENT_BREAKS = "opponent_breaks"


PLAY_OR_HAND_BACK: Final = (Option.ACCEPT, Option.HAND_BACK)
THREE_POINT_OPTIONS: Final = (Option.ACCEPT_NO_PUSH_OUT, Option.HAND_BACK_PUSH_OUT_ALLOWED)
WHO_BREAKS: Final = (Option.SELF_BREAKS, Option.OPPONENT_BREAKS)


class BreakOrder(StrEnum):
    """Who breaks the next rack (9.1, regulation on subsequent breaks)."""

    ALTERNATE = "alternate"
    WINNER = "winner"
    LOSER = "loser"


class LastBallMoment(StrEnum):
    """When "the ten is the last ball" is tested (9.8, decision J1)."""

    SHOT_START = "shot_start"
    AT_POCKETING = "at_pocketing"


@dataclass(frozen=True, slots=True)
class EventOptions:
    """What the organiser may announce; the defaults are the rule text.

    The edition of that text is among it.
    """

    three_point_break: bool = False
    break_order: BreakOrder = BreakOrder.ALTERNATE
    ten_last_ball_moment: LastBallMoment = LastBallMoment.SHOT_START
    visible_counter_is_warning: bool = False
    edition: Edition = DEFAULT_EDITION


DEFAULT_OPTIONS: Final = EventOptions()


@dataclass(frozen=True, slots=True)
class Rack:
    """One rack between two strokes.

    `None` in `stalemate_turns_left`, `clock` and `extensions_used` means: not known. Then a
    declaration proves its own precondition (a clock that expired was running).
    """

    balls: frozenset[Ball] = ALL_BALLS
    """Object balls in play; the cue ball always is."""
    at_table: Player = Player.A
    """Who must act: play, or decide while `options` is not empty. The winner after a rack."""
    breaker: Player = Player.A
    fouls: Pair[int] = NO_FOULS
    """Consecutive fouls within this rack (6.14)."""
    phase: Phase = Phase.BREAK
    cue_ball: CueBall = CueBall.BEHIND_HEAD_STRING
    warned: Pair[bool] = NOT_WARNED
    """Warned on two fouls during the present visit."""
    options: tuple[Option, ...] = ()
    hand_back_to: Player | None = None
    """Who plays when the decision is to hand the table back."""
    stalemate_turns_left: Pair[int] | None = None
    stalemate_agreed: frozenset[Player] = frozenset()
    clock: Pair[bool] | None = None
    extensions_used: Pair[int] | None = None
    winner: Player | None = None
    match_over: bool = False

    @property
    def is_over(self) -> bool:
        """True between racks."""
        return self.phase is Phase.RACK_OVER

    @property
    def push_out_available(self) -> bool:
        """True when the next stroke may be announced as a push out (9.4)."""
        return self.phase is Phase.SECOND_SHOT and not self.options


def new_rack(breaker: Player = Player.A, clock: Pair[bool] | None = None) -> Rack:
    """A racked table: `breaker` to break, counters at zero; a running clock stays."""
    return Rack(at_table=breaker, breaker=breaker, clock=clock)
