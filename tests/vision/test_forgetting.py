"""A sequence that forgets: an evening fits into memory, and nobody at rest is lost."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from vision.naming import Looks
from vision.sequence import Sequence
from vision.tracker import Sighting, Track, Tracker


def track(number: int, first: int, last: int, lost: bool = False) -> Track:
    """A track seen in the frames first .. last, ten a second."""
    rows = [
        Sighting(f, f / 10, 0.1 * number, 0.0, 0.001, 0.0, 0.0, 0.9, 0)
        for f in range(first, last + 1)
    ]
    color = np.zeros(3)
    made = Track(number, rows, color, color, None, last / 10, confirmed=True)  # type: ignore[arg-type]
    made.lost = lost
    return made


def sequence(*tracks: Track) -> Sequence:
    made = Sequence(Tracker(np.zeros(3)))
    made.tracker.tracks = list(tracks)
    for frame in range(100):
        made.times_s.append(frame / 10)
        made.frames.append(frame)
        made.glimpses.append([])
    made.looks = {t.number: Looks() for t in tracks}
    return made


def test_what_is_over_is_forgotten() -> None:
    kept = sequence(track(1, 0, 99), track(2, 0, 30, lost=True))
    kept.forget_before(8.0)
    assert kept.times_s[0] == 8.0 and len(kept.times_s) == len(kept.frames) == len(kept.glimpses)
    (left,) = kept.tracker.tracks
    assert left.number == 1 and left.sightings[0].t_s == 8.0
    assert set(kept.looks) == {1}


def test_a_hidden_ball_keeps_its_place_and_its_looks() -> None:
    kept = sequence(track(1, 0, 99), track(2, 0, 30))
    kept.forget_before(8.0)
    hidden = next(t for t in kept.tracker.tracks if t.number == 2)
    assert hidden.last.frame == 30 and len(hidden.sightings) < 10 and 2 in kept.looks


def test_forgetting_again_and_again_does_not_grow() -> None:
    kept = sequence(track(1, 0, 99))
    for t_s in (2.0, 4.0, 6.0):
        kept.forget_before(t_s)
    assert len(kept.tracker.tracks[0].sightings) == len(kept.times_s) == 40


def test_what_is_left_out_was_never_followed() -> None:
    kept = sequence(track(1, 0, 99), track(2, 0, 99))
    kept.glimpses[5] = [SimpleNamespace(track=1), SimpleNamespace(track=2)]  # type: ignore[list-item]
    kept.leave_out({2})
    assert [t.number for t in kept.tracker.tracks] == [1]
    assert [g.track for g in kept.glimpses[5]] == [1]
