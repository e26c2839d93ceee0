"""A ball that is no longer seen: pocketed (where), off the table, or only hidden.

Hidden is not gone. A departure needs evidence: the last motion led into a pocket's mouth or
over a rail, and the ball is not seen again on the bed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from table.balls import BallName
from table.geometry import Pocket, PocketShape, TableSpec
from vision.contacts import Motion
from vision.falls import last_on_bed, rolled_into_mouth, seen_in_pocket
from vision.legs import Leg

_GONE_S: Final = 0.25
"""A ball unseen for less than this at the end of the clip may still be there."""
_OVER_RAIL_M: Final = 0.03
"""A ball centre farther than this beyond the noses is not lying against one."""
_CORNER_BACK_M: Final = 0.13
_SIDE_BACK_M: Final = 0.085
"""How far behind the mouth line the back of a pocket's throat is."""
_FELL_SIGHTINGS: Final = 3
"""Sightings in a pocket after which a ball has fallen, whatever is seen elsewhere later."""
_ROLLS_ABOUT_FRAMES: Final = 12
_FLIGHT_GAP: Final = 2
_NET_M: Final = 0.06
_FLYING_MPS: Final = 0.5
_KEPT: Final = 0.8
_UNSEEN_FOR_S: Final = 2.0
_FAST_MPS: Final = 1.5
_ON_ITS_WAY_S: Final = 0.4
_PERHAPS: Final = 0.5
_LOST_STEPS: Final = 3.5
"""Frames over which a last motion is trusted."""

Kind = Literal["pocketed", "off_table", "hidden"]


@dataclass(frozen=True, slots=True)
class Departure:
    """How a ball left the camera's sight, when, and how surely."""

    ball: BallName
    kind: Kind
    pocket: Pocket | None
    t_s: float
    dt_s: float
    probability: float

    @property
    def is_gone(self) -> bool:
        """True when it left the table: hidden is not gone."""
        return self.kind != "hidden"


def departure_of(
    motion: Motion, table: TableSpec, frame_s: float, until_s: float
) -> Departure | None:
    """How the ball of `motion` left, None when it is still on the bed at `until_s`.

    `frame_s` is the time between two frames.
    """
    beyond = _seen_beyond(motion, table, frame_s)
    if beyond is not None:
        return beyond
    fall = seen_in_pocket(motion, table)
    if fall is not None:
        probability = 0.995 if fall.lasting else 0.9
        return Departure(motion.name, "pocketed", fall.pocket, fall.t_s, frame_s, probability)
    last_s = motion.end_of(motion.legs[-1])
    if until_s - last_s < _GONE_S:
        return None
    leg = _last_moving_leg(motion, frame_s)
    if leg is None:
        return Departure(motion.name, "hidden", None, last_s, frame_s, 0.9)
    return (
        _into_pocket(motion, leg, table, frame_s)
        or _over_rail(motion, leg, table, frame_s)
        or _perhaps_gone(motion, leg, table, until_s)
        or Departure(motion.name, "hidden", None, last_s, frame_s, 0.9)
    )


def _last_moving_leg(motion: Motion, frame_s: float) -> Leg | None:
    """The last leg of a ball that was moving when it was last seen."""
    leg = motion.legs[-1]
    if not leg.at_rest:
        return leg
    # A ball that fell is sometimes seen for a moment in the pocket, or a glint of it.
    if leg.last - leg.first < 0.4 / frame_s and len(motion.legs) > 1:
        return motion.legs[-2]
    return None


def _seen_beyond(motion: Motion, table: TableSpec, frame_s: float) -> Departure | None:
    """A ball that was seen over a rail, outside every pocket, and never again on the bed."""
    path = motion.path
    points = [(float(x), float(y)) for x, y in path.xy_m]
    inside = np.array([table.contains(point, -0.3 * table.ball_radius_m) for point in points])
    after = last_on_bed(inside) + 1
    outside: list[int] = []
    in_pocket = 0
    for index in range(after, len(path)):
        if table.contains(points[index], _OVER_RAIL_M):
            continue
        if any(_may_be_in_pocket(shape, motion, index) for shape in table.pockets.values()):
            in_pocket += 1
            if in_pocket >= _FELL_SIGHTINGS and not outside:
                return None
        else:
            outside.append(index)
    if not outside or after == 0:
        return None
    fell = rolled_into_mouth(motion, after, table, points[outside[-1]])
    if fell and not _keeps_its_speed(motion, after, outside):
        return None
    # The last sighting of the flight; what is seen there later is not the ball.
    flight = [outside[0]]
    for index in outside[1:]:
        if path.frame[index] - path.frame[flight[-1]] <= _FLIGHT_GAP:
            flight.append(index)
    # It is off the surface once it has passed the nose, and off the table behind the rail.
    t_s = 0.5 * float(path.t_s[max(after - 1, 0)] + path.t_s[flight[-1]])
    probability = 0.985 if len(flight) > 1 else 0.85
    return Departure(motion.name, "off_table", None, t_s, frame_s, probability)


