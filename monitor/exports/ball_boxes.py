"""Where the balls of a state are in the picture: centres and boxes in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from table.balls import BallName, ball_order
from table.state import TableState

if TYPE_CHECKING:
    from calibration.camera import Camera


@dataclass(frozen=True, slots=True)
class BallBox:
    """One ball in one picture.

    Pixels; the centre of the first pixel is (0, 0). The box is that of the ball standing
    still: a blur streak is longer.
    """

    ball: BallName
    x_px: float
    y_px: float
    radius_px: float
    seen: bool

    @property
    def left_top_size(self) -> tuple[float, float, float]:
        """Left, top and the side of the square, clipped to nothing."""
        return (self.x_px - self.radius_px, self.y_px - self.radius_px, 2.0 * self.radius_px)


def ball_boxes(state: TableState, camera: Camera) -> Iterator[BallBox]:
    """The boxes of a state's balls whose centres lie in the picture, cue ball first."""
    balls = sorted(state.balls.values(), key=lambda ball: ball_order(ball.name))
    if not balls:
        return
    points = [ball.position for ball in balls]
    pixels = camera.project_on_plane(points)
    scales = camera.px_per_m(points)
    width, height = camera.image_size
    for ball, (x, y), scale in zip(balls, pixels, scales, strict=True):
        if -0.5 <= x < width - 0.5 and -0.5 <= y < height - 0.5:
            radius = float(scale) * camera.table.ball_radius_m
            yield BallBox(ball.name, float(x), float(y), radius, ball.seen)
