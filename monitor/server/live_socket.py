"""`/api/v1/live`: the state as it changes, over a WebSocket."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from typing import Final

from fastapi import WebSocket, WebSocketDisconnect

from monitor.server.guard import Guard
from monitor.server.hub import MOST_CLIENTS, TOO_SLOW, Client, Hub
from monitor.server.problems import ProblemError
from monitor.server.version import server_name

BAD_MESSAGE: Final = 4400
WRONG_TOKEN: Final = 4403
TOO_MANY: Final = 4429
_HELLO_WITHIN_S: Final = 5.0
_SEND_WITHIN_S: Final = 10.0
_LONGEST: Final = 4096
_MESSAGES_A_SECOND: Final = 20


class _BadMessageError(Exception):
    """A message that no client of ours sends."""


async def serve_live(socket: WebSocket, hub: Hub, guard: Guard) -> None:
    """One connection from hello to goodbye."""
    await socket.accept()
    client = Client()
    if len(hub.clients) >= MOST_CLIENTS:
        await socket.close(TOO_MANY)
        return
    hub.clients.add(client)
    reader = asyncio.create_task(_read(socket, client, hub, guard))
    writer = asyncio.create_task(_write(socket, client))
    try:
        await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
    finally:
        hub.clients.discard(client)
        for task in (reader, writer):
            task.cancel()
        await asyncio.gather(reader, writer, return_exceptions=True)
        if client.closing == TOO_SLOW:
            hub.dropped += 1
        with suppress(Exception):
            async with asyncio.timeout(1.0):
                await socket.close(client.closing or 1000)
        hub.publish(hub.state)


async def _read(socket: WebSocket, client: Client, hub: Hub, guard: Guard) -> None:
    """Take messages until the client goes or sends nonsense."""
    allowance, last = float(_MESSAGES_A_SECOND), time.monotonic()
    try:
        message = await asyncio.wait_for(_next(socket), _HELLO_WITHIN_S)
        if message.get("type") != "hello":
            raise _BadMessageError
        while True:
            _take(message, socket, client, hub, guard)
            message = await _next(socket)
            now = time.monotonic()
            allowance = min(_MESSAGES_A_SECOND, allowance + (now - last) * _MESSAGES_A_SECOND) - 1
            last = now
            if allowance < 0:
                raise _BadMessageError
    except (_BadMessageError, TimeoutError):
        client.close(BAD_MESSAGE)
    except ProblemError:
        client.close(WRONG_TOKEN)
    except (WebSocketDisconnect, RuntimeError):
        client.close(1000)


async def _next(socket: WebSocket) -> dict[str, object]:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    text = message.get("text")
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise _BadMessageError
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise _BadMessageError from None
    if not isinstance(value, dict):
        raise _BadMessageError
    return value


def _take(
    message: dict[str, object], socket: WebSocket, client: Client, hub: Hub, guard: Guard
) -> None:
    kind = message.get("type")
    if kind == "ping":
        client.offer(json.dumps({"type": "pong", "t": time.time()}))
        return
    if kind != "hello" or message.get("v", 1) != 1:
        raise _BadMessageError
    token = message.get("token")
    if token is not None:
        address = socket.client.host if socket.client else ""
        if not isinstance(token, str) or not guard.admits(token, address):
            raise ProblemError(403, "wrong_token", "That is not the referee's token.")
        client.role = "referee"
    head = {"type": "hello", "v": 1, "server": server_name()}
    hub.welcome(client, head, _resume(message.get("resume")))
    hub.publish(hub.state)


def _resume(value: object) -> tuple[str, int] | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise _BadMessageError
    epoch, seq = value.get("epoch"), value.get("seq")
    if not isinstance(epoch, str) or isinstance(seq, bool) or not isinstance(seq, int):
        raise _BadMessageError
    return epoch, seq


async def _write(socket: WebSocket, client: Client) -> None:
    """Send what is due; a send that does not end within 10 s ends the connection."""
    while client.closing is None:
        await client.wake.wait()
        for text in client.take():
            try:
                # Not wait_for, which makes a task of each message to each client.
                async with asyncio.timeout(_SEND_WITHIN_S):
                    await socket.send_text(text)
            except TimeoutError:
                client.close(TOO_SLOW)
            except (WebSocketDisconnect, RuntimeError, OSError):
                client.close(1000)
            if client.closing is not None:
                return
