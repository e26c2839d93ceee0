"""annotated.mp4: the video with the overlay, H.264 that plays everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

import av
import numpy as np

from monitor.lettering import Picture
from monitor.overlay import Overlay

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.stream import VideoStream

    from vision.frames import Frame

TICKS_PER_S: Final = 90_000


@dataclass
class AnnotatedVideo:
    """Writes each frame with its overlay at the frame's own time; `close` finishes the file.

    4:2:0 pictures of even size, the index in front: what browsers and phones play.
    """

    path: Path
    overlay: Overlay
    fps: float
    _container: OutputContainer | None = field(default=None, init=False, repr=False)
    _stream: VideoStream | None = field(default=None, init=False, repr=False)
    _last_ticks: int = field(default=-1, init=False, repr=False)

    def update(self, frame: Frame) -> None:
        """Draw on a copy of `frame` and write it.

        Raises:
            OSError: when the file cannot be written.
        """
        picture = frame.image.copy()
        self.overlay.draw(picture, frame.t_s)
        even = picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2]
        container, stream = self._opened(even)
        ticks = max(round(frame.t_s * TICKS_PER_S), self._last_ticks + 1)
        self._last_ticks = ticks
        shown = av.VideoFrame.from_ndarray(np.ascontiguousarray(even), format="bgr24")
        shown.pts, shown.time_base = ticks, Fraction(1, TICKS_PER_S)
        container.mux(stream.encode(shown))

    def close(self) -> None:
        """Write what the encoder still holds and the index."""
        if self._container is None or self._stream is None:
            return
        self._container.mux(self._stream.encode(None))
        self._container.close()
        self._container = self._stream = None

    def _opened(self, picture: Picture) -> tuple[OutputContainer, VideoStream]:
        if self._container is not None and self._stream is not None:
            return self._container, self._stream
        container = av.open(str(self.path), "w", options={"movflags": "+faststart"})
        rate = Fraction(self.fps if self.fps > 0 else 25.0).limit_denominator(1001)
        stream = container.add_stream("libx264", rate=rate)
        stream.width, stream.height = picture.shape[1], picture.shape[0]
        stream.pix_fmt = "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, TICKS_PER_S)
        stream.options = {"crf": str(self.overlay.settings.crf), "preset": "veryfast"}
        self._container, self._stream = container, stream
        return container, stream
