"""Declarations from JSON objects: the fields of the case format and of declarations.jsonl."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final, TypeVar

from rules import declarations as say
from rules.declarations import After, Before, Call, Declarer, Frozen, Kind, Penalty, Scope
from rules.facts import Placement
from rules.players import Player
from rules.rack import Option
from table.balls import Ball
from table.geometry import Cushion, Pocket
from table.json_fields import Fields

E = TypeVar("E", bound=StrEnum)


def read_before(fields: Fields) -> Before:
    """The `declaration` of a case: what was said before the stroke.

    Raises:
        FieldError: naming the place and the field.
    """
    called = fields.values.get("called")
    withdrawn = fields.optional_text("withdrawn")
    return Before(
        called=None if called is None else read_call(fields, "called"),
        kind=optional(fields, "kind", Kind) or Kind.NORMAL,
        frozen=tuple(read_frozen(item) for item in fields.objects("frozen")),
        withdrawn=None if withdrawn is None else fields.one_of("withdrawn", Kind),
    )


def read_call(fields: Fields, name: str) -> Call:
    """A ball and a pocket."""
    return _read_call_fields(inner(fields, name))


def _read_call_fields(fields: Fields) -> Call:
    return Call(object_ball(fields, "ball"), fields.one_of("pocket", Pocket))


def read_frozen(fields: Fields) -> Frozen:
    """`{a, b, by}`: a ball frozen to a ball or a cushion. The cue ball stands first."""
    a = named_ball(fields, "a")
    text = fields.text("b")
    b: Ball | Cushion
    if text in Cushion.__members__:
        b = Cushion(text)
    elif text in _BALL_TEXTS:
        b = Ball.from_text(text)
    else:
        raise fields.fail("b", "a ball or a cushion")
    if b is a:
        raise fields.fail("b", "another ball or a cushion")
    if b is Ball.CUE:
        a, b = b, a
    return Frozen(a, b, optional(fields, "by", Declarer) or Declarer.REFEREE)


def read_after(fields: Fields) -> After:
    """One declaration after a stroke, or instead of one.

    Raises:
        FieldError: for an unknown type, or naming the field that cannot be read.
    """
    read = _READERS.get(fields.text("type"))
    if read is None:
        raise fields.fail("type", "one of " + ", ".join(_READERS))
    return read(fields)


def _foul(fields: Fields) -> After:
    pocket = fields.optional_text("pocketed")
    return say.FoulCall(
        rule=fields.text("rule"),
        by=player(fields, "by"),
        intentional=fields.boolean("intentional"),
        about_previous_shot=fields.boolean("about_previous_shot"),
        penalty=optional(fields, "penalty", Penalty),
        item=fields.optional_text("item"),
        ball=optional_ball(fields, "ball"),
        pocketed=None if pocket is None else fields.one_of("pocketed", Pocket),
        thing=fields.optional_text("object"),
    )


def _correct_call(fields: Fields) -> After:
    was = None if fields.values.get("from") is None else read_call(fields, "from")
    return say.CorrectCall(to=read_call(fields, "to"), was=was)


def _late_foul(fields: Fields) -> After:
    after_next = fields.boolean("after_next_stroke", True)
    return say.LateFoulCall(fields.text("rule"), player(fields, "by"), after_next)


def _interference(fields: Fields) -> After:
    return say.Interference(fields.optional_text("by"), optional_ball(fields, "ball"))


def _restore(fields: Fields) -> After:
    balls = fields.balls("balls")
    for ball in balls:
        if ball not in _BALL_TEXTS:
            raise fields.fail("balls", "a list of named balls")
    return say.Restore(tuple(Ball.from_text(ball) for ball in balls))


def _fell(fields: Fields) -> After:
    pocket = None if fields.values.get("pocket") is None else fields.one_of("pocket", Pocket)
    return say.BallFellByItself(object_ball(fields, "ball"), pocket)


def _lag(fields: Fields) -> After:
    results = (inner(fields, name) for name in ("A", "B"))
    return say.Lag(*(say.LagResult(r.boolean("good"), r.optional_text("why")) for r in results))


_READERS: Final[dict[str, Callable[[Fields], After]]] = {
    "foul": _foul,
    "confirm": lambda f: say.Confirm(f.text("rule")),
    "dismiss": lambda f: say.Dismiss(f.text("rule")),
    "obvious_call": lambda f: say.ObviousCall(
        object_ball(f, "ball"), f.one_of("pocket", Pocket), f.optional_text("by")
    ),
    "choice": lambda f: say.Choice(player(f, "by"), f.one_of("value", Option)),
    "correct_call": _correct_call,
    "late_declaration": lambda f: say.LateDeclaration(optional(f, "kind", Kind)),
    "late_foul_call": _late_foul,
    "call_requested": lambda f: say.CallRequested(f.optional_text("by")),
    "warn_two_fouls": lambda f: say.WarnTwoFouls(player(f, "by")),
    "speed_up_request": lambda f: say.SpeedUpRequest(player(f, "by")),
    "clock_on": lambda _: say.ClockOn(),
    "extension": lambda f: say.Extension(player(f, "by")),
    "time_expired": lambda f: say.TimeExpired(player(f, "by")),
    "unsporting": lambda f: say.Unsporting(
        player(f, "by"),
        optional(f, "penalty", Penalty) or Penalty.SERIOUS_FOUL,
        f.optional_text("item"),
    ),
    "interference": _interference,
    "restore": _restore,
    "cannot_restore": lambda _: say.CannotRestore(),
    "replay": lambda _: say.Replay(),
    "ball_fell_by_itself": _fell,
    "placement_check": lambda f: say.PlacementCheck(f.one_of("result", Placement)),
    "stalemate_announce": lambda _: say.StalemateAnnounce(),
    "stalemate_agree": lambda f: say.StalemateAgree(player(f, "by")),
    "stalemate_declare": lambda _: say.StalemateDeclare(),
    "rerack": lambda f: say.Rerack(f.optional_text("reason")),
    "next_rack": lambda _: say.NextRack(),
    "spot": lambda f: say.Spot(object_ball(f, "ball")),
    "undo": lambda _: say.Undo(),
    "withdraw_foul": lambda f: say.WithdrawFoul(f.text("rule")),
    "concede": lambda f: say.Concede(player(f, "by"), optional(f, "scope", Scope) or Scope.MATCH),
    "lag": _lag,
    "lag_won": lambda f: say.LagWon(player(f, "by")),
}

AFTER_TYPES: Final = tuple(_READERS)
"""The type names of all declarations that come after a stroke, or instead of one."""

_BALL_TEXTS: Final = frozenset(ball.text for ball in Ball)


def player(fields: Fields, name: str) -> Player:
    """A player, "A" or "B"."""
    return fields.one_of(name, Player)


def optional(fields: Fields, name: str, kind: type[E]) -> E | None:
    """A word of `kind`, or None when the field is null or missing."""
    return None if fields.values.get(name) is None else fields.one_of(name, kind)


def named_ball(fields: Fields, name: str) -> Ball:
    """The cue ball or a numbered ball."""
    value = fields.values.get(name)
    if not isinstance(value, str) or value not in _BALL_TEXTS:
        raise fields.fail(name, "a ball (cue, 1 .. 10)")
    return Ball.from_text(value)


def object_ball(fields: Fields, name: str) -> Ball:
    """A numbered ball."""
    ball = named_ball(fields, name)
    if ball is Ball.CUE:
        raise fields.fail(name, "an object ball (1 .. 10)")
    return ball


def optional_ball(fields: Fields, name: str) -> Ball | None:
    """A ball, or None when the field is null or missing."""
    return None if fields.values.get(name) is None else named_ball(fields, name)


def inner(fields: Fields, name: str) -> Fields:
    """The object in field `name`, with its own place."""
    value = fields.values.get(name)
    if not isinstance(value, dict):
        raise fields.fail(name, "an object")
    return Fields(value, f'{fields.place}, field "{name}"')
