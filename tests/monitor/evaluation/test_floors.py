"""The floor fails when a figure drops, and never goes down."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.evaluation.figures import Figure
from monitor.evaluation.floors import (
    FloorError,
    below_floor,
    fallen,
    fingerprint,
    raise_floor,
    read_floor,
    read_material,
)


def figures(f1: float, error_mm: float) -> dict[str, Figure]:
    """Two figures, one of which is better when smaller."""
    return {"f1": Figure("f1", f1), "error_mm": Figure("error_mm", error_mm, False)}


def test_the_floor_rises_and_never_falls(tmp_path: Path) -> None:
    path = tmp_path / "floor.json"
    assert len(raise_floor(path, "pack", figures(0.9, 2.0))) == 2
    assert raise_floor(path, "pack", figures(0.8, 3.0)) == []
    low = read_floor(path, "pack")
    assert low == {"error_mm": 2.6, "f1": 0.792}
    risen = raise_floor(path, "pack", figures(0.95, 1.5))
    assert [line.split(" -> ")[0] for line in risen] == ["error_mm: 2.6", "f1: 0.792"]
    assert fallen(low, read_floor(path, "pack")) == []
    assert read_floor(path, "other") == {}


def test_other_clips_start_a_new_floor(tmp_path: Path) -> None:
    path = tmp_path / "floor.json"
    raise_floor(path, "pack", figures(0.9, 2.0), "first")
    raise_floor(path, "other", figures(0.9, 2.0))
    assert raise_floor(path, "pack", figures(0.8, 3.0), "first") == []
    assert len(raise_floor(path, "pack", figures(0.8, 3.0), "second")) == 2
    assert read_floor(path, "pack")["f1"] == pytest.approx(0.704)
    assert read_floor(path, "other")["f1"] == pytest.approx(0.792)
    assert read_material(path) == {"pack": "second"}


def test_a_fingerprint_changes_with_the_clip_and_with_its_truth(tmp_path: Path) -> None:
    (tmp_path / "case").mkdir()
    seen = set()
    for clip, truth in ((b"a", b"b"), (b"c", b"b"), (b"a", b"d")):
        (tmp_path / "case" / "clip.mp4").write_bytes(clip)
        (tmp_path / "case" / "truth.jsonl").write_bytes(truth)
        seen.add(fingerprint([tmp_path / "case"]))
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("found", "complaints"),
    [
        (figures(0.9, 2.0), []),
        (figures(1.0, 0.1), []),
        (figures(0.8999, 2.0), ["f1"]),
        (figures(0.9, 2.01), ["error_mm"]),
        ({}, ["error_mm", "f1"]),
    ],
)
def test_a_worse_or_missing_figure_is_named(
    found: dict[str, Figure], complaints: list[str]
) -> None:
    floor = {"error_mm": 2.0, "f1": 0.9}
    assert [text.split(":")[0] for text in below_floor(found, floor)] == complaints


def test_figures_pass_the_floor_that_they_set(tmp_path: Path) -> None:
    path = tmp_path / "floor.json"
    found = figures(2 / 3, 10 / 3)
    raise_floor(path, "pack", found)
    assert below_floor(found, read_floor(path, "pack")) == []


@pytest.mark.parametrize(
    ("new", "names"),
    [
        ({"f1": 0.9, "error_mm": 2.0}, []),
        ({"f1": 0.95, "error_mm": 1.0, "more": 1.0}, []),
        ({"f1": 0.8, "error_mm": 2.1}, ["error_mm", "f1"]),
        ({"f1": 0.9}, ["error_mm"]),
    ],
)
def test_a_floor_that_fell_is_named(new: dict[str, float], names: list[str]) -> None:
    assert fallen({"f1": 0.9, "error_mm": 2.0}, new) == names


@pytest.mark.parametrize("text", ["", "[]", '{"v": 2, "packs": {}}', '{"v": 1}'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "floor.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FloorError, match=r"floor\.json"):
        read_floor(path, "pack")
