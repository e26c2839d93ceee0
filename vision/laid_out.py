"""Balls laid out to be learned: which number lies where.

Two layouts are known: a row in number order (with the cue ball before the 1, or aside, or
absent), and a rack, whose balls are told apart by what is known of balls in general.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from table.balls import CUE, BallName
from vision.appearance import Appearance
from vision.ball_features import features
from vision.ballset import BUILT_IN, BallSet
from vision.identity import assign_names, choose_ball_set
from vision.light import white_candidates
from vision.name_scores import CAMERA_TRAITS, log_weights

FEWEST_IN_A_ROW = 9
_OFF_LINE_M = 0.020
_WIDEST_GAP_M = 0.40
_SURE_NATS = 3.0
_COLOR_WEIGHT = 0.3
"""An unknown set may be coloured otherwise: white parts tell more than colours."""

_WHITE_SHARE = 0.8
_WHOLE_SETS = tuple({str(number) for number in range(1, last + 1)} for last in (9, 10))


class LayoutError(Exception):
    """The balls do not lie so that they can be learned; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class PlacedBall:
    """A resting ball: its centre in the table frame and how it looks."""

    x_m: float
    y_m: float
    look: Appearance


def name_layout(balls: Sequence[PlacedBall]) -> dict[BallName, int]:
    """The index of the ball with each name.

    Raises:
        LayoutError: when the balls lie neither in a row nor in a rack that can be read.
    """
    row = _row(balls)
    if row is not None:
        return _name_row(balls, row)
    return _name_by_colour(balls)


def _row(balls: Sequence[PlacedBall]) -> list[int] | None:
    """The balls of the longest straight row, in order along it; None when there is none."""
    points = np.array([(ball.x_m, ball.y_m) for ball in balls]).reshape(-1, 2)
    best: list[int] = []
    for first, second in itertools.combinations(range(len(points)), 2):
        span = points[second] - points[first]
        length = float(np.hypot(*span))
        if length < 0.1:
            continue
        away = points - points[first]
        off = np.abs(away[:, 0] * span[1] - away[:, 1] * span[0]) / length
        along = away @ span / length
        on = [int(i) for i in np.argsort(along) if off[i] < _OFF_LINE_M]
        if len(on) > len(best) and np.diff(along[on]).max() < _WIDEST_GAP_M:
            best = on
    return best if len(best) >= FEWEST_IN_A_ROW else None


def _name_row(balls: Sequence[PlacedBall], row: list[int]) -> dict[BallName, int]:
    aside = [index for index in range(len(balls)) if index not in row]
    readings = _readings(row, aside)
    if not readings:
        raise LayoutError(
            f"{len(row)} balls lie in a row and {len(aside)} beside it; "
            "lay the cue ball and the balls 1 to 10 (or 1 to 9) in one row in number order."
        )
    scores = np.array([max(_fits(balls, reading)) for reading in readings])
    order = np.argsort(-scores)
    if len(order) > 1 and scores[order[0]] - scores[order[1]] < _SURE_NATS:
        raise LayoutError(
            "It cannot be told at which end of the row the 1 lies; "
            "put the cue ball before the 1, and turn the stripes so that their white is seen."
        )
    reading = readings[int(order[0])]
    if CUE in reading and not _is_white(balls[reading[CUE]].look, balls):
        raise LayoutError(
            "The ball beside the row is not white; lay all numbered balls straight in one row."
        )
    return reading


def _is_white(look: Appearance, balls: Sequence[PlacedBall]) -> bool:
    """True when a ball is white under one of the lights that this table may have."""
    whites = white_candidates([ball.look for ball in balls])
    return any(features(look, white).white > _WHITE_SHARE for white, _ in whites)


def _readings(row: list[int], aside: list[int]) -> list[dict[BallName, int]]:
    """Every way to read the row: from either end, with the cue ball first or not in it."""
    found: list[dict[BallName, int]] = []
    for way in (row, row[::-1]):
        for with_cue in (True, False):
            numbers = len(way) - with_cue
            if numbers not in (9, 10) or len(aside) > (0 if with_cue else 1):
                continue
            names = ([CUE] if with_cue else []) + [str(n) for n in range(1, numbers + 1)]
            reading = dict(zip(names, way, strict=True))
            if aside:
                reading[CUE] = aside[0]
            found.append(reading)
    return found


def _fits(balls: Sequence[PlacedBall], reading: Mapping[BallName, int]) -> list[float]:
    """How well a reading fits each built-in set: white shares in full, colours in part."""
    looks = [balls[index].look for index in reading.values()]
    return [_fit(looks, list(reading), ball_set) for ball_set in BUILT_IN.values()]


def _fit(looks: list[Appearance], names: list[BallName], ball_set: BallSet) -> float:
    white = assign_names(looks, ball_set).light.white_bgr
    seen = [features(look, white) for look in looks]
    columns = [ball_set.names.index(name) for name in names]
    scores, _ = log_weights(seen, ball_set, white, CAMERA_TRAITS)
    picked = scores[:, np.arange(len(looks)), columns].sum(axis=1) + CAMERA_TRAITS.log_prior
    shares, _ = log_weights(
        [replace(one, base_bgr=None) for one in seen], ball_set, white, CAMERA_TRAITS
    )
    plain: NDArray[np.float64] = shares[0, np.arange(len(looks)), columns]
    color = float(picked.max()) - float(plain.sum())
    return float(plain.sum()) + _COLOR_WEIGHT * color


def _name_by_colour(balls: Sequence[PlacedBall]) -> dict[BallName, int]:
    looks = [ball.look for ball in balls]
    if len(balls) < FEWEST_IN_A_ROW:
        raise LayoutError(
            f"Only {len(balls)} balls were found; lay the cue ball and the balls 1 to 10 "
            "in one row in number order, or rack them."
        )
    ball_set, _ = choose_ball_set(looks)
    naming = assign_names(looks, ball_set)
    named = {ball.name: index for index, ball in enumerate(naming.balls) if ball.name is not None}
    numbers = {name for name in named if name != CUE}
    if numbers not in _WHOLE_SETS:
        raise LayoutError(
            f"Of {len(balls)} balls only {len(named)} can be told by their colours; "
            "lay them in one row in number order, the cue ball before the 1."
        )
    return named
