"""Exports, each read back by the program that it is for."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from monitor.cli import main
from monitor.exports.pictures import CLASSES, class_of
from table.events import BallContact, ShotEnded, ShotStarted
from table.log import read_log
from table.track_file import read_states
from vision.frames import VideoFile

CASE = Path(__file__).parents[3] / "fixtures" / "videos" / "ten_early"


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A review that saw everything as it was: made of a case's truth."""
    folder = tmp_path_factory.mktemp("reviewed")
    for ours, true in (
        ("shots.jsonl", "truth.jsonl"),
        ("tracks.csv", "truth_tracks.csv"),
        ("camera.json", "camera.json"),
        ("clip.mp4", "clip.mp4"),
    ):
        shutil.copy(CASE / true, folder / ours)
    return folder


def exported(folder: Path, format_name: str, out: Path, *more: str) -> Path:
    assert main(["export", str(folder), "--format", format_name, "--out", str(out), *more]) == 0
    return out


def test_csv_has_a_row_an_event_and_a_row_a_ball_a_frame(reviewed: Path, tmp_path: Path) -> None:
    out = exported(reviewed, "csv", tmp_path / "csv")
    with (out / "events.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    events = read_log(reviewed / "shots.jsonl").events
    assert [row["kind"] for row in rows] == [event.kind for event in events]
    contacts = [(row["ball"], row["other_ball"]) for row in rows if row["kind"] == "ball_contact"]
    assert contacts == [(e.a, e.b) for e in events if isinstance(e, BallContact)]
    assert (out / "tracks.csv").read_bytes() == (reviewed / "tracks.csv").read_bytes()


def test_duckdb_and_polars_read_the_parquet_files(reviewed: Path, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    out = exported(reviewed, "parquet", tmp_path / "parquet")
    states = read_states(reviewed / "tracks.csv")
    tracks = polars.read_parquet(out / "tracks.parquet")
    assert len(tracks) == sum(len(state.balls) for state in states)
    assert tracks["x_m"][0] == states[0].balls[tracks["ball"][0]].x_m
    (pocketed,) = duckdb.sql(
        f"select ball, pocket, t_s from '{out}/events.parquet' where kind = 'ball_pocketed'"
    ).fetchall()
    assert pocketed[0] == "10"


def test_the_tracking_library_reads_the_mot_file(reviewed: Path, tmp_path: Path) -> None:
    mot = pytest.importorskip("trackers.io.mot", reason="trackers is not installed")
    out = exported(reviewed, "mot", tmp_path / "mot")
    frames = mot.load_mot_file(out / "gt" / "gt.txt")
    states = read_states(reviewed / "tracks.csv")
    camera = Camera.load(reviewed / "camera.json")
    first = frames[1]
    cue = states[0].balls["cue"]
    x, y = camera.project_on_plane([cue.position])[0]
    left, top, width, height = first.boxes[list(first.ids).index(1)]
    assert np.allclose((left + width / 2, top + height / 2), (x + 1, y + 1), atol=0.02)
    assert len(frames) == len(states)
    assert f"seqLength={len(states)}" in (out / "seqinfo.ini").read_text(encoding="utf-8")


def test_pycocotools_reads_the_boxes(reviewed: Path, tmp_path: Path) -> None:
    coco_module = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
    out = exported(reviewed, "coco", tmp_path / "coco", "--every", "30")
    coco = coco_module.COCO(str(out / "annotations.json"))
    names = {row["id"]: row["name"] for row in coco.loadCats(coco.getCatIds())}
    assert [names[n] for n in sorted(names)] == list(CLASSES)
    image = coco.loadImgs(coco.getImgIds())[0]
    picture = cv2.imread(str(out / "images" / image["file_name"]))
    assert picture is not None and picture.shape[:2] == (image["height"], image["width"])
    boxes = coco.loadAnns(coco.getAnnIds(imgIds=[image["id"]]))
    assert len(boxes) == len(read_states(reviewed / "tracks.csv")[0].balls)
    cue = next(box for box in boxes if names[box["category_id"]] == "cue")
    left, top, width, height = (round(value) for value in cue["bbox"])
    inside = picture[top + height // 4 : top + 3 * height // 4, left + width // 4 :][
        :, : width // 2
    ]
    assert inside.min() > 100, "the cue ball's box holds something white"


def test_ultralytics_reads_the_labels(reviewed: Path, tmp_path: Path) -> None:
    dataset = pytest.importorskip("ultralytics.data.dataset", reason="ultralytics is missing")
    checks = pytest.importorskip("ultralytics.data.utils", reason="ultralytics is missing")
    out = exported(reviewed, "yolo", tmp_path / "yolo", "--every", "30")
    found = checks.check_det_dataset(str(out / "data.yaml"), autodownload=False)
    assert list(found["names"].values()) == list(CLASSES)
    data = dataset.YOLODataset(str(out / "images"), data=found, task="detect", augment=False)
    first = data.labels[0]
    state = read_states(reviewed / "tracks.csv")[0]
    assert sorted(first["cls"].ravel()) == sorted(class_of(name) for name in state.balls)
    camera = Camera.load(reviewed / "camera.json")
    x, y = camera.project_on_plane([state.balls["cue"].position])[0]
    at = list(first["cls"].ravel()).index(0)
    expected = ((x + 0.5) / camera.image_size[0], (y + 0.5) / camera.image_size[1])
    assert np.allclose(first["bboxes"][at][:2], expected, atol=1e-4)


def test_pooltool_plays_the_shot_again(reviewed: Path, tmp_path: Path) -> None:
    pooltool = pytest.importorskip("pooltool", reason="pooltool is not installed")
    out = exported(reviewed, "pooltool", tmp_path / "pooltool")
    system = pooltool.System.load(out / "shot_1.msgpack")
    events = read_log(reviewed / "shots.jsonl").events
    (start,) = [event for event in events if isinstance(event, ShotStarted)]
    (first, *_) = [event for event in events if isinstance(event, BallContact)]
    assert set(system.balls) == set(start.balls)
    pooltool.simulate(system, inplace=True)
    hits = [e.ids for e in system.events if e.event_type == pooltool.EventType.BALL_BALL]
    assert set(hits[0]) == {first.a, first.b}


def test_an_unknown_ball_has_a_class_of_its_own() -> None:
    assert CLASSES[class_of("cue")] == "cue"
    assert CLASSES[class_of("10")] == "10"
    assert CLASSES[class_of("u3")] == "unknown"


def test_a_file_a_shot_is_cut_out(reviewed: Path, tmp_path: Path) -> None:
    assert main(["clips", str(reviewed), "--out", str(tmp_path / "clips")]) == 0
    (clip,) = (tmp_path / "clips").iterdir()
    assert clip.name == "shot_001.mp4"
    events = read_log(reviewed / "shots.jsonl").events
    (end,) = [event.t_s for event in events if isinstance(event, ShotEnded)]
    times = [frame.t_s for frame in VideoFile(clip)]
    assert times[0] == 0.0
    assert end is not None and times[-1] > end


def test_what_is_missing_is_told_in_one_sentence(
    reviewed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["export", str(tmp_path), "--format", "csv"]
    assert main(asked) == 1
    assert "holds no shots.jsonl" in capsys.readouterr().err
    alone = tmp_path / "alone"
    shutil.copytree(reviewed, alone, ignore=shutil.ignore_patterns("clip.mp4"))
    assert main(["export", str(alone), "--format", "yolo"]) == 1
    assert "--video says where it is" in capsys.readouterr().err
    assert not (alone / "export" / "yolo").exists()
    (alone / "tracks.csv").write_text("t_s,ball\n0.0,cue\n", encoding="utf-8")
    assert main(["export", str(alone), "--format", "csv"]) == 1
    assert "tracks.csv, line 2 lacks" in capsys.readouterr().err
