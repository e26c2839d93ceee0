"""Shots that succeed: pots, banks, kicks, combinations, caroms, safeties, wins."""

from __future__ import annotations

import math

import numpy as np

from synthetic.physics.aim import (
    cut_angle,
    direction,
    ghost_ball,
    is_clear,
    mirrored,
    pocket_target,
    toward,
)
from synthetic.physics.play import Stroke
from synthetic.physics.pool import PoolSimulation
from synthetic.shots.draft import Draft, Layout, choose, lowest, shoot, until_found
from synthetic.shots.layouts import (
    free_point,
    is_free,
    lead_s,
    object_balls,
    open_table,
    scatter,
)
from synthetic.truth import told
from synthetic.verdicts import Intent
from table.balls import CUE, BallName
from table.geometry import Cushion, Pocket, Point, TableSpec


def stroke_at(
    rng: np.random.Generator,
    cue: Point,
    target: Point,
    speed_mps: tuple[float, float],
    t_s: float,
    spin: float = 0.4,
) -> Stroke:
    """A stroke from `cue` toward a ghost-ball place."""
    side, height = (float(rng.normal(0.0, spin / 2)) for _ in range(2))
    reach = math.hypot(side, height)
    if reach > 0.55:
        side, height = side * 0.55 / reach, height * 0.55 / reach
    return Stroke(
        float(rng.uniform(*speed_mps)), direction(cue, target), side * 0.5, height, t_s=t_s
    )


def easiest_pot(
    table: TableSpec, layout: Layout, ball: BallName, steepest_rad: float = 1.0
) -> tuple[Pocket, Point] | None:
    """Pocket and ghost-ball place of the straightest pot, None when none is open."""
    best: tuple[float, Pocket, Point] | None = None
    for pocket in table.pockets:
        target = pocket_target(table, pocket)
        cut = cut_angle(layout[CUE], layout[ball], target)
        ghost = ghost_ball(table, layout[ball], target)
        entry = entry_angle(table, layout[ball], pocket)
        if cut > steepest_rad or entry > (0.9 if pocket.is_side else 1.2):
            continue
        if not is_clear(table, layout[CUE], ghost, layout, (CUE, ball)):
            continue
        if not is_clear(table, layout[ball], target, layout, (CUE, ball)):
            continue
        if best is None or cut < best[0]:
            best = (cut, pocket, ghost)
    return None if best is None else (best[1], best[2])


def entry_angle(table: TableSpec, ball: Point, pocket: Pocket) -> float:
    """Angle between a ball's way to a pocket and the pocket's axis, radians, 0 = straight in."""
    shape = table.pockets[pocket]
    way = direction(ball, shape.mouth_center)
    axis = math.atan2(shape.outward[1], shape.outward[0])
    return abs(math.remainder(way - axis, math.tau))


def pot(rng: np.random.Generator, sim: PoolSimulation, *, called: bool = True) -> Draft:
    """The lowest ball into a pocket, directly."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 2, 9)
        ball = lowest(layout)
        plan = easiest_pot(sim.table, layout, ball)
        if plan is None:
            return None
        stroke = stroke_at(rng, layout[CUE], plan[1], (1.6, 4.5), lead_s(rng))
        play = shoot(sim, layout, stroke)
        story = told(play)
        if story.first != ball or story.pocketed != {ball: plan[0]}:
            return None
        call = (ball, plan[0]) if called else None
        return Draft("pot", play, (Intent(call, obvious=not called),))

    return until_found(attempt)


def win(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The ten, called, as the last ball."""

    def attempt() -> Draft | None:
        layout = scatter(rng, sim.table, [CUE, "10"], {})
        plan = easiest_pot(sim.table, layout, "10")
        if plan is None:
            return None
        play = shoot(sim, layout, stroke_at(rng, layout[CUE], plan[1], (1.5, 3.5), lead_s(rng)))
        if told(play).pocketed != {"10": plan[0]}:
            return None
        return Draft("win", play, (Intent(("10", plan[0])),))

    return until_found(attempt)


