"""Break shots: full ones, weak ones, and those that go wrong."""

from __future__ import annotations

import numpy as np

from synthetic.physics.aim import direction
from synthetic.physics.flight import NotPlayableError
from synthetic.physics.play import Course, Play, Stroke, resting
from synthetic.physics.pool import CushionHit, PoolSimulation
from synthetic.physics.racks import ten_ball_rack
from synthetic.shots.draft import Draft, until_found
from synthetic.shots.layouts import lead_s
from synthetic.truth import told
from synthetic.verdicts import Intent
from table.balls import CUE
from table.geometry import Point, TableSpec

BREAK = Intent(phase="break", in_hand="behind_head_string")


def cue_place(rng: np.random.Generator, table: TableSpec) -> Point:
    """A cue ball in hand behind the head string."""
    x = table.head_string_x_m - float(rng.uniform(0.02, 0.25))
    y = float(rng.uniform(-0.75, 0.75)) * (table.width_m / 2 - 0.06)
    return (x, y)


def played_break(
    rng: np.random.Generator,
    sim: PoolSimulation,
    speed_mps: tuple[float, float],
    off_center_m: float = 0.004,
) -> Play:
    """A break at the apex ball with a small error of aim."""
    table = sim.table
    layout = ten_ball_rack(table, rng)
    layout[CUE] = cue_place(rng, table)
    aim = (layout["1"][0], layout["1"][1] + float(rng.normal(0.0, off_center_m)))
    speed = float(rng.uniform(*speed_mps))
    height = float(rng.uniform(-0.1, 0.2))
    stroke = Stroke(speed, direction(layout[CUE], aim), 0.0, height, t_s=lead_s(rng))
    course = Course(sim)
    course.place(resting(table, layout))
    course.strike(stroke)
    return course.finish()


def break_shot(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """A break of 8-12 m/s, whatever comes of it."""
    play = played_break(rng, sim, (8.0, 12.0))
    return Draft("break", play, (BREAK,), racked=True)


def dry_break(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """A legal break without a ball down."""

    def attempt() -> Draft | None:
        play = played_break(rng, sim, (7.0, 10.0))
        story = told(play)
        driven = {e.ball for e in story.cushions()} - {CUE}
        if story.pocketed or len(driven) < 4 or story.first != "1":
            return None
        return Draft("dry_break", play, (BREAK,), racked=True)

    return until_found(attempt)


def weak_break(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """Fewer than four balls reach a rail and none falls: 9.3b."""

    def attempt() -> Draft | None:
        play = played_break(rng, sim, (1.2, 2.6), 0.02)
        story = told(play)
        driven = {e.ball for e in story.cushions()} - {CUE}
        if story.pocketed or len(driven) >= 4 or story.first != "1":
            return None
        return Draft("weak_break", play, (BREAK,), racked=True)

    return until_found(attempt)


def scratch_break(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The cue ball falls on the break."""

    def attempt() -> Draft | None:
        play = played_break(rng, sim, (7.0, 12.0), 0.015)
        return (
            Draft("scratch_break", play, (BREAK,), racked=True)
            if CUE in told(play).pocketed
            else None
        )

    return until_found(attempt)


def break_off(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """A ball leaves the table on the break."""

    def attempt() -> Draft | None:
        table = sim.table
        layout = ten_ball_rack(table, rng)
        layout[CUE] = cue_place(rng, table)
        stroke = Stroke(
            float(rng.uniform(8.0, 11.0)), direction(layout[CUE], layout["1"]), t_s=lead_s(rng)
        )
        course = Course(sim)
        course.place(resting(table, layout))
        course.strike(stroke)
        first_rails = [hit for hit in course.hits if isinstance(hit, CushionHit) and not hit.jaw]
        if not first_rails:
            raise NotPlayableError("no ball reached a rail")
        hit = first_rails[int(rng.integers(min(4, len(first_rails))))]
        ball = hit.ball
        inward = table.cushions[hit.cushion].inward
        state = course.path(ball).state_at(hit.t_s)
        along = state.v_mps - float(state.v_mps[:2] @ np.array(inward)) * np.array([*inward, 0.0])
        out = -np.array([*inward, 0.0]) * float(rng.uniform(1.0, 2.2))
        course.leap(ball, hit.t_s, 0.7 * along + out + np.array([0, 0, rng.uniform(1.5, 2.4)]))
        play = course.finish()
        return Draft("break_off", play, (BREAK,), racked=True)

    return until_found(attempt)
