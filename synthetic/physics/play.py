"""One shot from the resting table to rest again, put together from phases.

A phase is one run of the simulation. Between phases we add what the simulation lacks: a ball
that leaves the bed and flies (jump, driven off), a ball that still moves when the next
stroke begins, hands that place balls, and the fall into a pocket.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from synthetic.physics.conditions import GRAVITY_MPS2, Conditions
from synthetic.physics.drops import fall
from synthetic.physics.flight import (
    NotPlayableError,
    flight_to_floor,
    hop_pieces,
    nose_crossing_s,
)
from synthetic.physics.motion import ON_THE_BED, Array, BallPath, Motion, Piece
from synthetic.physics.pool import BallHit, CushionHit, Drop, Hit, PoolSimulation, cue_speeds
from synthetic.physics.pool_models import hole
from table.balls import CUE, BallName
from table.geometry import Pocket, Point, TableSpec

REST_SPEED_MPS = 0.005
RAIL_TOP_M = 0.040
"""Height of the rail's top above the cloth: WPA specification 6, 1.6 inches."""


@dataclass(frozen=True)
class Stroke:
    """What the player does to the cue ball."""

    speed_mps: float
    direction_rad: float
    side: float = 0.0
    """Tip offset to the left of the centre, in ball radii."""
    height: float = 0.0
    """Tip offset above the centre, in ball radii."""
    jump_mps: float = 0.0
    """Upward speed after the tip contact (a jump shot), 0 for an ordinary stroke."""
    t_s: float = 0.0


@dataclass(frozen=True)
class Leave:
    """A ball leaves the playing surface over a rail at `t_s` and does not come back."""

    t_s: float
    ball: BallName


PlayHit = Hit | Leave


@dataclass(frozen=True, eq=False)
class Play:
    """Everything that happened to the balls: exact paths and hits, one clock."""

    table: TableSpec
    conditions: Conditions
    paths: Mapping[BallName, BallPath]
    hits: tuple[PlayHit, ...]
    strokes: tuple[Stroke, ...]
    end_s: float
    """When the last ball comes to rest (falls into pockets excluded)."""

    def shifted(self, by_s: float) -> Play:
        """The same play, later by `by_s`."""
        from dataclasses import replace  # noqa: PLC0415

        return replace(
            self,
            paths={name: path.shifted(by_s) for name, path in self.paths.items()},
            hits=tuple(replace(hit, t_s=hit.t_s + by_s) for hit in self.hits),
            strokes=tuple(replace(s, t_s=s.t_s + by_s) for s in self.strokes),
            end_s=self.end_s + by_s,
        )


def resting(
    table: TableSpec, layout: Mapping[BallName, Point], t_s: float = 0.0
) -> dict[BallName, Piece]:
    """Balls at rest on the bed.

    Raises:
        NotPlayableError: when two balls overlap or a ball lies beyond the playing surface.
    """
    names = list(layout)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            if math.dist(layout[a], layout[b]) < table.ball_diameter_m - 1e-9:
                raise NotPlayableError(f"balls {a} and {b} overlap")
    still = np.zeros(3)
    z = table.ball_radius_m
    return {
        name: Piece(t_s, Motion.REST, np.array([x, y, z]), still, still)
        for name, (x, y) in layout.items()
    }


