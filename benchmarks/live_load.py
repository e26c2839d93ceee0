"""A live table under load: frame-to-page latency, ruling after rest, spectators, slow clients.

    python benchmarks/live_load.py [CLIP] [--spectators 50] [--slow 5] [--video 4] [--seconds 12]

Plays a clip at true speed as the camera (default: the sample break) while clients watch. Every
client measures, by the machine's monotonic clock, how long after its arrival a frame's
positions were in the client's hands, and how much of that lay before and after the server
sent it. Slow clients connect and never read; video viewers take the MJPEG stream. Prints a
table, with the CPU that server, eyes and clients took, and what was left over for other
programs: where those took much, the times say little.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import websockets

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.monitor.server.served import Served  # noqa: E402

SAMPLE = ROOT / "fixtures" / "videos" / "break" / "clip.mp4"


@dataclass
class Measured:
    """What the clients saw."""

    ages_ms: list[float] = field(default_factory=list)
    """From a frame's arrival at the reader to a client that has it."""
    sent_ms: list[float] = field(default_factory=list)
    """From a frame's arrival to the moment at which the server sends it."""
    way_ms: list[float] = field(default_factory=list)
    """From there to the client."""
    frames: list[int] = field(default_factory=list)
    ruling_after_rest_s: list[float] = field(default_factory=list)
    gaps: int = 0
    health: dict[str, Any] = field(default_factory=dict)
    video_frames: list[int] = field(default_factory=list)
    slow_dropped: int = 0


async def spectate(url: str, until: float, seen: Measured, started: asyncio.Event) -> None:
    """One spectator: reads everything, checks the numbers, measures the age of frames."""
    count, seq, offset_s, known = 0, None, None, set()
    async with websockets.connect(url, max_size=None) as socket:
        await socket.send(json.dumps({"type": "hello", "v": 1}))
        while time.monotonic() < until:
            try:
                text = await asyncio.wait_for(socket.recv(), 0.5)
            except TimeoutError:
                continue
            now = time.monotonic()
            message = json.loads(text)
            if message["type"] == "frame":
                count += 1
                # age_ms was true when the server sent it; the way to here comes on top of it.
                way_ms = (now - message["sent_at"]) * 1000
                seen.ages_ms.append(message["age_ms"] + way_ms)
                seen.sent_ms.append(message["age_ms"])
                seen.way_ms.append(way_ms)
                offset_s = now - message["age_ms"] / 1000 - message["t_s"]
                started.set()
            elif message["type"] == "snapshot":
                seq = message["seq"]
            elif message["type"] == "delta":
                seen.gaps += seq is not None and message["seq"] != seq + 1
                seq = message["seq"]
                changes = message["changes"]
                seen.health = changes.get("health", seen.health)
                for ruling in changes.get("rulings", ()):
                    new = ruling["shot"] and ruling["record"] not in known
                    if new and ruling["complete"] and offset_s is not None:
                        known.add(ruling["record"])
                        seen.ruling_after_rest_s.append(now - offset_s - ruling["t_s"])
    seen.frames.append(count)


async def sleep_on(url: str, until: float) -> None:
    """A client that says hello and never reads."""
    reader, writer = await asyncio.open_connection(*_address(url), limit=1024)
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    host = url.split("/")[2]
    head = f"GET /api/v1/live HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
    head += f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    writer.write(head.encode())
    hello = json.dumps({"type": "hello", "v": 1}).encode()
    mask = os.urandom(4)
    masked = bytes(b ^ mask[i % 4] for i, b in enumerate(hello))
    writer.write(bytes([0x81, 0x80 | len(hello)]) + mask + masked)
    await writer.drain()
    await asyncio.sleep(max(0.0, until - time.monotonic()))
    writer.close()
    del reader


