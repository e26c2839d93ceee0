"""declarations.jsonl: what people said, read, checked and given to the shots it is about.

One JSON object a line with `type`, `t_s` and the fields of the type (docs/formats.md). What
is said before a stroke belongs to the first shot that starts at or after it; everything
else to the last shot that started before. `"shot": n` overrides both.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final

from monitor.failures import CannotBeDoneError, sentence_for
from monitor.state_change import StateChange, read_state_change
from rules.corrections import FactCorrection, read_correction
from rules.declaration_json import (
    AFTER_TYPES,
    object_ball,
    read_after,
    read_frozen,
)
from rules.declarations import After, Before, Call, Frozen, Kind, Undo
from table.geometry import Pocket
from table.json_fields import FieldError, Fields
from table.log import VERSION

BEFORE_TYPES: Final = ("call", "safety", "push_out", "withdraw", "frozen")
"""Types that are part of the stroke that follows."""
CORRECTION: Final = "correct_fact"
STATE_CHANGE: Final = "set_state"
_WARNING: Final = "warn_two_fouls"
_WITHDRAWABLE: Final = ("push_out", "safety", "call")


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Something announced for the stroke is taken back before it."""

    what: str


Said = Call | Kind | Withdrawal | Frozen | FactCorrection | StateChange | After
"""What one line says."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """One line of declarations.jsonl."""

    type: str
    said: Said
    t_s: float | None = None
    shot: int | None = None
    """The shot it is about, where the line says so."""
    row: Mapping[str, object] | None = None
    """The line as it stands in the file."""

    @property
    def is_before(self) -> bool:
        """True when it is part of the stroke that follows."""
        return self.type in BEFORE_TYPES

    @property
    def looks_ahead(self) -> bool:
        """True when it belongs to the first shot that starts at or after its time."""
        return self.is_before or self.type == _WARNING


def read_declarations(path: Path) -> tuple[Declaration, ...]:
    """Read a declarations file.

    Raises:
        CannotBeDoneError: naming file, line and field of the first thing that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CannotBeDoneError(f"{path.name} is not a text file.") from None
    except OSError as error:
        raise CannotBeDoneError(sentence_for(error)) from None
    return parse_declarations(text.split("\n"), path.name)


def parse_declarations(lines: Iterable[str], name: str = "declarations") -> tuple[Declaration, ...]:
    """Parse the lines of a declarations file; `name` stands in error texts.

    Raises:
        CannotBeDoneError: naming line and field of the first thing that cannot be read.
    """
    said = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            place = f"{name} line {number}"
            said.append(parse_declaration(_object(line, place), place))
    return tuple(said)


def parse_declaration(row: Mapping[str, object], place: str = "declaration") -> Declaration:
    """One declaration from its JSON object; `place` stands in error texts.

    Raises:
        CannotBeDoneError: naming the field that is missing or wrong.
    """
    fields = Fields(row, place)
    try:
        if row.get("v", VERSION) != VERSION:
            raise fields.fail("v", f"version {VERSION}")
        kind = fields.text("type")
        t_s = fields.optional_number("t_s")
        shot = None if row.get("shot") is None else fields.integer("shot", least=0)
        if t_s is None and shot is None:
            raise fields.fail("t_s", "a time in seconds")
        return Declaration(kind, _said(fields, kind), t_s, shot, dict(row))
    except FieldError as error:
        raise CannotBeDoneError(f"{error}.") from None


