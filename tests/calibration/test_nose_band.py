"""The dark band inside a nose: where the nose lies when blur moves the steepest fall."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.nose_band import fitted_band

PX_M = 0.005
V_M = np.arange(-0.03, 0.05, 0.0007)


def seen_profile(nose_m: float, width_m: float, blur_px: float, noise: float = 0.0) -> np.ndarray:
    """Lightness 130 on the cushion, 70 in the band, 115 on the bed, blurred."""

    def step(at_m: float) -> np.ndarray:
        return np.array([0.5 * (1 + math.erf((v - at_m) / (blur_px * PX_M * 2**0.5))) for v in V_M])

    clean = 130.0 - 60.0 * step(nose_m) + 45.0 * step(nose_m + width_m)
    return clean + np.random.default_rng(0).normal(0.0, noise, len(V_M))


def steepest_fall_m(profile: np.ndarray) -> float:
    return float(V_M[int(np.argmin(np.gradient(profile)))])


@pytest.mark.parametrize(
    ("width_m", "blur_px"), [(0.008, 0.7), (0.012, 0.7), (0.020, 0.7), (0.012, 1.2), (0.020, 1.2)]
)
def test_the_nose_is_found_beside_a_narrow_band(width_m: float, blur_px: float) -> None:
    profile = seen_profile(0.001, width_m, blur_px, noise=0.3)
    band = fitted_band(V_M, profile, steepest_fall_m(profile), PX_M)
    assert band is not None
    assert abs(band.nose_m - 0.001) < 0.25 * PX_M


def test_the_fit_undoes_what_blur_did() -> None:
    profile = seen_profile(0.0, 0.014, 1.6)
    raw_m = steepest_fall_m(profile)
    band = fitted_band(V_M, profile, raw_m, PX_M)
    assert raw_m < -0.3 * PX_M
    assert band is not None and abs(band.nose_m) < 0.7 * abs(raw_m)


def test_where_lightness_does_not_rise_again_there_is_no_band() -> None:
    profile = np.where(V_M < 0.0, 130.0, 90.0) - 200.0 * np.maximum(V_M, 0.0)
    assert fitted_band(V_M, profile, 0.0, PX_M) is None
