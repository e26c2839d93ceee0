"""The training run: a schedule by the clock, and a tiny run from end to end."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.timed import learning_rate


def test_the_rate_warms_up_and_ends_decayed() -> None:
    """From almost nothing to the highest at 3 % of the time, then down to a hundredth."""
    rates = [learning_rate(share / 100, 0.002) for share in range(101)]
    assert rates[0] < 0.0001
    assert max(rates) == pytest.approx(0.002)
    assert rates.index(max(rates)) == 3
    assert rates[-1] == pytest.approx(0.00002)
    assert all(a > b for a, b in itertools.pairwise(rates[3:]))
    assert learning_rate(7.0, 0.002) == rates[-1]


def tiny_dataset(folder: Path) -> Path:
    """Eight tiles of 64 pixels with one white disc each."""
    rng = np.random.default_rng(0)
    for split in ("train", "val"):
        for kind in ("images", "labels"):
            (folder / kind / split).mkdir(parents=True)
        for number in range(8):
            x, y = rng.integers(16, 48, 2)
            image = np.full((64, 64, 3), (120, 90, 20), np.uint8)
            cv2.circle(image, (int(x), int(y)), 10, (240, 240, 240), -1)
            cv2.imwrite(str(folder / "images" / split / f"{number}.png"), image)
            row = f"1 {x / 64:.4f} {y / 64:.4f} {20 / 64:.4f} {20 / 64:.4f}\n"
            (folder / "labels" / split / f"{number}.txt").write_text(row, encoding="utf-8")
    names = "".join(f"  {i}: c{i}\n" for i in range(5))
    data = folder / "data.yaml"
    data.write_text(f"path: {folder}\ntrain: images/train\nval: images/val\nnames:\n{names}")
    return data


def test_a_tiny_run_trains_stops_by_the_clock_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seconds of training write weights; a run that was stopped goes on where it ended."""
    pytest.importorskip("torch", reason="training needs the full install (torch)")
    pytest.importorskip("ultralytics", reason="training needs the full install (ultralytics)")
    from models.train import train  # noqa: PLC0415
    from models.trainer import ClockedTrainer, spent_s  # noqa: PLC0415

    def epochs() -> int:
        return len((run / "results.csv").read_text(encoding="utf-8").splitlines()) - 1

    data, run = tiny_dataset(tmp_path / "tiles"), tmp_path / "run"
    with monkeypatch.context() as stopped:
        # What ends a finished run does not happen to one that is stopped.
        stopped.setattr(ClockedTrainer, "final_eval", lambda _: None)
        train(data, run, minutes=0.03, threads=1, batch=4, tile_px=64)
    before, spent = epochs(), spent_s(run)
    assert before >= 1
    assert spent >= 1.8
    best = train(data, run, minutes=spent / 60 + 0.02, threads=1, batch=4, tile_px=64)
    assert best.is_file()
    assert epochs() > before
    assert spent_s(run) > spent
    after = best.read_bytes()
    assert train(data, run, minutes=0.03, threads=1, batch=4, tile_px=64).read_bytes() == after
