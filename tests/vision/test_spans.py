"""Spans: which stretch of a clip is a shot."""

from __future__ import annotations

import numpy as np
import pytest

from table.geometry import NINE_FOOT
from tests.vision.played import Filming, Play, path_of, seen, table_of
from vision.ball_meetings import ball_meetings
from vision.contacts import breaks_of
from vision.cushion_meetings import nose_meetings
from vision.departures import departure_of
from vision.spans import Span, moving_at, spans_of


def spans(play: Play, filming: Filming) -> list[Span]:
    """The spans of a filmed play."""
    motions = seen(play, filming)
    breaks = breaks_of(motions)
    until = float(filming.times_s[-1])
    departures = {
        name: gone
        for name, motion in motions.items()
        if (gone := departure_of(motion, NINE_FOOT, 1 / filming.fps, until)) is not None
    }
    balls = ball_meetings(breaks, motions, NINE_FOOT)
    noses = nose_meetings(breaks, NINE_FOOT)
    return spans_of(motions, breaks, balls, noses, departures, filming.clock)


def test_a_span_runs_from_the_tip_to_the_last_balls_rest() -> None:
    """The slower of two balls ends the shot."""
    play = table_of({"cue": (-0.5, 0.0), "1": (0.0, 0.02)}).hits(0.8, "cue", (0.6, 0.0), 30.0)
    (span,) = spans(play, Filming(until_s=play.rest_s + 1.0))
    assert span.from_s == pytest.approx(0.8, abs=0.01)
    assert span.until_s == pytest.approx(play.rest_s, abs=0.3)
    assert span.at_rest
    assert span.strike is not None
    assert span.strike.ball == "cue"


def test_a_kick_by_a_ball_is_no_stroke() -> None:
    """A resting cue ball that another ball hits was not struck by a tip."""
    play = table_of({"cue": (0.2, 0.0), "1": (-0.5, 0.01)}).hits(0.6, "1", (1.2, 0.0), 30.0)
    found = spans(play, Filming(until_s=2.5))
    assert all(span.strike is None for span in found)


def test_a_rebound_of_the_cue_ball_is_no_stroke() -> None:
    """A slow cue ball that leaves a cushion was not struck again."""
    play = table_of({"cue": (1.0, 0.1)}).hits(0.6, "cue", (0.45, 0.0), 30.0)
    assert len(play.of("cushion")) == 1
    assert len(spans(play, Filming(until_s=play.rest_s + 1.0))) == 1


def test_a_second_stroke_ends_the_first_span() -> None:
    """Struck while balls still roll: the first shot ends with the second stroke."""
    play = table_of({"cue": (-0.9, 0.3), "1": (0.3, 0.31), "2": (0.6, -0.3)})
    play.hits(0.6, "cue", (1.0, 0.0), 2.9)
    cue = play.place("cue", 2.9)
    assert cue is not None
    again = max(2.9, play.stretches["cue"][-1].stop_s + 0.7)
    play.hits(again, "cue", (0.1, -0.9), again + 2)
    assert play.place("1", again) is not None
    first, second = spans(play, Filming(until_s=again + 1.2))
    assert first.until_s <= second.from_s + 0.02
    assert second.from_s == pytest.approx(again, abs=0.01)


def test_moving_at_names_what_moves() -> None:
    """Only balls that make way at that time, with their speeds."""
    play = table_of({"1": (-0.9, 0.3), "2": (0.6, -0.3)}).hits(0.6, "1", (0.5, 0.0), 9.0)
    motions = seen(play, Filming(until_s=2.0))
    assert moving_at(motions, 0.4) == {}
    assert moving_at(motions, 1.1) == {"1": pytest.approx(0.425, abs=0.02)}


def test_a_crawl_of_four_millimetres_a_second_is_rest() -> None:
    """Slower than 5 mm/s is rest."""
    t_s = np.arange(75) * 0.04
    noise = np.random.default_rng(0).normal(0, 3e-4, (75, 2))
    xy = np.column_stack((0.004 * t_s, 0 * t_s)) + noise
    motion = path_of("1", list(t_s), [tuple(p) for p in xy])
    assert moving_at({"1": motion}, 1.5) == {}
