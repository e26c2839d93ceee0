"""The kinds of shot events, each with its time, time tolerance and probability.

The events of one shot run from `ShotStarted` to `ShotEnded`, ordered by time. They are
the seam between seeing and ruling: vision writes them, rules read nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from table.balls import BallName
from table.geometry import Cushion, Pocket, Point


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another ball that may have been the second one of a contact, with its probability."""

    b: BallName
    p: float


@dataclass(frozen=True, kw_only=True)
class ShotEvent:
    """What every event carries.

    `t_s` is the source's presentation time in seconds, None only where a clip begins or
    ends within the shot; `dt_s` is the half-width of the time uncertainty; `confidence` is
    the probability that the event happened as written.
    """

    kind: ClassVar[str] = ""
    shot: int
    t_s: float | None
    dt_s: float = 0.0
    confidence: float = 1.0


@dataclass(frozen=True, kw_only=True)
class ShotStarted(ShotEvent):
    """The tip meets the cue ball (8.2)."""

    kind: ClassVar[str] = "shot_started"
    balls: Mapping[BallName, Point] = field(default_factory=dict)
    """Ball centres of the resting table before the stroke."""
    moving: tuple[BallName, ...] = ()
    """Balls in play that still moved when the tip met the cue ball (6.9)."""
    moving_speeds_mps: Mapping[BallName, float] = field(default_factory=dict)
    started_before_clip: bool = False
    racked: bool = False
    """True when the object balls stood racked: the stroke is a break."""


@dataclass(frozen=True, kw_only=True)
class BallContact(ShotEvent):
    """Two balls touch; with the cue ball involved, `a` is the cue ball."""

    kind: ClassVar[str] = "ball_contact"
    a: BallName
    b: BallName
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CushionContact(ShotEvent):
    """A ball touches a cushion's nose, a pocket jaw, or the top of a rail."""

    kind: ClassVar[str] = "cushion_contact"
    ball: BallName
    cushion: Cushion
    jaw: bool = False
    rail_top: bool = False
    from_rest: bool = False
    """The ball rested on the nose and was pressed into it: touch seen, never "frozen"."""


@dataclass(frozen=True, kw_only=True)
class BallPocketed(ShotEvent):
    """A ball falls into a pocket and stays there (8.3)."""

    kind: ClassVar[str] = "ball_pocketed"
    ball: BallName
    pocket: Pocket


@dataclass(frozen=True, kw_only=True)
class BallOffTable(ShotEvent):
    """A ball leaves the playing surface over a rail and does not come back (8.5)."""

    kind: ClassVar[str] = "ball_off_table"
    ball: BallName


@dataclass(frozen=True, kw_only=True)
class ShotEnded(ShotEvent):
    """Every ball in play rests: slower than 5 mm/s for 0.5 s; t_s starts that span."""

    kind: ClassVar[str] = "shot_ended"
    balls: Mapping[BallName, Point] = field(default_factory=dict)
    ended_after_clip: bool = False
    incomplete: str | None = None
    """Why the shot's events cannot be complete (a camera cut within it), or None."""


@dataclass(frozen=True, kw_only=True)
class LateDrop(ShotEvent):
    """A ball falls by itself, `seconds` after everything stopped (8.3, 1.7)."""

    kind: ClassVar[str] = "late_drop"
    ball: BallName
    pocket: Pocket
    seconds: float | None = None
    """None where the log does not say; then it follows from the times."""


@dataclass(frozen=True, kw_only=True)
class CueSeen(ShotEvent):
    """The cue stick as seen at the stroke."""

    kind: ClassVar[str] = "cue_seen"
    tip_m: Point
    direction_deg: float
    sigma_deg: float


@dataclass(frozen=True, kw_only=True)
class OtherEvent(ShotEvent):
    """Any further kind (`cue_on_table`, `ball_in_hand`, `ball_placed`, `ball_touched`,
    `hidden`, `health`, and kinds that this version does not know), kept field by field."""

    name: str
    fields: Mapping[str, object] = field(default_factory=dict)


def known_span_s(events: Iterable[ShotEvent]) -> tuple[float, float] | None:
    """The first and the last time that events have; None when none has one."""
    times = [event.t_s for event in events if event.t_s is not None]
    return (min(times), max(times)) if times else None


@dataclass(frozen=True, slots=True)
class Source:
    """The first line of a shot log: where the events come from."""

    file: str = ""
    fps: float | None = None
    frames: int | None = None
    length_m: float = 2.540
    width_m: float = 1.270
    head: str | None = None
    head_from: str | None = None
    ball_set: str | None = None
    more: Mapping[str, object] = field(default_factory=dict)
    """Further keys, kept as they are."""
