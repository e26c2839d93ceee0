"""What was said apart from a stroke, in order: fouls without one, and all decisions.

Fouls of one moment are punished together, once; what is decided in between (a warning, a
clock) makes a new moment.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules import declarations as say
from rules.decisions import decide, refuse
from rules.declarations import After, FoulCall, Kind, Penalty
from rules.fouls import checks_of
from rules.hearing import can_be_fouled, clock_runs, normal_form, taken_away
from rules.outcome import SPOTTED
from rules.penalty import LOSES_MATCH, lose_rack, punish
from rules.players import Player
from rules.rack import CueBall, EventOptions, Phase, Rack
from rules.records import changed
from rules.ruling import Foul, Ruling
from table.balls import Ball


@dataclass(slots=True)
class Moment:
    """Fouls without a stroke: those of one moment are punished together, once."""

    before: Rack
    options: EventOptions
    series_spared: bool
    fouls: tuple[Foul, ...] = ()
    gone: frozenset[Ball] = frozenset()

    def add(self, ruling: Ruling, foul: Foul, gone: tuple[Ball, ...]) -> Ruling:
        """The ruling with one more foul of this moment; `gone` fell with it (J10)."""
        self.fouls = (*self.fouls, foul)
        self.gone |= self.before.balls.intersection(gone)
        self.before = changed(self.before, balls=self.before.balls - self.gone)
        punished = punish(self.before, self.fouls, self.options, series_spared=self.series_spared)
        rack = punished.rack
        if self._keeps_break(punished.penalised.by, rack):
            rack = changed(rack, phase=Phase.BREAK, cue_ball=CueBall.BEHIND_HEAD_STRING)
        spot = ruling.spot
        if not rack.is_over and Ball.TEN in self.gone:
            rack, spot = changed(rack, balls=rack.balls | {Ball.TEN}), SPOTTED
        earlier = tuple(f for f in ruling.fouls if f not in punished.fouls)
        return changed(
            ruling,
            rack=rack,
            fouls=(*earlier, *punished.fouls),
            penalised=punished.penalised,
            spot=spot,
        )

    def _keeps_break(self, offender: Player, rack: Rack) -> bool:
        """Before the break a foul of the seated player leaves the break to be played."""
        before = self.before
        seated = offender is not before.at_table
        return before.phase is Phase.BREAK and seated and not rack.is_over


def said_apart(ruling: Ruling, entries: list[After], options: EventOptions) -> Ruling:
    """Apply, in order, what was said apart from the stroke."""
    moment: Moment | None = None
    spared = any(isinstance(e, say.Dismiss) and e.rule == "6.14" for e in entries)
    for declaration in _without_taken_back(entries):
        if isinstance(declaration, say.WithdrawFoul):
            ruling = _withdraw(ruling)
            continue
        call = _as_foul(ruling, declaration)
        if call is None:
            rack = ruling.rack
            ruling = decide(ruling, declaration, options)
            moment = moment if ruling.rack is rack else None
            continue
        moment = moment or Moment(ruling.rack, options, spared)
        ruling = _foul_apart(ruling, call, moment)
    return ruling


def _without_taken_back(entries: list[After]) -> list[After]:
    """A foul that is dismissed or withdrawn later in the list was never called."""
    standing: list[After] = []
    for declaration in entries:
        if isinstance(declaration, (say.Dismiss, say.WithdrawFoul)):
            rule_text = declaration.rule
            called = [e for e in standing if isinstance(e, FoulCall) and e.rule == rule_text]
            standing = [e for e in standing if e not in called]
            if isinstance(declaration, say.WithdrawFoul):
                standing.append(say.Restore((Ball.CUE,)) if called else declaration)
        else:
            standing.append(declaration)
    return standing


def _as_foul(ruling: Ruling, declaration: After) -> FoulCall | None:
    """The foul call that a declaration makes, or None when it is something else."""
    match declaration:
        case FoulCall():
            return normal_form(declaration)
        case say.Unsporting():
            return FoulCall("6.17", declaration.by, penalty=declaration.penalty)
        case say.TimeExpired():
            return FoulCall("6.15", declaration.by)
        case say.Confirm():
            return normal_form(FoulCall(declaration.rule, ruling.rack.at_table))
        case say.LateFoulCall() if not declaration.after_next_stroke:
            return FoulCall(declaration.rule, declaration.by, about_previous_shot=True)
    return None


def _foul_apart(ruling: Ruling, call: FoulCall, moment: Moment) -> Ruling:
    """One foul without a stroke, or about the stroke before."""
    rack = moment.before
    if call.penalty is Penalty.WARNING:
        return ruling
    if rack.is_over and not call.about_previous_shot:
        return _between_racks(ruling, call)
    possible = call.about_previous_shot or can_be_fouled(call.rule, rack, Kind.NORMAL)
    if not possible or call.rule not in dict(checks_of(moment.options.edition)):
        return refuse(ruling, "foul")
    if call.rule == "6.15" and not (call.by is rack.at_table and clock_runs(rack, call.by)):
        return refuse(ruling, "time_expired")
    seated = call.by is not rack.at_table and not call.about_previous_shot
    if call.rule == "6.6" and seated:
        restore = () if call.ball is None else (call.ball,)
        return changed(refuse(ruling, "foul"), restore=(*ruling.restore, *restore))
    if rack.is_over:
        if call.by is not rack.winner or Ball.TEN in rack.balls:
            return refuse(ruling, "foul")
        moment.before = _reopened(rack)
        ruling = changed(ruling, spot=SPOTTED)
    foul = Foul(call.rule, call.by, call.ball, called=True, penalty=call.penalty)
    return moment.add(ruling, foul, taken_away(call))


def _reopened(rack: Rack) -> Rack:
    """A rack that was won with the ten, after a foul on that shot was called in time."""
    return changed(rack, balls=rack.balls | {Ball.TEN}, phase=Phase.NORMAL, winner=None)


def _between_racks(ruling: Ruling, call: FoulCall) -> Ruling:
    """Between racks only a penalty that ends the match has anything to end."""
    if call.rule != "6.17" or call.penalty not in LOSES_MATCH:
        return refuse(ruling, "foul")
    foul = Foul("6.17", call.by, called=True, penalty=call.penalty)
    rack = lose_rack(ruling.rack, call.by, match=True)
    return changed(ruling, rack=rack, fouls=(*ruling.fouls, foul), penalised=foul)


def _withdraw(ruling: Ruling) -> Ruling:
    """J24: the foul that brought the cue ball in hand is withdrawn; the ball goes back."""
    rack = ruling.rack
    offender = rack.at_table.other
    if rack.cue_ball is not CueBall.ANYWHERE or rack.fouls.of(offender) == 0:
        return refuse(ruling, "withdraw_foul")
    fouls = rack.fouls.changed(offender, rack.fouls.of(offender) - 1)
    rack = changed(rack, fouls=fouls, cue_ball=CueBall.IN_PLACE)
    return changed(ruling, rack=rack, restore=(*ruling.restore, Ball.CUE))
