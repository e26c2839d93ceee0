"""Shots that are hard to judge: near-ties, frozen balls, jaws, lips, long rolls."""

from __future__ import annotations

import math

import numpy as np

from synthetic.physics.aim import direction, is_clear, pocket_target, toward
from synthetic.physics.play import Stroke
from synthetic.physics.pool import PoolSimulation
from synthetic.physics.pool_models import hole
from synthetic.shots.draft import Draft, Layout, choose, lowest, shoot, until_found
from synthetic.shots.layouts import free_point, is_free, lead_s, object_balls, open_table, scatter
from synthetic.shots.ordinary import stroke_at
from synthetic.truth import told
from synthetic.verdicts import Intent
from table.balls import CUE
from table.events import BallContact
from table.geometry import Cushion, Pocket, Point

TOUCHING_M = 3e-6
"""Gap of balls that touch: just above the simulation's own smallest distance."""


def near_tie(
    rng: np.random.Generator, sim: PoolSimulation, gap_s: tuple[float, float] = (0.001, 0.020)
) -> Draft:
    """The cue ball strikes two object balls within 1-20 ms, the lowest first or second."""
    table = sim.table

    def attempt() -> Draft | None:
        names = object_balls(rng, 3, 7)
        cue = free_point(rng, table, {}, 0.1)
        angle = float(rng.uniform(-math.pi, math.pi))
        speed = float(rng.uniform(1.5, 4.0))
        reach = float(rng.uniform(0.3, 1.2))
        later_m = float(rng.uniform(*gap_s)) * speed * 0.9
        low_first = bool(rng.random() < 0.5)
        pair = (names[0], choose(rng, names[1:]))
        first, second = pair if low_first else pair[::-1]
        sides = (1.0, -1.0) if rng.random() < 0.5 else (-1.0, 1.0)
        layout: Layout = {CUE: cue}
        for name, side, along in ((first, sides[0], reach), (second, sides[1], reach + later_m)):
            off = side * float(rng.uniform(0.55, 0.97)) * table.ball_diameter_m
            ahead = along + math.sqrt(table.ball_diameter_m**2 - off**2)
            x, y = toward(cue, angle, ahead)
            point = (x - off * math.sin(angle), y + off * math.cos(angle))
            if not is_free(table, point, layout):
                return None
            layout[name] = point
        layout = scatter(rng, table, names, layout)
        play = shoot(sim, layout, Stroke(speed, angle, t_s=lead_s(rng)))
        contacts = told(play).cue_contacts
        if len(contacts) < 2 or {contacts[0].b, contacts[1].b} != set(pair):
            return None
        apart = (contacts[1].t_s or 0.0) - (contacts[0].t_s or 0.0)
        if not gap_s[0] <= apart <= gap_s[1]:
            return None
        return Draft("near_tie", play, (Intent(None),))

    return until_found(attempt, 4000)


