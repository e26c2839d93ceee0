"""Everybody who watches: snapshots, deltas with numbers, and the newest frame.

Nobody is waited for. Each client has a bounded outbox; one that does not read is dropped.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from monitor.server.bodies import to_text

KEPT_DELTAS: Final = 500
MOST_CLIENTS: Final = 200
_MOST_WAITING: Final = 600
_MOST_BYTES: Final = 4_000_000
TOO_SLOW: Final = 4408
GOING_DOWN: Final = 1001

State = Mapping[str, object]


@dataclass(eq=False)
class Client:
    """One WebSocket: what it still has to be sent."""

    role: str = "spectator"
    waiting: deque[str] = field(default_factory=deque)
    bytes: int = 0
    frame: str | None = None
    closing: int | None = None
    """The close code, once the connection has to end."""
    listens: bool = False
    """False until it said hello."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def offer(self, text: str) -> None:
        """Queue a text; a client that does not read is marked for dropping."""
        if self.closing is not None:
            return
        self.waiting.append(text)
        self.bytes += len(text)
        if len(self.waiting) > _MOST_WAITING or self.bytes > _MOST_BYTES:
            self.close(TOO_SLOW)
        self.wake.set()

    def offer_frame(self, text: str) -> None:
        """Only the newest frame counts."""
        if self.closing is not None:
            return
        self.frame = text
        self.wake.set()

    def take(self) -> list[str]:
        """Everything that is due, frames last."""
        due = list(self.waiting)
        self.waiting.clear()
        self.bytes = 0
        if self.frame is not None:
            due.append(self.frame)
            self.frame = None
        self.wake.clear()
        return due

    def close(self, code: int) -> None:
        """End the connection."""
        if self.closing is None:
            self.closing = code
        self.waiting.clear()
        self.frame = None
        self.wake.set()


@dataclass
class Hub:
    """The present state, the last deltas, and who gets them. Lives on the event loop."""

    epoch: str = field(default_factory=lambda: secrets.token_hex(8))
    seq: int = 0
    state: dict[str, object] = field(default_factory=dict)
    clients: set[Client] = field(default_factory=set)
    dropped: int = 0
    """Clients dropped because they did not read."""
    _deltas: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=KEPT_DELTAS))

    def publish(self, state: State) -> None:
        """Send what changed against the last state."""
        state = dict(state) | {"viewers": self.viewers()}
        changes = {key: value for key, value in state.items() if self.state.get(key) != value}
        if not changes:
            return
        self.seq += 1
        self.state = state
        text = to_text({"type": "delta", "seq": self.seq, "changes": changes})
        self._deltas.append((self.seq, text))
        for client in self.clients:
            if client.listens:
                client.offer(text)

    def publish_frame(self, frame: State) -> None:
        """Send the newest positions to everybody who listens."""
        listening = [client for client in self.clients if client.listens]
        if listening:
            told = dict(frame)
            captured_at = told.pop("captured_at", None)
            now = time.monotonic()
            told["sent_at"] = round(now, 4)
            if isinstance(captured_at, float):
                told["age_ms"] = round((now - captured_at) * 1000, 1)
            text = to_text(told)
            for client in listening:
                client.offer_frame(text)

    def viewers(self) -> dict[str, int]:
        """Who is connected."""
        listening = [client for client in self.clients if client.listens]
        referees = sum(client.role == "referee" for client in listening)
        return {"spectators": len(listening) - referees, "referees": referees}

    def welcome(self, client: Client, head: State, resume: tuple[str, int] | None) -> None:
        """Answer a hello: what was missed, or everything."""
        client.listens = True
        told = dict(head) | {"epoch": self.epoch, "seq": self.seq, "role": client.role}
        client.offer(to_text(told))
        missed = self._since(resume)
        if missed is None:
            client.offer(to_text({"type": "snapshot", "seq": self.seq, "state": self.state}))
        else:
            for text in missed:
                client.offer(text)

    def _since(self, resume: tuple[str, int] | None) -> list[str] | None:
        """The deltas after a number, None when some of them are no longer there."""
        if resume is None or resume[0] != self.epoch or not 0 <= resume[1] <= self.seq:
            return None
        missed = self.seq - resume[1]
        if missed > len(self._deltas):
            return None
        return [text for number, text in self._deltas if number > resume[1]]

    def close_all(self) -> None:
        """The server goes down."""
        for client in self.clients:
            client.close(GOING_DOWN)
