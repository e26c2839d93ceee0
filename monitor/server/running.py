"""uvicorn for one table: bounds on connections, quiet logs, a clean end."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Final

import uvicorn
from fastapi import FastAPI

from monitor.failures import CannotBeDoneError

_LONGEST_MESSAGE: Final = 4096
_MOST_CONNECTIONS: Final = 400


def bound_socket(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one.

    Raises:
        CannotBeDoneError: when address or port cannot be had.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        # From now on a client that comes before the server is ready waits for it.
        listening.listen(128)
    except OSError as error:
        raise CannotBeDoneError(
            f"{host}:{port} cannot be used ({error.strerror or error}); "
            "choose another --port or stop what uses it."
        ) from None
    return listening


def _nobody() -> None:
    """Nobody waits for it."""


class TellingServer(uvicorn.Server):
    """A server that says when it answers."""

    def __init__(self, config: uvicorn.Config, answering: Callable[[], None]) -> None:
        super().__init__(config)
        self._answering = answering

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        if self.started:
            self._answering()


def server_for(app: FastAPI, answering: Callable[[], None] = _nobody) -> uvicorn.Server:
    """The server of an app; run it with `run(sockets=[...])`.

    `answering` is called once requests are answered.
    """
    return TellingServer(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="websockets-sansio",
            ws_max_size=_LONGEST_MESSAGE,
            ws_ping_interval=15.0,
            ws_ping_timeout=15.0,
            ws_per_message_deflate=False,
            h11_max_incomplete_event_size=16 * 1024,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=2,
        ),
        answering,
    )
