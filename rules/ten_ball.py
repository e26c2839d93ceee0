"""The ten-ball referee: one event in, one ruling out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules import declarations as say
from rules.decisions import FOULS_TO_WARN, decide, refuse
from rules.declarations import SILENCE, After, Declarations, FoulCall, Kind, Penalty
from rules.facts import ShotFacts
from rules.fouls import findings
from rules.hearing import Heard, can_be_fouled, clock_runs, hear, live, normal_form
from rules.outcome import SPOTTED, outcome
from rules.penalty import LOSES_MATCH, lose_rack, punish
from rules.players import Player
from rules.rack import DEFAULT_OPTIONS, CueBall, EventOptions, Phase, Rack
from rules.ruling import Foul, Question, Ruling
from rules.spotting import spot_after
from rules.stroke import Stroke, stroke_of
from table.balls import Ball


def rule(
    rack: Rack,
    facts: ShotFacts | None,
    declarations: Declarations = SILENCE,
    options: EventOptions = DEFAULT_OPTIONS,
) -> Ruling:
    """Rule on one event.

    `facts` is the shot, or None when nothing was played (a declaration alone). The ruling
    contains the next rack; nothing is changed in place. Every lawful input gives a ruling.
    """
    entries = live(declarations.after)
    if facts is not None and not rack.is_over:
        ruling, later = _played(rack, facts, declarations, entries, options)
    else:
        ruling, later = Ruling(rack), entries
        if facts is not None:
            ruling = refuse(ruling, "shot")
    if later:
        ruling = _said_apart(ruling, later, options)
    return _prompts(ruling)


def _played(
    rack: Rack,
    facts: ShotFacts,
    declarations: Declarations,
    entries: list[After],
    options: EventOptions,
) -> tuple[Ruling, list[After]]:
    """The ruling on the stroke itself, and what was said apart from it."""
    heard = hear(rack, facts, declarations.before, entries)
    if heard.annulled:
        return _annulled(rack, heard, options), heard.later
    if heard.placement is not facts.placement:
        facts = replace(facts, placement=heard.placement)
    stroke = stroke_of(
        rack,
        facts,
        options,
        shooter=heard.shooter,
        kind=heard.kind,
        called=heard.called,
        frozen=declarations.before.frozen,
        put_back=frozenset(heard.put_back),
        dismissed=frozenset(heard.dismissed),
    )
    fouls, questions = findings(stroke, heard.said)
    ruling = outcome(
        stroke,
        fouls,
        questions,
        knocked_down=tuple(heard.knocked_down),
        series_spared="6.14" in heard.dismissed,
    )
    ruling = _with_questions(stroke, ruling)
    if ruling.spot:
        position, point = spot_after(facts)
        ruling = replace(ruling, spot_position=position, spot_point=point)
    if heard.restore or heard.refused:
        restore = tuple(dict.fromkeys((*ruling.restore, *heard.restore)))
        ruling = replace(ruling, restore=restore, refused=tuple(heard.refused))
    return ruling, heard.later


def _annulled(rack: Rack, heard: Heard, options: EventOptions) -> Ruling:
    """1.7, 1.9: position restored, the shot played again; conduct is punished all the same."""
    restore = (*sorted(rack.balls), Ball.CUE) if heard.replay else ()
    ruling = Ruling(
        rack,
        shooter=heard.shooter,
        replay=heard.replay,
        restore=restore,
        refused=tuple(heard.refused),
    )
    for foul in heard.said.values():
        if foul is not None:
            ruling = _Aside(ruling.rack, options).add(ruling, foul, ())
    return ruling


def _with_questions(stroke: Stroke, ruling: Ruling) -> Ruling:
    """Add what is open apart from fouls: undecided balls, the obvious shot, the last ball."""
    if stroke.facts.next_stroke_started:
        return ruling
    asked: list[Question] = []
    clip = stroke.facts.clip
    for fell in stroke.down:
        if not fell.mark.is_sure:
            ask = f"Was the {fell.ball.text} pocketed?"
            asked.append(Question("8.3", ask, fell.mark.clip or clip, fell.ball, fell.mark))
        elif fell.pocket is None and stroke.called and stroke.called.ball is fell.ball:
            ask = f"Did the {fell.ball.text} fall into pocket {stroke.called.pocket}?"
            asked.append(Question("9.5", ask, fell.mark.clip or clip, fell.ball, fell.mark))
    uncalled = stroke.kind is Kind.NORMAL and stroke.called is None and not stroke.is_break
    if uncalled and stroke.down and not ruling.fouls:
        balls = " and ".join(f"the {fell.ball.text}" for fell in stroke.down)
        asked.append(Question("9.5", f"Was {balls} an obvious shot?", clip))
    if ruling.prompt is not None:
        asked.append(Question("9.8", "Did the ten fall as the last ball?", clip, Ball.TEN))
    return replace(ruling, questions=(*ruling.questions, *asked)) if asked else ruling


@dataclass(slots=True)
class _Aside:
    """Fouls without a stroke: those of one moment are punished together, once."""

    before: Rack
    options: EventOptions
    series_spared: bool = False
    fouls: tuple[Foul, ...] = ()

    def add(self, ruling: Ruling, foul: Foul, gone: tuple[Ball, ...]) -> Ruling:
        """The ruling with one more foul of this moment."""
        self.fouls = (*self.fouls, foul)
        self.before = replace(self.before, balls=self.before.balls.difference(gone))
        punished = punish(self.before, self.fouls, self.options, series_spared=self.series_spared)
        rack = punished.rack
        if self._keeps_break(punished.penalised.by, rack):
            rack = replace(rack, phase=Phase.BREAK, cue_ball=CueBall.BEHIND_HEAD_STRING)
        spot = ruling.spot
        if not rack.is_over and Ball.TEN in gone:
            rack, spot = replace(rack, balls=rack.balls | {Ball.TEN}), SPOTTED
        earlier = tuple(f for f in ruling.fouls if f not in punished.fouls)
        return replace(
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


def _said_apart(ruling: Ruling, entries: list[After], options: EventOptions) -> Ruling:
    """Apply, in order, what was said apart from the stroke."""
    aside: _Aside | None = None
    spared = any(isinstance(e, say.Dismiss) and e.rule == "6.14" for e in entries)
    for declaration in _without_taken_back(entries):
        if isinstance(declaration, say.WithdrawFoul):
            ruling = _withdraw(ruling)
            continue
        call = _as_foul(ruling, declaration)
        if call is None:
            rack = ruling.rack
            ruling = decide(ruling, declaration, options)
            aside = aside if ruling.rack is rack else None
            continue
        aside = aside or _Aside(ruling.rack, options, spared)
        ruling = _foul_apart(ruling, call, aside)
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


def _foul_apart(ruling: Ruling, call: FoulCall, aside: _Aside) -> Ruling:
    """One foul without a stroke, or about the stroke before."""
    rack = aside.before
    if call.penalty is Penalty.WARNING:
        return ruling
    if rack.is_over and not call.about_previous_shot:
        return _between_racks(ruling, call)
    if not can_be_fouled(call.rule, rack, Kind.NORMAL) and not call.about_previous_shot:
        return refuse(ruling, "foul")
    if call.rule == "6.15" and not (call.by is rack.at_table and clock_runs(rack, call.by)):
        return refuse(ruling, "time_expired")
    seated = call.by is not rack.at_table and not call.about_previous_shot
    if call.rule == "6.6" and seated:
        restore = () if call.ball is None else (call.ball,)
        return replace(refuse(ruling, "foul"), restore=(*ruling.restore, *restore))
    gone: tuple[Ball, ...] = ()
    if call.pocketed is not None and call.ball is not None and call.ball in rack.balls:
        gone = (call.ball,)
    if rack.is_over:
        if call.by is not rack.winner or Ball.TEN in rack.balls:
            return refuse(ruling, "foul")
        aside.before = _reopened(rack)
        ruling = replace(ruling, spot=SPOTTED)
    foul = Foul(call.rule, call.by, call.ball, called=True, penalty=call.penalty)
    return aside.add(ruling, foul, gone)


def _reopened(rack: Rack) -> Rack:
    """A rack that was won with the ten, after a foul on that shot was called in time."""
    return replace(rack, balls=rack.balls | {Ball.TEN}, phase=Phase.NORMAL, winner=None)


def _between_racks(ruling: Ruling, call: FoulCall) -> Ruling:
    """Between racks only a penalty that ends the match has anything to end."""
    if call.rule != "6.17" or call.penalty not in LOSES_MATCH:
        return refuse(ruling, "foul")
    foul = Foul("6.17", call.by, called=True, penalty=call.penalty)
    rack = lose_rack(ruling.rack, call.by, match=True)
    return replace(ruling, rack=rack, fouls=(*ruling.fouls, foul), penalised=foul)


def _withdraw(ruling: Ruling) -> Ruling:
    """J24: the foul that brought the cue ball in hand is withdrawn; the ball goes back."""
    rack = ruling.rack
    offender = rack.at_table.other
    if rack.cue_ball is not CueBall.ANYWHERE or rack.fouls.of(offender) == 0:
        return refuse(ruling, "withdraw_foul")
    fouls = rack.fouls.changed(offender, rack.fouls.of(offender) - 1)
    rack = replace(rack, fouls=fouls, cue_ball=CueBall.IN_PLACE)
    return replace(ruling, rack=rack, restore=(*ruling.restore, Ball.CUE))


def _prompts(ruling: Ruling) -> Ruling:
    """6.14: whoever comes to the table on two fouls must be warned now."""
    rack = ruling.rack
    due = rack.fouls.of(rack.at_table) == FOULS_TO_WARN and not rack.warned.of(rack.at_table)
    if not due or rack.is_over:
        return ruling
    return replace(ruling, warn_prompt=rack.at_table)
