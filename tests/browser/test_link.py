"""The link to the table: lost, found again, without gaps; and who may do what."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Opening
from tests.browser.serving import TableServer


def test_the_page_goes_on_after_the_server_was_killed(folder: Path, open_console: Opening) -> None:
    """kill -9 in the middle of a rack: the page says so, and goes on where it was."""
    server = TableServer(folder)
    try:
        referee = open_console(server)
        page = referee.page
        referee.shot(first="1", fell=[("2", "FL")])
        referee.call("1", "FR")
        server.kill()
        expect(page.locator("#strip")).to_have_class(re.compile("lost"))
        expect(referee.strip).to_contain_text("Link to the table lost")
        expect(referee.called).to_contain_text("Called: the 1, foot right")
        server.start()
        page.locator("#strip-actions button").click()
        expect(page.locator("#strip")).not_to_have_class(re.compile("lost"))
        expect(referee.called).to_contain_text("Called: the 1, foot right")
        referee.made()
        expect(referee.ruling).to_contain_text("The 1 is down as called")
        lost = [error for error in referee.errors if "WebSocket" in error or "Failed" in error]
        assert referee.errors == lost
        referee.errors.clear()
    finally:
        server.stop()


def test_a_gap_in_the_link_is_filled(table: TableServer, open_console: Opening) -> None:
    """Offline for a while: what was missed comes by its number when the link is back."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    page.evaluate("window.tableLink.cut()")
    expect(page.locator("#strip")).to_have_class(re.compile("lost"))
    for number, pocket in enumerate(("FL", "FR", "SL")):
        table.post(
            "actions", {"id": f"gap-{number}", "type": "call", "ball": "1", "pocket": pocket}
        )
    page.evaluate("window.tableLink.retry()")
    expect(referee.called).to_contain_text("left side")
    assert page.evaluate("window.tableLink.resumed") is True


def test_without_the_token_nothing_is_changed(table: TableServer, open_console: Opening) -> None:
    """A page without token watches; the first tap asks for it, a wrong one is told."""
    referee = open_console(table)
    page = referee.page
    page.evaluate("localStorage.clear()")
    page.goto(f"{table.url}/referee?lang=en")
    expect(page.locator("#link")).to_contain_text("Watching")
    referee.shot_without_token()
    expect(page.locator("dialog.token")).to_be_visible()
    page.locator("#token").fill("wrong-token")
    page.locator("#token-enter").click()
    expect(page.locator("#link")).to_contain_text("Watching")
    assert table.state()["rulings"] == []
    referee.shot_without_token()
    page.locator("#token").fill(table.token)
    page.locator("#token-enter").click()
    expect(page.locator("#link")).to_contain_text("Live")
    referee.shot(first="1", fell=[("2", "FL")])
    expect(referee.ruling).to_contain_text("Legal break")
