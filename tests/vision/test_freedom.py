"""Freedom: since when each place has not been seen bare."""

from __future__ import annotations

import math

import numpy as np

from tests.vision.photographs import usual_top
from vision.freedom import Freedom


def covered(*places: tuple[float, float], radius_m: float = 0.03) -> np.ndarray:
    """A foreground mask with discs at these places."""
    top = usual_top()
    rows, columns = np.mgrid[: top.height, : top.width]
    mask = np.zeros((top.height, top.width), np.uint8)
    for place in places:
        u, v = top.from_table(np.array([place]))[0]
        mask[np.hypot(columns - u, rows - v) < radius_m * top.px_per_m] = 255
    return mask


def test_a_place_never_seen_bare_was_never_free() -> None:
    """Before any frame, and under a ball that lay there from the first, it is -inf."""
    freedom = Freedom(usual_top())
    assert freedom.last_free_s(0.0, 0.0) == -math.inf
    for k in range(5):
        freedom.update(covered((0.2, 0.1), radius_m=0.06), 0.04 * k)
    assert freedom.last_free_s(0.2, 0.1) == -math.inf


def test_a_bare_place_was_free_in_the_last_frame() -> None:
    """Bare cloth was last free now."""
    freedom = Freedom(usual_top())
    for k in range(5):
        freedom.update(covered((0.2, 0.1)), 0.04 * k)
    assert freedom.last_free_s(-0.5, -0.2) == 0.16


def test_a_covered_place_keeps_the_time_at_which_it_was_last_bare() -> None:
    """A ball or an arm that comes later does not wipe out when the place was free."""
    freedom = Freedom(usual_top())
    for k in range(10):
        places = [(0.2, 0.1)] if k >= 4 else []
        freedom.update(covered(*places, radius_m=0.06), 0.1 * k)
    assert abs(freedom.last_free_s(0.2, 0.1) - 0.3) < 1e-9


def test_a_place_outside_the_view_was_never_free() -> None:
    """Far beyond the rails nothing is known."""
    freedom = Freedom(usual_top())
    freedom.update(covered(), 1.0)
    assert freedom.last_free_s(5.0, 5.0) == -math.inf
