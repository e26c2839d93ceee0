"""A ruling: the fouls, the questions, and the next state of the rack."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.declarations import After, Call, Kind, Penalty
from rules.facts import CERTAIN, ClipSpan, Mark
from rules.players import Player
from rules.rack import Option, Rack
from table.balls import Ball
from table.geometry import Point


class SpotPosition(StrEnum):
    """Where the ten is spotted (1.4), in words."""

    FOOT_SPOT = "foot_spot"
    BEHIND_BLOCKER_TOUCHING = "behind_blocker_touching"
    BEHIND_BLOCKER_WITH_GAP = "behind_blocker_with_gap"
    IN_FRONT_OF_FOOT_SPOT = "in_front_of_foot_spot"


@dataclass(frozen=True, slots=True)
class Foul:
    """An established foul."""

    article: str
    by: Player
    ball: Ball | None = None
    """The ball it is about: hit first, off the table, touched."""
    mark: Mark = CERTAIN
    called: bool = False
    """True when a person called or confirmed it."""
    penalty: Penalty | None = None
    """For 6.17: what the referee chose."""
    detail: str = ""
    """Which of the article's cases: "pocketed", "off_table", "no_contact", "no_rail"."""


@dataclass(frozen=True, slots=True)
class Question:
    """What only a person can decide; until then the ruling is provisional."""

    article: str
    ask: str
    """One question that yes or no answers."""
    clip: ClipSpan | None = None
    ball: Ball | None = None
    mark: Mark = CERTAIN


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the referee announces, with the state that follows."""

    rack: Rack
    """The next state: who acts, options, cue ball, counters, winner."""
    stroke: bool = False
    """True when a shot was played and not annulled."""
    shooter: Player | None = None
    """Who played it."""
    was_break: bool = False
    kind: Kind = Kind.NORMAL
    """The kind of stroke that was judged."""
    called: Call | None = None
    """The call that was judged."""
    fouls: tuple[Foul, ...] = ()
    """All established fouls, in rulebook order."""
    penalised: Foul | None = None
    """The gravest; the only one that is punished."""
    questions: tuple[Question, ...] = ()
    incomplete: str | None = None
    """Why the shot could not be judged as a whole."""
    pocketed: tuple[Ball, ...] = ()
    """Object balls that fell, in order, a spotted ten included."""
    spot: tuple[Ball, ...] = ()
    spot_position: SpotPosition | None = None
    spot_point: Point | None = None
    """Where exactly, when the positions are known."""
    called_made: Ball | None = None
    """The called ball that was legally pocketed."""
    restore: tuple[Ball, ...] = ()
    """Balls to put back where they were."""
    replay: bool = False
    rerack: bool = False
    lag_again: bool = False
    said: tuple[After, ...] = ()
    """What was declared and not undone, in order."""
    refused: tuple[str, ...] = ()
    """Declarations without effect, by type name ("extension", "push_out")."""
    prompt: str | None = None
    warn_prompt: Player | None = None
    """Who must be warned on two fouls now."""

    @property
    def legal(self) -> bool | None:
        """False: a foul stands; True: a shot without one; None: neither is known.

        None when nothing was shot, or the shot was annulled or not seen as a whole.
        """
        if self.fouls:
            return False
        return True if self.stroke and self.incomplete is None else None

    @property
    def options(self) -> tuple[Option, ...]:
        """What the next player must decide."""
        return self.rack.options

    @property
    def game_over(self) -> bool:
        """True when the rack ended."""
        return self.rack.is_over

    @property
    def provisional(self) -> bool:
        """True while a question is open."""
        return bool(self.questions)
