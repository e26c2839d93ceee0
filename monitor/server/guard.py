"""The door: who may write, from where, and how much at once.

Everybody may read. Writing takes the referee's token, compared in constant time. A page of
another site may neither write nor listen (Origin), and a name that somebody pointed at this
machine is not answered (Host: DNS rebinding).
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
import socket
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from monitor.server.bodies import MOST_BYTES
from monitor.server.problems import ProblemError, answer

_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_WRONG_A_MINUTE: Final = 20
_MOST_ADDRESSES: Final = 1000
_POLICY: Final = (
    "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "style-src 'self' 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Content-Security-Policy", _POLICY),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)


def token_in(folder: Path) -> str:
    """The referee's token, made on the first call and kept in the folder (mode 600).

    Raises:
        OSError: when it cannot be written.
    """
    path = folder / "token"
    try:
        known = path.read_text(encoding="ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        known = ""
    if len(known) >= 20:
        return known
    made = secrets.token_urlsafe(18)
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as out:
        out.write(made + "\n")
    return made


@dataclass
class Guard:
    """Knows the token, and who tried wrong ones lately."""

    token: str
    _wrong: dict[str, deque[float]] = field(default_factory=dict, init=False)

    def is_token(self, given: str | None) -> bool:
        """Compare in constant time."""
        return given is not None and hmac.compare_digest(
            given.encode("utf-8", "replace"), self.token.encode()
        )

    def check(self, headers: Headers, client: str) -> None:
        """Let a referee pass.

        Raises:
            ProblemError: 401, 403 or 429.
        """
        given = bearer(headers)
        if given is None:
            raise ProblemError(401, "no_token", "Only the referee may do that: send the token.")
        if not self.admits(given, client):
            raise ProblemError(403, "wrong_token", "That is not the referee's token.")

    def admits(self, given: str, client: str) -> bool:
        """Is it the token? Whoever tries too many wrong ones has to wait.

        Raises:
            ProblemError: 429.
        """
        now = time.monotonic()
        wrong = self._wrong.get(client, deque())
        while wrong and now - wrong[0] > 60.0:
            wrong.popleft()
        if len(wrong) >= _WRONG_A_MINUTE:
            raise ProblemError(429, "too_many", "Too many wrong tokens; wait a minute.")
        if self.is_token(given):
            return True
        if len(self._wrong) >= _MOST_ADDRESSES:
            self._wrong.clear()
        wrong.append(now)
        self._wrong[client] = wrong
        return False


def bearer(headers: Headers) -> str | None:
    """The token of an Authorization header."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" and given.strip() else None


def is_own_host(host: str) -> bool:
    """Is this a name of this machine: an address, localhost, or its own host name?"""
    name = _host_name(host)
    if name is None:
        return False
    own = socket.gethostname().lower()
    if name in ("localhost", own, f"{own}.local"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _host_name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def is_own_origin(headers: Headers) -> bool:
    """Does a request come from our own pages, or from no page at all?"""
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
    except ValueError:
        return False


@dataclass
class Door:
    """ASGI middleware: host, origin, size of bodies, headers of answers."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a connection through, or answer why not."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = _refusal(scope, headers)
        if scope["type"] == "websocket":
            if refusal is not None:
                await receive()
                await send({"type": "websocket.close", "code": 4403, "reason": refusal[1]})
                return
            await self.app(scope, receive, send)
            return
        if refusal is not None:
            await answer(*refusal)(scope, receive, send)
            return
        await self._bounded(scope, receive, _with_headers(send))

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a body of at most 64 KiB before anything looks at it."""
        taken: list[Message] = []
        size = 0
        if scope["method"] not in _SAFE:
            while True:
                message = await receive()
                taken.append(message)
                size += len(message.get("body", b""))
                if size > MOST_BYTES:
                    await answer(413, "too_large", "The body is too large.")(scope, receive, send)
                    return
                if message["type"] != "http.request" or not message.get("more_body"):
                    break

        async def again() -> Message:
            return taken.pop(0) if taken else await receive()

        await self.app(scope, again, send)


def _refusal(scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
    if not is_own_host(headers.get("host", "")):
        return 403, "wrong_host", "This name is not a name of this machine."
    reads = scope["type"] == "http" and scope["method"] in _SAFE
    if not reads and not is_own_origin(headers):
        return 403, "wrong_origin", "A page of another site may not do this."
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MOST_BYTES:
        return 413, "too_large", "The body is too large."
    return None


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS:
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return wrapped