def _keeps_its_speed(motion: Motion, after: int, outside: list[int]) -> bool:
    """True when a ball went on behind a pocket as fast as it came: the throat's back stops one
    that falls."""
    path = motion.path
    if len(outside) < 2 or outside[-1] - outside[-2] != 1 or after < 3:
        return False

    def speed_mps(first: int, last: int) -> float:
        way = float(np.hypot(*(path.xy_m[last] - path.xy_m[first])))
        return way / float(path.t_s[last] - path.t_s[first])

    together = path.frame[outside[-1]] - path.frame[outside[-2]] == 1
    on_bed, behind = speed_mps(after - 3, after - 1), speed_mps(outside[-2], outside[-1])
    return bool(together) and on_bed > _FLYING_MPS and behind > _KEPT * on_bed


def _flies_over(shape: PocketShape, motion: Motion, index: int) -> bool:
    """True when a sighting behind a pocket's back was reached fast and straight outward.

    A ball that fell into the throat stops at its back and is seen here and there in it.
    """
    path = motion.path
    point = (float(path.xy_m[index][0]), float(path.xy_m[index][1]))
    back = _SIDE_BACK_M if shape.pocket.is_side else _CORNER_BACK_M
    if shape.depth_m(point) < back or index < 2:
        return False
    steps = np.diff(path.xy_m[index - 2 : index + 1], axis=0) @ np.array(shape.outward)
    speeds = steps / np.diff(path.t_s[index - 2 : index + 1])
    together = path.frame[index] - path.frame[index - 2] == 2
    # What flies over does not come back; what fell rolls about in the throat.
    later = path.xy_m[index + 1 : index + 1 + _ROLLS_ABOUT_FRAMES]
    back_again = sum(shape.depth_m((float(x), float(y))) < back for x, y in later)
    return bool(together and (speeds > _FLYING_MPS).all() and back_again < 2)


def _may_be_in_pocket(shape: PocketShape, motion: Motion, index: int) -> bool:
    """True where a ball that fell may be seen: in the throat, or in the net behind it."""
    x_m, y_m = motion.path.xy_m[index]
    point = (float(x_m), float(y_m))
    near = abs(shape.offset_m(point)) < 0.8 * shape.mouth_m
    deep = _SIDE_BACK_M if shape.pocket.is_side else _CORNER_BACK_M
    within = -0.03 < shape.depth_m(point) < deep + _NET_M
    return near and within and not _flies_over(shape, motion, index)


def _into_pocket(motion: Motion, leg: Leg, table: TableSpec, frame_s: float) -> Departure | None:
    """The last motion leads into a pocket's mouth."""
    last_s = motion.end_of(motion.legs[-1])
    here = leg.position(last_s)
    velocity = leg.velocity(last_s)
    speed = float(np.hypot(*velocity))
    best: Departure | None = None
    for shape in table.pockets.values():
        depth = shape.depth_m((float(here[0]), float(here[1])))
        offset = shape.offset_m((float(here[0]), float(here[1])))
        inward = float(velocity @ np.array(shape.outward))
        reach = speed * frame_s * _LOST_STEPS + 0.05
        if -depth > reach:
            continue
        if depth < 0 and inward < 0.3 * speed:
            continue
        wait_s = max(0.0, shape.shelf_m - depth) / max(inward, 0.15)
        at_mouth = last_s + max(0.0, -depth) / max(inward, 0.15)
        there = leg.position(at_mouth)
        offset = shape.offset_m((float(there[0]), float(there[1])))
        spread = float(np.hypot(leg.sigma_m(at_mouth), 0.012))
        # A ball that meets a jaw may still fall: the mouth is judged generously.
        miss = max(0.0, abs(offset) - 0.55 * shape.mouth_m) / spread
        probability = 0.99 * float(np.exp(-0.5 * miss * miss))
        t_s = last_s + min(wait_s, _LOST_STEPS * frame_s)
        if best is None or probability > best.probability:
            dt_s = frame_s + 0.5 * wait_s
            best = Departure(motion.name, "pocketed", shape.pocket, t_s, dt_s, probability)
    return best if best is not None and best.probability > 0.3 else None


def _over_rail(motion: Motion, leg: Leg, table: TableSpec, frame_s: float) -> Departure | None:
    """Over a rail when the last motion led outward fast enough to leave."""
    last_s = motion.end_of(motion.legs[-1])
    ahead = leg.position(last_s + frame_s)
    speed = float(np.hypot(*leg.velocity(last_s)))
    x_m, y_m = float(ahead[0]), float(ahead[1])
    beyond = max(abs(x_m) - table.length_m / 2, abs(y_m) - table.width_m / 2)
    if speed > 0.5 and beyond > -table.ball_radius_m:
        far = 0.9 if beyond > 0 else 0.75
        return Departure(motion.name, "off_table", None, last_s + frame_s, frame_s, far)
    return None


def _perhaps_gone(motion: Motion, leg: Leg, table: TableSpec, until_s: float) -> Departure | None:
    """A fast ball that went out of sight on its way to a rail and was not seen for seconds.

    Somebody hid it: it may have left the table, or lie behind him. That is for a person to say.
    """
    last_s = motion.end_of(motion.legs[-1])
    if until_s - last_s < _UNSEEN_FOR_S or float(np.hypot(*leg.velocity(last_s))) < _FAST_MPS:
        return None
    for later_s in np.arange(0.0, _ON_ITS_WAY_S, 0.02):
        place = leg.position(last_s) + leg.velocity(last_s) * later_s
        if not table.contains((float(place[0]), float(place[1])), -table.ball_radius_m):
            t_s = last_s + float(later_s)
            return Departure(motion.name, "off_table", None, t_s, 0.1, _PERHAPS)
    return None
