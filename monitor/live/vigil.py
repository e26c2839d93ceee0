"""Watches over the watching: what is wrong, what is ruled on, and the counts for the page."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from calibration.camera import Camera
from monitor.checks.fit import fit_mm
from monitor.live.captured import Captured, CapturedLine
from monitor.live.eye_words import Counted
from monitor.live.incremental import Glance, LiveObserver
from monitor.live.picture_watch import Condition, PictureWatch
from monitor.live.rate_watch import RateWatch
from monitor.live.shot_reading import SeenShot
from monitor.live.stoppages import SLOW, SOURCE, Stoppage, Stoppages
from table.balls import is_unknown
from vision.frames import Image
from vision.steady import Shift

GAP_S: Final = 1.0
"""A source that brings nothing for so long stops the rulings."""
_TOO_SLOW: Final = 10.0
"""Frames looked at a second, below which rails and contacts are missed: false fouls."""
MISFIT_MM: Final = 25.0
"""More than any two calibrations of one picture differ."""
_COUNT_EVERY_S: Final = 1.0
ANEW: Final = "anew"
"""The condition that says that the camera was calibrated anew; nothing is wrong any more."""
_ANEW_SAID_S: Final = 60.0
_LATELY: Final = 10


@dataclass(eq=False)
class Vigil:
    """One source; `is_camera` False: a file, whose speed says nothing about a camera."""

    is_camera: bool
    picture: PictureWatch = field(init=False)
    gate: Stoppages = field(default_factory=Stoppages, init=False)
    rate: RateWatch = field(init=False)
    _pace: RateWatch = field(init=False)
    """Of the frames that are looked at."""
    wrong: tuple[Condition, ...] = field(default=(), init=False)
    done: int = field(default=0, init=False)
    _last_s: float | None = field(default=None, init=False)
    _misfit_mm: float = field(default=0.0, init=False)
    _dropped: int = field(default=0, init=False)
    _counted: tuple[float, int, int] = field(default=(-math.inf, 0, 0), init=False)
    _lately: deque[tuple[int, int]] = field(
        default_factory=lambda: deque(maxlen=_LATELY), init=False
    )
    """Frames that came and that were dropped, at the last counts."""
    _told: tuple[str, ...] = field(default=(), init=False)
    doing: str = field(default="", init=False)
    """What is being done about a moved camera, or why it cannot be."""
    _anew: Condition | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.picture = PictureWatch(None, self.is_camera)
        self.rate = RateWatch(self.is_camera)
        self._pace = RateWatch(self.is_camera, SLOW, 0.0, _TOO_SLOW)

    def set_up(self, camera: Camera | None) -> None:
        """The camera was calibrated (anew): where it stands now is where it should stand."""
        self.picture = PictureWatch(camera, self.is_camera)
        self._misfit_mm = 0.0
        self._anew, self.doing = None, ""

    def set_up_anew(
        self, camera: Camera, reference_bgr: Image, t_s: float, moved_mm: float
    ) -> None:
        """The camera moved and was found again: it should stay where it saw `reference_bgr`."""
        self.set_up(camera)
        if self.picture.drift is not None:
            self.picture.drift.update(reference_bgr, t_s)
        self._anew = Condition(ANEW, False, t_s, moved_mm)

    def compare(self, camera: Camera, firsts: Sequence[Image]) -> None:
        """Beside everything else: does a calibration of an earlier day fit the first pictures?"""

        def work() -> None:
            self._misfit_mm = fit_mm(camera, firsts) or 0.0

        threading.Thread(target=work, name="fit", daemon=True).start()

    def see(
        self,
        captured: Captured,
        came: int,
        glance: Glance | None,
        shift: Shift | None,
        dropped: int = 0,
    ) -> list[Stoppage]:
        """Take a frame that was looked at; the stoppages that are over.

        `came`, `dropped`: how many frames came in so far, and how many nobody looked at.
        """
        t_s = captured.frame.t_s
        if self._last_s is not None and t_s - self._last_s > GAP_S and self.is_camera:
            self.gate.gap(self._last_s, t_s, SLOW if dropped > self._dropped else SOURCE)
        self._last_s, self._dropped = t_s, dropped
        rate = self.rate.update(captured.at, came, t_s)
        pace = self._pace.update(captured.at, self.done, t_s)
        found = self.picture.update(captured.frame, shift)
        misfit = None
        if self._misfit_mm > MISFIT_MM:
            misfit = Condition("misfit", False, t_s, self._misfit_mm)
        if self._anew is not None and t_s - self._anew.since_s > _ANEW_SAID_S:
            self._anew = None
        found = tuple(replace(c, detail=self.doing) if c.id == "moved" else c for c in found)
        beside = (rate, pace, misfit, self._anew)
        self.wrong = (*found, *(one for one in beside if one is not None))
        return self.gate.update(glance, t_s, self.wrong)

    def admit(self, shots: list[SeenShot], *, is_end: bool = False) -> list[SeenShot]:
        """Those of the shots that may be ruled on now; `is_end`: no further look will tell more."""
        suspected_since_s = None if is_end else self.picture.suspected_since_s
        return self.gate.admit(shots, self._last_s or 0.0, suspected_since_s)

    def shown(self, glance: Glance) -> Glance:
        """What the page is told: while nothing is ruled on, nothing counts as a stroke."""
        if not self.gate.reasons:
            return glance
        return replace(glance, moving=(), moving_since_s=None)

    def count(
        self, at: float, line: CapturedLine, live: LiveObserver | None, shift: Shift | None
    ) -> Counted | None:
        """The counts, once a second and when something else is wrong than before."""
        since, came, done = self._counted
        names = tuple(condition.id for condition in self.wrong)
        if at - since < _COUNT_EVERY_S and names == self._told:
            return None
        self._told = names
        if at - since >= _COUNT_EVERY_S:
            self._counted = (at, line.came, self.done)
            self._lately.append((line.came, line.dropped))
        span_s = max(at - since, 0.05) if math.isfinite(since) else math.inf
        lately = (self._lately[-1][0] - self._lately[0][0]) if self._lately else 0
        dropped = (self._lately[-1][1] - self._lately[0][1]) if self._lately else 0
        moved_mm = self.picture.moved_mm
        return Counted(
            came=line.came,
            done=self.done,
            dropped=line.dropped,
            fps_in=(line.came - came) / span_s,
            fps_done=(self.done - done) / span_s,
            fps_usual=self.rate.usual,
            dropped_share=dropped / lately if lately else 0.0,
            conditions=self.wrong,
            light=self.picture.light,
            sharpness=self.picture.sharpness,
            shift_px=0.0 if shift is None else math.hypot(shift.dx_px, shift.dy_px),
            moved_mm=moved_mm if math.isfinite(moved_mm) else None,
            agreeing=1.0 if shift is None else shift.agreeing,
            unknown=0 if live is None else sum(is_unknown(n) for n in live.names.values()),
        )
