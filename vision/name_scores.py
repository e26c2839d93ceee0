"""How well one ball's appearance fits each name: log likelihoods.

Sets, lamps and cameras differ: what differs alike for all balls of a table (exposure, tone,
saturation, a hue drawn warm or cool) is tried out (`CAMERA_TRAITS`), the rest is spread.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from table.balls import CUE
from vision.appearance import Bgr
from vision.ball_features import BallFeatures
from vision.ballset import BallLook, BallSet
from vision.light import Light, to_lab
from vision.white_shares import log_density

_DEGREES_OF_FREEDOM = 6.0
_LOG_ANYWHERE = -math.log(6.0e5)
"""Log density of an unknown thing's colour: spread evenly over the colours there are.

Colours are scored against it, so that a theory gains nothing by seeing no colour at all.
"""
_TELLING_SHARE = 0.08
"""A colour on less than this share of the disc tells less."""
_NEXT_SIDE = 0.5
_UNKNOWN_PRIOR = 0.05
_LOG_CUE_PRIOR = 0.7
"""The cue ball is on the table more often than any other ball."""


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
    sides: Sequence[Sequence[BallFeatures]] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log densities of what was seen, for every trait, ball and name.

    `balance_bgr` is the camera colour that a grey would have: colours are judged against it.
    `sides`: for each ball, what it showed from each side it turned up; a stripe that rolls
    shows its white now here, now there, a cue ball is white from every side.

    Returns:
        (traits, balls, names) for the names of the set in order, and (traits, balls) for a
        thing that is none of them.
    """
    looks = _looks(ball_set)
    color = _log_color(balls, looks, balance_bgr, traits)
    shown = sides if sides is not None else [[ball] for ball in balls]
    shares = np.array(
        [_log_shares(ball, own or [ball], looks) for ball, own in zip(balls, shown, strict=True)]
    ).reshape(1, len(balls), len(looks.striped))
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


def _log_shares(ball: BallFeatures, sides: Sequence[BallFeatures], looks: _Looks) -> list[float]:
    """Log densities of the white that was seen, for each look."""
    solid = _over_sides([log_density(s.white_core, s.white_rim, striped=False) for s in sides])
    stripe = _over_sides([log_density(s.white_core, s.white_rim, striped=True) for s in sides])
    stripe -= min(1.0, ball.white / 0.3) * _tint_penalty(ball.off_white, (14.0, 9.0, 11.0))
    scores = [stripe if striped else solid for striped in looks.striped]
    if looks.cue is not None:
        penalty = _tint_penalty(ball.off_white, (12.0, 5.0, 7.0))
        white = _over_sides([_log_white_cue(s.white) - _LOG_CUE_PRIOR for s in sides])
        scores[looks.cue] = _LOG_CUE_PRIOR + white - penalty
    return scores


def _over_sides(logs: Sequence[float]) -> float:
    """The log density of several sides together: each after the first says half as much,
    because a ball that rolls on shows much of the side before."""
    return sum(logs) * (1.0 + _NEXT_SIDE * (len(logs) - 1)) / len(logs)


def _tint_penalty(
    off_white: tuple[float, float, float], spread: tuple[float, float, float]
) -> float:
    """Log of how much rarer a white part of this colour is than a perfectly white one."""
    distance = sum((away / sigma) ** 2 for away, sigma in zip(off_white, spread, strict=True))
    return (_DEGREES_OF_FREEDOM + 3) / 2 * math.log1p(distance / _DEGREES_OF_FREEDOM)


def _log_white_cue(white: float) -> float:
    """The cue ball is white but for spots and the shade at its rim: both shares near 1."""
    return _LOG_CUE_PRIOR + math.log(0.01 + 60.0 * math.exp(-max(0.0, 0.96 - white) / 0.045))
