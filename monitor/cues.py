"""The cue in the shot log: where it aimed at each stroke, and where it lay on the cloth."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from table.balls import CUE
from table.events import CueSeen, OtherEvent, ShotEvent, ShotStarted
from vision.seen_cues import SeenCues

_ADVISORY_SHOT: Final = 1


def with_cues(
    events: Iterable[ShotEvent], cues: SeenCues | None, frame_s: float
) -> tuple[ShotEvent, ...]:
    """The events with `cue_seen` at each stroke, and `cue_on_table`, in order of time.

    `cue_seen` follows its `shot_started` and carries the stroke's time; its tip is that of the
    last look. A stroke whose cue was not seen gets none. `frame_s` is the time between frames.
    """
    events = tuple(events)
    if cues is None:
        return events
    found: list[ShotEvent] = []
    for event in events:
        found.append(event)
        if isinstance(event, ShotStarted) and not event.started_before_clip:
            found += _cue_seen(event, cues, frame_s)
    return _in_time(found + [_lay(t_s, events) for t_s in cues.lying_since_s])


def _cue_seen(stroke: ShotStarted, cues: SeenCues, frame_s: float) -> list[ShotEvent]:
    place = stroke.balls.get(CUE)
    if place is None or stroke.t_s is None:
        return []
    aim = cues.aim_before(stroke.t_s, place, frame_s)
    if aim is None:
        return []
    return [
        CueSeen(
            shot=stroke.shot,
            t_s=stroke.t_s,
            tip_m=aim.tip_m,
            direction_deg=math.degrees(aim.direction_rad),
            sigma_deg=math.degrees(aim.sigma_rad),
        )
    ]


def _lay(t_s: float, events: tuple[ShotEvent, ...]) -> ShotEvent:
    begun = [e.shot for e in events if isinstance(e, ShotStarted) and (e.t_s or 0.0) <= t_s]
    return OtherEvent(shot=max(begun, default=_ADVISORY_SHOT), t_s=t_s, name="cue_on_table")


def _in_time(events: list[ShotEvent]) -> tuple[ShotEvent, ...]:
    """Sorted by time; what has no time stays behind what came before it."""
    keys: list[float] = []
    for event in events:
        keys.append(keys[-1] if event.t_s is None and keys else (event.t_s or 0.0))
    order = sorted(range(len(events)), key=lambda i: keys[i])
    return tuple(events[i] for i in order)
