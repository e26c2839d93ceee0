"""What the process of the eyes and the process of the server say to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from monitor.live.incremental import Glance
from monitor.live.shot_reading import SeenShot
from monitor.settings import NetworkSettings
from table.geometry import TableSpec

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class EyeOrder:
    """What the eyes are started with."""

    source: str
    realtime: bool
    paused: bool
    """A file waits at its beginning until it is told to play."""
    from_s: float | None
    table: TableSpec
    camera: str | None
    """camera.json's path."""
    head: str | None
    points_px: Mapping[str, tuple[float, float]] | None
    ball_set: str | None
    folder: str
    """Where enrolled ball sets lie."""
    network: NetworkSettings
    parent: int
    """The process that must be alive: eyes of a killed server end by themselves."""


# From the eyes


@dataclass(frozen=True, slots=True)
class Opened:
    """The source is open and plays."""

    name: str
    width: int
    height: int
    first_s: float
    first_at: float


@dataclass(frozen=True, slots=True)
class SetUpIs:
    """Where the camera stands now; `camera` None: not known yet."""

    camera: Json | None
    ball_set: str | None
    notes: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """One frame was looked at."""

    glance: Glance
    captured_at: float
    done_at: float


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot ended, or is read better."""

    shot: SeenShot
    done_at: float


@dataclass(frozen=True, slots=True)
class Picture:
    """The newest frame as JPEG."""

    number: int
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Counted:
    """Frames since the start, and how they pass."""

    came: int
    done: int
    dropped: int
    fps_in: float
    fps_done: float
    has_view: bool
    brightness: float
    sharpness: float
    shift_px: float
    agreeing: float
    unknown: int


@dataclass(frozen=True, slots=True)
class Missing:
    """No frames come just now, and why; they are waited for."""

    problem: str


@dataclass(frozen=True, slots=True)
class Ended:
    """No more frames come; `problem`: why, when that is not the end of a file."""

    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a question of the set-up."""

    number: int
    answer: Json
    jpeg: bytes | None = None


# To the eyes


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: picture, play, calibrate, corners, use, enroll, ball_set; cut a clip."""

    number: int
    what: str
    told: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stop:
    """End."""
