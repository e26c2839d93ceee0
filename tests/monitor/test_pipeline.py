"""The whole way from a video to its events, on clips with exact truth."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from calibration.errors import CalibrationError
from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.in_memory import score_log
from monitor.observation import Observation, ObserveOptions
from monitor.pipeline import observe
from table.events import BallContact, BallPocketed, ShotEnded, ShotStarted
from table.log import ShotLog, read_log
from tests.vision.photographs import RED, WHITE, Ball, photograph, usual
from vision.frames import SourceError

FIXTURES = Path(__file__).parents[2] / "fixtures" / "videos"
SHARED = os.environ.get("TABLE_MONITOR_SHARED")


@dataclass(frozen=True)
class Watched:
    """A sample clip, watched once, beside its truth."""

    truth: ShotLog
    ours: Observation
    score: ClipScore


@cache
def watched(name: str) -> Watched:
    """Watch a sample clip as `review` would, told the head end and the ball set."""
    folder = FIXTURES / name
    truth = read_log(folder / "truth.jsonl")
    options = ObserveOptions(head=truth.source.head, ball_set=truth.source.ball_set)
    ours = observe(folder / "clip.mp4", None, options)
    times = [state.t_s for state in ours.states]
    return Watched(truth, ours, score_log(name, truth, ours.log, times))


@pytest.fixture(params=["bank", "break"])
def sample(request: pytest.FixtureRequest) -> Watched:
    """Each sample clip in turn."""
    return watched(request.param)


def unnamed_in(*clips: str) -> pytest.MarkDecorator:
    """Each sample clip, those of `clips` expected to fail for a ball without its name."""
    reasons = {
        "break": "The 10 keeps its white cap up and is not named.",
    }
    params = [
        pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=reasons[name]))
        if name in clips
        else name
        for name in ("bank", "break")
    ]
    return pytest.mark.parametrize("sample", params, indirect=True)


def test_every_shot_of_a_sample_clip_is_found(sample: Watched) -> None:
    """As many shots as were played, none more."""
    assert (sample.score.shots.fp, sample.score.shots.fn) == (0, 0)


@unnamed_in()
def test_the_first_contact_is_right(sample: Watched) -> None:
    """The ball struck first is named rightly."""
    assert sample.score.first_contact.wrong == 0
    assert sample.score.first_contact.right >= 1


@unnamed_in()
def test_the_right_balls_are_pocketed_in_the_right_pockets(sample: Watched) -> None:
    """Ball and pocket of every fall."""
    sets = sample.score.pocketed_sets
    assert sets.hits == sets.trials == 1
    truth = {(e.ball, e.pocket) for e in sample.truth.events if isinstance(e, BallPocketed)}
    assert {(e.ball, e.pocket) for e in sample.ours.events if isinstance(e, BallPocketed)} == truth


def test_the_strike_is_on_time(sample: Watched) -> None:
    """The tip's contact is known within half a frame."""
    ours = [e.t_s for e in sample.ours.events if isinstance(e, ShotStarted)]
    truth = [e.t_s for e in sample.truth.events if isinstance(e, ShotStarted)]
    assert ours == pytest.approx(truth, abs=0.017)


@unnamed_in("break")
def test_resting_balls_are_where_they_are_and_carry_their_names(sample: Watched) -> None:
    """Before the shot every ball is found, by its name, within 4 mm (median 2)."""
    ours = next(e for e in sample.ours.events if isinstance(e, ShotStarted))
    truth = next(e for e in sample.truth.events if isinstance(e, ShotStarted))
    assert set(ours.balls) == set(truth.balls)
    errors = [1000 * np.hypot(*np.subtract(ours.balls[b], truth.balls[b])) for b in truth.balls]
    assert np.median(errors) < 2
    assert max(errors) < 4


def test_events_are_shots_in_order(sample: Watched) -> None:
    """The log begins with a start and ends with an end, ordered by time within each shot."""
    events = sample.ours.events
    assert isinstance(events[0], ShotStarted)
    assert isinstance(events[-1], ShotEnded)
    for shot in {e.shot for e in events}:
        times = [e.t_s for e in events if e.shot == shot and e.t_s is not None]
        assert times == sorted(times)