def frozen_rail(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The lowest ball lies frozen to a cushion, declared by the referee, and is struck."""
    table = sim.table

    def attempt() -> Draft | None:
        names = object_balls(rng, 2, 5)
        cushion = list(Cushion)[int(rng.integers(6))]
        shape = table.cushions[cushion]
        along = float(rng.uniform(0.12, 0.88)) * shape.length_m
        start, end = np.array(shape.start), np.array(shape.end)
        nose = start + (end - start) * along / shape.length_m
        place = nose + np.array(shape.inward) * (table.ball_radius_m + 2e-5)
        layout: Layout = {names[0]: (float(place[0]), float(place[1]))}
        layout[CUE] = free_point(rng, table, layout, 0.05)
        layout = scatter(rng, table, names, layout)
        ball = names[0]
        if not is_clear(table, layout[CUE], layout[ball], layout, (CUE, ball)):
            return None
        gentle = rng.random() < 0.6
        speed = (0.5, 1.1) if gentle else (1.5, 3.0)
        play = shoot(
            sim, layout, stroke_at(rng, layout[CUE], layout[ball], speed, lead_s(rng), 0.2)
        )
        story = told(play)
        if story.first != ball or CUE in story.pocketed:
            return None
        if not any(e.from_rest for e in story.cushions(ball)):
            return None
        return Draft("frozen_rail", play, (Intent(kind="safety", frozen=((ball, cushion.value),)),))

    return until_found(attempt, 3000)


def frozen_cue(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The cue ball touches the lowest ball (declared); played along the common tangent side."""
    table = sim.table

    def attempt() -> Draft | None:
        names = object_balls(rng, 2, 6)
        layout: Layout = {names[0]: free_point(rng, table, {}, 0.1)}
        side = float(rng.uniform(-math.pi, math.pi))
        layout[CUE] = toward(layout[names[0]], side, table.ball_diameter_m + TOUCHING_M)
        if not is_free(table, layout[CUE], {}, 0.0):
            return None
        layout = scatter(rng, table, names, layout)
        into = direction(layout[CUE], layout[names[0]])
        turn = float(rng.choice([-1, 1])) * float(rng.uniform(0.5, 1.35))
        play = shoot(
            sim, layout, Stroke(float(rng.uniform(1.2, 2.8)), into + turn, t_s=lead_s(rng))
        )
        story = told(play)
        if story.first != names[0] or CUE in story.pocketed:
            return None
        return Draft("frozen_cue", play, (Intent(kind="safety", frozen=((CUE, names[0]),)),))

    return until_found(attempt, 2000)


def jaw_rattle(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """A ball strikes both jaws of a pocket and stays out."""
    table = sim.table

    def attempt() -> Draft | None:
        layout = open_table(rng, table, 2, 5)
        ball = lowest(layout)
        pocket = list(Pocket)[int(rng.integers(6))]
        target = pocket_target(table, pocket)
        way = direction(layout[ball], target) + float(rng.normal(0.0, 0.03))
        ghost = toward(layout[ball], way + math.pi, table.ball_diameter_m)
        if not is_clear(table, layout[CUE], ghost, layout, (CUE, ball)):
            return None
        play = shoot(sim, layout, stroke_at(rng, layout[CUE], ghost, (1.5, 4.0), lead_s(rng), 0.2))
        story = told(play)
        jaws = [e for e in story.cushions(ball) if e.jaw]
        if story.first != ball or story.pocketed or len(jaws) < 2:
            return None
        if (jaws[1].t_s or 0.0) - (jaws[0].t_s or 0.0) > 0.3:
            return None
        return Draft("jaw_rattle", play, (Intent((ball, pocket)),))

    return until_found(attempt, 6000)


def hanging(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The lowest ball hangs at a pocket's edge and is touched in."""
    table = sim.table

    def attempt() -> Draft | None:
        names = object_balls(rng, 2, 6)
        pocket = list(Pocket)[int(rng.integers(6))]
        place = lip_place(rng, sim, pocket)
        layout: Layout = {names[0]: place}
        layout[CUE] = free_point(rng, table, layout, 0.1)
        layout = scatter(rng, table, names, layout)
        aim = toward(place, float(rng.uniform(-math.pi, math.pi)), 0.6 * table.ball_diameter_m)
        if not is_clear(table, layout[CUE], aim, layout, (CUE, names[0])):
            return None
        play = shoot(sim, layout, stroke_at(rng, layout[CUE], aim, (0.9, 2.5), lead_s(rng)))
        story = told(play)
        if story.first != names[0] or story.pocketed != {names[0]: pocket}:
            return None
        return Draft("hanging", play, (Intent((names[0], pocket)),))

    return until_found(attempt, 4000)


def lip_place(rng: np.random.Generator, sim: PoolSimulation, pocket: Pocket) -> Point:
    """A place 1-8 mm before a pocket's point of no return."""
    center, radius = hole(sim.table, pocket)
    inward = -np.array(sim.table.pockets[pocket].outward)
    turn = float(rng.normal(0.0, 0.15))
    c, s = math.cos(turn), math.sin(turn)
    way = np.array([c * inward[0] - s * inward[1], s * inward[0] + c * inward[1]])
    place = center + way * (radius + float(rng.uniform(0.001, 0.008)))
    return (float(place[0]), float(place[1]))


def slow_roll(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """A soft shot after which a ball rolls on for seconds."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 2, 5)
        ball = lowest(layout)
        target = toward(
            layout[ball], float(rng.uniform(-math.pi, math.pi)), sim.table.ball_diameter_m * 0.99
        )
        play = shoot(sim, layout, stroke_at(rng, layout[CUE], target, (1.1, 1.9), lead_s(rng)))
        story = told(play)
        if story.first != ball or CUE in story.pocketed or not story.after_first():
            return None
        if not 5.0 < play.end_s - story.first_s < 9.0:
            return None
        last_hit = max(event.t_s or 0.0 for event in story.events[:-1])
        if play.end_s - last_hit < 2.5:
            return None
        call = next(iter(story.pocketed.items()), None)
        return Draft("slow_roll", play, (Intent(call),))

    return until_found(attempt, 3000)


def double_kiss(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The cue ball meets the lowest ball a second time."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 2, 6)
        ball = lowest(layout)
        play = shoot(
            sim, layout, stroke_at(rng, layout[CUE], layout[ball], (2.0, 4.5), lead_s(rng), 0.2)
        )
        contacts = [e for e in told(play).events if isinstance(e, BallContact)]
        pairs = [e for e in contacts if (e.a, e.b) == (CUE, ball)]
        if told(play).first != ball or len(pairs) < 2 or CUE in told(play).pocketed:
            return None
        return Draft("double_kiss", play, (Intent(None),))

    return until_found(attempt, 3000)
