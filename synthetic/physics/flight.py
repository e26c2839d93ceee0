"""Balls in the air: jump shots with their hops, balls that leave the table.

The simulation knows no airborne state; between take-off and landing a ball falls freely.
"""

from __future__ import annotations

import math

import numpy as np

from synthetic.physics.conditions import GRAVITY_MPS2, Conditions
from synthetic.physics.motion import Motion, Piece
from table.geometry import TableSpec

FLOOR_UNDER_BED_M = -0.76
"""Height of the room's floor below the cloth."""


class NotPlayableError(ValueError):
    """A planned shot that physics does not allow (balls overlap, collision in flight)."""


def hop_pieces(table: TableSpec, conditions: Conditions, cue: Piece, up_mps: float) -> list[Piece]:
    """Flights of a ball that leaves the bed, ending with a SLIDE piece where it stays down."""
    radius = table.ball_radius_m
    pieces: list[Piece] = []
    state, up = cue, up_mps
    while up > 0.12:
        v = np.array([state.v_mps[0], state.v_mps[1], up])
        pieces.append(Piece(state.t_s, Motion.FLY, state.r_m, v, state.w_radps))
        dt = 2.0 * up / GRAVITY_MPS2
        r = state.r_m + np.array([v[0] * dt, v[1] * dt, 0.0])
        r[2] = radius
        # Friction of the landing slows the ball and gives it some forward roll.
        flat = np.array([v[0], v[1], 0.0])
        slip = flat + np.cross(state.w_radps, np.array([0.0, 0.0, -radius]))
        slip[2] = 0.0
        impulse = min(conditions.slide * up * 1.5, 2.0 / 7.0 * float(np.linalg.norm(slip)))
        push = -impulse * slip / max(float(np.linalg.norm(slip)), 1e-9)
        w = state.w_radps + np.cross(np.array([0.0, 0.0, -radius]), push) / (0.4 * radius**2)
        state = Piece(state.t_s + dt, Motion.SLIDE, r, flat + push, w)
        up *= conditions.cloth_restitution
    return [*pieces, state]


def flight_to_floor(take_off: Piece, table: TableSpec) -> list[Piece]:
    """A ball flying off the table: falls to the floor, bounces twice, lies there."""
    floor_z = FLOOR_UNDER_BED_M + table.ball_radius_m
    pieces = [take_off]
    for _ in range(3):
        piece = pieces[-1]
        vz, height = float(piece.v_mps[2]), float(piece.r_m[2]) - floor_z
        dt = (vz + math.sqrt(vz * vz + 2.0 * GRAVITY_MPS2 * height)) / GRAVITY_MPS2
        r = piece.r_m + piece.v_mps * dt
        r[2] = floor_z
        v = piece.v_mps.copy()
        v[:2] *= 0.8
        v[2] = -0.45 * (vz - GRAVITY_MPS2 * dt)
        pieces.append(Piece(piece.t_s + dt, Motion.FLY, r, v, piece.w_radps))
    last, still = pieces[-1], np.zeros(3)
    pieces[-1] = Piece(last.t_s, Motion.CARRIED, last.r_m, still, last.w_radps)
    stop = last.r_m + 0.3 * last.v_mps * np.array([1.0, 1.0, 0.0])
    pieces.append(Piece(last.t_s + 1.2, Motion.DROPPED, stop, still, still))
    return pieces


def nose_crossing_s(take_off: Piece, table: TableSpec) -> float:
    """When the flying centre passes a nose line outward."""
    times = []
    for axis, half in ((0, table.length_m / 2), (1, table.width_m / 2)):
        speed = float(take_off.v_mps[axis])
        if abs(speed) > 1e-6:
            times.append((math.copysign(half, speed) - float(take_off.r_m[axis])) / speed)
    ahead = [t for t in times if t >= 0.0]
    if not ahead:
        raise NotPlayableError("the ball does not fly toward a rail")
    return take_off.t_s + min(ahead)
