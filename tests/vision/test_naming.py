"""Naming tracks: each number once at any time, and a ball that comes back keeps its name."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from filterpy.kalman import KalmanFilter

from tests.vision.painted_balls import PAINT, TV_PAINT, Rgb, looks_of
from vision.ballset import STANDARD
from vision.naming import Looks, name_tracks
from vision.tracker import Sighting, Track

FRAME = 0.04
ELEVEN = ["cue", *(str(n) for n in range(1, 11))]


class Story:
    """Balls that were tracked over some time, with what they looked like."""

    def __init__(self, paint: dict[str, Rgb] | None = None) -> None:
        self.paint = paint or dict(PAINT)
        self.tracks: list[Track] = []
        self.looks: dict[int, Looks] = {}

    def ball(
        self,
        look: str,
        from_s: float = 0.0,
        until_s: float = 4.0,
        alone: bool = True,
        quality: float = 0.95,
        seen: bool = True,
    ) -> int:
        """Track a ball that lies still; returns the track's number."""
        number = len(self.tracks) + 1
        times = np.arange(round(from_s / FRAME), round(until_s / FRAME) + 1) * FRAME
        place = (0.1 * number, 0.05)
        sightings = [
            Sighting(round(t / FRAME), float(t), *place, 5e-4, 0.0, 0.0, quality, 0) for t in times
        ]
        track = Track(number, sightings, np.zeros(3), np.ones(3), KalmanFilter(4, 2), until_s)
        track.hits, track.confirmed = len(sightings), len(sightings) >= 3
        self.tracks.append(track)
        if seen:
            looks = self.looks.setdefault(number, Looks())
            for k, sighting in enumerate(sightings[:48:8]):
                (one,) = looks_of([look], self.paint, seed=100 * number + k)
                looks.add(sighting.frame, place, one, alone)
        return number

    def named(self) -> dict[int, str]:
        """The names by track."""
        return name_tracks(self.tracks, self.looks, None)[0]

    def overlapping_names(self) -> list[str]:
        """Names that two tracks carry at one time."""
        names = self.named()
        twice = []
        for a, b in itertools.combinations(self.tracks, 2):
            first = max(a.sightings[0].t_s, b.sightings[0].t_s)
            last = min(a.sightings[-1].t_s, b.sightings[-1].t_s)
            same = names.get(a.number, "a") == names.get(b.number, "b")
            if last - first > 0.2 and same:
                twice.append(names[a.number])
        return twice


def full(names: Sequence[str], paint: dict[str, Rgb] | None = None) -> tuple[Story, list[int]]:
    """A story of these balls at rest throughout."""
    story = Story(paint)
    return story, [story.ball(name) for name in names]


def test_a_full_table_gets_every_name_once() -> None:
    """Eleven balls, eleven names, each the right one."""
    story, numbers = full(ELEVEN)
    names = story.named()
    assert [names.get(n) for n in numbers] == ELEVEN


@pytest.mark.parametrize(("paint", "expected"), [(PAINT, "standard"), (TV_PAINT, "tv")])
def test_the_ball_set_that_fits_is_chosen(paint: dict[str, Rgb], expected: str) -> None:
    """A pink 4 and a tan 7 make the set tv, purple and maroon make it standard."""
    story, _ = full(ELEVEN, dict(paint))
    assert name_tracks(story.tracks, story.looks, None)[1] == expected


def test_a_given_ball_set_is_kept() -> None:
    """A ball set that was given is the one used."""
    story, _ = full(ELEVEN, dict(TV_PAINT))
    assert name_tracks(story.tracks, story.looks, STANDARD)[1] == STANDARD.name


def test_a_ball_that_comes_back_keeps_its_name() -> None:
    """The cue ball that left and is placed again is the cue ball again."""
    story, _ = full(["1", "3", "6", "8"])
    before = story.ball("cue", 0.0, 1.5)
    after = story.ball("cue", 2.4, 4.0)
    names = story.named()
    assert names[before] == names[after] == "cue"


def test_no_two_balls_carry_a_name_at_one_time() -> None:
    """A second ball that looks like one still there does not take its name."""
    story, _ = full(["cue", "1", "3", "6", "8"])
    story.ball("3", 2.0, 4.0)
    story.ball("cue", 1.0, 4.0)
    assert story.overlapping_names() == []


def test_a_late_ball_takes_its_own_name() -> None:
    """A ball uncovered in the middle of the clip is named by its colour."""
    story, _ = full(["cue", "1", "3"])
    late = story.ball("6", 2.0, 4.0)
    assert story.named()[late] == "6"


