"""Milliseconds a frame of each stage of seeing, from the file to the tracks.

    python benchmarks/vision_speed.py [CLIP] [--frames N]

Prints the median and the 95th percentile of every stage, and the whole as frames a second.
Reading runs ahead in the decoder's own threads, so its row is what is left to wait for.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from calibration.find import find_camera
from monitor.pipeline import first_frames, observer_for
from table.geometry import NINE_FOOT
from vision.frames import VideoFile

SAMPLE = Path(__file__).parents[1] / "fixtures" / "videos" / "break" / "clip.mp4"
T = TypeVar("T")


class Watch:
    """Collects the times of named stages."""

    def __init__(self) -> None:
        self.ms: dict[str, list[float]] = {}

    def time(self, stage: str, work: Callable[[], T]) -> T:
        """Run `work` and note how long it took."""
        start = time.perf_counter()
        result = work()
        self.ms.setdefault(stage, []).append((time.perf_counter() - start) * 1000)
        return result


def main() -> None:
    """Measure one clip and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clip", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--frames", type=int, default=300)
    options = parser.parse_args()
    watch = Watch()
    source = VideoFile(options.clip)
    firsts = watch.time("first frames", lambda: first_frames(source))
    calibration = watch.time("calibration", lambda: find_camera(firsts[::2], NINE_FOOT))
    observer = watch.time("cloth", lambda: observer_for(calibration.camera, firsts))
    stages = {
        "steady": (observer.steady, "update"),
        "top view": (observer.top, "render"),
        "localizer": (observer.localizer, "locate"),
    }
    for stage, (part, method) in stages.items():
        _timed(watch, stage, part, method)
    frames = iter(source)
    start = time.perf_counter()
    count = 0
    for _ in range(options.frames):
        frame = watch.time("reading", lambda: next(frames, None))
        if frame is None:
            break
        watch.time("all but reading", lambda frame=frame: observer.update(frame))
        count += 1
    seconds = time.perf_counter() - start
    watch.time("names and legs", lambda: observer.finish(None))
    print(f"{options.clip.name}: {source.width}x{source.height}, {count} frames")
    print(f"{'stage':18s} {'median ms':>10s} {'p95 ms':>10s}")
    for stage, values in watch.ms.items():
        print(f"{stage:18s} {statistics.median(values):10.2f} {np.percentile(values, 95):10.2f}")
    print(f"{count / seconds:.1f} frames a second")


def _timed(watch: Watch, stage: str, part: object, method: str) -> None:
    """Let a stage's method note its times."""
    original = getattr(part, method)
    object.__setattr__(part, method, lambda *a: watch.time(stage, lambda: original(*a)))


if __name__ == "__main__":
    main()
