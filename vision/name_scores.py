"""How well one ball's appearance fits each name: log likelihoods.

A ball is described by the share of its disc that is white and by the colour of the rest.
Both have wide, heavy-tailed distributions, because sets, lamps and cameras differ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table.balls import CUE, BallName
from vision.appearance import CORE_RADIUS, RIM_RADIUS, Appearance
from vision.ballset import BallLook, BallSet
from vision.light import Light, to_lab

_CORE_AREA = (CORE_RADIUS / RIM_RADIUS) ** 2
_DEGREES_OF_FREEDOM = 6.0
_COLOR_VOLUME = 6.0e5
"""Volume of L*a*b* in which an unknown thing's colour may lie, spread evenly."""
_UNKNOWN_PRIOR = 0.08
_BANDWIDTH = 14.0


@dataclass(frozen=True, slots=True)
class BallFeatures:
    """What the names are judged by, under one assumed light.

    `white`: share of the disc that is white. `base`: L*a*b* of the coloured rest, None when
    there is none. `tinted`: share of the disc that this colour was measured on.
    """

    white: float
    base: NDArray[np.float64] | None
    tinted: float


def features(appearance: Appearance, light: Light) -> BallFeatures:
    """Describe a ball's colours as under a neutral light."""
    lab = to_lab(appearance.colors_bgr, light).astype(np.float64)
    core = appearance.core.astype(np.float64)
    rim = appearance.rim.astype(np.float64) * _unmixed(lab, core, appearance, light)
    disc = core * _CORE_AREA + rim * (1.0 - _CORE_AREA)
    total = float(disc.sum())
    if total <= 0.0:
        return BallFeatures(0.0, None, 0.0)
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    whiteness = _step((lab[:, 0] - 66.0) / 4.0) * _step((27.0 - chroma) / 4.0)
    white = float((disc * whiteness).sum()) / total
    tinted = disc * np.clip(1.0 - 1.5 * whiteness, 0.0, 1.0)
    share = float(tinted.sum()) / total
    base = _mode(lab, tinted * (1.0 + 2.0 * (core > 0.0))) if share > 0.005 else None
    return BallFeatures(white, base, share)


def _step(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -30.0, 30.0))))


def _unmixed(
    lab: NDArray[np.float64], core: NDArray[np.float64], appearance: Appearance, light: Light
) -> NDArray[np.float64]:
    """1 for colours of the ball's own, 0 for mixtures of its main colour with the cloth."""
    if appearance.cloth_bgr is None or not len(lab):
        return np.ones(len(lab))
    cloth = to_lab(np.asarray([appearance.cloth_bgr], np.float32), light)[0].astype(np.float64)
    main = _mode(lab, core)
    span = cloth - main
    length = float(span @ span)
    if length < 15.0**2:
        return np.ones(len(lab))
    along = np.clip((lab - main) @ span / length, 0.0, 1.0)
    beside = np.linalg.norm(lab - main - along[:, None] * span, axis=1)
    mixed = _step((along - 0.2) / 0.03) * _step((16.0 - beside) / 3.0)
    return np.asarray(1.0 - mixed)


def _mode(lab: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The densest colour (mean shift from the best colour seen)."""
    apart = ((lab[:, None, :] - lab[None, :, :]) ** 2).sum(axis=2)
    kernel = np.exp(-0.5 * apart / _BANDWIDTH**2)
    center = lab[int(np.argmax(kernel @ weights))]
    for _ in range(3):
        near = weights * np.exp(-0.5 * ((lab - center) ** 2).sum(axis=1) / _BANDWIDTH**2)
        center = (near[:, None] * lab).sum(axis=0) / max(float(near.sum()), 1e-12)
    return np.asarray(center)


def log_likelihoods(seen: BallFeatures, ball_set: BallSet) -> tuple[dict[BallName, float], float]:
    """Log density of what was seen for each name of the set, and for a thing that is none."""
    named = {name: _log_look(seen, look, name == CUE) for name, look in ball_set.looks.items()}
    anything = -math.log(_COLOR_VOLUME) if seen.base is not None else 0.0
    others = [_log_look(seen, look, False) for look in ball_set.others]
    unknown = _log_mean([anything, *others]) + math.log(_UNKNOWN_PRIOR)
    return named, unknown


def _log_mean(values: list[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(v - top) for v in values) / len(values))


def _log_look(seen: BallFeatures, look: BallLook, is_cue: bool) -> float:
    if is_cue:
        color = -math.log(_COLOR_VOLUME) if seen.base is not None else 0.0
        return color + _log_white_cue(seen.white)
    share = _log_white_stripe(seen.white) if look.striped else _log_white_solid(seen.white)
    return share + _log_color(seen, look)


def _log_white_cue(white: float) -> float:
    """The cue ball is white but for spots and the shade at its rim."""
    return math.log(0.002 + 14.0 * math.exp(-max(0.0, 0.97 - white) / 0.05))


def _log_white_solid(white: float) -> float:
    """A solid shows its number's disc and the lamps' reflections."""
    return math.log(0.002 + 6.0 * math.exp(-((max(0.0, white - 0.06) / 0.08) ** 1.5)))


def _log_white_stripe(white: float) -> float:
    """A stripe shows a quarter of white (band in the middle) up to nearly all (cap on top)."""
    return math.log(0.002 + 1.2 / (1.0 + math.exp(-(white - 0.17) / 0.025)))


def _log_color(seen: BallFeatures, look: BallLook) -> float:
    """Student t over the differences in lightness, chroma and hue (CIE 1994 differences)."""
    if seen.base is None:
        return -9.0
    base, ref = seen.base, look.base
    chroma, ref_chroma = math.hypot(base[1], base[2]), math.hypot(ref[1], ref[2])
    d_light, d_chroma = float(base[0]) - ref[0], chroma - ref_chroma
    d_hue2 = max(0.0, (base[1] - ref[1]) ** 2 + (base[2] - ref[2]) ** 2 - d_chroma**2)
    vague = 1.0 + 0.08 / max(seen.tinted, 0.01)
    spread = [sigma * math.sqrt(vague) for sigma in look.spread]
    distance = (d_light / spread[0]) ** 2 + (d_chroma / spread[1]) ** 2 + d_hue2 / spread[2] ** 2
    nu = _DEGREES_OF_FREEDOM
    norm = math.lgamma((nu + 3) / 2) - math.lgamma(nu / 2) - 1.5 * math.log(nu * math.pi)
    norm -= sum(math.log(sigma) for sigma in spread)
    return norm - (nu + 3) / 2 * math.log1p(distance / nu)
