"""The light on the table, as the colour that a white ball shows under it.

Camera colours are brought to a common light by dividing linear colours by the white ball's
(von Kries), then expressed in CIE L*a*b* (CIE 15:2004, sRGB primaries of IEC 61966-2-1).
The white comes from the table itself: the cue ball, or the white part of a stripe.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.appearance import Appearance, Bgr

_WHITE_REFLECTANCE = 0.90
_FULL_DISC = 0.25
_CANDIDATES = 3
_UNTINTED = 0.06


@dataclass(frozen=True, slots=True)
class Light:
    """How this camera shows a white ball under this light.

    `white_bgr`: its colour in 8-bit levels. `cloth_bgr`: the cloth when the light was
    judged, for following a drift.
    """

    white_bgr: Bgr = (240.0, 240.0, 240.0)
    cloth_bgr: Bgr | None = None

    def following(self, cloth_bgr: Bgr) -> Light:
        """The light now that the cloth looks like this: the white shifts as the cloth did."""
        if self.cloth_bgr is None:
            return replace(self, cloth_bgr=cloth_bgr)
        then = linear(np.asarray([self.cloth_bgr], np.float32))[0]
        now = linear(np.asarray([cloth_bgr], np.float32))[0]
        white = linear(np.asarray([self.white_bgr], np.float32))[0]
        shifted = white * np.clip((now + 0.005) / (then + 0.005), 0.25, 4.0)
        return replace(self, white_bgr=_levels(shifted), cloth_bgr=cloth_bgr)


NEUTRAL_LIGHT = Light()
"""A well-balanced camera: white is a light grey."""


def linear(colors_bgr: NDArray[np.float32]) -> NDArray[np.float32]:
    """8-bit sRGB levels (k, 3) to linear light 0..1 (IEC 61966-2-1)."""
    scaled = colors_bgr / np.float32(255.0)
    bright = ((scaled + 0.055) / 1.055) ** 2.4
    return np.where(scaled <= 0.04045, scaled / 12.92, bright).astype(np.float32)


def _encode(light: NDArray[np.float32]) -> NDArray[np.float32]:
    low = light * 12.92
    high = 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055
    return np.where(light <= 0.0031308, low, high).astype(np.float32)


def to_lab(colors_bgr: NDArray[np.float32], light: Light) -> NDArray[np.float32]:
    """Camera colours (k, 3) to CIE L*a*b* (k, 3) as under a neutral light.

    A white ball comes out near L* 96, a* 0, b* 0.
    """
    if len(colors_bgr) == 0:
        return np.zeros((0, 3), np.float32)
    white = np.maximum(linear(np.asarray([light.white_bgr], np.float32)), 0.01)
    balanced = np.clip(linear(colors_bgr) / white * _WHITE_REFLECTANCE, 0.0, 1.0)
    srgb = _encode(np.asarray(balanced, np.float32))
    return np.asarray(cv2.cvtColor(srgb[None], cv2.COLOR_BGR2Lab)[0], np.float32)


def white_candidates(appearances: Sequence[Appearance]) -> list[tuple[Bgr, float]]:
    """Colours that white may have on this table, each with the log of its prior.

    Each ball that could be white (no ball is much brighter in any channel) gives a
    candidate; a well-balanced camera's is always among them.
    """
    whites = [NEUTRAL_LIGHT.white_bgr, *_white_parts(appearances)]
    return [(white, _log_prior(white)) for white in whites]


def balances(white_bgr: Bgr) -> list[tuple[Bgr, float]]:
    """Greys that may go with this white, from wholly to not tinted, with the log of a prior.

    White balls are often creamy, and cameras tint highlights more than colours: the colours
    need not be shifted as far as the white is.
    """
    log_gain = np.log(np.maximum(linear(np.asarray([white_bgr], np.float32))[0], 1e-3))
    tint = log_gain - log_gain.mean()
    if float(np.abs(tint).max()) < _UNTINTED:
        return [(white_bgr, 0.0)]
    return [
        (_levels(np.exp(log_gain - kept * tint)), prior)
        for kept, prior in ((0.0, -0.5), (0.5, -0.5), (1.0, -1.2))
    ]


def _levels(light: NDArray[np.floating]) -> Bgr:
    """Linear light (3,) to 8-bit levels."""
    levels = 255.0 * _encode(np.asarray(np.clip(light, 0.0, 1.0), np.float32))
    blue, green, red = (float(level) for level in levels)
    return (blue, green, red)


def common_cloth(appearances: Sequence[Appearance]) -> Bgr | None:
    """The cloth's colour: the median over the balls; None when no ball knows it."""
    cloths = [each.cloth_bgr for each in appearances if each.cloth_bgr is not None]
    if not cloths:
        return None
    blue, green, red = (float(level) for level in np.median(np.asarray(cloths), axis=0))
    return (blue, green, red)


def _log_prior(white_bgr: Bgr) -> float:
    """Cameras balance white more or less well: the gains scatter around equal ones."""
    log_gain = np.log(np.maximum(linear(np.asarray([white_bgr], np.float32))[0], 1e-3))
    tint = log_gain - log_gain.mean()
    dark = max(0.0, float(np.log(0.6) - log_gain.mean()))
    return float(-0.5 * (tint**2).sum() / 0.35**2 - 0.5 * (dark / 0.8) ** 2)


def _white_parts(appearances: Sequence[Appearance]) -> list[Bgr]:
    """The bright parts of balls that no other ball outshines in any channel."""
    bright: list[tuple[NDArray[np.float32], float]] = []
    for each in appearances:
        if each.empty:
            continue
        part, share = _bright_part(each)
        if share >= _FULL_DISC:
            bright.append((part, share))
    if not bright:
        return []
    parts = np.stack([part for part, _ in bright])
    best = parts.max(axis=0)
    ratio = (parts + 4.0) / (best + 4.0)
    order = np.argsort(-ratio.min(axis=1) - 0.1 * np.asarray([share for _, share in bright]))
    chosen: list[Bgr] = []
    for index in order:
        if ratio[index].min() < 0.72 or len(chosen) >= _CANDIDATES:
            break
        part = parts[index]
        if all(np.abs(part - np.asarray(known)).max() > 8.0 for known in chosen):
            chosen.append((float(part[0]), float(part[1]), float(part[2])))
    return chosen


def white_part(appearance: Appearance) -> Bgr:
    """The camera colour of the bright part of a ball that is known to be white.

    Raises:
        ValueError: for an appearance without pixels.
    """
    if appearance.empty:
        raise ValueError("an appearance without pixels has no white part")
    blue, green, red = (float(level) for level in _bright_part(appearance)[0])
    return (blue, green, red)


def _bright_part(appearance: Appearance) -> tuple[NDArray[np.float32], float]:
    """Mean colour of the brightest quarter of the disc that is no mere highlight, and its share."""
    weakest = appearance.colors_bgr.min(axis=1)
    order = np.argsort(-weakest)
    colors, shares = appearance.colors_bgr[order], appearance.core[order]
    above = np.cumsum(shares)
    start = weakest[order][np.searchsorted(above, 0.12 * above[-1])]
    similar = np.abs(colors.min(axis=1) - start) < 30.0
    share = float(shares[similar].sum())
    if share <= 0.0:
        return colors[0], 0.0
    mean = (colors[similar] * shares[similar, None]).sum(axis=0) / share
    return mean.astype(np.float32), share
