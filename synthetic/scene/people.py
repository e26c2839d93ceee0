"""People over the table: the player at a stroke, hands that carry balls, bystanders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from synthetic.physics.motion import Array, BallPath
from synthetic.render.solids import PLAIN
from synthetic.scene.body import Wardrobe, arm, cone, frame_at, hand, head, torso
from synthetic.scene.solids import Cone, Skin
from synthetic.scene.stick import StickScript
from synthetic.shots.draft import Carry
from table.geometry import TableSpec

RAIL_EDGE_M: Final = 0.14
_GRIP_M: Final = 1.08
_ALONE_M: Final = 1.25
"""A cue ball farther than this from the edge is played with the mechanical bridge."""


@dataclass(frozen=True, eq=False)
class Player:
    """The person behind the stick: bridge hand, grip hand, head and body."""

    table: TableSpec
    stick: StickScript
    wear: Wardrobe
    left_handed: bool
    bridge_m: float
    """Distance of the bridge hand behind the cue ball."""

    def cones(self, t_s: float) -> Sequence[Cone]:
        """The body follows the stick's way in and out."""
        stick = self.stick
        away = stick.away_m(t_s)
        aim = stick.direction_rad
        contact = np.array([stick.contact[0], stick.contact[1], 0.0])
        behind = frame_at(contact, aim, self.left_handed)
        edge = edge_distance(self.table, (contact[0], contact[1]), aim + math.pi)
        with_rest = edge > _ALONE_M
        lift = 0.12 * min(away, 1.0)
        parts: list[Cone] = []
        bridge_s = min(self.bridge_m, 1.0)
        low = self._bed_height(contact - bridge_s * behind.ahead)
        wrist = behind.at(-bridge_s - 0.10 - away, 0.012, low + 0.022 + lift)
        head_s = max(0.78, edge - 0.42)
        hips_s = max(head_s + 0.45, edge + 0.16)
        lean = min(1.0, (head_s - 0.6) / 0.8)
        head_at = behind.at(-head_s - away, 0.02, 0.50 - 0.10 * lean + lift)
        left = behind.at(-head_s - 0.02 - away, 0.20, 0.36 - 0.06 * lean + lift)
        right = behind.at(-head_s - 0.22 - away, -0.17, 0.40 - 0.06 * lean + lift)
        hips = behind.at(-hips_s - away, -0.12, 0.16)
        grip = np.array(stick.along(t_s, _GRIP_M if not with_rest else 1.36))
        if with_rest:
            wrist = behind.at(-head_s + 0.25 - away, 0.10, 0.09 + lift)
            parts += self._rest(behind.at(-0.22 - away, 0.03, 0.004 + lift), wrist)
        parts += hand(
            frame_at(wrist, aim, self.left_handed),
            "fist" if with_rest else "bridge",
            self.wear.skin,
            self.wear.glove,
        )
        elbow_in = (left + wrist) / 2 + np.array([0.0, 0.0, -0.02]) + 0.05 * behind.left
        parts += arm(left, elbow_in, wrist, self.wear)
        back_wrist = grip - 0.02 * behind.ahead + np.array([0.0, 0.0, 0.035])
        parts += hand(frame_at(back_wrist, aim, not self.left_handed), "fist", self.wear.skin)
        elbow_out = (right + grip) / 2 - 0.10 * behind.ahead + np.array([0.0, 0.0, 0.12])
        parts += arm(right, elbow_out, back_wrist, self.wear)
        parts += torso((left, right), hips, self.wear)
        parts += head(head_at, behind.ahead, self.wear)
        return parts

    def _bed_height(self, point: Array) -> float:
        beyond = max(
            abs(point[0]) - self.table.length_m / 2, abs(point[1]) - self.table.width_m / 2
        )
        return 0.04 if beyond > 0.0 else 0.0

    def _rest(self, top: Array, grip: Array) -> list[Cone]:
        """The mechanical bridge: a thin stick with a small fan at its end."""
        across = np.array([-self._ahead()[1], self._ahead()[0], 0.0])
        wood = Skin(PLAIN, REST_COLOUR, 0.2)
        brass = Skin(PLAIN, BRASS, 0.4)
        back = grip - 0.3 * self._ahead()
        fan = [
            cone(
                top + 0.045 * s * across,
                0.007,
                top + 0.02 * s * across + np.array([0, 0, 0.045]),
                0.006,
                brass,
                "thing",
            )
            for s in (-1.0, 0.0, 1.0)
        ]
        return [cone(top, 0.008, back, 0.011, wood, "thing"), *fan]

    def _ahead(self) -> Array:
        aim = self.stick.direction_rad
        return np.array([math.cos(aim), math.sin(aim), 0.0])


REST_COLOUR: Final = (0.30, 0.17, 0.07)
BRASS: Final = (0.45, 0.33, 0.10)


