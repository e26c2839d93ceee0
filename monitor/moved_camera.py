"""A camera that moved: the shots that it spoils are told in the shot log and on their rulings.

`calibration.drift` sees the move; here it becomes a `health` line of each shot that was
played while the camera was not where it had been calibrated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from table.events import OtherEvent, ShotEvent

if TYPE_CHECKING:
    from calibration.drift import Move

HEALTH: Final = "health"
CAMERA_MOVED: Final = "camera_moved"


def with_moves(events: Sequence[ShotEvent], moves: Iterable[Move]) -> tuple[ShotEvent, ...]:
    """The events of a clip, and a health line in each shot that a move spoils.

    Args:
        events: in order of time, shots numbered from 1.
        moves: in presentation time, like the events.
    """
    told = list(events)
    for move in moves:
        for number in _spoiled(events, move):
            line = _line(number, move, events)
            later = (i for i, event in enumerate(told) if _is_after(event, line))
            told.insert(next(later, len(told)), line)
    return tuple(told)


def sentence_of(move: Move, anew_s: float | None = None, problem: str | None = None) -> str:
    """What a person reads of a move.

    `anew_s`: from when on the camera is calibrated anew; `problem`: why it could not be.
    """
    far = far_words(move.moved_mm)
    if anew_s is not None:
        return (
            f"the camera moved {far} after {move.from_s:.1f} s: calibrated anew, and ruled on "
            f"again from {anew_s:.1f} s"
        )
    back = "" if move.until_s is None else f" until {move.until_s:.1f} s"
    why = "" if problem is None else f" (calibrating it anew failed: {problem})"
    return (
        f"the camera moved {far} after {move.from_s:.1f} s{back}: positions from then on are "
        f"not to be trusted; fix the camera and calibrate again{why}"
    )


def far_words(moved_mm: float) -> str:
    """How far a camera moved, to go behind "moved"."""
    return f"by {moved_mm:.0f} mm" if math.isfinite(moved_mm) else "to another view"


def health_notes(events: Iterable[ShotEvent]) -> list[str]:
    """The notes of a shot's own health lines, for its ruling."""
    lines = (e.fields for e in events if isinstance(e, OtherEvent) and e.name == HEALTH)
    return [str(fields["note"]) for fields in lines if "note" in fields]


def _spoiled(events: Sequence[ShotEvent], move: Move) -> list[int]:
    """The shots of which a part was played during the move."""
    times: dict[int, list[float]] = {}
    for event in events:
        if event.t_s is not None:
            times.setdefault(event.shot, []).append(event.t_s)
    until_s = math.inf if move.until_s is None else move.until_s
    return [n for n, at_s in times.items() if max(at_s) >= move.from_s and min(at_s) <= until_s]


def _line(number: int, move: Move, events: Sequence[ShotEvent]) -> OtherEvent:
    start_s = min(e.t_s for e in events if e.shot == number and e.t_s is not None)
    finite = math.isfinite(move.moved_mm)
    return OtherEvent(
        shot=number,
        t_s=max(move.from_s, start_s),
        dt_s=move.alarm_s - move.from_s,
        confidence=1.0,
        name=HEALTH,
        fields={
            "state": CAMERA_MOVED,
            "moved_mm": round(move.moved_mm, 1) if finite else None,
            "from_s": round(move.from_s, 3),
            "until_s": None if move.until_s is None else round(move.until_s, 3),
            "note": sentence_of(move),
        },
    )


def _is_after(event: ShotEvent, line: OtherEvent) -> bool:
    return event.t_s is not None and line.t_s is not None and event.t_s > line.t_s
