"""Is the picture to be trusted? Light, sharpness, a frozen or foreign picture, a moved camera.

Each thing that is wrong is a condition with the time from which it holds. Some of them stop
the rulings: what is seen meanwhile may be wrong.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.drift import LIMIT_MM, DriftWatch, Stillness
from vision.frames import Frame, Image
from vision.steady import Shift

_STEP: Final = 8
"""Every so manieth pixel is looked at in every frame."""
_DARK: Final = 22.0
"""Mean level of the table, of 255. Dim halls are at 40 and more; a covered lens below 15."""
_DARK_FOR_S: Final = 0.3
_BRIGHT: Final = 225.0
_CLIPPED: Final = 0.25
"""Share of the table's pixels at full level."""
_FROZEN_FOR_S: Final = 2.0
"""A sensor's noise makes two pictures differ; the longest run of equal ones in recorded and
rendered clips is 0.3 s."""
_FOREIGN: Final = 0.12
"""Share of the rails that fits, below which this is no picture of the table (vision.observer)."""
_FOREIGN_FOR_S: Final = 0.6
_COVERED: Final = 0.3
_SHARP_EVERY_S: Final = 0.5
_SHARP_REFERENCE: Final = 6
_BLURRED: Final = 0.35
_BLUR_MOVES_MM: Final = 25.0


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that is wrong with the picture; times are presentation time of the source."""

    id: str
    """dark, bright, frozen, no_view, moved, covered, blurred."""
    stops: bool
    """True: nothing is ruled on while it holds."""
    since_s: float
    value: float = 0.0
    """Millimetres, seconds or a level, as the condition has it."""
    detail: str = ""
    """What is being done about it, or why it cannot be."""


@dataclass(eq=False)
class PictureWatch:
    """Watches the frames of one source; `camera` None: the table is not known yet."""

    camera: Camera | None = None
    is_camera: bool = True
    """False: a file, which cannot freeze."""
    light: float = field(default=0.0, init=False)
    """Mean level of the table, 0 to 255."""
    sharpness: float = field(default=1.0, init=False)
    """Against the first seconds."""
    moved_mm: float = field(default=0.0, init=False)
    """At the cloth, at the last look; infinite when it is no mere shift."""
    suspected_since_s: float | None = field(default=None, init=False)
    """The camera seems to have moved since; not yet for long enough."""
    _drift: DriftWatch | None = field(default=None, init=False)
    _mask: NDArray[np.bool_] | None = field(default=None, init=False)
    _last: Image | None = field(default=None, init=False)
    _since_s: dict[str, float] = field(default_factory=dict, init=False)
    """From when on each thing holds."""
    _steady_s: float = field(default=-math.inf, init=False)
    _steady_shift: Shift | None = field(default=None, init=False)
    _sharp_at: float = field(default=-math.inf, init=False)
    _sharp: deque[float] = field(default_factory=lambda: deque(maxlen=3), init=False)
    _sharp_first: list[float] = field(default_factory=list, init=False)
    _conditions: tuple[Condition, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        if self.camera is not None:
            self._drift = DriftWatch(self.camera)

    def update(self, frame: Frame, shift: Shift | None) -> tuple[Condition, ...]:
        """Take the next frame; `shift`: how its rails fit, None without a camera."""
        t_s, sample = frame.t_s, np.ascontiguousarray(frame.gray[::_STEP, ::_STEP])
        found: list[Condition] = []
        frozen = self.is_camera and self._is_same(sample)
        self._hold(found, "frozen", frozen, True, _FROZEN_FOR_S, t_s)
        level, clipped = self._level(sample)
        self.light = level
        is_dark = level < _DARK
        self._hold(found, "dark", is_dark, True, _DARK_FOR_S, t_s, level)
        if is_dark:
            # What else is wrong follows from it.
            self._conditions = tuple(found)
            return self._conditions
        self._hold(found, "bright", level > _BRIGHT or clipped > _CLIPPED, False, 1.0, t_s, clipped)
        self._look_for_move(frame, shift, found)
        if shift is not None:
            covered = shift.agreeing < _COVERED
            self._hold(found, "covered", covered, False, 0.5, t_s, shift.agreeing)
        self._measure_sharpness(frame)
        self._hold(found, "blurred", self.sharpness < _BLURRED, False, 1.0, t_s, self.sharpness)
        self._conditions = _without_what_follows(found)
        return self._conditions

    @property
    def drift(self) -> DriftWatch | None:
        """The watch over the camera's place; None while the table is not known."""
        return self._drift

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What was wrong with the last frame."""
        return self._conditions

    def _hold(
        self,
        found: list[Condition],
        name: str,
        is_so: bool,
        stops: bool,
        for_s: float,
        t_s: float,
        value: float = 0.0,
    ) -> None:
        """A condition once a thing has held for long enough."""
        if not is_so:
            self._since_s.pop(name, None)
            return
        since_s = self._since_s.setdefault(name, t_s)
        if t_s - since_s >= for_s:
            found.append(Condition(name, stops, since_s, value or t_s - since_s))

    def _is_same(self, sample: Image) -> bool:
        last, self._last = self._last, sample
        return last is not None and last.shape == sample.shape and np.array_equal(last, sample)

    def _level(self, sample: Image) -> tuple[float, float]:
        """Mean level of the table, and the share of it that is at full level."""
        if self._mask is None or self._mask.shape != sample.shape:
            self._mask = _table_mask(self.camera, sample.shape)
        values = sample[self._mask]
        return float(values.mean()), float((values >= 252).mean())

    def _look_for_move(self, frame: Frame, shift: Shift | None, found: list[Condition]) -> None:
        t_s = frame.t_s
        if self._drift is None or shift is None:
            return
        look = self._drift.update(frame.image, t_s)
        if look is not None:
            self.moved_mm = look.moved_mm
            if look.kind is Stillness.STEADY:
                self._steady_s, self._steady_shift = t_s, shift
        alarm = self._drift.alarm
        if alarm is not None:
            move = self._drift.moves[-1]
            found.append(Condition("moved", True, move.from_s, alarm.moved_mm))
        elsewhere = look is not None and look.kind is Stillness.MOVED
        if look is not None and not elsewhere:
            self.suspected_since_s = None
        jolted = elsewhere or self._shifted_mm(shift) > LIMIT_MM
        if alarm is None and jolted and self.suspected_since_s is None:
            self.suspected_since_s = self._steady_s
        foreign = shift.agreeing < _FOREIGN
        self._hold(found, "no_view", foreign, True, _FOREIGN_FOR_S, t_s)

    def _shifted_mm(self, shift: Shift) -> float:
        """The picture's own shift at the cloth since the camera was last seen in its place."""
        before = self._steady_shift
        if self.camera is None or before is None or not shift.is_sure:
            return 0.0
        px_per_m = float(self.camera.px_per_m([(0.0, 0.0)], 0.0)[0])
        moved_px = math.hypot(shift.dx_px - before.dx_px, shift.dy_px - before.dy_px)
        return 1000.0 * moved_px / px_per_m

    def _measure_sharpness(self, frame: Frame) -> None:
        """Energy of the second derivative, against that of the first seconds."""
        if frame.t_s - self._sharp_at < _SHARP_EVERY_S:
            return
        self._sharp_at = frame.t_s
        edges = cv2.Laplacian(frame.gray, cv2.CV_16S, ksize=3)
        self._sharp.append(float(np.abs(edges[::2, ::2]).mean()) / (self.light + 1.0))
        if len(self._sharp_first) < _SHARP_REFERENCE:
            self._sharp_first.append(self._sharp[-1])
        reference = float(np.median(self._sharp_first))
        self.sharpness = float(np.median(self._sharp)) / (reference + 1e-9)


def _without_what_follows(found: list[Condition]) -> tuple[Condition, ...]:
    """Leave out what is only a consequence: people need the cause."""
    by_name = {condition.id: condition for condition in found}
    moved, blurred = by_name.get("moved"), by_name.get("blurred")
    hidden: set[str] = set()
    if blurred is not None and moved is not None and moved.value < _BLUR_MOVES_MM:
        # Nothing fits well in a blurred picture: the camera need not have moved.
        hidden |= {"moved", "no_view", "covered"}
        by_name["blurred"] = replace(blurred, stops=True)
    elif moved is not None:
        hidden |= {"no_view", "covered"}
    elif "no_view" in by_name:
        hidden |= {"covered", "blurred"}
    return tuple(condition for name, condition in by_name.items() if name not in hidden)


def _table_mask(camera: Camera | None, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(h, w) of the sampled picture: True on the cloth; everywhere without a camera."""
    mask = np.zeros(shape, np.uint8)
    if camera is not None:
        corners = camera.table.nose_corners
        pixels = camera.project_on_plane([corners[p] for p in corners], 0.0) / _STEP
        hull = cv2.convexHull(np.rint(pixels).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 1)
    if not mask.any():
        mask[:] = 1
    return mask.astype(np.bool_)
