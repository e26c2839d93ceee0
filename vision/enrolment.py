"""Learning how the balls of this table look to this camera."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.balls import CUE, BallName, ball_order
from vision.appearance import Appearance, Bgr, measure_appearance, merge_appearances
from vision.ball_features import BallFeatures, features
from vision.ballset import BallLook, BallSet, Lab
from vision.cloth import Cloth, learn_cloth
from vision.frames import Image
from vision.identity import assign_names, choose_ball_set
from vision.laid_out import LayoutError, PlacedBall, name_layout
from vision.light import Light, common_cloth, to_lab, white_part
from vision.localizer import Localizer
from vision.topview import TopView
from vision.white_shares import log_density

LEARNED_SPREAD: Final = (7.0, 9.0, 5.5)
"""How far a learned ball's colour varies over the table and with its orientation."""
_ALIKE = 2.5
"""Colours closer than this many standard deviations are called alike."""
_STRIPED_PRIOR = 2.0
_SAME_PLACE_M = 0.015
_SEEN_SHARE = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """What was learned: the set, notes for a person, and a picture to check it by."""

    ball_set: BallSet
    notes: tuple[str, ...]
    preview_bgr: Image


def enroll(views: Sequence[Image], top: TopView, name: str) -> Enrolment:
    """Learn a ball set from top views of balls laid out in a row or a rack.

    Args:
        views: (h, w, 3) uint8 BGR top views of one camera, a few, of balls at rest.
        top: the mapping that made them.
        name: what the set is to be called.

    Raises:
        LayoutError: when the balls do not lie so that they can be told.
        ValueError: when there is no view.
    """
    balls = resting_balls(views, top)
    named = name_layout(balls)
    ball_set = learn_ball_set({each: balls[index].look for each, index in named.items()}, name)
    places = {each: (balls[index].x_m, balls[index].y_m) for each, index in named.items()}
    return Enrolment(ball_set, tuple(alike(ball_set)), _preview(views[0], top, places, ball_set))


def resting_balls(views: Sequence[Image], top: TopView) -> list[PlacedBall]:
    """The balls that lie still through most of the views, with their merged appearances.

    Raises:
        ValueError: when there is no view.
    """
    cloth = learn_cloth(views, top)
    localizer = Localizer(top, cloth)
    places: list[list[tuple[float, float, Appearance]]] = []
    for view in views:
        detections = localizer.locate(view).detections
        for x_m, y_m in detections.centers_m:
            look = _look_at(view, top, cloth, float(x_m), float(y_m))
            home = next((p for p in places if _near(p[0], x_m, y_m)), None)
            if home is None:
                places.append([(float(x_m), float(y_m), look)])
            else:
                home.append((float(x_m), float(y_m), look))
    return [_placed(seen) for seen in places if len(seen) >= _SEEN_SHARE * len(views)]


def learn_ball_set(looks: Mapping[BallName, Appearance], name: str) -> BallSet:
    """The set whose balls look like these.

    The white is the cue ball's where it is among them, else what explains the table best.

    Raises:
        LayoutError: when a ball could not be seen.
    """
    unseen = [each for each, look in looks.items() if look.empty]
    if unseen:
        raise LayoutError(f"The {unseen[0]} could not be seen.")
    light = _light(looks)
    learned = {each: _learn(each, look, light) for each, look in looks.items()}
    others = tuple(
        BallLook(learned[str(n)].base, True, LEARNED_SPREAD)
        for n in range(3, 8)
        if str(n) in learned
    )
    return BallSet(name, learned, others, light)


def alike(ball_set: BallSet) -> list[str]:
    """A sentence for each pair of balls whose looks can hardly be told apart."""
    found = []
    for first, second in itertools.combinations(ball_set.names, 2):
        one, two = ball_set.looks[first], ball_set.looks[second]
        if one.striped != two.striped or CUE in (first, second):
            continue
        away = _distance(one.base, two.base, one.spread)
        if away < _ALIKE:
            found.append(f"The {first} and the {second} look much alike; one may stay unnamed.")
    return found


def _distance(one: Lab, two: Lab, spread: tuple[float, float, float]) -> float:
    chroma = [math.hypot(*lab[1:]) for lab in (one, two)]
    d_chroma = chroma[0] - chroma[1]
    d_hue2 = max(0.0, (one[1] - two[1]) ** 2 + (one[2] - two[2]) ** 2 - d_chroma**2)
    return math.sqrt(
        ((one[0] - two[0]) / spread[0]) ** 2 + (d_chroma / spread[1]) ** 2 + d_hue2 / spread[2] ** 2
    )


