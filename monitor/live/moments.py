"""The moments of a shot that decided its ruling: what evidence is cut around."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    LateDrop,
    ShotEvent,
)

BEFORE_S: Final = 2.0
AFTER_S: Final = 1.0
_MOST: Final = 4
_SAME_S: Final = 0.4
"""Two moments so near to each other are seen in one clip."""


@dataclass(frozen=True, slots=True)
class DecidingMoment:
    """One moment, match time, and the span of its clip."""

    what: str
    t_s: float

    @property
    def span(self) -> tuple[float, float]:
        """2 s before to 1 s after."""
        return round(self.t_s - BEFORE_S, 3), round(self.t_s + AFTER_S, 3)


def deciding_moments(
    events: Sequence[ShotEvent], row: Mapping[str, object]
) -> list[DecidingMoment]:
    """What to keep of a shot: what its fouls and questions rest on, first contact, drops.

    Where nothing fell, the first rail after the contact decides (6.3), and is kept too.
    `row` is the ruling on it, a line of rulings.jsonl.
    """
    found: list[DecidingMoment] = []
    for event in events:
        if event.t_s is None:
            continue
        match event:
            case BallContact(a="cue") if not any(m.what == "first_contact" for m in found):
                found.append(DecidingMoment("first_contact", event.t_s))
            case BallPocketed() | LateDrop():
                found.append(DecidingMoment(f"pocketed_{event.ball}", event.t_s))
            case BallOffTable():
                found.append(DecidingMoment(f"off_table_{event.ball}", event.t_s))
    rail = None if any(m.what != "first_contact" for m in found) else _first_rail(events)
    if rail is not None:
        found.append(rail)
    for t_s in _asked_s(row):
        if all(abs(moment.t_s - t_s) > _SAME_S for moment in found):
            found.append(DecidingMoment("question", round(t_s, 3)))
    return found[:_MOST]


def _first_rail(events: Sequence[ShotEvent]) -> DecidingMoment | None:
    """The first rail after the first contact; one that a ball already lay at is none (8.4)."""
    struck = False
    for event in events:
        struck = struck or (isinstance(event, BallContact) and event.a == "cue")
        if not struck or event.t_s is None or not isinstance(event, CushionContact):
            continue
        if not event.from_rest:
            return DecidingMoment(f"rail_{event.ball}", event.t_s)
    return None


def _asked_s(row: Mapping[str, object]) -> list[float]:
    """The middles of the clips that open questions point at; whole shots are left out."""
    questions = row.get("questions")
    middles = []
    for question in questions if isinstance(questions, list) else []:
        clip = question.get("clip")
        if clip is not None and 0.0 < clip[1] - clip[0] < 2 * (BEFORE_S + AFTER_S):
            middles.append(0.5 * (clip[0] + clip[1]))
    return middles
