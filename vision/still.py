"""What lay there a moment ago and still does: places of the picture that did not change.

Most of a table rests most of the time. A patch whose pixels are as they were is not looked
at again, save now and then, so that noise does not get stuck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from vision.found import Found
from vision.frames import Image

_SAME_BOX_PX: Final = 4
"""Noise moves the border of a component by a pixel of its half-size picture."""
_FRESH_FRAMES: Final = 8
"""After so many frames a patch is looked at again, changed or not."""


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    rows: slice
    columns: slice
    pixels: Image
    found: tuple[Found, ...]
    seen_at: int

    def is_near(self, rows: slice, columns: slice) -> bool:
        pairs = (
            (self.rows.start, rows.start),
            (self.rows.stop, rows.stop),
            (self.columns.start, columns.start),
            (self.columns.stop, columns.stop),
        )
        return all(abs(a - b) <= _SAME_BOX_PX for a, b in pairs)

    def is_within(self, rows: slice, columns: slice) -> bool:
        return bool(
            rows.start <= self.rows.start
            and self.rows.stop <= rows.stop
            and columns.start <= self.columns.start
            and self.columns.stop <= columns.stop
        )


@dataclass(eq=False)
class Still:
    """Patches of the last frames and what was found in them.

    `tolerance`: the largest difference between means of 3 x 3 pixels, 8-bit levels, that is noise.
    """

    tolerance: int
    _entries: list[_Entry] = field(default_factory=list, init=False)
    _next: list[_Entry] = field(default_factory=list, init=False)
    _frame: int = field(default=0, init=False)

    def turn(self) -> None:
        """A new frame begins: forget what was not seen again in the last one."""
        self._entries, self._next = self._next, []
        self._frame += 1

    def recall(self, view: Image, rows: slice, columns: slice) -> tuple[Found, ...] | None:
        """What was found in this patch when it looked the same; None when it did not."""
        for entry in self._entries:
            if entry.is_near(rows, columns):
                if self._frame - entry.seen_at < _FRESH_FRAMES and self._unchanged(view, entry):
                    self._keep_on(entry)
                    return entry.found
                return None
        return None

    def unmoved(self, view: Image, rows: slice, columns: slice) -> list[Found]:
        """What was found in smaller patches, now within a larger one, that look the same.

        A hand or a cue has come beside them; they lie as they did.
        """
        found: list[Found] = []
        for entry in self._entries:
            if entry.is_within(rows, columns) and self._unchanged(view, entry):
                self._keep_on(entry)
                found += entry.found
        return found

    def keep(self, view: Image, rows: slice, columns: slice, found: Sequence[Found]) -> None:
        """Remember what was found in a patch."""
        pixels = _calmed(view, rows, columns)
        self._next = [kept for kept in self._next if not kept.is_near(rows, columns)]
        self._next.append(_Entry(rows, columns, pixels, tuple(found), self._frame))

    def _keep_on(self, entry: _Entry) -> None:
        """Remember a patch for another frame, once: it may lie within several larger ones."""
        if not any(kept.is_near(entry.rows, entry.columns) for kept in self._next):
            self._next.append(entry)

    def _unchanged(self, view: Image, entry: _Entry) -> bool:
        change = cv2.absdiff(_calmed(view, entry.rows, entry.columns), entry.pixels)
        return int(np.max(change, initial=0)) <= self.tolerance


def _calmed(view: Image, rows: slice, columns: slice) -> Image:
    """Means of 3 x 3 pixels: a third of the noise, most of the picture."""
    return np.asarray(cv2.blur(view[rows, columns], (3, 3)), np.uint8)
