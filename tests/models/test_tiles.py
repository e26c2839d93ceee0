"""Training tiles: metric boxes in top views, cut and written as training tools read them."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from models.tiles import CLASSES, TILE_PX, LabelledView, cut, labelled_view, tiles_of
from synthetic.stills import Still, stills
from table.balls import CUE
from vision.topview import TopView


@cache
def a_still() -> Still:
    """One still of a fixed seed."""
    return next(iter(stills(77, 1)))


def a_view(boxes: list[tuple[str, float, float, float, float]]) -> LabelledView:
    """A grey view of 700 x 500 pixels with boxes."""
    return LabelledView(
        np.full((500, 700, 3), 90, np.uint8),
        np.array([CLASSES.index(b[0]) for b in boxes], np.int64),
        np.array([b[1:] for b in boxes], np.float64).reshape(-1, 4),
    )


def test_a_ball_at_rest_is_its_disc_on_the_plane_of_the_centres() -> None:
    """The middle of a resting ball's box is its place, and its side the diameter."""
    still = a_still()
    whole = labelled_view(still, 400.0)
    top = TopView(still.camera, px_per_m=400.0)
    cue = next(b for b in still.labels.balls if b.ball == CUE)
    row = np.flatnonzero(whole.classes == CLASSES.index("cue_ball"))[0]
    left, upper, right, lower = whole.boxes[row]
    streak_px = np.hypot(*np.subtract(*cue.streak_px))
    place = top.to_table(np.array([((left + right) / 2, (upper + lower) / 2)]))
    truth = still.camera.on_plane(np.array([cue.center_px]))
    assert np.hypot(*(place - truth)[0]) < 0.001 + 0.1 * streak_px / 400
    assert min(right - left, lower - upper) == pytest.approx(2 * top.ball_radius_px, abs=0.01)


def test_hidden_balls_are_not_labelled_and_pocketed_ones_are_away() -> None:
    """Every visible ball has a box, those in pockets and hands of a class of their own."""
    labels = a_still().labels
    whole = labelled_view(a_still(), 400.0)
    shown = [b for b in labels.balls if b.visible >= 0.25]
    balls = whole.classes <= CLASSES.index("away")
    assert balls.sum() == len(shown)
    away = sum(b.where in ("pocket", "hand") for b in shown)
    assert (whole.classes == CLASSES.index("away")).sum() == away


def test_a_tile_keeps_what_lies_in_it() -> None:
    """Boxes move with the tile, are clipped at its edge, and leave with it."""
    whole = a_view(
        [("ball", 110, 60, 130, 80), ("ball", 410, 60, 430, 80), ("tip", 408, 90, 428, 110)]
    )
    tile = cut(whole, 100, 50)
    assert tile.image.shape == (TILE_PX, TILE_PX, 3)
    assert tile.classes.tolist() == [CLASSES.index("ball"), CLASSES.index("ball"), 4]
    assert tile.boxes[0].tolist() == [10.5, 10.5, 30.5, 30.5]
    assert tile.boxes[1].tolist() == [310.5, 10.5, 320.0, 30.5]
    assert cut(whole, 120, 150).classes.tolist() == []


def test_lines_are_shares_of_the_tile() -> None:
    """Class, centre and size as shares of the side."""
    tile = cut(a_view([("hand", 159.5, 79.5, 239.5, 239.5)]), 0, 0)
    assert tile.yolo_lines() == ["3 0.625000 0.500000 0.250000 0.500000"]


def test_the_same_seed_cuts_the_same_tiles() -> None:
    """Tiles follow from the random numbers alone, and balls are in most of them."""
    first = tiles_of(np.random.default_rng(3), a_still())
    again = tiles_of(np.random.default_rng(3), a_still())
    assert len(first) == 4
    assert all(np.array_equal(a.image, b.image) for a, b in zip(first, again, strict=True))
    assert sum(len(tile.classes) > 0 for tile in first) >= 2


def test_a_boxed_ball_stands_out_from_the_cloth() -> None:
    """The label fits the picture: the disc of a white cue ball is brighter than around it."""
    whole = labelled_view(a_still(), 400.0)
    row = np.flatnonzero(whole.classes == CLASSES.index("cue_ball"))[0]
    u, v = np.rint((whole.boxes[row, :2] + whole.boxes[row, 2:]) / 2).astype(int)
    gray = cv2.cvtColor(whole.view, cv2.COLOR_BGR2GRAY)
    inside = gray[v - 4 : v + 5, u - 4 : u + 5].mean()
    around = np.median(gray[v - 40 : v + 41, u - 40 : u + 41])
    assert inside > around + 20