def test_a_glimpse_gets_no_name() -> None:
    """A track of a few frames is no ball."""
    story, _ = full(["cue", "1", "3"])
    glimpse = story.ball("6", 1.0, 1.12)
    assert glimpse not in story.named()


def test_a_fragment_of_a_balls_way_takes_no_name_from_the_ball() -> None:
    """On the break a ball may be followed twice for a moment."""
    story, numbers = full(["cue", "1", "8", "10"])
    fragment = story.ball("10", 1.0, 1.0 + 12 * FRAME)
    names = story.named()
    assert names[numbers[3]] == "10"
    assert fragment not in names


def test_a_lasting_ball_of_no_known_colour_is_unknown_not_lost() -> None:
    """Three balls of one colour cannot all have its name: the others are u1, u2."""
    story, _ = full(["cue", "1", "8"])
    reds = [story.ball("3") for _ in range(3)]
    names = story.named()
    given = [names[n] for n in reds]
    assert len(set(given)) == 3
    assert {g for g in given if g.startswith("u")} >= {"u1"}
    assert all(g == "3" or g.startswith("u") or g in ("5", "7", "9", "10") for g in given)


def test_a_thing_that_was_never_apart_from_a_hand_is_no_unknown_ball() -> None:
    """What only showed with a hand beside it and fits no free name is nothing."""
    story, _ = full(ELEVEN)
    finger = story.ball("3", 1.0, 3.0, alone=False)
    assert finger not in story.named()


def test_a_track_without_any_look_is_not_named() -> None:
    """A ball that was only seen blurred has no name."""
    story, _ = full(["cue", "1"])
    blurred = story.ball("3", seen=False)
    assert blurred not in story.named()


def test_nothing_seen_names_nothing() -> None:
    """No track: no name, and still a ball set."""
    names, ball_set = name_tracks([], {}, None)
    assert names == {}
    assert ball_set in ("standard", "tv")


def test_a_ball_that_lies_still_is_not_looked_at_for_ever() -> None:
    """Looks of one side are few; a ball that rolled on shows another side and is wanted again."""
    looks = Looks()
    (one,) = looks_of(["3"], seed=1)
    taken = 0
    for frame in range(0, 2000):
        if looks.wanted(frame, (0.0, 0.0)):
            looks.add(frame, (0.0, 0.0), one, True)
            taken += 1
    assert 5 <= taken <= 40
    assert looks.wanted(2000, (0.3, 0.0))


def rolled(name: str, axes: Sequence[tuple[float, float, float]]) -> Looks:
    """Looks of a ball that lay long with its first axis up and then rolled on to the others."""
    looks = Looks()
    for side, axis in enumerate(axes):
        for k in range(20 if side == 0 else 2):
            (one,) = looks_of([name], seed=50 * side + k, axes={name: axis})
            looks.add(20 * side + k, (0.1 * side, 0.0), one, True)
    return looks


CAP_UP = (0.0, 0.0, 1.0)
ROLLED = (CAP_UP, (1.0, 0.2, 0.1), (0.1, 1.0, 0.1))


def test_a_stripe_with_its_cap_up_shows_its_colour_as_it_rolls() -> None:
    """Twenty looks at a white cap weigh less than two of the stripe: each side has its say."""
    story, _ = full(["cue", "1", "3", "6", "8"])
    number = story.ball("10")
    story.looks[number] = rolled("10", ROLLED)
    assert story.named()[number] == "10"


def test_a_ball_that_is_white_from_every_side_is_the_cue_ball() -> None:
    """Beside a stripe that lies with its cap up, the one that rolled and stayed white."""
    story, _ = full(["1", "3", "6", "8"])
    cue, stripe = story.ball("cue"), story.ball("9")
    story.looks[cue] = rolled("cue", ROLLED)
    story.looks[stripe] = rolled("9", (CAP_UP,))
    names = story.named()
    assert names[cue] == "cue"
    assert names[stripe] != "cue"


def test_looks_are_grouped_by_the_side_that_they_show() -> None:
    """A ball that rolled twice has three sides, the longest seen first."""
    sides = rolled("10", ROLLED).sides
    assert [side.frames for side in sides] == [20, 2, 2]
    assert len(rolled("10", (CAP_UP,)).sides) == 1
    assert [s.frames for s in rolled("10", ROLLED).between(20, 21).sides] == [2]
