"""Thousands of shots without pixels: what a detector would have seen of exact plays.

Each shot has a camera of its own (height, noise, frame rate).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from synthetic.eyes import Eyes
from synthetic.pack import make_draft
from synthetic.presets import PRESETS
from synthetic.simulated_shot import SimulatedShot

__all__ = ["SimulatedShot", "simulated_shot", "simulated_shots"]


def simulated_shots(count: int, seed: int, preset: str = "match") -> Iterator[SimulatedShot]:
    """Make shots one after another; the same seed gives the same shots."""
    for number in range(count):
        yield simulated_shot(seed, number, preset)


def simulated_shot(seed: int, number: int, preset: str = "match") -> SimulatedShot:
    """One shot by seed and number."""
    rng = np.random.default_rng([seed, number, 2])
    order = PRESETS[preset](rng, number)
    draft = make_draft(rng, order)
    return Eyes(rng, draft, f"{seed}_{number} {draft.kind}").shot()