def test_there_is_a_state_for_every_decoded_frame(sample: Watched) -> None:
    """No frame of a steady clip is dropped, and states carry presentation times."""
    assert len(sample.ours.states) == sample.ours.source.frames
    times = [s.t_s for s in sample.ours.states]
    assert times == sorted(set(times))


def test_the_pot_is_read_contact_by_contact() -> None:
    """In the sample pot the contacts before the fall are timed within 10 ms."""
    sample = watched("pot")
    truth = next(e for e in sample.truth.events if isinstance(e, BallContact))
    ours = next(e for e in sample.ours.events if isinstance(e, BallContact))
    assert ours.a == truth.a
    assert ours.t_s == pytest.approx(truth.t_s, abs=0.010)


def written(path: Path, picture: Callable[[int], np.ndarray], count: int, rate: int = 25) -> Path:
    """A video of `count` pictures at `rate` frames a second whose index lies in front."""
    with av.open(str(path), "w", options={"movflags": "faststart"}) as container:
        stream = container.add_stream(
            "libx264", rate=rate, options={"preset": "ultrafast", "g": "5"}
        )
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuv420p"
        for index in range(count):
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture(index)), format="bgr24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def test_a_video_without_a_table_is_refused(tmp_path: Path) -> None:
    """Grey noise shows no table: one sentence, no camera."""
    rng = np.random.default_rng(0)
    wall = cv2.resize(rng.integers(90, 160, (36, 64, 3), np.uint8), (1280, 720))
    with pytest.raises(CalibrationError) as refusal:
        observe(written(tmp_path / "wall.mp4", lambda _: wall, 12))
    assert str(refusal.value).strip()
    assert "\n" not in str(refusal.value).strip()


def test_a_text_file_is_refused(tmp_path: Path) -> None:
    """A text file named .mp4 is refused before anything is looked at."""
    path = tmp_path / "notes.mp4"
    path.write_text("hello\n" * 100)
    with pytest.raises(SourceError, match=r"notes\.mp4"):
        observe(path)


def still_life(index: int) -> np.ndarray:
    """Two resting balls."""
    return photograph([Ball(0.2, 0.1, RED), Ball(-0.5, -0.2, WHITE)], seed=index % 5)


def test_a_table_at_rest_has_no_shot(tmp_path: Path) -> None:
    """Nothing is played: no event, the balls are seen in every frame, and progress is told."""
    told: list[tuple[int, int | None]] = []
    options = ObserveOptions(on_progress=lambda done, of: told.append((done, of)))
    seen = observe(written(tmp_path / "still.mp4", still_life, 30), usual(), options)
    assert told == [(done, 30) for done in range(1, 31)]
    assert seen.camera is usual()
    assert seen.events == ()
    assert len(seen.states) == 30
    assert len(seen.states[-1].balls) == 2
    assert seen.ended_early is None


def test_a_cut_off_clip_is_watched_to_the_cut_and_says_so(tmp_path: Path) -> None:
    """What can be read is watched; the sentence says how far."""
    whole = written(tmp_path / "whole.mp4", still_life, 50)
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole.read_bytes()[: int(0.6 * whole.stat().st_size)])
    seen = observe(cut, usual())
    assert seen.ended_early is not None
    assert seen.ended_early.startswith("cut.mp4 can be read up to")
    assert 15 < len(seen.states) < 45


@pytest.mark.skipif(not SHARED, reason="TABLE_MONITOR_SHARED is not set")
def test_a_real_clip_is_read() -> None:
    """On a real overhead shot: one shot, the right first contact and the right pocketed ball."""
    folder = Path(SHARED or "") / "clips" / "poolchamp_07"
    seen = observe(folder / "clip.mp4", None, ObserveOptions(head="right", ball_set="tv"))
    (start,) = [e for e in seen.events if isinstance(e, ShotStarted)]
    assert start.t_s == pytest.approx(5.06, abs=0.06)
    contact = next(e for e in seen.events if isinstance(e, BallContact))
    assert (contact.a, contact.b) == ("cue", "3")
    pocketed = [(e.ball, e.pocket) for e in seen.events if isinstance(e, BallPocketed)]
    assert pocketed == [("3", "FL")]
    assert set(start.balls) == {"cue", "3", "4", "6", "7", "8", "9"}
