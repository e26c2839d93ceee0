"""How well one ball's appearance fits each name: log likelihoods.

A ball is described by how much of it is white, where, and by the colour of the rest.
Sets, lamps and cameras differ: what differs alike for all balls of a table (exposure, tone,
saturation, a hue drawn warm or cool) is tried out (`CAMERA_TRAITS`), the rest is spread.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from table.balls import CUE
from vision.appearance import CORE_RADIUS, RIM_RADIUS, Appearance, Bgr
from vision.ballset import BallLook, BallSet
from vision.light import Light, to_lab
from vision.white_shares import log_density

_CORE_AREA = (CORE_RADIUS / RIM_RADIUS) ** 2
_DEGREES_OF_FREEDOM = 6.0
_LOG_ANYWHERE = -math.log(6.0e5)
"""Log density of an unknown thing's colour: spread evenly over the colours there are.

Colours are scored against it, so that a theory gains nothing by seeing no colour at all.
"""
_TELLING_SHARE = 0.08
"""A colour on less than this share of the disc tells less."""
_UNKNOWN_PRIOR = 0.05
_LOG_CUE_PRIOR = 0.7
"""The cue ball is on the table more often than any other ball."""
_BANDWIDTH = 14.0
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


@dataclass(frozen=True, slots=True, eq=False)
class CameraTraits:
    """Ways in which a camera may draw all colours, one per row, and the log of their priors.

    `tone` (h,): exponent on lightness; `saturation` (h,): factor on chroma; `cool`, `warm`
    (h,): shift in radians of bluish and of reddish to yellowish hues.
    """

    tone: NDArray[np.float64]
    saturation: NDArray[np.float64]
    cool: NDArray[np.float64]
    warm: NDArray[np.float64]
    log_prior: NDArray[np.float64]


Choice: TypeAlias = tuple[tuple[float, float], ...]
"""Values and the logs of their priors."""


def _traits(tones: Choice, saturations: Choice, shifts: Choice) -> CameraTraits:
    rows = list(itertools.product(tones, saturations, shifts, shifts))
    values = np.array([[value for value, _ in row] for row in rows])
    prior = np.array([sum(log for _, log in row) for row in rows])
    return CameraTraits(values[:, 0], values[:, 1], values[:, 2], values[:, 3], prior)


CAMERA_TRAITS: Final = _traits(
    ((1.0, 0.0), (0.85, -1.0), (1.25, -0.7), (1.5, -1.6)),
    ((1.0, 0.0), (1.3, -1.0)),
    ((0.0, 0.0), (math.radians(8.0), -0.7), (math.radians(-8.0), -0.7)),
)
"""For sets that are known in general."""

OWN_CAMERA: Final = _traits(((1.0, 0.0), (0.9, -1.0), (1.12, -1.0)), ((1.0, 0.0),), ((0.0, 0.0),))
"""For a set that was learned by the camera that now looks at it."""


def log_weights(
    balls: list[BallFeatures],
    ball_set: BallSet,
    balance_bgr: Bgr,
    traits: CameraTraits,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log densities of what was seen, for every trait, ball and name.

    `balance_bgr` is the camera colour that a grey would have: colours are judged against it.

    Returns:
        (traits, balls, names) for the names of the set in order, and (traits, balls) for a
        thing that is none of them.
    """
    looks = _looks(ball_set)
    color = _log_color(balls, looks, balance_bgr, traits)
    shares = np.array([_log_shares(ball, looks) for ball in balls]).reshape(
        1, len(balls), len(looks.striped)
    )
    scores = color + shares
    names = len(ball_set.names)
    unnamed = np.zeros(scores.shape[:2])
    others = scores[:, :, names:]
    if others.shape[2]:
        unnamed = np.logaddexp(unnamed, np.logaddexp.reduce(others, axis=2))
        unnamed -= math.log(1 + others.shape[2])
    return scores[:, :, :names], unnamed + math.log(_UNKNOWN_PRIOR)


@dataclass(frozen=True, slots=True, eq=False)
class _Looks:
    """The looks of a set as arrays: names in order, then the others."""

    lightness: NDArray[np.float64]
    chroma: NDArray[np.float64]
    hue: NDArray[np.float64]
    spread: NDArray[np.float64]
    striped: tuple[bool, ...]
    cue: int | None


def _looks(ball_set: BallSet) -> _Looks:
    return _look_arrays(
        tuple(ball_set.looks[name] for name in ball_set.names) + ball_set.others,
        ball_set.names.index(CUE) if CUE in ball_set.looks else None,
    )


