"""Writing shots in the text notation; `rules.notation` has the grammar and reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from table.balls import BallName
from table.events import (
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
from table.geometry import Point


def print_shots(events: Iterable[ShotEvent]) -> str:
    """The text of `events`, a line an event; `parse_shots` reads the same events back."""
    lines: list[str] = []
    shot = 1
    for event in events:
        if event.shot != shot:
            shot = event.shot
            lines.append(f"SHOT {shot}")
        lines.append(print_event(event))
    return "".join(line + "\n" for line in lines)


def print_event(event: ShotEvent) -> str:
    """One event as a phrase, without its shot number."""
    words = [_print_action(event), *_print_attributes(event)]
    time = "?" if event.t_s is None else _number(event.t_s)
    words.append(f"@{time}" + (f"~{_number(event.dt_s)}" if event.dt_s else ""))
    if event.confidence != 1.0:
        words.append(f"%{_number(event.confidence)}")
    return " ".join(words)


def _print_action(event: ShotEvent) -> str:
    match event:
        case ShotStarted():
            return "START"
        case ShotEnded():
            return "END"
        case CueSeen():
            return "STICK"
        case BallContact():
            others = "".join(f"|{x.b.upper()}:{_number(x.p)}" for x in event.alternatives)
            return f"{event.a.upper()}>{event.b.upper()}{others}"
        case CushionContact():
            return f"{event.ball.upper()}>{event.cushion}"
        case BallPocketed() | LateDrop():
            return f"{event.ball.upper()}>{event.pocket}"
        case BallOffTable():
            return f"{event.ball.upper()}>OFF"
        case OtherEvent():
            plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", event.name)
            return "!" + (event.name if plain else json.dumps(event.name))
    raise TypeError(f"not a shot event: {event!r}")


def _print_attributes(event: ShotEvent) -> list[str]:
    match event:
        case ShotStarted():
            flags = {"cut": event.started_before_clip, "break": event.racked}
            return _places(event.balls) + _moving(event) + _set_flags(flags)
        case ShotEnded():
            reason = event.incomplete
            because = [] if reason is None else [f"incomplete={json.dumps(reason)}"]
            return _places(event.balls) + _set_flags({"cut": event.ended_after_clip}) + because
        case CushionContact():
            return _set_flags({"jaw": event.jaw, "top": event.rail_top, "rest": event.from_rest})
        case LateDrop():
            return ["late" if event.seconds is None else f"late={_number(event.seconds)}"]
        case CueSeen():
            sigma = f"~{_number(event.sigma_deg)}" if event.sigma_deg else ""
            return [f"tip={_point(event.tip_m)}", f"aim={_number(event.direction_deg)}{sigma}"]
        case OtherEvent() if event.fields:
            return [json.dumps(dict(event.fields))]
    return []


def _moving(event: ShotStarted) -> list[str]:
    speeds = {ball: f"={_number(speed)}" for ball, speed in event.moving_speeds_mps.items()}
    return [f"moving:{ball.upper()}{speeds.get(ball, '')}" for ball in event.moving]


def _places(balls: Mapping[BallName, Point]) -> list[str]:
    return [f"{ball.upper()}={_point(point)}" for ball, point in balls.items()]


def _set_flags(flags: dict[str, bool]) -> list[str]:
    return [name for name, value in flags.items() if value]


def _point(point: Point) -> str:
    return f"{_number(point[0])},{_number(point[1])}"


def _number(value: float) -> str:
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text
