"""The fouls of ten-ball: one function an article, all of them run on every stroke.

Each function reads one `Stroke` and returns an established `Foul`, a `Question` when the
fact is undecided or only suspected, or None. A person's word on an article (a foul called,
an advisory confirmed or dismissed) governs and is applied by `findings`, before any
function is asked. 6.11 is not a ten-ball foul (9.10); 6.14 follows from the counters and
is found in `rules.penalty`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from rules.declarations import Kind
from rules.edition import Edition
from rules.facts import CERTAIN, BallFact, Mark, Placement, Truth
from rules.ruling import Foul, Question
from rules.stroke import MOTION_NOISE_MM_S, Stroke, truth_over_candidates
from table.balls import Ball

Finding = Foul | Question | None

BREAK_BALLS_TO_RAILS: Final = 4
"""How many object balls must reach a rail on a break that pockets none (9.3b)."""


def _found(
    stroke: Stroke,
    article: str,
    truth: Truth,
    ask: str,
    ball: Ball | None = None,
    mark: Mark = CERTAIN,
    detail: str = "",
) -> Finding:
    """A foul when established, a question when undecided, nothing otherwise (J26)."""
    if truth is Truth.YES:
        return Foul(article, stroke.shooter, ball, mark, detail=detail)
    if truth is Truth.NO:
        return None
    return Question(article, ask, mark.clip or stroke.facts.clip, ball, mark)


def _suspected(stroke: Stroke, article: str, ask: str) -> Finding:
    """A question when vision suspects what only a person may call."""
    for advisory in stroke.facts.advisories:
        if advisory.article == article:
            return _found(stroke, article, Truth.UNDECIDED, ask, advisory.ball, advisory.mark)
    return None


def _not_seen_whole(stroke: Stroke, truth: Truth) -> Truth:
    """What did not happen is established only by a shot that was seen as a whole."""
    if truth is Truth.YES and stroke.facts.incomplete is not None:
        return Truth.UNDECIDED
    return truth


def _truth_of(mark: Mark | None) -> Truth:
    return Truth.NO if mark is None else mark.truth


def _larger(a: Truth, b: Truth) -> Truth:
    return a if a.value >= b.value else b


def _smaller(a: Truth, b: Truth) -> Truth:
    return a if a.value <= b.value else b


def article_6_1(stroke: Stroke) -> Finding:
    """The cue ball is pocketed or driven off the table (8.3, 8.5)."""
    down, off = stroke.cue_down, stroke.cue_off
    if down is None and off is None:
        return _suspected(stroke, "6.1", "Was the cue ball pocketed or driven off the table?")
    truth = _larger(_truth_of(down), _truth_of(off))
    fell = off is None or _truth_of(down) is truth
    mark = down if fell else off
    ask = "Was the cue ball pocketed?" if fell else "Did the cue ball leave the table?"
    detail = "pocketed" if fell else "off_table"
    return _found(stroke, "6.1", truth, ask, Ball.CUE, mark or CERTAIN, detail)


def article_6_2(stroke: Stroke) -> Finding:
    """The first object ball hit is not the lowest on the table.

    Struck at one instant with the lowest: for the shooter (J8). No contact is not 6.2. An
    allowed push out suspends the article (9.4).
    """
    lowest = stroke.lowest
    if stroke.kind is Kind.PUSH_OUT or lowest is None:
        return None
    contact = stroke.contact
    wrong = truth_over_candidates(contact, lambda balls: bool(balls) and lowest not in balls)
    if wrong is Truth.NO:
        return _suspected(stroke, "6.2", f"Was another ball hit before the {lowest.text}?")
    ball = next((b for b in contact.likeliest.balls if b is not lowest), None)
    ask = f"Was another ball hit first, not the {lowest.text}?"
    if ball is not None:
        ask = f"Was the {ball.text} hit before the {lowest.text}?"
    return _found(stroke, "6.2", wrong, ask, ball, contact.mark)


def article_6_3(stroke: Stroke) -> Finding:
    """No object ball pocketed, and no contact, or no ball to a rail after it (8.4).

    An allowed push out suspends the article (9.4).
    """
    if stroke.kind is Kind.PUSH_OUT:
        return None
    missed = truth_over_candidates(stroke.contact, lambda balls: not balls, unnamed=Truth.NO)
    rail = stroke.rail_after_contact()
    no_rail = Truth(Truth.YES.value - rail.value)
    truth = _not_seen_whole(stroke, _smaller(stroke.none_down(), _larger(missed, no_rail)))
    if truth is Truth.NO:
        return _suspected(stroke, "6.3", "Did no ball reach a rail after the contact?")
    if missed is truth:
        ask, detail = "Did the cue ball touch an object ball?", "no_contact"
    else:
        ask, detail = "Did any ball reach a rail after the cue ball's first contact?", "no_rail"
    return _found(stroke, "6.3", truth, ask, detail=detail)


def article_6_4(stroke: Stroke) -> Finding:
    """No foot on the floor when the tip met the cue ball: a person calls it."""
    return _suspected(stroke, "6.4", "Was a foot on the floor when the tip met the cue ball?")


def article_6_5(stroke: Stroke) -> Finding:
    """An object ball is driven off the table (8.5)."""
    fact = _surest(stroke.off)
    if fact is None:
        return _suspected(stroke, "6.5", "Was an object ball driven off the table?")
    ask = f"Did the {fact.ball.text} leave the table?"
    return _found(stroke, "6.5", fact.mark.truth, ask, fact.ball, fact.mark)


def _surest(facts: tuple[BallFact, ...]) -> BallFact | None:
    return max(facts, key=lambda fact: fact.mark.truth.value, default=None)


def article_6_6(stroke: Stroke) -> Finding:
    """A ball is touched other than by the normal play of the balls: a person calls it."""
    return _suspected(stroke, "6.6", "Did the player touch a ball?")


def article_6_7(stroke: Stroke) -> Finding:
    """The cue touches the cue ball more than once, or still at the hit: a person calls it."""
    return _suspected(stroke, "6.7", "Did the tip touch the cue ball twice?")


def article_6_8(stroke: Stroke) -> Finding:
    """The tip stays on the cue ball longer than in a normal stroke: a person calls it."""
    return _suspected(stroke, "6.8", "Was the cue ball pushed?")


def article_6_9(stroke: Stroke) -> Finding:
    """The stroke starts while a ball in play still moves or spins.

    A ball that only settles (1.7) and one already in a pocket do not count.
    """
    facts = stroke.facts
    residual = facts.motion_residual_mm_s
    below_noise = residual is not None and residual < MOTION_NOISE_MM_S
    moving = () if below_noise else tuple(f for f in facts.moving_at_start if _moves(stroke, f))
    fact = _surest(moving)
    if fact is None:
        return _suspected(stroke, "6.9", "Did a ball still move when the stroke began?")
    ask = f"Did the {fact.ball.text} ball still move when the stroke began?"
    return _found(stroke, "6.9", fact.mark.truth, ask, fact.ball, fact.mark)


def _moves(stroke: Stroke, fact: BallFact) -> bool:
    in_play = fact.ball is Ball.CUE or fact.ball in stroke.rack.balls
    return in_play and fact.ball not in stroke.facts.settling


def article_6_10(stroke: Stroke) -> Finding:
    """The break is struck from on or in front of the head string (8.1: behind it)."""
    if not stroke.is_break:
        return None
    placement, mark = stroke.facts.placement, stroke.facts.placement_mark
    ask = "Was the cue ball behind the head string?"
    if placement is None or placement is Placement.BEHIND:
        return _suspected(stroke, "6.10", ask)
    truth = Truth.UNDECIDED if placement is Placement.UNSURE else mark.truth
    return _found(stroke, "6.10", truth, ask, Ball.CUE, mark)


def article_6_12(stroke: Stroke) -> Finding:
    """The cue is laid on the table unheld to measure a shot: a person calls it."""
    return _suspected(stroke, "6.12", "Was the cue laid on the table to measure the shot?")


def article_6_13(stroke: Stroke) -> Finding:
    """The stroke is played out of turn: a person calls it."""
    if not stroke.out_of_turn:
        return _suspected(stroke, "6.13", "Was it this player's turn?")
    ask = f"Was it player {stroke.shooter}'s turn?"
    return _found(stroke, "6.13", Truth.UNDECIDED, ask)


def article_6_15(stroke: Stroke) -> Finding:
    """The time limit was exceeded while a clock was in force."""
    clock = stroke.facts.clock
    if clock is None or clock.used_s <= clock.limit_s:
        return _suspected(stroke, "6.15", "Was the time limit exceeded?")
    running = stroke.rack.clock is not None and stroke.rack.clock.of(stroke.shooter)
    active = running if clock.active is None else clock.active
    mark = Mark(margin=f"{clock.used_s - clock.limit_s:.1f} s over {clock.limit_s:.0f} s")
    return _found(stroke, "6.15", Truth.YES if active else Truth.NO, "", None, mark)


def article_6_16(stroke: Stroke) -> Finding:
    """The removed template is touched by a ball: a person calls it."""
    ask = "Did a ball touch the template?"
    ball = stroke.facts.template_touched
    if ball is None:
        return _suspected(stroke, "6.16", ask)
    return _found(stroke, "6.16", Truth.UNDECIDED, ask, ball)


def article_6_17(stroke: Stroke) -> Finding:
    """Unsporting conduct: the referee calls it and chooses the penalty."""
    return _suspected(stroke, "6.17", "Was the conduct unsporting?")


def article_9_3b(stroke: Stroke) -> Finding:
    """On the break no ball is pocketed and fewer than four object balls reach a rail.

    The cue ball is not a pocketed ball in this sense (J2) and is not counted.
    """
    if not stroke.is_break:
        return None
    sure, possible = stroke.object_balls_to_rails()
    too_few = Truth.UNDECIDED
    if len(sure) >= BREAK_BALLS_TO_RAILS:
        too_few = Truth.NO
    elif len(sure | possible) < BREAK_BALLS_TO_RAILS:
        too_few = Truth.YES
    truth = _not_seen_whole(stroke, _smaller(stroke.none_down(), too_few))
    mark = Mark(margin=f"{len(sure)} of {BREAK_BALLS_TO_RAILS} balls to a rail")
    ask = "Did four object balls reach a rail on the break?"
    return _found(stroke, "9.3b", truth, ask, None, mark)


Check = Callable[[Stroke], Finding]

FOULS: Final[tuple[tuple[str, Check], ...]] = (
    ("6.1", article_6_1),
    ("6.2", article_6_2),
    ("6.3", article_6_3),
    ("6.4", article_6_4),
    ("6.5", article_6_5),
    ("6.6", article_6_6),
    ("6.7", article_6_7),
    ("6.8", article_6_8),
    ("6.9", article_6_9),
    ("6.10", article_6_10),
    ("6.12", article_6_12),
    ("6.13", article_6_13),
    ("6.15", article_6_15),
    ("6.16", article_6_16),
    ("6.17", article_6_17),
    ("9.3b", article_9_3b),
)
"""All articles that a stroke can break, in rulebook order."""


@lru_cache(maxsize=8)
def checks_of(edition: Edition) -> tuple[tuple[str, Check], ...]:
    """The checks of the articles that an edition counts as fouls."""
    listed = (*edition.standard_fouls, "6.17", "9.3b")
    return tuple((article, check) for article, check in FOULS if article in listed)


def findings(
    stroke: Stroke, said: Mapping[str, Foul | None]
) -> tuple[tuple[Foul, ...], tuple[Question, ...]]:
    """All fouls and questions of a stroke.

    `said` holds a person's word on an article: the foul that was called or confirmed, or
    None when it was dismissed. A stroke played out of turn is that foul and no other: the
    articles about a shot are for the player at the table (rule 6.13, procedure step 4).
    """
    fouls: list[Foul] = []
    questions: list[Question] = []
    called_out = said.get("6.13") is not None or said.get("6.17") is not None
    played_out_of_turn = stroke.out_of_turn and called_out
    for article, check in checks_of(stroke.options.edition):
        if article in said:
            found: Finding = said[article]
        elif played_out_of_turn:
            continue
        else:
            found = check(stroke)
        if found is None:
            continue
        if isinstance(found, Foul):
            fouls.append(found)
        else:
            questions.append(found)
    if stroke.facts.next_stroke_started:
        questions.clear()
    return tuple(fouls), tuple(questions)
