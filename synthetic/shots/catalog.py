"""All kinds of shots by name, and how often a random pack plays them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from synthetic.physics.pool import PoolSimulation
from synthetic.shots import breaks, delicate, failures, ordinary, run_outs, staged
from synthetic.shots.draft import Draft

Kind = Callable[[np.random.Generator, PoolSimulation], Draft]


def _uncalled_pot(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    return ordinary.pot(rng, sim, called=False)


def _closest_tie(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    return delicate.near_tie(rng, sim, (0.001, 0.005))


KINDS: Final[Mapping[str, Kind]] = {
    "pot": ordinary.pot,
    "uncalled_pot": _uncalled_pot,
    "win": ordinary.win,
    "bank": ordinary.bank,
    "kick": ordinary.kick,
    "combination": ordinary.combination,
    "carom": ordinary.carom,
    "safety": ordinary.safety,
    "miss": ordinary.miss,
    "break": breaks.break_shot,
    "dry_break": breaks.dry_break,
    "weak_break": breaks.weak_break,
    "scratch_break": breaks.scratch_break,
    "break_off": breaks.break_off,
    "scratch": failures.scratch,
    "wrong_ball": failures.wrong_ball,
    "no_rail": failures.no_rail,
    "no_contact": failures.no_contact,
    "wrong_pocket": failures.wrong_pocket,
    "ten_early": failures.ten_early,
    "off_table": failures.off_table,
    "cue_off_table": failures.cue_off_table,
    "wild": failures.wild,
    "near_tie": delicate.near_tie,
    "closest_tie": _closest_tie,
    "frozen_rail": delicate.frozen_rail,
    "frozen_cue": delicate.frozen_cue,
    "jaw_rattle": delicate.jaw_rattle,
    "hanging": delicate.hanging,
    "slow_roll": delicate.slow_roll,
    "double_kiss": delicate.double_kiss,
    "moving_start": staged.moving_start,
    "second_stroke": staged.second_stroke,
    "in_hand": staged.in_hand,
    "jump": staged.jump,
    "push_out": staged.push_out,
    "spotted": staged.spotted,
}

WHOLE_RACKS: Final[Mapping[str, Kind]] = {"rack": run_outs.run_out}
"""Not single shots: many strokes in one clip, and seconds of search."""

ORDINARY_MIX: Final[Mapping[str, float]] = {
    "pot": 22,
    "uncalled_pot": 4,
    "win": 2,
    "bank": 3,
    "kick": 6,
    "combination": 3,
    "carom": 1,
    "safety": 9,
    "miss": 8,
    "break": 6,
    "dry_break": 1,
    "weak_break": 1,
    "scratch_break": 1,
    "break_off": 1,
    "scratch": 4,
    "wrong_ball": 5,
    "no_rail": 3,
    "no_contact": 2,
    "wrong_pocket": 3,
    "ten_early": 1,
    "off_table": 1,
    "cue_off_table": 1,
    "wild": 5,
    "near_tie": 2,
    "frozen_rail": 2,
    "frozen_cue": 1,
    "jaw_rattle": 2,
    "hanging": 2,
    "slow_roll": 2,
    "double_kiss": 1,
    "moving_start": 1,
    "second_stroke": 1,
    "in_hand": 3,
    "jump": 1,
    "push_out": 1,
    "spotted": 1,
}
"""Weights of an ordinary match, with every kind present."""

HARD_MIX: Final[Mapping[str, float]] = {
    "near_tie": 4,
    "closest_tie": 2,
    "frozen_rail": 3,
    "frozen_cue": 2,
    "jaw_rattle": 3,
    "hanging": 2,
    "moving_start": 2,
    "second_stroke": 2,
    "off_table": 2,
    "cue_off_table": 2,
    "jump": 2,
    "carom": 2,
    "double_kiss": 2,
    "break": 3,
    "break_off": 2,
    "kick": 2,
    "slow_roll": 2,
    "wild": 2,
}
"""The tail: what is hard to judge."""


def pick_kind(rng: np.random.Generator, mix: Mapping[str, float]) -> str:
    """A kind drawn by the weights of a mix."""
    names = sorted(mix)
    weights = np.array([mix[name] for name in names])
    return names[int(rng.choice(len(names), p=weights / weights.sum()))]
