"""From light to pixels: exposure, white balance, tone, vignetting, blur, noise, sharpening."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from synthetic.jit import compiled
from synthetic.physics.motion import Array, Floats

Image = NDArray[np.uint8]

_STEPS: Final = 4096
_BRIGHTEST: Final = 4.0
"""Light at the end of the tone curve's table."""
_ROOM_PX: Final = 64
"""The grain is drawn this much larger than the picture and laid at another place each frame."""


@dataclass(frozen=True)
class Sensor:
    """One camera's electronics."""

    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    saturation: float = 1.0
    noise: float = 1.5
    """Standard deviation of the luma in the mid tones, 8-bit steps."""
    blur_px: float = 0.6
    vignette: float = 0.1
    sharpen: float = 0.2
    """Share of the unsharp mask added after tone and noise, as cameras do it."""
    sharpen_px: float = 1.2
    """Radius (standard deviation) of the unsharp mask."""
    chroma_noise: float = 0.0
    """Standard deviation of each colour difference, 8-bit steps."""
    noise_px: float = 0.45
    """How far the luma's grain is spread, standard deviation."""
    chroma_px: float = 1.6
    bloom: float = 0.0
    """Share of the light above white that is spread around bright places."""
    cloth_level: float = 0.0
    """Luma 0..255 that the meter gives the cloth; 0 where `exposure` is fixed."""
    white_limit: float = 1.2
    """The meter keeps a white ball below this light (1 is white)."""


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
        self._bank = _grain(self.sensor, (width + _ROOM_PX, height + _ROOM_PX), self.rng)
        y, x = np.mgrid[0:height, 0:width]
        r2 = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / (width**2 + height**2) * 4.0
        self._shade = (1.0 - self.sensor.vignette * r2).astype(np.float32)

    def picture(self, light: Floats, gain: float = 1.0) -> Image:
        """(H, W, 3) 8-bit r g b of a linear frame; `gain` is the lamps' flicker."""
        sensor = self.sensor
        if sensor.blur_px > 0:
            light = _floats(cv2.GaussianBlur(light, (5, 5), sensor.blur_px))
        if sensor.bloom > 0:
            light = _bloomed(light, sensor)
        out = np.empty(light.shape, dtype=np.uint8)
        dy, dx = (int(value) for value in self.rng.integers(0, _ROOM_PX, size=2))
        height, width = light.shape[:2]
        _develop(
            light,
            self._shade,
            self._bank[dy : dy + height, dx : dx + width],
            self._curve,
            np.array(sensor.balance) * sensor.exposure * gain,
            sensor.saturation,
            out,
        )
        if sensor.sharpen > 0:
            wide = cv2.GaussianBlur(out, (0, 0), sensor.sharpen_px)
            cv2.addWeighted(out, 1.0 + sensor.sharpen, wide, -sensor.sharpen, 0.0, dst=out)
        return out


def _floats(image: NDArray[np.generic]) -> Floats:
    return image.astype(np.float32, copy=False)


def _grain(sensor: Sensor, size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """(H, W, 3) noise of r, g and b: luma grain, and chroma that is spread over some pixels."""
    width, height = size
    luma = rng.standard_normal((height, width), dtype=np.float32)
    if sensor.noise_px > 0:
        luma = _unit(cv2.GaussianBlur(luma, (0, 0), sensor.noise_px))
    grain = np.repeat((sensor.noise * luma)[..., None], 3, axis=2)
    small = (-(-height // 2), -(-width // 2), 2)
    chroma = cv2.GaussianBlur(
        rng.standard_normal(small, dtype=np.float32), (0, 0), max(0.5 * sensor.chroma_px, 0.3)
    )
    chroma = cv2.resize(_unit(chroma), (width, height), interpolation=cv2.INTER_LINEAR)
    blue, red = sensor.chroma_noise * chroma[..., 0], sensor.chroma_noise * chroma[..., 1]
    grain[..., 0] += 1.402 * red
    grain[..., 1] -= 0.714 * red + 0.344 * blue
    grain[..., 2] += 1.772 * blue
    return _floats(grain)


def _unit(noise: NDArray[Any]) -> Floats:
    return _floats(np.divide(noise, max(float(np.std(noise)), 1e-9)))


def _bloomed(light: Floats, sensor: Sensor) -> Floats:
    """Light above white leaks into its surroundings, in the lens and on the sensor."""
    height, width = light.shape[:2]
    white = 1.0 / max(sensor.exposure, 1e-6)
    small = cv2.resize(light, (width // 4, height // 4), interpolation=cv2.INTER_AREA)
    over = np.clip(small - white, 0.0, 3.0 * white)
    if not over.any():
        return light
    glow = cv2.GaussianBlur(over, (0, 0), 2.5) + 0.5 * cv2.GaussianBlur(over, (0, 0), 9.0)
    wide = cv2.resize(glow, (width, height), interpolation=cv2.INTER_LINEAR)
    return _floats(light + sensor.bloom * wide)


def tone_curve(contrast: float) -> Array:
    """8-bit values of light 0.._BRIGHTEST: sRGB with a shoulder and a contrast about grey."""
    light = np.linspace(0.0, _BRIGHTEST, _STEPS)
    knee = 0.8
    over = np.maximum(light - knee, 0.0)
    soft = np.minimum(light, knee) + (1.0 - knee) * (1.0 - np.exp(-over / (1.0 - knee)))
    srgb = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * soft ** (1 / 2.4) - 0.055)
    # The end of the shoulder is white, as a camera's is.
    srgb = srgb * (1.0 + 0.015 * np.clip(over / 0.6, 0.0, 1.0))
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
                # Photon noise in 8-bit steps is largest in the shadows; white hides it.
                sigma = 0.6 + 0.8 * (1.0 - value / 255.0)
                sigma *= min(1.0, (262.0 - value) / 40.0)
                value += sigma * bank[row, column, c] + 0.5
                out[row, column, c] = int(min(max(value, 0.0), 255.0))
