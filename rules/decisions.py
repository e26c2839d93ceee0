"""Declarations apart from a stroke: choices, breaks, clock, stalemate, concession...

Each function takes the ruling so far and one declaration and gives the ruling after it. A
declaration whose precondition fails is refused: it changes nothing and is named in
`Ruling.refused`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules import declarations as say
from rules.declarations import After
from rules.penalty import lose_rack, pass_table
from rules.players import NO_FOULS, NOT_WARNED, Pair, Player
from rules.rack import (
    ALL_BALLS,
    WHO_BREAKS,
    BreakOrder,
    CueBall,
    EventOptions,
    Option,
    Phase,
    Rack,
)
from rules.records import changed
from rules.ruling import Ruling
from table.balls import Ball

STALEMATE_TURNS: Final = 3
"""Turns that each player has after "no progress" was announced (1.12)."""
EXTENSIONS_PER_RACK: Final = 1
"""Extensions of the shot clock that a player may take in one rack."""
FOULS_TO_WARN: Final = 2
"""A player on exactly so many fouls is warned (6.14)."""


def refuse(ruling: Ruling, name: str) -> Ruling:
    """The declaration `name` has no effect."""
    return changed(ruling, refused=(*ruling.refused, name))


def decide(ruling: Ruling, declaration: After, options: EventOptions) -> Ruling:
    """The ruling after one more declaration that does not concern a stroke."""
    apply = _DECISIONS.get(type(declaration))
    return ruling if apply is None else apply(ruling, declaration, options)


def _choice(ruling: Ruling, said: say.Choice, _: EventOptions) -> Ruling:
    rack = ruling.rack
    if said.value in WHO_BREAKS:
        return _choose_breaker(ruling, said)
    if said.value not in rack.options or said.by is not rack.at_table:
        return refuse(ruling, "choice")
    hand_back = said.value in (Option.HAND_BACK, Option.HAND_BACK_PUSH_OUT_ALLOWED)
    player = (rack.hand_back_to or said.by.other) if hand_back else said.by
    push_out = said.value is Option.HAND_BACK_PUSH_OUT_ALLOWED
    rack = changed(
        pass_table(rack, player),
        options=(),
        hand_back_to=None,
        phase=Phase.SECOND_SHOT if push_out else Phase.NORMAL,
    )
    return changed(ruling, rack=rack)


def _choose_breaker(ruling: Ruling, said: say.Choice) -> Ruling:
    """9.1: the winner of the lag chooses who breaks first."""
    rack = ruling.rack
    decider = rack.at_table if rack.options == WHO_BREAKS else said.by
    if said.by is not decider or rack.phase not in (Phase.BREAK, Phase.RACK_OVER):
        return refuse(ruling, "choice")
    breaker = said.by if said.value is Option.SELF_BREAKS else said.by.other
    return changed(ruling, rack=_racked(rack, breaker))


def _lag(ruling: Ruling, said: say.Lag, _: EventOptions) -> Ruling:
    """1.2: a bad lag cannot win; both bad: again. Of two good ones the referee says who won."""
    if said.a.good and said.b.good:
        return ruling
    if ruling.rack.phase not in (Phase.BREAK, Phase.RACK_OVER):
        return refuse(ruling, "lag")
    if said.a.good or said.b.good:
        winner = Player.A if said.a.good else Player.B
        return _choose_who_breaks(ruling, winner)
    return changed(ruling, rack=_racked(ruling.rack, ruling.rack.breaker), lag_again=True)


def _choose_who_breaks(ruling: Ruling, winner: Player) -> Ruling:
    rack = changed(_racked(ruling.rack, winner), options=WHO_BREAKS)
    return changed(ruling, rack=rack, lag_again=False)


def _lag_won(ruling: Ruling, said: say.LagWon, _: EventOptions) -> Ruling:
    """A bad lag cannot win (1.2), whoever is said to have won."""
    lagged = ruling.lag_again or ruling.rack.options == WHO_BREAKS
    cannot_win = lagged and (ruling.lag_again or said.by is not ruling.rack.at_table)
    if cannot_win or ruling.rack.phase not in (Phase.BREAK, Phase.RACK_OVER):
        return refuse(ruling, "lag_won")
    return _choose_who_breaks(ruling, said.by)


def _racked(rack: Rack, breaker: Player) -> Rack:
    """All ten balls racked, `breaker` to break, counters at zero; the clock stays."""
    return changed(
        rack,
        balls=ALL_BALLS,
        at_table=breaker,
        breaker=breaker,
        fouls=NO_FOULS,
        phase=Phase.BREAK,
        cue_ball=CueBall.BEHIND_HEAD_STRING,
        warned=NOT_WARNED,
        options=(),
        hand_back_to=None,
        stalemate_turns_left=None,
        stalemate_agreed=frozenset(),
        extensions_used=None if rack.extensions_used is None else Pair(0, 0),
        winner=None,
    )


def _rerack(ruling: Ruling, _: After, __: EventOptions) -> Ruling:
    """9.12: balls racked again, the same player breaks, nobody scores (J12)."""
    if ruling.rack.is_over:
        return refuse(ruling, "rerack")
    rack = _racked(ruling.rack, ruling.rack.breaker)
    return changed(ruling, rack=rack, rerack=True, replay=False, restore=())


def _next_rack(ruling: Ruling, _: say.NextRack, options: EventOptions) -> Ruling:
    """9.1 and the regulation on subsequent breaks."""
    rack = ruling.rack
    if not rack.is_over or rack.match_over:
        return refuse(ruling, "next_rack")
    winner = rack.winner or rack.at_table
    breaker = {
        BreakOrder.ALTERNATE: rack.breaker.other,
        BreakOrder.WINNER: winner,
        BreakOrder.LOSER: winner.other,
    }[options.break_order]
    return changed(ruling, rack=_racked(rack, breaker))


def _warn(ruling: Ruling, said: say.WarnTwoFouls, _: EventOptions) -> Ruling:
    """6.14: only a player on exactly two fouls can be warned."""
    rack = ruling.rack
    if rack.is_over or rack.fouls.of(said.by) != FOULS_TO_WARN:
        return refuse(ruling, "warn_two_fouls")
    return changed(ruling, rack=changed(rack, warned=rack.warned.changed(said.by, True)))


def _clock_on(ruling: Ruling, _: say.ClockOn, __: EventOptions) -> Ruling:
    """6.15: a clock is in force for both players."""
    clock = Pair(True, True)
    return changed(ruling, rack=changed(ruling.rack, clock=clock))


def _extension(ruling: Ruling, said: say.Extension, _: EventOptions) -> Ruling:
    rack = ruling.rack
    used = rack.extensions_used or Pair(0, 0)
    no_clock = rack.clock is not None and not rack.clock.of(said.by)
    if no_clock or rack.is_over or used.of(said.by) >= EXTENSIONS_PER_RACK:
        return refuse(ruling, "extension")
    used = used.changed(said.by, used.of(said.by) + 1)
    return changed(ruling, rack=changed(rack, extensions_used=used))


def _stalemate_announce(ruling: Ruling, _: say.StalemateAnnounce, __: EventOptions) -> Ruling:
    """1.12: no progress; three more turns each."""
    if ruling.rack.is_over:
        return refuse(ruling, "stalemate_announce")
    turns = Pair(STALEMATE_TURNS, STALEMATE_TURNS)
    return changed(ruling, rack=changed(ruling.rack, stalemate_turns_left=turns))


def _stalemate_agree(ruling: Ruling, said: say.StalemateAgree, options: EventOptions) -> Ruling:
    """1.12: when both players agree, the stalemate stands at once."""
    agreed = ruling.rack.stalemate_agreed | {said.by}
    if len(agreed) == len(Player):
        return _rerack(ruling, said, options)
    return changed(ruling, rack=changed(ruling.rack, stalemate_agreed=agreed))


def _stalemate_declare(ruling: Ruling, said: say.StalemateDeclare, options: EventOptions) -> Ruling:
    """1.12: when the turns are used up without progress."""
    left = ruling.rack.stalemate_turns_left
    if left is not None and (left.a or left.b):
        return refuse(ruling, "stalemate_declare")
    return _rerack(ruling, said, options)


def _cannot_restore(ruling: Ruling, said: say.CannotRestore, options: EventOptions) -> Ruling:
    """1.9: a position that cannot be restored is treated as a stalemate."""
    return _rerack(ruling, said, options)


def _concede(ruling: Ruling, said: say.Concede, _: EventOptions) -> Ruling:
    """1.11: a concession loses the match; a rack only where that was agreed."""
    match = said.scope is say.Scope.MATCH
    if ruling.rack.is_over and not match:
        return refuse(ruling, "concede")
    return changed(ruling, rack=lose_rack(ruling.rack, said.by, match=match))


def _spot(ruling: Ruling, said: say.Spot, _: EventOptions) -> Ruling:
    """9.9: only the ten is ever spotted."""
    rack = ruling.rack
    if said.ball is not Ball.TEN or rack.is_over:
        return refuse(ruling, "spot")
    rack = changed(rack, balls=rack.balls | {Ball.TEN})
    return changed(ruling, rack=rack, spot=(Ball.TEN,))


def _restore(ruling: Ruling, said: say.Restore, _: EventOptions) -> Ruling:
    """1.8: object balls that are put back are in play again."""
    back = {ball for ball in said.balls if ball is not Ball.CUE}
    rack = changed(ruling.rack, balls=ruling.rack.balls | back)
    return changed(ruling, rack=rack, restore=(*ruling.restore, *said.balls))


def _interference(ruling: Ruling, said: say.Interference, options: EventOptions) -> Ruling:
    """1.9: a ball that somebody else disturbed is put back."""
    balls = () if said.ball is None else (said.ball,)
    return _restore(ruling, say.Restore(balls), options)


def _fell(ruling: Ruling, said: say.BallFellByItself, options: EventOptions) -> Ruling:
    """1.7: a resting ball that falls by itself is put back."""
    return _restore(ruling, say.Restore((said.ball,)), options)


def _replay(ruling: Ruling, _: say.Replay, __: EventOptions) -> Ruling:
    """1.9: the last stroke is annulled and played again from the restored position."""
    balls = (*sorted(ruling.rack.balls), Ball.CUE)
    return changed(ruling, replay=True, restore=balls)


_DECISIONS: Final[dict[type, Callable[..., Ruling]]] = {
    say.Choice: _choice,
    say.Lag: _lag,
    say.LagWon: _lag_won,
    say.Rerack: _rerack,
    say.NextRack: _next_rack,
    say.WarnTwoFouls: _warn,
    say.ClockOn: _clock_on,
    say.Extension: _extension,
    say.StalemateAnnounce: _stalemate_announce,
    say.StalemateAgree: _stalemate_agree,
    say.StalemateDeclare: _stalemate_declare,
    say.CannotRestore: _cannot_restore,
    say.Concede: _concede,
    say.Spot: _spot,
    say.Restore: _restore,
    say.Interference: _interference,
    say.BallFellByItself: _fell,
    say.Replay: _replay,
}
