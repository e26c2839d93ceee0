"""A shot as text: one short phrase an event, read and written.

Example, a pot after which the cue ball reaches the foot cushion::

    START CUE=-0.9,0.1 3=0.635,0 @0
    CUE>3 @0.40
    3>FL @1.3
    CUE>FOOT @1.5~0.01
    END CUE=0.1,0.2 @3.2

Events stand on lines of their own or are parted by ";"; "#" starts a comment. The grammar::

    shots     = *( "SHOT" number | event )             the shot of what follows, 1 at first
    event     = action *( attribute ) time [ "%" probability ]
    time      = "@" seconds [ "~" half-width ] | "@?" [ "~" half-width ]
    action    = "START" | "END"
              | ball ">" ball *( "|" ball ":" p )      contact; the other balls it may have been
              | ball ">" cushion                       cushion contact
              | ball ">" pocket                        pocketed
              | ball ">OFF"                            driven off the table
              | "STICK"                                the cue stick as seen
              | "!" name [ JSON object ]               any further kind, with its fields
    ball      = "CUE" | "1" .. "10" | "U1", "U2" ...
    attribute = ball "=" x "," y                       START, END: a ball's centre, metres
              | "moving:" ball [ "=" speed ]           START: still moved, m/s
              | "cut" | "break"                        START: begun before the clip; racked
              | "cut" | "incomplete=" JSON string      END: the clip ends first; why not whole
              | "jaw" | "top" | "rest"                 cushion: jaw, rail top, pressed from rest
              | "late" [ "=" seconds ]                 pocket: by itself, after all stopped
              | "tip=" x "," y | "aim=" degrees [ "~" sigma ]      STICK

Capitals do not matter; attributes, time and probability may stand in any order.
`~` is the half-width of the time uncertainty (0 when left out), `%` the probability that the
event happened as written (1 when left out), `@?` a time that the clip does not show.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from rules.notation_writing import print_event, print_shots
from table.balls import BallName, is_ball_name
from table.events import (
    Alternative,
    BallContact,
    BallOffTable,
    BallPocketed,
    CueSeen,
    CushionContact,
    LateDrop,
    OtherEvent,
    ShotEnded,
    ShotEvent,
    ShotStarted,
)
from table.geometry import Cushion, Pocket, Point

__all__ = ["NotationError", "parse_shots", "print_event", "print_shots"]


class NotationError(ValueError):
    """A phrase that is not shot notation; the text names line and phrase."""


def parse_shots(text: str) -> tuple[ShotEvent, ...]:
    """The events that `text` writes, in its order.

    Raises:
        NotationError: naming the line and what stands there.
    """
    shot = 1
    events: list[ShotEvent] = []
    for phrase in _phrases(text):
        if phrase.words[0].upper() == "SHOT":
            shot = _shot_number(phrase)
        else:
            events.append(_read(phrase, shot))
    return tuple(events)


@dataclass
class _Phrase:
    line: int
    words: list[str] = field(default_factory=list)
    fields: dict[str, object] = field(default_factory=dict)

    def fail(self, word: str, why: str) -> NotationError:
        return NotationError(f'line {self.line}, "{word}": {why}')


_TOKEN: Final = re.compile(
    r"(?P<space>[ \t\r]+)|(?P<end>[;\n])|(?P<comment>\#[^\n]*)"
    r'|(?P<other>![A-Za-z_][A-Za-z0-9_.-]*|!"(?:[^"\\\n]|\\.)*")'
    r'|(?P<quoted>[a-z]+="(?:[^"\\\n]|\\.)*")|(?P<word>[^\s;#"{]+)'
)


def _phrases(text: str) -> Iterator[_Phrase]:
    phrase, place, line = _Phrase(1), 0, 1
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            place = _read_object(text, place, phrase)
            continue
        place = match.end()
        if match.lastgroup == "end":
            if phrase.words:
                yield phrase
            line += match.group() == "\n"
            phrase = _Phrase(line)
        elif match.lastgroup not in ("space", "comment"):
            phrase.words.append(match.group())
    if phrase.words:
        yield phrase


def _read_object(text: str, place: int, phrase: _Phrase) -> int:
    """Read the JSON object of a further kind at `place`; return the place after it."""
    if len(phrase.words) != 1 or not phrase.words[0].startswith("!") or phrase.fields:
        raise phrase.fail(text[place : place + 20], "cannot be read")
    try:
        value, end = json.JSONDecoder().raw_decode(text, place)
    except (json.JSONDecodeError, RecursionError):
        raise phrase.fail(text[place : place + 20], "is not a JSON object") from None
    phrase.fields = value
    return end


def _shot_number(phrase: _Phrase) -> int:
    number = phrase.words[1] if len(phrase.words) == 2 else ""
    if not re.fullmatch(r"[1-9][0-9]*", number):
        raise phrase.fail(" ".join(phrase.words), 'expected "SHOT" and a number from 1')
    return int(number)


def _read(phrase: _Phrase, shot: int) -> ShotEvent:
    action, *words = phrase.words
    common: dict[str, Any] = {"shot": shot}
    attributes: list[str] = []
    for word in words:
        if word.startswith("@"):
            common |= _read_time(phrase, word)
        elif word.startswith("%"):
            common["confidence"] = _read_probability(phrase, word, word[1:])
        else:
            attributes.append(word)
    if "t_s" not in common:
        raise phrase.fail(" ".join(phrase.words), "has no time (@seconds)")
    upper = action.upper()
    if common["t_s"] is None and upper not in ("START", "END"):
        raise phrase.fail(action, "needs a time; only START and END may lack it")
    if upper == "START":
        return _read_start(phrase, attributes, common)
    if upper == "END":
        return _read_end(phrase, attributes, common)
    if upper == "STICK":
        return _read_stick(phrase, attributes, common)
    if action.startswith("!"):
        _no_more(phrase, attributes)
        name = json.loads(action[1:]) if action[1] == '"' else action[1:]
        return OtherEvent(**common, name=name, fields=phrase.fields)
    return _read_meeting(phrase, attributes, common)


def _read_time(phrase: _Phrase, word: str) -> dict[str, float | None]:
    seconds, _, half_width = word[1:].partition("~")
    dt_s = _read_number(phrase, word, half_width) if half_width else 0.0
    if dt_s < 0:
        raise phrase.fail(word, "a half-width is not negative")
    return {"t_s": None if seconds == "?" else _read_number(phrase, word, seconds), "dt_s": dt_s}


def _read_meeting(phrase: _Phrase, attributes: list[str], common: dict[str, Any]) -> ShotEvent:
    action = phrase.words[0]
    left, arrow, right = action.partition(">")
    if not arrow:
        raise phrase.fail(action, "is no event")
    ball = _read_ball(phrase, left)
    target = right.upper()
    if target in Cushion.__members__:
        names = {"jaw": "jaw", "top": "rail_top", "rest": "from_rest"}
        flags = {names[word]: True for word in attributes if word in names}
        _no_more(phrase, [word for word in attributes if word not in names])
        return CushionContact(**common, ball=ball, cushion=Cushion(target), **flags)
    if target in Pocket.__members__:
        if attributes and attributes[0].partition("=")[0] == "late":
            _no_more(phrase, attributes[1:])
            after = attributes[0].partition("=")[2]
            seconds = _read_number(phrase, attributes[0], after) if after else None
            return LateDrop(**common, ball=ball, pocket=Pocket(target), seconds=seconds)
        _no_more(phrase, attributes)
        return BallPocketed(**common, ball=ball, pocket=Pocket(target))
    _no_more(phrase, attributes)
    if target == "OFF":
        return BallOffTable(**common, ball=ball)
    other, *rest = right.split("|")
    alternatives = tuple(_read_alternative(phrase, item) for item in rest)
    second = _read_ball(phrase, other)
    if second == ball:
        raise phrase.fail(action, "a ball does not meet itself")
    return BallContact(**common, a=ball, b=second, alternatives=alternatives)


def _read_alternative(phrase: _Phrase, text: str) -> Alternative:
    ball, _, p = text.partition(":")
    return Alternative(_read_ball(phrase, ball), _read_probability(phrase, text, p))


def _read_start(phrase: _Phrase, attributes: list[str], common: dict[str, Any]) -> ShotStarted:
    balls: dict[BallName, Point] = {}
    moving: list[BallName] = []
    speeds: dict[BallName, float] = {}
    for word in attributes:
        if word.startswith("moving:"):
            name, _, speed = word[len("moving:") :].partition("=")
            moving.append(_read_ball(phrase, name))
            if speed:
                speeds[moving[-1]] = _read_number(phrase, word, speed)
        elif word not in ("cut", "break"):
            ball, point = _read_place(phrase, word)
            balls[ball] = point
    return ShotStarted(
        **common,
        balls=balls,
        moving=tuple(moving),
        moving_speeds_mps=speeds,
        started_before_clip="cut" in attributes,
        racked="break" in attributes,
    )


def _read_end(phrase: _Phrase, attributes: list[str], common: dict[str, Any]) -> ShotEnded:
    reason: str | None = None
    balls: dict[BallName, Point] = {}
    for word in attributes:
        if word.startswith('incomplete="'):
            reason = str(json.loads(word[len("incomplete=") :]))
        elif word != "cut":
            ball, point = _read_place(phrase, word)
            balls[ball] = point
    after = "cut" in attributes
    return ShotEnded(**common, balls=balls, ended_after_clip=after, incomplete=reason)


def _read_stick(phrase: _Phrase, attributes: list[str], common: dict[str, Any]) -> CueSeen:
    values = dict(word.partition("=")[::2] for word in attributes)
    if set(values) != {"tip", "aim"}:
        raise phrase.fail(" ".join(phrase.words), "STICK needs tip=x,y and aim=degrees")
    aim, _, sigma = values["aim"].partition("~")
    return CueSeen(
        **common,
        tip_m=_read_point(phrase, values["tip"]),
        direction_deg=_read_number(phrase, values["aim"], aim),
        sigma_deg=_read_number(phrase, values["aim"], sigma) if sigma else 0.0,
    )


def _read_place(phrase: _Phrase, word: str) -> tuple[BallName, Point]:
    name, equals, point = word.partition("=")
    if not equals:
        raise phrase.fail(word, "is no attribute of this event")
    return _read_ball(phrase, name), _read_point(phrase, point)


def _read_point(phrase: _Phrase, text: str) -> Point:
    x, comma, y = text.partition(",")
    if not comma:
        raise phrase.fail(text, "is not a point x,y")
    return (_read_number(phrase, text, x), _read_number(phrase, text, y))


def _read_ball(phrase: _Phrase, text: str) -> BallName:
    name = text.lower()
    if not is_ball_name(name):
        raise phrase.fail(text, "is not a ball (CUE, 1 .. 10, U1, U2 ...), cushion or pocket")
    return name


def _read_probability(phrase: _Phrase, word: str, text: str) -> float:
    p = _read_number(phrase, word, text)
    if not 0.0 <= p <= 1.0:
        raise phrase.fail(word, "a probability lies from 0 to 1")
    return p


_NUMBER: Final = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]{1,3})?")


def _read_number(phrase: _Phrase, word: str, text: str) -> float:
    value = float(text) if _NUMBER.fullmatch(text) else float("inf")
    if abs(value) == float("inf"):
        raise phrase.fail(word, f'"{text}" is not a number')
    return value


def _no_more(phrase: _Phrase, attributes: list[str]) -> None:
    if attributes:
        raise phrase.fail(attributes[0], "is no attribute of this event")
