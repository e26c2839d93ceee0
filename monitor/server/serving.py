"""What the routes share: the table, the hub, the guard."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from monitor.live.table_live import LiveTable
from monitor.server.bodies import checked
from monitor.server.guard import Guard
from monitor.server.hub import Hub
from monitor.server.problems import ProblemError


@dataclass
class Serving:
    """One running server."""

    live: LiveTable
    hub: Hub
    guard: Guard
    loop: asyncio.AbstractEventLoop | None = None
    video_viewers: int = 0
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the set-up calibrates or enrols."""


def serving_of(request: Request) -> Serving:
    """The server that answers a request."""
    serving = request.app.state.serving
    assert isinstance(serving, Serving)
    return serving


_BEARER = HTTPBearer(auto_error=False, description="The referee's token.")


async def referee(request: Request, _: Annotated[object, Depends(_BEARER)] = None) -> Serving:
    """Let only the referee on, with a body within bounds.

    Raises:
        ProblemError: 401, 403, 422 or 429.
    """
    serving = serving_of(request)
    address = request.client.host if request.client else ""
    serving.guard.check(request.headers, address)
    body = await request.body()
    if body:
        try:
            checked(json.loads(body))
        except (ValueError, RecursionError):
            raise ProblemError(400, "bad_json", "The body is not JSON.") from None
    return serving


Anybody = Annotated[Serving, Depends(serving_of)]
Referee = Annotated[Serving, Depends(referee)]
