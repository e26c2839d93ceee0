"""The one call that a review without declarations assumes: the plain, obvious shot (9.5)."""

from __future__ import annotations

from collections.abc import Sequence

from rules.declarations import Before, Kind, ObviousCall
from rules.facts import ShotFacts
from rules.rack import Phase, Rack
from rules.shot_record import names_in
from table.balls import CUE, Ball
from table.events import BallContact, BallPocketed, CushionContact, ShotEvent

ASSUMED = "assumed"


def obvious_call(
    rack: Rack, facts: ShotFacts, before: Before, events: Sequence[ShotEvent]
) -> ObviousCall | None:
    """The call that a plain shot implies, None when it has to be asked for.

    Plain: exactly one object ball dropped, it was the one struck first, and before it
    dropped it touched no cushion and no other object ball.
    """
    if rack.phase is Phase.BREAK or before.called is not None or before.kind is not Kind.NORMAL:
        return None
    fell = [fact for fact in facts.pocketed if fact.ball is not Ball.CUE]
    if len(fell) != 1 or facts.lip_drops or facts.supported or not fell[0].mark.is_sure:
        return None
    ball, pocket = fell[0].ball, fell[0].pocket
    first = facts.first_contact
    if pocket is None or not first.mark.is_sure or first.likeliest.balls != (ball,):
        return None
    drop = next(e for e in events if isinstance(e, BallPocketed) and e.ball == ball.text)
    if any(_spoils(event, ball) for event in events[: events.index(drop)]):
        return None
    return ObviousCall(ball, pocket, ASSUMED)


def _spoils(event: ShotEvent, ball: Ball) -> bool:
    """A cushion or another object ball on the way leaves the intention open."""
    if not isinstance(event, (BallContact, CushionContact)) or ball.text not in names_in(event):
        return False
    return CUE not in names_in(event)
