"""The list of the self-test: green, amber, red, and what to do."""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from calibration.camera import Camera
from calibration.camera_file import CameraFileError
from calibration.errors import CalibrationError
from calibration.find import find_camera
from monitor.checks.fit import apart_m
from monitor.checks.gathering import Gathered, gather
from monitor.checks.measures import Light, Rate, edge_width_px, light_of, rate_of, trembling_px
from monitor.failures import CannotBeDoneError
from monitor.live.incremental import LiveObserver
from monitor.pipeline import observer_for
from monitor.settings import Settings
from table.balls import is_unknown
from table.geometry import NINE_FOOT, Pocket, Point, TableSpec
from vision.ballset import ball_set_named

GREEN, AMBER, RED = "green", "amber", "red"
_FIT_MM: Final = 10.0
_GOOD_MM: Final = 2.0


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What the user said about camera, table and balls."""

    source: str
    seconds: float = 8.0
    camera: Path | None = None
    table: TableSpec = NINE_FOOT
    head: str | None = None
    points_px: Mapping[Pocket, Point] | None = None
    ball_set: str | None = None
    folder: Path = field(default_factory=Path)
    """Where journal and evidence will lie."""
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the list."""

    id: str
    level: str
    text: str
    todo: str | None = None

    def to_json(self) -> dict[str, object]:
        """The line as an object."""
        return {"id": self.id, "level": self.level, "text": self.text, "todo": self.todo}


def check_source(request: CheckRequest) -> list[Check]:
    """Look at the source for some seconds; the list.

    Raises:
        CannotBeDoneError: when it gives no picture, or a file of the options cannot be read.
    """
    return checks_of(request, gather(request.source, request.seconds))


def checks_of(request: CheckRequest, found: Gathered) -> list[Check]:
    """The list from what was seen of a source.

    Raises:
        CannotBeDoneError: when a file of the options cannot be read.
    """
    camera, table_checks = _table_checks(request, found)
    light = light_of(found.small, camera)
    checks = [_picture(found, camera), *_rate(rate_of(found.times_s), found), *table_checks]
    checks += light_checks(light)
    checks.append(focus_check(found))
    if camera is not None:
        checks.append(_steadiness(found, camera))
        checks += _eyes(request, found, camera)
    checks.append(_disk(request.folder))
    return checks


def _graded(name: str, value: float, amber: float, red: float, text: str, todo: str) -> Check:
    """Green up to `amber`, red beyond `red`; with `amber` > `red` the other way round."""
    sign = 1.0 if amber <= red else -1.0
    level = RED if sign * (value - red) > 0 else AMBER if sign * (value - amber) > 0 else GREEN
    return Check(name, level, text, None if level == GREEN else todo)


def _picture(found: Gathered, camera: Camera | None) -> Check:
    height, width = found.row[0].image.shape[:2]
    size = f"The picture is {width} x {height}"
    if camera is None:
        return Check("picture", GREEN, f"{size}.")
    ball_px = 2 * camera.table.ball_radius_m * float(camera.px_per_m([(0.0, 0.0)])[0])
    todo = (
        "Move the camera nearer, use a longer lens or a larger picture: 20 pixels a ball or more."
    )
    return _graded("picture", ball_px, 20.0, 12.0, f"{size}, a ball {ball_px:.0f} pixels.", todo)


def _rate(rate: Rate, found: Gathered) -> list[Check]:
    todo = "Set the camera to 30 frames a second or more; more light allows it."
    text = f"{rate.fps:.1f} frames a second come in."
    checks = [_graded("rate", rate.fps, 24.0, 15.0, text, todo)]
    if found.is_camera:
        text = f"{100 * rate.late_share:.0f} % of the frames come late or not at all."
        todo = "Use a cable instead of the radio network, or a lower bit rate."
        checks.append(_graded("even", rate.late_share, 0.03, 0.15, text, todo))
        if found.connections > 1 or found.damaged:
            text = f"{found.connections - 1} breaks, {found.damaged} damaged packets."
            checks.append(Check("link", RED if found.connections > 2 else AMBER, text, todo))
    return checks


