"""The tracker: one track a ball, by where it can be and by its colour."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from table.geometry import Point
from tests.vision.played import Play, table_of
from vision.detections import Detections
from vision.tracker import Track, Tracker

CLOTH = np.array((120.0, 115.0, 85.0))
LAB: Mapping[str, tuple[float, float, float]] = {
    "cue": (235, 127, 133),
    "1": (200, 130, 200),
    "2": (70, 150, 80),
    "3": (110, 190, 165),
    "8": (20, 128, 128),
}
FPS = 25.0


@dataclass
class Film:
    """Detections of named balls, frame by frame, fed to a tracker."""

    tracker: Tracker = field(default_factory=lambda: Tracker(CLOTH))
    frame: int = 0
    given: dict[int, dict[int, str]] = field(default_factory=dict)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    @property
    def t_s(self) -> float:
        """Time of the next frame."""
        return self.frame / FPS

    def show(
        self,
        places: Mapping[str, Point],
        streaks: Mapping[str, Point] | None = None,
        quality: float = 0.95,
        alone: bool = True,
        empty: bool = True,
    ) -> list[Track]:
        """One frame with these balls; `empty`: every other place is seen to be bare."""
        names = list(places)
        order = self.rng.permutation(len(names))
        names = [names[i] for i in order]
        centers = np.array([places[n] for n in names]).reshape(-1, 2)
        centers = centers + self.rng.normal(0, 3e-4, centers.shape)
        colors = np.array([LAB[n] for n in names]).reshape(-1, 3)
        seen = Detections(
            centers,
            np.array([(streaks or {}).get(n, (0.0, 0.0)) for n in names]).reshape(-1, 2),
            np.full(len(names), quality),
            colors + self.rng.normal(0, 3, colors.shape),
            np.full(len(names), 4e-4),
            np.full(len(names), alone),
        )
        self.given[self.frame] = dict(enumerate(names))
        tracks = self.tracker.update(self.frame, self.t_s, seen, lambda *_: 0.0 if empty else 1.0)
        self.frame += 1
        return tracks

    def play(self, play: Play, until_s: float, hidden: Sequence[str] = ()) -> None:
        """Show a played shot, blurred by a fiftieth of a second, up to a time."""
        while self.t_s <= until_s:
            places, streaks = {}, {}
            for name in play.stretches:
                place = play.place(name, self.t_s)
                before = play.place(name, self.t_s - 0.01)
                if place is None or before is None or name in hidden:
                    continue
                places[name] = (float(place[0]), float(place[1]))
                half = place - before
                streaks[name] = (
                    (float(half[0]), float(half[1])) if np.hypot(*half) > 3e-3 else (0, 0)
                )
            self.show(places, streaks)

    def names_of(self, track: Track) -> list[str]:
        """Whose detections a track took, without repetitions in a row."""
        names = [self.given[s.frame][s.detection] for s in track.sightings]
        return [name for name, _ in itertools.groupby(names)]

    def of(self, name: str) -> Track:
        """The track that last took a detection of this ball."""
        (track,) = [t for t in self.tracker.tracks if t.sightings and name in self.names_of(t)]
        return track


def test_a_resting_ball_is_one_track() -> None:
    """A ball that lies still is one confirmed track with a sighting a frame."""
    film = Film()
    for _ in range(20):
        tracks = film.show({"1": (0.3, 0.1)})
    assert len(tracks) == 1
    assert tracks[0].confirmed
    assert len(tracks[0].sightings) == 20
    assert tracks[0].position == pytest.approx((0.3, 0.1), abs=3e-4)
    assert np.hypot(*tracks[0].velocity) < 0.01


def test_the_velocity_is_the_balls() -> None:
    """A rolling ball's filtered velocity is known within a few percent."""
    film = Film()
    play = table_of({"1": (-1.0, -0.3)}).hits(0.0, "1", (1.5, 0.5))
    film.play(play, 0.6)
    track = film.of("1")
    assert track.velocity == pytest.approx((1.5 - 0.08, 0.5 - 0.027), abs=0.06)


def test_a_track_needs_three_sightings() -> None:
    """A glimpse of one or two frames is never confirmed and is soon dropped."""
    film = Film()
    for _ in range(2):
        film.show({"3": (0.5, 0.2)})
    for _ in range(5):
        tracks = film.show({})
    assert tracks == []
    assert not film.tracker.tracks[0].confirmed


@pytest.mark.parametrize(("quality", "alone"), [(0.5, True), (0.75, False)])
def test_what_is_half_seen_or_part_of_a_hand_begins_no_track(quality: float, alone: bool) -> None:
    """Fingers near a rail (not alone) and half-seen things never become balls."""
    film = Film()
    for _ in range(40):
        film.show({"3": (0.5, 0.55)}, quality=quality, alone=alone)
    assert film.tracker.tracks == []


