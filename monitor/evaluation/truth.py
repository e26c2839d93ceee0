"""Reading a case folder: what really happened in a clip, and how much of it is known.

Truth files are shot logs (docs/formats.md) that may give positions in pixels
(`balls_px` at `balls_frame`), whole long rails ("LEFT"), lists known to be partial
(`complete`, `complete_lists`), `uncertain` entries, and null times.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from monitor.evaluation.clip_times import ClipTimes, read_clip_times
from monitor.evaluation.happenings import (
    CONTACT,
    CUSHION,
    ENDED,
    OFF_TABLE,
    POCKETED,
    STARTED,
    Happening,
    cushions_named,
    pocket_named,
)
from monitor.evaluation.uncertain import Zone, read_zone
from table.balls import CUE, BallName
from table.geometry import Point
from table.json_fields import FieldError, Fields, as_point

LISTS: Final = frozenset(
    ("first_contact", "ball_contacts", "cushion_contacts", "pocketed", "off_table", "moving")
)
"""The lists that `complete_lists` may name."""

LIST_OF_KIND: Final = {
    CONTACT: "ball_contacts",
    CUSHION: "cushion_contacts",
    POCKETED: "pocketed",
    OFF_TABLE: "off_table",
}

STOP_LABEL_S: Final = 0.3
"""How well a person can label the moment at which the last ball stops."""
STILL_PX: Final = 4.0
STILL_M: Final = 0.008
"""A ball whose place at the start and at the end differs by less lay still."""


class TruthError(ValueError):
    """A truth file that cannot be read; the text names file, line and field."""


@dataclass(frozen=True, slots=True)
class RestTruth:
    """Where the balls are at one moment; points in pixels or, if `in_pixels` is False, metres."""

    balls: Mapping[BallName, Point]
    in_pixels: bool
    t_s: float | None
    """Time of the frame in which the places were read, None where it is the event's own."""
    may_move: frozenset[BallName] = frozenset()
    """Balls that may still roll at that moment."""


@dataclass(frozen=True, slots=True)
class TruthShot:
    """One shot as it was."""

    number: int
    start_s: float | None
    end_s: float | None
    started_before_clip: bool
    ended_after_clip: bool
    scored: frozenset[str]
    """The lists that are complete."""
    first_contact: frozenset[BallName] | None
    """Right answers; empty when no ball was hit; None when it is not scored."""
    moving: frozenset[BallName]
    events: tuple[Happening, ...]
    zones: tuple[Zone, ...]
    start_rest: RestTruth | None
    end_rest: RestTruth | None

    def is_scored(self, kind: str) -> bool:
        """True when the list of this kind is complete, so that extra events are wrong."""
        return kind not in LIST_OF_KIND or LIST_OF_KIND[kind] in self.scored


@dataclass(frozen=True, slots=True)
class Truth:
    """A case: the clip, its true shots, and what review has to be told."""

    name: str
    folder: Path
    clip: Path
    times: ClipTimes
    shots: tuple[TruthShot, ...]
    head: str | None
    ball_set: str | None
    table_text: str
    """The `--table` option that fits: "9ft" or "L,W"."""
    by_hand: bool
    """True when a person labelled it frame by frame, so that labels are +-1 frame."""
    source: Mapping[str, object]

    @property
    def unknown_set(self) -> bool:
        """True when the balls have no numbers, so that any names will do if used alike."""
        return self.ball_set == "none"

    @property
    def declarations(self) -> Path | None:
        """The declarations beside the clip, if there are any."""
        path = self.folder / "declarations.jsonl"
        return path if path.is_file() else None


def read_truth(folder: Path) -> Truth:
    """Read the truth of the case in `folder`.

    Raises:
        TruthError: when there is no truth.jsonl, or naming what in it cannot be read.
    """
    rows = read_rows(folder / "truth.jsonl", folder.name)
    source = next((row.values for row in rows if row.values.get("kind") == "source"), {})
    fps = source.get("fps")
    times = read_clip_times(
        folder / "clip.mp4", float(fps) if isinstance(fps, (int, float)) else None
    )
    by_hand = "frame_tolerance" in source
    reader = _ShotReader(times, source, by_hand)
    try:
        shots = reader.shots(rows)
    except FieldError as error:
        raise TruthError(str(error)) from None
    return Truth(
        name=folder.name,
        folder=folder,
        clip=folder / "clip.mp4",
        times=times,
        shots=shots,
        head=_text(source.get("head")),
        ball_set=_text(source.get("ball_set")),
        table_text=_table_option(source.get("table")),
        by_hand=by_hand,
        source=source,
    )


