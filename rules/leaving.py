"""Which balls left the table in one stroke, and which are put back (8.3, 8.5, 1.7).

The five seconds of a ball on the brink, support by another ball, rebound out of a pocket,
balls sent back by a lamp or a person, balls that fell by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from rules.facts import BallFact, LipDrop, Mark, PocketedBall, ShotFacts, Truth
from rules.rack import Rack
from rules.records import changed
from table.balls import Ball

LIP_SECONDS: Final = 5.0
"""A ball that rested this long on the brink is not pocketed when it falls (8.3)."""

F = TypeVar("F", PocketedBall, BallFact)


@dataclass(frozen=True, slots=True)
class Leaving:
    """The balls that left, each once, sure ones and undecided ones; and those put back."""

    down: tuple[PocketedBall, ...]
    """Object balls pocketed (8.3), in order of falling."""
    cue_down: Mark | None
    off: tuple[BallFact, ...]
    """Object balls driven off the table (8.5)."""
    cue_off: Mark | None
    restore: tuple[Ball, ...]
    """Balls that fell too late or by themselves."""


NOBODY: Final = Leaving((), None, (), None, ())


def leaving(rack: Rack, facts: ShotFacts, put_back: frozenset[Ball]) -> Leaving:
    """Who left the table; `put_back` are balls that a person had put back."""
    fell = facts.pocketed or facts.lip_drops or facts.supported or facts.settled
    touched = facts.cue_ball_touched_pocketed_ball
    if not (fell or facts.off_table or facts.outside_objects or touched):
        return NOBODY
    restore = _fell_by_themselves(rack, facts)
    stays = put_back.union(restore) if restore else put_back
    down = _each_once(_in_play(rack, stays, _fell(facts)))
    off = _each_once(_in_play(rack, stays, _driven_off(facts)))
    return Leaving(
        down=tuple(d for d in down if d.ball is not Ball.CUE),
        cue_down=_surer(_mark_of(Ball.CUE, down), touched),
        off=tuple(o for o in off if o.ball is not Ball.CUE),
        cue_off=_mark_of(Ball.CUE, off),
        restore=restore,
    )


def _fell_by_themselves(rack: Rack, facts: ShotFacts) -> tuple[Ball, ...]:
    """Balls that fell by themselves, during the stroke (1.7) or too late after it (8.3)."""
    fell = [] if facts.settled is None else [facts.settled.ball]
    for drop in facts.lip_drops:
        if _within_five_seconds(drop) is Truth.NO:
            fell.append(drop.ball)
    in_play = (ball for ball in fell if ball is Ball.CUE or ball in rack.balls)
    return tuple(dict.fromkeys(in_play))


def _in_play(rack: Rack, stays: frozenset[Ball], left: Iterable[F]) -> Iterator[F]:
    """Of the balls that left, those that were in play and are not put back."""
    for fact in left:
        in_play = fact.ball is Ball.CUE or fact.ball in rack.balls
        if in_play and fact.ball not in stays:
            yield fact


def _each_once(left: Iterable[F]) -> tuple[F, ...]:
    """Each ball once, by its surest report, in the order of the first."""
    by_ball: dict[Ball, F] = {}
    for fact in left:
        known = by_ball.get(fact.ball)
        if known is None or fact.mark.truth.value > known.mark.truth.value:
            by_ball[fact.ball] = fact
    return tuple(by_ball.values())


def _surer(a: Mark | None, b: Mark | None) -> Mark | None:
    if a is None or b is None:
        return a or b
    return a if a.truth.value >= b.truth.value else b


def _mark_of(ball: Ball, left: Iterable[F]) -> Mark | None:
    return next((fact.mark for fact in left if fact.ball is ball), None)


def _fell(facts: ShotFacts) -> Iterator[PocketedBall]:
    """All balls that are pocketed under 8.3."""
    for ball in facts.pocketed:
        stayed = _stayed_in(facts, ball)
        if stayed is not None:
            yield stayed
    for drop in facts.lip_drops:
        within = _within_five_seconds(drop)
        if within is not Truth.NO:
            mark = drop.mark if within is Truth.YES else _undecided(drop)
            yield PocketedBall(drop.ball, drop.pocket, mark)
    for held in facts.supported:
        yield PocketedBall(held.ball, held.pocket, held.mark)


def _stayed_in(facts: ShotFacts, ball: PocketedBall) -> PocketedBall | None:
    """The ball, unless it came back out of that very pocket; in doubt when that is (8.3)."""
    for back in facts.rebounded:
        if back.ball is ball.ball and back.pocket is ball.pocket:
            if back.mark.is_sure:
                return None
            mark = changed(back.mark, probability=1.0 - back.mark.probability)
            return changed(ball, mark=mark)
    return ball


def _within_five_seconds(drop: LipDrop) -> Truth:
    if drop.seconds + drop.tolerance_s < LIP_SECONDS:
        return Truth.YES
    return Truth.NO if drop.seconds - drop.tolerance_s >= LIP_SECONDS else Truth.UNDECIDED


def _undecided(drop: LipDrop) -> Mark:
    """How probable it is that the drop came within five seconds, its times being even."""
    margin = f"{abs(drop.seconds - LIP_SECONDS):.2f} s from five seconds"
    early = 0.5 + (LIP_SECONDS - drop.seconds) / (2 * drop.tolerance_s)
    probability = min(drop.mark.probability, max(0.0, min(1.0, early)))
    return Mark(Truth.UNDECIDED, probability, margin, drop.mark.evidence, drop.mark.clip)


def _driven_off(facts: ShotFacts) -> Iterator[BallFact]:
    """8.5: off and stayed off, or sent back by a lamp or a person (J15)."""
    yield from facts.off_table
    for returned in facts.outside_objects:
        yield BallFact(returned.ball, returned.mark)
