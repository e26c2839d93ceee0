"""`watch` after a move of the camera: new eyes, made ready beside the old ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from monitor.camera_again import CalibratingAgain, FoundAgain, MovedView, found_again
from monitor.moved_camera import far_words
from monitor.pipeline import observer_for
from monitor.settings import NetworkSettings
from vision.observer import Observer


@dataclass(frozen=True, eq=False)
class NewEyes:
    """A camera found again, and what looks through it."""

    found: FoundAgain
    observer: Observer

    def sentence(self, t_s: float) -> str:
        """What people read of it; `t_s`: when it was taken, source time."""
        error = self.found.camera.error_mm.get("rms")
        fit = "" if error is None else f" (noses within {error:.1f} mm)"
        return (
            f"The camera had moved {far_words(self.found.moved_mm)}; it was calibrated anew at "
            f"{t_s:.1f} s{fit}, rulings resume."
        )


def calibrating_anew(network: NetworkSettings, beside: bool) -> CalibratingAgain[NewEyes]:
    """What makes new eyes when the camera moves; `beside`: the frames do not wait for it."""
    return CalibratingAgain(_work(network), beside)


def _work(network: NetworkSettings) -> Callable[[MovedView], NewEyes]:
    def work(view: MovedView) -> NewEyes:
        found = found_again(view)
        pictures = [image for t_s, image in view.frames if t_s >= found.from_s]
        observer = observer_for(found.camera, pictures, network)
        observer.warm_up(pictures[-1])
        return NewEyes(found, observer)

    return work
