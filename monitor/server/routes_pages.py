"""The pages themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import APIRouter
from fastapi.responses import FileResponse, Response

from monitor.server.problems import ProblemError

STATIC: Final = Path(__file__).parent / "static"
router = APIRouter(include_in_schema=False)


def page(name: str) -> Response:
    """One of the pages; 404 when it is not installed."""
    path = STATIC / name
    if not path.is_file():
        raise ProblemError(404, "not_found", "This page is not part of this installation.")
    return FileResponse(path, media_type="text/html; charset=utf-8")


@router.get("/")
async def spectators() -> Response:
    """The spectators' page."""
    return page("index.html")


@router.get("/referee")
async def referee() -> Response:
    """The referee's console."""
    return page("referee.html")


@router.get("/setup")
async def setup() -> Response:
    """The set-up page."""
    return page("setup.html")


@router.get("/favicon.ico")
async def icon() -> Response:
    """The icon."""
    path = STATIC / "icon.svg"
    if not path.is_file():
        raise ProblemError(404, "not_found", "No icon.")
    return FileResponse(path, media_type="image/svg+xml")
