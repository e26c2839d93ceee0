"""The ten-ball referee: one event in, one ruling out."""

from __future__ import annotations

from collections.abc import Set

from rules.apart import Moment, said_apart
from rules.decisions import FOULS_TO_WARN, refuse
from rules.declarations import SILENCE, After, Declarations, Kind
from rules.facts import ShotFacts
from rules.fouls import findings
from rules.hearing import Heard, hear, live
from rules.outcome import outcome
from rules.rack import DEFAULT_OPTIONS, EventOptions, Rack
from rules.records import changed
from rules.ruling import Question, Ruling
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
    if entries:
        ruling = changed(ruling, said=tuple(entries))
    if later:
        ruling = said_apart(ruling, later, options)
    return _prompts(ruling)


def _played(
    rack: Rack,
    facts: ShotFacts,
    declarations: Declarations,
    entries: list[After],
    options: EventOptions,
) -> tuple[Ruling, list[After]]:
    """The ruling on the stroke itself, and what was said apart from it."""
    heard = hear(rack, facts, declarations.before, entries, options.edition)
    if heard.annulled:
        return _annulled(rack, heard, options), heard.later
    if heard.placement is not facts.placement:
        facts = changed(facts, placement=heard.placement)
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
        knocked_down=tuple(b for b in heard.knocked_down if b not in heard.put_back),
        series_spared="6.14" in heard.dismissed,
    )
    ruling = _with_questions(stroke, ruling, heard.dismissed)
    if ruling.spot:
        position, point = spot_after(facts)
        ruling = changed(ruling, spot_position=position, spot_point=point)
    if heard.restore or heard.refused:
        restore = tuple(dict.fromkeys((*ruling.restore, *heard.restore)))
        ruling = changed(ruling, restore=restore, refused=tuple(heard.refused))
    return ruling, heard.later


def _annulled(rack: Rack, heard: Heard, options: EventOptions) -> Ruling:
    """1.7, 1.9: position restored, the shot played again; conduct is punished all the same."""
    ruling = Ruling(
        rack,
        shooter=heard.shooter,
        replay=True,
        restore=(*sorted(rack.balls), Ball.CUE),
        refused=tuple(heard.refused),
    )
    moment = Moment(rack, options, "6.14" in heard.dismissed)
    for foul in heard.said.values():
        if foul is not None:
            ruling = moment.add(ruling, foul, ())
    return ruling


def _with_questions(stroke: Stroke, ruling: Ruling, dismissed: Set[str]) -> Ruling:
    """Add what is open apart from fouls: undecided balls, the obvious shot, the last ball.

    A question that a person dismissed is answered.
    """
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
    if stroke.facts.incomplete is not None:
        ask = f"Was the shot without a foul? ({stroke.facts.incomplete})"
        asked.append(Question("8.2", ask, clip))
    if ruling.prompt is not None:
        asked.append(Question("9.8", "Did the ten fall as the last ball?", clip, Ball.TEN))
    asked = [question for question in asked if question.article not in dismissed]
    return changed(ruling, questions=(*ruling.questions, *asked)) if asked else ruling


def _prompts(ruling: Ruling) -> Ruling:
    """6.14: whoever comes to the table on two fouls must be warned now."""
    rack = ruling.rack
    due = rack.fouls.of(rack.at_table) == FOULS_TO_WARN and not rack.warned.of(rack.at_table)
    if not due or rack.is_over:
        return ruling
    return changed(ruling, warn_prompt=rack.at_table)
