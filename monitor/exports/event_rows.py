"""Events as rows: one an event, the same columns for all kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CueSeen,
    CushionContact,
    LateDrop,
    OtherEvent,
    ShotEvent,
)
from table.log import ShotLog

COLUMNS: Final = (
    "shot",
    "t_s",
    "dt_s",
    "kind",
    "confidence",
    "ball",
    "other_ball",
    "cushion",
    "jaw",
    "pocket",
)
Row = dict[str, object]


def event_rows(log: ShotLog) -> Iterator[Row]:
    """The events in their order; what a kind does not have is None."""
    for event in log.events:
        row: Row = dict.fromkeys(COLUMNS)
        row |= {
            "shot": event.shot,
            "t_s": event.t_s,
            "dt_s": event.dt_s,
            "kind": event.name if isinstance(event, OtherEvent) else event.kind,
            "confidence": event.confidence,
        }
        yield row | _special(event)


def _special(event: ShotEvent) -> Row:
    match event:
        case BallContact():
            return {"ball": event.a, "other_ball": event.b}
        case CushionContact():
            return {"ball": event.ball, "cushion": event.cushion.value, "jaw": event.jaw}
        case BallPocketed() | LateDrop():
            return {"ball": event.ball, "pocket": event.pocket.value}
        case BallOffTable():
            return {"ball": event.ball}
        case CueSeen():
            return {"ball": "cue"}
        case _:
            return {}
