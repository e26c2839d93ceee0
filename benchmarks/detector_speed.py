"""Milliseconds from a decoded frame to the table's state: with the network, without, and others.

    python benchmarks/detector_speed.py CLIP [--frames N] [--models DIR] [--yolo]

Rows: each runtime of the network on one top view; the whole path (steady, top view,
localizer, network, cue, tracker) with the network and with the localizer alone; with --yolo
also what one would try first, ultralytics' own `YOLO("yolo26n.yaml").predict` on the whole
picture (weights do not change its speed; `track` needs one more package and adds to it).
Times are wall-clock on the machine as it is: the load average is printed beside them.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from calibration.find import find_camera
from monitor.pipeline import first_frames
from table.geometry import NINE_FOOT
from vision.cloth import Cloth, learn_cloth
from vision.frames import Frame, VideoFile
from vision.network import Network, input_size, load_network
from vision.observer import Observer
from vision.runtimes import MAKERS, threads_to_use
from vision.topview import TopView
from vision.weights import MODELS, shipped_network

SAMPLE = Path(__file__).parents[1] / "fixtures" / "videos" / "pot" / "clip.mp4"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clip", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--frames", type=int, default=120)
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--yolo", action="store_true")
    asked = parser.parse_args()
    source = VideoFile(asked.clip)
    firsts = first_frames(source)
    top = TopView(find_camera(firsts[::2], NINE_FOOT).camera)
    cloth = learn_cloth([top.render(image) for image in firsts], top)
    frames = [frame for frame, _ in zip(source, range(asked.frames), strict=False)]
    height, width = firsts[0].shape[:2]
    (wide, high), _ = input_size(top)
    print(
        f"{width}x{height}, {len(frames)} frames, network's input {wide}x{high}, "
        f"{threads_to_use()} threads, load {os.getloadavg()[0]:.1f}"
    )
    _runtimes(asked.models, top, frames)
    network = load_network(top, asked.models, device="cpu")
    for name, learned in (("path with the network", network), ("path, localizer alone", None)):
        _path(name, top, cloth, learned, frames)
    if asked.yolo:
        _yolo(frames)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak_mb:.0f} MB, {len(frames)} decoded frames included")


def _row(name: str, times_ms: list[float]) -> None:
    print(
        f"{name:34} median {np.median(times_ms):7.1f} ms   p95 {np.percentile(times_ms, 95):7.1f}"
        f"   least {min(times_ms):7.1f}   mean {np.mean(times_ms):7.1f}"
    )


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def _runtimes(models: Path, top: TopView, frames: list[Frame]) -> None:
    size, filled = input_size(top)
    views = [top.render(frame.image) for frame in frames[:: max(1, len(frames) // 20)]]
    for name, make in MAKERS.items():
        runtime = make(shipped_network(models), size[1], size[0], threads_to_use())
        network = Network(runtime, size, filled)
        network.look(views[0])
        _row(f"one look, {name}", [_timed(lambda v=view, n=network: n.look(v)) for view in views])


def _path(
    name: str, top: TopView, cloth: Cloth, network: Network | None, frames: list[Frame]
) -> None:
    observer = Observer(top.camera, top, cloth, network)
    _row(name, [_timed(lambda f=frame: observer.update(f)) for frame in frames][1:])


def _yolo(frames: list[Frame]) -> None:
    os.environ["YOLO_OFFLINE"], os.environ["YOLO_AUTOINSTALL"] = "true", "false"
    from ultralytics import YOLO  # noqa: PLC0415

    model = YOLO("yolo26n.yaml")
    for size in (640, 1280):

        def predict(image: np.ndarray, side: int = size) -> object:
            return model.predict(image, imgsz=side, verbose=False, device="cpu")

        few = frames[:30]
        predict(few[0].image)
        _row(f"YOLO.predict, n scale, {size}", [_timed(lambda f=f: predict(f.image)) for f in few])


if __name__ == "__main__":
    main()
