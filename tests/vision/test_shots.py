"""Shots: rest, strike, rest - the ordered event stream of a clip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    OtherEvent,
    ShotEnded,
    ShotEvent,
    ShotStarted,
)
from table.geometry import NINE_FOOT, Cushion, Point
from table.log import event_to_json
from tests.vision.played import Filming, Play, moved, path_of, seen, table_of
from vision.contacts import Motion
from vision.lives import piece_of
from vision.shots import read_shots
from vision.spans import Clock

FRAME = 0.04
Key = tuple[str, str, str]


def read(play: Play, filming: Filming) -> tuple[ShotEvent, ...]:
    """The events of a filmed play."""
    return read_shots(seen(play, filming), play.table, filming.clock)


def keys(events: Sequence[ShotEvent]) -> list[Key]:
    """Kind, ball and other thing of the timed events between start and end, in order."""
    rows = []
    for event in events:
        if isinstance(event, BallContact):
            rows.append(("ball", event.a, event.b))
        elif isinstance(event, CushionContact):
            rows.append(("cushion", event.ball, str(event.cushion)))
        elif isinstance(event, BallPocketed):
            rows.append(("pocket", event.ball, str(event.pocket)))
    return rows


def truth_keys(play: Play) -> list[Key]:
    """The same of what was played."""
    order = ["cue", *(str(n) for n in range(1, 11))]
    rows = []
    for hit in play.happenings:
        pair = sorted((hit.a, hit.b), key=order.index) if hit.kind == "ball" else (hit.a, hit.b)
        rows.append((hit.kind, pair[0], str(pair[1])))
    return rows


def starts(events: Sequence[ShotEvent]) -> list[ShotStarted]:
    """The starts of all shots."""
    return [e for e in events if isinstance(e, ShotStarted)]


def ends(events: Sequence[ShotEvent]) -> list[ShotEnded]:
    """The ends of all shots."""
    return [e for e in events if isinstance(e, ShotEnded)]


def pot() -> Play:
    """The cue ball drives the 1 into FR; it then touches a cushion itself."""
    play = table_of({"cue": (0.1, 0.16), "1": (1.11, -0.48), "7": (-0.25, 0.35)})
    target = np.array(NINE_FOOT.pockets["FR"].mouth_center)  # type: ignore[index]
    place = np.array((1.11, -0.48))
    line = (target - place) / np.hypot(*(target - place))
    aim = place - line * NINE_FOOT.ball_diameter_m - np.array((0.1, 0.16))
    return play.hits(1.013, "cue", tuple(1.6 * aim / np.hypot(*aim)), 30.0)


def test_a_pot_is_read_as_it_was_played() -> None:
    """Start, every contact, the fall and the end: all there, in order, at their times."""
    play = pot()
    filming = Filming(until_s=play.rest_s + 1.2)
    events = read(play, filming)
    assert keys(events) == truth_keys(play)
    (start,), (end,) = starts(events), ends(events)
    assert start.t_s == pytest.approx(1.013, abs=0.006)
    assert start.moving == ()
    assert start.balls["cue"] == pytest.approx((0.1, 0.16), abs=1e-3)
    assert set(start.balls) == {"cue", "1", "7"}
    assert end.t_s == pytest.approx(play.rest_s, abs=0.3)
    assert set(end.balls) == {"cue", "7"}
    cue = play.place("cue", play.rest_s)
    assert cue is not None
    assert end.balls["cue"] == pytest.approx(tuple(cue), abs=2e-3)
    assert not start.started_before_clip
    assert not end.ended_after_clip


def test_every_time_lies_within_its_stated_tolerance() -> None:
    """Contacts are timed within three times their stated half-width, and within 6 ms."""
    play = pot()
    events = [e for e in read(play, Filming(until_s=play.rest_s + 1.2)) if keys([e])]
    for event, hit in zip(events, play.happenings, strict=True):
        assert event.t_s == pytest.approx(hit.t_s, abs=max(3 * event.dt_s, 1e-3))
        if not isinstance(event, BallPocketed):
            assert event.t_s == pytest.approx(hit.t_s, abs=0.006)


@pytest.mark.parametrize("fps", [25.0, 30.0, 60.0])
def test_the_frame_rate_changes_no_event(fps: float) -> None:
    """At 25, 30 and 60 frames a second the same events are read."""
    play = pot()
    assert keys(read(play, Filming(fps=fps, until_s=play.rest_s + 1.2))) == truth_keys(play)


def test_a_bank_shot_is_read_as_it_was_played() -> None:
    """Two cushions and a ball, in their order."""
    velocity = (1.5, -0.7)
    alone = table_of({"cue": (-0.8, -0.1)}).hits(0.7, "cue", velocity, 9.0)
    (bank,) = alone.of("cushion")[:1]
    met = alone.place("cue", bank.t_s + 0.3)
    assert met is not None
    play = table_of({"cue": (-0.8, -0.1), "3": (float(met[0]), float(met[1]) + 0.015)})
    play.hits(0.7, "cue", velocity, 20.0)
    truth = truth_keys(play)
    assert truth[0][0] == "cushion"
    assert truth[1] == ("ball", "cue", "3")
    assert keys(read(play, Filming(until_s=play.rest_s + 1.2))) == truth


@pytest.mark.parametrize("phase", [0.0, 0.01, 0.02, 0.03])
@pytest.mark.parametrize("speed_mps", [0.5, 1.5, 4.0])
def test_the_strike_is_timed_between_the_frames(phase: float, speed_mps: float) -> None:
    """The tip's contact is known within 8 ms though it falls between two frames."""
    play = table_of({"cue": (-0.9, 0.0), "1": (1.0, 0.5)})
    play.hits(1.0 + phase, "cue", (speed_mps, 0.0), 1.6)
    (start,) = starts(read(play, Filming(until_s=1.35)))
    assert start.t_s == pytest.approx(1.0 + phase, abs=0.008 if speed_mps < 1 else 0.004)


