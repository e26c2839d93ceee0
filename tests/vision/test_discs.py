"""Discs of known radius and capsules, in small exact drawings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.discs import Disc, edges_of, find_discs, fit_disc
from vision.frames import Image
from vision.streaks import fit_streak

R = 14.3
OVER = 8
CLOTH = (185, 120, 18)


def drawn(
    discs: Sequence[tuple[float, float, tuple[int, int, int]]],
    size: tuple[int, int] = (90, 90),
    noise: float = 1.0,
) -> tuple[Image, Image]:
    """A patch (h, w, 3) with supersampled discs and the mask (h, w) of what lies on the cloth."""
    height, width = size
    axis_u = (np.arange(width * OVER) + 0.5) / OVER - 0.5
    axis_v = (np.arange(height * OVER) + 0.5) / OVER - 0.5
    u, v = np.meshgrid(axis_u, axis_v)
    big = np.empty((*u.shape, 3), np.float32)
    big[:] = CLOTH
    mask = np.zeros(u.shape, np.float32)
    for cu, cv, color in discs:
        inside = np.hypot(u - cu, v - cv) < R
        big[inside] = color
        mask[inside] = 1
    small = cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 0.7)
    small = small + np.random.default_rng(0).normal(0, noise, small.shape)
    covered = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA) > 0.5
    return np.clip(np.rint(small), 0, 255).astype(np.uint8), covered.astype(np.uint8)


def found_in(picture: Image, mask: Image) -> list[Disc]:
    """All discs of a patch."""
    around = np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), np.uint8)
    return find_discs(edges_of(picture, around, 5.0), mask, R, 0.55)


@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.25, 0.5), (0.5, 0.1), (-0.37, 0.49)])
@pytest.mark.parametrize("start", [(0.0, 0.0), (3.0, -2.0), (-4.0, 3.0)])
def test_a_discs_centre_is_fitted_to_a_twentieth_of_a_pixel(
    offset: tuple[float, float], start: tuple[float, float]
) -> None:
    """From a start up to a third of a radius away the fit finds the sub-pixel centre."""
    center = (45 + offset[0], 44 + offset[1])
    picture, mask = drawn([(*center, (40, 40, 205))])
    edges = edges_of(picture, np.full_like(mask, 255), 5.0)
    disc = fit_disc(edges, (center[0] + start[0], center[1] + start[1]), R)
    assert disc is not None
    assert math.dist((disc.u, disc.v), center) < 0.06
    assert disc.support > 0.95
    assert disc.scatter_px < 1.5


def test_where_there_is_no_edge_there_is_no_disc() -> None:
    """Bare cloth gives no disc."""
    picture, mask = drawn([])
    assert fit_disc(edges_of(picture, np.full_like(mask, 255), 5.0), (45.0, 45.0), R) is None
    assert found_in(picture, mask) == []


def test_half_an_outline_still_gives_the_centre() -> None:
    """A disc of which one half is covered is fitted by its other half, with less support."""
    center = (45.2, 44.6)
    picture, mask = drawn([(*center, (40, 40, 205))])
    seen = np.full_like(mask, 255)
    seen[:, 46:] = 0
    disc = fit_disc(edges_of(picture, seen, 5.0), (44.0, 45.0), R)
    assert disc is not None
    assert math.dist((disc.u, disc.v), center) < 0.3
    assert 0.35 < disc.support < 0.7


@pytest.mark.parametrize("angle_deg", [0, 30, 60, 90, 117])
def test_touching_discs_part_where_their_colours_change(angle_deg: int) -> None:
    """Two touching discs of two colours are two, each within a tenth of a pixel."""
    dx, dy = (R * f(math.radians(angle_deg)) for f in (math.cos, math.sin))
    centers = [(45.3 - dx, 45 - dy), (45.3 + dx, 45 + dy)]
    picture, mask = drawn([(*centers[0], (40, 40, 205)), (*centers[1], (40, 200, 235))])
    discs = found_in(picture, mask)
    assert len(discs) == 2
    for center in centers:
        assert min(math.dist((d.u, d.v), center) for d in discs) < 0.15


def test_no_two_discs_overlap() -> None:
    """Discs found lie at least 1.7 radii apart, whatever the picture."""
    rng = np.random.default_rng(3)
    picture = rng.integers(0, 255, (90, 90, 3), np.uint8)
    discs = found_in(np.asarray(cv2.GaussianBlur(picture, (0, 0), 2)), np.ones((90, 90), np.uint8))
    pairs = [(a, b) for i, a in enumerate(discs) for b in discs[i + 1 :]]
    assert all(math.dist((a.u, a.v), (b.u, b.v)) >= 1.7 * R for a, b in pairs)


def test_a_disc_has_to_cover_foreground() -> None:
    """A ring of edges around bare cloth (a chalk mark) is no ball."""
    picture, _ = drawn([(45.0, 45.0, (40, 40, 205))])
    nothing = np.zeros((90, 90), np.uint8)
    assert find_discs(edges_of(picture, nothing + 255, 5.0), nothing, R, 0.55) == []


def capsule(center: tuple[float, float], half: tuple[float, float], radius: float = R) -> Image:
    """The mask (120, 120) of a capsule."""
    v, u = np.mgrid[:120, :120]
    along = np.array(half)
    length = max(1e-9, float(np.hypot(*along)))
    unit = along / length
    offset = np.stack((u - center[0], v - center[1]), axis=-1)
    at = np.clip(offset @ unit, -length, length)
    away = np.hypot(*(offset - at[..., None] * unit).transpose(2, 0, 1))
    return np.asarray(away < radius, np.uint8)


@pytest.mark.parametrize("half", [(15.0, 0.0), (0.0, 25.0), (20.0, 12.0), (-18.0, 18.0)])
def test_a_streak_is_a_capsule(half: tuple[float, float]) -> None:
    """Middle, half length and direction of a capsule are found, and it fits almost wholly."""
    streak = fit_streak(capsule((60.0, 59.0), half), R)
    assert streak is not None
    assert (streak.u, streak.v) == pytest.approx((60, 59), abs=0.2)
    length = math.hypot(streak.half_u, streak.half_v)
    assert length == pytest.approx(math.hypot(*half), abs=1.5)
    cosine = (streak.half_u * half[0] + streak.half_v * half[1]) / (length * math.hypot(*half))
    assert abs(cosine) > math.cos(math.radians(3))
    assert streak.overlap > 0.9


@pytest.mark.parametrize("radius", [0.4 * R, 1.6 * R])
def test_what_is_not_ball_wide_is_no_streak(radius: float) -> None:
    """A cue's shaft is too thin and an arm too wide."""
    assert fit_streak(capsule((60.0, 60.0), (25.0, 5.0), radius), R) is None


def test_an_empty_mask_is_no_streak() -> None:
    """Nothing is no streak."""
    assert fit_streak(np.zeros((50, 50), np.uint8), R) is None


def test_a_bent_thing_is_a_poor_streak() -> None:
    """An L of ball width (a bent finger) does not fit a capsule."""
    bent = capsule((45.0, 60.0), (25.0, 0.0)) | capsule((70.0, 45.0), (0.0, 25.0))
    streak = fit_streak(np.asarray(bent, np.uint8), R)
    assert streak is None or streak.overlap < 0.7
