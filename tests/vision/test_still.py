"""What did not change is not looked at again; what did is."""

from __future__ import annotations

import numpy as np
import pytest

from vision.found import Found
from vision.still import Still

BALL = Found(20.0, 20.0, 0.0, 0.0, 0.9, 0.2)
BOX = (slice(8, 32), slice(8, 32))


def view_with(spot: int = 0, noise: int = 0, seed: int = 0) -> np.ndarray:
    """A grey picture with a square whose place is moved by `spot` pixels, and some noise."""
    view = np.full((80, 80, 3), 90, np.uint8)
    view[14:26, 14 + spot : 26 + spot] = 200
    if noise:
        rng = np.random.default_rng(seed)
        view = np.clip(view + rng.integers(-noise, noise + 1, view.shape), 0, 255).astype(np.uint8)
    return view


def kept(view: np.ndarray) -> Still:
    """A memory that has seen the ball in one frame, at the beginning of the next."""
    still = Still(tolerance=6)
    still.turn()
    still.keep(view, *BOX, [BALL])
    still.turn()
    return still


def test_a_patch_that_looks_the_same_is_recalled() -> None:
    """Noise and a border that moves by a pixel change nothing."""
    still = kept(view_with(noise=5, seed=1))
    assert still.recall(view_with(noise=5, seed=2), slice(9, 32), slice(8, 31)) == (BALL,)


@pytest.mark.parametrize("spot", [1, 2, 6])
def test_a_patch_that_changed_is_looked_at_again(spot: int) -> None:
    """A move of one pixel is a change."""
    assert kept(view_with()).recall(view_with(spot), *BOX) is None


def test_another_place_is_not_recalled() -> None:
    """A patch elsewhere, or of another size, is another patch."""
    still = kept(view_with())
    assert still.recall(view_with(), slice(30, 54), slice(8, 32)) is None
    assert still.recall(view_with(), slice(8, 50), slice(8, 32)) is None


def test_memory_is_refreshed_after_a_while() -> None:
    """A patch is looked at again after some frames, so that noise does not get stuck."""
    still, view = kept(view_with()), view_with()
    recalled = []
    for _ in range(20):
        recalled.append(still.recall(view, *BOX) is not None)
        still.turn()
    assert recalled[0]
    assert not all(recalled)


def test_what_was_not_seen_again_is_forgotten() -> None:
    """A patch that was no component in one frame is unknown in the next."""
    still = kept(view_with())
    still.turn()
    still.turn()
    assert still.recall(view_with(), *BOX) is None


def test_a_ball_beside_which_a_hand_has_come_is_still_known() -> None:
    """Within a larger patch, what looks the same lies as it did; what changed is not claimed."""
    still = kept(view_with())
    whole = (slice(0, 80), slice(0, 80))
    assert still.unmoved(view_with(), *whole) == [BALL]
    assert kept(view_with()).unmoved(view_with(3), *whole) == []


def test_a_patch_within_two_larger_ones_is_remembered_once() -> None:
    """Two people beside one ball: the memory does not double with every frame."""
    still, view = kept(view_with()), view_with()
    for _ in range(30):
        assert still.unmoved(view, slice(0, 60), slice(0, 60)) == [BALL]
        assert still.unmoved(view, slice(4, 70), slice(4, 70)) == [BALL]
        still.keep(view, *BOX, [BALL])
        still.turn()
    assert still.unmoved(view, slice(0, 60), slice(0, 60)) == [BALL]
