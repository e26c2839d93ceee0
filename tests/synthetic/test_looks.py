"""Looks of rooms and cameras: side streams, metering, noise, cloth maps, pockets, hands."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="the truth generator's extra is not installed")
pytest.importorskip("pooltool", reason="the truth generator's extra is not installed")

from synthetic.labels import label_frame
from synthetic.physics.pool_models import hole
from synthetic.render.frame import FramePainter, Scene, Shutter
from synthetic.render.metering import metered
from synthetic.render.sensor import Develop, Image, Sensor
from synthetic.scene.cloth_map import cloth_map
from synthetic.scene.frames import frame_at
from synthetic.scene.furniture import Furniture
from synthetic.scene.graphics import NO_GRAPHICS, random_graphics
from synthetic.scene.hands import CONES_A_HAND, bridge_hand, hand
from synthetic.scene.solids import Skin
from synthetic.scene.things import stray_things
from synthetic.streams import side_stream
from table.geometry import NINE_FOOT, Pocket
from tests.synthetic.test_render import SIZE, scene, studio

__all__ = ["scene", "studio"]


def picture(scene: Scene, sensor: Sensor) -> Image:
    ready = metered(sensor, scene.backdrop, scene.camera, np.array(scene.furniture.cloth))
    return Develop(ready, SIZE, np.random.default_rng(1)).picture(scene.backdrop.light.copy())


def bed(scene: Scene, image: Image) -> Image:
    u, v = scene.camera.project([(0.0, 0.0, 0.0)])[0].astype(int)
    return image[v - 45 : v + 45, u - 90 : u + 90]


def test_a_side_stream_leaves_the_main_stream_alone() -> None:
    rng, untouched = np.random.default_rng([4, 2]), np.random.default_rng([4, 2])
    first = side_stream(rng, 1).random(5)
    assert np.array_equal(rng.random(9), untouched.random(9))
    assert np.array_equal(side_stream(rng, 1).random(5), first)
    assert not np.array_equal(side_stream(rng, 2).random(5), first)
    assert not np.array_equal(side_stream(np.random.default_rng([4, 3]), 1).random(5), first)


@pytest.mark.parametrize("level", [70.0, 110.0])
def test_the_meter_brings_the_cloth_to_its_level(scene: Scene, level: float) -> None:
    sensor = Sensor(cloth_level=level, white_limit=9.0, vignette=0.0, noise=0.0, sharpen=0.0)
    luma = cv2.cvtColor(bed(scene, picture(scene, sensor)), cv2.COLOR_RGB2GRAY)
    assert float(np.median(luma)) == pytest.approx(level, abs=6.0)


def test_a_white_ball_holds_the_exposure_down(scene: Scene) -> None:
    free = picture(scene, Sensor(cloth_level=140.0, white_limit=9.0))
    held = picture(scene, Sensor(cloth_level=140.0, white_limit=0.4))
    assert np.median(bed(scene, held)) < np.median(bed(scene, free))


def test_noise_has_its_strength_and_its_spread() -> None:
    """On grey: luma as strong as asked, colour differences correlated over pixels."""
    grey = np.full((SIZE[1], SIZE[0], 3), 0.18, dtype=np.float32)
    sensor = Sensor(noise=4.0, chroma_noise=3.0, chroma_px=2.5, sharpen=0.0, blur_px=0.0)
    image = Develop(sensor, SIZE, np.random.default_rng(3)).picture(grey).astype(np.float64)
    luma = image @ np.array([0.299, 0.587, 0.114])
    blue = (image[..., 2] - luma) / 1.772
    assert 3.0 < luma.std() < 5.5
    assert 2.0 < blue.std() < 4.5
    centred = blue - blue.mean()
    neighbours = (centred[:, 2:] * centred[:, :-2]).mean() / (centred**2).mean()
    assert neighbours > 0.4


def test_a_new_cloth_has_an_even_map() -> None:
    even = cloth_map(NINE_FOOT, Furniture(wear=0.0, marks=0, nap=0.0))
    assert np.ptp(even[..., 0]) == 0.0 and even[..., 1].max() == 0.0
    worn = cloth_map(NINE_FOOT, Furniture(wear=1.0, marks=100))
    assert worn[..., 0].std() > 0.01 and worn[..., 1].max() > 0.1


def test_pockets_are_dark_but_no_black_discs(scene: Scene) -> None:
    light = scene.backdrop.light
    u, v = scene.camera.project([(0.0, 0.0, 0.0)])[0].astype(int)
    cloth = float(light[v - 5 : v + 5, u - 5 : u + 5].mean())
    for pocket in Pocket:
        (x, y), _ = hole(NINE_FOOT, pocket)
        u, v = scene.camera.project([(x, y, 0.0)])[0].astype(int)
        mouth = light[v - 3 : v + 4, u - 3 : u + 4]
        assert 0.002 * cloth < float(mouth.mean()) < 0.9 * cloth


@pytest.mark.parametrize("closed", [False, True])
def test_a_bridge_holds_the_stick_and_stands_on_the_cloth(closed: bool) -> None:
    """Fingertips touch the bed; the stick's axis passes between thumb and index finger."""
    skin = Skin(0, (0.5, 0.4, 0.3))
    rise = 0.045
    cones = bridge_hand(frame_at(np.zeros(3), 0.0), rise, skin, None, closed=closed)
    assert len(cones) == len(hand(frame_at(np.zeros(3), 0.0), "fist", skin)) == CONES_A_HAND
    lowest = min(min(c.a_m[2] - c.a_radius_m, c.b_m[2] - c.b_radius_m) for c in cones)
    assert -0.004 < lowest < 0.004
    index, thumb = cones[0], cones[12]
    assert index.a_m[1] > 0.012 and thumb.b_m[1] < -0.008
    for part in (index, thumb):
        ends = np.array([part.a_m, part.b_m])
        away = np.hypot(ends[:, 1], ends[:, 2] - rise).min()
        assert away < 0.035


def test_nothing_is_left_where_balls_lie() -> None:
    """Stray things keep clear of balls, here of balls all over the bed but for one corner."""
    x, y = np.meshgrid(np.arange(-1.2, 1.25, 0.06), np.arange(-0.6, 0.62, 0.06))
    places = np.stack([x.ravel(), y.ravel()], axis=1)
    found = [
        thing
        for seed in range(40)
        for thing in stray_things(np.random.default_rng(seed), NINE_FOOT, places, 6.0)
    ]
    assert found
    for thing in found:
        for part in thing.parts:
            middle = (np.array(part.a_m) + np.array(part.b_m)) / 2
            assert np.hypot(*(places - middle[:2]).T).min() > 0.045


def test_a_table_without_balls_has_no_ball_labels(scene: Scene) -> None:
    empty = replace(scene, paths={}, orientations={})
    assert label_frame(empty, Shutter(0.008), NO_GRAPHICS, 0.5).balls == ()
    assert np.isfinite(FramePainter(empty, Shutter(0.008)).paint(0.5)).all()


@pytest.mark.parametrize("seed", range(12))
def test_panels_of_graphics_do_not_overlap(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graphics = random_graphics(rng, side_stream(rng, 1), (1280, 720))
    shown = [*graphics.patches, *graphics.clock[:1]]
    boxes = [(p.left, p.top, p.left + p.colour.shape[1], p.top + p.colour.shape[0]) for p in shown]
    for i, one in enumerate(boxes):
        for two in boxes[:i]:
            apart = one[0] >= two[2] or two[0] >= one[2] or one[1] >= two[3] or two[1] >= one[3]
            assert apart, (one, two)