def _object(line: str, place: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise CannotBeDoneError(f"{place} is not a JSON object.") from None
    if not isinstance(value, dict):
        raise CannotBeDoneError(f"{place} is not a JSON object.")
    return value


def _said(fields: Fields, kind: str) -> Said:
    match kind:
        case "call":
            return Call(object_ball(fields, "ball"), fields.one_of("pocket", Pocket))
        case "safety" | "push_out":
            return Kind(kind)
        case "withdraw":
            what = fields.text("what")
            if what not in _WITHDRAWABLE:
                raise fields.fail("what", "one of " + ", ".join(_WITHDRAWABLE))
            return Withdrawal(what)
        case "frozen":
            return read_frozen(fields)
        case "correct_fact":
            return read_correction(fields)
        case "set_state":
            return read_state_change(fields)
    if kind not in AFTER_TYPES:
        known = (*BEFORE_TYPES, CORRECTION, STATE_CHANGE, *AFTER_TYPES)
        raise fields.fail("type", "one of " + ", ".join(known))
    return read_after(fields)


# To which shot


@dataclass(frozen=True, slots=True)
class Assigned:
    """The declarations of one shot; shot 0 holds what came before the first stroke."""

    before: tuple[Declaration, ...] = ()
    """Part of the stroke, in order."""
    after: tuple[Declaration, ...] = ()
    """After the stroke, or instead of one, in order."""


def assign(
    declarations: Sequence[Declaration], starts_s: Mapping[int, float]
) -> dict[int, Assigned]:
    """Give each declaration to its shot.

    `starts_s` holds the time of each stroke by shot number (-inf where the clip does not
    show it). Declarations that belong to no shot of the log are left out: `unused` names
    them.
    """
    before: dict[int, list[Declaration]] = {}
    after: dict[int, list[Declaration]] = {}
    strokes = Strokes(starts_s)
    for declaration in _in_order(declarations):
        shot = strokes.shot_of(declaration)
        if shot is None:
            continue
        coming = before.get(strokes.after(shot), [])
        earlier = after.setdefault(shot, [])
        if isinstance(declaration.said, Undo) and _is_newer(coming, earlier):
            coming.pop()
        elif declaration.is_before:
            before.setdefault(shot, []).append(declaration)
        else:
            earlier.append(declaration)
    return {
        shot: Assigned(tuple(before.get(shot, ())), tuple(after.get(shot, ())))
        for shot in (0, *starts_s)
    }


def _is_newer(coming: Sequence[Declaration], earlier: Sequence[Declaration]) -> bool:
    """Was the last word said for the coming stroke, rather than about the last one?"""
    if not coming or coming[-1].t_s is None:
        return False
    last = earlier[-1].t_s if earlier else None
    return last is None or coming[-1].t_s >= last


def unused(
    declarations: Sequence[Declaration], starts_s: Mapping[int, float]
) -> tuple[Declaration, ...]:
    """The declarations that belong to no shot of the log."""
    strokes = Strokes(starts_s)
    return tuple(d for d in declarations if strokes.shot_of(d) is None)


class Strokes:
    """Finds the shot of a declaration among many by bisection: a match has hundreds of both.

    `starts_s`: the time of each stroke by shot number.
    """

    def __init__(self, starts_s: Mapping[int, float]) -> None:
        self._numbers = sorted(starts_s)
        by_time = sorted((start_s, number) for number, start_s in starts_s.items())
        self._times_s = [start_s for start_s, _ in by_time]
        numbers = [number for _, number in by_time]
        self._last = list(accumulate(numbers, max))
        """The highest number among the strokes up to each, by time."""
        self._first = list(accumulate(reversed(numbers), min))[::-1]
        """The lowest number among the strokes from each on, by time."""

    def shot_of(self, declaration: Declaration) -> int | None:
        """The number of the shot that it belongs to, 0 before the first, or None."""
        if declaration.shot is not None:
            return self._named(declaration, declaration.shot)
        t_s = math.inf if declaration.t_s is None else declaration.t_s
        earlier = bisect_left(self._times_s, t_s)
        if not declaration.looks_ahead:
            return self._last[earlier - 1] if earlier else 0
        following = self._first[earlier] if earlier < len(self._first) else None
        return following if declaration.is_before else self._before(following)

    def after(self, shot: int) -> int:
        """The shot after another one, -1 when there is none."""
        place = bisect_right(self._numbers, shot)
        return self._numbers[place] if place < len(self._numbers) else -1

    def _named(self, declaration: Declaration, shot: int) -> int | None:
        place = bisect_left(self._numbers, shot)
        if self._numbers[place : place + 1] != [shot]:
            return 0 if shot == 0 and not declaration.is_before else None
        warns = declaration.looks_ahead and not declaration.is_before
        return self._before(shot) if warns else shot

    def _before(self, following: int | None) -> int:
        """The shot before `following`: a warning changes the state that it left."""
        numbers = self._numbers
        place = len(numbers) if following is None else bisect_left(numbers, following)
        return numbers[place - 1] if place else 0


def shot_of(declaration: Declaration, starts_s: Mapping[int, float]) -> int | None:
    """The number of the shot that a declaration belongs to, 0 before the first, or None."""
    return Strokes(starts_s).shot_of(declaration)


def _in_order(declarations: Sequence[Declaration]) -> list[Declaration]:
    """By time; what has none keeps its place after the one before it in the file."""
    last, keyed = -math.inf, []
    for index, declaration in enumerate(declarations):
        last = last if declaration.t_s is None else declaration.t_s
        keyed.append((last, index, declaration))
    return [declaration for _, _, declaration in sorted(keyed, key=lambda item: item[:2])]


def before_stroke(declarations: Sequence[Declaration]) -> Before:
    """What was announced for one stroke, the last word on each matter.

    A safety and a push out exclude each other: the later one holds.
    """
    called: Call | None = None
    kind, withdrawn = Kind.NORMAL, None
    frozen: list[Frozen] = []
    for declaration in declarations:
        match declaration.said:
            case Call() as call:
                called = call
            case Kind() as announced:
                kind, withdrawn = announced, None
            case Withdrawal(what="call"):
                called = None
            case Withdrawal(what=what):
                if kind is Kind(what):
                    kind, withdrawn = Kind.NORMAL, Kind(what)
            case Frozen() as touching:
                frozen.append(touching)
    return Before(called, kind, tuple(frozen), withdrawn)
