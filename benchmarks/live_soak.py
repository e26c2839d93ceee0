"""`watch` for a long time: is memory flat, does time drift, does the delay grow?

    python benchmarks/live_soak.py [FOLDER] [--minutes 30] [--size 1920x1080] [--fps 30] [--record]

A clip with its camera.json is looped as an IP camera would send it (H.264, MPEG-TS over HTTP,
1 key frame a second), with rest between the strokes. Each ten seconds the health of the page
and the memory of all processes are noted; the table of the minutes is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.looping_camera import encode_loop  # noqa: E402
from tests.monitor.server.served import Served  # noqa: E402

SAMPLE = ROOT / "fixtures" / "videos" / "pot"


@dataclass
class Noted:
    """What came over the WebSocket within one span."""

    ages_ms: list[float] = field(default_factory=list)
    offsets_s: list[float] = field(default_factory=list)
    """Monotonic time of arrival minus match time, of each frame."""


class Spectator(threading.Thread):
    """One client that measures."""

    def __init__(self, base: str) -> None:
        super().__init__(daemon=True)
        self.url = base.replace("http://", "ws://") + "/api/v1/live"
        self.noted = Noted()

    def run(self) -> None:
        """Read until the end."""
        with connect(self.url, max_size=None) as socket, suppress(ConnectionClosed):
            socket.send(json.dumps({"type": "hello", "v": 1}))
            for text in socket:
                now = time.monotonic()
                message = json.loads(text)
                if message["type"] == "frame":
                    late_s = now - message["sent_at"]
                    self.noted.ages_ms.append(message["age_ms"] + 1000 * late_s)
                    captured_at = message["sent_at"] - message["age_ms"] / 1000
                    self.noted.offsets_s.append(captured_at - message["t_s"])

    def taken(self) -> Noted:
        """What was noted since the last call."""
        noted, self.noted = self.noted, Noted()
        return noted


def scaled_camera(path: Path, size: tuple[int, int], out: Path) -> Path:
    """A camera.json for a picture of another size."""
    told = json.loads(path.read_text("utf-8"))
    scale = size[0] / told["image_size"][0]
    told["image_size"] = list(size)
    for row in (0, 1):
        told["K"][row] = [value * scale for value in told["K"][row]]
    # The centre of the first pixel is (0, 0).
    told["K"][0][2] += 0.5 * (scale - 1)
    told["K"][1][2] += 0.5 * (scale - 1)
    out.write_text(json.dumps(told), "utf-8")
    return out


def memory_mb(process: psutil.Process) -> list[float]:
    """Resident memory of a process and its children, largest first."""
    family = [process, *process.children(recursive=True)]
    return sorted((p.memory_info().rss / 1e6 for p in family), reverse=True)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--fps", type=int, default=30)
    parser.add_argument("--rest", type=float, default=8.0)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    width, height = (int(part) for part in options.size.split("x"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clip = encode_loop(
            options.folder / "clip.mp4",
            folder / "loop.mp4",
            (width, height),
            options.fps,
            options.rest,
        )
        camera = scaled_camera(
            options.folder / "camera.json", (width, height), folder / "camera.json"
        )
        command = [sys.executable, str(ROOT / "benchmarks" / "looping_camera.py"), str(clip)]
        sender = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert sender.stdout is not None
        address = sender.stdout.readline().strip()
        arguments = [address, "--camera", str(camera), "--ball-set", "tv"]
        if options.record:
            arguments += ["--record", str(folder / "recorded")]
        server = Served(folder / "journal", tuple(arguments))
        try:
            soak(server, options.minutes * 60)
        finally:
            server.stop()
            sender.kill()


def soak(server: Served, seconds: float) -> None:
    """Watch the watching; a row a minute."""
    process = psutil.Process(server.process.pid)
    spectator = Spectator(server.base)
    spectator.start()
    print(
        "minute  load  in fps  done  dropped  age p50  p95 ms  offset s  eyes MB  server MB"
        "  CPU %  shots  stops",
        flush=True,
    )
    began, minute, last_cpu = time.monotonic(), 0, None
    while time.monotonic() - began < seconds:
        time.sleep(max(0.0, began + 60 * (minute + 1) - time.monotonic()))
        minute += 1
        noted = spectator.taken()
        health = server.get("/health")
        family = [process, *process.children(recursive=True)]
        cpu = sum(p.cpu_times().user + p.cpu_times().system for p in family)
        share = float("nan") if last_cpu is None else 100 * (cpu - last_cpu) / 60
        last_cpu = cpu
        memory = memory_mb(process)
        shots = {r["shot"] for r in server.get("/state")["state"]["rulings"] if r["shot"]}
        ages = sorted(noted.ages_ms) or [float("nan")]
        offset = statistics.median(noted.offsets_s) if noted.offsets_s else float("nan")
        print(
            f"{minute:6}  {os.getloadavg()[0]:4.1f}  {health['fps_in']:6.1f}"
            f"  {health['fps_done']:4.1f}  {health['dropped']:7}"
            f"  {ages[len(ages) // 2]:7.0f}  {ages[int(0.95 * len(ages))]:6.0f}"
            f"  {offset:8.3f}  {memory[0]:7.0f}  {memory[1]:9.0f}  {share:5.0f}"
            f"  {max(shots, default=0):5}  {len(health['missed']):5}",
            flush=True,
        )


if __name__ == "__main__":
    main()
