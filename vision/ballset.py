"""BallSet: how the balls of one set look under a neutral light.

Two sets are built in; any other is learned by enrolment and kept as a small JSON file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table.balls import Ball, BallName, ball_order
from table.json_fields import FieldError, Fields
from vision.light import Light

Lab = tuple[float, float, float]
"""CIE L*, a*, b* under a neutral light in which a white ball has L* 96."""


@dataclass(frozen=True, slots=True)
class BallLook:
    """How one ball looks.

    `base`: the colour of its coloured part (for the cue ball: its white).
    `striped`: it has a white cap on either side of a coloured band.
    `spread`: one standard deviation of the base colour in lightness, chroma and hue
    (hue as a distance, CIE 1994), in L*a*b* units: how far balls of this name vary.
    """

    base: Lab
    striped: bool = False
    spread: tuple[float, float, float] = (10.0, 14.0, 6.5)


@dataclass(frozen=True, slots=True)
class BallSet:
    """The looks of a set's balls by name ("cue", "1".."10").

    `others`: balls that may lie on such a table and are none of these ("11".."15" of a full
    set); they exist so that they are not taken for one of the eleven.
    `light`: the light under which the set was learned by this very camera; None for a set
    known in general, whose colours other cameras may draw otherwise.
    """

    name: str
    looks: Mapping[BallName, BallLook]
    others: tuple[BallLook, ...] = ()
    light: Light | None = None

    @property
    def names(self) -> tuple[BallName, ...]:
        """The names in order: cue, 1 .. 10."""
        return tuple(sorted(self.looks, key=ball_order))


_YELLOW: Final[Lab] = (81.0, 4.0, 76.0)
_YELLOWS: Final = (10.0, 14.0, 14.0)
"""Yellow balls reach from greenish to nearly orange."""
_BLUE: Final[Lab] = (28.0, 28.0, -56.0)
_RED: Final[Lab] = (49.0, 64.0, 43.0)
_PURPLE: Final[Lab] = (31.0, 30.0, -34.0)
_ORANGE: Final[Lab] = (62.0, 50.0, 62.0)
_GREEN: Final[Lab] = (36.0, -31.0, 9.0)
_MAROON: Final[Lab] = (32.0, 42.0, 18.0)
_BLACK: Final[Lab] = (9.0, 1.0, -3.0)
_WHITE: Final[Lab] = (96.0, 0.0, 3.0)
_PINK: Final[Lab] = (61.0, 57.0, 5.0)
_TAN: Final[Lab] = (44.0, 24.0, 36.0)


def _ten_balls(four: Lab, seven: Lab) -> dict[BallName, BallLook]:
    return {
        "cue": BallLook(_WHITE),
        "1": BallLook(_YELLOW, spread=_YELLOWS),
        "2": BallLook(_BLUE),
        "3": BallLook(_RED),
        "4": BallLook(four),
        "5": BallLook(_ORANGE),
        "6": BallLook(_GREEN),
        "7": BallLook(seven),
        "8": BallLook(_BLACK, spread=(14.0, 10.0, 9.0)),
        "9": BallLook(_YELLOW, striped=True, spread=_YELLOWS),
        "10": BallLook(_BLUE, striped=True),
    }


def _upper_stripes(four: Lab, seven: Lab) -> tuple[BallLook, ...]:
    return tuple(BallLook(base, striped=True) for base in (_RED, four, _ORANGE, _GREEN, seven))


STANDARD: Final = BallSet(
    "standard", _ten_balls(_PURPLE, _MAROON), _upper_stripes(_PURPLE, _MAROON)
)
"""The colours of WPA's equipment specifications (15): 4 purple, 7 maroon."""

TV: Final = BallSet("tv", _ten_balls(_PINK, _TAN), _upper_stripes(_PINK, _TAN))
"""The colours made for television: 4 pink, 7 tan; the others as standard."""

BUILT_IN: Final[Mapping[str, BallSet]] = {each.name: each for each in (STANDARD, TV)}


def ball_set_named(text: str) -> BallSet:
    """The built-in set of this name, or the set stored in the file at this path.

    Raises:
        ValueError: when it is neither, or the file is no ball set.
    """
    return BUILT_IN[text] if text in BUILT_IN else load_ball_set(Path(text))


