"""How long `table-monitor calibrate` takes from a clip, the start of Python included.

    python benchmarks/calibration_time.py CLIP... [--times 5] [--page PAGE]

Each clip is calibrated several times in a process of its own; the least wall time and the
least CPU time (all threads) count, for others may use the machine as well. The parts are
measured in one more process: loading, reading frames, finding. Prints the table of
docs/accuracy-calibration.md.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures_page import write_figures

PARTS = """
import json, sys, time
a = time.perf_counter()
from monitor.calibrating import frames_of
from calibration.find import find_camera
from table.geometry import NINE_FOOT
from pathlib import Path
b = time.perf_counter()
frames = frames_of(Path(sys.argv[1]))
c = time.perf_counter()
find_camera(frames, NINE_FOOT)
d = time.perf_counter()
height, width = frames[0].shape[:2]
print(json.dumps([f"{width}x{height}", len(frames), b - a, c - b, d - c]))
"""


def once(clip: Path, out: Path) -> tuple[float, float]:
    """Wall and CPU seconds of one calibration from the command line."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "monitor", "calibrate", str(clip), "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    wall_s = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return wall_s, used_s


def row(clip: Path, times: int, out: Path) -> str:
    """One clip's line of the table."""
    runs = [once(clip, out) for _ in range(times)]
    parts = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", PARTS, str(clip)], check=True, capture_output=True
            ).stdout
        )
        for _ in range(times)
    ]
    load, read, find = (min(part[k] for part in parts) for k in (2, 3, 4))
    name = clip.parent.name if clip.stem == "clip" else clip.stem
    return (
        f"| {name} | {parts[0][0]} | {parts[0][1]} | {min(r[0] for r in runs):.2f} "
        f"| {min(r[1] for r in runs):.2f} | {load:.2f} | {read:.2f} | {find:.2f} |"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", type=Path, nargs="+")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--page", type=Path, help="write the figures into this page")
    options = parser.parse_args()
    busy_before = os.getloadavg()[0]
    lines = [
        "| clip | size | frames | wall s | CPU s | of it loading | reading | finding |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        lines += [row(clip, options.times, Path(folder) / "camera.json") for clip in options.clips]
    lines += [
        "",
        f"Least of {options.times} runs on {os.cpu_count()} cores; "
        f"{busy_before:.1f} other processes wanted to run when it began.",
    ]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.page is not None:
        write_figures(options.page, "time", text)


if __name__ == "__main__":
    main()
