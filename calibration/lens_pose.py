"""The unknowns of the fit, lens and pose, and what is believed of them beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from calibration.lens import Array


@dataclass(frozen=True)
class LensPrior:
    """What is believed about the lens before the landmarks are seen.

    The focal length is log-normal about 0.9 of the longer image side (58 degrees; phones,
    webcams and hall cameras lie between 40 and 90 degrees), and shorter where the lens bends
    strongly, for wide lenses do. Distortion is believed in as a
    shift at the middle of the shorter picture edge (half the longer side from the middle),
    as a share of that distance, so that it does not depend on the focal length.
    """

    focal_share: float = 0.9
    focal_sigma: float = 0.30
    focal_per_bend1: float = 1.4
    """How much shorter the focal length is (log) for a barrel of bend1 -1: a webcam of 107
    degrees has bend1 -0.45."""
    bend1: float = -0.01
    bend1_sigma: float = 0.03
    """k1 (side / 2 / f)^2: the shift by k1; heavy tails, for wide webcams bend by 0.3."""
    bend2: float = 0.0
    bend2_sigma: float = 0.012
    """k2 (side / 2 / f)^4: the shift by k2, beyond what goes with k1."""
    bend2_per_bend1_squared: float = 1.0
    """Wide lenses bend back at the edge: 1.0 measured on a webcam (k1 -0.31, k2 0.10); an
    equidistant fisheye has 1.8."""
    k3_per_k1_cubed: float = 0.5
    """k3 is not fitted but goes with k1 (0.5 measured on the same webcam)."""
    center_offset_share: tuple[float, float] = (0.0, 0.0)
    """Where the principal point lies from the picture's middle, as a share of the side."""
    center_sigma_share: float = 0.008
    """Standard deviation of the principal point, as a share of the longer side."""
    fixed_dist: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """p1, p2, k3: not fitted."""
    cushion_m: float = 0.053
    """Width of the cushion tops (nose to rail): 2 inches, in fact 45 to 67 mm on real tables."""
    cushion_sigma_m: float = 0.006
    rise_m: float = 0.005
    """How much higher the rails lie than the noses, at the border of the cloth on them: a rail
    of 1 11/16 inches stands 6 mm over the nose, a padded one less."""
    rise_sigma_m: float = 0.003
    sight_stretch_sigma: float = 0.0015
    """Standard deviation of the sights' spacing as a share, the same all round; its tails are
    heavy, because on a home table they stood 1 % too far apart."""
    stretch_sigma: float = 0.001
    """Standard deviation of the table's width as a share; its tails are heavy, because home
    tables are not always 2 : 1 (WPA specification 3 allows 3 mm)."""

    def center_px(self, image_size: tuple[int, int]) -> Array:
        """The believed principal point in pixels."""
        middle = (np.array(image_size, dtype=np.float64) - 1.0) / 2.0
        center: Array = middle + np.array(self.center_offset_share) * max(image_size)
        return center

    @property
    def is_measured(self) -> bool:
        """True when the lens is known from a lens file."""
        return self.bend1_sigma < 0.01

    def start_k1_k2(self, image_size: tuple[int, int], focal_px: float) -> tuple[float, float]:
        """k1 and k2 as believed, 0 where little is known."""
        edge = max(image_size) / 2.0 / focal_px
        if not self.is_measured:
            return (0.0, 0.0)
        return (self.bend1 / edge**2, self.bend2 / edge**4)


@dataclass(frozen=True, eq=False)
class LensPose:
    """The unknowns of the fit."""

    focal_px: float
    k1: float
    k2: float
    center_px: Array
    rotation: Array
    translation_m: Array
    cushion_m: float
    stretch: float = 0.0
    """Width of the table beyond its measures, as a share."""
    rise_m: float = 0.005
    """Height of the rails over the noses."""
    sight_stretch: float = 0.0
    """Spacing of the sights beyond an eighth of the length, as a share."""
    nose_bias: float = 0.0
    """How far noses are seen off on all sides alike, in units of `Observations.shared_m`."""
    fixed_dist: Array = field(default_factory=lambda: np.zeros(3))
    """p1, p2, k3: zero, or from a lens file."""
    k3_per_k1_cubed: float = 0.0
    """k3 beyond its fixed part, as a share of k1^3."""

    @property
    def camera_matrix(self) -> Array:
        """K, 3x3."""
        f, (cx, cy) = self.focal_px, self.center_px
        return np.array([[f, 0.0, cx], [0.0, f, cy], [0.0, 0.0, 1.0]])

    @property
    def dist(self) -> Array:
        """(5,) k1, k2, p1, p2, k3."""
        p1, p2, k3 = self.fixed_dist
        return np.array([self.k1, self.k2, p1, p2, k3 + self.k3_per_k1_cubed * self.k1**3])

    def moved(self, step: Array) -> LensPose:
        """A step in the unknowns: log f, k1, k2, cx, cy, rotation (3), t (3), cushion,
        stretch, rise, stretch of the sights, bias of the noses."""
        turn, _ = cv2.Rodrigues(np.asarray(step[5:8], dtype=np.float64))
        return LensPose(
            self.focal_px * float(np.exp(np.clip(step[0], -1.0, 1.0))),
            self.k1 + float(step[1]),
            self.k2 + float(step[2]),
            self.center_px + step[3:5],
            turn @ self.rotation,
            self.translation_m + step[8:11],
            self.cushion_m + float(step[11]),
            self.stretch + float(step[12]),
            self.rise_m + float(step[13]),
            self.sight_stretch + float(step[14]),
            self.nose_bias + float(step[15]),
            self.fixed_dist,
            self.k3_per_k1_cubed,
        )


UNKNOWNS: Final = 16
