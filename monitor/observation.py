"""What one video showed: the seam between seeing and ruling, in memory.

`monitor.pipeline.observe` makes it; `review` writes it down, rules on it and draws it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from table.events import ShotEvent, Source
from table.log import ShotLog
from table.state import TableState

if TYPE_CHECKING:
    from calibration.camera import Camera


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything seen in one video, in the table frame and in presentation time."""

    source: Source
    events: tuple[ShotEvent, ...]
    states: tuple[TableState, ...]
    """One a decoded frame, in order of time."""
    camera: Camera
    ended_early: str | None = None
    """One sentence on how far a damaged file could be read; None when all of it could."""
    notes: tuple[str, ...] = field(default=())
    """What a reader should know: assumptions, unknown balls, moments without a view."""

    @property
    def log(self) -> ShotLog:
        """The shot log of this video."""
        return ShotLog(self.source, self.events)
