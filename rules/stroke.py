"""One stroke as the rules see it: the raw facts with the definitions applied.

Which balls left and which are put back (8.3, 8.5, 1.7) comes from `rules.leaving`; 8.4
(driven to a rail, frozen balls), 6.7 (a frozen ball that moves was hit) and J8 (doubt is
for the shooter) are decided here, once, for all articles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from rules.declarations import Call, Declarer, Frozen, Kind
from rules.facts import (
    BallFact,
    FirstContact,
    Mark,
    Moment,
    PocketedBall,
    RailContact,
    RailDetail,
    ShotFacts,
    Truth,
    contact_with,
)
from rules.leaving import leaving
from rules.players import Player
from rules.rack import EventOptions, Phase, Rack
from table.balls import Ball
from table.geometry import Cushion

MOTION_NOISE_MM_S: Final = 5.0
"""Below this speed a ball rests; a smaller residual is the camera's noise."""

NOTHING: Final[frozenset[Ball]] = frozenset()


@dataclass(frozen=True, slots=True)
class Stroke:
    """A stroke with the definitions applied; what `rules.fouls` and `rules.outcome` read."""

    rack: Rack
    facts: ShotFacts
    options: EventOptions
    shooter: Player
    kind: Kind
    """The kind that is allowed here; an impossible announcement counts as normal (J16)."""
    called: Call | None
    frozen: tuple[Frozen, ...]
    contact: FirstContact
    contact_at_strike: bool
    """True when the first contact was there when the tip struck (6.7): no rail before it."""
    down: tuple[PocketedBall, ...]
    """Object balls pocketed under 8.3, in order of falling; sure ones and undecided ones."""
    cue_down: Mark | None
    off: tuple[BallFact, ...]
    """Object balls driven off the table under 8.5."""
    cue_off: Mark | None
    restore: tuple[Ball, ...]
    """Balls that fell too late or by themselves: put back (1.7)."""
    lowest: Ball | None
    """The lowest ball when the stroke started (9)."""

    @property
    def is_break(self) -> bool:
        """True for the break shot."""
        return self.rack.phase is Phase.BREAK

    @property
    def out_of_turn(self) -> bool:
        """True when somebody else than the player at the table struck."""
        return self.shooter is not self.rack.at_table

    def none_down(self) -> Truth:
        """Was no object ball pocketed?"""
        truth = Truth.YES
        for ball in self.down:
            if ball.mark.is_sure:
                return Truth.NO
            truth = Truth.UNDECIDED
        return truth

    def counts(self, contact: RailContact) -> bool:
        """Is this contact "driven to a rail" (8.4)? A frozen ball must leave the rail first."""
        if contact.detail is not RailDetail.SAME_RAIL_NEVER_LEFT:
            return True
        return not any(
            f.a is contact.ball
            and isinstance(f.b, Cushion)
            and (contact.cushion is None or contact.cushion is f.b)
            for f in self.frozen
        )

    def is_after_contact(self, contact: RailContact) -> bool:
        """Did the rail contact follow the first contact? Doubt is for the shooter (J8)."""
        if contact.moment is not Moment.BEFORE or self.contact_at_strike:
            return True
        return self.facts.contact_and_rail_simultaneous and contact.ball is Ball.CUE

    def rail_after_contact(self) -> Truth:
        """Did any ball reach a rail after the first contact (6.3)?

        Pocketed and jumped balls have reached one (8.4), the cue ball too.
        """
        truth = Truth.NO
        for contact in self.facts.rails:
            if self.is_after_contact(contact) and self.counts(contact):
                if contact.mark.is_sure:
                    return Truth.YES
                truth = Truth.UNDECIDED
        for mark in self._gone():
            if mark.is_sure:
                return Truth.YES
            truth = Truth.UNDECIDED
        return truth

    def _gone(self) -> Iterable[Mark]:
        for mark in (self.cue_down, self.cue_off):
            if mark is not None:
                yield mark
        for pocketed in self.down:
            yield pocketed.mark
        for jumped in self.off:
            yield jumped.mark
        for back in self.facts.rebounded:
            if back.ball is not Ball.CUE:
                yield back.mark

    def object_balls_to_rails(self) -> tuple[set[Ball], set[Ball]]:
        """Object balls that reached a rail at any time (9.3): the sure, and the possible.

        Pocketed balls need no counting: one of them waives the four (9.3b).
        """
        sure: set[Ball] = set()
        possible: set[Ball] = set()
        for contact in self.facts.rails:
            if self.counts(contact):
                (sure if contact.mark.is_sure else possible).add(contact.ball)
        for back in self.facts.rebounded:
            (sure if back.mark.is_sure else possible).add(back.ball)
        for jumped in self.off:
            (sure if jumped.mark.is_sure else possible).add(jumped.ball)
        sure.discard(Ball.CUE)
        possible.discard(Ball.CUE)
        return sure, possible


