"""A first camera from the outline of the cloth, good enough to look for the noses with.

The border of the cloth lies a cushion's width outside the noses. Wide lenses bow it so much
that its sides are read in a picture straightened by a guess of the lens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cloth import ClothRegion
from calibration.lens import Array, distort, turning_radius
from calibration.lens_pose import LensPose, LensPrior
from calibration.observations import Observations, joined, on_line
from calibration.outline import SAMPLES, border_points, quad_of_hull
from calibration.solve import fit_camera
from calibration.strips import nose_height_m, rails_of
from table.geometry import TableSpec

_CORNER_ORDER: Final = ("HEAD", "RIGHT", "FOOT", "LEFT")
"""The side after each corner HL, HR, FR, FL, counter-clockwise seen from above."""

_BORDER_SIGMA_M: Final = 0.009
_GOOD_COST: Final = 0.8
"""Cost an observation below which no other lens is tried."""
_LEAST_POINTS: Final = 20
_MISSING: Final = 2.0
"""What a sample of the border costs that shows no border."""
_MUCH_BETTER: Final = 0.6
_LEAST_HEIGHT_M: Final = 0.4
_LARGEST_STRETCH: Final = 0.06
"""A table further from its measures is rather a border that was misread."""
_FOCAL_SHARE: Final = (0.33, 5.0)
"""Focal lengths beyond these shares of the longer side mean that a fit went astray."""
_STRAIGHTENED: Final = 1.5
"""Size of the straightened picture: a straightened barrel is larger."""


@dataclass(frozen=True, eq=False)
class LensStart:
    """A lens to start a fit from."""

    focal_px: float
    k1: float
    k2: float
    center_px: Array
    fixed_dist: Array
    k3_per_k1_cubed: float

    @property
    def dist(self) -> Array:
        """(5,) k1, k2, p1, p2, k3."""
        p1, p2, k3 = self.fixed_dist
        return np.array([self.k1, self.k2, p1, p2, k3 + self.k3_per_k1_cubed * self.k1**3])

    @property
    def is_straight(self) -> bool:
        """True for a lens without distortion."""
        return not np.any(self.dist)


def lens_starts(prior: LensPrior, image_size: tuple[int, int]) -> tuple[LensStart, ...]:
    """The lenses to try: the believed one, and a wide webcam when little is known."""
    side = max(image_size)
    center = prior.center_px(image_size)
    fixed = np.array(prior.fixed_dist)
    focal = prior.focal_share * side
    k1, k2 = prior.start_k1_k2(image_size, focal)
    believed = LensStart(focal, k1, k2, center, fixed, prior.k3_per_k1_cubed)
    if prior.is_measured:
        return (believed,)
    wide = LensStart(0.45 * side, -0.30, 0.09, center, fixed, prior.k3_per_k1_cubed)
    return (believed, wide)


@dataclass(frozen=True, eq=False)
class BorderFit:
    """A camera fitted to the border of a region."""

    pose: LensPose
    cost: float
    """Robust cost an observation: about 0.5 for a clean border, more for a ragged one."""

    @property
    def is_clean(self) -> bool:
        """True when no other reading of the border need be tried."""
        return self.cost < _GOOD_COST

    @property
    def is_straight(self) -> bool:
        """True when the border is straight enough to tell the view's tilt."""
        return self.cost < 2.0 * _GOOD_COST