@dataclass(frozen=True, eq=False)
class CarryingHand:
    """An arm that brings a ball, sets it down and goes."""

    table: TableSpec
    carry: Carry
    path: BallPath
    wear: Wardrobe

    def cones(self, t_s: float) -> Sequence[Cone]:
        """The hand is over the ball while it carries it, else out of the way."""
        carry = self.carry
        t = min(max(t_s, carry.from_s), carry.to_s)
        ball = self.path.sample([t]).r_m[0]
        gone = min(max((t_s - carry.to_s) / 0.7, 0.0), 1.0)
        coming = min(max((carry.from_s - t_s) / 0.4, 0.0), 1.0)
        part = max(gone * gone * (3 - 2 * gone), coming)
        out = np.array([math.cos(carry.reach_rad), math.sin(carry.reach_rad), 0.0])
        edge = edge_distance(self.table, (float(ball[0]), float(ball[1])), carry.reach_rad)
        away = part * (edge + 0.6)
        wrist = ball + out * (0.095 + away) + np.array([0.0, 0.0, 0.022 + 0.15 * part])
        shoulder = ball + out * (max(edge + 0.15, 0.55) + away) + np.array([0.0, 0.0, 0.42])
        shoulder[2] = 0.46
        elbow = (shoulder + wrist) / 2 + np.array([0.0, 0.0, 0.03])
        across = np.array([-out[1], out[0], 0.0])
        other = shoulder + 0.36 * across + 0.05 * out
        hips = shoulder + 0.18 * across + 0.22 * out
        hips[2] = 0.18
        frame = frame_at(wrist, carry.reach_rad + math.pi)
        parts = hand(frame, "hold", self.wear.skin)
        parts += arm(shoulder, elbow, wrist, self.wear)
        parts += torso((shoulder, other), hips, self.wear)
        parts += head(shoulder + 0.18 * across + np.array([0, 0, 0.16]), -out, self.wear)
        return parts


@dataclass(frozen=True, eq=False)
class Bystander:
    """Somebody who stands or walks beside the table."""

    start_m: tuple[float, float]
    way_mps: tuple[float, float]
    facing_rad: float
    wear: Wardrobe
    sway_m: float = 0.0

    def cones(self, t_s: float) -> Sequence[Cone]:
        """Shoulders and head from above, legs to the floor."""
        sway = self.sway_m * math.sin(math.tau * t_s / 2.7)
        x = self.start_m[0] + self.way_mps[0] * t_s + sway
        y = self.start_m[1] + self.way_mps[1] * t_s + 0.5 * sway
        frame = frame_at(np.array([x, y, 0.0]), self.facing_rad)
        left, right = frame.at(0.0, 0.19, 0.62), frame.at(0.0, -0.19, 0.62)
        parts = torso((left, right), frame.at(-0.02, 0.0, 0.12), self.wear)
        parts += arm(left, frame.at(0.05, 0.24, 0.35), frame.at(0.2, 0.16, 0.22), self.wear)
        parts += arm(right, frame.at(0.02, -0.24, 0.35), frame.at(0.16, -0.18, 0.22), self.wear)
        parts += head(frame.at(0.03, 0.0, 0.85), frame.ahead, self.wear)
        return parts


def edge_distance(table: TableSpec, point: tuple[float, float], direction_rad: float) -> float:
    """Way from a point to the table's outer edge in a direction."""
    ux, uy = math.cos(direction_rad), math.sin(direction_rad)
    a, b = table.length_m / 2 + RAIL_EDGE_M, table.width_m / 2 + RAIL_EDGE_M
    to_x = (math.copysign(a, ux) - point[0]) / ux if abs(ux) > 1e-6 else math.inf
    to_y = (math.copysign(b, uy) - point[1]) / uy if abs(uy) > 1e-6 else math.inf
    return max(min(to_x, to_y), 0.0)


def random_bystander(rng: np.random.Generator, table: TableSpec, wear: Wardrobe) -> Bystander:
    """A person at one of the sides, standing or walking slowly along it."""
    long_side = rng.random() < 0.6
    gap = float(rng.uniform(0.3, 0.9)) + RAIL_EDGE_M
    sign = float(rng.choice([-1.0, 1.0]))
    walks = rng.random() < 0.4
    speed = float(rng.uniform(-0.5, 0.5)) if walks else 0.0
    sway = float(rng.choice([0.0, 0.02]))
    if long_side:
        start = (float(rng.uniform(-1.3, 1.3)), sign * (table.width_m / 2 + gap))
        return Bystander(start, (speed, 0.0), -sign * math.pi / 2, wear, sway)
    start = (sign * (table.length_m / 2 + gap), float(rng.uniform(-0.8, 0.8)))
    return Bystander(start, (0.0, speed), 0.0 if sign < 0 else math.pi, wear, sway)
