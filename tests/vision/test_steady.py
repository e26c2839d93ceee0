"""Steadiness: the picture's own shift is found on the rails."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.photographs import RED, Ball, Thing, photograph, usual
from vision.frames import Image
from vision.steady import Steady


def gray(picture: Image) -> Image:
    """The luma of a picture."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def steady_on(picture: Image | None = None) -> Steady:
    """A steadier whose reference is an unshifted picture."""
    steady = Steady(usual())
    first = steady.update(gray(photograph([]) if picture is None else picture))
    assert (first.dx_px, first.dy_px) == (0.0, 0.0)
    return steady


def wood(width_m: float) -> list[Thing]:
    """Players in grey that cover the rails from one end over a width."""
    dark = (90, 95, 110)
    a, b = -1.5, -1.5 + width_m
    return [Thing([(a, 0.55), (b, 0.55), (b, 0.95), (a, 0.95)], dark, 0.3),
            Thing([(a, -0.95), (b, -0.95), (b, -0.55), (a, -0.55)], dark, 0.3),
            Thing([(-1.6, -0.7), (-1.2, -0.7), (-1.2, 0.7), (-1.6, 0.7)], dark, 0.3)]  # fmt: skip


@pytest.mark.parametrize(
    "shift", [(1.5, 0.0), (-1.5, 0.7), (0.4, -1.5), (0.1, 0.1), (-0.8, -0.9), (3.0, -2.0)]
)
def test_a_shift_is_found_to_a_tenth_of_a_pixel(shift: tuple[float, float]) -> None:
    """The picture's shift is measured within 0.1 px in a noisy picture."""
    found = steady_on().update(gray(photograph([Ball(0.3, 0.2, RED)], seed=4, shift_px=shift)))
    assert (found.dx_px, found.dy_px) == pytest.approx(shift, abs=0.1)
    assert found.is_sure
    assert found.agreeing > 0.8


def test_a_still_camera_stays_still() -> None:
    """Noise alone gives no shift: under 0.03 px."""
    steady = steady_on()
    for seed in range(1, 5):
        found = steady.update(gray(photograph([], seed=seed)))
        assert np.hypot(found.dx_px, found.dy_px) < 0.03


def test_half_of_the_rails_may_be_covered() -> None:
    """With players before half of the rails the shift of the rest is found within 0.1 px."""
    covered = photograph([], wood(1.5), seed=4, shift_px=(1.2, -0.8))
    found = steady_on().update(gray(covered))
    assert (found.dx_px, found.dy_px) == pytest.approx((1.2, -0.8), abs=0.1)
    assert found.agreeing < 0.9


def test_another_picture_agrees_with_nothing() -> None:
    """After a cut hardly any rail pixel fits, and the shift is not believed."""
    rng = np.random.default_rng(0)
    other = cv2.resize(rng.integers(0, 255, (18, 32), np.uint8), (1280, 720))
    found = steady_on().update(np.asarray(other, np.uint8))
    assert found.agreeing < 0.12
    assert not found.is_sure
    assert (found.dx_px, found.dy_px) == (0.0, 0.0)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_even_picture_agrees_with_nothing(level: int) -> None:
    """A black, grey or white picture shows no table."""
    found = steady_on().update(np.full((720, 1280), level, np.uint8))
    assert found.agreeing < 0.12


@pytest.mark.parametrize(("gain", "offset"), [(0.85, 0.0), (1.15, 5.0)])
def test_the_light_may_change(gain: float, offset: float) -> None:
    """A brighter or darker picture is no shift."""
    lit = photograph([], seed=4, shift_px=(0.9, 0.5)).astype(float) * gain + offset
    found = steady_on().update(gray(np.clip(lit, 0, 255).astype(np.uint8)))
    assert (found.dx_px, found.dy_px) == pytest.approx((0.9, 0.5), abs=0.12)


def test_the_last_sure_shift_is_kept_while_nothing_is_seen() -> None:
    """While the rails are hidden the last sure shift stays, with the true share agreeing."""
    steady = steady_on()
    steady.update(gray(photograph([], seed=4, shift_px=(1.0, 0.5))))
    found = steady.update(np.full((720, 1280), 128, np.uint8))
    assert (found.dx_px, found.dy_px) == pytest.approx((1.0, 0.5), abs=0.1)
    assert not found.is_sure


def test_reset_takes_a_new_reference() -> None:
    """After reset the next picture is the reference."""
    steady = steady_on()
    steady.update(gray(photograph([], seed=4, shift_px=(1.0, 0.5))))
    steady.reset()
    found = steady.update(gray(photograph([], seed=4, shift_px=(1.0, 0.5))))
    assert (found.dx_px, found.dy_px) == (0.0, 0.0)
    found = steady.update(gray(photograph([], seed=5)))
    assert (found.dx_px, found.dy_px) == pytest.approx((-1.0, -0.5), abs=0.1)
