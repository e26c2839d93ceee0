"""Live seeing at 1080p by stage, at 30 and 60 frames a second in, beside plain YOLO(...).track.

    python benchmarks/live_speed.py [FOLDER] [--frames 240] [--size 1920x1080]

The same frames (a fixture clip at the wanted size, with a sensor's noise) are decoded, looked at
by the live eyes with the watch over camera and picture, and tracked by a plain YOLO at its usual
640 pixels (untrained weights: the time does not depend on them). Decoding is measured for
H.264 and for MJPEG, as USB cameras send it. Single-threaded where the libraries allow; the
last lines say how many frames a second one core and two cores can take, and what is dropped.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import av
import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.live_soak import SAMPLE, scaled_camera  # noqa: E402
from benchmarks.looping_camera import encode_loop  # noqa: E402
from calibration.camera import Camera  # noqa: E402
from monitor.live.captured import Captured  # noqa: E402
from monitor.live.eye_setup import jpeg_of  # noqa: E402
from monitor.live.incremental import LiveObserver  # noqa: E402
from monitor.live.vigil import Vigil  # noqa: E402
from monitor.pipeline import observer_for  # noqa: E402
from monitor.settings import NetworkSettings  # noqa: E402
from vision.ballset import ball_set_named  # noqa: E402
from vision.frames import Frame, VideoFile, frame_from  # noqa: E402

T = TypeVar("T")
_DECODED = 90


class Stages:
    """CPU and wall time of named stages."""

    def __init__(self) -> None:
        self.wall_ms: dict[str, list[float]] = {}
        self.cpu_ms: dict[str, float] = {}

    def time(self, stage: str, work: Callable[[], T]) -> T:
        """Run `work` and note how long it took, and the CPU of all threads."""
        cpu, start = time.process_time(), time.perf_counter()
        result = work()
        self.wall_ms.setdefault(stage, []).append((time.perf_counter() - start) * 1000)
        spent = (time.process_time() - cpu) * 1000
        self.cpu_ms[stage] = self.cpu_ms.get(stage, 0.0) + spent
        return result

    def wrap(self, stage: str, part: object, method: str) -> None:
        """Let a method note its times."""
        original = getattr(part, method)
        object.__setattr__(
            part, method, lambda *a, **k: self.time(stage, lambda: original(*a, **k))
        )


def time_decoding(path: Path, stages: Stages, name: str, most: int) -> None:
    """Decode `most` frames and let each go, as a reader does; conversion timed apart."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "SLICE"
        count = 0
        for packet in container.demux(stream):
            for picture in stages.time(f"decode {name}", packet.decode):
                stages.time(
                    f"to BGR and grey ({name})", lambda p=picture, c=count: frame_from(p, c, 0.0)
                )
                count += 1
            if count >= most:
                return


def kept_frames(path: Path, most: int) -> list[Frame]:
    """The frames to look at, decoded before."""
    return list(itertools.islice(VideoFile(path), most))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--frames", type=int, default=240)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--no-yolo", action="store_true")
    options = parser.parse_args()
    width, height = (int(part) for part in options.size.split("x"))
    stages = Stages()
    with tempfile.TemporaryDirectory() as name:
        folder, clip = Path(name), options.folder / "clip.mp4"
        camera_file = scaled_camera(
            options.folder / "camera.json", (width, height), folder / "camera.json"
        )
        h264 = encode_loop(clip, folder / "h264.mp4", (width, height), 30, 1.0)
        mjpeg = encode_loop(clip, folder / "mjpeg.mkv", (width, height), 30, 1.0, "mjpeg")
        time_decoding(mjpeg, stages, "MJPEG", _DECODED)
        time_decoding(h264, stages, "H.264", _DECODED)
        frames = kept_frames(h264, options.frames)
        camera = Camera.load(camera_file)
    observer = observer_for(camera, [f.image for f in frames[:9]], NetworkSettings())
    live, vigil = LiveObserver(observer, ball_set_named("tv"), beside=True), Vigil(is_camera=True)
    vigil.set_up(camera)
    for stage, part, method in (
        ("eyes: steady", observer.steady, "update"),
        ("eyes: top view", observer.top, "render"),
        ("eyes: localizer", observer.localizer, "locate"),
        ("watch: drift", vigil.picture._drift, "update"),
    ):
        stages.wrap(stage, part, method)
    if observer.network is not None:
        stages.wrap("eyes: network", observer.network, "look")
    start, cpu = time.perf_counter(), time.process_time()
    for number, frame in enumerate(frames):
        glance, shots = stages.time("eyes: all", lambda f=frame: live.update(f))
        shift = observer.steady.last
        captured = Captured(frame, frame.t_s)
        stages.time(
            "watch: all", lambda c=captured, n=number, g=glance, s=shift: vigil.see(c, n + 1, g, s)
        )
        vigil.admit(shots)
        if number % 3 == 0:
            stages.time("picture for the page", lambda f=frame: jpeg_of(f.image, 960, 70))
    wall_s, cpu_s = time.perf_counter() - start, time.process_time() - cpu
    print(f"{width}x{height}, {len(frames)} frames\n")
    print("stage                        median ms   p95 ms   CPU ms a frame")
    for stage, values in stages.wall_ms.items():
        per = stages.cpu_ms[stage] / (_DECODED if "(" in stage or "dec" in stage else len(frames))
        p95 = np.percentile(values, 95)
        print(f"{stage:28} {statistics.median(values):9.2f} {p95:8.2f} {per:12.2f}")
    decode = stages.cpu_ms["decode H.264"] + stages.cpu_ms["to BGR and grey (H.264)"]
    frame_ms = cpu_s * 1000 / len(frames) + decode / _DECODED
    print(f"\neyes and watch: {len(frames) / wall_s:.1f} frames a second, decoding beside it")
    print(f"CPU a frame with decoding: {frame_ms:.1f} ms", end="")
    for fps in (30, 60):
        needs = fps * frame_ms / 1000
        print(f"; {fps} frames a second in: {100 * needs:.0f} % of one core", end="")
    print(f"\nmemory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB at most")
    if not options.no_yolo:
        yolo(frames)


def yolo(frames: list[Frame]) -> None:
    """The same frames through ultralytics' own tracker."""
    try:
        import lap  # noqa: F401, PLC0415
    except ImportError:
        print("YOLO(...).track: not measured, its tracker needs the package lap")
        return
    import torch  # noqa: PLC0415
    from ultralytics import YOLO  # noqa: PLC0415

    torch.set_num_threads(2)
    model = YOLO("yolov8n.yaml", verbose=False)
    taken = frames[:60]
    model.track(taken[0].image, persist=True, verbose=False, device="cpu")
    start, cpu = time.perf_counter(), time.process_time()
    for frame in taken:
        model.track(frame.image, persist=True, verbose=False, device="cpu")
    wall_s, cpu_s = time.perf_counter() - start, time.process_time() - cpu
    print(
        f"YOLO('yolov8n').track at 640: {len(taken) / wall_s:.1f} frames a second, "
        f"{1000 * cpu_s / len(taken):.0f} ms of CPU a frame (boxes and numbers only)"
    )


if __name__ == "__main__":
    main()
