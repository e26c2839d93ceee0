"""Balls and their text form."""

import pytest

from table.balls import OBJECT_BALLS, Ball, ball_order, is_ball_name, is_unknown, lowest


@pytest.mark.parametrize("ball", Ball)
def test_text_form_is_read_back(ball: Ball) -> None:
    assert Ball.from_text(ball.text) is ball


def test_the_cue_ball_is_called_cue_and_the_others_by_number() -> None:
    assert [ball.text for ball in Ball] == ["cue", *(str(n) for n in range(1, 11))]


@pytest.mark.parametrize("text", ["", "0", "11", "01", "Cue", "u1", " 1", "1.0", None, 3])
def test_other_texts_are_no_ball(text: str) -> None:
    with pytest.raises(ValueError, match="is not a ball"):
        Ball.from_text(text)


@pytest.mark.parametrize(("text", "unknown"), [("u1", True), ("u12", True), ("u0", False)])
def test_unknown_balls_are_counted_from_one(text: str, unknown: bool) -> None:
    assert is_unknown(text) is unknown


@pytest.mark.parametrize("text", ["u", "u01", "U1", "u99999", "ux", "1u", "u1 "])
def test_what_only_looks_like_an_unknown_ball_is_none(text: str) -> None:
    assert not is_unknown(text)
    assert not is_ball_name(text)


@pytest.mark.parametrize("value", [None, 1, 1.0, True, [], {}, ("cue",)])
def test_a_ball_name_is_text(value: object) -> None:
    assert not is_ball_name(value)


def test_lowest_leaves_the_cue_ball_out() -> None:
    assert lowest([Ball.TEN, Ball.CUE, Ball.THREE]) is Ball.THREE
    assert lowest([Ball.CUE]) is None
    assert lowest([]) is None
    assert lowest(OBJECT_BALLS) is Ball.ONE


def test_balls_sort_cue_first_then_by_number_then_unknown() -> None:
    names = ["u10", "10", "2", "u2", "cue", "1"]
    assert sorted(names, key=ball_order) == ["cue", "1", "2", "10", "u2", "u10"]
