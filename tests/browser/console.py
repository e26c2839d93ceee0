"""The referee's console as a referee uses it: taps on what the page shows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from playwright.sync_api import ConsoleMessage, Locator, Page, Response, expect

_ANSWERS: Final = (401, 403, 409)
"""What the server answers to an action that it does not take."""


class Console:
    """One open console."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._hear)
        page.on("response", self._see)

    def _hear(self, said: ConsoleMessage) -> None:
        """Keep errors; what could not be fetched is kept with its address by `_see`."""
        if said.type == "error" and not said.text.startswith("Failed to load resource"):
            self.errors.append(said.text)

    def _see(self, response: Response) -> None:
        no_picture = response.url.endswith(("/video.mjpg", "/frame.jpg"))
        if response.status >= 400 and response.status not in _ANSWERS and not no_picture:
            self.errors.append(f"{response.status} {response.url}")

    def open(self, url: str, token: str, language: str = "en") -> None:
        """Open the page as the address that `watch` prints."""
        self.page.goto(f"{url}/referee?lang={language}#token={token}")
        expect(self.page.locator("#player-A .name")).not_to_be_empty()

    @property
    def strip(self) -> Locator:
        """What is to be known or done now."""
        return self.page.locator("#strip-words")

    @property
    def ruling(self) -> Locator:
        """The newest ruling's sentence."""
        return self.page.locator("#ruling-words")

    @property
    def called(self) -> Locator:
        """What is announced for the coming stroke."""
        return self.page.locator("#call-state")

    def card(self, article: str) -> Locator:
        """The card about an article."""
        return self.page.locator("#cards .card").filter(
            has=self.page.locator(".article", has_text=article)
        )

    def call(self, ball: str, pocket: str) -> None:
        """Tap a ball and a pocket of the diagram."""
        self.page.locator(f"#tray [data-ball='{ball}']").click()
        self.page.locator(f"#table-host [data-pocket='{pocket}']").click()
        expect(self.called.locator(".called")).to_be_visible()

    def made(self) -> None:
        """Enter the stroke: made as called."""
        self.page.locator("#act-shot").click()
        self.page.locator("#made").click()
        expect(self.page.locator("dialog")).to_have_count(0)

    def shot(
        self,
        first: str | None = None,
        rails: Sequence[str] = (),
        fell: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Enter a stroke by hand; `first` None leaves the ball on, "none": no ball was hit."""
        self.page.locator("#act-shot").click()
        groups = self.page.locator("dialog .sheet-body")
        if first is not None:
            self._group(groups, "First ball hit").locator(f"[data-value='{first}']").click()
        for ball in rails:
            self._group(groups, "Reached a rail").first.locator(f"[data-value='{ball}']").click()
        for ball, pocket in fell:
            self._group(groups, "Pocketed").locator(f"[data-value='{ball}']").click()
            groups.locator(f"[data-fell='{ball}'] [data-value='{pocket}']").click()
        self.page.locator("#shot-send").click()
        expect(self.page.locator("dialog")).to_have_count(0)

    def wait_until_clip_plays(self, seconds: float = 0.0, within_s: float = 60.0) -> None:
        """Wait until the clip in the video's place has played for some seconds of its own."""
        played = "document.querySelector('#video-host video')?.currentTime ?? -1"
        give_up = time.monotonic() + within_s
        while not self.page.evaluate(played) > seconds:
            assert time.monotonic() < give_up, "the clip does not play"
            self.page.wait_for_timeout(100)

    def shot_without_token(self) -> None:
        """Try to enter a stroke; the page asks for the token instead."""
        self.page.locator("#act-shot").click()
        self.page.locator("#shot-send").click()
        expect(self.page.locator("dialog.token")).to_be_visible()

    def _group(self, place: Locator, legend: str) -> Locator:
        return place.locator("fieldset", has=self.page.locator("legend", has_text=legend)).first

    def foul(self, rule: str, by: str, meant: bool = False) -> None:
        """Call a foul."""
        self.page.locator("#act-foul").click()
        sheet = self.page.locator("dialog .sheet-body")
        sheet.locator(f"[data-value='{rule}']").click()
        sheet.locator(f"[data-value='{by}']").click()
        if meant:
            sheet.locator("[data-value='meant']").click()
            self.page.locator("#foul-send").click()
            expect(self.page.locator("#foul-send")).to_contain_text("Tap again")
        self.page.locator("#foul-send").click()
        expect(self.page.locator("dialog")).to_have_count(0)
