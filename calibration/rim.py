"""The rim of the cloth: the line on each rail where the cloth on the cushion top ends.

Noses can be all but invisible, at a cushion that faces the light or in a small picture. The
rim is a change of material, seen in any light; on all four sides it lies equally far outside
the nose. It carries the camera where noses are faint, and tells a nose from other edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.cloth import Image
from calibration.edges import Edges, sections
from calibration.filters import slopes
from calibration.lens import Array
from calibration.lens_pose import LensPose, LensPrior
from calibration.noses import curve_scatter_m, followed, nose_observations
from calibration.observations import Observations, joined
from calibration.solve import Fit, fit_camera
from calibration.strips import RAILS, Strip, cut_strip, nose_height_m, rails_of
from calibration.view import camera_of, metres_per_px
from table.geometry import TableSpec

RIM_GROUP: Final = "border"

_REACHES_M: Final = (0.030, 0.012, 0.008)
_LEAST_STEP: Final = 4.0
"""Least change of colour (8-bit Lab) across the rim."""
_CLOSE_PX: Final = 0.6
"""So far from a smooth line a section may show the rim: in a small picture that is millimetres."""
_LEAST_AGREEING: Final = 0.45
"""Least share of a side's sections that show the rim."""
_SIGMA_M: Final = 0.0012
_SIDE_SIGMA_M: Final = 0.002
"""How far a whole side's rim may lie off: rails are not made as exactly as noses."""
_SIDE_SIGMA_PX: Final = 0.12
_SECTION_M: Final = 0.045
_LARGEST_RMS_M: Final = 0.004


@dataclass(frozen=True, eq=False)
class Rim:
    """The rim on all four sides and the camera fitted to it."""

    fit: Fit
    observed: Observations


def find_rim(
    frames_bgr: Sequence[Image],
    pose: LensPose,
    table: TableSpec,
    prior: LensPrior,
) -> Rim | None:
    """Follow the rim on all four sides from a first camera, ever closer.

    Returns:
        None when a side does not show it clearly or the sides do not fit a camera.
    """
    height, width = frames_bgr[0].shape[:2]
    size = table.length_m / 2.54
    per_px = metres_per_px(pose)
    rim: Rim | None = None
    for reach_m in _REACHES_M:
        sides = rim_observations(frames_bgr, pose, table, max(reach_m * size, 2.0 * per_px))
        if len(sides) < len(RAILS):
            return None
        observed = joined(list(sides.values()))
        fit = fit_camera(pose, observed, prior, (width, height))
        pose, rim = fit.pose, Rim(fit, observed)
    if rim is None or _rms_m(rim.fit) > max(_LARGEST_RMS_M * size, 0.6 * per_px):
        return None
    return rim


def _rms_m(fit: Fit) -> float:
    return float(np.sqrt(np.sum(fit.weight * fit.residual_m**2) / np.sum(fit.weight)))


def rim_observations(
    frames_bgr: Sequence[Image], pose: LensPose, table: TableSpec, reach_m: float
) -> dict[str, Observations]:
    """The rim of each rail that shows it, near where a camera has it."""
    height, width = frames_bgr[0].shape[:2]
    size = table.length_m / 2.54
    camera = camera_of(pose, table, (width, height))
    per_px = metres_per_px(pose)
    outward = {name: rail.outward for name, rail in rails_of(table).items()}
    found = {}
    for name, rail in rails_of(camera.table).items():
        far = pose.cushion_m + reach_m + max(0.02 * size, 3.0 * per_px)
        near = pose.cushion_m - reach_m - max(0.02 * size, 3.0 * per_px)
        strip = cut_strip(frames_bgr, camera, rail, (-far, -near), (0.005, 0.001))
        count = max(8, round(2 * rail.half_length_m / _SECTION_M))
        edges = sections(strip, None, (width, height), count)
        curve = _rim_curve(edges, -pose.cushion_m, reach_m)
        if curve is not None:
            found[name] = _observations(strip, table, outward[name], curve, per_px, name)
    return found


def _observations(
    strip: Strip,
    table: TableSpec,
    outward: float,
    curve: tuple[Array, Array],
    per_px: float,
    name: str,
) -> Observations:
    sigma = float(np.hypot(np.hypot(_SIGMA_M, 0.35 * per_px), curve_scatter_m(*curve)))
    side = float(np.hypot(_SIDE_SIGMA_M * table.length_m / 2.54, _SIDE_SIGMA_PX * per_px))
    seen = nose_observations(strip, rails_of(table)[name], curve, nose_height_m(table), sigma)
    return replace(
        seen,
        border_sign=np.full(len(seen), outward),
        on_rail=np.ones(len(seen)),
        group=np.full(len(seen), RIM_GROUP, dtype="<U16"),
        common_sigma_m=np.full(len(seen), side),
    )


def _rim_curve(edges: Edges, at_m: float, reach_m: float) -> tuple[Array, Array] | None:
    """(u, v) of the sections that show the rim within reach of `at_m`."""
    step = edges.v_m[1] - edges.v_m[0]
    width = max(edges.blur_m / step, 0.7)
    slope = slopes(edges.lab, width) * 2.5 * width
    change = np.sqrt(slope[0] ** 2 + 2.0 * slope[1] ** 2 + 2.0 * slope[2] ** 2)
    change[:, np.abs(edges.v_m - at_m) > reach_m] = 0.0
    curve = followed(edges, change, reach_m, 2, _LEAST_STEP, _CLOSE_PX * edges.px_m)
    if curve is None or len(curve[0]) < _LEAST_AGREEING * len(edges.u_m):
        return None
    return curve
