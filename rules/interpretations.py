"""Decisions on what the rule text leaves open, each with the place that makes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One contested point and how this engine rules on it."""

    number: str
    question: str
    decision: str
    code: str


INTERPRETATIONS: Final = (
    Interpretation(
        "J1",
        "Nine and ten fall on one stroke, ten called: was the ten the last ball?",
        "Tested when the stroke starts: the ten is spotted and the shooter goes on; the referee is "
        "asked when the nine fell first. Event option: tested at the moment of pocketing.",
        "rules.outcome",
    ),
    Interpretation(
        "J2",
        "Scratch and fewer than four rails on the break.",
        "Both 6.1 and 9.3b are listed; one penalty. The cue ball is no pocketed ball of 9.3b.",
        "rules.fouls.article_9_3b",
    ),
    Interpretation(
        "J3",
        "Does the breaker go on with any ball down?",
        "Yes, after any object ball on a legal break.",
        "rules.outcome",
    ),
    Interpretation(
        "J4",
        "A foul without a stroke before the second shot.",
        "The push out is gone.",
        "rules.penalty.punish",
    ),
    Interpretation(
        "J5",
        "What does 9.3b cost?",
        "A standard foul: cue ball in hand anywhere, counted in the series.",
        "rules.penalty.punish",
    ),
    Interpretation(
        "J6",
        "A ball falls without a call and was not obvious.",
        "No foul; as 9.7: the opponent plays or hands back, the ten is spotted.",
        "rules.outcome",
    ),
    Interpretation(
        "J7",
        "The ten falls on a safety, even as the last ball.",
        "It is spotted; the opponent plays or hands back.",
        "rules.outcome",
    ),
    Interpretation(
        "J8",
        "Two balls hit at one instant; ball and cushion at one instant.",
        "For the shooter, unless a person saw otherwise.",
        "rules.stroke",
    ),
    Interpretation(
        "J9",
        "After 6.13: balls as they lie, or ball in hand?",
        "Object balls as they lie, cue ball in hand.",
        "rules.penalty.punish",
    ),
    Interpretation(
        "J10",
        "A ball moved or knocked down by a touch foul.",
        "It stays (the ten is spotted) unless the referee restores it.",
        "rules.apart",
    ),
    Interpretation(
        "J11",
        "How long is a warning on two fouls valid?",
        "For the visit. A visible counter is a warning only as an event option.",
        "rules.penalty",
    ),
    Interpretation(
        "J12",
        "Counters after a stalemate.",
        "They start at zero; the score stands.",
        "rules.decisions",
    ),
    Interpretation(
        "J13",
        "Spot the ten or place the cue ball first?",
        "The ten first.",
        "rules.spotting",
    ),
    Interpretation("J14", "A wrong rack found after the break.", "The break stands.", "rules"),
    Interpretation(
        "J15",
        "A ball that a lamp sent back lies on the cloth.",
        "It is off the table and taken away; the ten is spotted.",
        "rules.leaving",
    ),
    Interpretation(
        "J16",
        "An announcement that is impossible here (push out later, safety on the break).",
        "Refused; the stroke is judged as what is possible, never a foul by itself.",
        "rules.hearing.allowed_kind",
    ),
    Interpretation(
        "J17",
        "The cue ball truly touches a ball, but nobody declared it.",
        "Presumed apart; only a person may call 6.7.",
        "rules.stroke.declared_frozen_to_cue",
    ),
    Interpretation(
        "J18",
        "A standard foul as penalty for the seated player.",
        "His opponent has the cue ball in hand, his counter rises. Before the break, the break is "
        "still to be played.",
        "rules.apart",
    ),
    Interpretation(
        "J19",
        "The seated player disturbs a ball by accident.",
        "Outside interference: put back, no foul.",
        "rules.apart",
    ),
    Interpretation(
        "J20",
        "The player who must decide commits a foul.",
        "A standard foul; the option is gone.",
        "rules.penalty.punish",
    ),
    Interpretation(
        "J21",
        "The cue ball touches nothing and is pocketed.",
        "6.1, and 6.3 is listed beside it.",
        "rules.fouls.article_6_3",
    ),
    Interpretation(
        "J22",
        "The break misses the rack completely.",
        "A foul; play goes on with the untouched rack and the cue ball in hand.",
        "rules.penalty.punish",
    ),
    Interpretation(
        "J23",
        "A player on two fouls plays out of turn.",
        "He could not be warned for that visit: it counts as the second.",
        "rules.penalty",
    ),
    Interpretation(
        "J24",
        "The referee withdraws a call.",
        "The position is restored, nobody fouled.",
        "rules.apart",
    ),
    Interpretation(
        "J25",
        "Are the two halves of a long rail one rail?",
        "No: each of the six cushions is a rail of its own.",
        "rules.stroke.Stroke.counts",
    ),
    Interpretation(
        "J26",
        "A fact stays undecided.",
        "No foul by itself; a question, and a provisional ruling without it.",
        "rules.fouls",
    ),
)
