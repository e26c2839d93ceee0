"""What is seldom needed: the sheet behind "More"."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Opening
from tests.browser.console import Console
from tests.browser.serving import TableServer


def more(referee: Console, text: str) -> None:
    """Open the sheet and tap one of its buttons."""
    referee.page.locator("#act-more").click()
    referee.page.locator("dialog.more").get_by_role("button", name=text, exact=True).click()


def sheet(referee: Console) -> Locator:
    """What is open over the page."""
    return referee.page.locator("dialog.sheet")


def test_rack_set_by_hand_stalemate_and_replay(table: TableServer, open_console: Opening) -> None:
    """The rack as the referee says it is; then no progress; then the shot again."""
    referee = open_console(table)
    more(referee, "Set the rack by hand")
    for ball in ("1", "2", "3"):
        sheet(referee).locator(f"fieldset >> nth=0 >> [data-value='{ball}']").click()
    sheet(referee).locator("[data-value='B']").click()
    sheet(referee).locator("[data-value='normal']").click()
    sheet(referee).locator("[data-value='anywhere']").click()
    sheet(referee).get_by_role("button", name="Enter", exact=True).click()
    expect(referee.strip).to_contain_text("Bob: cue ball in hand")
    expect(referee.strip).to_contain_text("ball on: 4")

    more(referee, "Announce: three turns each")
    expect(referee.strip).to_contain_text("3 turns left")

    referee.shot(first="4", rails=["cue"])
    replay = referee.page.locator("dialog.more .danger").first
    referee.page.locator("#act-more").click()
    replay.click()
    expect(replay).to_contain_text("Tap again")
    replay.click()
    expect(referee.ruling).to_contain_text("annulled")
    referee.page.locator("#cards [data-answer='restored']").click()
    expect(referee.page.locator("#cards [data-card='restore']")).to_have_count(0)


def test_ten_is_spotted(table: TableServer, open_console: Opening) -> None:
    """The card says where; a tap says that it stands there."""
    referee = open_console(table)
    referee.shot(first="1", fell=[("10", "FL")])
    card = referee.page.locator("#cards [data-card='spotting']")
    expect(card).to_contain_text("on the foot spot")
    card.locator("[data-answer='spotted']").click()
    expect(card).to_have_count(0)


def test_notes_journal_concession_and_a_new_match(
    table: TableServer, open_console: Opening
) -> None:
    """Words go on record, a concession takes two taps, a new match begins with its names."""
    referee = open_console(table)
    page = referee.page
    more(referee, "Note")
    page.locator("dialog textarea").fill("Chalk on the cloth")
    sheet(referee).get_by_role("button", name="Enter", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("On record")
    more(referee, "Journal")
    expect(page.locator("ol.records li")).not_to_have_count(0)
    expect(sheet(referee)).to_contain_text("note: Chalk on the cloth")
    page.keyboard.press("Escape")

    more(referee, "Concede")
    sheet(referee).locator("[data-value='B']").click()
    send = page.locator("#concede-send")
    send.click()
    expect(send).to_contain_text("Tap again")
    send.click()
    expect(referee.strip).to_contain_text("Anna wins the rack")

    more(referee, "New match")
    page.locator("#name-A").fill("Cyril")
    page.locator("#name-B").fill("Dana")
    page.locator("#race").fill("3")
    page.locator("#match-begin").click()
    page.locator("#match-begin").click()
    expect(referee.strip).to_contain_text("Cyril breaks")
    expect(page.locator("#score .race")).to_have_text("race to 3")
