"""Replay cases: a shot in text notation, what was said, and the rows that must follow.

A case file is TOML, a `[[case]]` each::

    name = "a sentence"
    balls = "cue 3 5 10"            the balls on the table, on fixed places; "rack": racked
    log = "CUE>3 @0.4; 3>FL @1.3"   rules.notation; START @0 and END @9 are added if missing
    declarations = [{t_s = -1, type = "call", ball = "3", pocket = "FL"}]
    expect = [{shot = 1, next = "A"}]

`expect` names every row in order. `fouls` and `questions` (articles) are empty unless told;
other keys are compared where told, "null" stands for null, `next` for next_player.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from monitor.declaration_file import parse_declarations
from monitor.replaying import replay
from rules.notation import parse_shots
from table.events import ShotEnded, ShotEvent, ShotStarted, Source
from table.geometry import NINE_FOOT, Point
from table.log import ShotLog, parse_log, write_log

FOLDER = Path(__file__).parent / "cases"
PLACES: Mapping[str, Point] = {
    "cue": (-0.5, 0.1),
    "1": (0.3, 0.0),
    "2": (0.5, 0.3),
    "3": (0.2, -0.35),
    "4": (-0.2, 0.4),
    "5": (0.7, -0.2),
    "6": (-0.8, 0.3),
    "7": (0.9, 0.35),
    "8": (-0.3, -0.4),
    "9": (0.05, 0.2),
    "10": (0.8, 0.05),
    "u1": (-0.9, -0.3),
    "u2": (1.0, -0.4),
}
RACK_ORDER = ("1", "2", "3", "4", "10", "5", "6", "7", "8", "9")
Row = dict[str, object]


def racked(cue: Point = (-0.8, 0.0)) -> dict[str, Point]:
    """Ten balls racked on the foot spot, the cue ball behind the head string."""
    d = NINE_FOOT.ball_diameter_m + 0.0002
    x, y = NINE_FOOT.foot_spot
    places = [
        (x + row * d * math.sqrt(3) / 2, y + (i - row / 2) * d)
        for row in range(4)
        for i in range(row + 1)
    ]
    return {"cue": cue, **dict(zip(RACK_ORDER, places, strict=True))}


def places_for(text: str) -> dict[str, Point]:
    """The places of the balls that `text` names, or of a rack."""
    return racked() if text == "rack" else {name: PLACES[name] for name in text.split()}


@dataclass(frozen=True)
class ReplayCase:
    """One case of a file."""

    file: str
    name: str
    log: str
    expect: list[Row]
    balls: str = "cue 3 5 10"
    declarations: list[Row] = field(default_factory=list)
    assume_obvious: bool = False
    why: str = ""

    @property
    def events(self) -> tuple[ShotEvent, ...]:
        """The events, start and end added where the case leaves them out."""
        found = list(parse_shots(self.log))
        shots = {event.shot for event in found} or {1}
        for shot in sorted(shots):
            kinds = {type(event) for event in found if event.shot == shot}
            if ShotStarted not in kinds:
                found.append(ShotStarted(shot=shot, t_s=0.0))
            if ShotEnded not in kinds:
                found.append(ShotEnded(shot=shot, t_s=9.0))
        first = min(shots)
        return tuple(self._with_places(event, first) for event in found)

    def _with_places(self, event: ShotEvent, first: int) -> ShotEvent:
        if isinstance(event, ShotStarted) and event.shot == first and not event.balls:
            return replace(event, balls=places_for(self.balls))
        return event

    def rows(self) -> list[Row]:
        """What replay says."""
        lines = [json.dumps({"v": 1, **row}) for row in self.declarations]
        said = None if self.assume_obvious else parse_declarations(lines)
        log = as_read(ShotLog(Source(), self.events))
        return replay(log, said, assume_obvious=self.assume_obvious)


def as_read(log: ShotLog) -> ShotLog:
    """The log as it is read back from its file."""
    return parse_log(write_log(log).splitlines())


def read_cases() -> Iterator[ReplayCase]:
    """All cases of all files."""
    for path in sorted(FOLDER.glob("*.toml")):
        for row in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            yield ReplayCase(file=path.stem, **row)


def told(row: Row, expected: Row) -> Row:
    """The part of a row that an expectation speaks of, in its words."""
    part: Row = {"fouls": row["fouls"], "questions": _articles(row["questions"])}
    for key in expected:
        value = row.get("next_player" if key == "next" else key)
        if key == "questions":
            value = _articles(value)
        part[key] = "null" if value is None else value
    return part


def _articles(questions: object) -> list[str]:
    assert isinstance(questions, list)
    return [question["article"] for question in questions]
