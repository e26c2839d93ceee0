"""Who and what is in the room for a drafted shot: the cast of actors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from synthetic.physics.drops import FLOOR_Z_M
from synthetic.physics.motion import Array, BallPath, Motion, Piece
from synthetic.physics.play import Play
from synthetic.physics.pool_models import hole
from synthetic.scene.people import CarryingHand, Player, random_bystander
from synthetic.scene.solids import Actor
from synthetic.scene.stick import StickScript, stick_for
from synthetic.scene.things import Triangle, chalk, lying_stick, stray_things
from synthetic.scene.wardrobe import random_wardrobe
from synthetic.shots.draft import Draft
from synthetic.streams import side_stream
from table.balls import CUE, BallName
from table.geometry import Pocket

_PEOPLE: Final = 2
"""Key of the side stream of people's looks."""


def make_cast(rng: np.random.Generator, draft: Draft, *, busy: float = 1.0) -> list[Actor]:
    """Player and stick for each stroke, carrying hands, chalk, triangle, bystanders.

    `busy` scales how likely the things are that a shot does not need.
    """
    side = side_stream(rng, _PEOPLE)
    player_wear = random_wardrobe(rng, side)
    left_handed = bool(rng.random() < 0.12)
    cast: list[Actor] = []
    for stick in sticks(rng, draft):
        bridge = float(rng.uniform(0.20, 0.34))
        cast += [stick, Player(draft.table, stick, player_wear, left_handed, bridge)]
    for carry in draft.carries:
        cast.append(CarryingHand(draft.table, carry, draft.play.paths[carry.ball], player_wear))
    for _ in range(int(rng.binomial(3, 0.25 * min(busy, 2.0)))):
        cast.append(chalk(rng, draft.table))
    if busy > 1.2 and rng.random() < 0.15:
        cast.append(lying_stick(rng, draft.table))
    for _ in range(int(rng.binomial(2, 0.25 * min(busy, 2.0)))):
        cast.append(random_bystander(rng, side, draft.table, random_wardrobe(rng, side)))
    cast += stray_things(side, draft.table, ball_places(draft.play), busy)
    first_s = draft.play.strokes[0].t_s
    if draft.racked and first_s > 1.6 and rng.random() < 0.35 * busy:
        colour = ((0.02, 0.02, 0.02), (0.25, 0.12, 0.05))[int(rng.integers(2))]
        cast.append(Triangle(draft.table, max(first_s - 2.2, 0.0), player_wear, colour))
    return cast


def sticks(rng: np.random.Generator, draft: Draft) -> list[StickScript]:
    """The stick's script for each stroke."""
    scripts: list[StickScript] = []
    strokes = draft.play.strokes
    free_s = max((c.to_s + 1.3 for c in draft.carries if c.to_s < strokes[0].t_s), default=-9.0)
    for index, stroke in enumerate(strokes):
        cue = cue_ball_at(draft.play, stroke.t_s)
        arrive = max(free_s, stroke.t_s - float(rng.uniform(1.3, 6.0)))
        script = stick_for(draft.table, cue, stroke, arrive, leave_s=float(rng.uniform(0.3, 1.6)))
        last = index == len(strokes) - 1
        way = float(rng.uniform(0.4, 2.2)) if last and index == 0 else 2.4
        scripts.append(
            replace(
                script,
                leave_way_m=way,
                feather_s=float(rng.uniform(0.7, 1.5)),
                reach_m=float(rng.uniform(0.08, 0.17)),
            )
        )
        free_s = stroke.t_s + 0.9
    return scripts


def ball_places(play: Play) -> Array:
    """(N, 2) where balls lie or pass, at forty instants."""
    times = np.linspace(0.0, play.end_s, 40)
    places = [path.sample(times).r_m[:, :2] for path in play.paths.values()]
    return np.concatenate(places) if places else np.zeros((0, 2))


def cue_ball_at(play: Play, t_s: float) -> tuple[float, float]:
    """Where the cue ball lies just before a stroke."""
    x, y, _ = play.paths[CUE].sample([t_s - 1e-6]).r_m[0]
    return (float(x), float(y))


def lying_in_pockets(
    rng: np.random.Generator, draft: Draft, share: float
) -> dict[BallName, BallPath]:
    """Balls pocketed before the clip: each absent ball lies in a pocket with this chance."""
    play, table = draft.play, draft.table
    found: dict[BallName, BallPath] = {}
    used: dict[Pocket, int] = {}
    for number in range(1, 11):
        name = str(number)
        if name in play.paths or rng.random() > share:
            continue
        pocket = list(Pocket)[int(rng.integers(6))]
        center, radius = hole(table, pocket)
        room = radius - table.ball_radius_m
        angle = 2.1 * used.get(pocket, 0) + float(rng.uniform(0, 0.5))
        used[pocket] = used.get(pocket, 0) + 1
        at = np.array(
            [
                center[0] + room * np.cos(angle),
                center[1] + room * np.sin(angle),
                FLOOR_Z_M + table.ball_radius_m * (1.0 + 0.9 * (used[pocket] // 3)),
            ]
        )
        still = np.zeros(3)
        piece = Piece(0.0, Motion.DROPPED, at, still, still)
        found[name] = BallPath((piece,), table.ball_radius_m, play.conditions)
    return found


def all_paths(play: Play, lying: Mapping[BallName, BallPath]) -> dict[BallName, BallPath]:
    """The play's balls and those that lie in pockets."""
    return dict(play.paths) | dict(lying)