def test_a_whole_ball_that_lies_still_beside_a_hand_is_followed() -> None:
    """A ball beside a player is taken for one once it lay still for a third of a second."""
    film = Film()
    for _ in range(6):
        film.show({"3": (0.5, 0.55)}, alone=False)
    assert not film.of("3").confirmed
    for _ in range(8):
        film.show({"3": (0.5, 0.55)}, alone=False)
    assert film.of("3").confirmed


def test_a_ball_that_a_hand_set_down_is_followed_once_the_hand_has_gone() -> None:
    """Whoever sets up the rack moves every ball; what stays behind apart from him is a ball."""
    film = Film()
    for step in range(10):
        film.show({"3": (0.5 + 0.003 * (step % 2), 0.3)}, alone=False)
    assert not film.of("3").confirmed
    for _ in range(6):
        film.show({"3": (0.5, 0.3)})
    assert film.of("3").confirmed
    for step in range(20):
        film.show({"3": (0.5 + 0.02 * step, 0.3)})
    assert [track.confirmed for track in film.tracker.tracks] == [True]
    assert len(film.of("3").sightings) == 36


def test_a_round_thing_that_moves_with_a_hand_is_no_ball() -> None:
    """What wanders beside a person is part of him, however round."""
    film = Film()
    for step in range(40):
        film.show({"3": (0.5 + 0.004 * step, 0.3)}, alone=False)
    assert not any(track.confirmed for track in film.tracker.tracks)


def test_a_resting_ball_is_not_pulled_away_by_a_hand() -> None:
    """A half-seen round patch beside a hidden ball does not take the ball's track along."""
    film = Film()
    for _ in range(20):
        film.show({"3": (0.5, 0.3)})
    for step in range(10):
        film.show({"1": (0.53 + 0.01 * step, 0.32)}, quality=0.5, alone=False, empty=False)
    assert film.names_of(film.of("3")) == ["3"]


def test_a_track_lives_on_when_a_hand_touches_the_ball() -> None:
    """Once begun, a track takes poor detections: a hand beside the ball does not end it."""
    film = Film()
    for _ in range(5):
        film.show({"3": (0.5, 0.55)})
    for _ in range(10):
        film.show({"3": (0.5, 0.55)}, quality=0.5, alone=False)
    assert len(film.tracker.tracks) == 1
    assert len(film.tracker.tracks[0].sightings) == 15


@pytest.mark.parametrize("speed_mps", [0.8, 2.0, 4.5, 9.0])
def test_a_struck_ball_stays_its_track(speed_mps: float) -> None:
    """From rest to full speed within a frame: still the same track."""
    film = Film()
    play = table_of({"cue": (-0.9, 0.0), "1": (0.4, 0.3), "3": (0.2, -0.4)})
    play.hits(0.41, "cue", (speed_mps, 0.02 * speed_mps), 2.0)
    film.play(play, 1.2)
    assert len([t for t in film.tracker.tracks if t.sightings]) == 3
    for name in ("cue", "1", "3"):
        assert film.names_of(film.of(name)) == [name]
        assert len(film.of(name).sightings) == film.frame


@pytest.mark.parametrize("gap_m", [0.06, 0.075, 0.1])
@pytest.mark.parametrize("speed_mps", [0.6, 2.0, 5.0])
def test_two_balls_that_pass_keep_their_tracks(gap_m: float, speed_mps: float) -> None:
    """Two balls that cross close to each other do not switch."""
    film = Film()
    play = table_of({"1": (-0.6, 0.0), "3": (0.6, gap_m)})
    play.hits(0.2, "1", (speed_mps, 0.0), 0.2)
    play.hits(0.2, "3", (-speed_mps, 0.0), 2.0)
    film.play(play, min(2.0, 0.2 + 1.1 / speed_mps))
    assert film.names_of(film.of("1")) == ["1"]
    assert film.names_of(film.of("3")) == ["3"]


@pytest.mark.parametrize("speed_mps", [1.0, 3.0, 7.0])
@pytest.mark.parametrize("offset_m", [0.0, 0.02, 0.045])
def test_a_collision_does_not_switch_the_tracks(speed_mps: float, offset_m: float) -> None:
    """After a full or a thin hit each ball goes on in its own track."""
    film = Film()
    play = table_of({"cue": (-0.8, 0.0), "2": (0.2, offset_m)})
    play.hits(0.21, "cue", (speed_mps, 0.0), 2.0)
    film.play(play, 0.3 + 1.6 / speed_mps)
    assert film.names_of(film.of("cue")) == ["cue"]
    assert film.names_of(film.of("2")) == ["2"]


