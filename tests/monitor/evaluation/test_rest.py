"""Resting balls: millimetres and names, from truth in pixels or in metres."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from monitor.evaluate import evaluate
from monitor.evaluation.clip_score import ClipScore
from tests.monitor.evaluation.cases import Row, overhead_camera, write_camera, write_rows
from tests.monitor.evaluation.shot_rows import END, SOURCE, START

PLACES = {"cue": (-0.6, 0.0), "1": (0.3, 0.1), "2": (1.24, -0.6)}
CAMERA = overhead_camera()


def pixels(balls: dict[str, tuple[float, float]]) -> dict[str, list[float]]:
    """Where the camera shows balls."""
    found = CAMERA.project_on_plane(list(balls.values()))
    return {ball: [float(x), float(y)] for ball, (x, y) in zip(balls, found, strict=True)}


@dataclass(frozen=True)
class Scored:
    """Scores one resting table before the stroke against PLACES."""

    folder: Path
    in_pixels: bool

    def __call__(self, ours: dict[str, tuple[float, float]], **start: object) -> ClipScore:
        truth: list[Row] = [copy.deepcopy(row) for row in (SOURCE, START, END)]
        for row in truth:
            row.pop("balls", None)
        if self.in_pixels:
            truth[1] |= {"balls_px": pixels(PLACES), "balls_frame": 0, **start}
        else:
            truth[1] |= {"balls": PLACES, **start}
        log = [SOURCE, {**START, "balls": ours}, {**END, "balls": {}}]
        write_rows(self.folder / "case" / "truth.jsonl", truth)
        write_rows(self.folder / "out" / "case" / "shots.jsonl", log)
        write_camera(self.folder / "out" / "case", CAMERA)
        return evaluate([self.folder / "case"], self.folder / "out")[0]


@pytest.fixture(params=[True, False], ids=["pixels", "metres"])
def score(request: pytest.FixtureRequest, tmp_path: Path) -> Scored:
    """A scorer with truth in pixels and one with truth in metres."""
    return Scored(tmp_path, request.param)


def test_the_true_places_have_no_error(score: Scored) -> None:
    rest = score(PLACES).rest
    assert max(rest.errors_mm) < 1e-3
    assert (rest.named_right, rest.missing, rest.extra) == (3, 0, 0)


def test_an_error_is_measured_on_the_table(score: Scored) -> None:
    ours = {**PLACES, "2": (1.243, -0.604)}
    assert score(ours).rest.errors_mm == pytest.approx([0.0, 0.0, 5.0], abs=0.02)


def test_the_common_shift_is_told_apart(score: Scored) -> None:
    ours = {ball: (x + 0.003, y + 0.004) for ball, (x, y) in PLACES.items()}
    rest = score(ours).rest
    assert rest.errors_mm == pytest.approx([5.0] * 3, abs=0.02)
    assert rest.errors_without_shift_mm == pytest.approx([0.0] * 3, abs=0.02)


def test_swapped_names_are_two_wrong_names_in_right_places(score: Scored) -> None:
    rest = score({"cue": PLACES["cue"], "1": PLACES["2"], "2": PLACES["1"]}).rest
    assert (rest.named_right, rest.named_wrong, rest.unnamed, rest.missing) == (1, 2, 0, 0)
    assert max(rest.errors_mm) < 1e-3


def test_a_ball_without_a_name_is_neither_right_nor_wrong(score: Scored) -> None:
    rest = score({"cue": PLACES["cue"], "1": PLACES["1"], "u1": PLACES["2"]}).rest
    assert (rest.named_right, rest.named_wrong, rest.unnamed) == (2, 0, 1)
    assert (rest.named.hits, rest.named.trials) == (2, 2)


def test_a_ball_left_out_is_missing(score: Scored) -> None:
    found = score({ball: PLACES[ball] for ball in ("cue", "1")})
    assert (found.rest.named_right, found.rest.missing, found.rest.extra) == (2, 1, 0)
    assert [miss.fault for miss in found.misses] == ["missing"]


def test_an_invented_ball_is_extra(score: Scored) -> None:
    found = score({**PLACES, "3": (0.0, 0.5)})
    assert (found.rest.named_right, found.rest.missing, found.rest.extra) == (3, 0, 1)


def test_a_ball_farther_off_than_its_radius_is_missing_and_extra(score: Scored) -> None:
    found = score({**PLACES, "1": (0.33, 0.1)})
    assert (found.rest.missing, found.rest.extra) == (1, 1)


def test_moving_balls_are_not_resting_ones(score: Scored) -> None:
    found = score({**PLACES, "1": (0.31, 0.1)}, started_before_clip=True, t_s=None)
    assert found.rest.errors_mm == ()
    expected = (3, 3) if score.in_pixels else (0, 0)
    assert (found.rolling.hits, found.rolling.trials) == expected


def test_pixels_without_a_camera_are_not_scored(tmp_path: Path) -> None:
    Scored(tmp_path, True)(PLACES)
    (tmp_path / "out" / "case" / "camera.json").unlink()
    found = evaluate([tmp_path / "case"], tmp_path / "out")[0]
    assert found.rest.errors_mm == ()
    assert any("camera" in note for note in found.notes)


def test_the_scale_is_that_of_the_place(tmp_path: Path) -> None:
    truth = pixels(PLACES)
    truth["1"][0] += 1.0
    row: Row = {**START, "balls_px": truth, "balls_frame": 0}
    row.pop("balls")
    write_rows(tmp_path / "case" / "truth.jsonl", [SOURCE, row, {**END, "balls": {}}])
    log = [SOURCE, {**START, "balls": PLACES}, {**END, "balls": {}}]
    write_rows(tmp_path / "out" / "case" / "shots.jsonl", log)
    write_camera(tmp_path / "out" / "case", CAMERA)
    found = evaluate([tmp_path / "case"], tmp_path / "out")[0]
    one_pixel_mm = 1000.0 / CAMERA.px_per_m(np.array([PLACES["1"]]))[0]
    assert sorted(found.rest.errors_mm)[-1] == pytest.approx(one_pixel_mm, rel=0.02)
