"""What stands where at one instant, in the table frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from table.balls import BallName
from table.geometry import Point


@dataclass(frozen=True, slots=True)
class BallState:
    """One ball at one instant."""

    name: BallName
    x_m: float
    y_m: float
    vx_mps: float = 0.0
    vy_mps: float = 0.0
    sigma_m: float = 0.0
    """One standard deviation of the position, along each axis."""
    seen: bool = True
    """False when the position is predicted (hidden, dropped frame)."""

    @property
    def position(self) -> Point:
        """(x_m, y_m)."""
        return (self.x_m, self.y_m)

    @property
    def speed_mps(self) -> float:
        """Speed on the cloth."""
        return float((self.vx_mps**2 + self.vy_mps**2) ** 0.5)


@dataclass(frozen=True, slots=True)
class CueState:
    """The cue stick at one instant: tip and the direction it points, table frame."""

    tip: Point
    direction_deg: float
    """Direction of aim, degrees counter-clockwise from +x."""
    sigma_deg: float


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything on the table at one presentation time."""

    t_s: float
    balls: Mapping[BallName, BallState] = field(default_factory=dict)
    cue: CueState | None = None