async def look_at_video(base: str, until: float, seen: Measured) -> None:
    """One viewer of the MJPEG stream."""
    reader, writer = await asyncio.open_connection(*_address(base))
    host = base.split("/")[2]
    writer.write(f"GET /api/v1/video.mjpg HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    count = 0
    while time.monotonic() < until:
        try:
            data = await asyncio.wait_for(reader.read(65536), 0.5)
        except TimeoutError:
            continue
        if not data:
            break
        count += data.count(b"--frame")
    writer.close()
    seen.video_frames.append(count)


def _address(url: str) -> tuple[str, int]:
    host, _, port = url.split("/")[2].partition(":")
    return host, int(port)


async def load(base: str, options: argparse.Namespace, seen: Measured) -> None:
    """All clients together."""
    url = base.replace("http://", "ws://") + "/api/v1/live"
    started = asyncio.Event()
    first = asyncio.create_task(spectate(url, time.monotonic() + 600, seen, started))
    await asyncio.wait_for(started.wait(), 120)
    first.cancel()
    for times in (seen.ages_ms, seen.sent_ms, seen.way_ms):
        times.clear()
    until = time.monotonic() + options.seconds
    tasks = [spectate(url, until, seen, asyncio.Event()) for _ in range(options.spectators)]
    tasks += [sleep_on(url, until) for _ in range(options.slow)]
    tasks += [look_at_video(base, until, seen) for _ in range(options.video)]
    await asyncio.gather(*tasks)


def cpu_s(pid: int) -> float:
    """CPU seconds of a process so far, all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def machine_s() -> float:
    """CPU seconds that the whole machine has worked so far."""
    fields = [int(value) for value in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return (sum(fields[:3]) + sum(fields[5:8])) / os.sysconf("SC_CLK_TCK")


def child_of(pid: int) -> int:
    """The eyes' process: the child of the server that took the most CPU."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    threads = Path(f"/proc/{pid}/task").iterdir()
    for thread in threads:
        children += (thread / "children").read_text().split()
    return max((int(child) for child in children), key=cpu_s)


def three(values: list[float]) -> str:
    """p50 / p95 / max."""
    return " / ".join(f"{quantile(values, share):.0f}" for share in (0.5, 0.95, 1.0))


def quantile(values: list[float], share: float) -> float:
    """A quantile of a list, nan when it is empty."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clip", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--spectators", type=int, default=1)
    parser.add_argument("--slow", type=int, default=0)
    parser.add_argument("--video", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=12.0)
    options = parser.parse_args()
    seen = Measured()
    camera = options.clip.parent / "camera.json"
    known = ("--camera", str(camera)) if camera.exists() else ()
    with tempfile.TemporaryDirectory() as folder:
        begun, worked = time.monotonic(), machine_s()
        server = Served(Path(folder), (str(options.clip), "--realtime", *known))
        try:
            asyncio.run(load(server.base, options, seen))
            wall_s, all_s = time.monotonic() - begun, machine_s() - worked
            pid = server.process.pid
            used = {
                "server": cpu_s(pid),
                "eyes": cpu_s(child_of(pid)),
                "clients": cpu_s(os.getpid()),
            }
            with urllib.request.urlopen(f"{server.base}/api/v1/health") as answer:
                seen.health = json.load(answer)
        finally:
            server.stop()
    health = seen.health
    print(f"load average                        {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(
        f"spectators, slow, video             {options.spectators}, {options.slow}, {options.video}"
    )
    print(
        f"frame to page p50 / p95 / max, ms   {three(seen.ages_ms)}"
        f"   ({len(seen.ages_ms)} frames at clients)"
    )
    print(f"  arrival to sending                {three(seen.sent_ms)}")
    print(f"  sending to client                 {three(seen.way_ms)}")
    if seen.ruling_after_rest_s:
        worst = max(seen.ruling_after_rest_s)
        middle = statistics.median(seen.ruling_after_rest_s)
        print(f"ruling after rest median / max, s   {middle:.2f} / {worst:.2f}")
    least, most = min(seen.frames, default=0), max(seen.frames, default=0)
    print(f"frames a client, least / most       {least} / {most}")
    print(f"gaps in the numbers of deltas       {seen.gaps}")
    print(f"frames in / dropped                 {health.get('frames')} / {health.get('dropped')}")
    print(f"video frames a viewer               {seen.video_frames}")
    shares = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in used.items())
    print(f"CPU from start to end               {shares}")
    rest = max(0.0, all_s - sum(used.values())) / wall_s
    print(f"CPU of other programs               {rest:.2f} cores for {wall_s:.0f} s")


if __name__ == "__main__":
    main()
