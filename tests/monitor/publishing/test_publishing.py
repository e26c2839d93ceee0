"""Rulings and score for others: over a real broker, over HTTP, through restarts of either end."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from monitor.failures import CannotBeDoneError
from monitor.publishing.feed import Feed
from monitor.publishing.messages import state_message
from monitor.publishing.mqtt import MqttPublisher
from monitor.publishing.publishing import Publishing, destinations_of
from monitor.publishing.webhook import SIGNATURE, WebhookPublisher
from monitor.settings import MqttSettings, Settings, WebhookSettings
from tests.monitor.live.scorer import BREAK, Scorer
from tests.monitor.waiting import waited_for

BROKER = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
needs_broker = pytest.mark.skipif(BROKER is None, reason="mosquitto is not installed")


wait_for = partial(waited_for, within_s=20.0, step_s=0.05)


@pytest.fixture
def scorer(tmp_path: Path) -> Iterator[Scorer]:
    """A desk without a camera."""
    made = Scorer(tmp_path / "journal")
    yield made
    made.journal.close()


def records(scorer: Scorer) -> list[int]:
    """The numbers of all rulings in the journal."""
    feed = Feed(scorer.folder, "probe")
    feed._place = 0
    return [message.record for message in feed.waiting()]


@dataclass
class Broker:
    """A real mosquitto that keeps nothing over a restart."""

    folder: Path
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Listen, at the same port as before."""
        if not self.port:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.port = probe.getsockname()[1]
        config = self.folder / "mosquitto.conf"
        config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n"
        )
        assert BROKER is not None
        self.process = subprocess.Popen(
            [BROKER, "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

        def listens() -> bool:
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        wait_for(listens)

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@dataclass
class Listener:
    """Somebody who subscribed to everything."""

    port: int
    got: list[tuple[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client = paho.Client(CallbackAPIVersion.VERSION2)
        self.client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self.client.on_message = self._take
        self.client.reconnect_delay_set(1, 1)
        self.client.connect_async("127.0.0.1", self.port)
        self.client.loop_start()

    def _take(self, _: object, __: object, message: paho.MQTTMessage) -> None:
        text = message.payload.decode()
        self.got.append((message.topic, json.loads(text) if text.startswith("{") else text))

    def stop(self) -> None:
        """Go away."""
        self.client.disconnect()
        self.client.loop_stop()

    def last(self, topic: str) -> Any:
        """The newest message of a topic."""
        return next((told for name, told in reversed(self.got) if name == topic), None)

    def rulings(self) -> list[int]:
        """The records of all rulings that came."""
        return [told["record"] for name, told in self.got if name == "table-monitor/table/ruling"]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A running broker."""
    made = Broker(tmp_path)
    made.start()
    yield made
    made.kill()


@needs_broker
def test_a_broker_that_is_killed_and_restarted_misses_no_ruling(
    broker: Broker, scorer: Scorer
) -> None:
    settings = Settings(mqtt=MqttSettings(address=f"mqtt://127.0.0.1:{broker.port}"))
    publishing = Publishing(destinations_of(settings, scorer.folder, "0.1"), scorer.desk.state)
    listener = Listener(broker.port)
    publishing.start()
    try:
        base = "table-monitor/table"
        wait_for(lambda: listener.last(f"{base}/availability") == "online")
        assert wait_for(lambda: listener.last(f"{base}/state"))["score"] == {"A": 0, "B": 0}
        found = wait_for(lambda: listener.last("homeassistant/device/table_monitor_table/config"))
        assert found["availability_topic"] == f"{base}/availability"
        assert len(found["components"]) == 5
        assert all(c["state_topic"] == f"{base}/state" for c in found["components"].values())
        scorer.shot(**BREAK)
        wait_for(lambda: listener.rulings() == records(scorer))
        # The broker dies; rulings go on and wait.
        broker.kill()
        scorer.hit("1")
        scorer.hit("1", pocketed="1")
        time.sleep(0.6)
        broker.start()
        wait_for(lambda: {*records(scorer)} <= {*listener.rulings()}, within_s=40.0)
        # In order, and the retained words are there again though the broker forgot them.
        firsts = list(dict.fromkeys(listener.rulings()))
        assert firsts == records(scorer)
        late = Listener(broker.port)
        wait_for(lambda: late.last(f"{base}/availability") == "online")
        told = wait_for(lambda: late.last(f"{base}/state"))
        assert told["last_ruling"] == scorer.last["sentence"]
        late.stop()
    finally:
        publishing.stop()
        wait_for(lambda: listener.last(f"{base}/availability") == "offline")
        listener.stop()


@needs_broker
def test_a_program_that_is_killed_goes_on_where_it_was(broker: Broker, scorer: Scorer) -> None:
    """What was confirmed is not sent again, what was not is."""
    settings = MqttSettings(address=f"mqtt://127.0.0.1:{broker.port}")
    listener = Listener(broker.port)
    first = MqttPublisher(settings, Feed(scorer.folder, "mqtt"), "0.1")
    first.start()
    state = state_message(scorer.state)

    def ticked(publisher: MqttPublisher, look: Callable[[], bool]) -> Callable[[], bool]:
        def tick() -> bool:
            publisher.tick(state)
            return look()

        return tick

    wait_for(ticked(first, lambda: listener.last("table-monitor/table/state") is not None))
    scorer.shot(**BREAK)
    wait_for(ticked(first, lambda: listener.rulings() == records(scorer)))
    wait_for(ticked(first, lambda: first.feed.waiting() == []))
    # It dies without a word: the broker says so for it.
    sock = first.client.socket()
    assert sock is not None
    first.client.loop_stop()
    sock.shutdown(socket.SHUT_RDWR)
    wait_for(lambda: listener.last("table-monitor/table/availability") == "offline")
    scorer.hit("1")
    second = MqttPublisher(settings, Feed(scorer.folder, "mqtt"), "0.1")
    second.start()
    wait_for(ticked(second, lambda: listener.rulings() == records(scorer)))
    second.stop()
    listener.stop()


def test_a_new_destination_begins_with_what_comes(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    feed = Feed(scorer.folder, "new")
    assert feed.waiting() == []
    scorer.hit("1")
    assert [message.shot for message in feed.waiting()] == [2]


def test_a_ruling_that_was_taken_back_is_told_too(scorer: Scorer) -> None:
    feed = Feed(scorer.folder, "x")
    feed.waiting()
    scorer.shot(**BREAK)
    scorer.act("undo", record=scorer.state["undo"]["record"])
    told = [message.to_json() for message in feed.waiting()]
    assert [message["stands"] for message in told] == [True, False]


# Webhooks


@dataclass
class Receiver:
    """A web server that takes what is posted, or refuses it."""

    refuses: bool = False
    got: list[tuple[dict[str, Any], bytes, str | None]] = field(default_factory=list)

    def start(self) -> str:
        """Listen; the address."""
        receiver = self

        class Taker(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if not receiver.refuses:
                    receiver.got.append((json.loads(body), body, self.headers.get(SIGNATURE)))
                self.send_response(503 if receiver.refuses else 204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Taker)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/hook"

    def stop(self) -> None:
        """End."""
        self.server.shutdown()
        self.server.server_close()

    def rulings(self) -> list[int]:
        """The records of the rulings it took."""
        return [told["record"] for told, _, _ in self.got if told["kind"] == "ruling"]


def test_a_webhook_gets_every_ruling_signed_and_in_order(scorer: Scorer, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a secret of the tests\n")
    receiver = Receiver(refuses=True)
    hook = WebhookPublisher(
        WebhookSettings(receiver.start(), str(secret)), Feed(scorer.folder, "webhook")
    )
    try:
        hook.tick(state_message(scorer.state))
        scorer.shot(**BREAK)
        scorer.hit("1")
        hook._not_before = 0.0
        hook.tick(state_message(scorer.state))
        assert receiver.got == [] and hook._not_before > time.monotonic()
        receiver.refuses, hook._not_before = False, 0.0
        hook.tick(state_message(scorer.state))
        assert receiver.rulings() == records(scorer)
        assert receiver.got[-1][0]["kind"] == "state"
        for _, body, signature in receiver.got:
            digest = hmac.new(b"a secret of the tests", body, hashlib.sha256).hexdigest()
            assert signature == f"sha256={digest}"
        count = len(receiver.got)
        hook.tick(state_message(scorer.state))
        assert len(receiver.got) == count, "nothing new, nothing sent"
    finally:
        receiver.stop()


@pytest.mark.parametrize(
    "settings",
    [
        Settings(mqtt=MqttSettings(address="broker")),
        Settings(mqtt=MqttSettings(address="mqtt://h", user="u", password_file="/none/of/it")),
        Settings(webhook=WebhookSettings(url="ftp://h/x")),
        Settings(webhook=WebhookSettings(url="http://h/x", secret_file="/none/of/it")),
    ],
)
def test_what_cannot_be_used_is_told_at_once(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(CannotBeDoneError, match=r"\[(mqtt|webhook)\]"):
        destinations_of(settings, tmp_path, "0.1")


def test_topics_are_plain_words() -> None:
    with pytest.raises(ValueError, match="letters"):
        MqttSettings(prefix="a/#")
