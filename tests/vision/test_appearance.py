"""What is measured of one ball's colours."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from tests.vision.painted_balls import looks_of
from vision.appearance import measure_appearance, merge_appearances
from vision.frames import Image

CLOTH = (200.0, 110.0, 20.0)


def _disc(
    center: tuple[float, float], radius: float, color: tuple[int, int, int] = (30, 20, 220)
) -> Image:
    image = np.empty((80, 100, 3), np.uint8)
    image[:] = CLOTH
    shift = 16
    cv2.circle(
        image,
        (round(center[0] * shift), round(center[1] * shift)),
        round(radius * shift),
        color,
        -1,
        cv2.LINE_AA,
        4,
    )
    return image


@pytest.mark.parametrize("radius", [5.0, 9.0, 15.0, 30.0])
def test_a_plain_disc_has_its_colour_and_nothing_else(radius: float) -> None:
    look = measure_appearance(_disc((48.3, 40.6), radius), (48.3, 40.6), radius, CLOTH)
    main = look.colors_bgr[int(np.argmax(look.core))]
    np.testing.assert_allclose(main, (30, 20, 220), atol=1.0)
    assert look.core.sum() == pytest.approx(1.0, abs=1e-5)
    assert look.core.max() > 0.95
    assert look.cloth_share < 0.02


def test_cloth_within_the_disc_is_noticed_and_left_out() -> None:
    look = measure_appearance(_disc((48.0, 40.0), 15.0), (58.0, 40.0), 15.0, CLOTH)
    assert 0.2 < look.cloth_share < 0.6
    main = look.colors_bgr[int(np.argmax(look.core))]
    np.testing.assert_allclose(main, (30, 20, 220), atol=1.0)
    assert look.quality < measure_appearance(_disc((48, 40), 15), (48, 40), 15.0, CLOTH).quality


def test_a_ball_of_the_cloths_colour_keeps_its_pixels() -> None:
    look = measure_appearance(_disc((48, 40), 15.0, (200, 110, 20)), (48.0, 40.0), 15.0, CLOTH)
    assert not look.empty
    assert look.cloth_share > 0.9


@pytest.mark.parametrize("center", [(0.0, 0.0), (99.0, 79.0), (-3.0, 40.0)])
def test_a_disc_at_the_picture_edge_is_measured_as_far_as_it_goes(
    center: tuple[float, float],
) -> None:
    look = measure_appearance(_disc(center, 15.0), center, 15.0, CLOTH)
    assert not look.empty
    np.testing.assert_allclose(look.colors_bgr[int(np.argmax(look.core))], (30, 20, 220), atol=2.0)


def test_a_disc_outside_the_picture_is_empty() -> None:
    look = measure_appearance(_disc((48, 40), 15.0), (300.0, 40.0), 15.0)
    assert look.empty
    assert look.quality == 0.0


def test_wrong_images_and_numbers_are_refused() -> None:
    image = _disc((48, 40), 15.0)
    with pytest.raises(ValueError, match="uint8"):
        measure_appearance(image[:, :, 0], (48.0, 40.0), 15.0)
    with pytest.raises(ValueError, match="radius"):
        measure_appearance(image, (48.0, 40.0), 0.0)
    with pytest.raises(ValueError, match="centre"):
        measure_appearance(image, (math.nan, 40.0), 15.0)


def test_merging_averages_and_counts() -> None:
    first = measure_appearance(_disc((48, 40), 15.0, (30, 20, 220)), (48.0, 40.0), 15.0)
    second = measure_appearance(_disc((48, 40), 15.0, (30, 220, 20)), (48.0, 40.0), 15.0)
    merged = merge_appearances([first, second, first])
    assert merged.frames == 3
    assert merged.core.sum() == pytest.approx(1.0, abs=1e-5)
    red = merged.core[merged.colors_bgr[:, 2] > 150].sum()
    assert red == pytest.approx(2 / 3, abs=0.02)


def test_merging_is_associative() -> None:
    looks = [looks_of(["9"], seed=seed)[0] for seed in range(4)]
    at_once = merge_appearances(looks)
    in_steps = merge_appearances([merge_appearances(looks[:2]), merge_appearances(looks[2:])])
    assert at_once.frames == in_steps.frames == 4
    mean = (at_once.colors_bgr * at_once.core[:, None]).sum(axis=0)
    np.testing.assert_allclose(
        (in_steps.colors_bgr * in_steps.core[:, None]).sum(axis=0), mean, atol=0.5
    )


def test_nothing_to_merge_is_an_error_and_empty_ones_are_left_out() -> None:
    with pytest.raises(ValueError, match="no appearance"):
        merge_appearances([])
    image = _disc((48, 40), 15.0)
    seen = measure_appearance(image, (48.0, 40.0), 15.0)
    unseen = measure_appearance(image, (300.0, 40.0), 15.0)
    assert merge_appearances([unseen, seen]) is seen
    assert merge_appearances([unseen, unseen]).empty
