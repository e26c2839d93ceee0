"""Random streams beside the main one, so that new choices leave older draws as they were."""

from __future__ import annotations

import numpy as np


def side_stream(rng: np.random.Generator, key: int) -> np.random.Generator:
    """A generator of its own, fixed by the seed of `rng` and a key; `rng` is not advanced.

    Truth, cameras and plays of a seed are drawn from the main stream. Choices that only change
    how the picture looks come from side streams: adding one does not shift any other.
    """
    seed = rng.bit_generator.seed_seq
    if not isinstance(seed, np.random.SeedSequence):
        raise TypeError("side streams need a generator made from a seed")
    return np.random.default_rng(
        np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 7919, key))
    )
