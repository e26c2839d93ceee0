"""The live eyes over many shots: is each seen once, and does memory stay flat?

    python benchmarks/live_evening.py [FOLDER] [--rounds 5] [--rest 8]

Shows a fixture clip again and again with some seconds of rest in between, as one long
session, and prints for each round the shots that were handed out, what the eyes still
remember and the memory of the process.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from calibration.camera import Camera  # noqa: E402
from monitor.live.incremental import LiveObserver  # noqa: E402
from monitor.pipeline import first_frames, observer_for  # noqa: E402
from vision.ballset import ball_set_named  # noqa: E402
from vision.frames import VideoFile  # noqa: E402

SAMPLE = ROOT / "fixtures" / "videos" / "pot"


def resident_mb() -> float:
    """Memory of this process that is in use now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rest", type=float, default=8.0, help="seconds between two shots")
    options = parser.parse_args()
    video = VideoFile(options.folder / "clip.mp4")
    firsts = first_frames(video)
    camera = Camera.load(options.folder / "camera.json")
    live = LiveObserver(observer_for(camera, firsts), ball_set_named("tv"))
    step_s, begin_s, index = 1.0 / video.nominal_fps, 0.0, 0
    print("round  shots  events  frames kept  sightings kept  MB   CPU ms a frame")
    for number in range(1, options.rounds + 1):
        start, shots, first, last = time.process_time(), [], index, None
        for frame in video:
            moved = replace(frame, index=index, t_s=begin_s + frame.t_s)
            shots += live.update(moved)[1]
            index, last = index + 1, moved
        assert last is not None
        for count in range(1, int(options.rest / step_s) + 1):
            still = replace(last, index=index, t_s=last.t_s + count * step_s)
            shots += live.update(still)[1]
            index += 1
            begin_s = still.t_s + step_s
        cpu_ms = (time.process_time() - start) * 1000 / (index - first)
        sequence = live.observer.sequences[-1]
        sightings = sum(len(track.sightings) for track in sequence.tracker.tracks)
        events = sum(len(shot.events) for shot in shots)
        print(
            f"{number:5}  {len(shots):5}  {events:6}  {len(sequence.times_s):11}"
            f"  {sightings:14}  {resident_mb():4.0f}  {cpu_ms:6.1f}"
        )


if __name__ == "__main__":
    main()
