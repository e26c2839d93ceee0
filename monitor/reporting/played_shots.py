"""Shots as an analyst counts them: who played what, what came of it, and how it moved.

Everything here is plain values; `measured.py` fills in what is measured on the tracks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from table.balls import BallName
from table.geometry import Pocket, Point

RulingRow = Mapping[str, object]
PLAYERS: Final = ("A", "B")


@dataclass(frozen=True, slots=True)
class Motion:
    """What was measured on one shot; None where it was not seen well enough."""

    start_s: float | None = None
    """Presentation time of the stroke."""
    end_s: float | None = None
    """Presentation time of rest."""
    speed_mps: float | None = None
    """Mean speed of the cue ball from the stroke to its first contact, at most 0.3 s."""
    travel_m: float | None = None
    """Length of the cue ball's way."""
    cue_rest: Point | None = None
    """Where the cue ball came to rest, table frame, metres."""
    dropped: tuple[tuple[BallName, Pocket], ...] = ()
    """Object balls and the pockets they fell into, in order of time."""


@dataclass(frozen=True, slots=True)
class PlayedShot:
    """One shot with its last ruling."""

    number: int
    by: str | None = None
    """"A" or "B"; None: not known."""
    kind: str = "normal"
    """"normal", "safety" or "push_out"."""
    is_break: bool = False
    legal: bool | None = None
    """None: not judged."""
    fouls: tuple[str, ...] = ()
    made: BallName | None = None
    """The called ball, when it was legally pocketed."""
    pocketed: tuple[BallName, ...] = ()
    """Object balls that fell."""
    continues: bool = False
    """True when the same player goes on because of this shot."""
    provisional: bool = False
    ends_rack: bool = False
    winner: str | None = None
    reracked: bool = False
    """True when the balls are racked again after it, in the same rack."""
    motion: Motion = field(default_factory=Motion)

    @property
    def is_attempt(self) -> bool:
        """True for a shot that was meant to pocket a ball: no break, safety or push out."""
        return not self.is_break and self.kind == "normal"

    @property
    def is_pot(self) -> bool:
        """True when the called ball was legally pocketed."""
        return self.is_attempt and self.legal is True and self.made is not None

    @property
    def is_miss(self) -> bool:
        """True for an attempt without a foul that did not make its ball."""
        return self.is_attempt and self.legal is True and self.made is None

    @property
    def balls_down(self) -> int:
        """Object balls that fell without a foul."""
        return len(self.pocketed) if self.legal is True else 0


def last_ruling(rows: Sequence[RulingRow], shot: int) -> RulingRow | None:
    """The ruling on a shot that stands: the last one about its stroke."""
    about = [row for row in rows if shot in (row.get("shot"), row.get("after_shot"))]
    strokes = [row for row in about if row.get("shot") == shot or row.get("played")]
    return strokes[-1] if strokes else None


def played_shots(
    rows: Sequence[RulingRow], motions: Mapping[int, Motion]
) -> tuple[PlayedShot, ...]:
    """The shots of a review in order, from the rows of rulings.jsonl."""
    numbers = dict.fromkeys(n for row in rows if isinstance(n := row.get("shot"), int))
    return tuple(_played(rows, number, motions.get(number, Motion())) for number in numbers)


def _played(rows: Sequence[RulingRow], number: int, motion: Motion) -> PlayedShot:
    row = last_ruling(rows, number) or {}
    after = [r for r in rows if number in (r.get("shot"), r.get("after_shot"))]
    end = next((r for r in reversed(after) if r.get("game_over")), None)
    played = row.get("played")
    stroke: Mapping[str, object] = played if isinstance(played, Mapping) else {}
    by = _player(stroke.get("by"))
    return PlayedShot(
        number,
        by=by,
        kind=str(stroke.get("kind") or "normal"),
        is_break=bool(stroke.get("break")),
        legal=_truth(row.get("legal")),
        fouls=_texts(row.get("fouls")),
        made=_text(stroke.get("made")),
        pocketed=_texts(stroke.get("pocketed")),
        continues=_continues(row, by),
        provisional=bool(after and after[-1].get("provisional")),
        ends_rack=end is not None and bool(after[-1].get("game_over")),
        winner=_player(end.get("winner")) if end is not None else None,
        reracked=any(r.get("rerack") for r in after),
        motion=motion,
    )


def _continues(row: RulingRow, by: str | None) -> bool:
    return row.get("legal") is True and by is not None and row.get("next_player") == by


def _player(value: object) -> str | None:
    return value if isinstance(value, str) and value in PLAYERS else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, Iterable) or isinstance(value, str):
        return ()
    return tuple(str(item) for item in value)
