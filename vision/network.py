"""The learned eye: ball, cue ball, ball out of play, hand and cue tip in a top view."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.finds import Finds, decode
from vision.frames import Image
from vision.runtimes import Runtime, fastest
from vision.topview import TopView
from vision.weights import MODELS, WeightsError, checked, shipped_network
from vision.yolo import WEIGHTS_FILE, YoloRuntime, has_gpu

INPUT_PX_PER_M: Final = 400.0
"""Scale of the network's input: a 57 mm ball has 23 pixels, the middle of what it learned."""
_MULTIPLE: Final = 32
_GREY: Final = 114
_LOG: Final = logging.getLogger("table_monitor")


@dataclass(frozen=True, eq=False)
class Network:
    """A network that looks at the top views of one camera.

    `size_px` is (width, height) of its input, `filled_px` the part that the view fills.
    """

    runtime: Runtime
    size_px: tuple[int, int]
    filled_px: tuple[int, int]

    def look(self, view: Image) -> Finds:
        """Everything seen in a top view (h, w, 3) uint8 BGR."""
        width, height = self.filled_px
        small = cv2.resize(view, (width, height), interpolation=cv2.INTER_AREA)
        right, below = self.size_px[0] - width, self.size_px[1] - height
        grey = (_GREY, _GREY, _GREY)
        padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_CONSTANT, value=grey)
        raw = self.runtime.run(np.ascontiguousarray(padded, np.uint8))
        return decode(raw, view.shape[1] / width)


def input_size(top: TopView) -> tuple[tuple[int, int], tuple[int, int]]:
    """(width, height) of the network's input for a top view, and the part that it fills."""
    scale = INPUT_PX_PER_M / top.px_per_m
    filled = (round(top.width * scale), round(top.height * scale))
    width, height = (-(-side // _MULTIPLE) * _MULTIPLE for side in filled)
    return (width, height), filled


def load_network(
    top: TopView, folder: Path = MODELS, *, device: str = "auto", own: Path | None = None
) -> Network | None:
    """The network for a camera's top views; None, with a line in the log, without one.

    `device`: "auto" (a graphics processor when there is one), "cpu" or "gpu". `own`: a user's
    network (.onnx, or .pt of plain tensors) instead of the shipped one in `folder`.
    """
    size, filled = input_size(top)
    try:
        runtime = _runtime(folder, device, own, size)
    except WeightsError as error:
        _LOG.warning("%s Balls are found without the network.", error)
        return None
    return Network(runtime, size, filled)


def _runtime(folder: Path, device: str, own: Path | None, size: tuple[int, int]) -> Runtime:
    is_tensors = own is not None and own.suffix == ".pt"
    if is_tensors or device == "gpu" or (device == "auto" and own is None and has_gpu()):
        weights = own if own is not None and is_tensors else checked(folder / WEIGHTS_FILE)
        return YoloRuntime(weights, "cuda" if device != "cpu" and has_gpu() else "cpu")
    if own is not None and not own.is_file():
        raise WeightsError(f"The network's file {own.name} is missing.")
    return fastest(own or shipped_network(folder), size[1], size[0])
