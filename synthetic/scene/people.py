"""People over the table: the player at a stroke, hands that carry balls, bystanders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from synthetic.physics.motion import Array, BallPath
from synthetic.physics.play import RAIL_TOP_M
from synthetic.render.solids import PLAIN
from synthetic.scene.body import arm, head, torso
from synthetic.scene.frames import Frame3, cone, frame_at
from synthetic.scene.hands import BRIDGE_WRIST, bridge_hand, hand
from synthetic.scene.solids import Cone, Skin
from synthetic.scene.stick import StickScript
from synthetic.scene.wardrobe import Wardrobe
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
        head_s = max(0.78, edge - 0.42)
        hips_s = max(head_s + 0.45, edge + 0.16)
        lean = min(1.0, (head_s - 0.6) / 0.8)
        head_at = behind.at(-head_s - away, 0.02, 0.50 - 0.10 * lean + lift)
        left = behind.at(-head_s - 0.02 - away, 0.20, 0.36 - 0.06 * lean + lift)
        right = behind.at(-head_s - 0.22 - away, -0.17, 0.40 - 0.06 * lean + lift)
        hips = behind.at(-hips_s - away, -0.10, 0.16)
        grip = np.array(stick.along(t_s, _GRIP_M if not with_rest else 1.36))
        if with_rest:
            wrist = behind.at(-head_s + 0.25 - away, 0.10, 0.09 + lift)
            parts += self._rest(behind.at(-0.22 - away, 0.03, 0.004 + lift), wrist)
            parts += hand(frame_at(wrist, aim, self.left_handed), "fist", self.wear.skin)
        else:
            frame, rise = self._bridge(behind, edge, away, lift)
            parts += bridge_hand(
                frame, rise, self.wear.skin, self.wear.glove, closed=self.wear.closed_bridge
            )
            wrist = frame.at(*BRIDGE_WRIST)
        elbow_in = (left + wrist) / 2 + np.array([0.0, 0.0, -0.02]) + 0.05 * behind.left
        parts += arm(left, elbow_in, wrist, self.wear)
        back_wrist = grip - 0.02 * behind.ahead + np.array([0.0, 0.0, 0.035])
        parts += hand(frame_at(back_wrist, aim, not self.left_handed), "fist", self.wear.skin)
        elbow_out = (right + grip) / 2 - 0.10 * behind.ahead + np.array([0.0, 0.0, 0.12])
        parts += arm(right, elbow_out, back_wrist, self.wear)
        parts += torso((left, right), hips, self.wear)
        parts += head(head_at, behind.ahead, self.wear)
        return parts

    def _bridge(
        self, behind: Frame3, edge: float, away: float, lift: float
    ) -> tuple[Frame3, float]:
        """The bridge's frame, on the bed or a rail below the stick, and the stick's height."""
        stick = self.stick
        back = min(self.bridge_m, max(edge - 0.05, 0.08), 1.0)
        under = behind.at(-back, 0.0, 0.0)
        base = self._bed_height(under)
        rise = stick.contact[2] + back * math.tan(stick.elevation_rad) - base
        at = behind.at(-back - away, 0.0, base + lift)
        # The forearm comes from the side: the hand is turned inward about the stick.
        turn = -BRIDGE_TURN_RAD if not self.left_handed else BRIDGE_TURN_RAD
        frame = frame_at(at, stick.direction_rad + turn, self.left_handed)
        return frame, min(max(rise, 0.024), 0.10)

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


BRIDGE_TURN_RAD: Final = math.radians(16)
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
    gap_m: float = 0.5
    """From the person's middle to the middle of the rail's top."""
    leans: bool = False
    """One hand lies on the rail."""

    def cones(self, t_s: float) -> Sequence[Cone]:
        """Shoulders and head from above, legs to the floor."""
        sway = self.sway_m * math.sin(math.tau * t_s / 2.7)
        x = self.start_m[0] + self.way_mps[0] * t_s + sway
        y = self.start_m[1] + self.way_mps[1] * t_s + 0.5 * sway
        frame = frame_at(np.array([x, y, 0.0]), self.facing_rad)
        left, right = frame.at(0.0, 0.19, 0.60), frame.at(0.0, -0.19, 0.60)
        parts = torso((left, right), frame.at(-0.04, 0.0, 0.14), self.wear)
        parts += arm(left, frame.at(0.05, 0.25, 0.35), frame.at(0.2, 0.16, 0.22), self.wear)
        hanging = frame_at(frame.at(0.2, 0.16, 0.22), self.facing_rad - 0.5)
        parts += hand(hanging, "fist", self.wear.skin)
        if self.leans:
            on_rail = frame.at(self.gap_m, -0.16, RAIL_TOP_M + 0.012)
            parts += hand(frame_at(on_rail, self.facing_rad, True), "flat", self.wear.skin)
            parts += arm(right, frame.at(0.12, -0.25, 0.28), on_rail, self.wear)
        else:
            wrist = frame.at(0.16, -0.18, 0.22)
            parts += hand(frame_at(wrist, self.facing_rad + 0.5), "fist", self.wear.skin)
            parts += arm(right, frame.at(0.02, -0.25, 0.35), wrist, self.wear)
        parts += head(frame.at(0.05, 0.0, 0.82), frame.ahead, self.wear)
        return parts


def edge_distance(table: TableSpec, point: tuple[float, float], direction_rad: float) -> float:
    """Way from a point to the table's outer edge in a direction."""
    ux, uy = math.cos(direction_rad), math.sin(direction_rad)
    a, b = table.length_m / 2 + RAIL_EDGE_M, table.width_m / 2 + RAIL_EDGE_M
    to_x = (math.copysign(a, ux) - point[0]) / ux if abs(ux) > 1e-6 else math.inf
    to_y = (math.copysign(b, uy) - point[1]) / uy if abs(uy) > 1e-6 else math.inf
    return max(min(to_x, to_y), 0.0)


def random_bystander(
    rng: np.random.Generator, side: np.random.Generator, table: TableSpec, wear: Wardrobe
) -> Bystander:
    """A person at one of the sides, standing or walking slowly along it, or leaning on it."""
    long_side = rng.random() < 0.6
    gap = float(rng.uniform(0.3, 0.9)) + RAIL_EDGE_M
    sign = float(rng.choice([-1.0, 1.0]))
    walks = rng.random() < 0.4
    speed = float(rng.uniform(-0.5, 0.5)) if walks else 0.0
    sway = float(rng.choice([0.0, 0.02]))
    leans = not walks and bool(side.random() < 0.4)
    if leans:
        gap, sway = RAIL_EDGE_M + float(side.uniform(0.16, 0.3)), 0.0
    elif side.random() < 0.6:
        gap += float(side.uniform(0.1, 0.6))
    reach = gap - 0.085
    if long_side:
        start = (float(rng.uniform(-1.3, 1.3)), sign * (table.width_m / 2 + gap))
        return Bystander(start, (speed, 0.0), -sign * math.pi / 2, wear, sway, reach, leans)
    start = (sign * (table.length_m / 2 + gap), float(rng.uniform(-0.8, 0.8)))
    return Bystander(start, (0.0, speed), 0.0 if sign < 0 else math.pi, wear, sway, reach, leans)
