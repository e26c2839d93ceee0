"""For streams: the overlay page, and what it shows as one small object."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from monitor.publishing.messages import state_message
from monitor.server.problems import ProblemError
from monitor.server.routes_pages import page
from monitor.server.serving import Anybody

router = APIRouter(tags=["overlay"])
pages = APIRouter(include_in_schema=False)


@router.get("/overlay")
async def overlay(serving: Anybody) -> JSONResponse:
    """Score, who is at the table, ball on, clock, last ruling: for graphics of other programs."""
    state = serving.hub.state
    if not state:
        raise ProblemError(503, "busy", "The table is starting; try again.")
    return JSONResponse(state_message(state) | {"clock": state["clock"]})


@pages.get("/overlay")
async def overlay_page() -> Response:
    """The transparent page for a browser source."""
    return page("overlay.html")
