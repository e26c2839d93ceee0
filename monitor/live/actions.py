"""What a person does at the console, checked and turned into records of the journal.

Every type of docs/live-api.md. What cannot be taken at all is an `ActionError`; what the
rules merely give no effect is recorded and answered with `refused`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from monitor.declaration_file import BEFORE_TYPES, CORRECTION, STATE_CHANGE, parse_declaration
from monitor.failures import CannotBeDoneError
from monitor.live.book import MatchBook
from monitor.live.records import CLOCK, DECLARATION, NOTE, TAKE_BACK, VOID, is_undoable
from monitor.match import MatchFold
from monitor.store import Body
from rules.declaration_json import AFTER_TYPES
from rules.declarations import Before, Kind
from rules.hearing import allowed_kind
from rules.rack import WHO_BREAKS, CueBall, Option, Phase
from table.json_fields import FieldError, Fields

ACTION_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
LONGEST_TEXT: Final = 500
_LONGEST_CLOCK_S: Final = 600.0
CLOCK_TYPES: Final = ("clock_off", "clock_pause", "clock_resume", "clock_restart")
NOTE_TYPES: Final = ("note", "protest", "time_out", "spotted", "restored")
OWN_TYPES: Final = ("void_shot", "undo", "redo", *CLOCK_TYPES, *NOTE_TYPES)
ACTION_TYPES: Final = (
    *BEFORE_TYPES,
    CORRECTION,
    STATE_CHANGE,
    *(name for name in AFTER_TYPES if name != "undo"),
    *OWN_TYPES,
)
_NOT_IN_A_ROW: Final = ("id", "late", "limit_s", "extension_s")


class ActionError(Exception):
    """An action that cannot be taken; `code` for programs, the text for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Planned:
    """A record to be written."""

    kind: str
    shot: int | None
    body: Body


def plan(action: Mapping[str, object], book: MatchBook, match: MatchFold, t_s: float) -> Planned:
    """The record that an action makes at match time `t_s`.

    Raises:
        ActionError: when it cannot be taken now.
        FieldError: when a field is missing or wrong.
    """
    fields = Fields(action, "action")
    name = fields.text("type")
    if name not in ACTION_TYPES:
        raise fields.fail("type", "one of " + ", ".join(ACTION_TYPES))
    _check_shot(fields, book)
    own = _OWN.get(name)
    if own is not None:
        return own(fields, book)
    _check_now(fields, name, book, match)
    return _declaration(action, t_s)


def _declaration(action: Mapping[str, object], t_s: float) -> Planned:
    row: Body = {"v": 1, "t_s": t_s}
    row |= {key: value for key, value in action.items() if key not in _NOT_IN_A_ROW}
    row["t_s"] = t_s
    try:
        declared = parse_declaration(row, "action")
    except CannotBeDoneError as error:
        raise FieldError(str(error).rstrip(".")) from None
    more = {key: action[key] for key in ("limit_s", "extension_s") if key in action}
    if more:
        numbers = Fields(action, "action")
        row |= {key: _clock_length(numbers, key) for key in more}
    return Planned(DECLARATION, declared.shot, row)


def _clock_length(fields: Fields, name: str) -> float:
    value = fields.number(name)
    if not 1.0 <= value <= _LONGEST_CLOCK_S:
        raise fields.fail(name, f"1 to {_LONGEST_CLOCK_S:.0f} seconds")
    return value


def _check_shot(fields: Fields, book: MatchBook) -> None:
    """A shot whose next stroke was played is closed, unless a person insists."""
    if fields.values.get("shot") is None:
        return
    shot = fields.integer("shot")
    last = book.last_shot
    begun = book.moving_since_s is not None
    newest = 0 if last is None else last.number
    if shot > book.next_number:
        raise fields.fail("shot", f"at most {book.next_number}, the coming shot")
    is_closed = shot < newest or (shot == newest and begun and shot > 0)
    if is_closed and not fields.boolean("late"):
        raise ActionError(
            "locked", f"The stroke after shot {shot} has begun; its ruling is closed (ch. 6)."
        )