def bank(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The lowest ball off one cushion into a pocket."""
    table = sim.table

    def attempt() -> Draft | None:
        layout = open_table(rng, table, 2, 5)
        ball = lowest(layout)
        pocket = list(table.pockets)[int(rng.integers(6))]
        cushion = list(Cushion)[int(rng.integers(6))]
        target = mirrored(table, pocket_target(table, pocket), cushion)
        if cut_angle(layout[CUE], layout[ball], target) > 0.7:
            return None
        ghost = ghost_ball(table, layout[ball], target)
        stroke = stroke_at(rng, layout[CUE], ghost, (2.0, 4.5), lead_s(rng), 0.2)
        play = shoot(sim, layout, stroke)
        story = told(play)
        rails = story.cushions(ball, jaws=False)
        if story.first != ball or list(story.pocketed) != [ball] or len(rails) != 1:
            return None
        return Draft("bank", play, (Intent((ball, story.pocketed[ball])),))

    return until_found(attempt, 4000)


def kick(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The cue ball off one or two cushions to the lowest ball."""
    table = sim.table

    def attempt() -> Draft | None:
        layout = open_table(rng, table, 3, 8)
        ball = lowest(layout)
        cushion = list(Cushion)[int(rng.integers(6))]
        target = mirrored(table, layout[ball], cushion)
        if rng.random() < 0.35:
            target = mirrored(table, target, list(Cushion)[int(rng.integers(6))])
        stroke = stroke_at(rng, layout[CUE], target, (1.5, 3.5), lead_s(rng), 0.2)
        play = shoot(sim, layout, stroke)
        story = told(play)
        if story.first != ball or not story.before_first() or CUE in story.pocketed:
            return None
        if not story.after_first() and not story.pocketed:
            return None
        return Draft("kick", play, (Intent(None),))

    return until_found(attempt, 2000)


def combination(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The lowest ball drives another, called, into a pocket."""
    table = sim.table

    def attempt() -> Draft | None:
        names = object_balls(rng, 2, 6)
        layout = scatter(rng, table, [CUE], {})
        low, second = names[0], choose(rng, names[1:])
        pocket = list(table.pockets)[int(rng.integers(6))]
        layout[second] = free_point(rng, table, layout)
        target = pocket_target(table, pocket)
        ghost = ghost_ball(table, layout[second], target)
        away = float(rng.uniform(0.0, 0.25))
        layout[low] = toward(ghost, direction(target, ghost) + float(rng.normal(0, 0.15)), away)
        if not is_free(table, layout[low], {k: v for k, v in layout.items() if k != low}, 1e-4):
            return None
        layout = scatter(rng, table, names, layout)
        aim = ghost_ball(table, layout[low], ghost)
        if away < 0.02:
            aim = ghost_ball(table, layout[low], layout[second])
        if cut_angle(layout[CUE], layout[low], ghost if away > 0.02 else layout[second]) > 0.8:
            return None
        play = shoot(sim, layout, stroke_at(rng, layout[CUE], aim, (2.0, 4.5), lead_s(rng)))
        story = told(play)
        if story.first != low or list(story.pocketed) != [second]:
            return None
        if story.contacts(CUE, second):
            return None
        return Draft("combination", play, (Intent((second, story.pocketed[second])),))

    return until_found(attempt, 4000)


def carom(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The cue ball strikes the lowest ball and then sends another one in."""
    table = sim.table

    def attempt() -> Draft | None:
        layout = open_table(rng, table, 3, 8)
        low = lowest(layout)
        near = toward(
            layout[low], float(rng.uniform(-math.pi, math.pi)), table.ball_diameter_m * 0.98
        )
        play = shoot(sim, layout, stroke_at(rng, layout[CUE], near, (1.8, 4.5), lead_s(rng)))
        story = told(play)
        down = [ball for ball in story.pocketed if ball != low]
        if story.first != low or len(story.pocketed) != 1 or len(down) != 1 or down == [CUE]:
            return None
        if not story.contacts(CUE, down[0]):
            return None
        return Draft("carom", play, (Intent((down[0], story.pocketed[down[0]])),))

    return until_found(attempt, 6000)


def safety(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """A declared safety: legal, nothing falls."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 4, 9)
        low = lowest(layout)
        near = toward(layout[low], float(rng.uniform(-3.2, 3.2)), sim.table.ball_diameter_m)
        if not is_clear(sim.table, layout[CUE], near, layout, (CUE, low)):
            return None
        play = shoot(sim, layout, stroke_at(rng, layout[CUE], near, (0.8, 2.2), lead_s(rng)))
        story = told(play)
        if story.first != low or story.pocketed or not story.after_first():
            return None
        return Draft("safety", play, (Intent(kind="safety"),))

    return until_found(attempt, 1500)


def miss(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """A called pot that does not fall, no foul."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 2, 9)
        ball = lowest(layout)
        plan = easiest_pot(sim.table, layout, ball)
        if plan is None:
            return None
        stroke = stroke_at(rng, layout[CUE], plan[1], (1.5, 4.0), lead_s(rng))
        off_line = float(rng.choice([-1, 1])) * float(rng.uniform(0.008, 0.03))
        stroke = Stroke(
            stroke.speed_mps,
            stroke.direction_rad + off_line,
            stroke.side,
            stroke.height,
            t_s=stroke.t_s,
        )
        play = shoot(sim, layout, stroke)
        story = told(play)
        if story.first != ball or story.pocketed or not story.after_first():
            return None
        return Draft("miss", play, (Intent((ball, plan[0])),))

    return until_found(attempt, 1500)
