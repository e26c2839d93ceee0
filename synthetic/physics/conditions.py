"""The physical constants of one table: cloth, balls and cushions.

Ordinary values: Alciatore, "Physical properties of pool balls and equipment"
(billiards.colostate.edu); rolling resistance 0.005-0.015, sliding friction 0.15-0.4, ball
restitution 0.92-0.98, cushion restitution 0.6-0.9.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

GRAVITY_MPS2 = 9.81


class BallModel(StrEnum):
    """How two balls exchange momentum."""

    ALCIATORE = "alciatore"
    """Speed-dependent friction (throw), after Alciatore's TP A-14."""
    CONSTANT = "constant"
    """One friction coefficient at every speed."""
    MATHAVAN = "mathavan"
    """Mathavan, Jackson & Parkin (2014), numerical impact with friction."""
    IDEAL = "ideal"
    """Frictionless and elastic: the textbook collision."""


class CushionModel(StrEnum):
    """How a cushion throws a ball back."""

    STRONGE = "stronge"
    HAN = "han"
    MATHAVAN = "mathavan"
    IMPULSE = "impulse"
    MIRROR = "mirror"
    """Perfect reflection: the textbook rebound."""


@dataclass(frozen=True)
class Conditions:
    """Friction, restitution and collision models of one table (dimensionless)."""

    slide: float = 0.2
    roll: float = 0.010
    spin: float = 0.44
    """Spin friction as a share of the ball radius (pooltool's u_sp_proportionality)."""
    ball_restitution: float = 0.95
    ball_friction: float = 0.05
    cushion_restitution: float = 0.85
    cushion_friction: float = 0.2
    ball_model: BallModel = BallModel.ALCIATORE
    cushion_model: CushionModel = CushionModel.STRONGE
    cloth_restitution: float = 0.5
    """Vertical restitution of a ball that lands on the bed (slate under cloth)."""
    label: str = "usual"


TEXTBOOK = Conditions(
    ball_restitution=1.0,
    ball_friction=1e-9,
    cushion_restitution=1.0,
    ball_model=BallModel.IDEAL,
    cushion_model=CushionModel.MIRROR,
    label="textbook",
)
"""Collisions that can be computed by hand, for checking the simulation."""


def usual_conditions(rng: np.random.Generator) -> Conditions:
    """Constants of an ordinary table, drawn around the literature's values."""
    return Conditions(
        slide=float(rng.uniform(0.16, 0.26)),
        roll=float(rng.uniform(0.008, 0.012)),
        spin=float(rng.uniform(0.35, 0.5)),
        ball_restitution=float(rng.uniform(0.935, 0.97)),
        cushion_restitution=float(rng.uniform(0.8, 0.88)),
        cushion_friction=float(rng.uniform(0.14, 0.26)),
        cloth_restitution=float(rng.uniform(0.45, 0.55)),
    )


def unusual_conditions(rng: np.random.Generator) -> Conditions:
    """Constants and collision models unlike any default: for independent evaluation."""
    cushion = (CushionModel.HAN, CushionModel.MATHAVAN, CushionModel.IMPULSE)
    ball = (BallModel.CONSTANT, BallModel.MATHAVAN)
    return Conditions(
        slide=float(rng.choice([rng.uniform(0.10, 0.15), rng.uniform(0.28, 0.4)])),
        roll=float(rng.choice([rng.uniform(0.005, 0.007), rng.uniform(0.013, 0.018)])),
        spin=float(rng.uniform(0.2, 0.7)),
        ball_restitution=float(rng.uniform(0.90, 0.93)),
        ball_friction=float(rng.choice([rng.uniform(0.01, 0.03), rng.uniform(0.07, 0.12)])),
        cushion_restitution=float(rng.choice([rng.uniform(0.65, 0.76), rng.uniform(0.9, 0.95)])),
        cushion_friction=float(rng.choice([rng.uniform(0.05, 0.12), rng.uniform(0.28, 0.36)])),
        ball_model=ball[int(rng.integers(len(ball)))],
        cushion_model=cushion[int(rng.integers(len(cushion)))],
        cloth_restitution=float(rng.uniform(0.3, 0.65)),
        label="unusual",
    )
