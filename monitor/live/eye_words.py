"""What the process of the eyes and the process of the server say to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from monitor.live.incremental import Glance
from monitor.live.picture_watch import Condition
from monitor.live.shot_reading import SeenShot
from monitor.live.stoppages import Stoppage
from monitor.settings import NetworkSettings
from table.geometry import TableSpec

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class RecordOrder:
    """Where and how a camera is recorded."""

    folder: str
    most_bytes: int
    keep_free_bytes: int
    segment_s: float


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
    record: RecordOrder | None
    """Where to record the camera; None: not at all."""
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
    anew: bool = False
    """The camera had moved and was calibrated anew, unasked: `notes` says so."""


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
    """Frames since the start, how they pass, and how good the picture is."""

    came: int
    done: int
    dropped: int
    fps_in: float
    fps_done: float
    fps_usual: float = 0.0
    """What this source usually brings."""
    dropped_share: float = 0.0
    """Of the last seconds' frames."""
    conditions: tuple[Condition, ...] = ()
    light: float = 0.0
    """Mean level of the table, 0 to 255."""
    sharpness: float = 1.0
    """Against the first seconds."""
    shift_px: float = 0.0
    moved_mm: float | None = 0.0
    """Of the camera, at the cloth; None when it is no mere shift."""
    agreeing: float = 1.0
    """Share of the rails that is seen."""
    unknown: int = 0
    """Balls without a name."""
    lag_s: float = 0.0
    """How old frames are when they come in, against the quickest."""
    jumps: int = 0
    """How often the camera's clock leapt."""
    damaged: int = 0
    """Packets that could not be decoded."""
    recording: Recorded | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """How the recording goes."""

    file: str
    mb: float
    problem: str | None = None
    lost: int = 0
    """Packets that could not be written."""
    from_s: float = 0.0
    """Time of its first picture, in the source's time."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """For a while nothing was ruled on; now it goes on."""

    stoppage: Stoppage


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
