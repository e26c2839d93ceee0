"""The simulation against computations of our own: textbook collisions, rebounds, rolling."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("pooltool", reason="the truth generator's extra is not installed")

from synthetic.physics.conditions import GRAVITY_MPS2, TEXTBOOK, Conditions, unusual_conditions
from synthetic.physics.flight import NotPlayableError
from synthetic.physics.motion import BallPath, Motion, Piece
from synthetic.physics.play import Course, Stroke, resting
from synthetic.physics.pool import BallHit, CushionHit, Drop, PoolSimulation
from synthetic.physics.spin import integrate
from synthetic.shots.draft import Layout, shoot
from table.balls import CUE
from table.geometry import EIGHT_FOOT, NINE_FOOT, Cushion, Pocket, TableSpec

R = NINE_FOOT.ball_radius_m


def rolling(table: TableSpec, layout: Layout, velocity: tuple[float, float]) -> dict[str, Piece]:
    """The cue ball already rolls; the others rest."""
    start = resting(table, layout)
    v = np.array([*velocity, 0.0])
    w = np.array([-v[1], v[0], 0.0]) / table.ball_radius_m
    start[CUE] = Piece(0.0, Motion.ROLL, start[CUE].r_m, v, w)
    return start


def run(conditions: Conditions, start: dict[str, Piece], table: TableSpec = NINE_FOOT) -> Course:
    course = Course(PoolSimulation(table, conditions))
    course.place(start)
    course.run(start)
    return course


@pytest.mark.parametrize("cut_deg", [0.0, 15.0, 30.0, 45.0, 60.0, 75.0])
def test_object_ball_leaves_along_the_line_of_centres(cut_deg: float) -> None:
    """Cut angle c: object ball v cos c along the centres, cue ball v sin c along the tangent."""
    cut = math.radians(cut_deg)
    object_at = (0.0, 0.0)
    contact = (-2 * R * math.cos(cut), -2 * R * math.sin(cut))
    start = rolling(NINE_FOOT, {CUE: (contact[0] - 0.2, contact[1]), "1": object_at}, (2.0, 0.0))
    course = run(TEXTBOOK, start)
    hit = next(h for h in course.hits if isinstance(h, BallHit))
    rolled = 0.2
    decel = TEXTBOOK.roll * GRAVITY_MPS2
    speed = math.sqrt(2.0**2 - 2 * decel * rolled)
    assert hit.t_s == pytest.approx((2.0 - speed) / decel, abs=2e-5)
    one = course.path("1").state_at(hit.t_s).v_mps
    cue = course.path(CUE).state_at(hit.t_s).v_mps
    centres = np.array([math.cos(cut), math.sin(cut), 0.0])
    assert one == pytest.approx(speed * math.cos(cut) * centres, abs=2e-3)
    tangent = np.array([speed, 0.0, 0.0]) - speed * math.cos(cut) * centres
    assert cue == pytest.approx(tangent, abs=2e-3)


def test_throw_turns_the_object_ball_away_from_the_line_of_centres() -> None:
    """With friction a stun cut shot is thrown forward by degrees, never backward."""
    cut = math.radians(30)
    layout = {CUE: (-2 * R * math.cos(cut) - 0.03, -2 * R * math.sin(cut)), "1": (0.0, 0.0)}
    play = shoot(PoolSimulation(NINE_FOOT, Conditions()), layout, Stroke(1.0, 0.0))
    hit = next(h for h in play.hits if isinstance(h, BallHit))
    v = play.paths["1"].state_at(hit.t_s).v_mps
    throw = math.degrees(cut - math.atan2(v[1], v[0]))
    assert 1.0 < throw < 7.0


@pytest.mark.parametrize("angle_deg", [20.0, 45.0, 70.0])
def test_perfect_cushion_mirrors(angle_deg: float) -> None:
    angle = math.radians(angle_deg)
    v = (2.0 * math.cos(angle), 2.0 * math.sin(angle))
    course = run(TEXTBOOK, rolling(NINE_FOOT, {CUE: (0.6, -0.3)}, v))
    hit = next(h for h in course.hits if isinstance(h, CushionHit))
    assert hit.cushion == (Cushion.FOOT if angle_deg < 60 else Cushion.LEFT_FOOT)
    before = course.path(CUE).state_at(hit.t_s - 1e-5).v_mps
    after = course.path(CUE).state_at(hit.t_s + 1e-9).v_mps
    axis = 0 if hit.cushion in (Cushion.FOOT, Cushion.HEAD) else 1
    assert after[axis] == pytest.approx(-before[axis], abs=1e-3)
    assert after[1 - axis] == pytest.approx(before[1 - axis], abs=1e-3)


def test_cushion_touches_at_one_radius_from_the_nose() -> None:
    course = run(Conditions(), rolling(NINE_FOOT, {CUE: (0.5, 0.1)}, (2.0, 0.0)))
    hit = next(h for h in course.hits if isinstance(h, CushionHit))
    x = float(course.path(CUE).sample([hit.t_s]).r_m[0, 0])
    assert x == pytest.approx(NINE_FOOT.length_m / 2 - R, abs=5e-6)


def test_cushion_takes_speed_by_its_restitution() -> None:
    """Square on: the rebound's speed is within reach of e v (spin decides the rest)."""
    course = run(
        Conditions(cushion_restitution=0.8), rolling(NINE_FOOT, {CUE: (0.9, 0.2)}, (2.0, 0.0))
    )
    hit = next(h for h in course.hits if isinstance(h, CushionHit))
    before = course.path(CUE).state_at(hit.t_s - 1e-5).v_mps[0]
    after = course.path(CUE).state_at(hit.t_s + 1e-9).v_mps[0]
    assert -after / before == pytest.approx(0.8, abs=0.12)


