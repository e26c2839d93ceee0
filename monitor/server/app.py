"""The web application: routes, and what they hand on. docs/live-api.md describes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import APIRouter, FastAPI, WebSocket
from fastapi.staticfiles import StaticFiles

from monitor.live.table_live import LiveTable
from monitor.server import (
    routes_evidence,
    routes_match,
    routes_overlay,
    routes_pages,
    routes_setup,
    routes_video,
)
from monitor.server.guard import Door, Guard
from monitor.server.hub import Hub
from monitor.server.live_socket import serve_live
from monitor.server.problems import ProblemBody, tell_problems
from monitor.server.serving import Serving
from monitor.server.version import server_name

API: Final = "/api/v1"
_TICK_S: Final = 1.0
Told = Mapping[str, object]
# Nothing is measured for, or sent to, anybody else.
_NO_TELEMETRY: Final[Any] = {
    "auto_configure": False,
    "tracing": False,
    "metrics": False,
    "logs": False,
}


def build_app(live: LiveTable, token: str) -> FastAPI:
    """The application for one table."""
    serving = Serving(live, Hub(), Guard(token))

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        serving.loop = loop
        serving.hub.publish(live.desk.state())
        live.desk.listener = lambda state: _hand_over(loop, serving.hub.publish, state)
        live.frame_listener = lambda frame: _hand_over(loop, serving.hub.publish_frame, frame)
        ticking = asyncio.create_task(_tick(live))
        try:
            yield
        finally:
            ticking.cancel()
            serving.hub.close_all()
            live.desk.listener = live.frame_listener = lambda _: None

    app = FastAPI(
        title="table-monitor",
        version=server_name().split()[-1],
        summary="The live table: state, actions of the referee, evidence, set-up.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=running,
        telemetry=_NO_TELEMETRY,
        responses={
            status: {"model": ProblemBody}
            for status in (400, 401, 403, 404, 405, 409, 413, 422, 429, 503)
        },
    )
    app.state.serving = serving
    tell_problems(app)
    api = APIRouter(prefix=API)
    for routes in (routes_match, routes_video, routes_evidence, routes_setup, routes_overlay):
        api.include_router(routes.router)

    @api.websocket("/live")
    async def live_socket(socket: WebSocket) -> None:
        await serve_live(socket, serving.hub, serving.guard)

    app.include_router(api)
    app.include_router(routes_pages.router)
    app.include_router(routes_overlay.pages)
    app.mount("/static", StaticFiles(directory=routes_pages.STATIC), name="static")
    app.add_middleware(Door)
    return app


def _hand_over(
    loop: asyncio.AbstractEventLoop, take: Callable[[Told], None], told: dict[str, object]
) -> None:
    """Give a state or a frame to the event loop, from whatever thread it comes."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(take, told)


async def _tick(live: LiveTable) -> None:
    """Show once a second what the passing of time changes."""
    while True:
        await asyncio.sleep(_TICK_S)
        await asyncio.to_thread(live.desk.tick)
