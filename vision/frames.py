"""Frames with true timestamps: the one reader of video files (PyAV).

Containers lie about their frame counts and rates (edit lists, variable rate), so a
frame's time is its presentation timestamp, and its number is the order of decoding.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import av
import av.error
import av.logging
import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

# No log callback in Python: a decoder thread would wait for the interpreter while the
# interpreter, closing a half-read file, waits for that thread.
av.logging.set_level(None)


class SourceError(Exception):
    """A source that cannot be read; the text is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source.

    `image` is (h, w, 3) uint8 BGR, `gray` (h, w) uint8 luma; `t_s` is the presentation
    time in seconds, `index` the number in decoding order, from 0.
    """

    index: int
    t_s: float
    image: Image
    gray: Image


@dataclass
class VideoFile:
    """A video file, opened and checked; iterate it once for its frames.

    Raises:
        SourceError: when the file cannot be opened as video.
    """

    path: Path
    from_s: float | None = None
    """Presentation time of the first frame that is wanted; None: from the beginning."""
    every_s: float = 0.0
    """Least time from one frame that is wanted to the next; 0: every frame. What lies between
    is not converted, nor decoded where no other frame rests on it."""
    first_index: int = 0
    """Number of the first frame that is wanted: after a start in the middle, those before it."""
    width: int = field(init=False)
    height: int = field(init=False)
    nominal_fps: float = field(init=False)
    """Median rate; the container's word until frames were read."""
    expected_frames: int = field(init=False)
    """The container's word, for progress only; 0 when it does not say."""
    ended_early: str | None = field(init=False, default=None)
    """After iteration: one sentence when the readable part ended before the file says."""

    def __post_init__(self) -> None:
        container = _open(self.path)
        try:
            stream = container.streams.video[0]
            self.width, self.height = int(stream.width), int(stream.height)
            rate = stream.average_rate or stream.guessed_rate
            self.nominal_fps = float(rate) if rate else 0.0
            self.expected_frames = int(stream.frames or 0)
        finally:
            container.close()
        if self.width < 16 or self.height < 16:
            raise SourceError(f"{self.path.name} has no picture that can be read.")

    def __iter__(self) -> Iterator[Frame]:
        """Decode every frame in order.

        A damaged or cut-off end stops the iteration and sets `ended_early`.

        Raises:
            SourceError: when not even one frame can be decoded.
        """
        container = _open(self.path)
        last_t_s: float | None = None
        index, farthest_byte = self.first_index, 0
        # A list of pieces says nothing about the size of what it lists.
        is_list = container.format.name == "concat"
        damage = ""
        try:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            # Two cores: more decoder threads only add delay and memory.
            stream.codec_context.thread_count = min(2, os.cpu_count() or 1)
            if self.every_s > 0.0:
                stream.codec_context.skip_frame = "NONREF"
            if self.from_s is not None and stream.time_base:
                container.seek(int(self.from_s / stream.time_base), stream=stream)
            for packet in container.demux(stream):
                if packet.pos is not None and packet.size and not is_list:
                    farthest_byte = max(farthest_byte, packet.pos + packet.size)
                for picture in packet.decode():
                    if picture.pts is None or picture.time_base is None:
                        continue
                    t_s = float(picture.pts * picture.time_base)
                    if last_t_s is not None and (t_s <= last_t_s or t_s < last_t_s + self.every_s):
                        continue
                    if self.from_s is not None and t_s < self.from_s:
                        continue
                    last_t_s = t_s
                    yield frame_from(picture, index, t_s)
                    index += 1
        except (av.error.FFmpegError, EOFError) as error:
            damage = str(error) or type(error).__name__
        finally:
            container.close()
        if last_t_s is None:
            raise SourceError(f"{self.path.name} holds no frame that can be decoded.")
        self.ended_early = self._early_end(damage, index, last_t_s, farthest_byte)

    def _early_end(self, damage: str, frames: int, t_s: float, farthest: int) -> str | None:
        """One sentence when the readable part stops before the file's own end."""
        if not damage and farthest <= self.path.stat().st_size:
            return None
        return (
            f"{self.path.name} can be read up to {t_s:.2f} s ({frames} frames); "
            "the rest is cut off or damaged."
        )


def _open(path: Path) -> av.container.InputContainer:
    if not path.exists():
        raise SourceError(f"{path} does not exist.")
    if path.is_dir():
        raise SourceError(f"{path} is a folder, not a video file.")
    try:
        if path.stat().st_size == 0:
            raise SourceError(f"{path.name} is empty.")
        container = av.open(str(path))
    except PermissionError:
        raise SourceError(f"{path.name} may not be read (permission denied).") from None
    except (av.error.FFmpegError, OSError, ValueError):
        raise SourceError(f"{path.name} is not a video that can be read.") from None
    if not container.streams.video:
        container.close()
        raise SourceError(f"{path.name} holds no video.")
    return container


def frame_from(picture: av.VideoFrame, index: int, t_s: float) -> Frame:
    """A decoded picture as a frame of presentation time `t_s`."""
    if picture.format.name != "yuv420p" or picture.width % 2 or picture.height % 2:
        image = np.asarray(picture.to_ndarray(format="bgr24"), np.uint8)
        gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        return Frame(index, t_s, image, gray)
    # OpenCV's converter uses all cores where swscale uses one; same colour matrix.
    planes = np.asarray(picture.to_ndarray(), np.uint8)
    image = np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420), np.uint8)
    return Frame(index, t_s, image, np.ascontiguousarray(planes[: picture.height]))