@dataclass(eq=False)
class Course:
    """Builds a play phase by phase."""

    simulation: PoolSimulation
    pieces: dict[BallName, list[Piece]] = field(default_factory=dict)
    hits: list[PlayHit] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)

    def place(self, start: Mapping[BallName, Piece]) -> None:
        """Set the balls on the table."""
        for name, piece in start.items():
            self.pieces[name] = [piece]

    def on_bed(self, t_s: float) -> dict[BallName, Piece]:
        """The states at `t_s` of all balls that are on the bed then."""
        states = {}
        for name in self.pieces:
            state = self.path(name).state_at(t_s)
            if state.motion in ON_THE_BED:
                states[name] = state
        return states

    def path(self, name: BallName) -> BallPath:
        """The path of a ball so far."""
        table = self.simulation.table
        return BallPath(tuple(self.pieces[name]), table.ball_radius_m, self.simulation.conditions)

    def run(self, start: Mapping[BallName, Piece], *, keep_first: bool = False) -> None:
        """Simulate from these states on; replaces whatever came later for these balls.

        `keep_first` keeps the hit at the very start (it caused the states).
        """
        t0 = next(iter(start.values())).t_s
        phase = self.simulation.run(start)
        for name, pieces in phase.pieces.items():
            before = [piece for piece in self.pieces.get(name, []) if piece.t_s < t0]
            self.pieces[name] = before + list(pieces)
        kept = [hit for hit in self.hits if hit.t_s < t0 or (keep_first and hit.t_s == t0)]
        self.hits = kept + list(phase.hits)

    def cut_after(self, t_s: float) -> dict[BallName, Piece]:
        """Forget all that comes after `t_s`; the states then, just after hits at `t_s`."""
        states = self.on_bed(t_s)
        for name in self.pieces:
            self.pieces[name] = [piece for piece in self.pieces[name] if piece.t_s <= t_s]
        self.hits = [hit for hit in self.hits if hit.t_s <= t_s]
        return states

    def strike(self, stroke: Stroke) -> None:
        """The tip meets the cue ball at `stroke.t_s`; simulate to rest."""
        states = self.cut_after(stroke.t_s - 1e-9) if stroke.t_s > 0 else self.on_bed(stroke.t_s)
        states = {name: piece.at(stroke.t_s) for name, piece in states.items()}
        if CUE not in states:
            raise NotPlayableError("the cue ball is not on the bed")
        v, w = cue_speeds(
            self.simulation.conditions,
            stroke.speed_mps,
            stroke.direction_rad,
            stroke.side,
            stroke.height,
        )
        self.strokes.append(stroke)
        cue = Piece(stroke.t_s, Motion.SLIDE, states[CUE].r_m, v, w)
        if stroke.jump_mps > 0:
            self._jump(states, cue, stroke.jump_mps)
        else:
            self.run(states | {CUE: cue})

    def _jump(self, states: dict[BallName, Piece], cue: Piece, up_mps: float) -> None:
        hops = hop_pieces(self.simulation.table, self.simulation.conditions, cue, up_mps)
        others = {name: piece for name, piece in states.items() if name != CUE}
        if any(piece.motion is not Motion.REST for piece in others.values()):
            raise NotPlayableError("balls move while the cue ball jumps")
        before = self.pieces[CUE]
        self.pieces[CUE] = before + hops
        self._must_not_touch(CUE, hops[0].t_s, hops[-1].t_s)
        landed = hops[-1]
        if not self.simulation.table.contains((landed.r_m[0], landed.r_m[1]), -0.03):
            raise NotPlayableError("the jump ends off the bed")
        self.run({n: p.at(landed.t_s) for n, p in others.items()} | {CUE: landed})
        for name, piece in others.items():
            if name != CUE:
                self.pieces[name] = [piece, *[p for p in self.pieces[name] if p.t_s > piece.t_s]]

    def leap(self, name: BallName, t_s: float, v_mps: Array) -> None:
        """At `t_s` (just after a hit) a ball takes off with velocity `v_mps` and leaves.

        Raises:
            NotPlayableError: when it would not clear the rail, or meets a ball in flight.
        """
        states = self.cut_after(t_s)
        flying = states.pop(name)
        table = self.simulation.table
        take_off = Piece(t_s, Motion.FLY, flying.r_m, v_mps, flying.w_radps)
        crossing_s = nose_crossing_s(take_off, table)
        floor = flight_to_floor(take_off, table)
        self.pieces[name] = [*[p for p in self.pieces[name] if p.t_s < t_s], *floor]
        height = float(self.path(name).sample([crossing_s + 0.015]).r_m[0, 2])
        if height < RAIL_TOP_M + 0.7 * table.ball_radius_m:
            raise NotPlayableError("the ball does not clear the rail")
        self.run(states, keep_first=True)
        self._must_not_touch(name, t_s, crossing_s)
        self.hits.append(Leave(crossing_s, name))

    def _must_not_touch(self, name: BallName, from_s: float, to_s: float) -> None:
        times = np.arange(from_s + 0.004, to_s, 0.0005)
        if not len(times):
            return
        own = self.path(name).sample(times).r_m
        least = self.simulation.table.ball_diameter_m
        for other in self.pieces:
            if other == name:
                continue
            away = np.linalg.norm(own - self.path(other).sample(times).r_m, axis=1)
            if float(away.min()) < least:
                raise NotPlayableError(f"balls {name} and {other} meet in flight")

    def finish(self) -> Play:
        """Add the falls into pockets and close the play."""
        hits = sorted(merged(self.hits), key=lambda hit: hit.t_s)
        self._add_falls([hit for hit in hits if isinstance(hit, Drop)])
        paths = {name: self.path(name) for name in self.pieces}
        end = max((_rest_s(path) for path in paths.values()), default=0.0)
        table, conditions = self.simulation.table, self.simulation.conditions
        return Play(table, conditions, paths, tuple(hits), tuple(self.strokes), end)

    def _add_falls(self, drops: list[Drop]) -> None:
        lying: dict[Pocket, int] = {}
        for drop in drops:
            table = self.simulation.table
            center, hole_m = hole(table, drop.pocket)
            own = [piece for piece in self.pieces[drop.ball] if piece.t_s < drop.t_s]
            edge = next(p for p in self.pieces[drop.ball] if p.t_s >= drop.t_s)
            lies = lying.get(drop.pocket, 0)
            lying[drop.pocket] = lies + 1
            own += fall(edge, center, hole_m, table.ball_radius_m, lies)
            self.pieces[drop.ball] = own