def test_nothing_played_is_no_shot() -> None:
    """A table at rest gives no event at all."""
    play = table_of({"cue": (0.0, 0.0), "1": (0.5, 0.2)})
    assert read(play, Filming(until_s=3.0)) == ()


def test_two_shots_in_a_clip_are_two() -> None:
    """Each stroke is a shot of its own, counted from 1, with its own events."""
    play = table_of({"cue": (-0.5, 0.0), "1": (0.3, 0.0), "2": (-0.4, 0.4)})
    play.hits(0.8, "cue", (0.7, 0.0), 30.0)
    again = play.rest_s + 1.5
    played = len(play.happenings)
    cue = play.place("cue", again)
    assert cue is not None
    line = np.array((-0.4, 0.4)) - cue
    play.hits(again, "cue", tuple(0.9 * line / np.hypot(*line)), again + 30)
    events = read(play, Filming(until_s=play.rest_s + 1.2))
    assert [s.shot for s in starts(events)] == [1, 2]
    assert [e.shot for e in ends(events)] == [1, 2]
    assert starts(events)[1].t_s == pytest.approx(again, abs=0.01)
    assert keys([e for e in events if e.shot == 1]) == truth_keys(play)[:played]
    assert keys([e for e in events if e.shot == 2]) == truth_keys(play)[played:]
    assert starts(events)[1].balls["1"] == pytest.approx(ends(events)[0].balls["1"], abs=1e-3)


def test_a_ball_that_still_rolls_at_the_strike_is_moving() -> None:
    """A stroke while another ball rolls names that ball as moving, and a resting one not."""
    play = table_of({"cue": (-0.9, 0.3), "1": (-0.6, -0.2), "2": (0.4, 0.4)})
    play.hits(0.2, "1", (0.5, 0.0), 0.2)
    play.hits(1.2, "cue", (1.0, 0.0), 3.0)
    events = read(play, Filming(until_s=2.6))
    start = starts(events)[-1]
    assert start.t_s == pytest.approx(1.2, abs=0.01)
    assert start.moving == ("1",)
    assert start.moving_speeds_mps["1"] == pytest.approx(0.35, abs=0.05)


def test_noise_on_a_resting_ball_is_not_moving() -> None:
    """Balls at rest within half a millimetre of noise are never named as moving."""
    for seed in range(4):
        play = table_of({"cue": (-0.9, 0.3), "1": (-0.6, -0.2), "2": (0.4, 0.4), "3": (1.1, 0.1)})
        play.hits(1.2, "cue", (1.0, 0.0), 3.0)
        (start,) = starts(read(play, Filming(until_s=2.2, noise_m=7e-4, seed=seed)))
        assert start.moving == ()


