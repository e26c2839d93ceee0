"""What follows from a stroke: 9.3 to 9.9 without a foul, 9.10 and 9.11 with one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.declarations import Kind
from rules.facts import PocketedBall
from rules.penalty import pass_table, punish, win_rack
from rules.players import Player
from rules.rack import (
    PLAY_OR_HAND_BACK,
    THREE_POINT_OPTIONS,
    CueBall,
    LastBallMoment,
    Option,
    Phase,
    Rack,
)
from rules.records import changed
from rules.ruling import Foul, Question, Ruling
from rules.stroke import Stroke
from table.balls import Ball

THREE_POINTS: Final = 3
"""Balls pocketed or past the head string that a break needs under the three-point option."""
TIMING_PROMPT: Final = "ten_last_ball_timing"
SPOTTED: Final = (Ball.TEN,)


@dataclass(frozen=True, slots=True)
class _Next:
    """Who acts next after a stroke without a foul, and with what choice."""

    player: Player
    options: tuple[Option, ...] = ()
    phase: Phase = Phase.NORMAL


@dataclass(frozen=True, slots=True)
class _Legal:
    """The rack after a stroke without a foul, and what there is to say about it."""

    rack: Rack
    made: Ball | None
    prompt: str | None = None


def outcome(
    stroke: Stroke,
    fouls: tuple[Foul, ...],
    questions: tuple[Question, ...],
    *,
    knocked_down: tuple[Ball, ...],
    series_spared: bool,
) -> Ruling:
    """The ruling on a stroke whose fouls are known.

    `knocked_down` are balls that a touch sent into a pocket: they stay down (J10).
    """
    down = tuple(d.ball for d in stroke.down if d.mark.is_likely)
    rack, made, prompt, penalised = stroke.rack, None, None, None
    gone = down + _driven_off(stroke, fouls) + knocked_down
    if gone:
        rack = changed(rack, balls=rack.balls.difference(gone))
    if not any(foul.by is stroke.shooter for foul in fouls):
        legal = _legal(stroke, rack, down)
        rack, made, prompt = legal.rack, legal.made, legal.prompt
    if fouls:
        punished = punish(rack, fouls, stroke.options, series_spared=series_spared)
        rack = _after_foul(rack, punished.rack)
        fouls, penalised = punished.fouls, punished.penalised
    spot = _spot(stroke, rack)
    if spot:
        rack = changed(rack, balls=rack.balls.union(spot))
    return Ruling(
        _count_turn(stroke, rack, bool(gone)),
        stroke=True,
        was_break=stroke.is_break,
        incomplete=stroke.facts.incomplete,
        shooter=stroke.shooter,
        kind=stroke.kind,
        called=stroke.called,
        fouls=fouls,
        penalised=penalised,
        questions=questions,
        pocketed=down,
        called_made=made,
        prompt=prompt,
        spot=spot,
        restore=stroke.restore,
    )


def _after_foul(legal: Rack, punished: Rack) -> Rack:
    """A rack that the shooter won stays won, whatever the seated player did."""
    if not legal.is_over:
        return punished
    return changed(legal, fouls=punished.fouls, match_over=punished.match_over)


def _driven_off(stroke: Stroke, fouls: tuple[Foul, ...]) -> tuple[Ball, ...]:
    established = any(foul.article == "6.5" for foul in fouls)
    return tuple(o.ball for o in stroke.off if established or o.mark.is_sure)


def _legal(stroke: Stroke, rack: Rack, down: tuple[Ball, ...]) -> _Legal:
    """A stroke without a foul of the shooter: his counter is cleared (8.2, 6.14)."""
    called = called_ball_made(stroke)
    made = None if called is None else called.ball
    if _wins(stroke, made, down):
        won = win_rack(rack, stroke.shooter)
        return _Legal(changed(won, fouls=rack.fouls.changed(stroke.shooter, 0)), made)
    prompt = TIMING_PROMPT if made is Ball.TEN and _timing_matters(stroke) else None
    following = _next(stroke, made is not None, bool(down))
    rack = changed(
        pass_table(rack, following.player),
        fouls=rack.fouls.changed(stroke.shooter, 0),
        phase=following.phase,
        cue_ball=CueBall.IN_PLACE,
        options=following.options,
        hand_back_to=stroke.shooter if following.options else None,
    )
    return _Legal(rack, made, prompt)


def _wins(stroke: Stroke, made: Ball | None, down: tuple[Ball, ...]) -> bool:
    """9.8: the ten, called and made as the last ball, wins the rack."""
    edition = stroke.options.edition
    if stroke.is_break:
        return edition.ten_on_break_wins and Ball.TEN in down
    return made is Ball.TEN and (edition.called_ten_always_wins or _ten_was_last(stroke))


def _next(stroke: Stroke, made: bool, any_down: bool) -> _Next:
    shooter = stroke.shooter
    if stroke.is_break:
        if stroke.options.three_point_break and _points(stroke) < THREE_POINTS:
            return _Next(shooter.other, THREE_POINT_OPTIONS)
        return _Next(shooter if any_down else shooter.other, phase=Phase.SECOND_SHOT)
    if stroke.kind is Kind.PUSH_OUT:
        return _Next(shooter.other, PLAY_OR_HAND_BACK)
    if made:
        return _Next(shooter)
    return _Next(shooter.other, PLAY_OR_HAND_BACK if any_down else ())


def _points(stroke: Stroke) -> int:
    """Object balls pocketed or past the head string, each counted once."""
    down = {d.ball for d in stroke.down if d.mark.is_likely}
    return len(down | (stroke.facts.reached_head_string & stroke.rack.balls))


def called_ball_made(stroke: Stroke) -> PocketedBall | None:
    """The called ball, when it was pocketed in the called pocket (9.5, 9.8)."""
    call = stroke.called
    if call is None:
        return None
    for pocketed in stroke.down:
        if pocketed.ball is call.ball:
            in_pocket = pocketed.pocket is call.pocket and pocketed.mark.is_likely
            return pocketed if in_pocket else None
    return None


def _ten_was_last(stroke: Stroke) -> bool:
    """9.8: the ten was the last ball; tested at the start of the stroke (J1)."""
    if stroke.rack.balls == {Ball.TEN}:
        return True
    moment = stroke.options.ten_last_ball_moment
    return (
        moment is LastBallMoment.AT_POCKETING
        and stroke.facts.pocket_order_known
        and _fell_last(stroke)
    )


def _fell_last(stroke: Stroke) -> bool:
    """Did all balls fall on this stroke, the ten after all others?"""
    order = [d.ball for d in stroke.down if d.mark.is_likely]
    return set(order) == stroke.rack.balls and order[-1] is Ball.TEN


def _timing_matters(stroke: Stroke) -> bool:
    """Would the literal reading of 9.8 (last at the moment of pocketing) be a win?"""
    if stroke.facts.pocket_order_known:
        return _fell_last(stroke)
    return {d.ball for d in stroke.down if d.mark.is_likely} == stroke.rack.balls


def _spot(stroke: Stroke, rack: Rack) -> tuple[Ball, ...]:
    """9.9: the ten comes back whenever the rack goes on; no other ball ever does."""
    stays = rack.is_over or Ball.TEN in rack.balls or Ball.TEN not in stroke.rack.balls
    return () if stays else SPOTTED


def _count_turn(stroke: Stroke, rack: Rack, progress: bool) -> Rack:
    """1.12: a turn ends when the table passes; a ball that went away is progress."""
    left = stroke.rack.stalemate_turns_left
    if rack.is_over or (left is None and not rack.stalemate_agreed):
        return rack
    if progress:
        left = None
    elif left is not None and rack.at_table is not stroke.shooter:
        left = left.changed(stroke.shooter, max(0, left.of(stroke.shooter) - 1))
    return changed(rack, stalemate_turns_left=left, stalemate_agreed=frozenset())
