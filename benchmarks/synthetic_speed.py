"""How fast the truth generator is: plays, frames, stills and simulated shots a second.

    python benchmarks/synthetic_speed.py [--processes 2] [--clips 2]

Wall time of `processes` single-threaded processes, and CPU time, which other programs on
the machine do not change.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from synthetic.detections import simulated_shots
from synthetic.pack import make_clip, make_draft
from synthetic.presets import PRESETS
from synthetic.stills import stills
from table.log import read_log

Measure = tuple[int, float, float]
"""Things made, wall seconds, CPU seconds."""


def _timed(work: Callable[[], int]) -> Measure:
    wall, cpu = time.perf_counter(), time.process_time()
    made = work()
    return made, time.perf_counter() - wall, time.process_time() - cpu


def drafts(seed: int, count: int = 60) -> Measure:
    """Plays of the ordinary mix, physics alone."""

    def work() -> int:
        for number in range(count):
            rng = np.random.default_rng([seed, number])
            make_draft(rng, PRESETS["match"](rng, number))
        return count

    return _timed(work)


def clips(seed: int, count: int) -> Measure:
    """Frames of whole clips at 1280x720, encoded, backdrop and start-up included."""

    def work() -> int:
        frames = 0
        with tempfile.TemporaryDirectory() as out:
            for number in range(count):
                rng = np.random.default_rng([seed, number, 1])
                order = PRESETS["match"](rng, number)
                folder = make_clip(Path(out) / str(number), seed, number, order)
                frames += read_log(folder / "truth.jsonl").source.frames or 0
        return frames

    return _timed(work)


def images(seed: int, count: int = 16) -> Measure:
    """Labelled stills."""
    return _timed(lambda: sum(1 for _ in stills(seed, count)))


def seen(seed: int, count: int = 30) -> Measure:
    """Simulated detections."""
    return _timed(lambda: sum(1 for _ in simulated_shots(count, seed)))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--clips", type=int, default=2, help="clips a process")
    options = parser.parse_args()
    seeds = list(range(1, options.processes + 1))
    tasks: dict[str, tuple[Callable[..., Measure], tuple[int, ...]]] = {
        "plays": (drafts, ()),
        "frames of clips": (clips, (options.clips,)),
        "labelled stills": (images, ()),
        "simulated shots": (seen, ()),
    }
    images(99, 1)  # Compile once, outside the measurement.
    print("| what | made | a second (wall) | CPU seconds each |")
    print("|---|---|---|---|")
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        pool.map(_warm, seeds)
        for name, (task, more) in tasks.items():
            start = time.perf_counter()
            results = pool.starmap(task, [(seed, *more) for seed in seeds])
            wall = time.perf_counter() - start
            made = sum(row[0] for row in results)
            cpu = sum(row[2] for row in results)
            print(f"| {name} | {made} | {made / wall:.2f} | {cpu / made:.3f} |")


def _warm(seed: int) -> None:
    drafts(seed, 1)
    images(seed + 1000, 1)


if __name__ == "__main__":
    main()
