"""`table-monitor watch` as a process of its own, to be spoken to and killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


@dataclass
class Served:
    """One running server. `kill` is kill -9."""

    folder: Path
    arguments: tuple[str, ...] = ("--no-camera",)
    started: ClassVar[list[Served]] = []
    """All that were started, so that a failed test leaves none behind."""
    base: str = field(init=False)
    token: str = field(init=False)

    def __post_init__(self) -> None:
        command = [sys.executable, "-m", "monitor", "watch", *self.arguments]
        command += ["--port", "0", "--data", str(self.folder)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.started.append(self)
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline() for _ in range(2)]
        if not lines[1]:
            assert self.process.stderr is not None
            raise RuntimeError(self.process.stderr.read())
        self.base = lines[0].split()[1].rstrip("/")
        self.token = lines[1].strip().split("#token=")[1]

    def post(self, route: str, body: object) -> Any:
        """A request of the referee; the answer whatever its status."""
        request = urllib.request.Request(
            f"{self.base}/api/v1{route}",
            json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def get(self, route: str) -> Any:
        """What anybody may read."""
        with urllib.request.urlopen(f"{self.base}/api/v1{route}", timeout=30) as answer:
            return json.load(answer)

    def kill(self) -> None:
        """kill -9, and wait until it is gone."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> int:
        """Ask it to end, as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=30)
        return self.process.returncode


@dataclass
class Watcher:
    """A client that keeps all it was sent."""

    base: str
    messages: list[dict[str, Any]] = field(default_factory=list)
    greeted: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()
        self.greeted.wait(20)

    def _listen(self) -> None:
        url = self.base.replace("http://", "ws://") + "/api/v1/live"
        try:
            with connect(url, max_size=None, close_timeout=1) as socket:
                socket.send(json.dumps({"type": "hello", "v": 1}))
                for text in socket:
                    self.messages.append(json.loads(text))
                    if self.messages[-1]["type"] == "snapshot":
                        self.greeted.set()
        except (ConnectionClosed, OSError, EOFError):
            return

    def rulings(self) -> dict[int, dict[str, Any]]:
        """Every ruling that was shown, by its record."""
        shown: dict[int, dict[str, Any]] = {}
        for message in list(self.messages):
            sections = message.get("state") or message.get("changes") or {}
            for ruling in sections.get("rulings", ()):
                shown[ruling["record"]] = ruling["row"]
        return shown
