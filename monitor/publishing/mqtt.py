"""Publishing over MQTT (3.1.1): retained state and availability, each ruling at least once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from monitor.failures import CannotBeDoneError, sentence_for
from monitor.publishing.discovery import discovery_message, discovery_topic
from monitor.publishing.feed import Feed
from monitor.publishing.messages import RulingMessage, payload
from monitor.settings import MqttSettings
from monitor.store import Body

ONLINE, OFFLINE = "online", "offline"
_KEEP_ALIVE_S: Final = 10
_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
_ON_THE_WAY: Final = 20


@dataclass(eq=False)
class MqttPublisher:
    """One broker. `tick` is called again and again from one thread.

    Raises:
        CannotBeDoneError: when the address or the password's file cannot be used.
    """

    settings: MqttSettings
    feed: Feed
    version: str
    client: paho.Client = field(init=False)
    _state: str | None = field(default=None, init=False)
    """The state that the broker has, or is being sent."""
    _connected: bool = field(default=False, init=False)
    _greeted: bool = field(default=False, init=False)
    _sent: list[tuple[RulingMessage, paho.MQTTMessageInfo]] = field(
        default_factory=list, init=False
    )
    """On their way, oldest first."""

    def __post_init__(self) -> None:
        settings = self.settings
        address = urlsplit(settings.address)
        if address.scheme not in _PORTS or not address.hostname:
            raise CannotBeDoneError(
                f'[mqtt] address: "{settings.address}" is not mqtt://host or mqtts://host.'
            )
        client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"table-monitor-{settings.table}",
            clean_session=False,
        )
        if settings.user:
            client.username_pw_set(settings.user, _password(settings.password_file))
        if address.scheme == "mqtts":
            client.tls_set()
        client.will_set(f"{self.base}/availability", OFFLINE, qos=1, retain=True)
        client.reconnect_delay_set(1, 15)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        self.client = client
        self._place = (address.hostname, address.port or _PORTS[address.scheme])

    @property
    def base(self) -> str:
        """The topic under which everything lies."""
        return f"{self.settings.prefix}/{self.settings.table}"

    def start(self) -> None:
        """Connect, now or as soon as the broker is there."""
        self.client.connect_async(*self._place, keepalive=_KEEP_ALIVE_S)
        self.client.loop_start()

    def stop(self) -> None:
        """Say goodbye and end."""
        if self._connected:
            gone = self.client.publish(f"{self.base}/availability", OFFLINE, qos=1, retain=True)
            gone.wait_for_publish(timeout=2.0)
        self.client.disconnect()
        self.client.loop_stop()

    def _on_connect(self, _: object, __: object, ___: object, reason: Any, *____: object) -> None:
        self._connected = not reason.is_failure
        self._greeted = False

    def _on_disconnect(self, *_: object) -> None:
        self._connected = False

    def tick(self, state: Body) -> None:
        """Send what is new; count as sent what the broker confirmed."""
        self._count_confirmed()
        if not self._connected:
            return
        if not self._greeted:
            self._greet()
        text = payload(state)
        if text != self._state:
            self._publish("state", text, retain=True)
            self._state = text
        known = {message.record for message, _ in self._sent}
        for message in self.feed.waiting():
            if message.record not in known and len(self._sent) < _ON_THE_WAY:
                info = self._publish("ruling", payload(message.to_json()))
                self._sent.append((message, info))

    def _greet(self) -> None:
        """A broker that was restarted may have forgotten all."""
        self._greeted, self._state = True, None
        self._publish("availability", ONLINE, retain=True)
        settings = self.settings
        if settings.discovery:
            node = f"{settings.prefix}_{settings.table}".replace("-", "_").replace("/", "_")
            told = discovery_message(node, self.base, self.version)
            topic = discovery_topic(settings.discovery, node)
            self.client.publish(topic, payload(told), qos=1, retain=True)

    def _publish(self, name: str, text: str, *, retain: bool = False) -> paho.MQTTMessageInfo:
        return self.client.publish(f"{self.base}/{name}", text, qos=1, retain=retain)

    def _count_confirmed(self) -> None:
        while self._sent and self._is_confirmed(self._sent[0][1]):
            self.feed.sent(self._sent.pop(0)[0].record)

    def _is_confirmed(self, info: paho.MQTTMessageInfo) -> bool:
        try:
            return info.is_published()
        except (ValueError, RuntimeError):
            # It was refused: forget it, it is still in the journal and is sent again.
            self._sent.clear()
            return False


def _password(file: str) -> str:
    if not file:
        return ""
    try:
        return Path(file).read_text("utf-8").strip()
    except OSError as error:
        raise CannotBeDoneError(f"[mqtt] password_file: {sentence_for(error)}") from None
