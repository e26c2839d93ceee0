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
from vision.weights import MODELS, WeightsError, shipped_network

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


def load_network(top: TopView, folder: Path = MODELS) -> Network | None:
    """The shipped network for a camera's top views; None, with a line in the log, without it."""
    size, filled = input_size(top)
    try:
        runtime = fastest(shipped_network(folder), size[1], size[0])
    except WeightsError as error:
        _LOG.warning("%s Balls are found without the network.", error)
        return None
    return Network(runtime, size, filled)
