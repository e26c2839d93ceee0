"""Exposure as a camera's automatic or its operator sets it: from the cloth and a white ball."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from synthetic.physics.motion import Array
from synthetic.render.backdrop import Backdrop
from synthetic.render.sensor import Sensor, tone_curve

_WHITE_ALBEDO: Final = 0.86
_STEP: Final = 4


def metered(sensor: Sensor, backdrop: Backdrop, camera: Camera, cloth: Array) -> Sensor:
    """The sensor with the exposure that brings the empty cloth to its level.

    `cloth` (3,) is the cloth's linear colour. A white ball stays below `white_limit`. A sensor
    without a cloth level keeps its exposure.
    """
    if sensor.cloth_level <= 0.0:
        return sensor
    light = backdrop.light[::_STEP, ::_STEP]
    place = backdrop.place_m[::_STEP, ::_STEP]
    a, b = 0.9 * camera.table.length_m / 2, 0.85 * camera.table.width_m / 2
    on_bed = (np.abs(place[..., 0]) < a) & (np.abs(place[..., 1]) < b) & (place[..., 2] > -0.01)
    if not on_bed.any():
        return sensor
    bed = np.median(light[on_bed].astype(np.float64), axis=0) * np.array(sensor.balance)
    brightness = float(np.mean(bed / np.maximum(cloth * np.array(sensor.balance), 1e-4)))
    low, high = 0.02, 60.0
    curve = tone_curve(sensor.contrast)
    for _ in range(30):
        middle = (low * high) ** 0.5
        if _luma(bed * middle, curve) < sensor.cloth_level:
            low = middle
        else:
            high = middle
    limit = sensor.white_limit / max(_WHITE_ALBEDO * brightness, 1e-6)
    return replace(sensor, exposure=min(low, limit))


def _luma(light: Array, curve: Array) -> float:
    """Luma of a linear colour, 0..255."""
    at = np.clip(light, 0.0, 3.99) / 4.0 * (len(curve) - 1)
    values = np.interp(at, np.arange(len(curve)), curve)
    pixel = values.reshape(1, 1, 3).astype(np.float32) / 255.0
    return float(cv2.cvtColor(pixel, cv2.COLOR_RGB2GRAY)[0, 0]) * 255.0
