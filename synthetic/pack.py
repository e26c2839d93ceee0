"""Packs of clips: what `table-monitor synth` makes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from synthetic.filming import film
from synthetic.physics.conditions import usual_conditions
from synthetic.physics.pool import PoolSimulation
from synthetic.scene.studio import Wishes, make_studio
from synthetic.shots.catalog import KINDS
from table.geometry import NINE_FOOT


def make_clip(out: Path, seed: int, number: int, kind: str, wishes: Wishes) -> Path:
    """One clip of a kind in DIR/<seed>_<n>/."""
    rng = np.random.default_rng([seed, number])
    sim = PoolSimulation(NINE_FOOT, usual_conditions(rng))
    draft = KINDS[kind](rng, sim)
    studio = make_studio(rng, NINE_FOOT, wishes)
    folder = out / f"{seed}_{number}"
    film(rng, draft, studio, folder)
    return folder