def fit_border(
    region: ClothRegion, table: TableSpec, prior: LensPrior, image_size: tuple[int, int]
) -> BorderFit | None:
    """The lens and pose that fit the border of a cloth region best, None if none does.

    While no fit is clean further readings are tried: through a wide lens, and without one
    side each, before which somebody may stand.
    """
    # Somebody before a rail bends a border as no lens does: what is believed weighs more here.
    sure = replace(
        prior,
        focal_sigma=prior.focal_sigma / 2.0,
        center_sigma_share=prior.center_sigma_share / 2.0,
        stretch_sigma=prior.stretch_sigma / 2.0,
    )
    views = [_straightened(region, lens) for lens in lens_starts(prior, image_size)]
    plain: list[BorderFit] = []
    for view in views:
        plain += [] if view is None else _fits(view, None, table, sure, image_size)
        if any(fit.is_clean for fit in plain):
            break
    best = min(plain, key=lambda fit: fit.cost, default=None)
    if best is not None and best.is_clean:
        return best
    others: list[BorderFit] = []
    for view in views:
        for side in range(4):
            others += [] if view is None else _fits(view, side, table, sure, image_size)
    other = min(others, key=lambda fit: fit.cost, default=None)
    if best is None or (other is not None and other.cost < _MUCH_BETTER * best.cost):
        return other
    return best


def _fits(
    view: _View,
    without: int | None,
    table: TableSpec,
    prior: LensPrior,
    image_size: tuple[int, int],
) -> list[BorderFit]:
    fits = []
    for turn in _turns(view.quad):
        quad = view.quad
        if without is not None:
            # With corner -turn as HL, the sides turn and turn + 2 are the ends.
            quad = _without_side(quad, without, (without + turn) % 2 == 0, table, prior.cushion_m)
        start = start_pose(view.normal(quad), table, view.lens, prior.cushion_m, turn)
        border = [view.pixels(points) for points in border_points(view.mask, quad)]
        observed = _border_observations(border, turn, table)
        if start is None or len(observed) < _LEAST_POINTS:
            continue
        fit = fit_camera(start, observed, prior, image_size)
        if _is_possible(fit.pose, image_size):
            cost = fit.cost + _MISSING * (4 * SAMPLES - len(observed))
            fits.append(BorderFit(fit.pose, cost / (4 * SAMPLES)))
    return fits


def _is_possible(pose: LensPose, image_size: tuple[int, int]) -> bool:
    """True for a camera that can be: above the table, with a lens that exists."""
    share = pose.focal_px / max(image_size)
    height_m = -float((pose.rotation.T @ pose.translation_m)[2])
    return (
        _FOCAL_SHARE[0] < share < _FOCAL_SHARE[1]
        and height_m > _LEAST_HEIGHT_M
        and abs(pose.stretch) < _LARGEST_STRETCH
    )


def _without_side(
    quad: Array, side: int, is_end: bool, table: TableSpec, cushion_m: float
) -> Array:
    """The quadrilateral with one side where the other three and the table's measures put it."""
    ratio = (table.length_m + 2 * cushion_m) / (table.width_m + 2 * cushion_m)
    a, b, c, d = (quad[(side + k) % 4] for k in range(4))
    reach = float(np.linalg.norm(c - d)) * (ratio if is_end else 1.0 / ratio)
    changed = quad.copy()
    changed[side] = d + (a - d) / max(float(np.linalg.norm(a - d)), 1e-9) * reach
    changed[(side + 1) % 4] = c + (b - c) / max(float(np.linalg.norm(b - c)), 1e-9) * reach
    return changed


@dataclass(frozen=True, eq=False)
class _View:
    """A region as a pinhole camera would see it, and the way back."""

    mask: NDArray[np.bool_]
    quad: Array
    """(4, 2) outline in pixels of the mask."""
    lens: LensStart
    focal_px: float
    middle_px: Array
    """Of the pinhole camera, in pixels of the mask."""

    def normal(self, points: Array) -> Array:
        """Ideal normalised coordinates of mask pixels (N, 2)."""
        normal: Array = (points - self.middle_px) / self.focal_px
        return normal

    def pixels(self, points: Array) -> Array:
        """Pixels of the full picture of mask pixels (N, 2)."""
        return _pixels(self.normal(points), self.lens)