def test_a_clip_that_begins_within_a_shot_says_so() -> None:
    """Balls in motion at the first frame: t_s null, started_before_clip, where they were then."""
    play = table_of({"cue": (-0.8, 0.0), "1": (0.6, 0.3)})
    play.hits(-0.3, "cue", (1.5, 0.1), 20.0)
    events = read(play, Filming(until_s=play.rest_s + 1.0))
    (start,), (end,) = starts(events), ends(events)
    assert start.started_before_clip
    assert start.t_s is None
    assert set(start.balls) == {"cue", "1"}
    assert start.balls["1"] == pytest.approx((0.6, 0.3), abs=2e-3)
    assert end.t_s == pytest.approx(play.rest_s, abs=0.3)
    assert events[0] is start
    assert keys(events) == truth_keys(play)


def test_a_ball_that_moves_as_it_is_first_seen_was_struck_before() -> None:
    """Some frames pass before a moving ball is told from a passing thing."""
    play = table_of({"cue": (-0.8, 0.0), "1": (0.2, 0.3)})
    play.hits(-1.0, "1", (0.7, 0.1), 25.0).hits(2.9, "cue", (1.0, 0.2), 3.0)
    filming = Filming(until_s=5.5)
    motions = seen(play, filming)
    motions["1"] = piece_of(motions["1"], 3, len(motions["1"].path))
    first, second = starts(read_shots(motions, play.table, filming.clock))
    assert first.started_before_clip and set(first.balls) == {"cue", "1"}
    assert not second.started_before_clip


def test_what_a_hidden_ball_did_before_the_first_frame_is_no_shot_of_these_frames() -> None:
    """Live, its last sightings are remembered longer than the frames."""
    play = table_of({"cue": (-0.8, 0.0), "1": (0.2, 0.3)})
    play.hits(0.2, "1", (0.7, 0.1), 25.0).hits(6.0, "cue", (1.0, 0.2), 3.0)
    filming = Filming(until_s=9.0)
    motions = {name: piece_of(m, 100, len(m.path)) for name, m in seen(play, filming).items()}
    whole = seen(play, filming)["1"]
    motions["1"] = piece_of(whole, 6, 20)
    clock = replace(filming.clock, from_s=4.0)
    (start,) = starts(read_shots(motions, play.table, clock))
    assert not start.started_before_clip


def test_a_clip_that_ends_within_a_shot_says_so() -> None:
    """Balls in motion at the last frame: t_s null, ended_after_clip, not incomplete."""
    play = table_of({"cue": (-0.8, 0.0), "1": (0.6, 0.3)}).hits(0.7, "cue", (1.5, 0.1), 20.0)
    events = read(play, Filming(until_s=1.4))
    (end,) = ends(events)
    assert end.ended_after_clip
    assert end.t_s is None
    assert end.incomplete is None
    assert events[-1] is end


def test_a_cut_within_a_shot_makes_it_incomplete() -> None:
    """When the picture is cut while balls roll, the shot says why it is not complete."""
    play = table_of({"cue": (-0.8, 0.0), "1": (0.6, 0.3)}).hits(0.7, "cue", (1.5, 0.1), 20.0)
    filming = Filming(until_s=1.4)
    clock = replace(filming.clock, ended_by_cut=True)
    (end,) = ends(read_shots(seen(play, filming), play.table, clock))
    assert end.ended_after_clip
    assert end.incomplete


def test_a_carried_cue_ball_is_no_stroke() -> None:
    """A cue ball taken up by hand wanders and speeds up: no shot begins."""
    t_s = np.arange(75) * FRAME
    way = np.clip((t_s - 1.0) / 1.2, 0, 1)
    ease = 3 * way**2 - 2 * way**3
    x = -0.6 + 0.5 * ease
    y = 0.1 + 0.3 * ease + 0.06 * np.sin(3 * np.pi * ease)
    noise = np.random.default_rng(0).normal(0, 4e-4, (75, 2))
    cue = path_of("cue", list(t_s), [tuple(p) for p in np.column_stack((x, y)) + noise])
    one = path_of("1", list(t_s), [(0.5, 0.2)] * 75)
    events = read_shots({"cue": cue, "1": one}, NINE_FOOT, Clock(0.0, float(t_s[-1]), FRAME))
    assert starts(events) == []


