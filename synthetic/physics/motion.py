"""Piecewise exact motion of one ball: position, velocity and spin at any time.

Between two events a ball rests, spins, slides, rolls, flies or is carried; each piece has a
closed form (sliding and rolling: Kiefl, "Pooltool theory", 2020, section 3; Shepard,
"Amateur physics for the amateur pool player", 1997). Table frame, metres, seconds.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthetic.physics.conditions import GRAVITY_MPS2, Conditions

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
IntArray = NDArray[np.int64]


class Motion(StrEnum):
    """What a ball does during one piece of its path."""

    REST = "rest"
    SPIN = "spin"
    SLIDE = "slide"
    ROLL = "roll"
    FLY = "fly"
    """Free fall with a constant angular velocity."""
    CARRIED = "carried"
    """Moved by a hand from the start of the piece to the start of the next one."""
    DROPPED = "dropped"
    """Lies still in a pocket or on the floor."""


ON_THE_BED = frozenset((Motion.REST, Motion.SPIN, Motion.SLIDE, Motion.ROLL))


@dataclass(frozen=True, eq=False)
class Piece:
    """One piece of a path, valid from `t_s` until the next piece."""

    t_s: float
    motion: Motion
    r_m: Array
    """Ball centre (3,)."""
    v_mps: Array
    """Velocity (3,)."""
    w_radps: Array
    """Angular velocity (3,)."""

    def at(self, t_s: float) -> Piece:
        """The same piece without motion of its own, moved to another time."""
        return replace(self, t_s=t_s)


@dataclass(frozen=True, eq=False)
class Samples:
    """States at N times: arrays (N, 3), motion names (N,)."""

    r_m: Array
    v_mps: Array
    w_radps: Array
    motion: tuple[Motion, ...]


@dataclass(frozen=True, eq=False)
class BallPath:
    """All pieces of one ball, ordered by time; before the first piece the ball rests there."""

    pieces: tuple[Piece, ...]
    radius_m: float
    conditions: Conditions

    @property
    def start(self) -> Piece:
        """The first piece."""
        return self.pieces[0]

    @property
    def end(self) -> Piece:
        """The last piece."""
        return self.pieces[-1]

    def piece_index(self, t_s: float) -> int:
        """Index of the piece valid at a time."""
        times = [piece.t_s for piece in self.pieces]
        return max(0, bisect_right(times, t_s) - 1)

    def motion_at(self, t_s: float) -> Motion:
        """What the ball does at a time."""
        return self.pieces[self.piece_index(t_s)].motion

    def sample(self, times_s: ArrayLike) -> Samples:
        """States at N times (ascending or not)."""
        times = np.asarray(times_s, dtype=np.float64).reshape(-1)
        starts = np.array([piece.t_s for piece in self.pieces])
        index = np.clip(np.searchsorted(starts, times, side="right") - 1, 0, None)
        r, v, w = (np.empty((len(times), 3)) for _ in range(3))
        for i in np.unique(index):
            mask = index == i
            later = np.maximum(times[mask] - starts[i], 0.0)
            r[mask], v[mask], w[mask] = self._evolve(int(i), later)
        return Samples(r, v, w, tuple(self.pieces[i].motion for i in index))

    def speeds_mps(self, times_s: ArrayLike) -> Array:
        """Speed (N,) at N times."""
        speed: Array = np.linalg.norm(self.sample(times_s).v_mps, axis=1)
        return speed

    def shifted(self, by_s: float) -> BallPath:
        """The same path, later by `by_s`."""
        return replace(self, pieces=tuple(p.at(p.t_s + by_s) for p in self.pieces))

    def until(self, t_s: float) -> tuple[Piece, ...]:
        """The pieces that begin before `t_s`."""
        return tuple(piece for piece in self.pieces if piece.t_s < t_s)

    def state_at(self, t_s: float) -> Piece:
        """A piece that starts at `t_s` with the state the ball has then."""
        index = self.piece_index(t_s)
        samples = self.sample([t_s])
        return Piece(
            t_s, self.pieces[index].motion, samples.r_m[0], samples.v_mps[0], samples.w_radps[0]
        )

    def _evolve(self, index: int, dt: Array) -> tuple[Array, Array, Array]:
        piece = self.pieces[index]
        match piece.motion:
            case Motion.SLIDE:
                return _slide(piece, dt, self.radius_m, self.conditions)
            case Motion.ROLL:
                return _roll(piece, dt, self.radius_m, self.conditions)
            case Motion.SPIN:
                return _spin(piece, dt, self.radius_m, self.conditions)
            case Motion.FLY:
                return _fly(piece, dt)
            case Motion.CARRIED:
                after = self.pieces[index + 1] if index + 1 < len(self.pieces) else None
                return _carried(piece, after, dt)
        still = np.zeros((len(dt), 3))
        return still + piece.r_m, still, still.copy()


def sliding_velocity(v_mps: Array, w_radps: Array, radius_m: float) -> Array:
    """Velocity (3,) of the ball's lowest point against the cloth."""
    contact: Array = v_mps + np.cross(w_radps, np.array([0.0, 0.0, -radius_m]))
    contact[2] = 0.0
    return contact


