"""A set of any colours is learned from a row or a rack, and named afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.vision.painted_balls import PAINT, TV_PAINT, Scene, brighter, looks_of
from tests.vision.painted_tables import Place, straight_above, table_view
from vision.ballset import load_ball_set, save_ball_set
from vision.enrolment import alike, enroll, learn_ball_set, resting_balls
from vision.identity import assign_names
from vision.laid_out import LayoutError, PlacedBall, name_layout

ELEVEN = ["cue", *(str(n) for n in range(1, 11))]
CLUB_PAINT = {
    **PAINT,
    "1": (60, 190, 200),
    "2": (200, 60, 160),
    "3": (140, 200, 60),
    "4": (120, 120, 130),
    "5": (90, 50, 20),
    "6": (210, 170, 120),
    "7": (60, 60, 130),
}
"""Colours that no built-in set has; the stripes take those of 1 and 2."""


def _row(names: list[str], turned: bool = False) -> list[Place]:
    """Ball against ball with a finger's breadth between, along the table."""
    step = -0.08 if turned else 0.08
    return [(name, step * (i - len(names) / 2), 0.12) for i, name in enumerate(names)]


def _rack(names: list[str]) -> list[Place]:
    places = []
    index = 0
    for line in range(4):
        for place in range(line + 1):
            x_m, y_m = 0.635 + line * 0.0496, (place - line / 2) * 0.0573
            places.append((names[index], x_m, y_m))
            index += 1
    return places


def _placed(names: list[str], paint: dict[str, tuple[int, int, int]]) -> list[PlacedBall]:
    looks = looks_of(names, paint, seed=3)
    places = _row(names)
    return [PlacedBall(x, y, look) for (_, x, y), look in zip(places, looks, strict=True)]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    "names", [ELEVEN, ELEVEN[1:], ELEVEN[:-1], ELEVEN[1:-1]], ids=["c-10", "1-10", "c-9", "1-9"]
)
def test_a_row_is_read_from_the_right_end(names: list[str], turned: bool) -> None:
    looks = looks_of(names, CLUB_PAINT, seed=1)
    places = _row(names, turned)
    balls = [PlacedBall(x, y, look) for (_, x, y), look in zip(places, looks, strict=True)]
    rng = np.random.default_rng(0)
    order = rng.permutation(len(balls))
    named = name_layout([balls[i] for i in order])
    assert {name: int(order[index]) for name, index in named.items()} == {
        name: i for i, name in enumerate(names)
    }


def test_the_cue_ball_may_lie_beside_the_row() -> None:
    looks = looks_of(ELEVEN, CLUB_PAINT, seed=2)
    places = [("cue", -0.9, -0.4), *_row(ELEVEN[1:])]
    balls = [PlacedBall(x, y, look) for (_, x, y), look in zip(places, looks, strict=True)]
    assert name_layout(balls) == {name: i for i, name in enumerate(ELEVEN)}


def test_two_balls_beside_the_row_are_refused() -> None:
    looks = looks_of([*ELEVEN[1:], "cue", "8"], CLUB_PAINT, seed=2)
    places = [*_row(ELEVEN[1:]), ("cue", -0.9, -0.4), ("8", -0.8, -0.3)]
    balls = [PlacedBall(x, y, look) for (_, x, y), look in zip(places, looks, strict=True)]
    with pytest.raises(LayoutError, match="in one row in number order"):
        name_layout(balls)


def test_a_numbered_ball_out_of_line_is_not_passed_over() -> None:
    looks = looks_of(ELEVEN[1:], CLUB_PAINT, seed=2)
    places = [(n, x, y + (0.05 if n == "5" else 0.0)) for n, x, y in _row(ELEVEN[1:])]
    balls = [PlacedBall(x, y, look) for (_, x, y), look in zip(places, looks, strict=True)]
    with pytest.raises(LayoutError, match="not white"):
        name_layout(balls)


def test_too_few_balls_are_refused() -> None:
    with pytest.raises(LayoutError, match="Only 3 balls"):
        name_layout(_placed(["cue", "1", "2"], PAINT))


