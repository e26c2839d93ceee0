"""What the eyes see at this moment: positions, motion, the health of camera and picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from table.balls import BallName
from table.geometry import Point


@dataclass(frozen=True, slots=True)
class TableNow:
    """The table in the newest frame; times are match time. Not on record: it passes."""

    t_s: float | None = None
    balls: Mapping[BallName, Point] = field(default_factory=dict)
    moving: tuple[BallName, ...] = ()
    hidden: tuple[BallName, ...] = ()
    moving_since_s: float | None = None
    """When the stroke that is being played began; None while all rest."""
    on_lip: tuple[BallName, ...] = ()
    """Balls that rest at the brink of a pocket, within their five seconds (8.3)."""
    provisional_until_s: float | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing about camera, picture or disk that people should know."""

    id: str
    level: str
    """green, amber, red."""
    text: str
    text_cs: str


@dataclass(frozen=True, slots=True)
class Health:
    """How well the table is seen."""

    camera: str = "none"
    """none, starting, on, missing, ended, failed."""
    reasons: tuple[Reason, ...] = ()
    fps_in: float = 0.0
    fps_done: float = 0.0
    frames: int = 0
    dropped: int = 0
    latency_ms: float | None = None
    disk_free_mb: int | None = None
    evidence_mb: float = 0.0
    measures: Mapping[str, object] = field(default_factory=dict)
    """What is measured of camera and picture."""
    missed: tuple[Mapping[str, object], ...] = ()
    """The last spans in which nothing was ruled on."""

    @property
    def level(self) -> str:
        """The worst of all reasons."""
        levels = {reason.level for reason in self.reasons}
        return next((level for level in ("red", "amber") if level in levels), "green")

    def to_json(self) -> dict[str, object]:
        """The `health` section of the state."""
        return {
            "level": self.level,
            "ruling": self.camera in ("on", "none", "ended") and self.level != "red",
            "reasons": [
                {"id": r.id, "level": r.level, "text": r.text, "text_cs": r.text_cs}
                for r in self.reasons
            ],
            "camera": self.camera,
            "fps_in": round(self.fps_in, 1),
            "fps_done": round(self.fps_done, 1),
            "frames": self.frames,
            "dropped": self.dropped,
            "latency_ms": self.latency_ms,
            "disk_free_mb": self.disk_free_mb,
            "evidence_mb": round(self.evidence_mb, 1),
            **self.measures,
            "missed": [dict(span) for span in self.missed],
        }
