"""Live frames out of a file or a folder of pictures, played as a camera would bring them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from monitor.live.captured import Captured, CapturedLine
from vision.frame_folder import FrameFolder
from vision.frames import Image, SourceError, VideoFile


def recorded_source(path: Path, from_s: float | None = None) -> VideoFile | FrameFolder:
    """A video file, or a folder of pictures, to be iterated once.

    Raises:
        SourceError: when it cannot be read.
    """
    return FrameFolder(path, from_s) if path.is_dir() else VideoFile(path, from_s)


@dataclass
class FilePlayer:
    """Plays a video file or a folder of pictures into a line of frames.

    `realtime`: at the speed of its timestamps, like a camera: frames that nobody takes in time
    are lost. Otherwise no frame is lost and the reader waits.
    """

    path: Path
    realtime: bool
    from_s: float | None = None
    line: CapturedLine = field(init=False)
    newest: Image | None = field(default=None, init=False)
    """The picture that came in last (h, w, 3) uint8 BGR."""
    problem: str | None = field(default=None, init=False)
    _stopped: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.line = CapturedLine(lossless=not self.realtime)

    def start(self) -> None:
        """Begin to play."""
        self._thread = threading.Thread(target=self._play, name="reader", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop playing."""
        self._stopped.set()
        self.line.close()

    def _play(self) -> None:
        try:
            source = recorded_source(self.path, self.from_s)
            begin: tuple[float, float] | None = None
            for frame in source:
                now = time.monotonic()
                if begin is None:
                    begin = (frame.t_s, now)
                due = begin[1] + frame.t_s - begin[0]
                if self.realtime and due > now and self._stopped.wait(due - now):
                    break
                self.newest = frame.image
                if not self.line.put(Captured(frame, time.monotonic())):
                    break
            self.problem = source.ended_early
        except SourceError as error:
            self.problem = str(error)
        finally:
            self.line.close()
