"""Table states."""

import pytest

from table.state import BallState, TableState


def test_speed_and_position_of_a_ball() -> None:
    ball = BallState("3", 0.5, -0.2, vx_mps=3.0, vy_mps=-4.0)
    assert ball.speed_mps == pytest.approx(5.0)
    assert ball.position == (0.5, -0.2)


def test_states_are_values() -> None:
    assert BallState("1", 0.0, 0.0) == BallState("1", 0.0, 0.0)
    with pytest.raises(AttributeError):
        TableState(1.0).t_s = 2.0  # type: ignore[misc]
