"""The four noses as observations: strips cut along the rails, and what is seen in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.cloth import Image
from calibration.cloth_look import ClothLook
from calibration.edges import Edges, sections
from calibration.errors import NO_NOSES, CalibrationError
from calibration.lens_pose import LensPose
from calibration.noses import NosePath, curve_scatter_m, nose_curve, nose_observations
from calibration.observations import Observations
from calibration.strips import Strip, cut_strip, nose_height_m, rails_of
from calibration.view import camera_of, metres_per_px
from table.geometry import TableSpec

_FAINT: Final = 1.5
"""How much more than its scatter a nose's points may lie off."""
_SIDE_SIGMA_PX: Final = 0.15
"""How far a whole side's nose may be seen off, in pixels: blur and shadow err alike."""
_SHALLOW_PX: Final = 2.0
"""The same for a band inside the nose that is darker by 1 of 255, and less for a deeper one."""
_LARGEST_SIDE_SIGMA_PX: Final = 0.6
_FAINT_SIGMA_PX: Final = 2.0
"""The same, beyond that, for one that can hardly be made out."""
_PARTLY_SIGMA_PX: Final = 1.0
"""The same for one that hardly any section shows: what some of them show may be another edge."""

Cut = dict[str, tuple[Strip, Edges]]
"""The strip of each rail and the edges across it."""


def cut_rails(
    frames_bgr: Sequence[Image],
    pose: LensPose,
    table: TableSpec,
    look: ClothLook | None,
    sampling: tuple[float, float, float, float],
) -> Cut:
    """The strips along the rails through a pose, and the edges in them.

    Args:
        look: how the cloth looks; without it edges are measured finely (see `edges.sections`).
        sampling: reach across the nose to both sides, steps along and across, and length of a
            section, in metres.
    """
    reach_m, step_u_m, step_v_m, section_m = sampling
    height, width = frames_bgr[0].shape[:2]
    image_size = (width, height)
    camera = camera_of(pose, table, image_size)
    cut: Cut = {}
    for name, rail in rails_of(camera.table).items():
        strip = cut_strip(frames_bgr, camera, rail, (-reach_m, reach_m), (step_u_m, step_v_m))
        count = max(8, round(2 * rail.half_length_m / section_m))
        cut[name] = (strip, sections(strip, look, image_size, count))
    return cut


def observe_noses(
    cut: Cut,
    table: TableSpec,
    pose: LensPose,
    paths: dict[str, NosePath],
    reach_m: float,
    clear: dict[str, float] | None = None,
) -> list[Observations]:
    """The noses along the paths, side by side.

    With `clear`, how clearly each is seen, a side may lack; without it that is an error.
    """
    per_px = metres_per_px(pose)
    sigma = float(np.hypot(0.4 * per_px, 0.0006))
    rails = rails_of(table)
    parts = []
    for name, (strip, edges) in cut.items():
        curve = nose_curve(edges, paths[name], reach_m, degree=2)
        if curve is None and clear is None:
            raise CalibrationError(NO_NOSES)
        if curve is None:
            continue
        # A faint nose scatters: it counts for less.
        points = (curve.u_m, curve.v_m)
        own = float(np.hypot(sigma, _FAINT * curve_scatter_m(*points)))
        seen = nose_observations(strip, rails[name], points, nose_height_m(table), own)
        faint = 0.0 if clear is None else 1.0 - clear[name]
        share = len(seen) / len(edges.u_m)
        partly = _PARTLY_SIGMA_PX * (1.0 - share) ** 2
        common_px = _side_sigma_px(curve.depth) + _FAINT_SIGMA_PX * faint**1.5 + partly
        common = np.full(len(seen), common_px * per_px)
        shared = common * rails[name].outward
        parts.append(replace(seen, common_sigma_m=common, shared_m=shared))
    return parts


def _side_sigma_px(depth: float) -> float:
    """How far a whole side's nose may be seen off beside a band of this depth."""
    shallow = _SHALLOW_PX / max(depth, 1e-6)
    return min(float(np.hypot(_SIDE_SIGMA_PX, shallow)), _LARGEST_SIDE_SIGMA_PX)
