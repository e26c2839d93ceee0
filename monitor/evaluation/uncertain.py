"""What a truth file calls uncertain: a fact that counts neither way, or a time.

Entries are structured (`kind`, `ball` or `balls`, `t_s` or `from_s`/`to_s`) or free text
written by a person: "FIVE rattles at the bottom-left pocket, frames 50-60". The text is
read for balls (CUE, ONE .. TEN), the kind of event and frames; what it leaves open is
taken widely. An entry about the label's time alone ("frame of FIVE pocketed", "60/61")
widens the time within which the event counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from monitor.evaluation.happenings import (
    CONTACT,
    CUSHION,
    ENDED,
    OFF_TABLE,
    POCKETED,
    STARTED,
    Happening,
)
from table.balls import BallName

PADDING_FRAMES: Final = 3
"""Label tolerance of one frame, and as much again for the output, and half steps."""

_WORDS: Final = {"CUE": "cue"} | {
    word: str(number)
    for number, word in enumerate(
        ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"), start=1
    )
}
_BALL: Final = re.compile(r"\b(" + "|".join(_WORDS) + r")\b")
_PAIR: Final = re.compile(rf"{_BALL.pattern}\s*-\s*{_BALL.pattern}")
_NOT_FRAMES: Final = re.compile(
    r"\b[xy]\s*[=~]*\s*\d+(-\d+)?|\d+\.\d+|\+-\s*\d+|\d+(-\d+)?\s*(px|mm|ms|s)\b"
)
_RANGE: Final = re.compile(r"\b(\d+)(?:\s*(?:-|/|or|to)\s*(\d+))?\b")
_ABOUT_TIME: Final = re.compile(r"\bframe of\b|_frame\b|\d+\s*/\s*\d+")
_ONE_OR_OTHER: Final = re.compile(r"\b\d+ or \d+\b")

_KIND_WORDS: Final = (
    (CUSHION, re.compile(r"\b(jaw|cushion|rail|nose|bank|top|bottom|left|right)\b(?!-)")),
    (POCKETED, re.compile(r"pocketed|\bpots?\b|\bdrops?\b|\bfalls?\b")),
    (OFF_TABLE, re.compile(r"off[ _](the )?table|leaves the table")),
    (ENDED, re.compile(r"\bend[ _]frame\b|^(the )?(end|stop|rest)\b")),
    (STARTED, re.compile(r"\bstart[ _]frame\b|^(the )?(start|strike|tip)\b")),
)


@dataclass(frozen=True, slots=True)
class Zone:
    """Where, for which balls and kinds, truth is uncertain. Empty sets mean "any"."""

    shot: int
    kinds: frozenset[str]
    balls: frozenset[BallName]
    pair_balls: frozenset[BallName]
    windows_s: tuple[tuple[float, float], ...]
    time_only: bool
    text: str

    def covers(self, item: Happening) -> bool:
        """True when `item` is one of the things that this entry calls uncertain."""
        return item.shot == self.shot and self.covers_apart_from_shot(item)

    def covers_apart_from_shot(self, item: Happening) -> bool:
        """The same for an item whose shot number means nothing here."""
        if self.kinds and item.kind not in self.kinds:
            return False
        named = self.pair_balls if len(item.balls) > 1 else self.balls
        if named and not item.balls <= named:
            return False
        return not self.windows_s or any(a <= item.t_s <= b for a, b in self.windows_s)

    def slack_s(self, item: Happening) -> float:
        """How far the item's time may be off within the windows that hold it."""
        return max(
            (max(item.t_s - a, b - item.t_s) for a, b in self.windows_s if a <= item.t_s <= b),
            default=0.0,
        )


def read_zone(
    entry: object, shot: int, frame_time: Callable[[int], float], frames: int | None
) -> Zone:
    """One entry of a truth file's `uncertain` list; `frame_time` gives a frame's time."""
    fields: Mapping[str, object] = entry if isinstance(entry, Mapping) else {"what": str(entry)}
    if any(key in fields for key in ("kind", "ball", "balls", "t_s", "from_s")):
        return _structured_zone(fields, shot)
    what, reason = str(fields.get("what", "")), str(fields.get("reason", ""))
    balls = _balls_in(what) or _balls_in(reason)
    ranges = _frames_in(what, frames) or _frames_in(reason, frames, joined=True)
    pad = PADDING_FRAMES
    return Zone(
        shot=shot,
        kinds=_kinds_in(what, reason),
        balls=balls,
        pair_balls=balls | _balls_in(reason),
        windows_s=tuple((frame_time(a - pad), frame_time(b + pad)) for a, b in ranges),
        time_only=bool(_ABOUT_TIME.search(what) or _ONE_OR_OTHER.search(reason)),
        text=what,
    )


def _structured_zone(fields: Mapping[str, object], shot: int) -> Zone:
    names = [fields[key] for key in ("ball", "a", "b") if isinstance(fields.get(key), str)]
    listed = fields.get("balls")
    names += listed if isinstance(listed, list) else []
    balls = frozenset(str(name) for name in names)
    window = _structured_window(fields)
    kind = fields.get("kind")
    return Zone(
        shot=shot,
        kinds=frozenset({str(kind)}) if kind else frozenset(),
        balls=balls,
        pair_balls=balls,
        windows_s=(window,) if window else (),
        time_only=fields.get("time_only") is True,
        text=str(fields.get("what", kind or "")),
    )


def _structured_window(fields: Mapping[str, object]) -> tuple[float, float] | None:
    start, end = fields.get("from_s"), fields.get("to_s")
    if isinstance(start, (int, float)) and isinstance(end, (int, float)):
        return (float(start), float(end))
    t_s, dt_s = fields.get("t_s"), fields.get("dt_s", 0.1)
    if isinstance(t_s, (int, float)) and isinstance(dt_s, (int, float)):
        return (t_s - max(dt_s, 0.1), t_s + max(dt_s, 0.1))
    return None


def _balls_in(text: str) -> frozenset[BallName]:
    return frozenset(_WORDS[word] for word in _BALL.findall(text))


def _kinds_in(what: str, reason: str) -> frozenset[str]:
    kinds = {kind for kind, words in _KIND_WORDS if words.search(what.lower())}
    if not kinds:
        kinds = {kind for kind, words in _KIND_WORDS if words.search(reason.lower())}
    if re.search(r"\bjaw|cushion", reason.lower()) and POCKETED not in kinds and ENDED not in kinds:
        kinds.add(CUSHION)
    if _PAIR.search(what) or _PAIR.search(reason):
        kinds.add(CONTACT)
    return frozenset(kinds)


def _frames_in(text: str, frames: int | None, joined: bool = False) -> tuple[tuple[int, int], ...]:
    plain = _NOT_FRAMES.sub(" ", text)
    found = [
        (int(match[1]), int(match[2] or match[1]))
        for match in _RANGE.finditer(plain)
        if frames is None or int(match[2] or match[1]) < frames
    ]
    if joined and found:
        return ((min(a for a, _ in found), max(b for _, b in found)),)
    return tuple(found)