def _table_checks(request: CheckRequest, found: Gathered) -> tuple[Camera | None, list[Check]]:
    """Is the table found; does a given camera file still fit the picture?"""
    given: Camera | None = None
    if request.camera is not None:
        try:
            given = Camera.load(request.camera)
        except CameraFileError as error:
            raise CannotBeDoneError(str(error)) from None
        size = found.row[0].image.shape[1::-1]
        if tuple(given.image_size) != tuple(size):
            text = f"{request.camera.name} is for {given.image_size[0]} x {given.image_size[1]}."
            return None, [Check("table", RED, text, "Calibrate again: table-monitor calibrate.")]
    step = max(1, len(found.spread) // 5)
    table = given.table if given is not None else request.table
    head = given.head if given is not None else request.head
    try:
        made = find_camera(found.spread[::step], table, head, request.points_px)
    except CalibrationError as error:
        text = f"The table is not found: {str(error).rstrip('.')}."
        if given is not None:
            todo = "Look at the picture: is the whole table in view, and lit?"
            return given, [Check("table", AMBER, text, todo)]
        todo = "Show the whole table with all rails; or give the corners (--points)."
        return None, [Check("table", RED, text, todo)]
    if given is not None:
        return given, [_fit(given, made.camera)]
    error_mm = made.camera.to_json().get("error_mm")
    rms = error_mm.get("rms") if isinstance(error_mm, dict) else None
    text = "The table is found" + (f" to {rms:.1f} mm." if isinstance(rms, float) else ".")
    todo = "Correct the corners on the set-up page, or measure the lens (--lens)."
    checks = [_graded("table", rms or 0.0, _GOOD_MM, 8.0, text, todo)]
    if made.camera.head_from == "assumed":
        text = f"The head end is assumed ({made.camera.head})."
        checks.append(Check("head", AMBER, text, "Say which side it is: --head."))
    else:
        text = f"The head end is {made.camera.head} ({made.camera.head_from})."
        checks.append(Check("head", GREEN, text))
    return made.camera, checks


def _fit(given: Camera, seen: Camera) -> Check:
    """How far the camera's own place of the table is from where it is seen now."""
    off = apart_m(given, seen)
    text = f"The calibration fits the picture to {1000 * off:.0f} mm."
    todo = "The camera has moved since it was calibrated: calibrate again, or put it back."
    return _graded("table", 1000 * off, _FIT_MM, 3 * _FIT_MM, text, todo)


def light_checks(light: Light) -> list[Check]:
    """Brightness, burnt-out places, evenness, flicker, colours."""
    more = "More light on the table, or a larger aperture; keep the shutter at 1/250 s or faster."
    less = "Less exposure: no part of a ball may be burnt out."
    return [
        _graded(
            "light", light.level, 45.0, 25.0, f"The cloth is at {light.level:.0f} of 255.", more
        ),
        _graded(
            "burnt",
            light.clipped,
            0.02,
            0.20,
            f"{100 * light.clipped:.1f} % of the table is overexposed.",
            less,
        ),
        _graded(
            "even_light",
            light.evenness,
            0.6,
            0.3,
            f"The darkest quarter of the cloth has {100 * light.evenness:.0f} % of the brightest.",
            "Light the whole table: two lamps along it, or a long one.",
        ),
        _graded(
            "flicker",
            light.flicker,
            0.01,
            0.05,
            f"The light flickers by {100 * light.flicker:.1f} %.",
            "Use lamps without flicker, or a shutter that is a multiple of their period.",
        ),
        _graded(
            "white_balance",
            light.colour_drift,
            1.5,
            6.0,
            f"Colours drift by {light.colour_drift:.1f} levels.",
            "Switch off automatic white balance and exposure.",
        ),
    ]


def focus_check(found: Gathered) -> Check:
    """How sharp the picture is."""
    widths = [edge_width_px(frame.gray) for frame in found.row[::10]]
    width = statistics.median(widths)
    todo = "Focus on the cloth, clean the lens, switch off autofocus."
    return _graded("focus", width, 4.5, 7.0, f"Edges are {width:.1f} pixels wide.", todo)


def _steadiness(found: Gathered, camera: Camera) -> Check:
    tremble = trembling_px(found.row, camera)
    text = f"The picture trembles by {tremble:.1f} pixels."
    return _graded(
        "steady", tremble, 1.0, 4.0, text, "Fix the camera to wall or ceiling, not to the lamp."
    )


def _eyes(request: CheckRequest, found: Gathered, camera: Camera) -> list[Check]:
    """Are the balls seen and named, and is this computer quick enough?"""
    ball_set = None if request.ball_set is None else ball_set_named(request.ball_set)
    observer = observer_for(camera, found.spread, request.settings.network)
    live, spent_s = LiveObserver(observer, ball_set), []
    for frame in found.row:
        start = time.perf_counter()
        live.update(frame)
        spent_s.append(time.perf_counter() - start)
    live.name_now()
    names = set(live.names.values())
    unknown = sum(is_unknown(name) for name in names)
    checks = [_balls(names, unknown)]
    frame_s = statistics.median(spent_s[len(spent_s) // 3 :])
    possible = 1.0 / (frame_s + 1e-9)
    wanted = rate_of(found.times_s).fps
    text = f"This computer looks at {possible:.0f} frames a second; {wanted:.0f} come."
    todo = "Close other programs, use a quicker computer, or a lower frame rate."
    checks.append(_graded("speed", possible / wanted, 1.2, 0.4, text, todo))
    return checks


def _balls(names: set[str], unknown: int) -> Check:
    if not names:
        return Check(
            "balls", AMBER, "No balls lie on the table.", "Lay out the balls and check again."
        )
    text = f"{len(names)} balls are seen, {len(names) - unknown} of them named."
    if unknown == 0:
        return Check("balls", GREEN, text)
    todo = "Choose the ball set (--ball-set), or learn it: table-monitor enroll."
    return Check("balls", RED if unknown > len(names) / 2 else AMBER, text, todo)


def _disk(folder: Path) -> Check:
    known = folder
    while not known.exists() and known != known.parent:
        known = known.parent
    free_gb = shutil.disk_usage(known).free / 1e9
    text = f"{free_gb:.1f} GB are free for the journal and evidence."
    return _graded("disk", free_gb, 5.0, 0.5, text, "Free space on the disk.")
