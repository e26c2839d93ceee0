"""What a referee calls by hand: frozen balls, fouls meant or not, conduct, options, the clock."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opening
from tests.browser.serving import TableServer
from tests.browser.test_more import more, sheet


def test_frozen_balls_are_declared(table: TableServer, open_console: Opening) -> None:
    """Two balls, and a ball at a cushion; by whom; shown until the stroke."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    page.locator("#act-frozen").click()
    send = page.locator("#frozen-send")
    expect(send).to_be_disabled()
    groups = page.locator("dialog.frozen fieldset")
    groups.nth(1).locator("[data-value='3']").click()
    groups.nth(3).locator("[data-value='opponent']").click()
    send.click()
    expect(referee.called).to_contain_text("frozen: cue ball – the 3")
    page.locator("#act-frozen").click()
    groups.nth(0).locator("[data-value='3']").click()
    groups.nth(2).locator("[data-value='FOOT']").click()
    send.click()
    expect(referee.called.locator(".chip")).to_have_count(2)
    assert table.state()["next_shot"]["frozen"] == [
        {"a": "cue", "b": "3", "by": "opponent"},
        {"a": "3", "b": "FOOT", "by": "referee"},
    ]
    referee.shot(first="1", rails=["1"])
    expect(referee.called.locator(".chip")).to_have_count(0)


def test_a_foul_that_was_meant_takes_two_taps(table: TableServer, open_console: Opening) -> None:
    """An accident costs the ball in hand; on purpose it is 6.17 and costs the rack."""
    referee = open_console(table)
    referee.shot(first="1", fell=[("2", "FL")])
    referee.foul("6.4", "B")
    expect(referee.ruling).to_contain_text("Foul on Bob, 6.4")
    referee.page.locator("#act-undo").click()
    expect(referee.strip).to_contain_text("Anna plays")
    referee.foul("6.6", "A", meant=True)
    expect(referee.strip).to_contain_text("Bob wins the rack")
    expect(referee.ruling).to_contain_text("6.17")


def test_conduct_from_a_warning_to_the_end(table: TableServer, open_console: Opening) -> None:
    """A warning is one tap and changes nothing; what ends the match takes two."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    send = page.locator("#unsporting-send")
    for penalty in ("warning", "loss_of_match"):
        more(referee, "Unsporting conduct")
        expect(send).to_be_disabled()
        sheet(referee).locator("[data-value='B']").click()
        sheet(referee).locator("[data-value='c']").click()
        sheet(referee).locator(f"[data-value='{penalty}']").click()
        send.click()
        if penalty == "warning":
            expect(sheet(referee)).to_have_count(0)
            expect(referee.strip).to_contain_text("Anna plays")
    expect(send).to_contain_text("Tap again")
    assert table.state()["rack"]["match_over"] is False
    send.click()
    expect(referee.strip).to_contain_text("Anna wins the match")
    expect(page.locator("#new-match")).to_be_visible()


def test_the_decider_hands_back(table: TableServer, open_console: Opening) -> None:
    """The strip names who decides and why; the table goes back, with no right to push out."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    page.locator("#push-out").click()
    referee.shot(first="5")
    expect(referee.strip).to_contain_text("Bob decides")
    expect(referee.strip).to_contain_text("9.4 Second shot of the rack: push out")
    page.locator("[data-option='hand_back']").click()
    expect(referee.strip).to_contain_text("Anna plays")
    expect(page.locator("#push-out")).to_have_count(0)


def test_stalemate_by_agreement_and_words_for_the_record(
    table: TableServer, open_console: Opening
) -> None:
    """Time-out, protest and a late claim are on record; both players agree: the rack again."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    for word in ("Time-out", "Protest"):
        more(referee, word)
        expect(page.locator("#toasts")).to_contain_text("On record")
        expect(page.locator("#act-undo")).to_contain_text(re.compile(word, re.IGNORECASE))
    more(referee, "Anna agrees")
    expect(sheet(referee)).to_have_count(0)
    page.locator("#act-more").click()
    expect(sheet(referee).get_by_role("button", name="Anna agrees")).to_be_disabled()
    sheet(referee).get_by_role("button", name="Bob agrees").click()
    expect(referee.ruling).to_contain_text("Re-rack")
    expect(referee.strip).to_contain_text("Anna breaks")
    page.locator("#act-undo").click()
    expect(referee.strip).to_contain_text("Anna plays")


def test_the_clock_is_paused_and_goes_on(table: TableServer, open_console: Opening) -> None:
    """By its buttons and its keys; a time-out stops it, and one extension is all."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    page.locator("#clock .time").click()
    page.locator("#clock-on").click()
    expect(page.locator("#clock .time")).to_have_text(re.compile(r"^3\d$"))
    page.locator("#clock button", has_text="❚❚").click()
    expect(page.locator("#clock button", has_text="▶")).to_be_visible()
    assert table.state()["clock"]["paused"] is True
    page.keyboard.press("t")
    expect(page.locator("#clock button", has_text="❚❚")).to_be_visible()
    page.keyboard.press("x")
    expect(page.locator("#extend")).to_be_disabled()
    expect(page.locator("#clock .time")).to_have_text(re.compile(r"^5\d$"))
    more(referee, "Time-out")
    expect(page.locator("#clock button", has_text="▶")).to_be_visible()
