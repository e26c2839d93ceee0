"""Train the detector from scratch on synthetic tiles: the recipe of the shipped weights.

    python -m models.train out/net --minutes 70

makes the data set (cached in out/net/tiles), trains for the given time (out/net/run) and
exports the network. Started again, each step goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from models.dataset import Recipe, make_dataset

ARCHITECTURE: Final = Path(__file__).with_name("detector.yaml")
SEED: Final = 41
AUGMENTATION: Final[dict[str, Any]] = {
    # Hue may turn a good way: which ball it is, is not asked, and cloths have any colour.
    "hsv_h": 0.08,
    "hsv_s": 0.45,
    "hsv_v": 0.4,
    "fliplr": 0.5,
    "flipud": 0.5,
    "scale": 0.12,
    "translate": 0.1,
    "degrees": 0.0,
    "mosaic": 0.0,
    "mixup": 0.0,
    "erasing": 0.0,
    "auto_augment": None,
}


def silence() -> None:
    """Let ultralytics fetch nothing, install nothing and report nothing."""
    os.environ["YOLO_OFFLINE"] = "true"
    os.environ["YOLO_AUTOINSTALL"] = "false"


def train(
    data: Path, run: Path, *, minutes: float, threads: int = 2, batch: int = 16, tile_px: int = 320
) -> Path:
    """Train, or go on training; returns the path of the best weights.

    Raises:
        ImportError: without torch and ultralytics (the full install).
    """
    silence()
    from ultralytics import YOLO  # noqa: PLC0415

    from models.trainer import ClockedTrainer, Pace, spent_s  # noqa: PLC0415

    best = run / "weights" / "best.pt"
    if best.exists() and spent_s(run) >= 60.0 * minutes:
        return best
    ClockedTrainer.pace = Pace(minutes=minutes, threads=threads)
    last = run / "weights" / "last.pt"
    model = YOLO(str(last if last.exists() else ARCHITECTURE), task="detect")
    model.train(
        trainer=ClockedTrainer,
        resume=last.exists(),
        data=str(data),
        project=str(run.parent.resolve()),
        name=run.name,
        exist_ok=True,
        # A number of epochs that no clock reaches.
        epochs=10_000,
        patience=10_000,
        imgsz=tile_px,
        batch=batch,
        nbs=batch,
        optimizer="AdamW",
        lr0=ClockedTrainer.pace.highest_rate,
        momentum=0.9,
        weight_decay=0.0005,
        warmup_epochs=0.0,
        close_mosaic=0,
        amp=False,
        cache="ram",
        workers=0,
        device="cpu",
        seed=SEED,
        deterministic=False,
        plots=False,
        **AUGMENTATION,
    )
    return best


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=70.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--stills", type=int, default=Recipe.stills)
    given = parser.parse_args(arguments)
    data = make_dataset(given.folder / "tiles", Recipe(stills=given.stills))
    best = train(data, given.folder / "run", minutes=given.minutes, threads=given.threads)
    print(best)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
