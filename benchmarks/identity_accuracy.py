"""How often balls of real pictures get their right name, a wrong one, or none.

    TABLE_MONITOR_SHARED=<folder> python benchmarks/identity_accuracy.py [--mixed-up]

The folder holds clips/ with truth.jsonl (resting balls of the overhead nine-ball clips, one
frame and twelve merged) and images/ with labels.json. Balls 11 to 15 and unlabelled ones
should get no name: they are counted as strangers.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av
import cv2
import numpy as np

from vision.appearance import Bgr, measure_appearance, merge_appearances
from vision.ballset import BUILT_IN
from vision.frames import Image
from vision.identity import assign_names, choose_ball_set

CLIP_RADIUS_PX = 15.0
MERGED = 12


@dataclass(frozen=True)
class Table:
    """The balls of one table: names, discs, and one or several frames of it."""

    group: str
    ball_set: str
    discs: tuple[tuple[str, float, float, float], ...]
    frames: tuple[Image, ...]


def main() -> None:
    """Print the table of figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mixed-up", action="store_true", help="list what got a wrong name")
    asked = parser.parse_args()
    shared = os.environ.get("TABLE_MONITOR_SHARED")
    if not shared:
        sys.exit("TABLE_MONITOR_SHARED does not name the folder with clips and images.")
    totals: dict[str, Counter[str]] = {}
    wrong: Counter[str] = Counter()
    for table in (*_clips(Path(shared) / "clips"), *_stills(Path(shared) / "images")):
        _score(table, totals.setdefault(table.group, Counter()), wrong)
    columns = ("right", "wrong", "unknown", "stranger unknown", "stranger named", "set wrong")
    print(f"{'source':34}" + "".join(f"{column:>18}" for column in columns))
    for group, counts in totals.items():
        print(f"{group:34}" + "".join(f"{counts[column]:>18}" for column in columns))
    if asked.mixed_up:
        for text, count in wrong.most_common():
            print(f"{count:4} {text}")


def _score(table: Table, counts: Counter[str], wrong: Counter[str]) -> None:
    ball_set = BUILT_IN[table.ball_set]
    cloth = _cloth(table)
    looks = [
        merge_appearances([measure_appearance(f, (x, y), r, cloth) for f in table.frames])
        for _, x, y, r in table.discs
    ]
    for (name, *_), ball in zip(table.discs, assign_names(looks, ball_set).balls, strict=True):
        if name not in ball_set.looks:
            counts["stranger unknown" if ball.name is None else "stranger named"] += 1
        elif ball.name is None:
            counts["unknown"] += 1
        else:
            counts["right" if ball.name == name else "wrong"] += 1
        if ball.name not in {None, name}:
            wrong[f"{table.group}: {name} named {ball.name}"] += 1
    chosen, probability = choose_ball_set(looks)
    counts["set wrong"] += chosen is not ball_set and probability > 0.8


def _cloth(table: Table) -> Bgr:
    ring = np.zeros(table.frames[0].shape[:2], np.uint8)
    for _, x, y, r in table.discs:
        cv2.circle(ring, (round(x), round(y)), round(2.4 * r), 255, -1)
    for _, x, y, r in table.discs:
        cv2.circle(ring, (round(x), round(y)), round(1.6 * r), 0, -1)
    blue, green, red = (float(level) for level in np.median(table.frames[0][ring > 0], axis=0))
    return (blue, green, red)


def _clips(folder: Path) -> Iterator[Table]:
    for clip in sorted(folder.glob("poolchamp_*")):
        for line in (clip / "truth.jsonl").read_text().splitlines():
            event = json.loads(line)
            if "balls_px" not in event or event.get("started_before_clip"):
                continue
            at = int(event["balls_frame"])
            first = at if event["kind"] == "shot_started" else max(0, at - MERGED + 1)
            frames = _frames(clip / "clip.mp4", first, first + MERGED)
            shown = frames[at - first]
            discs = tuple((n, x, y, CLIP_RADIUS_PX) for n, (x, y) in event["balls_px"].items())
            discs = tuple(disc for disc in discs if not _bare(shown, disc))
            yield Table("overhead clips, one frame", "tv", discs, (shown,))
            if not event.get("ended_after_clip"):
                yield Table("overhead clips, twelve frames", "tv", discs, tuple(frames))


def _bare(image: Image, disc: tuple[str, float, float, float]) -> bool:
    """True where a label has no ball under it: all of the disc is one even colour."""
    _, x, y, r = disc
    patch = image[round(y - r / 2) : round(y + r / 2), round(x - r / 2) : round(x + r / 2)]
    return float(patch.reshape(-1, 3).std(axis=0).max()) < 3.0


def _frames(path: Path, first: int, end: int) -> list[Image]:
    frames: list[Image] = []
    with av.open(str(path)) as container:
        for index, frame in enumerate(container.decode(video=0)):
            if index >= end:
                break
            if index >= first:
                frames.append(np.asarray(frame.to_ndarray(format="bgr24"), np.uint8))
    return frames


def _stills(folder: Path) -> Iterator[Table]:
    for entry in json.loads((folder / "labels.json").read_text()):
        image = cv2.imread(str(folder / entry["folder"] / entry["image"]))
        if image is None or not entry["balls"]:
            continue
        discs = tuple((b["ball"], *b["center_px"], b["radius_px"]) for b in entry["balls"])
        yield Table(entry["folder"], entry["ball_set"], discs, (np.asarray(image, np.uint8),))


if __name__ == "__main__":
    main()
