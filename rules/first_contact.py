"""Which object ball the cue ball touched first, read from the events (6.2, 6.3, 6.7).

Every contact of the cue ball is a chance: it happened as written, with another ball, or
not at all. The chances are followed in order of time until one is sure. Contacts whose
times overlap cannot be told apart (J8). What the other balls did is evidence, too: a ball
that rested and then moves has been struck by something.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rules.declarations import Declarer
from rules.facts import Candidate, FirstContact, Mark, Truth
from rules.shot_record import (
    ShotRecord,
    clip_of,
    earliest,
    latest,
    names_in,
    overlap,
    precedes,
    reference,
)
from table.balls import CUE, Ball, BallName, is_unknown
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    ShotEvent,
)

_NEGLIGIBLE: Final = 1e-3
_NONE: Final[frozenset[BallName]] = frozenset()
_UNSEEN: Final[frozenset[BallName]] = frozenset(("unseen",))
"""A contact with a ball that nobody saw."""

_NAMED: Final = frozenset(ball.text for ball in Ball)

Chances = dict[frozenset[BallName], float]


def cue_contacts(record: ShotRecord) -> tuple[BallContact, ...]:
    """The contacts of the cue ball.

    A contact with a ball declared frozen to it that then lies where it lay is in doubt:
    played away from a touching ball is not a hit on it (6.7).
    """
    return tuple(
        replace(event, confidence=min(event.confidence, 0.5))
        if _played_away(record, event)
        else event
        for event in record.contacts
        if event.a == CUE
    )


def happened(record: ShotRecord, contact: BallContact) -> float:
    """The probability that the cue ball touched some ball then."""
    p = _told(record, contact) + sum(other.p for other in contact.alternatives)
    return 1.0 if p >= record.settings.decide_probability else p


def _told(record: ShotRecord, contact: BallContact) -> float:
    """The confidence of a contact: one that is told at all, however unlikely, is a person's
    to deny."""
    return max(contact.confidence, 2.0 * (1.0 - record.settings.decide_probability))


def read_first_contact(record: ShotRecord) -> FirstContact:
    """The first contact, with every way in which it may have been made."""
    contacts = cue_contacts(record)
    chances: Chances = {}
    _follow(record, contacts, 0, 1.0, chances)
    movers = struck_balls(record)
    if movers and _NONE in chances:
        _move_chance(chances, _NONE, [m for m in movers if not contacts] or [_UNSEEN])
    early = [m for m in movers if contacts and _moved_before(record, m, contacts[0])]
    if early:
        _share(chances, early, 0.5)
    if record.begins_unseen or (record.incomplete and chances.get(_NONE, 0.0) > _NEGLIGIBLE):
        _share(chances, [_UNSEEN], 0.5)
    elif _may_be_lower(record, chances):
        _share(chances, [_UNSEEN], 0.3)
    return _as_fact(record, contacts, chances)


def frozen_ball_moved(record: ShotRecord) -> Ball | None:
    """The ball declared frozen to the cue ball that moved when the stroke was played (6.7).

    Only the referee or the opponent can declare it; the engine tests that again.
    """
    enough = record.settings.decide_probability
    for name in _frozen_to_cue(record):
        own = [e for e in record.contacts if e.a == CUE and e.b == name]
        hit = next((e for e in own if _at_the_strike(record, e)), None)
        if hit is not None and hit.confidence >= enough and not _played_away(record, hit):
            return Ball.from_text(name)
        first = next((e for e in record.events if name in names_in(e) and _shows_motion(e)), None)
        moved = first is not None and not isinstance(first, BallContact)
        if moved and first is not None and first.confidence >= enough:
            return Ball.from_text(name)
    return None


def struck_balls(record: ShotRecord) -> list[frozenset[BallName]]:
    """Object balls that rested when the stroke began and moved afterwards."""
    moved = {
        name: None
        for event in record.events
        if _shows_motion(event)
        for name in names_in(event)
        if CUE not in names_in(event)
    }
    for name in record.start_balls:
        known = name in record.end_balls and name != CUE
        if known and _displacement_m(record, name) > record.settings.moved_m:
            moved[name] = None
    return [frozenset((name,)) for name in moved if name not in record.moving]


# Chances


def _follow(
    record: ShotRecord, contacts: tuple[BallContact, ...], index: int, p: float, chances: Chances
) -> None:
    """Add the chances of the contacts from `index` on, none before them having happened."""
    if p < _NEGLIGIBLE or index == len(contacts):
        _add(chances, _NONE, p)
        return
    contact = contacts[index]
    others = frozenset(
        c.b for c in contacts[index + 1 :] if c.b != contact.b and overlap(contact, c)
    )
    rest = 1.0
    for name, q in _outcomes(record, contact):
        rest -= q
        if not others:
            _add(chances, frozenset((name,)), p * q)
            continue
        together = others | {name}
        _add(chances, together, p * q * 0.5)
        for one in sorted(together):
            _add(chances, frozenset((one,)), p * q * 0.5 / len(together))
    _follow(record, contacts, index + 1, p * max(0.0, rest), chances)


def _outcomes(record: ShotRecord, contact: BallContact) -> Iterator[tuple[BallName, float]]:
    """The balls that a contact may have been with; the rest of the chance is none at all."""
    limit = record.settings.decide_probability
    if contact.confidence >= limit:
        yield contact.b, 1.0
        return
    known = [(contact.b, _told(record, contact))] + [(x.b, x.p) for x in contact.alternatives]
    total = sum(p for _, p in known)
    scale = 1.0 / total if total >= limit else 1.0
    for name, p in known:
        if p > 0.0:
            yield name, p * scale


def _add(chances: Chances, balls: frozenset[BallName], p: float) -> None:
    if p > 0.0:
        chances[balls] = chances.get(balls, 0.0) + p


def _share(chances: Chances, others: list[frozenset[BallName]], part: float) -> None:
    """Give `part` of all chances to `others`."""
    for balls in chances:
        chances[balls] *= 1.0 - part
    for other in others:
        _add(chances, other, part / len(others))


def _move_chance(
    chances: Chances, source: frozenset[BallName], others: list[frozenset[BallName]]
) -> None:
    p = chances.pop(source)
    for other in others:
        _add(chances, other, 0.9 * p / len(others))
    _add(chances, _UNSEEN, 0.1 * p)


def _as_fact(
    record: ShotRecord, contacts: tuple[BallContact, ...], chances: Chances
) -> FirstContact:
    limit = record.settings.decide_probability
    order = sorted(chances.items(), key=lambda item: (-item[1], -len(item[0]), sorted(item[0])))
    kept: list[tuple[frozenset[BallName], float]] = []
    for balls, p in order:
        if sum(q for _, q in kept) < limit:
            kept.append((balls, p))
    candidates = tuple(_candidate(balls, min(1.0, p)) for balls, p in kept)
    top = candidates[0]
    in_play = all(name in _NAMED and record.is_in_play(name) for name in kept[0][0])
    sure = top.probability >= limit and not top.unnamed and in_play
    if not sure and len(candidates) == 1 and not top.unnamed:
        candidates += (Candidate((), 1.0 - limit, unnamed=True),)
    near = [c for c in contacts if overlap(c, contacts[0])] if contacts else []
    mark = Mark(
        Truth.YES if sure else Truth.UNDECIDED,
        top.probability,
        None if sure else _margin(near, top),
        tuple(reference(c) for c in (near or contacts[:1])),
        clip_of(*(near or contacts[:1])) or record.clip,
    )
    return FirstContact(candidates, mark)


def _candidate(balls: frozenset[BallName], p: float) -> Candidate:
    named = tuple(sorted(Ball.from_text(name) for name in balls if name in _NAMED))
    return Candidate(named, p, unnamed=any(name not in _NAMED for name in balls))


def _margin(near: list[BallContact], top: Candidate) -> str:
    if len({c.b for c in near}) > 1:
        times = [c.t_s for c in near if c.t_s is not None]
        return f"{(max(times) - min(times)) * 1000:.0f} ms apart"
    return f"p {top.probability:.2f}"


# Evidence


def _shows_motion(event: ShotEvent) -> bool:
    """True when the balls of an event moved: pressing a ball into its rail shows nothing."""
    if isinstance(event, CushionContact):
        return not event.from_rest
    return isinstance(event, (BallContact, BallPocketed, BallOffTable))


def _moved_before(record: ShotRecord, mover: frozenset[BallName], contact: BallContact) -> bool:
    return any(
        mover & set(names_in(e)) and CUE not in names_in(e) and precedes(e, contact)
        for e in record.events
        if _shows_motion(e)
    )


def _may_be_lower(record: ShotRecord, chances: Chances) -> bool:
    """True when a ball that cannot be named may be lower than the lowest known one.

    That is so while more unnamed balls stand on the table than the rack misses by name.
    """
    lowest = min(record.rack.balls, default=None)
    unnamed = sum(is_unknown(name) for name in record.start_balls)
    missing = sum(ball.text not in record.start_balls for ball in record.rack.balls)
    if lowest is None or unnamed <= missing or lowest is Ball.ONE:
        return False
    return any(lowest.text in balls for balls in chances)


def _frozen_to_cue(record: ShotRecord) -> Iterator[BallName]:
    for frozen in record.before.frozen:
        by_others = frozen.by is not Declarer.SHOOTER
        if frozen.a is Ball.CUE and isinstance(frozen.b, Ball) and by_others:
            yield frozen.b.text


def _at_the_strike(record: ShotRecord, contact: BallContact) -> bool:
    """True when the balls touched as the tip met the cue ball, or it cannot be told."""
    touched_before = any(c.a == CUE and _is_before(c, contact) for c in record.contacts)
    if record.start is None or touched_before:
        return False
    return earliest(contact) <= latest(record.start) + record.settings.press_s


def _is_before(a: ShotEvent, b: ShotEvent) -> bool:
    return a.t_s is not None and b.t_s is not None and a.t_s < b.t_s


def _played_away(record: ShotRecord, contact: BallContact) -> bool:
    """6.7(5): the touching ball was frozen, as declared, and stayed where it lay.

    Positions in which the cue ball has not moved either tell nothing.
    """
    name = contact.b
    if name not in _frozen_to_cue(record) or not _at_the_strike(record, contact):
        return False
    if any(name in names_in(e) and e is not contact and _shows_motion(e) for e in record.events):
        return False
    return _displacement_m(record, name) <= record.settings.moved_m < _displacement_m(record, CUE)


def _displacement_m(record: ShotRecord, name: BallName) -> float:
    """How far from its start a ball rests; no limit when that is not known."""
    start, end = record.start_balls.get(name), record.end_balls.get(name)
    return math.inf if start is None or end is None else math.dist(start, end)
