"""The shot log: one JSON object a line, in both directions.

The format is docs/formats.md. The first line is the source; then one event a line,
ordered by time. A line that cannot be read is named by file, line and field.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from table.balls import CUE, BallName
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
    Source,
)
from table.geometry import Cushion, Pocket, Point
from table.json_fields import FieldError, Fields, as_number, as_point

VERSION: Final = 1


class LogError(ValueError):
    """A shot log that cannot be read; the text names file, line and field."""


@dataclass(frozen=True, slots=True)
class ShotLog:
    """A source and its events in order of time."""

    source: Source
    events: tuple[ShotEvent, ...]

    def shots(self) -> dict[int, tuple[ShotEvent, ...]]:
        """The events of each shot, by shot number."""
        grouped: dict[int, list[ShotEvent]] = {}
        for event in self.events:
            grouped.setdefault(event.shot, []).append(event)
        return {shot: tuple(events) for shot, events in sorted(grouped.items())}


def read_log(path: Path) -> ShotLog:
    """Read a shot log.

    Raises:
        LogError: naming file, line and field of the first thing that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise LogError(f"{path.name} is not a text file") from None
    except OSError as error:
        raise LogError(f"{path} cannot be read: {error.strerror}") from None
    # Not splitlines: a text within JSON may hold other line separators.
    return parse_log(text.split("\n"), path.name)


def parse_log(lines: Iterable[str], name: str = "shot log") -> ShotLog:
    """Parse the lines of a shot log; `name` stands in error texts.

    Raises:
        LogError: naming line and field of the first thing that cannot be read.
    """
    source = Source()
    events: list[ShotEvent] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{name} line {number}"
        try:
            fields = Fields(_parse_object(line, place), place)
            if fields.text("kind") == "source":
                source = _read_source(fields)
            else:
                events.append(_read_event(fields))
        except FieldError as error:
            raise LogError(str(error)) from None
    return ShotLog(source, tuple(in_order(events)))


def write_log(log: ShotLog) -> str:
    """The text of a shot log: a line for the source, a line for each event."""
    rows = [source_to_json(log.source)] + [event_to_json(e) for e in in_order(log.events)]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def in_order(events: Iterable[ShotEvent]) -> list[ShotEvent]:
    """Events by shot and time; a start without a time comes first, an end last."""

    def key(event: ShotEvent) -> tuple[int, float, int]:
        rank = {"shot_started": 0, "shot_ended": 2}.get(event.kind, 1)
        if event.t_s is None:
            return (event.shot, float("inf") if rank == 2 else float("-inf"), rank)
        return (event.shot, event.t_s, rank)

    return sorted(events, key=key)


def source_to_json(source: Source) -> dict[str, object]:
    """The source line as a JSON object."""
    row: dict[str, object] = {"v": VERSION, "kind": "source", "file": source.file}
    row |= {"fps": source.fps, "frames": source.frames}
    row["table"] = {
        "length_m": _rounded(source.length_m),
        "width_m": _rounded(source.width_m),
    }
    row |= {"head": source.head, "head_from": source.head_from, "ball_set": source.ball_set}
    return {key: value for key, value in row.items() if value is not None} | dict(source.more)


def event_to_json(event: ShotEvent) -> dict[str, object]:
    """One event as a JSON object; optional fields stand only where they say something."""
    kind = event.name if isinstance(event, OtherEvent) else event.kind
    row: dict[str, object] = {"v": VERSION, "kind": kind, "shot": event.shot}
    row |= {"t_s": _rounded(event.t_s), "dt_s": _rounded(event.dt_s)}
    return row | _own_fields(event) | {"confidence": round(event.confidence, 4)}


def _own_fields(event: ShotEvent) -> dict[str, object]:
    match event:
        case ShotStarted():
            row: dict[str, object] = {"moving": list(event.moving), "balls": _points(event.balls)}
            if event.moving_speeds_mps:
                row["moving_speeds_mps"] = {
                    b: _rounded(v) for b, v in event.moving_speeds_mps.items()
                }
            flags = {"started_before_clip": event.started_before_clip, "break": event.racked}
            return row | {key: True for key, value in flags.items() if value}
        case BallContact():
            row = {"a": event.a, "b": event.b}
            if event.alternatives:
                row["alternatives"] = [{"b": x.b, "p": round(x.p, 4)} for x in event.alternatives]
            return row
        case CushionContact():
            flags = {"jaw": event.jaw, "rail_top": event.rail_top, "from_rest": event.from_rest}
            return {"ball": event.ball, "cushion": event.cushion.value} | {
                key: True for key, value in flags.items() if value
            }
        case BallPocketed():
            return {"ball": event.ball, "pocket": event.pocket.value}
        case BallOffTable():
            return {"ball": event.ball}
        case ShotEnded():
            row = {"balls": _points(event.balls)}
            if event.ended_after_clip:
                row["ended_after_clip"] = True
            return row | ({"incomplete": event.incomplete} if event.incomplete else {})
        case LateDrop():
            row = {"ball": event.ball, "pocket": event.pocket.value}
            return row | ({} if event.seconds is None else {"seconds": _rounded(event.seconds)})
        case CueSeen():
            return {
                "tip_m": [_rounded(x) for x in event.tip_m],
                "direction_deg": round(event.direction_deg, 2),
                "sigma_deg": round(event.sigma_deg, 2),
            }
        case OtherEvent():
            return dict(event.fields)
    raise TypeError(f"not a shot event: {event!r}")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _points(balls: Mapping[BallName, Point]) -> dict[str, list[float]]:
    return {ball: [round(x, 5), round(y, 5)] for ball, (x, y) in balls.items()}


