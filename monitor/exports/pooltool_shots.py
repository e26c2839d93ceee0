"""pooltool systems: one file a shot, ready to be simulated again.

The balls stand where they rested before the stroke; the cue ball slides at the velocity that
it was seen to leave with. Spin is not seen, so none is given. pooltool's frame has its origin
at the corner HL, x along the head cushion and y along the long string: x_pt = W/2 - y,
y_pt = x + L/2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from monitor.exports.reviewed_folder import ReviewedFolder
from monitor.failures import CannotBeDoneError
from table.balls import CUE, BallName
from table.events import ShotEvent, ShotStarted
from table.geometry import Point
from table.state import TableState

_SLIDING: Final = 2
"""pooltool's number for a sliding ball (pooltool.constants)."""
_SPIN_LEFT_OUT_S: Final = 0.25
"""The velocity is read within this time after the stroke."""


def write_pooltool(reviewed: ReviewedFolder, out: Path) -> list[Path]:
    """Write shot_<n>.msgpack for every shot whose stroke and first motion were seen.

    Raises:
        CannotBeDoneError: when pooltool is not installed or no shot can be written.
    """
    try:
        import pooltool  # noqa: PLC0415
    except ImportError:
        raise CannotBeDoneError(
            'This needs pooltool, which the truth generator brings: "make install-dev".'
        ) from None
    written = []
    for number, events in reviewed.log.shots().items():
        start, velocity = _start(events), None
        if start is not None and start.t_s is not None:
            velocity = leaving_velocity(reviewed.states, events, start.t_s)
        if start is None or velocity is None or CUE not in start.balls:
            continue
        out.mkdir(parents=True, exist_ok=True)
        path = out / f"shot_{number}.msgpack"
        source = reviewed.log.source
        _system(pooltool, start.balls, velocity, (source.length_m, source.width_m)).save(path)
        written.append(path)
    if not written:
        raise CannotBeDoneError("No shot has a stroke and a moving cue ball to start from.")
    return written


def leaving_velocity(
    states: Sequence[TableState], events: Sequence[ShotEvent], strike_s: float
) -> tuple[float, float] | None:
    """The cue ball's velocity in m/s after the stroke and before it met anything.

    None when it was not seen in between.
    """
    meetings = [event.t_s for event in events if event.t_s is not None and event.t_s > strike_s]
    end_s = min([*meetings, strike_s + _SPIN_LEFT_OUT_S])
    between = [
        state.balls[CUE]
        for state in states
        if strike_s < state.t_s <= end_s and CUE in state.balls and state.balls[CUE].seen
    ]
    moving = [ball for ball in between if ball.speed_mps > 0.0]
    if not moving:
        return None
    fastest = max(moving, key=lambda ball: ball.speed_mps)
    return fastest.vx_mps, fastest.vy_mps


def _start(events: Sequence[ShotEvent]) -> ShotStarted | None:
    return next((event for event in events if isinstance(event, ShotStarted)), None)


def _system(
    pooltool: Any, balls: Mapping[BallName, Point], velocity: tuple[float, float], size: Point
) -> Any:
    length, width = size
    specs = pooltool.objects.PocketTableSpecs(l=length, w=width)
    placed = {
        name: pooltool.Ball.create(name, xy=(width / 2 - y, x + length / 2))
        for name, (x, y) in balls.items()
    }
    cue_ball = placed[CUE]
    cue_ball.state.rvw[1] = (-velocity[1], velocity[0], 0.0)
    cue_ball.state.s = _SLIDING
    return pooltool.System(
        cue=pooltool.Cue(cue_ball_id=CUE),
        table=pooltool.Table.from_table_specs(specs),
        balls=placed,
    )
