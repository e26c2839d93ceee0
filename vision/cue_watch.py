"""The cue through one view of the table: looked for frame by frame."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.cue import CueLine, LyingCue, find_cues
from vision.finds import Finds, Kind
from vision.frames import Image
from vision.seen_cues import SeenCues
from vision.topview import TopView

_HAND_NEAR_M: Final = 0.5


@dataclass(eq=False)
class CueWatch:
    """Looks for cues in one unbroken view and keeps what it saw."""

    top: TopView
    found: SeenCues = field(init=False)
    _lying: LyingCue = field(default_factory=LyingCue)

    def __post_init__(self) -> None:
        self.found = SeenCues(self.top.camera.table.ball_radius_m)

    def update(
        self, t_s: float, foreground: Image, finds: Finds, moved_m: tuple[float, float]
    ) -> None:
        """Take a frame's mask of all that is not cloth, and what the network last saw."""
        tips = finds.of(Kind.TIP, least=0.3).centers_px
        cues = [_moved(cue, moved_m) for cue in find_cues(foreground, self.top, tips)]
        self.found.seen += [(t_s, cue) for cue in cues]
        # Two eyes again: where a cue lay when the cloth was learned, bare cloth looks like one.
        held = [not cue.by_network or self._is_held(cue, foreground) for cue in cues]
        since_s = self._lying.update(t_s, cues, held)
        lying_since_s = self.found.lying_since_s
        if since_s is not None and (not lying_since_s or since_s > lying_since_s[-1]):
            lying_since_s.append(since_s)

    def _is_held(self, cue: CueLine, foreground: Image) -> bool:
        """True when the cue reaches over the table's edge or somebody is near it."""
        back = cue.ahead(-cue.length_m)
        if not self.top.camera.table.contains(back):
            return True
        ends = self.top.from_table(np.array([cue.tip_m, back]))
        reach = round(_HAND_NEAR_M * self.top.px_per_m)
        low = np.maximum(ends.min(axis=0) - reach, 0).astype(int)
        high = (ends.max(axis=0) + reach).astype(int)
        patch = foreground[low[1] : high[1] : 4, low[0] : high[0] : 4]
        largest = 6.0 * math.pi * (self.top.ball_radius_px / 4) ** 2
        thick = (cue.length_m * 0.03 * self.top.px_per_m**2) / 16
        return float((patch > 0).sum()) > largest + thick


def _moved(cue: CueLine, moved_m: tuple[float, float]) -> CueLine:
    tip = (cue.tip_m[0] - moved_m[0], cue.tip_m[1] - moved_m[1])
    return CueLine(tip, cue.direction_rad, cue.length_m, cue.by_network)
