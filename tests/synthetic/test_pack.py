"""Packs: folders that are complete, readable, and the same for the same seed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import av
import pytest

pytest.importorskip("numba", reason="the truth generator's extra is not installed")
pytest.importorskip("pooltool", reason="the truth generator's extra is not installed")

import numpy as np

from calibration.camera import Camera
from synthetic import make_clips
from synthetic.filming import clip_log, film
from synthetic.pack import PRESET_NAMES, make_clip, make_draft
from synthetic.presets import PRESETS, REGRESSION, Order
from synthetic.scene.studio import Wishes, make_studio
from synthetic.scene.viewpoint import make_camera
from table.log import read_log

FIXTURES = Path(__file__).parents[2] / "fixtures" / "videos"
PACK_SEED = 2026
SMALL = Order("pot", Wishes(size=(320, 180), fps=12.0, busy=0.0), longest_s=5.0)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_clip(tmp_path_factory.mktemp("pack") / "8_1", 8, 1, SMALL)


def frame_times(path: Path) -> list[float]:
    with av.open(str(path), "r") as container:
        return [float(frame.time or 0.0) for frame in container.decode(video=0)]


def test_a_folder_holds_clip_camera_truth_declarations_and_rulings(clip: Path) -> None:
    assert sorted(path.name for path in clip.iterdir()) == [
        "camera.json",
        "clip.mp4",
        "declarations.jsonl",
        "expected.jsonl",
        "truth.jsonl",
        "truth_tracks.csv",
    ]
    log = read_log(clip / "truth.jsonl")
    assert Camera.load(clip / "camera.json").head == log.source.head
    times = frame_times(clip / "clip.mp4")
    assert len(times) == log.source.frames
    assert times[10] == pytest.approx(10 / 12.0, abs=1e-4)
    assert not list(clip.parent.glob(".*"))


def test_the_same_seed_gives_the_same_bytes_of_truth(clip: Path, tmp_path: Path) -> None:
    again = make_clip(tmp_path / "8_1", 8, 1, SMALL)
    for name in (
        "truth.jsonl",
        "camera.json",
        "declarations.jsonl",
        "expected.jsonl",
        "truth_tracks.csv",
    ):
        assert (again / name).read_bytes() == (clip / name).read_bytes()


def test_another_seed_gives_another_shot(clip: Path, tmp_path: Path) -> None:
    other = make_clip(tmp_path / "9_1", 9, 1, SMALL)
    assert (other / "truth.jsonl").read_bytes() != (clip / "truth.jsonl").read_bytes()


def test_variable_frame_rate_is_in_the_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    draft = make_draft(rng, SMALL)
    studio = replace(make_studio(rng, draft.table, SMALL.wishes), variable_rate=True)
    film(rng, draft, studio, tmp_path / "vfr")
    steps = np.diff(frame_times(tmp_path / "vfr" / "clip.mp4"))
    assert steps.min() > 0.0 and steps.max() - steps.min() > 0.3 / 12.0


def test_an_unknown_preset_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no preset"):
        make_clips(tmp_path, 1, 1, "nonsense")


def test_presets_make_orders_for_every_number() -> None:
    for name, preset in PRESETS.items():
        assert name in PRESET_NAMES
        orders = [preset(np.random.default_rng([1, n]), n) for n in range(10)]
        assert sum(order.unusual for order in orders) == 2


def test_the_regression_pack_is_one_event_kind_a_clip() -> None:
    names = [order.name for order in REGRESSION]
    assert len(set(names)) == len(names) and 12 <= len(names) <= 20


@pytest.mark.parametrize("folder", sorted(FIXTURES.iterdir()), ids=lambda path: path.name)
def test_committed_clips_are_complete_and_small(folder: Path) -> None:
    log = read_log(folder / "truth.jsonl")
    Camera.load(folder / "camera.json")
    assert len(frame_times(folder / "clip.mp4")) == log.source.frames
    assert (folder / "README.md").is_file()
    assert (folder / "clip.mp4").stat().st_size < 4_000_000
    rulings = [
        json.loads(line)
        for line in (folder / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert {row["shot"] for row in rulings} <= set(log.shots())
    assert rulings


STEADY = [n for n, o in enumerate(REGRESSION) if "break" not in o.kind and o.kind != "push_out"]


@pytest.mark.parametrize("number", STEADY, ids=lambda n: str(REGRESSION[n].name))
def test_committed_truth_is_what_the_generator_makes(number: int) -> None:
    """The plays of the pack, drawn again from its seed (breaks are chaotic: left out)."""
    order = REGRESSION[number]
    committed = read_log(FIXTURES / str(order.name) / "truth.jsonl")
    rng = np.random.default_rng([PACK_SEED, number])
    draft = make_draft(rng, order)
    studio = make_studio(rng, draft.table, order.wishes)
    camera = make_camera(draft.table, studio.view, studio.size, studio.furniture.rail_m)
    made = clip_log(draft, camera, studio, committed.source.frames or 0, "clip.mp4")
    saved = Camera.load(FIXTURES / str(order.name) / "camera.json")
    assert np.allclose(saved.dist, camera.dist) and saved.head == camera.head
    assert made.source == committed.source
    assert [event.kind for event in made.events] == [event.kind for event in committed.events]
    for one, two in zip(made.events, committed.events, strict=True):
        assert (one.t_s is None) == (two.t_s is None)
        assert (one.t_s or 0.0) == pytest.approx(two.t_s or 0.0, abs=1e-4)


def test_the_committed_pack_stays_small() -> None:
    assert sum(path.stat().st_size for path in FIXTURES.rglob("*")) < 30_000_000
