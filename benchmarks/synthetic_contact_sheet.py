"""A contact sheet: 24 rendered frames beside 12 real stills, to see what gives ours away.

    TABLE_MONITOR_SHARED=... python benchmarks/synthetic_contact_sheet.py OUT.jpg [--seed 1]

Rendered and real frames are mixed at random; the key is printed. The sheet holds material
that is not ours to publish: do not commit it.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from synthetic.stills import STILLS_A_ROOM, stills

CELL = (480, 270)
Image = NDArray[np.uint8]


def fitted(image: Image) -> Image:
    """The image in a cell, whole, with black borders."""
    height, width = image.shape[:2]
    scale = min(CELL[0] / width, CELL[1] / height)
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cell = np.zeros((CELL[1], CELL[0], 3), dtype=np.uint8)
    cell[: small.shape[0], : small.shape[1]] = small
    return cell


def real_frames(shared: Path, count: int, rng: np.random.Generator) -> list[tuple[str, Image]]:
    """Frames of clips and stills from the shared material."""
    paths = sorted((shared / "images" / "home_table").glob("*.jpg"))
    paths += sorted((shared / "images" / "numbered_stills").glob("*.png"))
    paths += sorted((shared / "images" / "other_tables").glob("*top*.jpg"))
    clips = sorted((shared / "clips").glob("poolchamp*/clip.mp4"))
    found: list[tuple[str, Image]] = []
    for path in [*rng.permutation(np.array(clips, dtype=object))[: count // 3]]:
        video = cv2.VideoCapture(str(path))
        for _ in range(60):
            ok, frame = video.read()
        if ok:
            found.append((str(path.relative_to(shared)), frame.astype(np.uint8)))
    for path in rng.permutation(np.array(paths, dtype=object))[: count - len(found)]:
        picture = cv2.imread(str(path))
        if picture is not None:
            found.append((str(path.relative_to(shared)), picture.astype(np.uint8)))
    return found


def main() -> None:
    """Write the sheet and print its key."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rendered", type=int, default=24)
    parser.add_argument("--real", type=int, default=12)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    cells: list[tuple[str, Image]] = []
    for number in range(options.rendered):
        # One still a room, so that every frame has a room of its own.
        still = next(iter(stills(options.seed, 1, first=number * STILLS_A_ROOM)))
        cells.append((f"rendered {still.name}", np.ascontiguousarray(still.image[..., ::-1])))
    shared = os.environ.get("TABLE_MONITOR_SHARED")
    if shared:
        cells += real_frames(Path(shared), options.real, rng)
    order = rng.permutation(len(cells))
    columns = 4
    rows = -(-len(cells) // columns)
    sheet = np.zeros((rows * CELL[1], columns * CELL[0], 3), dtype=np.uint8)
    for place, index in enumerate(order):
        top, left = place // columns * CELL[1], place % columns * CELL[0]
        sheet[top : top + CELL[1], left : left + CELL[0]] = fitted(cells[index][1])
        label = (left + 4, top + 14)
        cv2.putText(sheet, str(place + 1), label, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 255, 255), 1)
        print(f"{place + 1}: {cells[index][0]}")
    cv2.imwrite(str(options.out), sheet)


if __name__ == "__main__":
    main()