def merged(hits: list[PlayHit], within_s: float = 0.002) -> list[PlayHit]:
    """Hits without the echoes of one contact: the same pair again within 2 ms."""
    last: dict[tuple[str, ...], float] = {}
    kept: list[PlayHit] = []
    for hit in sorted(hits, key=lambda h: h.t_s):
        key = _pair(hit)
        if hit.t_s - last.get(key, -math.inf) > within_s:
            kept.append(hit)
        last[key] = hit.t_s
    return kept


def _pair(hit: PlayHit) -> tuple[str, ...]:
    match hit:
        case BallHit():
            return ("ball", *sorted((hit.a, hit.b)))
        case CushionHit():
            return ("cushion", hit.ball, hit.cushion.value)
        case Drop():
            return ("drop", hit.ball)
    return ("leave", hit.ball)


def _rest_s(path: BallPath) -> float:
    """When a ball is slower than the speed of rest for good; its fall does not count."""
    end = 0.0
    for index, piece in enumerate(path.pieces):
        if piece.motion in (Motion.ROLL, Motion.SLIDE, Motion.FLY) and piece.r_m[2] >= 0.0:
            end = max(end, slow_from(path, index))
    return end


def slow_from(path: BallPath, index: int) -> float:
    """When the ball is at rest speed at the latest within one travelling piece."""
    piece = path.pieces[index]
    after = path.pieces[index + 1].t_s if index + 1 < len(path.pieces) else math.inf
    if piece.motion is Motion.ROLL:
        speed = float(np.linalg.norm(piece.v_mps))
        slow = (speed - REST_SPEED_MPS) / (path.conditions.roll * GRAVITY_MPS2)
        return min(after, piece.t_s + max(slow, 0.0))
    return after if math.isfinite(after) else piece.t_s