def test_practice_strokes_are_no_shot() -> None:
    """The tip that swings beside a still cue ball (a millimetre of disturbance) strikes nothing."""
    t_s = np.arange(100) * FRAME
    swing = 0.0008 * np.sin(2 * np.pi * t_s / 0.8) * ((t_s > 1) & (t_s < 3))
    noise = np.random.default_rng(0).normal(0, 3e-4, (100, 2))
    xy = np.column_stack((-0.6 + swing, 0 * t_s)) + noise
    cue = path_of("cue", list(t_s), [tuple(p) for p in xy])
    assert starts(read_shots({"cue": cue}, NINE_FOOT, Clock(0.0, 3.96, FRAME))) == []


def test_a_resting_ball_that_vanishes_is_hidden_and_not_gone() -> None:
    """A ball that a player covers to the end is `hidden`, and stays among the balls."""
    play = pot()
    until = play.rest_s + 1.2
    events = read(play, Filming(until_s=until, hidden={"7": [(1.2, 99.0)]}))
    hidden = [e for e in events if isinstance(e, OtherEvent) and e.name == "hidden"]
    assert [e.fields["ball"] for e in hidden] == ["7"]
    assert not [e for e in events if isinstance(e, (BallPocketed, BallOffTable)) and e.ball == "7"]


def test_a_ball_off_the_table_is_told() -> None:
    """A ball that flies over a rail is off the table and not among the balls at rest."""
    play = table_of({"cue": (-0.6, 0.0), "2": (-0.2, 0.4)}).hits(0.8, "cue", (1.2, 0.0), 30.0)
    filming = Filming(until_s=play.rest_s + 1.0)
    motions = seen(play, filming)
    rows = [(t, (0.6, 0.3)) for t in filming.times_s if t <= 1.5]
    rows += [(t, (0.6 + 2.2 * (t - 1.5), 0.3)) for t in filming.times_s if 1.5 < t < 1.86]
    motions["3"] = path_of("3", [float(r[0]) for r in rows], [r[1] for r in rows])
    events = read_shots(motions, play.table, filming.clock)
    assert [e.ball for e in events if isinstance(e, BallOffTable)] == ["3"]
    noses = [e for e in events if isinstance(e, CushionContact) and e.ball == "3"]
    assert [(e.cushion, e.jaw, e.confidence) for e in noses] == [(Cushion.FOOT, False, 0.9)]
    assert "3" not in ends(events)[-1].balls


def test_events_are_ordered_and_can_be_written_down() -> None:
    """Events come ordered by shot and time, with probabilities, and serialise to JSON rows."""
    play = pot()
    events = read(play, Filming(until_s=play.rest_s + 1.2))
    times = [e.t_s for e in events if e.t_s is not None]
    assert times == sorted(times)
    assert isinstance(events[0], ShotStarted)
    assert isinstance(events[-1], ShotEnded)
    assert all(0 < e.confidence <= 1 and e.dt_s >= 0 for e in events)
    assert all(event_to_json(e)["v"] == 1 for e in events)


def test_a_racked_table_is_told() -> None:
    """Object balls that stand as a rack around the foot spot make the start `racked`."""
    step = 0.05735
    rows = [(r, k) for r in range(4) for k in range(r + 1)]
    balls: dict[str, Point] = {"cue": (-0.7, 0.1)}
    for number, (r, k) in enumerate(rows, 1):
        balls[str(number)] = (0.635 + r * step * 0.866, (k - r / 2) * step)
    play = table_of(balls).hits(0.6, "cue", (0.0, 1.0), 0.9)
    (start,) = starts(read(play, Filming(until_s=0.95)))
    assert start.racked
    scattered = table_of({**balls, "1": (0.0, 0.4), "2": (-0.3, -0.2), "3": (0.2, 0.1)})
    scattered.hits(0.6, "cue", (0.0, 1.0), 0.9)
    (start,) = starts(read(scattered, Filming(until_s=0.95)))
    assert not start.racked


MIRROR = np.diag((1.0, -1.0))
HALF_TURN = np.diag((-1.0, -1.0))
LONG = {"LEFT": "RIGHT", "RIGHT": "LEFT"}
ENDS = {"HEAD": "FOOT", "FOOT": "HEAD"}