def _light(looks: Mapping[BallName, Appearance]) -> Light:
    appearances = list(looks.values())
    cloth = common_cloth(appearances)
    if CUE in looks:
        return Light(white_part(looks[CUE]), cloth)
    ball_set, _ = choose_ball_set(appearances)
    return assign_names(appearances, ball_set).light


def _learn(name: BallName, look: Appearance, light: Light) -> BallLook:
    seen = features(look, light.white_bgr)
    if name == CUE or seen.base_bgr is None:
        white = to_lab(np.array([white_part(look)], np.float32), light)[0]
        return BallLook(_triple(white), False, LEARNED_SPREAD)
    base = to_lab(np.array([seen.base_bgr], np.float32), light)[0]
    return BallLook(_triple(base), _is_striped(name, seen), LEARNED_SPREAD)


def _is_striped(name: BallName, seen: BallFeatures) -> bool:
    """By the white that is seen, and by the number where that leaves a doubt."""
    stripe = log_density(seen.white_core, seen.white_rim, striped=True)
    solid = log_density(seen.white_core, seen.white_rim, striped=False)
    return stripe - solid + (_STRIPED_PRIOR if int(name) > 8 else -_STRIPED_PRIOR) > 0.0


def _triple(values: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Lab:
    first, second, third = (float(value) for value in values)
    return (first, second, third)


def _look_at(view: Image, top: TopView, cloth: Cloth, x_m: float, y_m: float) -> Appearance:
    u, v = top.from_table(np.array([(x_m, y_m)]))[0]
    row = min(max(0, round(v)), cloth.picture.shape[0] - 1)
    column = min(max(0, round(u)), cloth.picture.shape[1] - 1)
    blue, green, red = (float(level) for level in cloth.picture[row, column])
    return measure_appearance(view, (float(u), float(v)), top.ball_radius_px, (blue, green, red))


def _near(first: tuple[float, float, Appearance], x_m: float, y_m: float) -> bool:
    return math.hypot(first[0] - x_m, first[1] - y_m) < _SAME_PLACE_M


def _placed(seen: Sequence[tuple[float, float, Appearance]]) -> PlacedBall:
    x_m, y_m = np.median([(x, y) for x, y, _ in seen], axis=0)
    return PlacedBall(float(x_m), float(y_m), merge_appearances([look for _, _, look in seen]))


def _preview(
    view: Image, top: TopView, places: Mapping[BallName, tuple[float, float]], ball_set: BallSet
) -> Image:
    """The top view with the names beside the balls, and under it each ball and its colour."""
    drawn = view.copy()
    radius = round(top.ball_radius_px)
    names = sorted(places, key=ball_order)
    tile, tiles = 96, []
    for name in names:
        u, v = top.from_table(np.array([places[name]]))[0]
        center = (round(u), round(v))
        cv2.circle(drawn, center, radius + 2, (255, 255, 255), 1, cv2.LINE_AA)
        _write(drawn, name, (center[0] + radius + 3, center[1] - radius), 0.6)
        tiles.append(_tile(view, (float(u), float(v)), radius, tile, name, ball_set))
    strip = np.full((2 * tile, max(drawn.shape[1], tile * len(tiles)), 3), 40, np.uint8)
    for index, picture in enumerate(tiles):
        strip[:, index * tile : (index + 1) * tile] = picture
    wide = np.zeros((drawn.shape[0], strip.shape[1], 3), np.uint8)
    wide[:, : drawn.shape[1]] = drawn
    return np.vstack((wide, strip))


def _tile(
    view: Image,
    center: tuple[float, float],
    radius: int,
    side: int,
    name: BallName,
    ball_set: BallSet,
) -> Image:
    """The ball enlarged, above its learned colour."""
    cut = cv2.getRectSubPix(view, (2 * radius + 5, 2 * radius + 5), center)
    ball = cv2.resize(cut, (side, side), interpolation=cv2.INTER_CUBIC)
    look = ball_set.looks[name]
    color = np.full((side, side, 3), _camera_levels(look.base), np.uint8)
    if look.striped:
        color[: side // 5] = color[-side // 5 :] = 235
    _write(color, name, (6, side - 10), 0.8)
    return np.vstack((ball, color))


def _camera_levels(lab: Lab) -> Bgr:
    bgr = cv2.cvtColor(np.array([[lab]], np.float32), cv2.COLOR_Lab2BGR)[0, 0]
    blue, green, red = (float(level) for level in np.clip(bgr * 255.0, 0.0, 255.0))
    return (blue, green, red)


def _write(image: Image, text: str, corner: tuple[int, int], size: float) -> None:
    for color, width in (((0, 0, 0), 3), ((255, 255, 255), 1)):
        cv2.putText(image, text, corner, cv2.FONT_HERSHEY_SIMPLEX, size, color, width, cv2.LINE_AA)