@pytest.mark.parametrize("roll", [0.006, 0.010, 0.016])
def test_rolling_distance_and_time(roll: float) -> None:
    """v^2 / (2 mu g) of way, v / (mu g) of time."""
    v = 0.45
    course = run(Conditions(roll=roll), rolling(NINE_FOOT, {CUE: (-1.1, 0.13)}, (v, 0.0)))
    path = course.path(CUE)
    decel = roll * GRAVITY_MPS2
    assert path.end.t_s == pytest.approx(v / decel, rel=1e-4)
    assert path.end.r_m[0] + 1.1 == pytest.approx(v * v / (2 * decel), abs=1e-4)


def test_sliding_ball_rolls_at_five_sevenths() -> None:
    """A stunned ball of speed v rolls at 5/7 v after 2 v / (7 mu g)."""
    conditions = Conditions(slide=0.2)
    start = resting(NINE_FOOT, {CUE: (-1.0, 0.1)})
    start[CUE] = Piece(0.0, Motion.SLIDE, start[CUE].r_m, np.array([1.4, 0, 0]), np.zeros(3))
    path = run(conditions, start).path(CUE)
    rolls = next(p for p in path.pieces if p.motion is Motion.ROLL)
    assert rolls.t_s == pytest.approx(2 * 1.4 / (7 * 0.2 * GRAVITY_MPS2), rel=1e-3)
    assert rolls.v_mps[0] == pytest.approx(1.0, abs=1e-3)


def test_pieces_join_without_a_gap() -> None:
    """Our closed forms lead from each event of the simulation to the next one."""
    layout = {CUE: (-0.7, 0.1), "1": (0.3, 0.15), "2": (0.4, -0.2), "3": (0.8, 0.3)}
    for conditions in (Conditions(), unusual_conditions(np.random.default_rng(3))):
        play = shoot(PoolSimulation(NINE_FOOT, conditions), layout, Stroke(4.0, 0.05, 0.2, -0.3))
        for path in play.paths.values():
            for one, two in zip(path.pieces, path.pieces[1:], strict=False):
                if two.motion in (Motion.CARRIED, Motion.DROPPED):
                    continue
                end = path.sample([max(one.t_s, two.t_s - 1e-9)]).r_m[0]
                assert np.linalg.norm(end - two.r_m) < 2e-5


