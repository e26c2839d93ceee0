"""What fell in an earlier shot and can still be seen in its pocket is in play no more."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Final

import pytest

from monitor.live.fallen_balls import FallenBalls
from monitor.live.shot_reading import SeenShot
from table.balls import BallName
from table.events import BallPocketed, ShotEnded, ShotStarted
from table.geometry import NINE_FOOT, Pocket, Point
from vision.tracker import Track

IN_POCKET: Final = (1.257, 0.63)
BRINK: Final = (1.24, 0.607)
BED: Final = (0.3, 0.1)


def track(number: int, place: Point) -> Track:
    """A followed ball, as far as it counts here."""
    return SimpleNamespace(number=number, position=place)  # type: ignore[return-value]


def shot(fell: Pocket | None, resting: dict[BallName, Point]) -> SeenShot:
    """A shot after which `resting` are on the table."""
    falls = () if fell is None else (BallPocketed(shot=1, t_s=2.0, ball="3", pocket=fell),)
    events = (
        ShotStarted(shot=1, t_s=1.0, balls=resting),
        *falls,
        ShotEnded(shot=1, t_s=4.0, balls=resting),
    )
    return SeenShot(1, events, {})


def after_a_fall(*tracks: Track, resting: dict[BallName, Point] | None = None) -> FallenBalls:
    """The 3 fell into FL, and the shot was left."""
    fallen = FallenBalls(NINE_FOOT)
    for one in tracks:
        fallen.look(one.number, BED)
    fallen.take(shot(Pocket.FL, resting or {"cue": (0.0, 0.0)}))
    assert fallen.numbers == set()
    fallen.leave_shot(tracks)
    return fallen


def test_what_fell_is_in_play_no_more_once_its_shot_is_left() -> None:
    assert after_a_fall(track(4, IN_POCKET), track(5, BED)).numbers == {4}


def test_nothing_is_left_out_after_a_shot_in_which_nothing_fell() -> None:
    fallen = FallenBalls(NINE_FOOT)
    fallen.take(shot(None, {"3": BRINK}))
    fallen.leave_shot([track(4, BRINK)])
    assert fallen.numbers == set()


def test_a_ball_that_came_to_hang_over_one_that_fell_stays() -> None:
    fallen = after_a_fall(track(4, IN_POCKET), track(5, BRINK), resting={"7": BRINK})
    assert fallen.numbers == {4}


def test_another_glimpse_of_what_lies_there_is_no_new_ball() -> None:
    fallen = after_a_fall(track(4, IN_POCKET))
    fallen.look(9, IN_POCKET)
    fallen.look(10, BRINK)
    assert fallen.numbers == {4, 9}


def test_a_pocket_that_was_emptied_says_nothing_of_the_next_ball_there() -> None:
    fallen = after_a_fall(track(4, IN_POCKET))
    fallen.leave_shot([])
    fallen.look(9, IN_POCKET)
    assert fallen.numbers == set()


def test_a_ball_that_rolls_into_the_mouth_later_is_not_the_one_that_lies_there() -> None:
    fallen = after_a_fall(track(4, IN_POCKET))
    fallen.look(6, BED)
    fallen.look(6, BRINK)
    assert fallen.numbers == {4}


@pytest.mark.parametrize(("place", "is_down"), [((1.18, 0.56), True), (BED, False)])
def test_only_a_ball_that_was_carried_away_is_back(place: Point, is_down: bool) -> None:
    fallen = after_a_fall(track(4, IN_POCKET))
    fallen.look(4, place)
    assert (4 in fallen.numbers) == is_down


def test_a_new_view_begins_without_them() -> None:
    fallen = after_a_fall(track(4, IN_POCKET))
    fallen.new_view()
    fallen.look(1, IN_POCKET)
    assert fallen.numbers == set()
