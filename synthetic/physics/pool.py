"""pooltool behind one door: table and ball states in our frame, events and paths out.

With `pool_models` the only module that imports pooltool. Its frame has the origin at the
corner HL with x along the head cushion and y along the long string; ours is turned by -90
degrees about z and centred: x = y_pt - L/2, y = W/2 - x_pt. Its cushions are called
"1".."18", so balls get ids of their own ("ball 9").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pooltool as pt
from pooltool.events import EventType
from pooltool.objects import Ball as PtBall
from pooltool.objects import BallState
from pooltool.physics.engine import PhysicsEngine

from synthetic.physics.conditions import Conditions
from synthetic.physics.motion import Array, Motion, Piece
from synthetic.physics.pool_models import ball_params, pt_specs, resolver
from table.balls import BallName
from table.geometry import Cushion, Pocket, TableSpec

_MOTIONS: Final = {
    0: Motion.REST,
    1: Motion.SPIN,
    2: Motion.SLIDE,
    3: Motion.ROLL,
    4: Motion.DROPPED,
}
_STATES: Final = {motion: number for number, motion in _MOTIONS.items()}

_POCKETS: Final = {
    "lb": Pocket.HL,
    "lc": Pocket.SL,
    "lt": Pocket.FL,
    "rb": Pocket.HR,
    "rc": Pocket.SR,
    "rt": Pocket.FR,
}
_NOSES: Final = {
    "18": Cushion.HEAD,
    "9": Cushion.FOOT,
    "3": Cushion.LEFT_HEAD,
    "6": Cushion.LEFT_FOOT,
    "15": Cushion.RIGHT_HEAD,
    "12": Cushion.RIGHT_FOOT,
}
_JAWS: Final = {
    "1": Cushion.HEAD,
    "2": Cushion.LEFT_HEAD,
    "4": Cushion.LEFT_HEAD,
    "5": Cushion.LEFT_FOOT,
    "7": Cushion.LEFT_FOOT,
    "8": Cushion.FOOT,
    "10": Cushion.FOOT,
    "11": Cushion.RIGHT_FOOT,
    "13": Cushion.RIGHT_FOOT,
    "14": Cushion.RIGHT_HEAD,
    "16": Cushion.RIGHT_HEAD,
    "17": Cushion.HEAD,
}


@dataclass(frozen=True)
class BallHit:
    """Two balls touch at `t_s`."""

    t_s: float
    a: BallName
    b: BallName


@dataclass(frozen=True)
class CushionHit:
    """A ball touches a cushion, or the jaw that ends it, at `t_s`."""

    t_s: float
    ball: BallName
    cushion: Cushion
    jaw: bool


@dataclass(frozen=True)
class Drop:
    """A ball's centre passes the edge of a pocket's hole at `t_s`."""

    t_s: float
    ball: BallName
    pocket: Pocket


Hit = BallHit | CushionHit | Drop


@dataclass(frozen=True, eq=False)
class Phase:
    """What one run of the simulation gave: pieces of each ball and all hits, by time."""

    pieces: Mapping[BallName, tuple[Piece, ...]]
    hits: tuple[Hit, ...]


def cue_speeds(
    conditions: Conditions, speed_mps: float, direction_rad: float, side: float, height: float
) -> tuple[Array, Array]:
    """Velocity and angular velocity (3,), (3,) of the cue ball after a stroke.

    Args:
        conditions: only carried for symmetry; the tip contact has constants of its own.
        speed_mps: wanted speed of the cue ball's centre.
        direction_rad: direction of aim in the table frame.
        side: tip offset to the left of the centre, in ball radii (right is negative).
        height: tip offset above the centre, in ball radii (draw is negative).
    """
    del conditions
    radius = 0.028575
    ahead = np.array([np.cos(direction_rad), np.sin(direction_rad), 0.0])
    left = np.array([-ahead[1], ahead[0], 0.0])
    # An impulse J = m v ahead at r = radius*(side left + height z) gives w = r x J / I.
    arm = radius * (side * left + np.array([0.0, 0.0, height]))
    w = np.cross(arm, speed_mps * ahead) / (0.4 * radius**2)
    return speed_mps * ahead, w


class PoolSimulation:
    """Event-based simulation of one table under given conditions."""

    def __init__(self, table: TableSpec, conditions: Conditions) -> None:
        self.table = table
        self.conditions = conditions
        self._pt_table = pt.Table.from_table_specs(pt_specs(table))
        self._engine = PhysicsEngine(resolver=resolver(conditions))
        self._params = ball_params(table, conditions)

    def run(self, start: Mapping[BallName, Piece], until_s: float | None = None) -> Phase:
        """Let the balls of `start` move from their states until all rest.

        Args:
            start: states at one common time; balls in REST lie still.
            until_s: stop at the first event at or after this time.
        """
        t0 = next(iter(start.values())).t_s
        balls = {_id(name): self._pt_ball(name, piece) for name, piece in start.items()}
        system = pt.System(
            cue=pt.Cue(cue_ball_id=next(iter(balls))), table=self._pt_table.copy(), balls=balls
        )
        t_final = None if until_s is None else until_s - t0
        pt.simulate(system, engine=self._engine, inplace=True, t_final=t_final)
        return Phase(
            {name: self._pieces(system, _id(name), t0) for name in start},
            tuple(_hits(system, t0)),
        )

    def _pt_ball(self, name: BallName, piece: Piece) -> PtBall:
        rvw = np.stack([self._to_pt(piece.r_m), _turned(piece.v_mps), _turned(piece.w_radps)])
        rvw[0, 2] = self._params.R
        state = BallState(rvw, _STATES[piece.motion], 0.0)
        return PtBall(id=_id(name), state=state, params=self._params)

    def _pieces(self, system: pt.System, ball_id: str, t0: float) -> tuple[Piece, ...]:
        first = system.balls[ball_id].history[0]
        pieces = [self._piece(first.rvw, first.s, t0)]
        for event in system.events:
            if ball_id not in event.ids or event.event_type == EventType.NONE:
                continue
            state: Any = event.get_ball(ball_id, initial=False).state
            piece = self._piece(state.rvw, state.s, t0 + float(event.time))
            if piece.motion is Motion.DROPPED:
                before: Any = event.get_ball(ball_id, initial=True).state
                piece = self._piece(before.rvw, 4, piece.t_s)
            pieces.append(piece)
        return tuple(pieces)

    def _piece(self, rvw: Array, state: int, t_s: float) -> Piece:
        return Piece(t_s, _MOTIONS[state], self._from_pt(rvw[0]), _back(rvw[1]), _back(rvw[2]))

    def _to_pt(self, r_m: Array) -> Array:
        return np.array([self.table.width_m / 2 - r_m[1], r_m[0] + self.table.length_m / 2, r_m[2]])

    def _from_pt(self, r_m: Array) -> Array:
        return np.array([r_m[1] - self.table.length_m / 2, self.table.width_m / 2 - r_m[0], r_m[2]])


def _id(name: BallName) -> str:
    return f"ball {name}"


def _name(ball_id: str) -> BallName:
    return ball_id.removeprefix("ball ")


def _turned(vector: Array) -> Array:
    return np.array([-vector[1], vector[0], vector[2]])


def _back(vector: Array) -> Array:
    return np.array([vector[1], -vector[0], vector[2]])


def _hits(system: pt.System, t0: float) -> list[Hit]:
    hits: list[Hit] = []
    for event in system.events:
        time, ids = t0 + float(event.time), event.ids
        match event.event_type:
            case EventType.BALL_BALL:
                hits.append(BallHit(time, _name(ids[0]), _name(ids[1])))
            case EventType.BALL_LINEAR_CUSHION | EventType.BALL_CIRCULAR_CUSHION:
                place = ids[1].removesuffix("t")
                jaw = place not in _NOSES
                cushion = _JAWS[place] if jaw else _NOSES[place]
                hits.append(CushionHit(time, _name(ids[0]), cushion, jaw))
            case EventType.BALL_POCKET:
                hits.append(Drop(time, _name(ids[0]), _POCKETS[ids[1]]))
    return hits