def read_rows(path: Path, case: str) -> list[Fields]:
    """The objects of a JSON Lines file, each with its place for error texts.

    Raises:
        TruthError: when the file cannot be read or a line is not a JSON object.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise TruthError(f"{case} has no readable {path.name}") from None
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{case}/{path.name} line {number}"
        try:
            value = json.loads(line)
        except json.JSONDecodeError:
            raise TruthError(f"{place} is not a JSON object") from None
        if not isinstance(value, dict):
            raise TruthError(f"{place} is not a JSON object")
        rows.append(Fields(value, place))
    return rows


@dataclass(frozen=True, slots=True)
class _ShotReader:
    times: ClipTimes
    source: Mapping[str, object]
    by_hand: bool

    def shots(self, rows: list[Fields]) -> tuple[TruthShot, ...]:
        numbers = sorted({row.integer("shot", least=1) for row in rows if "shot" in row.values})
        return tuple(
            self._shot(number, [row for row in rows if row.values.get("shot") == number])
            for number in numbers
        )

    def _shot(self, number: int, rows: list[Fields]) -> TruthShot:
        start = _first(rows, STARTED, number)
        end = _first(rows, ENDED, number)
        before = start.boolean("started_before_clip") or start.values.get("t_s") is None
        after = end.boolean("ended_after_clip") or end.values.get("t_s") is None
        after = after or end.values.get("incomplete") is not None
        scored = _scored_lists(start)
        start_rest, end_rest = self._rest(start), self._rest(end)
        zones = self._zones(start, number) + self._zones(end, number)
        if after:
            zones.append(self._after_the_view(number, end_rest))
        events = tuple(
            self._with_zones(item, zones)
            for row in rows
            if (item := self._happening(row, before, after)) is not None
        )
        if before and start_rest is not None:
            start_rest = replace(start_rest, may_move=frozenset(start_rest.balls))
        if after and end_rest is not None:
            end_rest = replace(end_rest, may_move=_moved(start_rest, end_rest))
        return TruthShot(
            number=number,
            start_s=start.optional_number("t_s"),
            end_s=end.optional_number("t_s"),
            started_before_clip=before,
            ended_after_clip=after,
            scored=scored,
            first_contact=_first_contact(start, scored, events, before),
            moving=frozenset(start.balls("moving")),
            events=tuple(sorted(events, key=lambda item: item.t_s)),
            zones=tuple(zone for zone in zones if not zone.time_only),
            start_rest=start_rest,
            end_rest=end_rest,
        )

    def _happening(self, row: Fields, before: bool, after: bool) -> Happening | None:
        kind = str(row.values.get("kind"))
        if kind not in (STARTED, ENDED, CONTACT, CUSHION, POCKETED, OFF_TABLE):
            return None
        t_s = row.optional_number("t_s")
        at_edge = (kind == STARTED and before) or (kind == ENDED and after)
        if t_s is None:
            if not at_edge:
                raise row.fail("t_s", "a time in seconds")
            t_s = self.times.first_s if kind == STARTED else self.times.last_s
        return Happening(
            kind=kind,
            shot=row.integer("shot", least=1),
            t_s=t_s,
            balls=_balls(row, kind),
            places=_places(row, kind),
            slack_s=row.not_negative("dt_s", 0.0) + self._label_slack_s(kind),
            neither=at_edge or _counts_neither_way(row),
            jaw=row.boolean("jaw"),
        )

    def _label_slack_s(self, kind: str) -> float:
        """What a person's label of this kind is worse than one frame."""
        if not self.by_hand:
            return 0.0
        return {POCKETED: self.times.frame_s, ENDED: STOP_LABEL_S}.get(kind, 0.0)

    def _zones(self, row: Fields, shot: int) -> list[Zone]:
        entries = row.values.get("uncertain", [])
        if not isinstance(entries, list):
            return []
        frames = len(self.times.times_s) or None
        return [read_zone(entry, shot, self.times.of_frame, frames) for entry in entries]

    def _after_the_view(self, shot: int, rest: RestTruth | None) -> Zone:
        """Where the view ends within the shot, an end of the shot counts neither way."""
        last_s = self.times.last_s if rest is None or rest.t_s is None else rest.t_s
        window = (last_s - STOP_LABEL_S, float("inf"))
        any_ball: frozenset[BallName] = frozenset()
        return Zone(shot, frozenset({ENDED}), any_ball, any_ball, (window,), False, "end of view")

    def _with_zones(self, item: Happening, zones: list[Zone]) -> Happening:
        for zone in zones:
            if not zone.covers(item):
                continue
            if zone.time_only:
                item = replace(item, slack_s=max(item.slack_s, zone.slack_s(item)))
            else:
                item = replace(item, neither=True)
        return item

    def _rest(self, row: Fields) -> RestTruth | None:
        for key, in_pixels in (("balls_px", True), ("balls", False)):
            if key not in row.values:
                continue
            points = {
                ball: point
                for ball, point in row.by_ball(key, as_point, "[x, y]").items()
                if isinstance(point, tuple)
            }
            frame = row.values.get("balls_frame")
            t_s = self.times.of_frame(frame) if isinstance(frame, int) else None
            return RestTruth(points, in_pixels, t_s)
        return None


