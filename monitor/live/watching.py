"""`watch`: a table for an evening, from the command to the last client.

The server runs in this process; the eyes run in one of their own, so that neither waits for
the other.
"""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from monitor.failures import AskedWronglyError, CannotBeDoneError
from monitor.live.desk import Desk, DeskSettings
from monitor.live.table_live import LiveTable
from monitor.settings import Settings
from monitor.store import Journal
from table.geometry import NINE_FOOT, TableSpec

NO_CAMERA: Final = "none"


@dataclass(frozen=True, slots=True)
class WatchRequest:
    """What the user asked of `watch`."""

    source: str = NO_CAMERA
    """A file, a camera; `none`: facts are entered by hand."""
    folder: Path = Path()
    host: str = "127.0.0.1"
    port: int = 8765
    realtime: bool = False
    """A file is played at its true speed, as a camera would bring it."""
    paused: bool = False
    """A file waits at its beginning until the set-up says play."""
    players: tuple[str, str] = ("A", "B")
    table: TableSpec = NINE_FOOT
    camera: Path | None = None
    head: str | None = None
    points: Path | None = None
    ball_set: str | None = None
    record: Path | None = None
    """Where the camera is recorded; None: it is not."""
    settings: Settings = field(default_factory=Settings)

    @property
    def has_camera(self) -> bool:
        """True when something is to be watched."""
        return self.source != NO_CAMERA


def data_folder() -> Path:
    """Where journals lie when nobody says otherwise (XDG base directories)."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "table-monitor"


def watch(request: WatchRequest) -> int:
    """Run until stopped (Ctrl-C, SIGTERM).

    Raises:
        CannotBeDoneError: when the folder, the port or the source cannot be used.
    """
    _check_source(request.source)
    if request.record is not None:
        check_record(request.source)
    from monitor.publishing.publishing import Publishing, destinations_of  # noqa: PLC0415
    from monitor.server.app import build_app  # noqa: PLC0415
    from monitor.server.guard import token_in  # noqa: PLC0415
    from monitor.server.running import bound_socket, server_for  # noqa: PLC0415
    from monitor.server.version import server_name  # noqa: PLC0415

    with ExitStack() as stack:
        journal = Journal(request.folder)
        stack.callback(journal.close)
        listening = bound_socket(request.host, request.port)
        stack.callback(listening.close)
        desk = Desk(journal, _desk_settings(request))
        live = LiveTable(desk, request.folder)
        others = destinations_of(request.settings, request.folder, server_name().split()[-1])
        publishing = Publishing(others, desk.state)
        stack.callback(publishing.stop)
        publishing.start()
        if request.has_camera:
            from monitor.live.eyes import Eyes  # noqa: PLC0415

            eyes = Eyes(request, live)
            stack.callback(eyes.stop)
            eyes.start()
        token = token_in(request.folder)
        address = listening.getsockname()
        server = server_for(build_app(live, token), lambda: _tell(address, token, request))
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    return 0


def _check_source(source: str) -> None:
    """A file has to be there; a camera may come later.

    Raises:
        CannotBeDoneError: when it is not.
    """
    if source == NO_CAMERA:
        return
    from monitor.live.camera_address import camera_address, is_camera  # noqa: PLC0415

    if is_camera(source):
        # A wrongly written address is said now, not in the middle of the evening.
        camera_address(source)
        return
    path = Path(source)
    if not path.exists():
        raise CannotBeDoneError(f'{source} does not exist; "none" runs a table without a camera.')
    if path.is_dir():
        from vision.frame_folder import FrameFolder  # noqa: PLC0415
        from vision.frames import SourceError  # noqa: PLC0415

        try:
            FrameFolder(path)
        except SourceError as error:
            raise CannotBeDoneError(str(error)) from None


def check_record(source: str) -> None:
    """Only a camera is recorded.

    Raises:
        AskedWronglyError: when the source is no camera.
    """
    from monitor.live.camera_address import is_camera  # noqa: PLC0415

    if not is_camera(source):
        raise AskedWronglyError(
            "--record is for cameras: copy the file instead, it can be reviewed as it is."
        )


def _desk_settings(request: WatchRequest) -> DeskSettings:
    return DeskSettings(
        table=request.table,
        camera=request.has_camera,
        source=Path(request.source).name if request.has_camera else "",
        players=request.players,
        decide_probability=request.settings.rules.decide_probability,
    )


def _tell(address: tuple[object, ...], token: str, request: WatchRequest) -> None:
    """Say where the pages are."""
    host = str(address[0])
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    place = f"http://{f'[{shown}]' if ':' in shown else shown}:{address[1]}"
    print(f"Spectators: {place}/")
    print(f"Referee:    {place}/referee#token={token}")
    if request.has_camera:
        print(f"Set-up:     {place}/setup#token={token}")
    print(f"Journal:    {request.folder}", flush=True)
    if shown != host:
        print("Everybody in this network can watch; only the token rules.", file=sys.stderr)
