"""The trainer: ultralytics' own, with bf16 on the CPU and a schedule by the clock.

Two cores train twice as fast with bf16 autocast and channels-last tensors; ultralytics does
neither on a CPU. The losses stay in 32 bits.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from ultralytics.models.yolo.detect import DetectionTrainer
from ultralytics.nn.tasks import DetectionModel

from models.timed import learning_rate

_CLOCK: Final = "clock.json"


@dataclass(frozen=True)
class Pace:
    """How long and how hard a run may work."""

    minutes: float = 55.0
    highest_rate: float = 0.002
    threads: int = 2


class HalfModel(DetectionModel):  # type: ignore[misc]
    """The detection model, computing in bf16 and losing in 32 bits."""

    def loss(self, batch: dict[str, Any], preds: Any = None) -> Any:
        """Loss of a batch; see ultralytics' DetectionModel.loss."""
        if preds is None:
            image = batch["img"].contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.training):
                preds = self.forward(image)
        return super().loss(batch, _in_32_bits(preds))


def _in_32_bits(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.float() if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: _in_32_bits(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_in_32_bits(one) for one in value)
    return value


class ClockedTrainer(DetectionTrainer):  # type: ignore[misc]
    """Trains for a given time in all, also over interruptions.

    `pace` has to be set on the class before ultralytics makes the trainer.
    """

    pace = Pace()

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:
        """The model to train; `weights` when a run goes on."""
        del verbose
        model = HalfModel(cfg, nc=self.data["nc"], ch=self.data["channels"], verbose=False)
        if weights is not None:
            model.load(weights, verbose=False)
        return model.to(memory_format=torch.channels_last)

    def _setup_train(self) -> None:
        super()._setup_train()
        # ultralytics sets the number of threads by itself when it chooses the device.
        torch.set_num_threads(self.pace.threads)
        self.started_s = time.monotonic() - spent_s(Path(self.save_dir))
        self.add_callback("on_train_batch_start", _follow_clock)
        self.add_callback("on_model_save", _note_clock)

    @property
    def share(self) -> float:
        """Share of the run's time that has passed."""
        return (time.monotonic() - self.started_s) / (60.0 * self.pace.minutes)


def _follow_clock(trainer: ClockedTrainer) -> None:
    share = trainer.share
    for group in trainer.optimizer.param_groups:
        group["lr"] = learning_rate(share, trainer.pace.highest_rate)
    trainer.stop = trainer.stop or share >= 1.0


def _note_clock(trainer: ClockedTrainer) -> None:
    seconds = time.monotonic() - trainer.started_s
    path = Path(trainer.save_dir) / _CLOCK
    path.write_text(json.dumps({"v": 1, "spent_s": round(seconds, 1)}), encoding="utf-8")


def spent_s(run: Path) -> float:
    """Seconds of training that a run's folder has behind it."""
    path = run / _CLOCK
    if not path.exists():
        return 0.0
    return float(json.loads(path.read_text(encoding="utf-8"))["spent_s"])