def save_ball_set(ball_set: BallSet, path: Path) -> None:
    """Write the set as JSON."""
    path.write_text(json.dumps(ball_set_fields(ball_set), indent=1) + "\n", encoding="utf-8")


def ball_set_fields(ball_set: BallSet) -> dict[str, object]:
    """The set as the JSON object of its file format (version 1)."""
    return {
        "v": 1,
        "kind": "ball_set",
        "name": ball_set.name,
        "balls": {name: _look_fields(ball_set.looks[name]) for name in ball_set.names},
        "others": [_look_fields(look) for look in ball_set.others],
        "light": None if ball_set.light is None else _light_fields(ball_set.light),
    }


def load_ball_set(path: Path) -> BallSet:
    """Read a set that enrolment has stored.

    Raises:
        ValueError: with one sentence naming the file and the field that is wrong.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: the ball set cannot be read ({error.strerror}).") from None
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise ValueError(f"{path}: this is not a ball set file (no JSON).") from None
    if not isinstance(values, dict):
        raise ValueError(f"{path}: this is not a ball set file (no JSON object).")
    return _parse(Fields(values, str(path)))


def _parse(fields: Fields) -> BallSet:
    if fields.values.get("v") != 1 or fields.values.get("kind") != "ball_set":
        raise FieldError(f"{fields.place}: this is not a ball set file of version 1.")
    name = fields.values.get("name")
    if not isinstance(name, str) or not name:
        raise fields.fail("name", "a text")
    balls = fields.values.get("balls")
    if not isinstance(balls, dict) or not balls:
        raise fields.fail("balls", "an object with a look for each ball")
    looks: dict[BallName, BallLook] = {}
    for ball, look in balls.items():
        if ball not in _NAMES:
            raise FieldError(
                f'{fields.place}, field "balls": "{ball}" is not a ball (cue, 1 .. 10)'
            )
        looks[ball] = _parse_look(look, f'{fields.place}, ball "{ball}"')
    others = fields.values.get("others", [])
    if not isinstance(others, list):
        raise fields.fail("others", "a list of looks")
    return BallSet(
        name,
        looks,
        tuple(_parse_look(each, f"{fields.place}, others") for each in others),
        _parse_light(fields.values.get("light"), f"{fields.place}, light"),
    )


_NAMES: Final = frozenset(ball.text for ball in Ball)


def _look_fields(look: BallLook) -> dict[str, object]:
    return {
        "base_lab": [round(value, 2) for value in look.base],
        "striped": look.striped,
        "spread": [round(value, 2) for value in look.spread],
    }


def _parse_look(value: object, place: str) -> BallLook:
    if not isinstance(value, dict):
        raise FieldError(f"{place}: expected an object with base_lab, striped and spread")
    fields = Fields(value, place)
    striped = value.get("striped", False)
    if not isinstance(striped, bool):
        raise fields.fail("striped", "true or false")
    base = _triple(fields, "base_lab", (-128.0, 128.0))
    spread = _triple(fields, "spread", (0.5, 60.0)) if "spread" in value else BallLook(base).spread
    return BallLook(base, striped, spread)


def _light_fields(light: Light) -> dict[str, object]:
    cloth = light.cloth_bgr
    return {
        "white_bgr": [round(level, 1) for level in light.white_bgr],
        "cloth_bgr": None if cloth is None else [round(level, 1) for level in cloth],
    }


def _parse_light(value: object, place: str) -> Light | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise FieldError(f"{place}: expected an object with white_bgr and cloth_bgr")
    fields = Fields(value, place)
    cloth = value.get("cloth_bgr")
    return Light(
        _triple(fields, "white_bgr", (1.0, 255.0)),
        None if cloth is None else _triple(fields, "cloth_bgr", (0.0, 255.0)),
    )


def _triple(fields: Fields, name: str, limits: tuple[float, float]) -> tuple[float, float, float]:
    value = fields.values.get(name)
    if not isinstance(value, list) or len(value) != 3:
        raise fields.fail(name, "three numbers")
    numbers = [Fields({name: item}, fields.place).number(name) for item in value]
    if not all(limits[0] <= number <= limits[1] for number in numbers):
        raise fields.fail(name, f"three numbers from {limits[0]:g} to {limits[1]:g}")
    first, second, third = numbers
    return (first, second, third)
