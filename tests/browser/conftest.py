"""A real Chromium, and a table without a camera to point it at."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests.browser.console import Console
from tests.browser.serving import TableServer

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
TABLET: Final = (1024, 768)
PHONE: Final = (390, 844)
_PATIENCE_MS: Final = 20_000

Opening = Callable[..., Console]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests, with a fresh profile."""
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine: the pages are not tried")
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def shared_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    """A table without a camera; the facts are entered by hand."""
    server = TableServer(tmp_path_factory.mktemp("table"))
    yield server
    server.stop()


@pytest.fixture
def table(shared_table: TableServer) -> TableServer:
    """The table with a new match, Anna to break."""
    shared_table.new_match()
    return shared_table


@pytest.fixture
def contexts(browser: Browser) -> Iterator[Callable[[tuple[int, int]], BrowserContext]]:
    """Makes separate devices, closed after the test."""
    made: list[BrowserContext] = []

    def make(size: tuple[int, int] = TABLET) -> BrowserContext:
        width, height = size
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, locale="en-GB"
        )
        context.set_default_timeout(_PATIENCE_MS)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()


@pytest.fixture
def open_console(contexts: Callable[[tuple[int, int]], BrowserContext]) -> Iterator[Opening]:
    """Opens a referee's console on a device of its own; none may have logged an error."""
    opened: list[Console] = []

    def open_one(
        server: TableServer, size: tuple[int, int] = TABLET, language: str = "en"
    ) -> Console:
        console = Console(contexts(size).new_page())
        console.open(server.url, server.token, language)
        opened.append(console)
        return console

    yield open_one
    for console in opened:
        assert console.errors == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a server of one's own."""
    return tmp_path / "table"
