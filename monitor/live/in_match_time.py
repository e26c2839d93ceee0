"""What the eyes tell, in match time: match time is the source's own time plus an offset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from monitor.live.incremental import Glance
from monitor.live.shot_reading import SeenShot
from monitor.live.table_now import TableNow
from monitor.store import Body
from table.events import ShotEvent


def table_now(glance: Glance, offset_s: float) -> TableNow:
    """One look at the table."""

    def shifted(value: float | None) -> float | None:
        return None if value is None else round(value + offset_s, 6)

    return TableNow(
        shifted(glance.t_s),
        dict(glance.balls),
        glance.moving,
        glance.hidden,
        shifted(glance.moving_since_s),
        glance.on_lip,
        shifted(glance.provisional_until_s),
    )


def shot_events(shot: SeenShot, number: int, offset_s: float) -> tuple[ShotEvent, ...]:
    """The events of a shot, with its number in the match."""
    return tuple(
        replace(
            event,
            shot=number,
            t_s=None if event.t_s is None else round(event.t_s + offset_s, 6),
        )
        for event in shot.events
    )


def shot_paths(shot: SeenShot, offset_s: float) -> Body:
    """Where the balls went, and when."""
    return {
        "paths": {
            name: [[round(p[0], 4), round(p[1], 4)] for _, p in path]
            for name, path in shot.paths.items()
        },
        "path_times": {
            name: [round(t_s + offset_s, 3) for t_s, _ in path] for name, path in shot.paths.items()
        },
    }


def frame_words(now: TableNow, captured_at: float) -> Mapping[str, object]:
    """The positions of one frame, as the page gets them."""
    return {
        "type": "frame",
        "t_s": None if now.t_s is None else round(now.t_s, 3),
        "captured_at": captured_at,
        "balls": {name: [round(x, 4), round(y, 4)] for name, (x, y) in now.balls.items()},
        "moving": list(now.moving),
        "hidden": list(now.hidden),
    }
