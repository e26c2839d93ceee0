"""The cached data set: tiles of synthetic stills in the folders that ultralytics reads.

    python -m models.dataset out/net/tiles --stills 1000

A run that was stopped goes on where it ended. Training and validation never share a room;
the validation rooms also have cloths that training never sees.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.tiles import CLASSES, TILE_PX, Tile, tiles_of
from synthetic.scene.studio import CLOTHS
from synthetic.stills import stills

HELD_OUT_CLOTHS: Final[tuple[str, ...]] = ("turquoise", "camel")
TRAINING_CLOTHS: Final[tuple[str, ...]] = tuple(c for c in CLOTHS if c not in HELD_OUT_CLOTHS)
TRAIN_SEED: Final = 41001
VALIDATION_SEED: Final = 41002
HOLD_OUT_SEED: Final = 41003
"""Stills of this seed are never seen before the final measurement."""


@dataclass(frozen=True)
class Recipe:
    """What the data set is made of; a folder holds exactly one recipe."""

    stills: int = 1000
    validation_stills: int = 40
    tiles_a_still: int = 4
    seed: int = TRAIN_SEED
    validation_seed: int = VALIDATION_SEED
    tile_px: int = TILE_PX
    classes: tuple[str, ...] = CLASSES

    def to_json(self) -> str:
        """The text of recipe.json."""
        return json.dumps(asdict(self), indent=1) + "\n"


def make_dataset(folder: Path, recipe: Recipe) -> Path:
    """Write, or complete, the data set; returns the path of its data.yaml.

    Raises:
        ValueError: when the folder holds a data set of another recipe.
    """
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / "recipe.json"
    if note.exists() and note.read_text(encoding="utf-8") != recipe.to_json():
        raise ValueError(f"{folder} holds tiles of another recipe")
    note.write_text(recipe.to_json(), encoding="utf-8")
    _make_split(folder, "val", recipe.validation_seed, recipe.validation_stills, recipe, ())
    _make_split(folder, "train", recipe.seed, recipe.stills, recipe, TRAINING_CLOTHS)
    names = "".join(f"  {i}: {name}\n" for i, name in enumerate(recipe.classes))
    data = folder / "data.yaml"
    data.write_text(
        f"path: {folder.resolve()}\ntrain: images/train\nval: images/val\nnames:\n{names}",
        encoding="utf-8",
    )
    return data


def _make_split(
    folder: Path, split: str, seed: int, count: int, recipe: Recipe, cloths: Sequence[str]
) -> None:
    images, labels = folder / "images" / split, folder / "labels" / split
    images.mkdir(parents=True, exist_ok=True)
    labels.mkdir(parents=True, exist_ok=True)
    done = folder / f"{split}.done"
    first = int(done.read_text(encoding="utf-8")) if done.exists() else 0
    if first >= count:
        return
    cloths = cloths or (*HELD_OUT_CLOTHS, *TRAINING_CLOTHS[:2])
    for number, still in enumerate(stills(seed, count - first, first, cloths), start=first):
        rng = np.random.default_rng([seed, number, 5])
        for index, tile in enumerate(tiles_of(rng, still, recipe.tiles_a_still)):
            _write(images / f"{number:05d}_{index}.jpg", labels / f"{number:05d}_{index}.txt", tile)
        done.write_text(str(number + 1), encoding="utf-8")


def _write(image: Path, label: Path, tile: Tile) -> None:
    cv2.imwrite(str(image), tile.image, [cv2.IMWRITE_JPEG_QUALITY, 96])
    label.write_text("".join(line + "\n" for line in tile.yolo_lines()), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the data set of the shipped detector."""
    parser = argparse.ArgumentParser(prog="python -m models.dataset", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stills", type=int, default=Recipe.stills)
    parser.add_argument("--validation-stills", type=int, default=Recipe.validation_stills)
    given = parser.parse_args(arguments)
    made = make_dataset(
        given.folder, Recipe(stills=given.stills, validation_stills=given.validation_stills)
    )
    print(made)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