def _first(rows: list[Fields], kind: str, number: int) -> Fields:
    found = [row for row in rows if row.values.get("kind") == kind]
    return found[0] if found else Fields({"kind": kind, "shot": number, "t_s": None}, "truth.jsonl")


def _scored_lists(start: Fields) -> frozenset[str]:
    if start.boolean("complete", True):
        return LISTS
    named = start.values.get("complete_lists", [])
    return (
        frozenset(str(name) for name in named) & LISTS if isinstance(named, list) else frozenset()
    )


def _first_contact(
    start: Fields, scored: frozenset[str], events: tuple[Happening, ...], before: bool
) -> frozenset[BallName] | None:
    if "first_contact" not in scored or (before and start.values.get("first_contact") is None):
        return None
    if "first_contact" in start.values:
        value = start.values["first_contact"]
        if value is None:
            return frozenset()
        names = value if isinstance(value, list) else [value]
        return frozenset(str(name) for name in names)
    contacts = [item for item in events if item.kind == CONTACT and CUE in item.balls]
    if not contacts:
        return frozenset() if "ball_contacts" in scored else None
    return min(contacts, key=lambda item: item.t_s).balls - {CUE}


def _counts_neither_way(row: Fields) -> bool:
    marked = row.values.get("uncertain") is True
    return marked or row.boolean("jaw") or row.boolean("from_rest")


def _balls(row: Fields, kind: str) -> frozenset[BallName]:
    if kind == CONTACT:
        return frozenset({row.ball("a"), row.ball("b")})
    return frozenset() if kind in (STARTED, ENDED) else frozenset({row.ball("ball")})


def _places(row: Fields, kind: str) -> frozenset[str]:
    try:
        if kind == CUSHION:
            return cushions_named(row.text("cushion"))
        return pocket_named(row.text("pocket")) if kind == POCKETED else frozenset()
    except FieldError:
        raise
    except ValueError:
        raise row.fail("cushion" if kind == CUSHION else "pocket", "its name") from None


def _moved(start: RestTruth | None, end: RestTruth) -> frozenset[BallName]:
    if start is None or start.in_pixels != end.in_pixels:
        return frozenset(end.balls)
    still = STILL_PX if end.in_pixels else STILL_M
    return frozenset(
        ball
        for ball, (x, y) in end.balls.items()
        if ball not in start.balls
        or ball in start.may_move
        or ((start.balls[ball][0] - x) ** 2 + (start.balls[ball][1] - y) ** 2) ** 0.5 > still
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _table_option(value: object) -> str:
    if isinstance(value, dict) and {"length_m", "width_m"} <= set(value):
        length_m, width_m = value["length_m"], value["width_m"]
        return "9ft" if (length_m, width_m) == (2.54, 1.27) else f"{length_m},{width_m}"
    known = {"pocketless": "2.84,1.42", "snooker 12ft": "3.569,1.778", "8ft": "8ft", "7ft": "7ft"}
    return known.get(str(value), "9ft")
