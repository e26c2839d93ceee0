"""What a review found, as the report, the overlay and the terminal show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from monitor.observation import Observation
from monitor.reporting.measured import motion_of
from monitor.reporting.played_shots import Motion, PlayedShot, last_ruling, played_shots
from monitor.shots_of import ShotsOf
from monitor.state_file import span_of
from table.balls import is_unknown
from table.events import BallContact, ShotStarted

if TYPE_CHECKING:
    from calibration.camera import Camera

RulingRow = Mapping[str, object]
"""One line of rulings.jsonl."""


@dataclass(frozen=True)
class Reviewed:
    """One video, seen and ruled on."""

    video: Path
    observation: Observation
    rulings: Sequence[RulingRow]
    players: tuple[str, str] = ("A", "B")
    evidence: Sequence[Path] = field(default=())
    """Pictures of deciding moments, named shotNNN_..."""

    @property
    def camera(self) -> Camera:
        """The camera that the video was seen through."""
        return self.observation.camera

    @cached_property
    def shots(self) -> ShotsOf:
        """The shots in order, each with the tracks of its own time."""
        return ShotsOf(self.observation)

    @cached_property
    def motions(self) -> dict[int, Motion]:
        """What was measured on each shot, by number."""
        return {shot.number: motion_of(shot) for shot in self.shots}

    def motion_of(self, shot: int) -> Motion:
        """What was measured on one shot; nothing for a shot that is not there."""
        return self.motions.get(shot, Motion())

    @cached_property
    def played(self) -> tuple[PlayedShot, ...]:
        """The shots as an analyst counts them."""
        return played_shots(self.rulings, self.motions)

    @property
    def standing(self) -> tuple[RulingRow | None, ...]:
        """The ruling that stands on each shot."""
        return tuple(last_ruling(self.rulings, shot.number) for shot in self.shots)

    def ruling_of(self, shot: int) -> RulingRow | None:
        """The ruling on one shot."""
        return next((row for row in self.rulings if row.get("shot") == shot), None)

    @property
    def sentences(self) -> dict[int, str]:
        """Each shot's ruling as one sentence."""
        return {
            shot: text
            for row in self.rulings
            if isinstance(shot := row.get("shot"), int)
            and isinstance(text := row.get("sentence"), str)
        }

    @property
    def unknown_balls(self) -> tuple[str, ...]:
        """Balls that appear in the log without a name."""
        events = self.observation.events
        seen = {ball for e in events if isinstance(e, ShotStarted) for ball in e.balls}
        seen |= {
            ball
            for event in events
            if isinstance(event, BallContact)
            for ball in (event.a, event.b)
        }
        return tuple(sorted(ball for ball in seen if is_unknown(ball)))

    @property
    def duration_s(self) -> float:
        """Time between the first and the last frame."""
        span = span_of(self.observation.states)
        return span[1] - span[0] if span else 0.0


def texts(row: RulingRow | None, key: str) -> list[str]:
    """A list of texts in a ruling row, empty when missing."""
    value = row.get(key) if row else None
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else []


def objects(row: RulingRow | None, key: str) -> list[Mapping[str, object]]:
    """A list of objects in a ruling row, empty when missing."""
    value = row.get(key) if row else None
    if not isinstance(value, (list, tuple)):
        return []
    return [item for item in value if isinstance(item, Mapping)]
