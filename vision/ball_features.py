"""What names are judged by: how much of a ball is white, where, and the colour of the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.appearance import CORE_RADIUS, RIM_RADIUS, Appearance, Bgr
from vision.light import Light, to_lab

_CORE_AREA = (CORE_RADIUS / RIM_RADIUS) ** 2
_BANDWIDTH = 14.0
"""Colours of one paint scatter by about this much in L*a*b*."""
_MOST_GROUPS = 64
_WHITE_LAB = np.array([96.0, 0.0, 3.0])


@dataclass(frozen=True, slots=True)
class BallFeatures:
    """What the names are judged by, under one assumed white.

    `white_core`, `white_rim`, `white`: white share of the inner disc, the ring, the whole.
    `base_bgr`: camera colour of the coloured rest, None when there is none.
    `tinted`: share of the disc that this colour was measured on. `off_white`: distances of
    the white part's colour from white (lightness, a*, b*).
    """

    white_core: float
    white_rim: float
    white: float
    base_bgr: Bgr | None
    tinted: float
    off_white: tuple[float, float, float]


_UNSEEN = BallFeatures(0.0, 0.0, 0.0, None, 0.0, (0.0, 0.0, 0.0))


def features(appearance: Appearance, white_bgr: Bgr) -> BallFeatures:
    """Describe a ball's colours as under a neutral light, given how white looks."""
    light = Light(white_bgr)
    colors, core, rim = _largest_groups(appearance)
    lab = to_lab(colors, light).astype(np.float64)
    disc = core * _CORE_AREA + rim * (1.0 - _CORE_AREA)
    total = float(disc.sum())
    if total <= 0.0:
        return _UNSEEN
    cloth = _cloth_lab(appearance, light)
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    whiteness = _step((lab[:, 0] - 66.0) / 4.0) * _step((27.0 - chroma) / 4.0)
    tinted = disc * np.clip(1.0 - 1.5 * whiteness, 0.0, 1.0)
    tinted *= 1.0 - _mixed(lab, _WHITE_LAB, cloth) * (core <= 0.0)
    base = None
    if float(tinted.sum()) > 0.005 * total:
        mode = _mode(lab, tinted * (1.0 + 2.0 * (core > 0.0)))
        if float(((mode - _WHITE_LAB) ** 2).sum()) > 30.0**2:
            whiteness = _nearer_to_white(lab, mode, _own_white(lab, disc, mode), cloth)
            base = _camera_color(lab, tinted, mode, colors)
        else:
            whiteness = np.ones(len(lab))
    tint = float((disc * (1.0 - whiteness)).sum()) / total
    return BallFeatures(
        float((core * whiteness).sum() / max(float(core.sum()), 1e-9)),
        float((rim * whiteness).sum() / max(float(rim.sum()), 1e-9)),
        float((disc * whiteness).sum()) / total,
        base if tint > 0.005 else None,
        tint,
        _off_white(lab, disc * whiteness),
    )


def _largest_groups(
    appearance: Appearance,
) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.float64]]:
    colors, core, rim = appearance.colors_bgr, appearance.core, appearance.rim
    if len(colors) > _MOST_GROUPS:
        keep = np.argpartition(-(core + rim), _MOST_GROUPS)[:_MOST_GROUPS]
        colors, core, rim = colors[keep], core[keep], rim[keep]
    return colors, core.astype(np.float64), rim.astype(np.float64)


def _camera_color(
    lab: NDArray[np.float64],
    weights: NDArray[np.float64],
    mode: NDArray[np.float64],
    colors_bgr: NDArray[np.float32],
) -> Bgr:
    """The camera colour of what lies around a mode in L*a*b*."""
    near = weights * np.exp(-0.5 * ((lab - mode) ** 2).sum(axis=1) / _BANDWIDTH**2)
    blue, green, red = near @ colors_bgr / max(float(near.sum()), 1e-12)
    return (float(blue), float(green), float(red))


def _step(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -30.0, 30.0))))


def _off_white(
    lab: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[float, float, float]:
    total = float(weights.sum())
    if total <= 0.0:
        return (0.0, 0.0, 0.0)
    away = weights @ lab / total - _WHITE_LAB
    return (float(away[0]), float(away[1]), float(away[2]))


def _cloth_lab(appearance: Appearance, light: Light) -> NDArray[np.float64] | None:
    if appearance.cloth_bgr is None:
        return None
    lab = to_lab(np.asarray([appearance.cloth_bgr], np.float32), light)[0]
    return np.asarray(lab, np.float64)


def _own_white(
    lab: NDArray[np.float64], disc: NDArray[np.float64], base: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The ball's palest colour: its white may be creamy or tinted by what is around."""
    span = _WHITE_LAB - base
    along = (lab - base) @ span / max(float(span @ span), 1.0)
    pale = disc * _step((along - 0.42) / 0.04)
    if float(pale.sum()) < 0.04 * float(disc.sum()):
        return _WHITE_LAB
    return 0.25 * _WHITE_LAB + 0.75 * _mode(lab, pale)


def _nearer_to_white(
    lab: NDArray[np.float64],
    base: NDArray[np.float64],
    white: NDArray[np.float64],
    cloth: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """1 for colours nearer to white than to the ball's base colour.

    Either may be mixed with the cloth, as at the disc's rim.
    """
    to_white, to_base = _from_mixture(lab, white, cloth), _from_mixture(lab, base, cloth)
    apart = float(np.linalg.norm(white - base))
    return _step((to_base - to_white) / (0.08 * apart))


def _mixed(
    lab: NDArray[np.float64], own: NDArray[np.float64], cloth: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """1 for mixtures of `own` with the cloth."""
    return _step((14.0 - _from_mixture(lab, own, cloth)) / 3.0)


def _from_mixture(
    lab: NDArray[np.float64], own: NDArray[np.float64], cloth: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Distance of each colour from the mixtures of `own` with up to two thirds of cloth."""
    away = lab - own
    if cloth is not None:
        span = (cloth - own) * 0.67
        length = max(float(span @ span), 1.0)
        along = np.clip(away @ span / length, 0.0, 1.0)
        away = away - along[:, None] * span
    return np.asarray(np.sqrt((away**2).sum(axis=1)))


def _mode(lab: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The densest colour (mean shift from the best colour seen)."""
    squared = (lab**2).sum(axis=1)
    apart = squared[:, None] + squared[None, :] - 2.0 * (lab @ lab.T)
    center = lab[int(np.argmax(np.exp(-0.5 * apart / _BANDWIDTH**2) @ weights))]
    for _ in range(3):
        near = weights * np.exp(-0.5 * ((lab - center) ** 2).sum(axis=1) / _BANDWIDTH**2)
        center = near @ lab / max(float(near.sum()), 1e-12)
    return np.asarray(center)
