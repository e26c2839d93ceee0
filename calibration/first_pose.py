"""A first camera from the outline of the cloth, good enough to look for the noses with.

The border of the cloth lies a cushion's width outside the noses. Wide lenses bow it so much
that its sides are read in a picture straightened by a guess of the lens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cloth import ClothRegion
from calibration.errors import NO_TABLE, CalibrationError
from calibration.lens import Array, distort, turning_radius
from calibration.outline import border_points, quad_of_hull
from calibration.solve import (
    Fit,
    LensPose,
    LensPrior,
    Observations,
    fit_camera,
    joined,
    on_line,
)
from calibration.strips import nose_height_m, rails_of
from table.geometry import TableSpec

_CORNER_ORDER: Final = ("HEAD", "RIGHT", "FOOT", "LEFT")
"""The side after each corner HL, HR, FR, FL, counter-clockwise seen from above."""

_BORDER_SIGMA_M: Final = 0.006
_GOOD_COST: Final = 0.8
"""Cost an observation below which no other lens is tried."""
_LEAST_POINTS: Final = 20
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


def pose_of_border(
    region: ClothRegion, table: TableSpec, prior: LensPrior, image_size: tuple[int, int]
) -> LensPose:
    """The lens and pose that fit the border of a cloth region best.

    Raises:
        CalibrationError: when the region has no four sides.
    """
    best: tuple[float, Fit] | None = None
    for start in lens_starts(prior, image_size):
        for fit, count in _fits(region, table, prior, image_size, start):
            cost = fit.cost / count
            if best is None or cost < best[0]:
                best = (cost, fit)
        if best is not None and best[0] < _GOOD_COST:
            break
    if best is None:
        raise CalibrationError(NO_TABLE)
    return best[1].pose


def _fits(
    region: ClothRegion,
    table: TableSpec,
    prior: LensPrior,
    image_size: tuple[int, int],
    lens: LensStart,
) -> list[tuple[Fit, int]]:
    outline = _outline(region, lens)
    if outline is None:
        return []
    quad_norm, border = outline
    fits = []
    for turn in _turns(quad_norm):
        start = start_pose(quad_norm, table, lens, prior.cushion_m, turn)
        observed = _border_observations(border, turn, table)
        if start is not None and len(observed) >= _LEAST_POINTS:
            fits.append((fit_camera(start, observed, prior, image_size), len(observed)))
    return fits


def _outline(region: ClothRegion, lens: LensStart) -> tuple[Array, list[Array]] | None:
    """The outline's corners in ideal normalised coordinates, and border pixels of each side."""
    mask, scale = region.mask_small, region.small_scale
    if lens.is_straight:
        small = (region.quad_px + 0.5) * scale - 0.5
        sides = border_points(mask, small)
        border = [(points + 0.5) / scale - 0.5 for points in sides]
        return (region.quad_px - lens.center_px) / lens.focal_px, border
    focal = lens.focal_px * scale
    size = (np.array(mask.shape[::-1]) * _STRAIGHTENED).astype(int)
    middle = (size - 1.0) / 2.0
    u, v = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    ideal = (np.stack([u, v], axis=-1).reshape(-1, 2) - middle) / focal
    source = (_pixels(ideal, lens) + 0.5) * scale - 0.5
    source[np.hypot(ideal[:, 0], ideal[:, 1]) > turning_radius(lens.dist)] = -10.0
    maps = source.reshape(size[1], size[0], 2).astype(np.float32)
    straight = cv2.remap(mask.astype(np.uint8), maps[..., 0], maps[..., 1], cv2.INTER_NEAREST) > 0
    quad = quad_of_hull(straight)
    if quad is None:
        return None
    sides = border_points(straight, quad)
    return (quad - middle) / focal, [_pixels((p - middle) / focal, lens) for p in sides]


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
            )
        )
    return joined(parts)
