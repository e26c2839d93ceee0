"""From the lines of a truth file to its shots: what is scored, what counts neither way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from monitor.evaluation.clip_times import ClipTimes
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
from monitor.evaluation.truth import LISTS, RestTruth, TruthShot
from monitor.evaluation.uncertain import Zone, read_zone
from table.balls import CUE, BallName
from table.json_fields import FieldError, Fields, as_point

STOP_LABEL_S: Final = 0.3
"""How well a person can label the moment at which the last ball stops."""
STILL_PX: Final = 4.0
STILL_M: Final = 0.008
"""A ball whose place at the start and at the end differs by less lay still."""


@dataclass(frozen=True, slots=True)
class ShotReader:
    """Reads shots; a person's labels (`by_hand`) are allowed their tolerance."""

    times: ClipTimes
    source: Mapping[str, object]
    by_hand: bool

    def shots(self, rows: list[Fields]) -> tuple[TruthShot, ...]:
        """All shots, by number.

        Raises:
            FieldError: naming the line and the field that cannot be read.
        """
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
