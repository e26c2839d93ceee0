"""H.264 files with true presentation times."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import numpy as np
from numpy.typing import NDArray

CLOCK: Final = 90000
"""Ticks a second of the files' clock."""


def write_video(
    path: Path,
    frames: Iterable[tuple[float, NDArray[np.uint8]]],
    size: tuple[int, int],
    fps: float,
    *,
    crf: int = 20,
    preset: str = "veryfast",
) -> int:
    """Write frames (presentation time in seconds, (H, W, 3) r g b) as MP4; their number.

    One thread, so that the same frames give the same file.
    """
    part = path.with_name(path.name + ".part")
    count = 0
    with av.open(str(part), "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, CLOCK)
        stream.codec_context.time_base = Fraction(1, CLOCK)
        stream.codec_context.thread_count = 1
        stream.options = {"crf": str(crf), "preset": preset, "threads": "1"}
        for t_s, image in frames:
            frame = av.VideoFrame.from_ndarray(image, format="rgb24")
            frame.pts = round(t_s * CLOCK)
            frame.time_base = Fraction(1, CLOCK)
            container.mux(stream.encode(frame))
            count += 1
        container.mux(stream.encode(None))
    part.replace(path)
    return count