def _check_now(fields: Fields, name: str, book: MatchBook, match: MatchFold) -> None:
    """What the engine would silently judge as something else is refused at the door."""
    rack = match.rack
    explicit = fields.values.get("shot") is not None
    if name in BEFORE_TYPES and name != "withdraw" and not explicit:
        # A cue ball in hand is moved before the stroke; then only the time of the call counts.
        if book.moving_since_s is not None and rack.cue_ball is CueBall.IN_PLACE:
            raise ActionError("stroke_begun", "The stroke has begun: a call comes too late (9.5).")
        if rack.is_over:
            raise ActionError("not_possible", "The rack is over: nothing is played.")
    if name in ("push_out", "safety") and not explicit:
        kind = Kind(name)
        if allowed_kind(rack, Before(kind=kind), match.options.edition) is not kind:
            why = "only right after the break (9.4)" if name == "push_out" else "after the break"
            raise ActionError("not_possible", f"Not now: a {name.replace('_', ' ')} is {why}.")
    if name == "choice":
        _check_choice(fields, match)
    if name == "next_rack" and rack.match_over:
        raise ActionError("match_over", "The match is over; begin a new one.")
    if name == "next_rack" and not rack.is_over:
        raise ActionError("not_possible", "The rack is not over yet.")


def _check_choice(fields: Fields, match: MatchFold) -> None:
    rack = match.rack
    value = fields.one_of("value", Option)
    if value in WHO_BREAKS and rack.phase is Phase.BREAK:
        return
    if value not in rack.options:
        raise ActionError("not_possible", "Nobody has this to decide now.")


# Our own types


def _void(fields: Fields, book: MatchBook) -> Planned:
    shot = fields.integer("shot", least=1)
    if shot not in book.shots:
        raise ActionError("gone", f"There is no shot {shot} (any more).")
    return Planned(VOID, shot, {"type": "void_shot"})


def _undo(fields: Fields, book: MatchBook) -> Planned:
    number = fields.integer("record", least=1)
    target = next((r for r in book.records if r.id == number and is_undoable(r)), None)
    if target is None:
        raise fields.fail("record", "the number of a record that can be undone")
    if number in book.gone:
        raise ActionError("gone", "That is undone already.")
    latest = book.undo
    if (latest is None or latest.id > number) and not fields.boolean("late"):
        code = "locked" if latest is None else "not_possible"
        raise ActionError(code, "Something came after it; undo that first.")
    return Planned(TAKE_BACK, target.shot, {"record": number, "stands": False})


def _redo(fields: Fields, book: MatchBook) -> Planned:
    number = fields.integer("record", least=1)
    target = book.redo
    if target is None or target.id != number:
        raise ActionError("gone", "There is nothing to bring back.")
    return Planned(TAKE_BACK, target.shot, {"record": number, "stands": True})


def _clock(fields: Fields, _: MatchBook) -> Planned:
    return Planned(CLOCK, None, {"type": fields.text("type")})


def _note(fields: Fields, _: MatchBook) -> Planned:
    body: Body = {"type": fields.text("type")}
    text = fields.optional_text("text")
    if body["type"] == "note" and not (text or "").strip():
        raise fields.fail("text", "a text")
    if text is not None:
        if len(text) > LONGEST_TEXT:
            raise fields.fail("text", f"at most {LONGEST_TEXT} characters")
        body["text"] = text
    by = fields.optional_text("by")
    if by is not None:
        if by not in ("A", "B"):
            raise fields.fail("by", "A or B")
        body["by"] = by
    return Planned(NOTE, None, body)


_OWN: Final[dict[str, Callable[[Fields, MatchBook], Planned]]] = {
    "void_shot": _void,
    "undo": _undo,
    "redo": _redo,
    **dict.fromkeys(CLOCK_TYPES, _clock),
    **dict.fromkeys(NOTE_TYPES, _note),
}


def check_id(action: Mapping[str, object]) -> str:
    """The client's number for an action.

    Raises:
        FieldError: when it is missing or not of the right form.
    """
    fields = Fields(action, "action")
    text = fields.text("id")
    if not ACTION_ID.fullmatch(text):
        raise fields.fail("id", "1 to 64 letters, digits, - or _")
    return text