@lru_cache(maxsize=32)
def _look_arrays(looks: tuple[BallLook, ...], cue: int | None) -> _Looks:
    base = np.array([look.base for look in looks])
    return _Looks(
        base[:, 0],
        np.hypot(base[:, 1], base[:, 2]),
        np.arctan2(base[:, 2], base[:, 1]),
        np.array([look.spread for look in looks]),
        tuple(look.striped for look in looks),
        cue,
    )


def _log_color(
    balls: list[BallFeatures], looks: _Looks, balance_bgr: Bgr, traits: CameraTraits
) -> NDArray[np.float64]:
    """Student t over the differences in lightness, chroma and hue (CIE 1994 differences)."""
    camera = np.array([ball.base_bgr or (0.0, 0.0, 0.0) for ball in balls], np.float32)
    base = to_lab(camera.reshape(-1, 3), Light(balance_bgr)).astype(np.float64)
    lightness = 100.0 * (np.maximum(base[:, 0], 0.0) / 100.0) ** traits.tone[:, None]
    chroma = np.hypot(base[:, 1], base[:, 2]) * traits.saturation[:, None]
    hue = np.arctan2(base[:, 2], base[:, 1])
    hue = hue + _hue_shift(hue, traits)
    d_light = lightness[:, :, None] - looks.lightness
    d_chroma = chroma[:, :, None] - looks.chroma
    turn = np.sin((hue[:, :, None] - looks.hue) / 2.0)
    d_hue = 2.0 * np.sqrt(chroma[:, :, None] * looks.chroma) * turn
    vague = 1.0 + 0.06 / np.maximum(np.array([ball.tinted for ball in balls]), 0.01)[:, None]
    spread = looks.spread
    distance = (d_light / spread[:, 0]) ** 2 + (d_chroma / spread[:, 1]) ** 2
    distance = (distance + (d_hue / spread[:, 2]) ** 2) / vague
    nu = _DEGREES_OF_FREEDOM
    norm = math.lgamma((nu + 3) / 2) - math.lgamma(nu / 2) - 1.5 * math.log(nu * math.pi)
    scale = np.log(spread).sum(axis=1) + 1.5 * np.log(vague)
    density = norm - scale - (nu + 3) / 2 * np.log1p(distance / nu) - _LOG_ANYWHERE
    telling = [min(1.0, ball.tinted / _TELLING_SHARE) if ball.base_bgr else 0.0 for ball in balls]
    density *= np.array(telling)[:, None]
    if looks.cue is not None:
        density[:, :, looks.cue] = 0.0
    return np.asarray(density)


def _hue_shift(hue: NDArray[np.float64], traits: CameraTraits) -> NDArray[np.float64]:
    """The shift of each hue: full around blue (-65 degrees) and around orange (50)."""
    cool = np.clip(1.5 - np.abs(_wrapped(hue - math.radians(-65.0))) / 0.7, 0.0, 1.0)
    warm = np.clip(1.5 - np.abs(_wrapped(hue - math.radians(50.0))) / 0.9, 0.0, 1.0)
    return np.asarray(traits.cool[:, None] * cool + traits.warm[:, None] * warm)


def _wrapped(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((angle + math.pi) % (2.0 * math.pi) - math.pi)


def _log_shares(ball: BallFeatures, looks: _Looks) -> list[float]:
    solid = log_density(ball.white_core, ball.white_rim, striped=False)
    stripe = log_density(ball.white_core, ball.white_rim, striped=True)
    stripe -= min(1.0, ball.white / 0.3) * _tint_penalty(ball.off_white, (14.0, 9.0, 11.0))
    scores = [stripe if striped else solid for striped in looks.striped]
    if looks.cue is not None:
        penalty = _tint_penalty(ball.off_white, (12.0, 5.0, 7.0))
        scores[looks.cue] = _log_white_cue(ball.white) - penalty
    return scores


def _tint_penalty(
    off_white: tuple[float, float, float], spread: tuple[float, float, float]
) -> float:
    """Log of how much rarer a white part of this colour is than a perfectly white one."""
    distance = sum((away / sigma) ** 2 for away, sigma in zip(off_white, spread, strict=True))
    return (_DEGREES_OF_FREEDOM + 3) / 2 * math.log1p(distance / _DEGREES_OF_FREEDOM)


def _log_white_cue(white: float) -> float:
    """The cue ball is white but for spots and the shade at its rim: both shares near 1."""
    return _LOG_CUE_PRIOR + math.log(0.01 + 60.0 * math.exp(-max(0.0, 0.96 - white) / 0.045))
