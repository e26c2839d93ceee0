"""A table for an evening: the desk, and what is around it. What the server serves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from monitor.live.desk import Desk
from monitor.store import Body


class SetUp(Protocol):
    """The set-up of a camera, as the page drives it. Calls may take seconds."""

    def view(self) -> Body:
        """The set-up as it is."""

    def picture(self) -> bytes | None:
        """A whole frame as JPEG."""

    def play(self) -> Body:
        """Let a file that waits begin."""

    def calibrate(self, table: str | None, head: str | None) -> Body:
        """Try to find the camera; the proposal."""

    def corners(
        self, corners_px: dict[str, list[float]], table: str | None, head: str | None
    ) -> Body:
        """The camera from four corners; the proposal."""

    def use(self) -> Body:
        """Take the last proposal."""

    def enroll(self, name: str) -> Body:
        """Learn the balls as they lie now."""

    def enrolled_picture(self) -> bytes | None:
        """The picture to check an enrolment by."""

    def use_ball_set(self, name: str) -> Body:
        """Take another ball set."""


def _no_picture() -> tuple[int, bytes] | None:
    return None


def _nobody(_: Body) -> None:
    """Nobody listens."""


@dataclass
class LiveTable:
    """What the server needs to know of a table."""

    desk: Desk
    folder: Path
    newest_picture: Callable[[], tuple[int, bytes] | None] = field(
        default_factory=lambda: _no_picture
    )
    """The newest frame: a number that grows, and JPEG bytes."""
    set_up: SetUp | None = None
    frame_listener: Callable[[Body], None] = field(default_factory=lambda: _nobody)
    """Called with the newest positions, up to 15 times a second."""

    def evidence_file(self, number: int, name: str) -> Path:
        """Where a clip or picture of evidence lies; `number` is checked by the journal."""
        return self.folder / "evidence" / f"{number:08d}.{name}"
