"""How a ball falls into a pocket: free fall, bounces off the liner, rest on the pile.

pooltool takes a pocketed ball out of play at the hole's edge; what a camera sees after that
is made here. The ball is a point inside the hole's cylinder, shrunk by the ball radius.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from synthetic.physics.conditions import GRAVITY_MPS2
from synthetic.physics.motion import Array, Motion, Piece

LINER_RESTITUTION: Final = 0.25
FLOOR_RESTITUTION: Final = 0.2
FLOOR_Z_M: Final = -0.115
"""Height of the pocket's bottom; a ball lies one radius above it."""
_MOST_BOUNCES: Final = 9
_LEAST_INWARD_MPS: Final = 0.22
"""A slow ball tips over the edge and is pulled in by its own weight."""


def fall(piece: Piece, center_m: Array, hole_m: float, radius_m: float, lying: int) -> list[Piece]:
    """Pieces of a ball that falls into a pocket.

    Args:
        piece: state at the hole's edge.
        center_m: (2,) the hole's axis.
        hole_m: radius of the hole.
        radius_m: ball radius.
        lying: balls that already lie in this pocket.

    Returns:
        Pieces in order, the last one DROPPED at the ball's place in the pile.
    """
    room = hole_m - radius_m
    velocity = piece.v_mps.copy()
    inward = center_m - piece.r_m[:2]
    inward /= max(float(np.linalg.norm(inward)), 1e-9)
    missing = _LEAST_INWARD_MPS - float(velocity[:2] @ inward)
    if missing > 0:
        velocity[:2] += missing * inward
    pieces = [Piece(piece.t_s, Motion.FLY, piece.r_m.copy(), velocity, piece.w_radps.copy())]
    rest = _rest_place(center_m, room, radius_m, lying)
    for _ in range(_MOST_BOUNCES):
        bounced = _next_bounce(pieces[-1], center_m, room, float(rest[2]))
        pieces.append(bounced)
        if bounced.r_m[2] <= rest[2] + 1e-6 and np.linalg.norm(bounced.v_mps) < 0.4:
            break
    last = pieces[-1]
    way_s = 0.05 + float(np.linalg.norm(last.r_m - rest)) / 0.5
    still = np.zeros(3)
    pieces[-1] = Piece(last.t_s, Motion.CARRIED, last.r_m, still, last.w_radps * 0.1)
    pieces.append(Piece(last.t_s + way_s, Motion.DROPPED, rest, still, still))
    return pieces


def _rest_place(center_m: Array, room: float, radius_m: float, lying: int) -> Array:
    angle = math.radians(80.0 + 120.0 * lying)
    layer = lying // 3
    offset = min(room, 1.1 * radius_m) * np.array([math.cos(angle), math.sin(angle)])
    z = min(FLOOR_Z_M + radius_m * (1.0 + 1.5 * layer), -2.0 * radius_m)
    return np.array([center_m[0] + offset[0], center_m[1] + offset[1], z])


def _next_bounce(piece: Piece, center_m: Array, room: float, floor_z: float) -> Piece:
    """The state after the ball next meets the liner or the bottom."""
    to_floor = _time_to_height(piece, floor_z)
    to_liner = _time_to_liner(piece, center_m, room)
    dt = min(to_floor, to_liner)
    r = piece.r_m + piece.v_mps * dt + np.array([0, 0, -0.5 * GRAVITY_MPS2 * dt * dt])
    v = piece.v_mps + np.array([0, 0, -GRAVITY_MPS2 * dt])
    if to_liner < to_floor:
        normal = np.append((r[:2] - center_m) / max(np.linalg.norm(r[:2] - center_m), 1e-9), 0.0)
        v = v - (1.0 + LINER_RESTITUTION) * float(v @ normal) * normal
        v[:2] *= 0.8
    else:
        r[2] = floor_z
        v = np.array([0.5 * v[0], 0.5 * v[1], -FLOOR_RESTITUTION * v[2]])
    return Piece(piece.t_s + dt, Motion.FLY, r, v, 0.6 * piece.w_radps)


def _time_to_height(piece: Piece, z: float) -> float:
    vz, dz = float(piece.v_mps[2]), float(piece.r_m[2]) - z
    return max((vz + math.sqrt(max(vz * vz + 2 * GRAVITY_MPS2 * dz, 0.0))) / GRAVITY_MPS2, 1e-4)


def _time_to_liner(piece: Piece, center_m: Array, room: float) -> float:
    """When the centre next reaches the shrunk cylinder from inside, moving outward."""
    p, v = piece.r_m[:2] - center_m, piece.v_mps[:2]
    a, b, c = float(v @ v), float(p @ v), float(p @ p) - room * room
    disc = b * b - a * c
    if a < 1e-9 or disc <= 0.0:
        # From the edge inward along a chord: meet the far side at the closest approach.
        return math.inf if b >= 0.0 or a < 1e-9 else max(-b / a, 1e-4)
    return max((-b + math.sqrt(disc)) / a, 1e-4)
