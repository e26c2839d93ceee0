"""What people hide, without pixels: stick, hand, arm and body as shapes on the table.

The shapes are those of `synthetic.scene.people` seen from straight above, so that thousands
of shots can be made in minutes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from synthetic.jit import compiled
from synthetic.physics.motion import Array
from synthetic.render.tiles import capsule_distance
from synthetic.scene.stick import BUTT_RADIUS_M, TIP_RADIUS_M, StickScript
from synthetic.shots.draft import Carry
from table.geometry import TableSpec

_HAND_M: Final = 0.055
_ARM_M: Final = 0.045
_BODY_M: Final = 0.22
_HEAD_BEHIND_M: Final = 0.80
_CORNER_BACK_M: Final = 0.13
_SIDE_BACK_M: Final = 0.085
"""How far behind the mouth line a pocket's opening ends."""


@dataclass(frozen=True, eq=False)
class Shapes:
    """Capsules (N, 5) ax, ay, bx, by, radius over the table at one instant."""

    people: Array
    stick: Array


def shapes_at(scripts: list[StickScript], carries: list[tuple[Carry, Array]], t_s: float) -> Shapes:
    """Everything over the table at a time; `carries` come with the ball's place (2,)."""
    people: list[list[float]] = []
    sticks: list[list[float]] = []
    for script in scripts:
        away = script.away_m(t_s)
        if away > 1.6:
            continue
        ux, uy = math.cos(script.direction_rad), math.sin(script.direction_rad)
        tip, butt = script.tip_m(t_s), script.butt_m(t_s)
        sticks.append([*tip[:2], *butt[:2], 0.5 * (TIP_RADIUS_M + BUTT_RADIUS_M)])
        hand = (
            script.contact[0] - (0.26 + away) * ux,
            script.contact[1] - (0.26 + away) * uy,
        )
        head = (
            script.contact[0] - (_HEAD_BEHIND_M + away) * ux,
            script.contact[1] - (_HEAD_BEHIND_M + away) * uy,
        )
        hips = (head[0] - 0.6 * ux, head[1] - 0.6 * uy)
        people.append([*hand, hand[0] - 0.09 * ux, hand[1] - 0.09 * uy, _HAND_M])
        people.append([*hand, *head, _ARM_M])
        people.append([*head, *hips, _BODY_M])
    for carry, ball in carries:
        if not carry.from_s - 0.3 <= t_s <= carry.to_s + 0.5:
            continue
        gone = 0.7 * max(t_s - carry.to_s, 0.0) / 0.5
        out = np.array([math.cos(carry.reach_rad), math.sin(carry.reach_rad)])
        hand_at = ball + out * (0.05 + gone)
        end = hand_at + out * 0.6
        people.append([*hand_at, *(hand_at + 0.09 * out), _HAND_M])
        people.append([*hand_at, *end, _ARM_M])
    return Shapes(np.array(people).reshape(-1, 5), np.array(sticks).reshape(-1, 5))


def hidden_share(places_m: Array, capsules: Array, radius_m: float) -> Array:
    """Share (N,) of each ball's disc at places (N, 2) that capsules cover, 0..1.

    A capsule counts as a strip of its width; of several the one that hides most counts.
    """
    if not len(capsules):
        return np.zeros(len(places_m))
    return _hidden(places_m, capsules, radius_m)


def hidden_by_bed(place_m: Array, camera_m: Array, table: TableSpec) -> float:
    """Share 0..1 of a ball that the bed and the rails hide, once it fell into a pocket.

    `place_m` (3,) its centre, `camera_m` (3,) the camera, z above the cloth. What lies below
    the bed is seen through the pocket's opening only: from the drop's edge to the throat's
    back, between the jaws. Nothing hides a ball in play, or one beside the table.
    """
    if place_m[2] >= 0.0:
        return 0.0
    reach = camera_m[2] / (camera_m[2] - place_m[2])
    x, y = camera_m[:2] + (place_m[:2] - camera_m[:2]) * reach
    radius = table.ball_radius_m
    for shape in table.pockets.values():
        fell = (float(place_m[0]), float(place_m[1]))
        back = _SIDE_BACK_M if shape.pocket.is_side else _CORNER_BACK_M
        if not (shape.depth_m(fell) > 0.0 and math.dist(fell, shape.mouth_center) < 2.0 * back):
            continue
        depth, aside = shape.depth_m((x, y)), abs(shape.offset_m((x, y)))
        clear = min(depth - shape.shelf_m, back - depth, 0.5 * shape.mouth_m - aside)
        return 1.0 - _disc_below(min(max(clear / radius, -1.0), 1.0))
    return 0.0


@compiled
def _hidden(places_m: Array, capsules: Array, radius_m: float) -> Array:
    hidden = np.zeros(places_m.shape[0])
    for i in range(places_m.shape[0]):
        x, y = places_m[i, 0], places_m[i, 1]
        for k in range(capsules.shape[0]):
            away = capsule_distance(x, y, capsules[k])
            width = capsules[k, 4]
            if away >= radius_m:
                continue
            center = away + width
            low = min(max((center - width) / radius_m, -1.0), 1.0)
            high = min(max((center + width) / radius_m, -1.0), 1.0)
            hidden[i] = max(hidden[i], _disc_below(high) - _disc_below(low))
    return hidden


@compiled
def _disc_below(height: float) -> float:
    """Share of a unit disc's area below a chord at a height -1..1."""
    return float(0.5 + (height * math.sqrt(1.0 - height**2) + math.asin(height)) / math.pi)
