"""A training schedule by the clock: the run ends when its time is up, fully decayed.

On a shared machine the number of steps in an hour is not known beforehand. Everything that
usually follows the epoch here follows the share of the time that has passed.
"""

from __future__ import annotations

import math
from typing import Final

_WARM_UP: Final = 0.03
_LOWEST: Final = 0.01


def learning_rate(share: float, highest: float) -> float:
    """The learning rate when `share` (0..1) of the time has passed: warm-up, then a cosine."""
    share = min(max(share, 0.0), 1.0)
    if share < _WARM_UP:
        return highest * max(share / _WARM_UP, 0.02)
    turn = (share - _WARM_UP) / (1.0 - _WARM_UP)
    return highest * (_LOWEST + (1.0 - _LOWEST) * 0.5 * (1.0 + math.cos(math.pi * turn)))
