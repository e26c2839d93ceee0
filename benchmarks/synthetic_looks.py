"""Brightness and noise of pictures, to compare rendered with real ones.

    python benchmarks/synthetic_looks.py PICTURE_OR_CLIP ...

For a clip its twenty-first frame is taken. Printed as medians over all pictures, with the
10th and 90th percentile: luma of the cloth, of the picture's edge, its 99.5th percentile,
clipped pixels, luma and chroma noise on the cloth (8-bit steps, at the picture's own size),
and how far chroma noise is correlated over three pixels.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

_BLOCK = 32
_NAMES = (
    "cloth luma", "edge luma", "99.5th percentile", "clipped, %", "luma noise", "chroma noise",
    "chroma over 3 px",
)  # fmt: skip
Image = NDArray[np.uint8]


def read(path: Path) -> Image | None:
    """The picture, or a frame of the clip, b g r."""
    if path.suffix.lower() != ".mp4":
        picture = cv2.imread(str(path))
        return None if picture is None else picture.astype(np.uint8)
    video = cv2.VideoCapture(str(path))
    frame: Image | None = None
    for _ in range(21):
        ok, now = video.read()
        frame = now.astype(np.uint8) if ok else frame
    return frame


def looks(image: Image) -> list[float]:
    """The figures of one picture, in the order of the names."""
    colour = cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb).astype(np.float32)
    luma = colour[..., 0]
    height, width = luma.shape
    middle = luma[height // 3 : 2 * height // 3, width // 4 : 3 * width // 4]
    edge = np.concatenate([luma[:8].ravel(), luma[-8:].ravel()])
    blocks = []
    for row in range(height // 4, 3 * height // 4 - _BLOCK, _BLOCK):
        for column in range(width // 5, 4 * width // 5 - _BLOCK, _BLOCK):
            blocks.append(_noise(colour[row : row + _BLOCK, column : column + _BLOCK]))
    # The quieter half: blocks without balls, lines and people.
    ordered = sorted(blocks)[: max(len(blocks) // 2, 1)]
    luma_noise, chroma, spread = np.median(np.array(ordered), axis=0)
    clipped = 100.0 * float((luma >= 254).mean())
    return [
        float(np.median(middle)), float(np.median(edge)), float(np.percentile(luma, 99.5)),
        clipped, float(luma_noise), float(chroma), float(spread),
    ]  # fmt: skip


def _noise(block: NDArray[np.float32]) -> tuple[float, float, float]:
    rest = (block - cv2.GaussianBlur(block, (0, 0), 6.0))[4:-4, 4:-4]
    blue = rest[..., 2]
    power = float((blue * blue).mean())
    spread = float((blue[:, 3:] * blue[:, :-3]).mean()) / power if power > 1e-6 else 0.0
    return float(rest[..., 0].std()), float(np.sqrt(power)), spread


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", nargs="+", type=Path)
    found = [read(path) for path in parser.parse_args().pictures]
    rows = np.array([looks(image) for image in found if image is not None])
    print(f"{len(rows)} pictures\n\n| what | 10 % | median | 90 % |\n|---|---|---|---|")
    for name, column in zip(_NAMES, rows.T, strict=True):
        low, middle, high = np.percentile(column, [10, 50, 90])
        print(f"| {name} | {low:.2f} | {middle:.2f} | {high:.2f} |")


if __name__ == "__main__":
    main()
