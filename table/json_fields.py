"""Checked access to the fields of one JSON object: every complaint names its place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from table.balls import BallName, is_ball_name
from table.geometry import Point

E = TypeVar("E", bound=StrEnum)


class FieldError(ValueError):
    """A field that is missing or has a wrong value; the text names file, line and field."""


@dataclass(frozen=True, slots=True)
class Fields:
    """One JSON object and where it stands, e.g. `shots.jsonl line 3`."""

    values: Mapping[str, object]
    place: str

    def fail(self, name: str, wanted: str) -> FieldError:
        """The error for field `name`: what was wanted and what stands there."""
        found = repr(self.values[name])[:60] if name in self.values else "nothing"
        return FieldError(f'{self.place}, field "{name}": expected {wanted}, found {found}')

    def number(self, name: str, default: float | None = None) -> float:
        """A finite number."""
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.fail(name, "a number")
        number = as_number(value)
        if number is None:
            raise self.fail(name, "a finite number")
        return number

    def optional_number(self, name: str) -> float | None:
        """A finite number, or None when the field is null or missing."""
        return None if self.values.get(name) is None else self.number(name)

    def fraction(self, name: str, default: float | None = None) -> float:
        """A number from 0 to 1."""
        value = self.number(name, default)
        if not 0.0 <= value <= 1.0:
            raise self.fail(name, "a number from 0 to 1")
        return value

    def not_negative(self, name: str, default: float | None = None) -> float:
        """A number of at least 0."""
        value = self.number(name, default)
        if value < 0.0:
            raise self.fail(name, "a number of at least 0")
        return value

    def integer(self, name: str, least: int = 0) -> int:
        """A whole number of at least `least`."""
        value = self.values.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.fail(name, f"a whole number of at least {least}")
        return value

    def boolean(self, name: str, default: bool = False) -> bool:
        """true or false."""
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise self.fail(name, "true or false")
        return value

    def text(self, name: str) -> str:
        """A text."""
        value = self.values.get(name)
        if not isinstance(value, str):
            raise self.fail(name, "a text")
        return value

    def optional_text(self, name: str) -> str | None:
        """A text, or None when the field is null or missing."""
        return None if self.values.get(name) is None else self.text(name)

    def ball(self, name: str) -> BallName:
        """A ball's text form."""
        value = self.values.get(name)
        if not is_ball_name(value):
            raise self.fail(name, 'a ball ("cue", "1" .. "10", or "u1", "u2" ...)')
        return str(value)

    def one_of(self, name: str, kind: type[E]) -> E:
        """A member of a text enumeration."""
        value = self.values.get(name)
        try:
            return kind(str(value))
        except ValueError:
            raise self.fail(name, "one of " + " ".join(kind)) from None

    def balls(self, name: str) -> tuple[BallName, ...]:
        """A list of balls, empty when missing."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(is_ball_name(item) for item in value):
            raise self.fail(name, "a list of balls")
        return tuple(value)

    def point(self, name: str) -> Point:
        """A pair of finite numbers."""
        point = as_point(self.values.get(name))
        if point is None:
            raise self.fail(name, "a pair of numbers [x, y]")
        return point

    def by_ball(
        self, name: str, read: Callable[[object], Point | float | None], wanted: str
    ) -> dict[BallName, Point | float]:
        """An object with a ball for each key, empty when missing."""
        value = self.values.get(name, {})
        if not isinstance(value, dict) or not all(is_ball_name(key) for key in value):
            raise self.fail(name, f"an object from balls to {wanted}")
        result: dict[BallName, Point | float] = {}
        for ball, item in value.items():
            read_item = read(item)
            if read_item is None:
                raise FieldError(f'{self.place}, field "{name}.{ball}": expected {wanted}')
            result[ball] = read_item
        return result

    def objects(self, name: str) -> list[Fields]:
        """A list of objects, empty when missing."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fail(name, "a list of objects")
        return [
            Fields(item, f'{self.place}, field "{name}[{index}]"')
            for index, item in enumerate(value)
        ]


def as_point(value: object) -> Point | None:
    """[x, y] with finite numbers as a point, anything else as None."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return None
    x, y = as_number(value[0]), as_number(value[1])
    return None if x is None or y is None else (x, y)


def as_number(value: object) -> float | None:
    """A finite number as float, anything else as None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
