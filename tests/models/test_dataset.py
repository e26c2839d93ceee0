"""The cached data set: complete, resumable, of one recipe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from models.dataset import HELD_OUT_CLOTHS, TRAINING_CLOTHS, Recipe, make_dataset
from synthetic.scene.studio import CLOTHS
from synthetic.stills import Still
from tests.models.test_tiles import a_still


@pytest.fixture(autouse=True)
def one_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every still is the same one, rendered once; the tiles cut from it differ."""

    def same(_seed: int, count: int, _first: int, _cloths: object) -> Iterator[Still]:
        return (a_still() for _ in range(count))

    monkeypatch.setattr("models.dataset.stills", same)


def files(folder: Path) -> dict[str, bytes]:
    """Content by name."""
    return {
        p.name: p.read_bytes() for p in sorted(folder.rglob("*")) if p.suffix in (".jpg", ".txt")
    }


def test_a_stopped_run_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    """Two halves make the same tiles as one run; a second call makes nothing anew."""
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    make_dataset(whole, Recipe(stills=2, validation_stills=0, tiles_a_still=2))
    make_dataset(halves, Recipe(stills=1, validation_stills=0, tiles_a_still=2))
    (halves / "recipe.json").unlink()
    data = make_dataset(halves, Recipe(stills=2, validation_stills=0, tiles_a_still=2))
    assert files(whole) == files(halves)
    assert len(list(whole.rglob("*.jpg"))) == 4
    assert "0: ball" in data.read_text(encoding="utf-8")


def test_another_recipe_is_refused(tmp_path: Path) -> None:
    """Tiles of two recipes never mix."""
    make_dataset(tmp_path, Recipe(stills=0, validation_stills=0))
    with pytest.raises(ValueError, match="another recipe"):
        make_dataset(tmp_path, Recipe(stills=0, validation_stills=0, seed=1))


def test_validation_has_cloths_that_training_never_sees() -> None:
    """The held-out cloths exist and are not trained on."""
    assert set(HELD_OUT_CLOTHS) <= set(CLOTHS)
    assert not set(HELD_OUT_CLOTHS) & set(TRAINING_CLOTHS)
    assert len(TRAINING_CLOTHS) + len(HELD_OUT_CLOTHS) == len(CLOTHS)
