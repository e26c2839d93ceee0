"""The network through ultralytics: on a graphics processor, or from a user's own weights.

The only module that imports torch or ultralytics, and only when it is asked to run. A
user's .pt is read as plain tensors: a file that holds code is refused, never run.
"""

from __future__ import annotations

import os
import pickle
import shutil
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.weights import MODELS, WeightsError

ARCHITECTURE: Final = MODELS / "detector.yaml"
WEIGHTS_FILE: Final = "detector.pt"


def has_gpu() -> bool:
    """True when an NVIDIA processor and torch for it are there; cheap where they are not."""
    if shutil.which("nvidia-smi") is None:
        return False
    try:
        import torch  # noqa: PLC0415
    except ImportError:
        return False
    return bool(torch.cuda.is_available())


def tensors_of(path: Path) -> dict[str, Any]:
    """The named tensors of a .pt file, read without running anything in it.

    Raises:
        WeightsError: when it cannot be read, or holds anything but tensors.
    """
    import torch  # noqa: PLC0415

    try:
        values = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:
        raise WeightsError(
            f"{path.name} holds program code; only plain tensors are read (a state dict)."
        ) from None
    except (OSError, RuntimeError, EOFError) as error:
        raise WeightsError(f"{path.name} cannot be read: {error}") from None
    if not isinstance(values, dict) or not all(torch.is_tensor(v) for v in values.values()):
        raise WeightsError(f"{path.name} is not a table of tensors (a state dict).")
    return values


class YoloRuntime:
    """The network in torch; `device` "cuda" or "cpu". See `vision.runtimes.Runtime`."""

    name = "ultralytics"

    def __init__(self, weights: Path, device: str) -> None:
        """Raises WeightsError when the weights are not this network's or torch is missing."""
        os.environ["YOLO_OFFLINE"] = "true"
        os.environ["YOLO_AUTOINSTALL"] = "false"
        try:
            from ultralytics.nn.tasks import DetectionModel  # noqa: PLC0415
        except ImportError:
            raise WeightsError(
                "torch and ultralytics are not installed (the full install has them)."
            ) from None
        model = DetectionModel(str(ARCHITECTURE), verbose=False)
        try:
            model.load_state_dict(tensors_of(weights))
        except RuntimeError:
            raise WeightsError(f"{weights.name} does not fit {ARCHITECTURE.name}.") from None
        half = device == "cuda"
        fused = model.float().fuse(verbose=False).eval().to(device)
        self._model = fused.half() if half else fused
        self._device, self._half = device, half

    def run(self, picture: Image) -> NDArray[np.float32]:
        """(h, w, 3) uint8 BGR -> (4 + kinds, anchors) float32."""
        import torch  # noqa: PLC0415

        values = torch.from_numpy(np.ascontiguousarray(picture[..., ::-1].transpose(2, 0, 1)))
        values = values[None].to(self._device)
        values = (values.half() if self._half else values.float()) / 255.0
        with torch.inference_mode():
            raw = self._model(values)[0]
        return np.asarray(raw[0].float().cpu().numpy(), np.float32)
