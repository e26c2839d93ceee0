"""The presentation times of a clip's frames, from its packets alone (no decoding).

Containers count more frames than they show: packets before an edit list's start are
flagged to be discarded, and they are left out here.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import av


@dataclass(frozen=True, slots=True)
class ClipTimes:
    """Presentation time of every shown frame, in order; `frame_s` is the usual interval."""

    times_s: tuple[float, ...]
    frame_s: float

    def of_frame(self, frame: int) -> float:
        """Time of frame `frame`; outside the clip the usual interval continues."""
        if not self.times_s:
            return frame * self.frame_s
        if frame < len(self.times_s):
            return self.times_s[max(frame, 0)] + min(frame, 0) * self.frame_s
        return self.times_s[-1] + (frame - len(self.times_s) + 1) * self.frame_s

    @property
    def first_s(self) -> float:
        """Time of the first frame."""
        return self.times_s[0] if self.times_s else 0.0

    @property
    def last_s(self) -> float:
        """Time of the last frame, infinite when the clip could not be read."""
        return self.times_s[-1] if self.times_s else float("inf")


def read_clip_times(clip: Path, fps: float | None = None) -> ClipTimes:
    """Times of the clip's frames; a clip that cannot be read gives only 1/fps."""
    fallback = ClipTimes((), 1.0 / (fps or 25.0))
    if not clip.is_file():
        return fallback
    try:
        with av.open(str(clip)) as container:
            stream = container.streams.video[0]
            times = sorted(
                float(packet.pts * packet.time_base)
                for packet in container.demux(stream)
                if packet.pts is not None and packet.time_base and not packet.is_discard
            )
    except (av.FFmpegError, IndexError, OSError):
        return fallback
    if len(times) < 2:
        return fallback
    steps = sorted(b - a for a, b in itertools.pairwise(times))
    return ClipTimes(tuple(times), steps[len(steps) // 2])
