"""Reading what review wrote: shot log, camera, rulings and tracks of one clip."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.camera import Camera
from calibration.camera_file import load_camera
from monitor.evaluation.happenings import (
    CONTACT,
    CUSHION,
    ENDED,
    OFF_TABLE,
    POCKETED,
    STARTED,
    Happening,
)
from monitor.evaluation.track_rows import TrackRow, read_tracks
from table.balls import CUE, BallName
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    ShotEnded,
    ShotEvent,
    ShotStarted,
)
from table.geometry import Point
from table.log import LogError, ShotLog, read_log

OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


@dataclass(frozen=True, slots=True)
class FirstContact:
    """What our log says was struck first; `ball` None when it says that nothing was."""

    ball: BallName | None
    probability: float
    has_alternatives: bool
    t_s: float | None


@dataclass(frozen=True, slots=True)
class OurShot:
    """One shot as our log tells it."""

    number: int
    start_s: float | None
    end_s: float | None
    open_end: bool
    """True when the shot goes on after the clip, or was cut."""
    moving: frozenset[BallName]
    events: tuple[Happening, ...]
    first_contact: FirstContact
    start_balls: Mapping[BallName, Point]
    end_balls: Mapping[BallName, Point]


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that review wrote about a clip; `problem` says why there is nothing."""

    shots: tuple[OurShot, ...] = ()
    camera: Camera | None = None
    head: str | None = None
    head_from: str | None = None
    rulings: tuple[Mapping[str, object], ...] = ()
    tracks: tuple[TrackRow, ...] = ()
    timing: Mapping[str, float] | None = None
    problem: str | None = None


def read_results(folder: Path) -> Results:
    """Read one clip's output folder; what is missing or broken is said in `problem`."""
    if not (folder / "shots.jsonl").is_file():
        return Results(problem=_reason(folder))
    try:
        log = read_log(folder / "shots.jsonl")
        camera = load_camera(folder / "camera.json") if (folder / "camera.json").is_file() else None
    except (LogError, ValueError, OSError) as error:
        return Results(problem=str(error))
    return Results(
        shots=our_shots(log),
        camera=camera,
        head=log.source.head,
        head_from=log.source.head_from,
        rulings=_rulings(folder / "rulings.jsonl"),
        tracks=read_tracks(folder / "tracks.csv"),
        timing=_timing(folder / "timing.json"),
    )


def our_shots(log: ShotLog) -> tuple[OurShot, ...]:
    """The shots of a log in the form that is compared."""
    return tuple(_our_shot(number, events) for number, events in log.shots().items())


def turned(results: Results) -> Results:
    """The same results on the table turned by 180 degrees, the camera included."""
    return replace(
        results,
        shots=tuple(
            replace(
                shot,
                events=tuple(event.turned() for event in shot.events),
                start_balls={ball: (-x, -y) for ball, (x, y) in shot.start_balls.items()},
                end_balls={ball: (-x, -y) for ball, (x, y) in shot.end_balls.items()},
            )
            for shot in results.shots
        ),
        camera=results.camera.turned() if results.camera else None,
        tracks=tuple(replace(row, x_m=-row.x_m, y_m=-row.y_m) for row in results.tracks),
    )


def is_turned(results: Results, head: str | None) -> bool:
    """True when our head end was only assumed, and is the other end than truth's."""
    return (
        results.head_from == "assumed"
        and head is not None
        and results.head is not None
        and OPPOSITE.get(results.head) == head
    )


def _our_shot(number: int, events: tuple[ShotEvent, ...]) -> OurShot:
    start = next((event for event in events if isinstance(event, ShotStarted)), None)
    end = next((event for event in events if isinstance(event, ShotEnded)), None)
    items = tuple(item for event in events if (item := happening(event)) is not None)
    return OurShot(
        number=number,
        start_s=start.t_s if start else None,
        end_s=end.t_s if end else None,
        open_end=end is None or end.t_s is None or end.ended_after_clip or bool(end.incomplete),
        moving=frozenset(start.moving) if start else frozenset(),
        events=items,
        first_contact=_our_first_contact(events),
        start_balls=start.balls if start else {},
        end_balls=end.balls if end else {},
    )


def happening(event: ShotEvent) -> Happening | None:
    """A logged event in the form that is compared, None for kinds that are not."""
    neither, jaw = False, False
    balls: frozenset[BallName] = frozenset()
    places: frozenset[str] = frozenset()
    match event:
        case ShotStarted():
            kind, neither = STARTED, event.started_before_clip
        case ShotEnded():
            kind, neither = ENDED, event.ended_after_clip or bool(event.incomplete)
        case BallContact():
            kind, balls = CONTACT, frozenset({event.a, event.b})
        case CushionContact():
            kind, balls, jaw = CUSHION, frozenset({event.ball}), event.jaw
            places, neither = frozenset({event.cushion.value}), event.jaw or event.from_rest
        case BallPocketed():
            kind, balls = POCKETED, frozenset({event.ball})
            places = frozenset({event.pocket.value})
        case BallOffTable():
            kind, balls = OFF_TABLE, frozenset({event.ball})
        case _:
            return None
    if event.t_s is None:
        return None
    return Happening(
        kind=kind,
        shot=event.shot,
        t_s=event.t_s,
        balls=balls,
        places=places,
        neither=neither,
        jaw=jaw,
        confidence=event.confidence,
    )


def _our_first_contact(events: tuple[ShotEvent, ...]) -> FirstContact:
    contacts = [e for e in events if isinstance(e, BallContact) and CUE in (e.a, e.b)]
    if not contacts:
        return FirstContact(None, 1.0, False, None)
    first = min(contacts, key=lambda event: event.t_s if event.t_s is not None else 0.0)
    ball = first.b if first.a == CUE else first.a
    return FirstContact(ball, first.confidence, bool(first.alternatives), first.t_s)


def _rulings(path: Path) -> tuple[Mapping[str, object], ...]:
    if not path.is_file():
        return ()
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        value = json.loads(line) if line.strip() else None
        if isinstance(value, dict):
            rows.append(value)
    return tuple(rows)


def _timing(path: Path) -> Mapping[str, float] | None:
    if not path.is_file():
        return None
    value = json.loads(path.read_text(encoding="utf-8"))
    return {k: float(v) for k, v in value.items() if isinstance(v, (int, float))}


def _reason(folder: Path) -> str:
    for name in ("error.txt", "problem.txt"):
        if (folder / name).is_file():
            text = (folder / name).read_text(encoding="utf-8", errors="replace").strip()
            return text.splitlines()[-1] if text else "no output"
    return "no output" if folder.is_dir() else "no output folder"
