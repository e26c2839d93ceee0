"""From the camera to the page: rendered clips played into the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opening
from tests.browser.serving import TableServer

CLIPS: Final = Path(__file__).parents[2] / "fixtures" / "videos"
_WAIT_MS: Final = 180_000
_TOO_MANY_DROPPED: Final = 0.2

Playing = Callable[..., TableServer]


@pytest.fixture
def playing(folder: Path) -> Iterator[Playing]:
    """Plays a clip of the regression pack as a camera."""
    servers: list[TableServer] = []

    def play(clip: str, *more: str) -> TableServer:
        place = CLIPS / clip
        camera = str(place / "camera.json")
        server = TableServer(folder, str(place / "clip.mp4"), "--camera", camera, *more)
        servers.append(server)
        return server

    yield play
    for server in servers:
        server.stop()


def skip_when_frames_were_lost(server: TableServer) -> None:
    """A machine that looks at a part of the frames only sees too little to be tested here."""
    health: dict[str, Any] = server.state()["health"]
    frames, dropped = health["frames"], health["dropped"]
    if dropped > _TOO_MANY_DROPPED * max(1, frames):
        pytest.skip(f"this machine is too busy: {dropped} of {frames} frames were dropped")


@pytest.mark.parametrize("speed", [(), ("--realtime",)], ids=["every-frame", "realtime"])
def test_a_called_ball(playing: Playing, open_console: Opening, speed: tuple[str, ...]) -> None:
    """The call is tapped, the ball falls before the camera, the ruling and its clip come."""
    server = playing("pot", "--ball-set", "tv", *speed)
    referee = open_console(server)
    page = referee.page
    referee.call("2", "FR")
    video = page.locator("#video-host")
    expect(video.locator(".badge")).to_contain_text("Ended", timeout=_WAIT_MS)
    if speed:
        skip_when_frames_were_lost(server)
    expect(referee.ruling).to_contain_text("The 2 is down as called (9.8)", timeout=_WAIT_MS)
    expect(page.locator("#table-host polyline.path[data-ball='2']")).to_have_count(1)
    expect(page.locator("#table-host .mark.first")).to_have_count(1)
    contact = page.locator("[data-moment='contact']")
    expect(contact).to_be_enabled(timeout=_WAIT_MS)
    contact.click()
    expect(video.locator("video")).to_be_visible()
    page.wait_for_function("document.querySelector('#video-host video').readyState >= 2")
    expect(video.locator(".margin")).to_contain_text("first contact: 2")
