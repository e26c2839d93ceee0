"""Presets of `synth`: which kinds of shots, in which rooms, under which physics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from synthetic.physics.conditions import Conditions, unusual_conditions, usual_conditions
from synthetic.scene.studio import Wishes
from synthetic.shots.catalog import HARD_MIX, ORDINARY_MIX, pick_kind


@dataclass(frozen=True)
class Order:
    """One clip to make."""

    kind: str
    wishes: Wishes
    unusual: bool = False
    """True for physics unlike any default of the product."""
    longest_s: float = 20.0
    """Shots are drawn anew until the clip is at most this long."""
    name: str | None = None
    room: int | None = None
    """The seed of the room's looks; None: they follow from the clip's seed."""

    def conditions(self, rng: np.random.Generator) -> Conditions:
        """The table's physics."""
        return unusual_conditions(rng) if self.unusual else usual_conditions(rng)


Preset = Callable[[np.random.Generator, int], Order]


def match(rng: np.random.Generator, number: int) -> Order:
    """An ordinary match: 1280x720 at 30 fps; every fifth clip on an unusual table."""
    return Order(pick_kind(rng, ORDINARY_MIX), Wishes(framed=True), unusual=number % 5 == 4)


def rates(rng: np.random.Generator, number: int) -> Order:
    """Ordinary shots at 25, 30, 50, 60 or 120 frames a second or a variable rate, two sizes."""
    size = (1920, 1080) if rng.random() < 0.3 else (1280, 720)
    wishes = Wishes(fps=None, size=size, framed=True)
    return Order(pick_kind(rng, ORDINARY_MIX), wishes, number % 5 == 4)


def hard(rng: np.random.Generator, number: int) -> Order:
    """The tail: near-ties, occlusions, dark rooms, oblique cameras, 25 frames a second."""
    wishes = Wishes(
        fps=25.0 if rng.random() < 0.6 else None,
        wild=bool(rng.random() < 0.5),
        dark=bool(rng.random() < 0.35),
        busy=2.0,
        cloth="black" if rng.random() < 0.15 else None,
        graphics=bool(rng.random() < 0.5),
        crf=int(rng.integers(24, 34)),
    )
    return Order(pick_kind(rng, HARD_MIX), wishes, unusual=number % 5 == 4)


PRESETS: Final[Mapping[str, Preset]] = {"match": match, "rates": rates, "hard": hard}

_TV = Wishes(cloth="electric blue", rail="black", ball_set="tv", head="right", graphics=False)
_HALL = Wishes(cloth="green", rail="dark wood", ball_set="standard", head="left", graphics=False)
_CLUB = Wishes(cloth="tournament blue", rail="mahogany", ball_set="standard", graphics=False)

REGRESSION: Final[tuple[Order, ...]] = (
    Order("pot", _TV, longest_s=6.0, name="pot"),
    Order("break", _HALL, longest_s=8.5, name="break"),
    Order("uncalled_pot", _CLUB, longest_s=6.0, name="pot_uncalled"),
    Order("bank", _HALL, longest_s=8.0, name="bank"),
    Order("kick", _TV, longest_s=7.0, name="kick"),
    Order("combination", _CLUB, longest_s=7.0, name="combination"),
    Order("safety", _TV, longest_s=6.5, name="safety"),
    Order("scratch", _HALL, longest_s=6.0, name="scratch"),
    Order("wrong_ball", _CLUB, longest_s=7.0, name="wrong_ball"),
    Order("no_rail", _TV, longest_s=6.0, name="no_rail"),
    Order("near_tie", Wishes(fps=60.0, ball_set="tv"), longest_s=7.0, name="near_tie"),
    Order("frozen_rail", _HALL, longest_s=6.0, name="frozen_rail"),
    Order("jaw_rattle", _TV, longest_s=7.0, name="jaw_rattle"),
    Order("hanging", Wishes(cloth="red", ball_set="standard"), longest_s=6.5, name="hanging"),
    Order("moving_start", _CLUB, longest_s=7.0, name="moving_start"),
    Order("off_table", _TV, longest_s=7.0, name="off_table"),
    Order("in_hand", Wishes(cloth="green", ball_set="standard"), longest_s=9.0, name="in_hand"),
    Order("push_out", _HALL, unusual=False, longest_s=12.0, name="push_out"),
    Order("ten_early", Wishes(cloth="camel", ball_set="tv"), longest_s=8.0, name="ten_early"),
    Order("kick", Wishes(cloth="grey"), unusual=True, longest_s=8.0, name="unusual_table"),
)
"""The small fixed pack of fixtures/videos: one kind of event a clip."""

RACK: Final = Order(
    "rack", replace(_HALL, fps=25.0, busy=0.0, framed=True, crf=25), longest_s=60.0, room=7
)
"""A whole rack by one player, in a calm room: what the live tests play as a camera."""
