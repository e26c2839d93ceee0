"""A copy of a frozen record with some fields changed."""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dataclasses import replace as changed
else:
    R = TypeVar("R")

    @cache
    def _layout(kind: type) -> tuple[tuple[str, ...], attrgetter]:
        return kind.__slots__, attrgetter(*kind.__slots__)

    def changed(record: R, /, **changes: Any) -> R:
        """`dataclasses.replace` for frozen slotted records, several times as fast.

        A ruling copies its rack a few times; the library's function checks every field anew
        and would take most of the time of a ruling.

        Raises:
            AttributeError: for a field that the record does not have.
        """
        kind = type(record)
        names, values_of = _layout(kind)
        copy = object.__new__(kind)
        put = object.__setattr__
        for name, value in zip(names, values_of(record), strict=True):
            put(copy, name, value)
        for name, value in changes.items():
            put(copy, name, value)
        return copy


__all__ = ["changed"]