@pytest.mark.parametrize("speed_mps", [2.0, 4.0])
def test_balls_that_collide_head_on_are_told_by_their_colours(speed_mps: float) -> None:
    """Two balls that bounce off each other look, by place alone, as if they had passed through."""
    film = Film()
    play = table_of({"1": (-0.6, 0.0), "3": (0.6, 0.0)})
    play.hits(0.21, "1", (speed_mps, 0.0), 0.21)
    play.hits(0.21, "3", (-speed_mps, 0.0), 1.0)
    film.play(play, 0.21 + 1.1 / speed_mps)
    assert film.names_of(film.of("1")) == ["1"]
    assert film.names_of(film.of("3")) == ["3"]


def test_a_break_keeps_every_track() -> None:
    """Four balls of different colours that burst apart keep their tracks."""
    film = Film()
    step = 0.0573
    play = table_of(
        {
            "cue": (-0.6, 0.01),
            "1": (0.4, 0.0),
            "2": (0.4 + 0.87 * step, 0.5 * step),
            "3": (0.4 + 0.87 * step, -0.5 * step),
        }
    ).hits(0.21, "cue", (5.0, 0.0), 1.5)
    film.play(play, 0.9)
    for name in ("cue", "1", "2", "3"):
        assert film.names_of(film.of(name)) == [name]


def test_a_hidden_ball_is_held_where_it_was() -> None:
    """A ball under an arm keeps its track and place for seconds, unseen."""
    film = Film()
    for _ in range(10):
        film.show({"1": (0.3, 0.1)})
    for _ in range(75):
        tracks = film.show({}, empty=False)
    assert len(tracks) == 1
    assert tracks[0].position == pytest.approx((0.3, 0.1), abs=2e-3)
    tracks = film.show({"1": (0.3, 0.1)})
    assert len(tracks) == 1
    assert len(tracks[0].sightings) == 11


def test_a_ball_whose_place_is_seen_bare_is_lost() -> None:
    """A track ends when its ball's place has been free for more than a second."""
    film = Film()
    for _ in range(10):
        film.show({"1": (0.3, 0.1), "3": (0.0, 0.0)})
    for _ in range(70):
        tracks = film.show({"3": (0.0, 0.0)})
    assert len(tracks) == 1
    assert film.of("1").lost


def test_a_lost_ball_that_comes_back_elsewhere_is_its_old_track() -> None:
    """A ball carried by hand is seen again elsewhere: its old track goes on."""
    film = Film()
    for _ in range(10):
        film.show({"cue": (-0.6, 0.1), "3": (0.0, 0.0)})
    for _ in range(50):
        film.show({"3": (0.0, 0.0)})
    for _ in range(10):
        film.show({"cue": (-0.9, -0.3), "3": (0.0, 0.0)})
    track = film.of("cue")
    assert track.position == pytest.approx((-0.9, -0.3), abs=1e-3)
    assert len(track.sightings) == 20
    assert not track.lost
    assert len([t for t in film.tracker.tracks if t.sightings]) == 2


def test_a_new_ball_of_another_colour_is_no_revenant() -> None:
    """A ball of another colour that appears after one was lost begins its own track."""
    film = Film()
    for _ in range(10):
        film.show({"cue": (-0.6, 0.1)})
    for _ in range(50):
        film.show({})
    for _ in range(10):
        film.show({"8": (0.4, 0.0)})
    assert film.names_of(film.of("8")) == ["8"]
    assert len(film.of("8").sightings) == 10


def test_a_ball_that_stands_where_another_lay_does_not_take_its_track() -> None:
    """A ball of another colour on the place of a hidden one is told by its colour."""
    film = Film()
    for _ in range(20):
        film.show({"1": (0.3, 0.1)})
    for _ in range(10):
        film.show({}, empty=False)
    for _ in range(10):
        film.show({"8": (0.3, 0.1)})
    assert film.names_of(film.of("8")) == ["8"]


def test_a_short_flight_under_an_arm_is_continued() -> None:
    """A moving ball unseen for three frames is taken up where it must be by then."""
    film = Film()
    play = table_of({"1": (-1.0, 0.0), "3": (0.8, 0.5)}).hits(0.21, "1", (1.5, 0.0), 2.0)
    film.play(play, 0.6)
    film.play(play, 0.72, hidden=["1"])
    film.play(play, 1.1)
    assert film.names_of(film.of("1")) == ["1"]
    assert len(film.of("1").sightings) == film.frame - 3


def test_reset_forgets() -> None:
    """After a cut no track is left, and new tracks get new numbers."""
    film = Film()
    for _ in range(5):
        film.show({"1": (0.3, 0.1)})
    number = film.tracker.tracks[0].number
    film.tracker.reset()
    assert film.tracker.tracks == []
    for _ in range(5):
        (track,) = film.show({"1": (0.3, 0.1)})
    assert track.number > number
