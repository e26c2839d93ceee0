"""Shots that go wrong: scratches, wrong ball, no rail, nothing struck, balls off the table."""

from __future__ import annotations

import math

import numpy as np

from synthetic.physics.aim import direction, is_clear, toward
from synthetic.physics.flight import NotPlayableError
from synthetic.physics.play import Course, Play, Stroke, resting
from synthetic.physics.pool import CushionHit, PoolSimulation
from synthetic.shots.draft import Draft, Layout, choose, lowest, shoot, until_found
from synthetic.shots.layouts import lead_s, open_table, scatter
from synthetic.shots.ordinary import easiest_pot, stroke_at
from synthetic.truth import told
from synthetic.verdicts import Intent
from table.balls import CUE, BallName


def _near(rng: np.random.Generator, sim: PoolSimulation, layout: Layout, ball: BallName) -> Stroke:
    """A stroke that meets `ball` somewhere."""
    target = toward(
        layout[ball], float(rng.uniform(-math.pi, math.pi)), sim.table.ball_diameter_m * 0.95
    )
    return stroke_at(rng, layout[CUE], target, (1.2, 4.5), lead_s(rng))


def scratch(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The lowest ball is struck, the cue ball falls."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 2, 8)
        ball = lowest(layout)
        plan = easiest_pot(sim.table, layout, ball)
        target = plan[1] if plan else layout[ball]
        play = shoot(sim, layout, stroke_at(rng, layout[CUE], target, (1.5, 4.5), lead_s(rng)))
        story = told(play)
        if story.first != ball or CUE not in story.pocketed:
            return None
        call = (ball, plan[0]) if plan else None
        return Draft("scratch", play, (Intent(call),))

    return until_found(attempt, 2500)


def wrong_ball(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """Another ball than the lowest is struck first: 6.2."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 3, 9)
        other = choose(rng, [name for name in layout if name not in (CUE, lowest(layout))])
        play = shoot(sim, layout, _near(rng, sim, layout, other))
        story = told(play)
        if story.first in (None, lowest(layout)) or CUE in story.pocketed:
            return None
        return Draft("wrong_ball", play, (Intent(None),))

    return until_found(attempt)


def no_rail(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The lowest ball is struck, and no ball reaches a rail: 6.3."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 2, 7)
        ball = lowest(layout)
        if not is_clear(sim.table, layout[CUE], layout[ball], layout, (CUE, ball)):
            return None
        stroke = stroke_at(rng, layout[CUE], layout[ball], (0.5, 1.3), lead_s(rng))
        play = shoot(sim, layout, stroke)
        story = told(play)
        if story.first != ball or story.after_first() or story.pocketed:
            return None
        return Draft("no_rail", play, (Intent(kind="safety"),))

    return until_found(attempt, 2500)


def no_contact(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The cue ball touches no other ball: 6.3."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 2, 6)
        stroke = Stroke(
            float(rng.uniform(1.0, 3.0)), float(rng.uniform(-3.14, 3.14)), t_s=lead_s(rng)
        )
        play = shoot(sim, layout, stroke)
        story = told(play)
        if story.first is not None or story.pocketed or not story.cushions(CUE):
            return None
        return Draft("no_contact", play, (Intent(None),))

    return until_found(attempt)


def wrong_pocket(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The called ball, or another one, falls where it was not called: 9.7."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 3, 8)
        ball = lowest(layout)
        play = shoot(sim, layout, _near(rng, sim, layout, ball))
        story = told(play)
        if story.first != ball or not story.pocketed or CUE in story.pocketed:
            return None
        if "10" in story.pocketed and rng.random() < 0.5:
            return None
        others = [p for p in sim.table.pockets if p not in story.pocketed.values()]
        call = (ball, others[int(rng.integers(len(others)))])
        return Draft("wrong_pocket", play, (Intent(call),))

    return until_found(attempt, 2500)


def off_table(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """An object ball climbs over a rail: 6.5."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 2, 6)
        ball = lowest(layout)
        stroke = stroke_at(rng, layout[CUE], layout[ball], (4.5, 7.0), lead_s(rng), 0.2)
        play = _leaping(rng, sim, layout, stroke, ball)
        if play is None or told(play).first != ball:
            return None
        return Draft("off_table", play, (Intent(None),))

    return until_found(attempt, 2500)


def cue_off_table(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The cue ball leaves the table after it struck the lowest ball: 6.1."""

    def attempt() -> Draft | None:
        layout = open_table(rng, sim.table, 2, 6)
        ball = lowest(layout)
        stroke = stroke_at(rng, layout[CUE], layout[ball], (5.0, 7.5), lead_s(rng), 0.2)
        play = _leaping(rng, sim, layout, stroke, CUE)
        if play is None or told(play).first != ball:
            return None
        return Draft("cue_off_table", play, (Intent(None),))

    return until_found(attempt, 4000)


def _leaping(
    rng: np.random.Generator, sim: PoolSimulation, layout: Layout, stroke: Stroke, ball: BallName
) -> Play | None:
    """A play in which `ball` leaves the bed at its first cushion after a ball was struck."""
    course = Course(sim)
    course.place(resting(sim.table, layout))
    course.strike(stroke)
    struck_s = next((hit.t_s for hit in course.hits if not isinstance(hit, CushionHit)), None)
    if struck_s is None:
        return None
    for hit in course.hits:
        if not isinstance(hit, CushionHit) or hit.ball != ball or hit.t_s < struck_s or hit.jaw:
            continue
        # Not at once: a ball needs some way to climb, and longer than this it is too slow.
        if hit.t_s - struck_s < 0.04 or hit.t_s - stroke.t_s > 1.2:
            return None
        try:
            leap_over(rng, course, hit)
        except NotPlayableError:
            return None
        return course.finish()
    return None


def leap_over(rng: np.random.Generator, course: Course, hit: CushionHit) -> None:
    """The ball climbs the cushion that it just hit and leaves the table.

    Raises:
        NotPlayableError: when the ball was too slow, or would not clear the rail.
    """
    table = course.simulation.table
    inward = np.array([*table.cushions[hit.cushion].inward, 0.0])
    state = course.path(hit.ball).state_at(hit.t_s)
    back = float(state.v_mps @ inward)
    if back < 1.0:
        raise NotPlayableError("too slow to climb the rail")
    along = state.v_mps - back * inward
    out = float(rng.uniform(0.4, 0.9)) * min(back, 2.5)
    up = float(rng.uniform(1.3, 2.2))
    course.leap(hit.ball, hit.t_s, 0.7 * along - out * inward + np.array([0.0, 0.0, up]))


def ten_early(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The ten falls, called or not, while other balls are on the table: it is spotted."""

    def attempt() -> Draft | None:
        names = [str(n) for n in rng.permutation(np.arange(1, 10))[: int(rng.integers(1, 4))]]
        layout = scatter(rng, sim.table, [CUE, "10", *names], {})
        ball = lowest(layout)
        aim = _near(rng, sim, layout, ball)
        play = shoot(sim, layout, aim)
        story = told(play)
        if story.first != ball or "10" not in story.pocketed or CUE in story.pocketed:
            return None
        call = ("10", story.pocketed["10"]) if rng.random() < 0.5 else None
        return Draft("ten_early", play, (Intent(call),))

    return until_found(attempt, 6000)


def wild(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """Any stroke at a crowded table, whatever comes of it."""
    layout = open_table(rng, sim.table, 3, 10)
    ball = lowest(layout)
    aim = direction(layout[CUE], layout[ball]) + float(rng.normal(0.0, 0.02))
    stroke = Stroke(
        float(rng.uniform(1.0, 6.0)),
        aim,
        float(rng.uniform(-0.3, 0.3)),
        float(rng.uniform(-0.4, 0.4)),
        t_s=lead_s(rng),
    )
    return Draft("wild", shoot(sim, layout, stroke), (Intent(None),))