def _column(values: Array) -> Array:
    return values[:, None]


def _unit(vector: Array) -> Array:
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm > 0 else np.zeros(3)


def _spin_decay(wz: float, dt: Array, radius_m: float, conditions: Conditions) -> Array:
    """Vertical spin (N,): 5 mu_sp g / (2 R) of deceleration, mu_sp = share x R."""
    loss = 5.0 * conditions.spin * radius_m * GRAVITY_MPS2 / (2.0 * radius_m)
    left: Array = np.sign(wz) * np.maximum(abs(wz) - loss * dt, 0.0)
    return left


def _slide(
    piece: Piece, dt: Array, radius_m: float, conditions: Conditions
) -> tuple[Array, Array, Array]:
    u0 = _unit(sliding_velocity(piece.v_mps, piece.w_radps, radius_m))
    decel = conditions.slide * GRAVITY_MPS2
    r = piece.r_m + _column(dt) * piece.v_mps - 0.5 * decel * _column(dt**2) * u0
    v = piece.v_mps - decel * _column(dt) * u0
    turn = 2.5 / radius_m * decel * np.cross(u0, np.array([0.0, 0.0, 1.0]))
    w = piece.w_radps - _column(dt) * turn
    w[:, 2] = _spin_decay(float(piece.w_radps[2]), dt, radius_m, conditions)
    return r, v, w


def _roll(
    piece: Piece, dt: Array, radius_m: float, conditions: Conditions
) -> tuple[Array, Array, Array]:
    ahead = _unit(piece.v_mps)
    decel = conditions.roll * GRAVITY_MPS2
    dt = np.minimum(dt, float(np.linalg.norm(piece.v_mps)) / decel)
    r = piece.r_m + _column(dt) * piece.v_mps - 0.5 * decel * _column(dt**2) * ahead
    v = piece.v_mps - decel * _column(dt) * ahead
    w = np.stack([-v[:, 1] / radius_m, v[:, 0] / radius_m, np.zeros(len(dt))], axis=1)
    w[:, 2] = _spin_decay(float(piece.w_radps[2]), dt, radius_m, conditions)
    return r, v, w


def _spin(
    piece: Piece, dt: Array, radius_m: float, conditions: Conditions
) -> tuple[Array, Array, Array]:
    still = np.zeros((len(dt), 3))
    w = still.copy()
    w[:, 2] = _spin_decay(float(piece.w_radps[2]), dt, radius_m, conditions)
    return still + piece.r_m, still, w


def _fly(piece: Piece, dt: Array) -> tuple[Array, Array, Array]:
    fall = np.array([0.0, 0.0, -GRAVITY_MPS2])
    r = piece.r_m + _column(dt) * piece.v_mps + 0.5 * _column(dt**2) * fall
    v = piece.v_mps + _column(dt) * fall
    return r, v, np.zeros((len(dt), 3)) + piece.w_radps


def _carried(piece: Piece, after: Piece | None, dt: Array) -> tuple[Array, Array, Array]:
    """Quintic ease from this piece's position to the next one's, at rest at both ends."""
    still = np.zeros((len(dt), 3))
    if after is None or after.t_s <= piece.t_s:
        return still + piece.r_m, still, still.copy()
    span = after.t_s - piece.t_s
    s = np.clip(dt / span, 0.0, 1.0)
    way = after.r_m - piece.r_m
    ease = s**3 * (10.0 - 15.0 * s + 6.0 * s**2)
    slope = 30.0 * s**2 * (1.0 - s) ** 2 / span
    r = piece.r_m + _column(ease) * way
    return r, _column(slope) * way, still + piece.w_radps
