"""Shots with a story around them: moving balls, hands that place balls, jumps, push outs."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from synthetic.physics.aim import direction, is_clear, toward
from synthetic.physics.conditions import GRAVITY_MPS2
from synthetic.physics.flight import NotPlayableError
from synthetic.physics.motion import BallPath, Motion, Piece
from synthetic.physics.play import Course, Play, Stroke, resting
from synthetic.physics.pool import PoolSimulation
from synthetic.shots.breaks import BREAK, played_break
from synthetic.shots.draft import Carry, Draft, Layout, choose, lowest, shoot, until_found
from synthetic.shots.failures import ten_early
from synthetic.shots.layouts import free_point, is_free, lead_s, object_balls, open_table, scatter
from synthetic.shots.ordinary import easiest_pot, stroke_at
from synthetic.truth import told
from synthetic.verdicts import Intent
from table.balls import CUE, BallName
from table.geometry import Point, TableSpec

_HAND_REACH_M = 0.55


def moving_start(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The stroke is played while an object ball still rolls: 6.9."""
    table = sim.table

    def attempt() -> Draft | None:
        layout = open_table(rng, table, 3, 7)
        roller = choose(rng, [name for name in layout if name not in (CUE, lowest(layout))])
        start = resting(table, layout)
        speed, angle = float(rng.uniform(0.2, 0.6)), float(rng.uniform(-math.pi, math.pi))
        v = speed * np.array([math.cos(angle), math.sin(angle), 0.0])
        w = np.array([-v[1], v[0], 0.0]) / table.ball_radius_m
        start[roller] = Piece(0.0, Motion.ROLL, start[roller].r_m, v, w)
        course = Course(sim)
        course.place(start)
        course.run(start)
        ball = lowest(layout)
        course.strike(stroke_at(rng, layout[CUE], layout[ball], (1.2, 3.0), lead_s(rng)))
        play = course.finish()
        story = told(play)
        begin = story.events[0]
        speeds = getattr(begin, "moving_speeds_mps", {})
        if set(speeds) != {roller} or speeds[roller] < 0.03 or story.first != ball:
            return None
        if CUE in story.pocketed:
            return None
        return Draft("moving_start", play, (Intent(None),), starts_within=True)

    return until_found(attempt, 2000)


