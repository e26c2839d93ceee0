"""Which balls reached which rails, and when, read from the events (6.3, 8.4, 9.3b).

The order against the first contact is told by time, and by what can be: an object ball
that rested when the stroke began reaches a rail only after something struck it.
"""

from __future__ import annotations

from rules.declarations import Frozen
from rules.facts import CERTAIN, Mark, Moment, RailContact, RailDetail, Truth
from rules.first_contact import cue_contacts, happened, struck_balls
from rules.shot_record import ShotRecord, names_in, overlap, precedes
from table.balls import CUE, Ball, BallName
from table.events import BallContact, BallPocketed, CushionContact, ShotEvent
from table.geometry import Cushion


def read_rails(record: ShotRecord) -> tuple[RailContact, ...]:
    """Every contact with a cushion, a jaw or a rail top, in order of time."""
    contacts = cue_contacts(record)
    something_struck = bool(contacts) or bool(struck_balls(record))
    rails: list[RailContact] = []
    for event in record.cushion_contacts:
        ball = record.ball(event.ball)
        if ball is not None:
            mark = record.mark(event, event.ball)
            moment, order = _moment(record, event, contacts, something_struck)
            detail, leaving = _detail(record, event)
            mark = _both(_both(mark, order), leaving)
            rails.append(RailContact(ball, moment, detail, event.cushion, mark))
    return tuple(rails)


def moment_of(record: ShotRecord, event: ShotEvent) -> Moment:
    """When an event happened, seen from the first contact."""
    contacts = cue_contacts(record)
    return _moment(record, event, contacts, bool(contacts) or bool(struck_balls(record)))[0]


def _moment(
    record: ShotRecord,
    event: ShotEvent,
    contacts: tuple[BallContact, ...],
    something_struck: bool,
) -> tuple[Moment, Mark]:
    """When the rail was reached, and how sure that order is."""
    (name,) = names_in(event)
    rested = name != CUE and name not in record.moving
    all_later = bool(contacts) and all(precedes(event, c) for c in contacts)
    if rested and something_struck:
        unseen = Mark(Truth.UNDECIDED, 0.5, "it moved before the contact that was seen")
        return Moment.AFTER, unseen if all_later else CERTAIN
    if not contacts:
        if something_struck:
            return Moment.UNORDERED, Mark(Truth.UNDECIDED, 0.5, "the contact was not seen")
        return Moment.BEFORE, CERTAIN
    none_before = 1.0
    for contact in contacts:
        if precedes(contact, event):
            none_before *= 1.0 - happened(record, contact)
    if 1.0 - none_before >= record.settings.decide_probability:
        return Moment.AFTER, CERTAIN
    close = next((c for c in contacts if overlap(c, event)), None)
    if close is not None:
        return Moment.UNORDERED, Mark(Truth.UNDECIDED, 0.5, _apart(close, event))
    if none_before < 1.0:
        p = 1.0 - none_before
        return Moment.AFTER, Mark(Truth.UNDECIDED, p, f"contact before it p {p:.2f}")
    return Moment.BEFORE, CERTAIN


def _apart(a: ShotEvent, b: ShotEvent) -> str:
    assert a.t_s is not None and b.t_s is not None  # both are contacts: the log times them
    return f"{abs(a.t_s - b.t_s) * 1000:.0f} ms from the contact"


def _both(event: Mark, order: Mark) -> Mark:
    """The certainty of a rail contact after the first contact: of the event and of the order."""
    if order.is_sure:
        return event
    margin = order.margin if event.margin is None else f"{event.margin}, {order.margin}"
    p = event.probability * order.probability
    return Mark(Truth.UNDECIDED, p, margin, event.evidence, event.clip)


def _detail(record: ShotRecord, event: CushionContact) -> tuple[RailDetail | None, Mark]:
    """What is special about the contact; for a frozen ball, how sure it is that it left."""
    frozen = _declared_frozen(record, event.ball)
    if frozen and event.cushion not in frozen:
        return RailDetail.OTHER_RAIL, CERTAIN
    if event.from_rest:
        return RailDetail.SAME_RAIL_NEVER_LEFT, CERTAIN
    if frozen:
        return _left_and_returned(record, event)
    if event.rail_top:
        fell = any(isinstance(e, BallPocketed) and e.ball == event.ball for e in record.events)
        top = RailDetail.RAIL_TOP_THEN_POCKET if fell else RailDetail.RAIL_TOP_RETURNED
        return top, CERTAIN
    return (RailDetail.JAW_ONLY if event.jaw else None), CERTAIN


def _left_and_returned(record: ShotRecord, event: CushionContact) -> tuple[RailDetail, Mark]:
    """A frozen ball touches its rail again. It cannot have left when it was only just struck.

    Struck by the tip, or by the first ball that met it.
    """
    struck: ShotEvent | None = record.start
    if event.ball != CUE:
        struck = next((c for c in record.contacts if event.ball in names_in(c)), None)
    if struck is None or struck.t_s is None or event.t_s is None:
        return RailDetail.LEFT_AND_RETURNED, CERTAIN
    since_s = event.t_s - struck.t_s
    if since_s <= record.settings.press_s:
        return RailDetail.SAME_RAIL_NEVER_LEFT, CERTAIN
    if since_s - event.dt_s - struck.dt_s > record.settings.press_s:
        return RailDetail.LEFT_AND_RETURNED, CERTAIN
    margin = f"{since_s * 1000:.0f} ms after it was struck"
    return RailDetail.LEFT_AND_RETURNED, Mark(Truth.UNDECIDED, 0.5, margin)


def _declared_frozen(record: ShotRecord, name: BallName) -> frozenset[Cushion]:
    """The rails to which the ball was declared frozen; anybody may declare that (8.4)."""
    return frozenset(
        frozen.b
        for frozen in record.before.frozen
        if _is_about(frozen, name, record)
        if isinstance(frozen.b, Cushion)
    )


def _is_about(frozen: Frozen, name: BallName, record: ShotRecord) -> bool:
    return record.is_in_play(name) and frozen.a is Ball.from_text(name)
