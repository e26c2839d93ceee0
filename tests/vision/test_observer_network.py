"""The observer with a network beside the localizer: a ball that only one of them sees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.vision.photographs import (
    RED,
    YELLOW,
    Ball,
    photograph,
    usual,
    usual_localizer,
    usual_top,
)
from tests.vision.test_observer import ball_at, frame_of
from vision.finds import Finds, Kind
from vision.frames import Image
from vision.network import Network
from vision.observer import Observer
from vision.sequence import Seen

TOP = usual_top()
HIDDEN = (0.7, -0.25)
"""Where a ball of the cloth's colour lies: the picture shows bare cloth."""


@dataclass(frozen=True, eq=False)
class Told(Network):
    """A network that sees balls at given places, frame by frame."""

    places: tuple[tuple[float, float], ...] = ()

    def look(self, _view: Image) -> Finds:
        """One sure ball at each place."""
        centers = TOP.from_table(np.array(self.places).reshape(-1, 2))
        reach = TOP.ball_radius_px
        boxes = np.concatenate((centers - reach, centers + reach), axis=1)
        count = len(boxes)
        return Finds(np.full(count, int(Kind.BALL)), boxes, np.full(count, 0.9))


def watched(network: Network | None, frames: int = 26) -> Seen:
    """A yellow ball at rest, a red one, and what the network adds."""
    observer = Observer(usual(), TOP, usual_localizer().cloth, network)
    balls = [Ball(0.5, 0.3, YELLOW), Ball(-0.6, -0.2, RED)]
    for index in range(frames):
        observer.update(frame_of(index, photograph(balls, [], seed=index % 7)))
    (seen,) = observer.finish(None)
    return seen


def told(*places: tuple[float, float]) -> Network:
    """A network that sees balls at places (metres)."""
    return Told(None, (32, 32), (32, 32), places)  # type: ignore[arg-type]


def test_a_ball_of_the_cloths_colour_is_on_the_table() -> None:
    """The localizer sees two balls, the network three: three are there, at rest."""
    seen = watched(told(HIDDEN, (0.5, 0.3), (-0.6, -0.2)))
    assert len(seen.motions) == 3
    places = ball_at(seen, *HIDDEN)
    assert len(places) > 15
    assert np.hypot(*(places - HIDDEN).T).max() < 0.001


def test_the_localizers_balls_stay_without_the_networks_word() -> None:
    """A network that sees nothing takes no ball away, and none is added."""
    with_blind, without = watched(told()), watched(None)
    assert len(with_blind.motions) == len(without.motions) == 2
    for x_m, y_m in ((0.5, 0.3), (-0.6, -0.2)):
        assert np.allclose(ball_at(with_blind, x_m, y_m), ball_at(without, x_m, y_m))
