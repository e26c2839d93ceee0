"""What one video showed: the seam between seeing and ruling, in memory.

`monitor.pipeline.observe` makes it; `review` writes it down, rules on it and draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from monitor.settings import NetworkSettings
from table.events import ShotEvent, Source
from table.geometry import NINE_FOOT, Pocket, Point, TableSpec
from table.log import ShotLog
from table.state import TableState

if TYPE_CHECKING:
    from calibration.camera import Camera


Progress = Callable[[int, int | None], None]
"""Called now and then with the frames done so far and the frames expected, if known."""


PROGRESS_STEPS: Final = 100_000


def silent(_done: int, _expected: int | None) -> None:
    """Report no progress."""


def part_of(on_progress: Progress, start: float, end: float) -> Progress:
    """The progress of one step as a part of the whole work, from share `start` to `end`."""

    def report(done: int, expected: int | None) -> None:
        if expected is None:
            on_progress(done, None)
        else:
            share = start + (end - start) * min(1.0, done / max(1, expected))
            on_progress(round(share * PROGRESS_STEPS), PROGRESS_STEPS)

    return report


@dataclass(frozen=True, slots=True)
class ObserveOptions:
    """What the user said about a video; `observe` finds out the rest."""

    table: TableSpec = NINE_FOOT
    head: str | None = None
    """Image side of the head end: left, right, top, bottom; None when not given."""
    points_px: Mapping[Pocket, Point] | None = None
    """Nose-line intersections of the four corners in pixels, when given by hand."""
    ball_set: str | None = None
    """`standard`, `tv` or a file's path; None when not given."""
    on_progress: Progress = silent
    network: NetworkSettings = field(default_factory=NetworkSettings)


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything seen in one video, in the table frame and in presentation time."""

    source: Source
    events: tuple[ShotEvent, ...]
    states: Sequence[TableState]
    """One a decoded frame, in order of time."""
    camera: Camera
    ended_early: str | None = None
    """One sentence on how far a damaged file could be read; None when all of it could."""
    notes: tuple[str, ...] = field(default=())
    """What a reader should know: assumptions, unknown balls, moments without a view."""
    later_cameras: tuple[tuple[float, Camera], ...] = ()
    """The camera after each move, found again, and from when on it holds."""

    def camera_at(self, t_s: float) -> Camera:
        """The camera that `t_s` was seen through."""
        later = [camera for from_s, camera in self.later_cameras if from_s <= t_s]
        return later[-1] if later else self.camera

    @property
    def log(self) -> ShotLog:
        """The shot log of this video."""
        return ShotLog(self.source, self.events)
