"""Whole racks: the committed one is what it says, and far things cost nothing to paint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba", reason="the truth generator's extra is not installed")
pytest.importorskip("pooltool", reason="the truth generator's extra is not installed")

import av
import numpy as np

from calibration.camera import Camera
from synthetic.pack import make_draft
from synthetic.physics.flight import NotPlayableError
from synthetic.presets import RACK
from synthetic.render.frame import _seen
from table.events import BallPocketed, ShotStarted
from table.log import read_log

FOLDER = Path(__file__).parents[2] / "fixtures" / "racks" / "whole_rack"


def rows(name: str) -> list[dict[str, Any]]:
    """A file of the rack, line by line."""
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def test_the_committed_rack_is_won_with_every_ball_called() -> None:
    """Break with balls down, then each called ball in its pocket, in order, the ten last."""
    log = read_log(FOLDER / "truth.jsonl")
    shots = log.shots()
    calls = {row["shot"]: (row["ball"], row["pocket"]) for row in rows("declarations.jsonl")}
    down: list[str] = []
    for number, events in shots.items():
        fell = [(e.ball, e.pocket.value) for e in events if isinstance(e, BallPocketed)]
        assert number == 1 or calls[number] in fell
        assert "cue" not in dict(fell)
        down += [ball for ball, _ in fell]
    assert sorted(down, key=int) == [str(n) for n in range(1, 11)] and down[-1] == "10"
    called = [int(ball) for ball, _ in calls.values()]
    assert called == sorted(called)
    assert rows("expected.jsonl")[-1]["winner"] == "A"


def test_between_rest_and_the_next_stroke_there_is_time_for_a_call() -> None:
    """A ruling within a second, and a tap."""
    log = read_log(FOLDER / "truth.jsonl")
    starts = [e.t_s for e in log.events if isinstance(e, ShotStarted)]
    ends = [e.t_s for e in log.events if e.kind == "shot_ended"]
    pauses = [b - a for a, b in zip(ends, starts[1:], strict=False)]  # type: ignore[operator]
    assert min(pauses) > 2.0
    with av.open(str(FOLDER / "clip.mp4")) as container:
        assert container.streams.video[0].frames == log.source.frames
    assert (FOLDER / "clip.mp4").stat().st_size < 1_500_000
    assert max(t for t in ends if t is not None) < 60.0


def test_no_run_out_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synthetic.shots.run_outs._BREAKS", 0)
    monkeypatch.setattr("synthetic.pack._TRIES", 2)
    with pytest.raises(NotPlayableError, match="no rack of at most 60 s"):
        make_draft(np.random.default_rng(1), RACK)


@pytest.mark.parametrize(
    ("x_m", "z_m", "radius_px"),
    [(30.0, 0.0, 0.0), (1.9, 3.5, 1e5)],
    ids=["a shadow far away", "a head beside the lens"],
)
def test_what_is_far_from_the_table_is_nowhere_in_the_picture(
    x_m: float, z_m: float, radius_px: float
) -> None:
    """Where a shadow has no place in the picture, it must not be looked for in every pixel."""
    camera = Camera.load(FOLDER / "camera.json")
    assert np.isnan(camera.project(np.array([[x_m, 0.0, z_m]]))).all()
    ends = np.zeros((3, 1, 2, 3))
    ends[..., 0], ends[..., 2] = x_m, z_m
    assert _seen(camera, ends, np.full((3, 1, 2), 0.1))[0, 4] == radius_px