def test_a_scattered_strange_set_is_refused() -> None:
    looks = looks_of(ELEVEN, CLUB_PAINT, seed=2)
    rng = np.random.default_rng(5)
    balls = [PlacedBall(*map(float, rng.uniform((-1, -0.5), (1, 0.5))), look) for look in looks]
    with pytest.raises(LayoutError, match="in one row"):
        name_layout(balls)


@pytest.mark.parametrize("light", [Scene(), Scene(gains=(1.0, 0.85, 0.6)), brighter(Scene(), 0.6)])
def test_a_learned_set_names_balls_that_no_built_in_set_has(light: Scene) -> None:
    learned = learn_ball_set(
        dict(zip(ELEVEN, looks_of(ELEVEN, CLUB_PAINT, light, seed=3), strict=True)), "club"
    )
    assert [name for name in learned.names if learned.looks[name].striped] == ["9", "10"]
    right = 0
    for seed in range(5):
        naming = assign_names(looks_of(ELEVEN, CLUB_PAINT, light, seed=20 + seed), learned)
        found = [ball.name for ball in naming.balls]
        assert all(got in {None, name} for got, name in zip(found, ELEVEN, strict=True)), found
        right += sum(got is not None for got in found)
    assert right >= 52


def test_a_learned_set_follows_the_light() -> None:
    morning, evening = Scene(), Scene(gains=(0.95, 0.75, 0.5))
    learned = learn_ball_set(
        dict(zip(ELEVEN, looks_of(ELEVEN, CLUB_PAINT, morning, seed=3), strict=True)), "club"
    )
    naming = assign_names(looks_of(ELEVEN[1:], CLUB_PAINT, evening, seed=9), learned)
    found = [ball.name for ball in naming.balls]
    assert all(got in {None, name} for got, name in zip(found, ELEVEN[1:], strict=True)), found
    assert sum(got is not None for got in found) >= 9


def test_from_top_views_to_file_and_preview(tmp_path: Path) -> None:
    top = straight_above()
    views = [table_view(top, _row(ELEVEN), CLUB_PAINT, seed=7) for _ in range(3)]
    learned = enroll(views, top, "club")
    assert learned.ball_set.names == tuple(ELEVEN)
    assert learned.preview_bgr.shape[0] > top.height
    assert learned.preview_bgr.dtype == np.uint8
    save_ball_set(learned.ball_set, tmp_path / "club.json")
    again = load_ball_set(tmp_path / "club.json")
    assert json.loads((tmp_path / "club.json").read_text())["light"]["white_bgr"]
    scattered = [(name, -1.0 + 0.19 * i, 0.3 - 0.06 * i) for i, name in enumerate(ELEVEN)]
    balls = resting_balls([table_view(top, scattered, CLUB_PAINT, seed=8)], top)
    naming = assign_names([ball.look for ball in balls], again)
    assert len(balls) == len(ELEVEN)
    for ball, got in zip(balls, naming.balls, strict=True):
        true = min(
            scattered, key=lambda place: (place[1] - ball.x_m) ** 2 + (place[2] - ball.y_m) ** 2
        )
        assert got.name in {None, true[0]}
    assert sum(got.name is not None for got in naming.balls) >= 10


@pytest.mark.parametrize("paint", [PAINT, TV_PAINT], ids=["standard", "tv"])
def test_a_rack_of_known_colours_is_learned(paint: dict[str, tuple[int, int, int]]) -> None:
    top = straight_above()
    order = ["1", "4", "7", "3", "10", "6", "8", "2", "5", "9"]
    balls = [*_rack(order), ("cue", -0.8, 0.1)]
    learned = enroll([table_view(top, balls, paint, seed=4)], top, "rack").ball_set
    assert learned.names == tuple(ELEVEN)
    naming = assign_names(looks_of(ELEVEN, paint, seed=31), learned)
    found = [ball.name for ball in naming.balls]
    assert all(got in {None, name} for got, name in zip(found, ELEVEN, strict=True)), found


def test_balls_that_look_alike_are_mentioned() -> None:
    twins = {**CLUB_PAINT, "6": CLUB_PAINT["5"]}
    learned = learn_ball_set(dict(zip(ELEVEN, looks_of(ELEVEN, twins, seed=3), strict=True)), "t")
    assert alike(learned) == ["The 5 and the 6 look much alike; one may stay unnamed."]