def _mirrored(name: str) -> str:
    if name[-1] in "LR" and len(name) == 2:
        return name[0] + {"L": "R", "R": "L"}[name[1]]
    return "_".join(LONG.get(part, part) for part in name.split("_"))


def _half_turned(name: str) -> str:
    if name[-1] in "LR" and len(name) == 2:
        return {"H": "F", "F": "H", "S": "S"}[name[0]] + {"L": "R", "R": "L"}[name[1]]
    return "_".join({**LONG, **ENDS}.get(part, part) for part in name.split("_"))


@st.composite
def strokes(draw: st.DrawFn) -> tuple[float, float, int]:
    """Direction, speed and noise of a stroke at a small table."""
    return (
        draw(st.integers(-310, 310)) / 100,
        draw(st.sampled_from([0.6, 1.1, 2.0, 3.0])),
        draw(st.integers(0, 99)),
    )


def filmed(stroke: tuple[float, float, int]) -> tuple[dict[str, Motion], Clock]:
    """A stroke among three balls, filmed."""
    angle, speed, seed = stroke
    play = table_of({"cue": (0.55, 0.1), "1": (0.9, 0.25), "2": (0.75, -0.3)})
    play.hits(0.513, "cue", (speed * np.cos(angle), speed * np.sin(angle)), 2.0)
    filming = Filming(until_s=1.5, seed=seed)
    return seen(play, filming), filming.clock


def same(ours: Sequence[ShotEvent], theirs: Sequence[ShotEvent], later_s: float = 0.0) -> None:
    """The same kinds at the same times with the same probabilities."""
    assert [e.kind for e in ours] == [e.kind for e in theirs]
    for a, b in zip(ours, theirs, strict=True):
        if a.t_s is None:
            assert b.t_s is None
        else:
            assert b.t_s == pytest.approx(a.t_s + later_s, abs=2e-3)
        assert b.confidence == pytest.approx(a.confidence, abs=0.02)


@given(stroke=strokes(), later_s=st.floats(0.5, 5000.0))
@settings(max_examples=8, deadline=None)
def test_a_later_shot_is_the_same_shot_later(
    stroke: tuple[float, float, int], later_s: float
) -> None:
    """Shifting all times shifts all events and changes nothing else."""
    motions, clock = filmed(stroke)
    later = {n: moved(m, np.eye(2), later_s) for n, m in motions.items()}
    shifted = replace(clock, from_s=clock.from_s + later_s, until_s=clock.until_s + later_s)
    ours, theirs = read_shots(motions, NINE_FOOT, clock), read_shots(later, NINE_FOOT, shifted)
    assert keys(ours) == keys(theirs)
    same(ours, theirs, later_s)


@pytest.mark.parametrize(("turn", "renamed"), [(MIRROR, _mirrored), (HALF_TURN, _half_turned)])
@given(stroke=strokes())
@settings(max_examples=8, deadline=None)
def test_a_mirrored_shot_is_the_same_shot_mirrored(
    turn: np.ndarray, renamed: object, stroke: tuple[float, float, int]
) -> None:
    """Mirroring y exchanges LEFT and RIGHT, half a turn also HEAD and FOOT, and nothing else."""
    motions, clock = filmed(stroke)
    other = {n: moved(m, turn) for n, m in motions.items()}
    ours, theirs = read_shots(motions, NINE_FOOT, clock), read_shots(other, NINE_FOOT, clock)
    assert callable(renamed)
    expected = [(k, a, b if k == "ball" else renamed(b)) for k, a, b in keys(ours)]
    assert keys(theirs) == expected
    same(ours, theirs)


def test_the_names_of_the_balls_do_not_matter() -> None:
    """Calling the object balls otherwise changes the names in the events and nothing else."""
    play = pot()
    filming = Filming(until_s=play.rest_s + 1.2)
    motions = seen(play, filming)
    renamed: Mapping[str, str] = {"cue": "cue", "1": "9", "7": "u2"}
    other = {renamed[n]: moved(m, np.eye(2), 0.0, renamed[n]) for n, m in motions.items()}
    ours = read_shots(motions, NINE_FOOT, filming.clock)
    theirs = read_shots(other, NINE_FOOT, filming.clock)
    assert [(k, renamed[a], renamed[b] if k == "ball" else b) for k, a, b in keys(ours)] == keys(
        theirs
    )
