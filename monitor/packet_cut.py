"""A part of a video file, its packets copied and never encoded again.

It begins at the key frame before the wanted time, since nothing can be decoded without it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import av
import av.error

from monitor.failures import CannotBeDoneError


@dataclass(frozen=True, slots=True)
class Cut:
    """What was written."""

    bytes: int
    from_s: float
    """Presentation time of the clip's first frame in the source."""


def cut_from_file(source: Path, from_s: float, until_s: float, out: Path) -> Cut:
    """Copy the packets from `from_s` to `until_s` (presentation time) of a video file.

    Raises:
        CannotBeDoneError: when the source cannot be read there.
        OSError: when the clip cannot be written.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = out.with_name(f".unfinished-{os.getpid()}-{out.name}")
    try:
        first_s = _copy(source, from_s, until_s, temporary)
        temporary.replace(out)
    except (av.error.FFmpegError, ValueError) as error:
        raise CannotBeDoneError(f"{source.name} cannot be cut there: {error}.") from None
    finally:
        temporary.unlink(missing_ok=True)
    return Cut(out.stat().st_size, first_s)


def _copy(source: Path, from_s: float, until_s: float, out: Path) -> float:
    with av.open(str(source)) as taken, av.open(str(out), "w", format="mp4") as made:
        stream = taken.streams.video[0]
        base = stream.time_base
        if base is None:
            raise ValueError("no time base")
        twin = made.add_stream_from_template(stream)
        twin.time_base = base
        taken.seek(max(0, int(from_s / base)), stream=stream, backward=True)
        shift: int | None = None
        first_s: float | None = None
        for packet in taken.demux(stream):
            if packet.dts is None or packet.pts is None:
                continue
            if shift is None:
                if not packet.is_keyframe:
                    continue
                shift, first_s = packet.pts, float(packet.pts * base)
            # Frames are stored in the order of decoding: go on to the end of the span.
            if float(packet.dts * base) > until_s:
                break
            packet.pts -= shift
            packet.dts -= shift
            packet.stream = twin
            made.mux(packet)
        if first_s is None:
            raise ValueError("no key frame")
        return first_s
