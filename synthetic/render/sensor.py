"""From light to pixels: exposure, white balance, tone, vignetting, blur and noise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from synthetic.jit import compiled
from synthetic.physics.motion import Array, Floats

Image = NDArray[np.uint8]

_STEPS: Final = 4096
_BRIGHTEST: Final = 4.0
"""Light at the end of the tone curve's table."""


@dataclass(frozen=True)
class Sensor:
    """One camera's electronics."""

    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    saturation: float = 1.0
    noise: float = 1.5
    """Standard deviation in the mid tones, 8-bit steps."""
    blur_px: float = 0.6
    vignette: float = 0.1
    sharpen: float = 0.2


@dataclass(eq=False)
class Develop:
    """Turns linear frames of one size into 8-bit pictures."""

    sensor: Sensor
    size: tuple[int, int]
    rng: np.random.Generator
    _curve: Array = field(init=False)
    _bank: NDArray[np.float32] = field(init=False)
    _shade: Floats = field(init=False)

    def __post_init__(self) -> None:
        width, height = self.size
        self._curve = tone_curve(self.sensor.contrast)
        grain = self.rng.normal(size=(height + 64, width + 64, 3))
        grain = 0.55 * grain + 0.45 * cv2.GaussianBlur(grain, (0, 0), 0.7) * 2.4
        self._bank = grain.astype(np.float32)
        y, x = np.mgrid[0:height, 0:width]
        r2 = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / (width**2 + height**2) * 4.0
        self._shade = (1.0 - self.sensor.vignette * r2).astype(np.float32)

    def picture(self, light: Floats, gain: float = 1.0) -> Image:
        """(H, W, 3) 8-bit r g b of a linear frame; `gain` is the lamps' flicker."""
        sensor = self.sensor
        if sensor.blur_px > 0:
            light = _floats(cv2.GaussianBlur(light, (5, 5), sensor.blur_px))
        if sensor.sharpen > 0:
            wide = cv2.GaussianBlur(light, (7, 7), 1.6)
            light = _floats(
                cv2.addWeighted(light, 1.0 + sensor.sharpen, wide, -sensor.sharpen, 0.0)
            )
        out = np.empty(light.shape, dtype=np.uint8)
        dy, dx = (int(value) for value in self.rng.integers(0, 64, size=2))
        height, width = light.shape[:2]
        _develop(
            light,
            self._shade,
            self._bank[dy : dy + height, dx : dx + width],
            self._curve,
            np.array(sensor.balance) * sensor.exposure * gain,
            sensor.saturation,
            sensor.noise,
            out,
        )
        return out


def _floats(image: NDArray[np.generic]) -> Floats:
    return image.astype(np.float32, copy=False)


def tone_curve(contrast: float) -> Array:
    """8-bit values of light 0.._BRIGHTEST: sRGB with a shoulder and a contrast about grey."""
    light = np.linspace(0.0, _BRIGHTEST, _STEPS)
    knee = 0.8
    over = np.maximum(light - knee, 0.0)
    soft = np.minimum(light, knee) + (1.0 - knee) * (1.0 - np.exp(-over / (1.0 - knee)))
    srgb = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * soft ** (1 / 2.4) - 0.055)
    curve: Array = np.clip(0.46 + (srgb - 0.46) * contrast, 0.0, 1.0) * 255.0
    return curve


@compiled
def _develop(
    light: Floats,
    shade: Floats,
    bank: Floats,
    curve: Array,
    gain: Array,
    saturation: float,
    noise: float,
    out: Image,
) -> None:
    height, width, _ = light.shape
    scale = (_STEPS - 1) / _BRIGHTEST
    for row in range(height):
        for column in range(width):
            s = shade[row, column]
            r = light[row, column, 0] * gain[0] * s
            g = light[row, column, 1] * gain[1] * s
            b = light[row, column, 2] * gain[2] * s
            grey = 0.25 * r + 0.6 * g + 0.15 * b
            for c in range(3):
                v = r if c == 0 else g if c == 1 else b
                v = grey + saturation * (v - grey)
                v = min(max(v, 0.0), _BRIGHTEST - 0.01) * scale
                i = int(v)
                value = curve[i] + (v - i) * (curve[i + 1] - curve[i])
                # Photon noise in 8-bit steps is largest in the shadows of the tone curve.
                sigma = noise * (0.6 + 0.8 * (1.0 - value / 255.0))
                value += sigma * bank[row, column, c] + 0.5
                out[row, column, c] = int(min(max(value, 0.0), 255.0))
