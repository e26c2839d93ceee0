"""After the camera moved: calibrated again, when and from which frames.

For `review`, between two frames, and for `watch`, in a thread beside the frames. What is not
good enough to be trusted unseen is not taken, and the reason is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

from calibration.again import STILL_MOVED, stood_still, trusted_again
from calibration.camera import Camera
from calibration.drift import DriftWatch
from calibration.errors import CalibrationError
from calibration.lens import Array
from vision.frames import Image

_FRAMES: Final = 4
"""So many looks at the moved picture, a second apart, before it is calibrated again."""
_RETRY_S: Final = 10.0


@dataclass(frozen=True, eq=False)
class MovedView:
    """What is known of a camera that moved."""

    camera: Camera
    """As it was before."""
    frames: tuple[tuple[float, Image], ...]
    """Time and frame of the last looks after the move."""
    motion: Array | None
    """(2, 3) from pixels then to pixels now, where it can be told."""
    before_bgr: Image | None
    """The last frame before the move."""
    moved_mm: float
    """At the cloth; infinite when it was no mere shift, turn or zoom."""


@dataclass(frozen=True, eq=False)
class FoundAgain:
    """A camera found again after a move."""

    camera: Camera
    from_s: float
    """The earliest of the frames looked at from which on it stands where it was found."""
    reference_bgr: Image
    """A frame that it sees from where it stands."""
    moved_mm: float
    adjusted: bool
    """The old camera, shifted and turned; else found as if for the first time."""


class HasFoundAgain(Protocol):
    """What the work of calibrating again brings."""

    @property
    def found(self) -> FoundAgain:
        """The camera."""


T = TypeVar("T", bound=HasFoundAgain)


@dataclass(frozen=True, eq=False)
class JustFound:
    """Nothing but the camera."""

    found: FoundAgain


def moved_view(drift: DriftWatch) -> MovedView | None:
    """What to calibrate again from; None while there is no alarm, or too little was seen."""
    if drift.alarm is None or len(drift.moved_bgr) < _FRAMES:
        return None
    return MovedView(
        drift.camera,
        tuple(drift.moved_bgr),
        drift.motion,
        drift.steady_bgr,
        drift.alarm.moved_mm,
    )


def found_again(view: MovedView) -> FoundAgain:
    """Calibrate again, well enough to go on unseen.

    Raises:
        CalibrationError: one sentence: the reason and what to do.
    """
    last = [image for _, image in view.frames[-_FRAMES:]]
    again = trusted_again(view.camera, last, view.motion, view.before_bgr)
    from_s = view.frames[-_FRAMES][0]
    earlier = view.frames[:-_FRAMES][::-1]
    still = stood_still(again.camera, last[-1], [image for _, image in earlier])
    # As far back as it stood there without a break.
    for (t_s, _), was_there in zip(earlier, still, strict=True):
        if not was_there:
            break
        from_s = t_s
    return FoundAgain(again.camera, from_s, last[-1], view.moved_mm, again.adjusted)


def just_found(view: MovedView) -> JustFound:
    """The same as the work of `CalibratingAgain`, where nothing else is made with it."""
    return JustFound(found_again(view))


@dataclass(eq=False)
class CalibratingAgain(Generic[T]):
    """Tries to calibrate a moved camera again, every now and then, until it is done.

    `work` does it; `beside`: in a thread of its own, so that no frame waits for it.
    """

    work: Callable[[MovedView], T]
    beside: bool = False
    problem: str | None = field(default=None, init=False)
    """Why the last try failed; None while none did."""
    _next_s: float = field(default=-math.inf, init=False)
    _worker: ThreadPoolExecutor | None = field(default=None, init=False)
    _trying: Future[T] | None = field(default=None, init=False)

    @property
    def words(self) -> str:
        """What is being done, or why it could not be; empty when there is nothing to do."""
        if self.problem is not None:
            return f"It cannot be calibrated anew: {self.problem}."
        return "" if self._trying is None else "It is being calibrated anew."

    def update(self, drift: DriftWatch, t_s: float) -> T | None:
        """Call with every frame, after the watch has seen it; what was found, once it is."""
        if self._trying is not None:
            return self._take(drift, t_s) if self._trying.done() else None
        if drift.alarm is None:
            self.problem, self._next_s = None, -math.inf
            return None
        view = moved_view(drift) if t_s >= self._next_s else None
        if view is None:
            return None
        self._next_s = t_s + _RETRY_S
        if self.beside:
            self._worker = self._worker or ThreadPoolExecutor(1, "calibrating")
            self._trying = self._worker.submit(self.work, view)
            return None
        self._trying = Future()
        try:
            self._trying.set_result(self.work(view))
        except CalibrationError as error:
            self._trying.set_exception(error)
        return self._take(drift, t_s)

    def close(self) -> None:
        """Wait for a try that is under way; no more follow."""
        if self._worker is not None:
            self._worker.shutdown(wait=True)

    def _take(self, drift: DriftWatch, t_s: float) -> T | None:
        """What a try brought, unless the camera has moved on since."""
        assert self._trying is not None
        tried, self._trying = self._trying, None
        try:
            result = tried.result()
        except CalibrationError as error:
            self.problem = str(error).rstrip(".")
            return None
        if drift.alarm is None:
            return None
        found = result.found
        if not all(stood_still(found.camera, found.reference_bgr, [drift.moved_bgr[-1][1]])):
            self.problem, self._next_s = STILL_MOVED, t_s + _FRAMES
            return None
        self.problem = None
        return result