def test_a_ball_aimed_at_each_pocket_falls_there() -> None:
    """The frames and names of pockets agree with the table's."""
    sim = PoolSimulation(NINE_FOOT, Conditions())
    for pocket, shape in NINE_FOOT.pockets.items():
        x, y = shape.mouth_center
        start = (x - 0.3 * shape.outward[0], y - 0.3 * shape.outward[1])
        aim = math.atan2(shape.outward[1], shape.outward[0])
        play = shoot(sim, {CUE: start}, Stroke(1.0, aim))
        drops = [h for h in play.hits if isinstance(h, Drop)]
        assert [d.pocket for d in drops] == [pocket]
        at = play.paths[CUE].sample([drops[0].t_s]).r_m[0]
        assert shape.depth_m((at[0], at[1])) == pytest.approx(shape.shelf_m, abs=1e-3)
        end = play.paths[CUE].end
        assert end.motion is Motion.DROPPED and end.r_m[2] < -R


def test_a_ball_aimed_at_each_cushion_touches_that_cushion() -> None:
    sim = PoolSimulation(EIGHT_FOOT, Conditions())
    for cushion, shape in EIGHT_FOOT.cushions.items():
        mid = ((shape.start[0] + shape.end[0]) / 2, (shape.start[1] + shape.end[1]) / 2)
        start = (mid[0] + 0.2 * shape.inward[0], mid[1] + 0.2 * shape.inward[1])
        aim = math.atan2(-shape.inward[1], -shape.inward[0])
        play = shoot(sim, {CUE: start}, Stroke(0.8, aim))
        first = next(h for h in play.hits if isinstance(h, CushionHit))
        assert (first.cushion, first.jaw) == (cushion, False)


def test_a_rolling_ball_turns_by_its_way() -> None:
    """Orientation: way / R radians about the horizontal axis across the way."""
    course = run(Conditions(), rolling(NINE_FOOT, {CUE: (-1.0, 0.0)}, (0.4, 0.0)))
    path = course.path(CUE)
    turn = integrate(path, np.array([1.0, 0, 0, 0]), 0.0, path.end.t_s)
    last = turn.matrices(np.array([path.end.t_s]))[0]
    angle = (path.end.r_m[0] + 1.0) / R
    wanted = np.array(
        [
            [math.cos(angle), 0, math.sin(angle)],
            [0, 1, 0],
            [-math.sin(angle), 0, math.cos(angle)],
        ]
    )
    assert last == pytest.approx(wanted, abs=2e-3)


def test_jump_is_a_parabola_and_lands_where_it_must() -> None:
    play = shoot(
        PoolSimulation(NINE_FOOT, Conditions()),
        {CUE: (-0.8, 0.1), "1": (0.9, 0.3)},
        Stroke(2.0, 0.0, jump_mps=1.5),
    )
    flight = 2 * 1.5 / GRAVITY_MPS2
    top, landed = play.paths[CUE].sample([flight / 2, flight]).r_m
    assert top[2] == pytest.approx(R + 1.5**2 / (2 * GRAVITY_MPS2), abs=1e-6)
    assert landed == pytest.approx([-0.8 + 2.0 * flight, 0.1, R], abs=1e-6)


def test_a_jump_never_passes_through_a_ball() -> None:
    with pytest.raises(NotPlayableError):
        shoot(
            PoolSimulation(NINE_FOOT, Conditions()),
            {CUE: (-0.8, 0.1), "1": (-0.7, 0.1)},
            Stroke(2.0, 0.0, jump_mps=0.6),
        )


def test_balls_that_overlap_are_refused() -> None:
    with pytest.raises(NotPlayableError):
        resting(NINE_FOOT, {CUE: (0.0, 0.0), "1": (0.03, 0.0)})


def test_the_carried_ball_rests_at_both_ends() -> None:
    a, b = np.array([0.0, 0, 0.3]), np.array([0.5, 0.2, R])
    still = np.zeros(3)
    path = BallPath(
        (Piece(0.0, Motion.CARRIED, a, still, still), Piece(1.0, Motion.REST, b, still, still)),
        R,
        Conditions(),
    )
    samples = path.sample([0.0, 0.999999, 1.0])
    assert samples.r_m[0] == pytest.approx(a)
    assert samples.r_m[1] == pytest.approx(b, abs=1e-6)
    assert np.abs(samples.v_mps[[0, 1, 2]]).max() < 1e-3


def test_pocket_names_cover_the_table() -> None:
    assert set(NINE_FOOT.pockets) == set(Pocket)