def stroke_of(
    rack: Rack,
    facts: ShotFacts,
    options: EventOptions,
    *,
    shooter: Player,
    kind: Kind,
    called: Call | None,
    frozen: tuple[Frozen, ...],
    put_back: frozenset[Ball] = NOTHING,
    dismissed: frozenset[str] = frozenset(),
) -> Stroke:
    """Apply the definitions to the facts of one stroke.

    `put_back` are balls that a person had put back: they were not pocketed. `dismissed` are
    articles that a person dismissed: with 6.1 or 6.5 the ball did not leave.
    """
    left = leaving(rack, facts, put_back)
    contact, at_strike = _contact(facts, frozen)
    cue_stays = "6.1" in dismissed
    return Stroke(
        rack=rack,
        facts=facts,
        options=options,
        shooter=shooter,
        kind=kind,
        called=called,
        frozen=frozen,
        contact=contact,
        contact_at_strike=at_strike,
        down=left.down,
        cue_down=None if cue_stays else left.cue_down,
        off=() if "6.5" in dismissed else left.off,
        cue_off=None if cue_stays else left.cue_off,
        restore=left.restore,
        lowest=min(rack.balls, default=None),
    )


def _contact(facts: ShotFacts, frozen: tuple[Frozen, ...]) -> tuple[FirstContact, bool]:
    """6.7: a ball declared frozen to the cue ball that moved at the stroke was hit then.

    Only the referee's or the opponent's declaration counts; otherwise the balls are
    presumed apart (J17).
    """
    moved = facts.frozen_ball_moved
    if moved is None or not declared_frozen_to_cue(frozen, moved):
        return facts.first_contact, False
    if moved in facts.first_contact.likeliest.balls:
        return facts.first_contact, True
    return contact_with(moved), True


def declared_frozen_to_cue(frozen: tuple[Frozen, ...], ball: Ball) -> bool:
    """Did the referee or the opponent declare `ball` frozen to the cue ball (6.7)?"""
    return any(f.a is Ball.CUE and f.b is ball and f.by is not Declarer.SHOOTER for f in frozen)


def truth_over_candidates(
    contact: FirstContact,
    holds: Callable[[tuple[Ball, ...]], bool],
    unnamed: Truth = Truth.UNDECIDED,
) -> Truth:
    """Kleene truth of a statement about the first contact.

    `holds` is asked once a candidate, with the balls struck at one instant (none: no
    contact). For a candidate with an unnamed ball the statement is `unnamed`: undecided
    where it matters which ball that was.
    """
    if contact.mark.is_sure and not contact.likeliest.unnamed:
        return Truth.YES if holds(contact.likeliest.balls) else Truth.NO
    truths = {
        unnamed if c.unnamed else Truth.YES if holds(c.balls) else Truth.NO
        for c in contact.candidates
    }
    return truths.pop() if len(truths) == 1 else Truth.UNDECIDED
