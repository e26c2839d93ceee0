"""A table server of its own process, as a user starts it, that can be killed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any, Final

_START_S: Final = 60.0
_LINE: Final = re.compile(r"(http://[\d.]+:(\d+))/referee#token=(\S+)")


class TableServer:
    """`table-monitor watch SOURCE` on 127.0.0.1."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.arguments = arguments or ("none",)
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it, on the port it had before if it had one, and wait for its address."""
        command = [sys.executable, "-m", "monitor", "watch", *self.arguments]
        command += ["--port", str(self.port), "--data", str(self.folder)]
        command += ["--players", "Anna,Bob"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        said = self._until_address()
        self.url, port, self.token = said.groups()
        self.port = int(port)

    def _until_address(self) -> re.Match[str]:
        """Read what it prints up to the referee's address; the rest is read and forgotten."""
        assert self.process.stdout is not None
        watchdog = threading.Timer(_START_S, self.process.kill)
        watchdog.start()
        said = ""
        for line in self.process.stdout:
            said += line
            found = _LINE.search(line)
            if found:
                watchdog.cancel()
                threading.Thread(target=self.process.stdout.read, daemon=True).start()
                return found
        watchdog.cancel()
        raise AssertionError(f"the server did not start: {said}")

    def kill(self) -> None:
        """kill -9: nothing is tidied up."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Stop it as Ctrl-C does."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()

    def state(self) -> dict[str, Any]:
        """The whole state, as anybody may read it."""
        with urllib.request.urlopen(f"{self.url}/api/v1/state", timeout=20) as answer:
            state: dict[str, Any] = json.load(answer)["state"]
        return state

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """One action as the referee."""
        request = urllib.request.Request(
            f"{self.url}/api/v1/{path}",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            said: dict[str, Any] = json.load(answer)
        return said

    def new_match(self, breaker: str = "A", race_to: int | None = None) -> None:
        """Begin a match; the old one stays in the journal."""
        self.matches = getattr(self, "matches", 0) + 1
        self.post(
            "match",
            {
                "id": f"match-{self.port}-{self.matches}",
                "players": ["Anna", "Bob"],
                "race_to": race_to,
                "breaker": breaker,
                "opening": "break",
                "options": {},
            },
        )
