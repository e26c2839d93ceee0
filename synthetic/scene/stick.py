"""The cue stick: warm-up strokes, the strike at the exact time, follow-through, leaving."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from synthetic.physics.motion import Array
from synthetic.physics.play import RAIL_TOP_M, Stroke
from synthetic.render.solids import STICK
from synthetic.scene.balls import linear
from synthetic.scene.solids import Cone, Place, Skin
from table.geometry import Point, TableSpec

LENGTH_M: Final = 1.47
TIP_RADIUS_M: Final = 0.0064
BUTT_RADIUS_M: Final = 0.0148


def maple_bands(rng: np.random.Generator) -> Array:
    """(B, 4) colours from the tip on: tip, ferrule, shaft, joint, forearm, wrap, butt."""
    tip = linear((30, 60, 110)) if rng.random() < 0.6 else linear((60, 45, 35))
    ferrule = linear((240, 238, 230))
    shaft = linear(np.array((225, 190, 140)) * rng.uniform(0.85, 1.08))
    joint = linear((150, 150, 150)) if rng.random() < 0.5 else linear((230, 225, 215))
    choices = ((120, 60, 30), (40, 30, 28), (170, 110, 60), (110, 20, 25), (20, 40, 90))
    fore = linear(np.array(choices[int(rng.integers(len(choices)))]))
    wrap = linear((50, 48, 46)) if rng.random() < 0.5 else linear((200, 195, 185))
    butt = fore * float(rng.uniform(0.6, 1.2))
    parts = [(0.0, tip), (0.008, ferrule), (0.032, shaft), (0.73, joint), (0.76, fore)]
    parts += [(1.02, wrap), (1.30, butt), (1.44, linear((25, 25, 25)))]
    return np.array([[at, *colour] for at, colour in parts])


def carbon_bands(rng: np.random.Generator) -> Array:
    """A carbon stick: black all over, a light tip at most."""
    tip = linear((70, 110, 150)) if rng.random() < 0.5 else linear((50, 40, 35))
    black = linear(np.array((26, 26, 28)) * rng.uniform(0.7, 1.3))
    parts = [(0.0, tip), (0.008, black * 1.5), (0.03, black), (0.73, linear((120, 120, 122)))]
    parts += [(0.745, black), (1.02, black * 0.7), (1.44, black)]
    return np.array([[at, *colour] for at, colour in parts])


@dataclass(frozen=True)
class StickScript:
    """One stroke of the stick, a function of time.

    The tip's centre lies `gap` behind the place where it touches the cue ball at the strike.
    """

    contact: Place
    """Where the front of the tip meets the ball."""
    direction_rad: float
    elevation_rad: float
    strike_s: float
    tip_speed_mps: float
    arrive_s: float
    """When the stick comes into position, aiming."""
    feather_s: float = 1.1
    """Period of the warm-up strokes."""
    reach_m: float = 0.13
    """How far back the warm-up strokes go."""
    through_m: float = 0.16
    leave_s: float = 0.7
    """How long after the strike the stick is taken away."""
    leave_way_m: float = 1.2

    def gap_m(self, t_s: float) -> float:
        """How far the tip is behind its contact place; negative in the follow-through."""
        before = self.strike_s - t_s
        back = self.reach_m * 1.15
        forward_s = 1.6 * back / self.tip_speed_mps
        pause_s, draw_s = 0.25, 0.55
        if before <= 0.0:
            return -self._through(-before)
        if before < forward_s:
            # Cubic start so that the tip arrives with its full speed.
            s = 1.0 - before / forward_s
            return float(back * (1.0 - s**1.6))
        if before < forward_s + pause_s:
            return back
        if before < forward_s + pause_s + draw_s:
            s = (before - forward_s - pause_s) / draw_s
            return back + (0.018 - back) * _ease(s)
        phase = (before - forward_s - pause_s - draw_s) / self.feather_s
        return 0.018 + self.reach_m * (0.5 - 0.5 * math.cos(math.tau * phase))

    def _through(self, after_s: float) -> float:
        way = self.through_m * min(1.0, 0.35 + 0.12 * self.tip_speed_mps)
        return way * (1.0 - math.exp(-after_s * self.tip_speed_mps / way))

    def tip_m(self, t_s: float) -> Place:
        """Front of the tip."""
        ux, uy, uz = self._axis()
        gap = self.gap_m(t_s)
        lift, away = self._absence(t_s)
        gap += away
        x, y, z = self.contact
        return (x - gap * ux, y - gap * uy, z - gap * uz + lift)

    def butt_m(self, t_s: float) -> Place:
        """The other end."""
        ux, uy, uz = self._axis()
        lift, _ = self._absence(t_s)
        x, y, z = self.tip_m(t_s)
        return (x - LENGTH_M * ux, y - LENGTH_M * uy, z - LENGTH_M * uz + 0.4 * lift)

    def along(self, t_s: float, way_m: float) -> Place:
        """A place on the stick, `way_m` behind the tip."""
        ux, uy, uz = self._axis()
        x, y, z = self.tip_m(t_s)
        return (x - way_m * ux, y - way_m * uy, z - way_m * uz)

    def away_m(self, t_s: float) -> float:
        """How far the player has stepped back, before arriving and after leaving."""
        return self._absence(t_s)[1]

    def cones(self, t_s: float) -> Sequence[Cone]:
        """The stick as one cone from tip to butt."""
        ux, uy, uz = self._axis()
        (tx, ty, tz), butt = self.tip_m(t_s), self.butt_m(t_s)
        r = TIP_RADIUS_M
        tip = (tx - r * ux, ty - r * uy, tz - r * uz)
        return [Cone(tip, r, butt, BUTT_RADIUS_M, STICK_SKIN, "stick")]

    def direction_deg(self) -> float:
        """Direction of aim in degrees from +x."""
        return math.degrees(self.direction_rad)

    def _axis(self) -> Place:
        flat = math.cos(self.elevation_rad)
        return (
            flat * math.cos(self.direction_rad),
            flat * math.sin(self.direction_rad),
            -math.sin(self.elevation_rad),
        )

    def _absence(self, t_s: float) -> tuple[float, float]:
        """Lift and way back (metres) before arriving and after leaving."""
        coming = _ease(min(max((self.arrive_s - t_s) / 1.1, 0.0), 1.0))
        going = _ease(min(max((t_s - self.strike_s - self.leave_s) / 1.1, 0.0), 1.0))
        part = max(coming, going)
        return 0.12 * part, self.leave_way_m * part


STICK_SKIN: Final = Skin(STICK, (0.5, 0.4, 0.3), gloss=0.35)


def stick_for(
    table: TableSpec,
    cue_ball: Point,
    stroke: Stroke,
    arrive_s: float,
    *,
    extra_elevation_rad: float = 0.0,
    leave_s: float = 0.7,
) -> StickScript:
    """A stick that plays a stroke: it meets the ball where the tip offset says."""
    radius = table.ball_radius_m
    ux, uy = math.cos(stroke.direction_rad), math.sin(stroke.direction_rad)
    side, height = stroke.side * radius, stroke.height * radius
    ahead = math.sqrt(max(radius**2 - side**2 - height**2, 0.0))
    contact = (
        cue_ball[0] - ahead * ux - side * uy,
        cue_ball[1] - ahead * uy + side * ux,
        radius + height,
    )
    elevation = _clearance(table, cue_ball, (ux, uy), contact[2]) + extra_elevation_rad
    if stroke.jump_mps > 0:
        elevation = max(elevation, math.atan2(1.4 * stroke.jump_mps, stroke.speed_mps))
    return StickScript(
        contact,
        stroke.direction_rad,
        elevation,
        stroke.t_s,
        max(0.75 * stroke.speed_mps, 0.25),
        arrive_s,
        leave_s=leave_s,
    )


def _clearance(table: TableSpec, cue_ball: Point, ahead: Point, tip_z: float) -> float:
    """The least elevation at which the stick clears the rail behind the ball."""
    to_rail = LENGTH_M
    for axis, half in ((0, table.length_m / 2), (1, table.width_m / 2)):
        if abs(ahead[axis]) > 1e-6:
            wall = -math.copysign(half, ahead[axis])
            to_rail = min(to_rail, max((cue_ball[axis] - wall) / ahead[axis], 0.03))
    return max(math.atan2(RAIL_TOP_M + 0.022 - tip_z, to_rail), math.radians(2.0))


def _ease(s: float) -> float:
    s = min(max(s, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)
