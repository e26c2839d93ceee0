"""Clips of a camera that were asked for: each is cut once its span is over."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import av.error

from monitor.failures import CannotBeDoneError
from monitor.live.eye_words import Answered, Asked, Json
from monitor.live.packet_ring import PacketRing


@dataclass(eq=False)
class ClipCuts:
    """First asked, first cut."""

    _asked: list[Asked] = field(default_factory=list, init=False)

    def want(self, asked: Asked) -> None:
        """One more clip is asked for."""
        self._asked.append(asked)

    def due(self, ring: PacketRing | None) -> list[Answered]:
        """Write the clips whose span is over; the answers. `ring` None: no camera is kept."""
        newest_s = None if ring is None else ring.newest_s
        answers = []
        for asked in list(self._asked):
            if ring is None or newest_s is None or newest_s >= float(str(asked.told["until_s"])):
                self._asked.remove(asked)
                answers.append(Answered(asked.number, _cut(ring, asked.told)))
        return answers


def _cut(ring: PacketRing | None, told: Json) -> Json:
    """Write one clip of a camera."""
    if ring is None:
        return {"ok": False, "sentence": "Nothing is recorded."}
    span = float(str(told["from_s"])), float(str(told["until_s"]))
    try:
        first_s = ring.cut(*span, Path(str(told["out"])))
    except (CannotBeDoneError, OSError, av.error.FFmpegError) as error:
        return {"ok": False, "sentence": f"{error}."}
    return {"ok": True, "from_s": first_s}
