"""From the camera to the page: a rendered clip played into the server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opening
from tests.browser.console import Console
from tests.browser.serving import TableServer

CLIP: Final = Path(__file__).parents[2] / "fixtures" / "videos" / "pot"
_WAIT_MS: Final = 300_000
_TOO_MANY_DROPPED: Final = 0.2


def playing(folder: Path, *more: str) -> TableServer:
    """A table in front of whose camera the 2 is played into the foot right pocket."""
    camera = str(CLIP / "camera.json")
    clip = str(CLIP / "clip.mp4")
    return TableServer(folder, clip, "--camera", camera, "--ball-set", "tv", *more)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    """Every frame is looked at, however long that takes."""
    server = playing(tmp_path_factory.mktemp("watched"), "--paused")
    yield server
    server.stop()


def test_a_called_ball(watched: TableServer, open_console: Opening) -> None:
    """The call is tapped, the ball falls before the camera, the ruling and its clip come."""
    referee = open_console(watched)
    referee.call("2", "FR")
    watched.post("setup/play", {})
    expect_the_ruling(referee)
    page = referee.page
    video = page.locator("#video-host")
    contact = page.locator("[data-moment='contact']")
    expect(contact).to_be_enabled(timeout=_WAIT_MS)
    contact.click()
    expect(video.locator("video")).to_be_visible()
    referee.wait_until_clip_plays()
    expect(video.locator(".margin")).to_contain_text("first contact: 2")
    page.locator("[data-moment='live']").click()
    expect(video.locator(".badge")).to_contain_text("Ended", timeout=_WAIT_MS)
    page.wait_for_function("document.querySelector('#video-host img')?.naturalWidth > 100")
    page.locator("#why").click()
    expect(page.locator("dialog img.three").first).to_be_visible()
    expect(page.locator("dialog")).to_contain_text("No foot on floor")


def test_corners_are_dragged_and_used(watched: TableServer, open_console: Opening) -> None:
    """Four corners over the picture, the table found from them, and taken."""
    page = open_console(watched).page
    page.goto(f"{watched.url}/setup?lang=en")
    corner = page.locator("[data-place='TL']")
    before = corner.get_attribute("aria-valuetext")
    ring = corner.locator(".ring").bounding_box()
    assert ring is not None
    x, y = ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 8, steps=2)
    expect(page.locator(".loupe svg")).to_be_visible()
    page.mouse.up()
    assert corner.get_attribute("aria-valuetext") != before
    page.mouse.move(x + 12, y + 8)
    page.mouse.down()
    page.mouse.move(x, y, steps=2)
    page.mouse.up()
    page.locator("#from-corners").click()
    expect(page.locator("#camera .result")).to_contain_text("error", timeout=_WAIT_MS)
    expect(page.locator("polygon.outline")).to_have_attribute("points", re.compile(r"\d"))
    page.locator("#use").click()
    expect(page.locator("#camera .result")).to_contain_text("In use", timeout=_WAIT_MS)
    expect(page.locator("[data-check]").first).to_be_visible()


def test_the_same_in_real_time(folder: Path, open_console: Opening) -> None:
    """As a camera brings it: what is not looked at in time is lost."""
    server = playing(folder, "--realtime", "--paused")
    try:
        referee = open_console(server)
        referee.call("2", "FR")
        server.post("setup/play", {})
        expect(referee.page.locator("#video-host .badge")).to_contain_text(
            "Ended", timeout=_WAIT_MS
        )
        skip_when_frames_were_lost(server)
        expect_the_ruling(referee)
    finally:
        server.stop()


def expect_the_ruling(referee: Console) -> None:
    """The ruling on the called 2, and its paths on the diagram."""
    page = referee.page
    expect(referee.ruling).to_contain_text("The 2 is down as called (9.8)", timeout=_WAIT_MS)
    expect(page.locator("#table-host polyline.path[data-ball='2']")).to_have_count(1)
    expect(page.locator("#table-host .mark.first")).to_have_count(1)


def skip_when_frames_were_lost(server: TableServer) -> None:
    """A machine that looks at a part of the frames only sees too little to be tested here."""
    health: dict[str, Any] = server.state()["health"]
    frames, dropped = health["frames"], health["dropped"]
    if dropped > _TOO_MANY_DROPPED * max(1, frames):
        pytest.skip(f"this machine is too busy: {dropped} of {frames} frames were dropped")
