"""A found camera with its evidence, and whether that evidence will do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.camera import Camera
from calibration.errors import CalibrationError, bad_fit, too_inexact, too_oblique
from calibration.lens import Array
from calibration.observations import Observations
from calibration.solve import Fit
from calibration.strips import RAILS, nose_height_m
from calibration.uncertainty import PositionSigma, position_sigma
from calibration.view import MAX_TILT_DEG

MAX_ERROR_MM: Final = 4.0
"""Largest rms error of a calibration that is accepted; beyond it rails are misjudged."""
MAX_SIGMA_MM: Final = 5.0
"""Largest predicted error of a ball's place that is accepted: that of a move that is an alarm."""

_INLIER: Final = 0.2


@dataclass(frozen=True, eq=False)
class Calibration:
    """A found camera with its evidence."""

    camera: Camera
    head: str
    """The image side of the head end."""
    head_from: str
    """given, rack, line, break or assumed."""
    landmarks: Observations
    """What the camera was fitted to."""
    residuals_mm: Array
    """(N,) signed distance of each landmark from its line."""
    inlier: Array
    """(N,) robust weight 0 .. 1 of each landmark."""
    sigma: PositionSigma
    """The predicted error of ball positions over the bed."""
    notes: tuple[str, ...]
    """Sentences for the user: what was assumed and what was not to be seen."""


def calibration_of(
    camera: Camera, fit: Fit, observed: Observations, notes: Sequence[str]
) -> Calibration:
    """The camera with its errors, from the fit that made it.

    Args:
        camera: with its head end, and how that became known.
        notes: what was assumed and what was not to be seen.
    """
    sigma = position_sigma(fit, observed, camera)
    camera = replace(
        camera,
        error_mm=_errors_mm(camera, observed, fit.weight, fit.residual_m),
        more={"position_sigma_mm": _summary(sigma)},
    )
    return Calibration(
        camera=camera,
        head=camera.head,
        head_from=camera.head_from,
        landmarks=observed,
        residuals_mm=1e3 * fit.residual_m,
        inlier=fit.weight,
        sigma=sigma,
        notes=tuple(notes),
    )


def check_fit(camera: Camera, fit: Fit, observed: Observations) -> None:
    """Refuse a camera that its landmarks do not bear out.

    Raises:
        CalibrationError: it looks from the side, or the landmarks do not fit it.
    """
    if camera.tilt_deg > MAX_TILT_DEG:
        raise CalibrationError(too_oblique(camera.tilt_deg, MAX_TILT_DEG))
    square = fit.weight * fit.residual_m**2
    error_mm = 1e3 * float(np.sqrt(np.sum(square) / np.sum(fit.weight)))
    outliers = float(np.mean(fit.weight < _INLIER))
    if error_mm > MAX_ERROR_MM or outliers > 0.4:
        groups = sorted(set(observed.group.tolist()))
        worst = max(groups, key=lambda g: float(np.mean(square[observed.group == g])))
        raise CalibrationError(bad_fit(error_mm, MAX_ERROR_MM, worst))


def check_sigma(calibration: Calibration) -> None:
    """Refuse a camera that says itself that it places balls too inexactly.

    Raises:
        CalibrationError: the predicted error is beyond `MAX_SIGMA_MM` somewhere on the bed.
    """
    worst_mm = float(calibration.sigma.sigma_mm.max())
    if worst_mm > MAX_SIGMA_MM:
        raise CalibrationError(too_inexact(worst_mm, MAX_SIGMA_MM))


def _summary(sigma: PositionSigma) -> dict[str, float]:
    values = sigma.sigma_mm
    return {
        "median": round(float(np.median(values)), 2),
        "max": round(float(values.max()), 2),
    }


def _errors_mm(
    camera: Camera, observed: Observations, weight: Array, residual_m: Array
) -> dict[str, float]:
    """The rms distance of landmarks from their lines, in all and for each cushion."""
    on_noses = np.isin(observed.group, RAILS) | (observed.group == "corner")
    if np.count_nonzero(weight[on_noses] > _INLIER) < 4:
        return {"rms": 1e3 * float(np.sqrt(np.sum(weight * residual_m**2) / np.sum(weight)))}
    seen = camera.on_plane(observed.points_px[on_noses], nose_height_m(camera.table))
    inlier = weight[on_noses] > _INLIER
    a, b = camera.table.length_m / 2, camera.table.width_m / 2
    depth = {
        "HEAD": seen[:, 0] + a,
        "FOOT": a - seen[:, 0],
        "LEFT": b - seen[:, 1],
        "RIGHT": seen[:, 1] + b,
    }
    names = list(depth)
    nearest = np.argmin(np.abs(np.stack([depth[name] for name in names])), axis=0)
    errors: dict[str, float] = {}
    every: list[Array] = []
    for index, name in enumerate(names):
        on_rail = (nearest == index) & inlier
        off = 1e3 * depth[name]
        every.append(off[on_rail])
        halves = {name: on_rail}
        if name in ("LEFT", "RIGHT"):
            halves = {
                f"{name}_HEAD": on_rail & (seen[:, 0] < 0),
                f"{name}_FOOT": on_rail & (seen[:, 0] >= 0),
            }
        for key, rows in halves.items():
            if np.any(rows):
                errors[key] = float(np.sqrt(np.mean(off[rows] ** 2)))
    total = np.concatenate(every)
    return {"rms": float(np.sqrt(np.mean(total**2))), **errors}
