"""Makes the pictures of docs/console.md: `python -m tests.browser.screenshots docs/images`.

With `--png` they are kept without loss, to be looked at closely. Chromium is needed, and a
machine with time: the clips are looked at frame by frame.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE, TABLET
from tests.browser.console import Console
from tests.browser.serving import TableServer

CLIPS: Final = Path(__file__).parents[2] / "fixtures" / "videos"
MOST_BYTES: Final = 200_000
_WAIT_MS: Final = 180_000
_RISEN_MS: Final = 400
"""A sheet has risen."""


def main(folder: Path) -> None:
    """Make all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=_WAIT_MS)
    assert CHROMIUM is not None, "no chromium on this machine"
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as data:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        with serving(Path(data) / "hand", "none") as server:
            by_hand(browser, server, folder)
        with serving(Path(data) / "pot", *clip("pot", "tv")) as server:
            with_camera(browser, server, folder)
        with serving(Path(data) / "asked", *clip("pot_uncalled", "standard")) as server:
            asked(browser, server, folder)
        browser.close()


def clip(name: str, ball_set: str) -> tuple[str, ...]:
    """A clip of the regression pack as a camera."""
    place = CLIPS / name
    return str(place / "clip.mp4"), "--camera", str(place / "camera.json"), "--ball-set", ball_set


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[TableServer]:
    """A server for as long as it is needed."""
    server = TableServer(folder, *arguments)
    try:
        yield server
    finally:
        server.stop()


def by_hand(browser: Browser, server: TableServer, folder: Path) -> None:
    """The console without a camera: a push out to decide on, a stroke being entered, Czech."""
    referee = console(browser, server, TABLET)
    referee.shot(first="1", fell=[("2", "FL")])
    referee.call("1", "FR")
    for button, name in (("#act-shot", "by-hand"), ("#act-foul", "foul"), ("#act-more", "more")):
        referee.page.locator(button).click()
        referee.page.wait_for_timeout(_RISEN_MS)
        keep(referee.page, folder / f"console-{name}.jpg")
        referee.page.keyboard.press("Escape")
    referee.page.locator("#call-clear").click()
    referee.page.locator("#push-out").click()
    referee.shot(first="5")
    czech = console(browser, server, PHONE, "cs")
    expect(czech.strip).to_contain_text("Rozhoduje Bob")
    keep(czech.page, folder / "console-phone-cs.jpg")
    warn = {"type": "set_state", "phase": "normal", "at_table": "A", "fouls": {"A": 2, "B": 0}}
    server.post("actions", {"id": "picture-warn", **warn})
    expect(referee.strip).to_contain_text("Warn Anna")
    keep(referee.page, folder / "console-warning.jpg")


def with_camera(browser: Browser, server: TableServer, folder: Path) -> None:
    """All pages after a called ball was made in front of the camera."""
    referee = console(browser, server, TABLET)
    referee.call("2", "FR")
    expect(referee.ruling).to_contain_text("down", timeout=_WAIT_MS)
    contact = referee.page.locator("[data-moment='contact']")
    expect(contact).to_be_enabled(timeout=_WAIT_MS)
    contact.click()
    referee.wait_until_clip_plays(0.9)
    keep(referee.page, folder / "console-tablet.jpg")
    referee.page.locator("#why").click()
    expect(referee.page.locator("dialog img.three").first).to_be_visible()
    referee.page.wait_for_timeout(_RISEN_MS)
    keep(referee.page, folder / "console-why.jpg")
    referee.page.keyboard.press("Escape")
    phone = console(browser, server, PHONE)
    expect(phone.ruling).to_contain_text("down")
    keep(phone.page, folder / "console-phone.jpg")
    for path, name in (("/", "spectators"), ("/setup", "setup")):
        for size, device in ((TABLET, "tablet"), (PHONE, "phone")):
            page = device_page(browser, size)
            page.goto(f"{server.url}{path}?lang=en")
            page.wait_for_timeout(2500)
            keep(page, folder / f"{name}-{device}.jpg")
            page.context.close()


def asked(browser: Browser, server: TableServer, folder: Path) -> None:
    """A question with its clip."""
    referee = console(browser, server, TABLET)
    card = referee.card("9.5")
    expect(card).to_be_visible(timeout=_WAIT_MS)
    show = card.locator(".clip button")
    if show.count():
        show.click()
        referee.wait_until_clip_plays(0.9)
    keep(referee.page, folder / "console-question.jpg")
    phone = console(browser, server, PHONE)
    phone.page.locator("#waiting").click()
    expect(phone.card("9.5")).to_be_visible()
    phone.page.wait_for_timeout(_RISEN_MS)
    keep(phone.page, folder / "console-question-phone.jpg")


def console(
    browser: Browser, server: TableServer, size: tuple[int, int], language: str = "en"
) -> Console:
    """An open console on a device of its own."""
    referee = Console(device_page(browser, size))
    referee.open(server.url, server.token, language)
    return referee


def device_page(browser: Browser, size: tuple[int, int]) -> Page:
    """A page on a device of `size`."""
    width, height = size
    scale = 2 if width < 500 else 1
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, has_touch=True
    )
    return context.new_page()


def keep(page: Page, path: Path) -> None:
    """Write what is on the screen as a JPEG of less than 200 kB."""
    if "--png" in sys.argv:
        page.screenshot(path=path.with_suffix(".png"))
        return
    shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    for quality in (88, 80, 70, 60):
        out = io.BytesIO()
        shown.save(out, "JPEG", quality=quality, optimize=True)
        if out.tell() < MOST_BYTES:
            break
    path.write_bytes(out.getvalue())
    print(f"{path}: {out.tell() // 1000} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