def _no_number(name: str) -> object:
    """NaN and Infinity are Python's, not JSON's."""
    raise ValueError(name)


def _parse_object(line: str, place: str) -> dict[str, object]:
    try:
        value = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise LogError(f"{place} is not a JSON object") from None
    if not isinstance(value, dict):
        raise LogError(f"{place} is not a JSON object")
    if value.get("v", VERSION) != VERSION:
        raise LogError(f'{place}, field "v": this program reads version {VERSION} only')
    return value


_SOURCE_KEYS: Final = frozenset(
    ("v", "kind", "file", "fps", "frames", "table", "head", "head_from", "ball_set")
)


def _read_source(fields: Fields) -> Source:
    source = Source(
        file=fields.optional_text("file") or "",
        fps=fields.optional_number("fps"),
        frames=None if fields.values.get("frames") is None else fields.integer("frames"),
        head=fields.optional_text("head"),
        head_from=fields.optional_text("head_from"),
        ball_set=fields.optional_text("ball_set"),
        more={k: v for k, v in fields.values.items() if k not in _SOURCE_KEYS},
    )
    table = fields.values.get("table")
    if table is None:
        return source
    if not isinstance(table, dict):
        raise fields.fail("table", 'an object with "length_m" and "width_m"')
    measures = Fields(table, f'{fields.place}, field "table"')
    length_m, width_m = measures.number("length_m"), measures.number("width_m")
    if not 0.0 < width_m < length_m:
        raise measures.fail("length_m", "a length greater than the width, both above 0")
    return replace(source, length_m=length_m, width_m=width_m)


def _read_event(fields: Fields) -> ShotEvent:
    kind = fields.text("kind")
    common: dict[str, Any] = {
        "shot": fields.integer("shot", least=1),
        "t_s": fields.optional_number("t_s"),
        "dt_s": fields.not_negative("dt_s", 0.0),
        "confidence": fields.fraction("confidence", 1.0),
    }
    if common["t_s"] is None and kind not in ("shot_started", "shot_ended"):
        raise fields.fail("t_s", "a time in seconds")
    match kind:
        case "shot_started":
            return ShotStarted(
                **common,
                balls=_read_points(fields, "balls"),
                moving=fields.balls("moving"),
                moving_speeds_mps=cast(
                    dict[BallName, float],
                    fields.by_ball("moving_speeds_mps", as_number, "numbers"),
                ),
                started_before_clip=fields.boolean("started_before_clip"),
                racked=fields.boolean("break"),
            )
        case "ball_contact":
            return _read_contact(fields, common)
        case "cushion_contact":
            return CushionContact(
                **common,
                ball=fields.ball("ball"),
                cushion=fields.one_of("cushion", Cushion),
                jaw=fields.boolean("jaw"),
                rail_top=fields.boolean("rail_top"),
                from_rest=fields.boolean("from_rest"),
            )
        case "ball_pocketed":
            pocket = fields.one_of("pocket", Pocket)
            return BallPocketed(**common, ball=fields.ball("ball"), pocket=pocket)
        case "ball_off_table":
            return BallOffTable(**common, ball=fields.ball("ball"))
        case "shot_ended":
            return ShotEnded(
                **common,
                balls=_read_points(fields, "balls"),
                ended_after_clip=fields.boolean("ended_after_clip"),
                incomplete=fields.optional_text("incomplete"),
            )
        case "late_drop":
            return LateDrop(
                **common,
                ball=fields.ball("ball"),
                pocket=fields.one_of("pocket", Pocket),
                seconds=(
                    None if fields.values.get("seconds") is None else fields.not_negative("seconds")
                ),
            )
        case "cue_seen":
            return CueSeen(
                **common,
                tip_m=fields.point("tip_m"),
                direction_deg=fields.number("direction_deg"),
                sigma_deg=fields.not_negative("sigma_deg"),
            )
    known = {"v", "kind", *common}
    rest = {key: value for key, value in fields.values.items() if key not in known}
    return OtherEvent(**common, name=kind, fields=rest)


def _read_contact(fields: Fields, common: dict[str, Any]) -> BallContact:
    a, b = fields.ball("a"), fields.ball("b")
    if a == b:
        raise fields.fail("b", f'another ball than "{a}"')
    if b == CUE:
        a, b = b, a
    alternatives = tuple(
        Alternative(item.ball("b"), item.fraction("p")) for item in fields.objects("alternatives")
    )
    return BallContact(**common, a=a, b=b, alternatives=alternatives)


def _read_points(fields: Fields, name: str) -> dict[BallName, Point]:
    return cast(dict[BallName, Point], fields.by_ball(name, as_point, "[x, y]"))
