"""Turn trained weights into the shipped files: ONNX, plain tensors, and their SHA-256.

python -m models.export out/net/run/weights/best.pt models
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from models.train import silence
from vision.weights import NETWORK_FILE, PINS_FILE, sha256
from vision.yolo import WEIGHTS_FILE

SIZE_PX: Final = (640, 1120)
"""Height and width of the top view of a nine-foot table; the network takes other sizes, too."""
_OPSET: Final = 17
_MOST_MB: Final = 12.0


def export(weights: Path, folder: Path) -> tuple[Path, Path]:
    """Write detector.onnx, detector.pt and SHA256SUMS into `folder`.

    `weights` is a checkpoint of one's own training: ultralytics reads it with the code in it.

    Raises:
        ValueError: when the files together are larger than what may be shipped.
    """
    silence()
    import torch  # noqa: PLC0415
    from ultralytics import YOLO  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    model = YOLO(str(weights))
    tensors = {
        name: value.half() if value.is_floating_point() else value
        for name, value in model.model.state_dict().items()
    }
    plain, network = folder / WEIGHTS_FILE, folder / NETWORK_FILE
    torch.save(tensors, plain)
    made = model.export(format="onnx", imgsz=SIZE_PX, dynamic=True, simplify=False, opset=_OPSET)
    shutil.move(made, network)
    rows = "".join(f"{sha256(path)}  {path.name}\n" for path in (network, plain))
    (folder / PINS_FILE).write_text(rows, encoding="utf-8")
    megabytes = sum(path.stat().st_size for path in (network, plain)) / 1e6
    if megabytes > _MOST_MB:
        raise ValueError(f"the exported files have {megabytes:.1f} MB, more than {_MOST_MB:.0f}")
    return network, plain


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m models.export", description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args(arguments)
    for path in export(given.weights, given.folder):
        print(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
