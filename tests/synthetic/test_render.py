"""Frames against geometry computed elsewhere: projection, blur, what has changed."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="the truth generator's extra is not installed")
pytest.importorskip("pooltool", reason="the truth generator's extra is not installed")

from synthetic.filming import Place, make_place, make_scene
from synthetic.physics.conditions import Conditions
from synthetic.physics.motion import BallPath, Motion, Piece
from synthetic.physics.pool import PoolSimulation
from synthetic.render import tracing
from synthetic.render.frame import FramePainter, Scene, Shutter
from synthetic.scene.furniture import Furniture, hole_array, shape_array
from synthetic.scene.studio import Studio, Wishes, make_studio
from synthetic.scene.viewpoint import Viewpoint, make_camera, random_viewpoint
from synthetic.shots.ordinary import pot
from table.balls import CUE
from table.geometry import NINE_FOOT

SIZE = (480, 270)


@pytest.fixture(scope="module")
def studio() -> Studio:
    rng = np.random.default_rng(4)
    drawn = make_studio(rng, NINE_FOOT, Wishes(cloth="green", size=SIZE, graphics=False))
    plain = replace(drawn.furniture, marks=0, lines=0, weave=0.0, wear=0.0)
    return replace(drawn, furniture=plain, shutter=Shutter(0.008))


@pytest.fixture(scope="module")
def scene(studio: Studio) -> Scene:
    rng = np.random.default_rng(4)
    draft = pot(rng, PoolSimulation(NINE_FOOT, Conditions()))
    return make_scene(rng, draft, studio, make_place(draft, studio))


def lone_ball(scene: Scene, place: tuple[float, float], speed_mps: float = 0.0) -> Scene:
    """Only the cue ball, at a place, moving along x through it at time 0."""
    radius = NINE_FOOT.ball_radius_m
    v = np.array([speed_mps, 0.0, 0.0])
    start = np.array([place[0] - speed_mps * 1.0, place[1], radius])
    piece = Piece(-1.0, Motion.FLY if speed_mps else Motion.REST, start, v, np.zeros(3))
    path = BallPath((piece,), radius, Conditions())
    if speed_mps:
        # A straight, unbraked way on the bed: rolling without resistance.
        path = BallPath((replace(piece, motion=Motion.ROLL),), radius, Conditions(roll=1e-9))
    return replace(scene, paths={CUE: path}, orientations={CUE: scene.orientations[CUE]}, actors=[])


@pytest.mark.parametrize("seed", range(12))
def test_camera_model_agrees_with_opencv(seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = make_camera(NINE_FOOT, random_viewpoint(rng, wild=True), (1280, 720))
    points = rng.uniform((-1.3, -0.7, -0.1), (1.3, 0.7, 0.3), (200, 3))
    rotation, _ = cv2.Rodrigues(np.asarray(camera.r_camera_from_table))
    theirs, _ = cv2.projectPoints(
        points,
        rotation,
        np.asarray(camera.t_camera_from_table_m),
        np.asarray(camera.camera_matrix),
        np.asarray(camera.dist),
    )
    assert np.abs(camera.project(points) - theirs.reshape(-1, 2)).max() < 1e-6


@pytest.mark.parametrize("seed", range(12))
def test_every_pixel_of_every_lens_has_a_ray(seed: int) -> None:
    camera = make_camera(
        NINE_FOOT, random_viewpoint(np.random.default_rng(seed), wild=True), (1280, 720)
    )
    edge = [(x, y) for x in (0, 640, 1279) for y in (0, 360, 719)]
    assert np.isfinite(camera.rays(edge)).all()


@pytest.mark.parametrize("head", ["left", "right", "top", "bottom"])
def test_head_end_lies_where_it_is_said(head: str) -> None:
    camera = make_camera(NINE_FOOT, Viewpoint(head=head), (1280, 720))
    assert camera.side_of_head() == head


@pytest.mark.parametrize("place", [(0.0, 0.0), (0.9, 0.4), (-1.1, -0.5), (0.3, -0.58)])
def test_painted_ball_lies_where_the_camera_projects_it(
    scene: Scene, place: tuple[float, float]
) -> None:
    one = lone_ball(scene, place)
    frame = FramePainter(one, Shutter(0.004), rays=(25, 25, 25)).paint(0.0)
    white = frame.min(axis=2) > 0.45 * frame.min(axis=2).max()
    backdrop = one.backdrop.light.min(axis=2) > 0.45 * frame.min(axis=2).max()
    y, x = np.nonzero(white & ~backdrop)
    assert len(x) > 30
    u, v = scene.camera.project([(*place, NINE_FOOT.ball_radius_m)])[0]
    assert np.hypot(x.mean() - u, y.mean() - v) < 0.5


def test_blur_is_as_long_as_the_way_in_the_exposure(scene: Scene) -> None:
    speed, exposure = 6.0, 0.016
    still = lone_ball(scene, (0.0, 0.1))
    moving = lone_ball(scene, (-0.5 * speed * exposure, 0.1), speed)
    lengths = []
    for one in (still, moving):
        painter = FramePainter(one, Shutter(exposure), rays=(16, 16, 64))
        frame = painter.paint(0.0)
        change = np.abs(frame - one.backdrop.light).sum(axis=2)
        columns = change.max(axis=0) > 0.06 * change.max()
        lengths.append(int(columns.sum()))
    scale = float(scene.camera.px_per_m([(0.0, 0.1)])[0])
    assert lengths[1] - lengths[0] == pytest.approx(speed * exposure * scale, abs=4.0)


def test_painting_only_what_changed_gives_the_same_frame(scene: Scene) -> None:
    """Frame by frame equals a frame painted from scratch, stroke and people included."""
    strike = 2.0
    times = np.arange(strike - 0.2, strike + 0.6, 0.1)
    running = FramePainter(scene, Shutter(0.008))
    for t_s in times:
        last = running.paint(float(t_s)).copy()
        fresh = FramePainter(scene, Shutter(0.008)).paint(float(t_s))
        assert np.abs(last - fresh).max() < 1e-4


def test_nothing_moves_nothing_is_painted_differently(scene: Scene) -> None:
    one = lone_ball(scene, (0.2, 0.1))
    painter = FramePainter(one, Shutter(0.008))
    first = painter.paint(0.0).copy()
    assert np.array_equal(first, painter.paint(0.5))


def test_balls_shade_the_cloth_beside_them(scene: Scene) -> None:
    one = lone_ball(scene, (0.0, 0.0))
    frame = FramePainter(one, Shutter(0.008)).paint(0.0)
    u, v = scene.camera.project([(0.0, 0.0, 0.0)])[0]
    near = frame[int(v) - 8 : int(v) + 9, int(u) - 8 : int(u) + 9].sum(axis=2)
    before = one.backdrop.light[int(v) - 8 : int(v) + 9, int(u) - 8 : int(u) + 9].sum(axis=2)
    assert (near / before).min() < 0.8


@pytest.mark.parametrize(
    ("x", "y", "surfaces"),
    [
        (0.0, 0.0, {tracing.BED}),
        (1.29, 0.0, {tracing.CUSHION}),
        (0.5, 0.66, {tracing.CUSHION}),
        (1.36, 0.2, {tracing.RAIL}),
        (0.0, -0.72, {tracing.LINER, tracing.HOLE_FLOOR}),
        (1.29, 0.655, {tracing.LINER, tracing.HOLE_FLOOR}),
        (2.3, 1.5, {tracing.FLOOR}),
    ],
)
def test_rays_from_above_meet_the_right_surface(x: float, y: float, surfaces: set[int]) -> None:
    shape, holes = shape_array(NINE_FOOT, Furniture()), hole_array(NINE_FOOT)
    hit = tracing.table_hit(x, y, 2.5, 1e-4, 1e-4, -1.0, shape, holes)
    assert hit[1] in surfaces


def test_backdrop_places_lie_on_the_rays(scene: Scene) -> None:
    """The point stored for a pixel projects back into that pixel."""
    place: Place = Place(scene.camera, scene.optics, scene.backdrop)
    rows, columns = np.meshgrid(np.arange(5, 260, 24), np.arange(5, 470, 24), indexing="ij")
    points = place.backdrop.place_m[rows.ravel(), columns.ravel()].astype(np.float64)
    pixels = place.camera.project(points)
    wanted = np.stack([columns.ravel(), rows.ravel()], axis=1)
    assert np.nanmax(np.abs(pixels - wanted)) < 0.05
