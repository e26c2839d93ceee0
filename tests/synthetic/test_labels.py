"""Labels and exports: visible share, streaks, boxes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("numba", reason="the truth generator's extra is not installed")
pytest.importorskip("pooltool", reason="the truth generator's extra is not installed")

from synthetic.exports import CLASSES, clipped, coco, yolo_lines
from synthetic.labels import FrameLabels, label_frame
from synthetic.physics.conditions import Conditions
from synthetic.physics.motion import BallPath, Motion, Piece
from synthetic.render.frame import Scene, Shutter
from synthetic.scene.graphics import NO_GRAPHICS, Graphics, Patch
from synthetic.scene.solids import Cone, Skin
from synthetic.scene.things import Still as Things
from synthetic.stills import STILLS_A_ROOM, stills
from table.balls import CUE
from table.geometry import NINE_FOOT
from tests.synthetic.test_render import SIZE, lone_ball, scene, studio

__all__ = ["scene", "studio"]


def labels_of(scene: Scene, graphics: Graphics = NO_GRAPHICS) -> FrameLabels:
    return label_frame(scene, Shutter(0.010), graphics, 0.0)


def test_a_free_ball_is_wholly_visible(scene: Scene) -> None:
    label = labels_of(lone_ball(scene, (0.3, 0.2))).balls[0]
    assert label.ball == CUE and label.visible == 1.0 and label.where == "bed"
    wanted = scene.camera.project([(0.3, 0.2, NINE_FOOT.ball_radius_m)])[0]
    assert label.center_px == pytest.approx(tuple(wanted), abs=1e-6)


@pytest.mark.parametrize(("width", "low", "high"), [(0.10, 0.0, 0.02), (0.0143, 0.3, 0.5)])
def test_a_bar_over_a_ball_hides_its_share(
    scene: Scene, width: float, low: float, high: float
) -> None:
    """A bar of half the ball's width hides 61 % of the disc seen from straight above."""
    bar = Cone((0.0, -0.3, 0.09), width, (0.0, 0.3, 0.09), width, Skin(0, (0.1, 0.1, 0.1)), "arm")
    one = replace(lone_ball(scene, (0.0, 0.0)), actors=[Things((bar,))])
    assert low <= labels_of(one).balls[0].visible <= high


def test_graphics_hide_balls(scene: Scene) -> None:
    one = lone_ball(scene, (0.0, 0.0))
    u, v = labels_of(one).balls[0].center_px
    patch = Patch(
        int(u) - 20,
        int(v) - 20,
        np.zeros((40, 20, 3), np.uint8),
        np.ones((40, 20, 1), np.float32),
    )
    assert 0.25 < labels_of(one, Graphics((patch,))).balls[0].visible < 0.75


def test_a_ball_deep_in_a_pocket_is_hidden_in_part_at_least(scene: Scene) -> None:
    shape = next(iter(NINE_FOOT.pockets.values()))
    x, y = shape.drop_point
    place = np.array([x + 0.03 * shape.outward[0], y + 0.03 * shape.outward[1], -0.09])
    still = np.zeros(3)
    path = BallPath(
        (Piece(0.0, Motion.DROPPED, place, still, still),), NINE_FOOT.ball_radius_m, Conditions()
    )
    label = labels_of(replace(lone_ball(scene, (0.0, 0.0)), paths={CUE: path})).balls[0]
    assert label.where == "pocket" and label.visible < 1.0


def test_the_streak_joins_the_ends_of_the_exposure(scene: Scene) -> None:
    label = labels_of(lone_ball(scene, (0.1, 0.1), 5.0)).balls[0]
    (x0, y0), (x1, y1) = label.streak_px
    scale = float(scene.camera.px_per_m([(0.1, 0.1)])[0])
    assert np.hypot(x1 - x0, y1 - y0) == pytest.approx(5.0 * 0.010 * scale, rel=0.03)
    assert label.box[2] - label.box[0] > 2 * label.radius_px + 0.8 * abs(x1 - x0)


def test_yolo_lines_hold_the_boxes(scene: Scene) -> None:
    labels = labels_of(scene)
    rows = [line.split() for line in yolo_lines(labels, SIZE)]
    balls = [ball for ball in labels.balls if ball.visible >= 0.25 and clipped(ball.box, SIZE)]
    assert len(balls) <= len(rows)
    for row, ball in zip(rows, balls, strict=False):
        assert CLASSES[int(row[0])] == ball.ball
        x, y = float(row[1]) * SIZE[0] - 0.5, float(row[2]) * SIZE[1] - 0.5
        assert np.hypot(x - ball.center_px[0], y - ball.center_px[1]) < 1.0
        assert all(0.0 <= float(value) <= 1.0 for value in row[1:])


def test_coco_counts_what_is_labelled(scene: Scene) -> None:
    labels = labels_of(scene)
    table = coco([("a.jpg", SIZE, labels), ("b.jpg", SIZE, labels)])
    annotations, images = table["annotations"], table["images"]
    assert isinstance(annotations, list) and isinstance(images, list)
    assert len(images) == 2 and len(annotations) == 2 * len(yolo_lines(labels, SIZE))
    assert len({row["id"] for row in annotations}) == len(annotations)


def test_stills_repeat_and_a_room_is_shared() -> None:
    first = list(stills(3, 2))
    again = list(stills(3, 1, first=1))
    assert STILLS_A_ROOM > 1
    assert first[0].camera.to_json() == first[1].camera.to_json()
    assert first[1].labels.to_json() == again[0].labels.to_json()
    assert np.array_equal(first[1].image, again[0].image)
    width, height = first[0].camera.image_size
    assert first[0].image.shape == (height, width, 3)
