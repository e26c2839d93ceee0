"""Two tracks that took each other's ball as they met."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from vision.swaps import Swap, swaps_of
from vision.tracker import Sighting, Track

MET = 30
"""The last frame before the blow."""
Looks = Callable[[int, int, int], Mapping[str, float] | None]


def track(number: int, places: list[tuple[float, float]]) -> Track:
    """A track with a sighting in each frame."""
    rows = [
        Sighting(frame, frame / 30, x, y, 0.0005, 0.0, 0.0, 1.0, 0)
        for frame, (x, y) in enumerate(places)
    ]
    return Track(number, rows, np.zeros(3), np.full(3, 100.0), None, 2.0, confirmed=True)


def rolling_into_resting() -> tuple[Track, Track]:
    """Track 1 rolls up to the ball of track 2 and goes on as what was driven ahead; track 2
    stays: what a tracker makes of a cue ball that stops dead."""
    ahead = [(-0.9 + 0.03 * f, 0.0) for f in range(60)]
    stays = [(0.055, 0.0)] * (MET + 1) + [(0.004, 0.0)] * (59 - MET)
    return track(1, ahead), track(2, stays)


def told(names: Mapping[tuple[int, bool], str], sure: float = 3.0) -> Looks:
    """Looks that speak for one name of each piece: (track, after the blow) -> name."""

    def looks(number: int, first: int, _last: int) -> Mapping[str, float] | None:
        name = names.get((number, first > MET))
        if name is None:
            return None
        return {n: 0.0 if n == name else -sure for n in ("cue", "9", "10")}

    return looks


def test_ends_that_fit_better_crosswise_are_exchanged() -> None:
    names = {(1, False): "cue", (1, True): "9", (2, False): "9", (2, True): "cue"}
    assert list(swaps_of(rolling_into_resting(), told(names))) == [Swap(1, 2, MET)]


def test_a_break_that_happens_between_two_sightings_is_a_meeting() -> None:
    """At nine metres a second the cue ball is seen 0.3 m before the rack and then within it."""
    one = track(1, [(-9.0 + 0.3 * f, 0.0) for f in range(MET)]
                + [(0.25 + 0.02 * f, 0.1) for f in range(60 - MET)])  # fmt: skip
    other = track(2, [(0.0, 0.0)] * MET + [(0.05, -0.02)] * (60 - MET))
    names = {(1, False): "cue", (1, True): "10", (2, False): "10", (2, True): "cue"}

    def looks(number: int, first: int, _last: int) -> Mapping[str, float] | None:
        name = names[number, first >= MET]
        return {n: 0.0 if n == name else -3.0 for n in ("cue", "9", "10")}

    assert [(s.a, s.b) for s in swaps_of((one, other), looks)] == [(1, 2)]


def test_balls_that_look_as_before_stay() -> None:
    names = {(1, False): "cue", (1, True): "cue", (2, False): "9", (2, True): "9"}
    assert list(swaps_of(rolling_into_resting(), told(names))) == []


@pytest.mark.parametrize("sure", [0.5, 0.9])
def test_a_slight_preference_changes_nothing(sure: float) -> None:
    names = {(1, False): "cue", (1, True): "9", (2, False): "9", (2, True): "cue"}
    assert list(swaps_of(rolling_into_resting(), told(names, sure))) == []


def test_what_was_not_looked_at_changes_nothing() -> None:
    names = {(1, False): "cue", (1, True): "9", (2, False): "9"}
    assert list(swaps_of(rolling_into_resting(), told(names))) == []


def test_balls_that_never_met_are_not_exchanged() -> None:
    one, _ = rolling_into_resting()
    other = track(2, [(0.0, 0.4)] * 60)
    names = {(1, False): "cue", (1, True): "9", (2, False): "9", (2, True): "cue"}
    assert list(swaps_of((one, other), told(names))) == []


def test_names_are_given_once() -> None:
    """Two pieces that look like the same ball cannot both be it: nothing is won by a swap."""
    names = dict.fromkeys(((1, False), (1, True), (2, False), (2, True)), "cue")
    assert list(swaps_of(rolling_into_resting(), told(names, math.inf))) == []