def _straightened(region: ClothRegion, lens: LensStart) -> _View | None:
    mask, scale = region.mask_small, region.small_scale
    focal = lens.focal_px * scale
    if lens.is_straight:
        middle = (lens.center_px + 0.5) * scale - 0.5
        return _View(mask, (region.quad_px + 0.5) * scale - 0.5, lens, focal, middle)
    size = (np.array(mask.shape[::-1]) * _STRAIGHTENED).astype(int)
    middle = (size - 1.0) / 2.0
    u, v = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    ideal = (np.stack([u, v], axis=-1).reshape(-1, 2) - middle) / focal
    source = (_pixels(ideal, lens) + 0.5) * scale - 0.5
    source[np.hypot(ideal[:, 0], ideal[:, 1]) > turning_radius(lens.dist)] = -10.0
    maps = source.reshape(size[1], size[0], 2).astype(np.float32)
    straight = cv2.remap(mask.astype(np.uint8), maps[..., 0], maps[..., 1], cv2.INTER_NEAREST) > 0
    quad = quad_of_hull(straight)
    return None if quad is None else _View(straight, quad, lens, focal, middle)


def _pixels(ideal_norm: Array, lens: LensStart) -> Array:
    pixels: Array = distort(ideal_norm, lens.dist) * lens.focal_px + lens.center_px
    return pixels


def _turns(quad: NDArray[np.float64]) -> tuple[int, ...]:
    """Which sides can be the ends: by length where it is clear, else both."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    ratio = (sides[0] + sides[2]) / max(sides[1] + sides[3], 1e-9)
    if ratio < 0.7:
        return (0,)
    return (1,) if ratio > 1.43 else (0, 1)


def start_pose(
    quad_norm: Array, table: TableSpec, lens: LensStart, cushion_m: float, turn: int
) -> LensPose | None:
    """A first pose from four corners.

    Args:
        quad_norm: (4, 2) corners in ideal normalised coordinates (see `calibration.lens`),
            counter-clockwise as seen in the picture.
        cushion_m: how far the corners lie outside the nose lines.
        turn: which corner is HL: corner -turn.
    """
    a = table.length_m / 2 + cushion_m
    b = table.width_m / 2 + cushion_m
    flat = np.array([(-a, b, 0.0), (-a, -b, 0.0), (a, -b, 0.0), (a, b, 0.0)])
    up = np.array([0.0, 0.0, nose_height_m(table)])
    seen = np.roll(quad_norm, turn, axis=0)
    found, turns, shifts, _ = cv2.solvePnPGeneric(
        flat, seen.reshape(-1, 1, 2), np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE
    )
    best: LensPose | None = None
    least = np.inf
    for rvec, tvec in zip(turns, shifts, strict=True) if found else ():
        rotation = np.asarray(cv2.Rodrigues(rvec)[0], dtype=np.float64)
        shift = np.asarray(tvec[:, 0] - rotation @ up, dtype=np.float64)
        if (rotation.T @ shift)[2] > 0.0:
            continue
        projected, _ = cv2.projectPoints(flat, rvec, tvec, np.eye(3), np.zeros(5))
        error = float(np.sum((projected[:, 0] - seen) ** 2))
        if error < least:
            least = error
            best = LensPose(
                focal_px=lens.focal_px,
                k1=lens.k1,
                k2=lens.k2,
                center_px=lens.center_px,
                rotation=rotation,
                translation_m=shift,
                cushion_m=cushion_m,
                fixed_dist=lens.fixed_dist,
                k3_per_k1_cubed=lens.k3_per_k1_cubed,
            )
    return best


def _border_observations(border: Sequence[Array], turn: int, table: TableSpec) -> Observations:
    rails = rails_of(table)
    parts = []
    for corner, name in enumerate(_CORNER_ORDER):
        rail = rails[name]
        parts.append(
            on_line(
                border[(corner - turn) % 4],
                axis=rail.axis,
                target_m=rail.line_m,
                z_m=nose_height_m(table),
                sigma_m=_BORDER_SIGMA_M,
                group=name,
                border_sign=rail.outward,
                on_rail=True,
            )
        )
    return joined(parts)