def in_hand(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """A hand brings the cue ball, sets it down, and the shot is played."""
    table = sim.table

    def attempt() -> Draft | None:
        names = object_balls(rng, 2, 7)
        layout = scatter(rng, table, names, {})
        layout[CUE] = free_point(rng, table, layout, 0.12)
        plan = easiest_pot(table, layout, names[0], 0.7)
        if plan is None:
            return None
        placed_s = float(rng.uniform(1.4, 2.4))
        strike_s = placed_s + float(rng.uniform(1.8, 2.8))
        stroke = stroke_at(rng, layout[CUE], plan[1], (1.5, 3.5), strike_s)
        course = Course(sim)
        course.place(resting(table, layout))
        reach = reach_direction(table, layout[CUE])
        course.pieces[CUE] = carried_in(table, layout[CUE], reach, 0.3, placed_s)
        course.strike(stroke)
        play = course.finish()
        if told(play).pocketed != {names[0]: plan[0]}:
            return None
        intent = Intent((names[0], plan[0]), in_hand="anywhere")
        return Draft("in_hand", play, (intent,), carries=(Carry(CUE, 0.3, placed_s, reach),))

    return until_found(attempt, 3000)


def carried_in(
    table: TableSpec, point: Point, reach_rad: float, from_s: float, to_s: float
) -> list[Piece]:
    """A ball comes from beyond the rail in a hand, is set down, nudged, and let go."""
    radius = table.ball_radius_m
    still = np.zeros(3)
    outside = np.array([*toward(point, reach_rad, _beyond(table, point, reach_rad)), 0.30])
    near = np.array([*toward(point, reach_rad, 0.06), radius + 0.004])
    down = np.array([*point, radius])
    span = to_s - from_s
    return [
        Piece(0.0, Motion.CARRIED, outside, still, still),
        Piece(from_s, Motion.CARRIED, outside, still, np.array([0.0, 0.0, 2.0])),
        Piece(from_s + 0.7 * span, Motion.CARRIED, near, still, np.array([0.0, 0.0, 1.0])),
        Piece(to_s, Motion.REST, down, still, still),
    ]


def reach_direction(table: TableSpec, point: Point) -> float:
    """Direction from a place on the bed to the nearest rail, where a person can stand."""
    gaps = {
        0.0: table.length_m / 2 - point[0],
        math.pi: table.length_m / 2 + point[0],
        math.pi / 2: table.width_m / 2 - point[1],
        -math.pi / 2: table.width_m / 2 + point[1],
    }
    return min(gaps, key=lambda angle: gaps[angle])


def _beyond(table: TableSpec, point: Point, reach_rad: float) -> float:
    ux, uy = math.cos(reach_rad), math.sin(reach_rad)
    to_x = (math.copysign(table.length_m / 2, ux) - point[0]) / ux if abs(ux) > 0.1 else math.inf
    to_y = (math.copysign(table.width_m / 2, uy) - point[1]) / uy if abs(uy) > 0.1 else math.inf
    return min(to_x, to_y) + _HAND_REACH_M


def jump(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The cue ball jumps over a ball that is in the way and strikes the lowest one."""
    table = sim.table

    def attempt() -> Draft | None:
        names = object_balls(rng, 3, 6)
        layout: Layout = {CUE: free_point(rng, table, {}, 0.15)}
        angle = float(rng.uniform(-math.pi, math.pi))
        speed, up = float(rng.uniform(2.0, 3.2)), float(rng.uniform(1.25, 1.8))
        flight_m = speed * 2.0 * up / GRAVITY_MPS2
        blocker = choose(rng, names[1:])
        layout[blocker] = toward(layout[CUE], angle, flight_m * float(rng.uniform(0.4, 0.6)))
        layout[names[0]] = toward(layout[CUE], angle, flight_m + float(rng.uniform(0.25, 0.8)))
        for name in (blocker, names[0]):
            if not is_free(table, layout[name], {k: v for k, v in layout.items() if k != name}):
                return None
        layout = scatter(rng, table, names, layout)
        aim = direction(layout[CUE], layout[names[0]]) + float(rng.normal(0.0, 0.01))
        play = shoot(sim, layout, Stroke(speed, aim, jump_mps=up, t_s=lead_s(rng)))
        story = told(play)
        if story.first != names[0] or CUE in story.pocketed:
            return None
        return Draft("jump", play, (Intent(None),))

    return until_found(attempt, 3000)


def push_out(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """A break without a foul, then a push out that touches no ball or the wrong one."""

    def attempt() -> Draft | None:
        play = played_break(rng, sim, (5.5, 8.5))
        story = told(play)
        driven = {e.ball for e in story.cushions()} - {CUE}
        down = set(story.pocketed)
        if CUE in down or story.first != "1" or (not down and len(driven) < 4):
            return None
        if play.end_s - play.strokes[0].t_s > 8.0:
            return None
        second_s = play.end_s + float(rng.uniform(1.6, 2.2))
        course = Course(sim)
        course.place({name: path.start for name, path in play.paths.items()})
        course.strike(replace(play.strokes[0], t_s=1.2))
        second_s += 1.2 - play.strokes[0].t_s
        angle = float(rng.uniform(-math.pi, math.pi))
        course.strike(Stroke(float(rng.uniform(0.8, 1.5)), angle, t_s=second_s))
        both = course.finish()
        after = told(both)
        if CUE in after.pocketed or "10" in after.pocketed or both.end_s > second_s + 4.5:
            return None
        push = Intent(kind="push_out", phase="second_shot")
        return Draft("push_out", both, (BREAK, push), racked=True)

    return until_found(attempt, 800)


def spotted(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The ten fell; when all rest, a hand puts it on its spot."""
    draft = ten_early(rng, sim)
    play, table = draft.play, draft.table
    place = spot_for_ten(table, {n: _end_point(p) for n, p in play.paths.items() if _lies(p)})
    from_s = play.end_s + 0.9
    to_s = from_s + 1.3
    reach = reach_direction(table, place)
    ten = play.paths["10"]
    brought = [p for p in carried_in(table, place, reach, from_s, to_s) if p.t_s > 0.0]
    paths = dict(play.paths) | {"10": replace(ten, pieces=(*ten.pieces, *brought))}
    spotted_play: Play = replace(play, paths=paths)
    return replace(
        draft,
        kind="spotted",
        play=spotted_play,
        carries=(Carry("10", from_s, to_s, reach),),
        tail_s=to_s - play.end_s + 1.2,
    )


def spot_for_ten(table: TableSpec, layout: dict[BallName, Point]) -> Point:
    """On the long string, as near the foot spot as can be, on its foot side (1.4)."""
    x, _ = table.foot_spot
    for step in range(600):
        point = (x + step * 0.001, 0.0)
        if is_free(table, point, layout, 0.0):
            return point
    raise NotPlayableError("no room for the ten below the foot spot")


def _lies(path: BallPath) -> bool:
    return path.end.motion in (Motion.REST, Motion.SPIN)


def _end_point(path: BallPath) -> Point:
    return (float(path.end.r_m[0]), float(path.end.r_m[1]))


def second_stroke(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """The next stroke follows before all balls rest: both strokes are in the clip."""
    table = sim.table

    def attempt() -> Draft | None:
        layout = open_table(rng, table, 3, 6)
        ball = lowest(layout)
        course = Course(sim)
        course.place(resting(table, layout))
        first = stroke_at(rng, layout[CUE], layout[ball], (1.5, 3.0), 1.3)
        course.strike(first)
        cue_rest = course.path(CUE).end
        again_s = cue_rest.t_s + float(rng.uniform(0.8, 1.6))
        if cue_rest.motion is not Motion.REST or again_s > 7.0:
            return None
        cue = _end_point(course.path(CUE))
        states = {n: (float(p.r_m[0]), float(p.r_m[1])) for n, p in course.on_bed(again_s).items()}
        left = [name for name in states if name != CUE]
        if not left:
            return None
        target = min(left, key=int)
        if not is_clear(table, cue, states[target], states, (CUE, target)):
            return None
        course.strike(stroke_at(rng, cue, states[target], (1.0, 2.0), again_s))
        play = course.finish()
        story = told(play)
        speeds = getattr(story.events[0], "moving_speeds_mps", {})
        if not speeds or max(speeds.values()) < 0.03 or CUE in story.pocketed:
            return None
        return Draft("second_stroke", play, (Intent(None), Intent(None)))

    return until_found(attempt, 4000)
