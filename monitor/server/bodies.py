"""What clients may send: the shapes of request bodies, and bounds on everything in them."""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from monitor.live.actions import ACTION_TYPES, LONGEST_TEXT
from monitor.server.problems import ProblemError

MOST_BYTES: Final = 64 * 1024
_DEEPEST: Final = 6
_LONGEST_LIST: Final = 64
_LARGEST: Final = 1e9

ActionId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", max_length=64)]
PlayerLetter = Literal["A", "B"]
BallText = Literal["cue", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
PocketName = Literal["HL", "HR", "SL", "SR", "FL", "FR"]
ShortText = Annotated[str, Field(max_length=64)]
Side = Literal["left", "right", "top", "bottom"]
Pixel = Annotated[list[float], Field(min_length=2, max_length=2)]


class Body(BaseModel):
    """A body without unknown fields."""

    model_config = ConfigDict(extra="forbid")

    def told(self) -> dict[str, Any]:
        """What was sent, and nothing else."""
        return self.model_dump(exclude_unset=True, by_alias=True)


class ActionBody(Body):
    """One action of the referee; which fields belong to which type: docs/live-api.md."""

    id: ActionId
    type: Annotated[str, Field(max_length=32, json_schema_extra={"enum": list(ACTION_TYPES)})]
    shot: Annotated[int, Field(ge=0, le=100_000)] | None = None
    late: bool = False
    record: Annotated[int, Field(ge=1, le=2**53)] | None = None
    ball: BallText | None = None
    balls: Annotated[list[BallText], Field(max_length=16)] | None = None
    pocket: PocketName | None = None
    pocketed: PocketName | None = None
    a: ShortText | None = None
    b: ShortText | None = None
    by: ShortText | None = None
    what: ShortText | None = None
    rule: ShortText | None = None
    penalty: ShortText | None = None
    item: ShortText | None = None
    object: ShortText | None = None
    intentional: bool | None = None
    about_previous_shot: bool | None = None
    after_next_stroke: bool | None = None
    value: Any = None
    fact: ShortText | None = None
    result: ShortText | None = None
    reason: ShortText | None = None
    scope: ShortText | None = None
    kind: ShortText | None = None
    text: Annotated[str, Field(max_length=LONGEST_TEXT)] | None = None
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] | None = None
    limit_s: float | None = None
    extension_s: float | None = None
    from_call: Annotated[dict[str, Any] | None, Field(alias="from")] = None
    to: dict[str, Any] | None = None
    lag_a: Annotated[dict[str, Any] | None, Field(alias="A")] = None
    lag_b: Annotated[dict[str, Any] | None, Field(alias="B")] = None
    balls_on_table: Annotated[list[BallText], Field(max_length=10)] | None = None
    at_table: PlayerLetter | None = None
    breaker: PlayerLetter | None = None
    phase: ShortText | None = None
    cue_ball_in_hand: ShortText | None = None
    fouls: dict[str, Any] | None = None
    warned: dict[str, Any] | None = None


class ShotBody(Body):
    """A shot whose facts are entered by hand."""

    id: ActionId
    facts: dict[str, Any]


class MatchBody(Body):
    """A new match."""

    id: ActionId
    players: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=2)] | None = (
        None
    )
    race_to: Annotated[int, Field(ge=1, le=99)] | None = None
    breaker: PlayerLetter | None = None
    opening: Literal["break", "seen"] | None = None
    options: dict[str, Any] | None = None


class CalibrateBody(Body):
    """An automatic attempt to find the camera."""

    table: ShortText | None = None
    head: Side | None = None


class CornersBody(Body):
    """Four corners put on the picture by hand."""

    corners_px: Annotated[dict[PocketName, Pixel], Field(max_length=4)]
    table: ShortText | None = None
    head: Side | None = None


class NameBody(Body):
    """The name of a ball set."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,32}$", max_length=32)]


class EmptyBody(Body):
    """Nothing."""


def checked(value: Any, depth: int = 0) -> None:
    """Refuse what no honest client sends: depth, length, numbers and texts out of bounds.

    Raises:
        ProblemError: 422, naming what is wrong.
    """
    if depth > _DEEPEST:
        raise ProblemError(422, "bad_field", "The body is nested too deeply.")
    if isinstance(value, dict):
        _sized(value, "fields")
        for key, item in value.items():
            checked(key, depth + 1)
            checked(item, depth + 1)
    elif isinstance(value, list):
        _sized(value, "entries")
        for item in value:
            checked(item, depth + 1)
    elif isinstance(value, str):
        _text(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        finite = isinstance(value, int) or math.isfinite(value)
        if not finite or abs(value) > 2**53 or (isinstance(value, float) and abs(value) > _LARGEST):
            raise ProblemError(422, "bad_field", "A number in the body is out of bounds.")


def _sized(value: dict[str, Any] | list[Any], what: str) -> None:
    if len(value) > _LONGEST_LIST:
        raise ProblemError(422, "bad_field", f"Something in the body has more than 64 {what}.")


def _text(value: str) -> None:
    if len(value) > LONGEST_TEXT:
        raise ProblemError(422, "bad_field", f"A text is longer than {LONGEST_TEXT} characters.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ProblemError(422, "bad_field", "A text holds what is no character.") from None
    if any(ord(c) < 32 and c not in "\n\t" for c in value):
        raise ProblemError(422, "bad_field", "A text holds control characters.")


def to_text(value: object) -> str:
    """JSON for the wire: strict, compact."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
