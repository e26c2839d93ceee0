"""A clip whose players take their time: the rest after each stroke is shown for longer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import av

_SETTLED_S: Final = 0.2
_SHOWN_AGAIN_S: Final = 0.8
"""Before the next player comes to the table."""
_CODED: Final = {"crf": "14", "preset": "superfast"}


def with_longer_rests(clip: Path, out: Path, ends_s: Iterable[float], more_s: float) -> Path:
    """Encode a clip anew with `more_s` seconds of rest after each of `ends_s` (its own times).

    The pictures of the rest run back and forth, so that none stands still as a frozen camera's.
    """
    with av.open(str(clip)) as source, av.open(str(out), "w") as made:
        read = source.streams.video[0]
        rate = read.average_rate
        assert rate is not None
        stream = made.add_stream("libx264", rate=rate, options=dict(_CODED))
        stream.width, stream.height = read.width, read.height
        stream.pix_fmt = "yuv420p"
        shown = _stretched(source.decode(video=0), float(rate), ends_s, more_s)
        for number, picture in enumerate(shown):
            copy = av.VideoFrame.from_ndarray(picture.to_ndarray(format="yuv420p"), "yuv420p")
            copy.pts, copy.time_base = number, 1 / rate
            made.mux(stream.encode(copy))
        made.mux(stream.encode(None))
    return out


def _stretched(
    pictures: Iterable[av.VideoFrame], rate: float, ends_s: Iterable[float], more_s: float
) -> Iterator[av.VideoFrame]:
    rests = [(end + _SETTLED_S, end + _SETTLED_S + _SHOWN_AGAIN_S) for end in ends_s]
    kept: list[av.VideoFrame] = []
    for number, picture in enumerate(pictures):
        yield picture
        t_s = number / rate
        if any(begin <= t_s <= end for begin, end in rests):
            kept.append(picture)
        elif kept:
            there_and_back = kept[-2::-1] + kept[1:]
            for again in range(round(more_s * rate)):
                yield there_and_back[again % len(there_and_back)]
            kept = []
