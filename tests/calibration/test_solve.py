"""The fit: lines that err together, and derivatives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.found import Calibration, check_sigma
from calibration.lens_pose import LensPose, LensPrior
from calibration.observations import Observations, joined, on_line
from calibration.solve import fit_camera
from calibration.strips import nose_height_m, rails_of
from calibration.uncertainty import PositionSigma
from table.geometry import NINE_FOOT
from tests.calibration.cameras import overhead_camera


def pose_of(camera: Camera) -> LensPose:
    """The unknowns of a camera, its middle taken as the principal point."""
    return LensPose(
        camera.focal_px,
        float(camera.dist[0]),
        float(camera.dist[1]),
        camera.camera_matrix[:2, 2],
        camera.r_camera_from_table,
        camera.t_camera_from_table_m,
        0.05,
    )


def seen_noses(camera: Camera, off_m: dict[str, float], common_m: float) -> Observations:
    """Exact pixels of all four noses, whole sides moved outward by `off_m`."""
    parts = []
    z = nose_height_m(NINE_FOOT)
    for name, rail in rails_of(NINE_FOOT).items():
        u = np.linspace(-0.9, 0.9, 30) * rail.half_length_m
        points = rail.points(u, np.full(30, -off_m.get(name, 0.0)))
        part = on_line(
            camera.project_on_plane(points, z),
            axis=rail.axis,
            target_m=rail.line_m,
            z_m=z,
            sigma_m=0.001,
            group=name,
            common_sigma_m=common_m,
        )
        parts.append(part)
    return joined(parts)


def test_exact_noses_give_the_camera_back() -> None:
    true = replace(overhead_camera(3, k1=-0.1), dist=np.array([-0.1, 0.01, 0.0, 0.0, 0.0]))
    fit = fit_camera(pose_of(true), seen_noses(true, {}, 0.001), LensPrior(), true.image_size)
    assert np.max(np.abs(fit.residual_m)) < 0.0005


def test_a_side_that_may_err_as_a_whole_pulls_less() -> None:
    true = replace(overhead_camera(3, k1=0.0), dist=np.zeros(5))
    pulled_m = []
    for common_m in (0.0, 0.01):
        off = seen_noses(true, {"LEFT": 0.004}, common_m)
        off = off.where(off.group == "LEFT")
        off = replace(off, group=np.full(len(off), "rim", dtype="<U16"))
        seen = joined([seen_noses(true, {}, 0.0002), off])
        fit = fit_camera(pose_of(true), seen, LensPrior(), true.image_size)
        pulled_m.append(abs(float(np.mean(fit.residual_m[seen.group == "LEFT"]))))
    assert pulled_m[1] < 0.5 * pulled_m[0]


def test_what_errs_together_is_less_sure() -> None:
    true = replace(overhead_camera(3, k1=0.0), dist=np.zeros(5))
    alone, together = (
        fit_camera(pose_of(true), seen_noses(true, {}, m), LensPrior(), true.image_size)
        for m in (0.0, 0.003)
    )
    assert np.all(np.diag(together.covariance)[8:11] > np.diag(alone.covariance)[8:11])


def test_a_camera_that_knows_that_it_is_inexact_is_refused() -> None:
    made = calibration_with_sigma(4.9)
    check_sigma(made)
    with pytest.raises(CalibrationError, match=r"too inexactly .*balls to 6 mm.*--points"):
        check_sigma(calibration_with_sigma(5.6))


def calibration_with_sigma(worst_mm: float) -> Calibration:
    """A calibration that predicts such an error in one corner of the bed."""
    bed = np.linspace(-1.0, 1.0, 3)
    sigma_mm = np.full((3, 3), 1.0)
    sigma_mm[0, 0] = worst_mm
    points = np.zeros((1, 2))
    seen = on_line(points, axis=0, target_m=0.0, z_m=0.0, sigma_m=1.0, group="HEAD")
    sigma = PositionSigma(bed, bed, sigma_mm)
    camera = overhead_camera(1)
    return Calibration(camera, "right", "given", seen, np.zeros(1), np.ones(1), sigma, ())
