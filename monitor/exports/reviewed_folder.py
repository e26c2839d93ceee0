"""What `review` wrote, read back for an export."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from monitor.failures import CannotBeDoneError
from table.log import ShotLog, read_log
from table.state import TableState
from table.track_file import read_states

if TYPE_CHECKING:
    from calibration.camera import Camera
    from vision.frames import Frame


@dataclass(frozen=True)
class ReviewedFolder:
    """A review's folder; its files are read when they are needed."""

    folder: Path
    video: Path | None = None
    """The reviewed video, when the user named it."""

    @cached_property
    def log(self) -> ShotLog:
        """The shot log.

        Raises:
            CannotBeDoneError: when there is none.
            LogError: when it cannot be read.
        """
        return read_log(self._file("shots.jsonl"))

    @cached_property
    def states(self) -> tuple[TableState, ...]:
        """The states of all frames in which a ball was known.

        Raises:
            CannotBeDoneError: when there are none, or they cannot be read.
        """
        try:
            return read_states(self._file("tracks.csv"))
        except ValueError as error:
            raise CannotBeDoneError(f"{error}; review the video again.") from None

    @cached_property
    def camera(self) -> Camera:
        """The camera.

        Raises:
            CannotBeDoneError: when there is none.
            CameraFileError: when it cannot be read.
        """
        from calibration.camera import Camera  # noqa: PLC0415

        return Camera.load(self._file("camera.json"))

    def frames(self) -> Iterator[tuple[Frame, TableState | None]]:
        """Each frame of the video with the state of the table in it.

        Raises:
            CannotBeDoneError: when the video is not to be found.
            SourceError: when it cannot be read.
        """
        from vision.frames import VideoFile  # noqa: PLC0415

        # Times are written with six decimals.
        by_time = {round(state.t_s, 6): state for state in self.states}
        for frame in VideoFile(self.video_file()):
            yield frame, by_time.get(round(frame.t_s, 6))

    def video_file(self) -> Path:
        """The reviewed video.

        Raises:
            CannotBeDoneError: when it is not to be found.
        """
        name = self.log.source.file
        places = [self.video] if self.video else [self.folder / name, self.folder.parent / name]
        for place in places:
            if place.is_file():
                return place
        raise CannotBeDoneError(
            f"{self.video} does not exist."
            if self.video
            else f"The video {name} does not lie in {self.folder} or beside it; "
            "--video says where it is."
        )

    def _file(self, name: str) -> Path:
        path = self.folder / name
        if not path.is_file():
            raise CannotBeDoneError(
                f"{self.folder} holds no {name}; name a folder that `review` wrote."
            )
        return path
