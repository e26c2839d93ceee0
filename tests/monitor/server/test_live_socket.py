"""The WebSocket: hello, snapshot, deltas in order, resume, and clients that misbehave."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect

from monitor.server.hub import GOING_DOWN, KEPT_DELTAS, TOO_SLOW, Client, Hub
from tests.monitor.live.scorer import BREAK
from tests.monitor.server.conftest import API, TOKEN, Site

LIVE = f"ws://127.0.0.1:8765{API}/live"


def hello(socket: Any, **more: Any) -> list[dict[str, Any]]:
    """Say hello and take the two answers."""
    socket.send_json({"type": "hello", "v": 1} | more)
    return [socket.receive_json(), socket.receive_json()]


def next_with(socket: Any, section: str) -> dict[str, Any]:
    """The next delta that changes a section."""
    while True:
        message = socket.receive_json()
        if message["type"] == "delta" and section in message["changes"]:
            return dict(message)


def test_a_client_gets_hello_snapshot_and_then_deltas(site: Site) -> None:
    with site.client.websocket_connect(LIVE) as socket:
        greeting, snapshot = hello(socket)
        assert (greeting["type"], greeting["v"], greeting["role"]) == ("hello", 1, "spectator")
        assert snapshot["seq"] == greeting["seq"] and snapshot["state"]["rack"]["number"] == 1
        site.post("/shots", {"id": "s1", "facts": BREAK})
        delta = next_with(socket, "rulings")
        assert delta["seq"] > snapshot["seq"]
        assert delta["changes"]["rulings"][0]["record"] == 2


def test_deltas_are_numbered_without_gaps(site: Site) -> None:
    with site.client.websocket_connect(LIVE) as socket:
        _, snapshot = hello(socket)
        for number in range(5):
            site.post("/actions", {"id": f"n{number}", "type": "note", "text": "x"})
            site.post("/shots", {"id": f"s{number}", "facts": BREAK})
        seen = [next_with(socket, "rulings")["seq"] for _ in range(1)]
        while len(seen) < 6:
            seen.append(socket.receive_json()["seq"])
        assert seen == list(range(seen[0], seen[0] + 6)) and seen[0] > snapshot["seq"]


def test_a_client_that_lost_its_link_resumes_without_gaps(site: Site) -> None:
    with site.client.websocket_connect(LIVE) as socket:
        greeting, snapshot = hello(socket)
    state, seq = dict(snapshot["state"]), snapshot["seq"]
    site.post("/shots", {"id": "s1", "facts": BREAK})
    site.post("/actions", {"id": "p", "type": "push_out"})
    with site.client.websocket_connect(LIVE) as socket:
        resume = {"epoch": greeting["epoch"], "seq": seq}
        socket.send_json({"type": "hello", "v": 1, "resume": resume})
        assert socket.receive_json()["type"] == "hello"
        while seq < site.serving.hub.seq:
            delta = socket.receive_json()
            assert (delta["type"], delta["seq"]) == ("delta", seq + 1)
            seq = delta["seq"]
            state |= delta["changes"]
    assert state["rulings"] == site.get("/state").json()["state"]["rulings"]
    assert state["next_shot"]["kind"] == "push_out"


@pytest.mark.parametrize("resume", [{"epoch": "other", "seq": 1}, {"epoch": None, "seq": 10**6}])
def test_a_gap_that_cannot_be_filled_gives_a_snapshot(site: Site, resume: dict[str, Any]) -> None:
    resume = resume | {"epoch": resume["epoch"] or site.serving.hub.epoch}
    with site.client.websocket_connect(LIVE) as socket:
        assert hello(socket, resume=resume)[1]["type"] == "snapshot"


def test_only_the_token_makes_a_referee(site: Site) -> None:
    with site.client.websocket_connect(LIVE) as socket:
        assert hello(socket, token=TOKEN)[0]["role"] == "referee"
        assert site.serving.hub.viewers() == {"spectators": 0, "referees": 1}
    with site.client.websocket_connect(LIVE) as socket:
        socket.send_json({"type": "hello", "v": 1, "token": "wrong"})
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4403


def test_a_page_of_another_site_may_not_listen(site: Site) -> None:
    headers = {"Origin": "http://evil.example"}
    with (
        pytest.raises(WebSocketDisconnect),
        site.client.websocket_connect(LIVE, headers=headers) as socket,
    ):
        socket.receive_json()


@pytest.mark.parametrize(
    "message",
    ["", "null", "[]", "{", "{}", '{"type":"hello","v":2}', '{"type":"act"}', "[" * 4000]
    + ['{"type":"hello","resume":7}', '{"type":"hello","token":7}', "x" * 5000],
)
def test_a_bad_message_ends_the_connection(site: Site, message: str) -> None:
    with site.client.websocket_connect(LIVE) as socket:
        socket.send_text(message)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code in (4400, 4403)
    assert site.serving.hub.clients == set()


MESSAGES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "v", "token", "resume", "epoch", "seq"]), inner)
    ),
    max_leaves=8,
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(message=MESSAGES, after_hello=st.booleans())
def test_no_message_breaks_the_server(site: Site, message: object, after_hello: bool) -> None:
    site.serving.guard._wrong.clear()
    with (
        contextlib.suppress(WebSocketDisconnect),
        site.client.websocket_connect(LIVE) as socket,
    ):
        if after_hello:
            hello(socket)
        socket.send_text(json.dumps(message))
        socket.send_json({"type": "ping"})
        socket.receive_json()
    assert site.get("/state").status_code == 200


def test_who_sends_too_much_is_dropped(site: Site) -> None:
    with site.client.websocket_connect(LIVE) as socket:
        hello(socket)
        for _ in range(60):
            socket.send_json({"type": "ping"})
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                socket.receive_json()
        assert closed.value.code == 4400


# The hub by itself


def test_a_client_that_does_not_read_is_dropped_and_nobody_waits() -> None:
    hub, slow, good = Hub(), Client(), Client()
    hub.clients |= {slow, good}
    for client in (slow, good):
        hub.welcome(client, {"type": "hello"}, None)
    for number in range(1000):
        hub.publish({"n": number})
        good.take()
    assert slow.closing == TOO_SLOW and not slow.waiting
    assert good.closing is None


def test_only_the_newest_frame_waits() -> None:
    hub, client = Hub(), Client()
    hub.clients.add(client)
    hub.welcome(client, {"type": "hello"}, None)
    client.take()
    for number in range(10):
        hub.publish_frame({"type": "frame", "t_s": number})
    assert [json.loads(text)["t_s"] for text in client.take()] == [9]


def test_deltas_are_kept_for_those_who_come_back() -> None:
    hub = Hub()
    for number in range(KEPT_DELTAS + 10):
        hub.publish({"n": number})
    client = Client()
    hub.welcome(client, {"type": "hello"}, (hub.epoch, hub.seq - 300))
    assert [json.loads(t)["seq"] for t in client.take()[1:]] == list(
        range(hub.seq - 299, hub.seq + 1)
    )
    hub.welcome(client, {"type": "hello"}, (hub.epoch, 2))
    assert json.loads(client.take()[1])["type"] == "snapshot"


def test_an_unchanged_state_is_not_sent() -> None:
    hub = Hub()
    hub.publish({"n": 1})
    hub.publish({"n": 1})
    assert hub.seq == 1


def test_clients_are_told_when_the_server_goes() -> None:
    hub, client = Hub(), Client()
    hub.clients.add(client)
    hub.close_all()
    assert client.closing == GOING_DOWN
