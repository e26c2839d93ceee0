"""One thread that tells others what is new; nobody waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from monitor.publishing.feed import Feed
from monitor.publishing.messages import state_message
from monitor.settings import Settings
from monitor.store import Body

_EVERY_S: Final = 0.25


class Destination(Protocol):
    """Somebody who is told."""

    def start(self) -> None:
        """Begin."""

    def tick(self, state: Body) -> None:
        """Send what is new."""

    def stop(self) -> None:
        """End."""


def destinations_of(settings: Settings, folder: Path, version: str) -> list[Destination]:
    """Those that the settings name.

    Raises:
        CannotBeDoneError: when one of them cannot be used as it is written.
    """
    found: list[Destination] = []
    if settings.mqtt.address:
        from monitor.publishing.mqtt import MqttPublisher  # noqa: PLC0415

        found.append(MqttPublisher(settings.mqtt, Feed(folder, "mqtt"), version))
    if settings.webhook.url:
        from monitor.publishing.webhook import WebhookPublisher  # noqa: PLC0415

        found.append(WebhookPublisher(settings.webhook, Feed(folder, "webhook")))
    return found


@dataclass(eq=False)
class Publishing:
    """Ticks the destinations; each in a thread of its own, so that a slow one holds up none."""

    destinations: Sequence[Destination]
    state: Callable[[], Body]
    """The live state of the desk."""
    _stopping: threading.Event = field(default_factory=threading.Event, init=False)
    _threads: list[threading.Thread] = field(default_factory=list, init=False)

    def start(self) -> None:
        """Begin to tell."""
        for destination in self.destinations:
            thread = threading.Thread(
                target=self._run, args=(destination,), name="publishing", daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Tell the last and end."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(timeout=8.0)

    def _run(self, destination: Destination) -> None:
        destination.start()
        while not self._stopping.wait(_EVERY_S):
            destination.tick(state_message(self.state()))
        destination.tick(state_message(self.state()))
        destination.stop()
