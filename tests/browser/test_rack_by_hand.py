"""A whole rack at the console, the camera off: every call and fact is a tap."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opening
from tests.browser.serving import TableServer


def test_a_rack_from_break_to_ten(table: TableServer, open_console: Opening) -> None:
    """Break, push out, choice, foul, ball in hand, warning, safety, run-out, next rack."""
    referee = open_console(table)
    page = referee.page
    expect(referee.strip).to_contain_text("Anna breaks")

    referee.shot(first="1", fell=[("2", "FL")])
    expect(referee.ruling).to_contain_text("Legal break")
    expect(referee.strip).to_contain_text("Anna plays")

    page.locator("#push-out").click()
    expect(referee.called).to_contain_text("Push out")
    referee.shot(first="5")
    expect(referee.ruling).to_contain_text("Push out without a foul (9.4)")
    expect(page.locator("#push-out")).to_have_count(0)

    expect(referee.strip).to_contain_text("Bob")
    page.locator("[data-option='accept']").click()
    expect(referee.strip).to_contain_text("Bob plays")

    referee.shot(first="3", rails=["cue"])
    expect(referee.ruling).to_contain_text("6.2")
    expect(referee.strip).to_contain_text("Anna: cue ball in hand")
    expect(page.locator("#player-B .pips")).to_have_attribute("data-fouls", "1")

    page.locator("#act-safety").click()
    expect(referee.called).to_contain_text("Safety")
    referee.shot(first="1", rails=["1"])
    expect(referee.ruling).to_contain_text("Safety (9.6)")

    referee.shot(first="none")
    expect(page.locator("#player-B .pips")).to_have_attribute("data-fouls", "2")

    for ball in ("1", "3", "4", "5", "6", "7", "8", "9"):
        referee.call(ball, "FR")
        referee.made()
        expect(referee.ruling).to_contain_text(f"The {ball} is down as called")
    expect(referee.strip).to_contain_text("Anna plays")
    referee.call("10", "SL")
    referee.made()
    expect(referee.strip).to_contain_text("Anna wins the rack")
    expect(page.locator("#score .figures")).to_have_text("1 : 0")
    page.locator("#next-rack").click()
    expect(referee.strip).to_contain_text("Bob breaks")


def test_third_foul_loses_the_rack_only_after_the_tap(
    table: TableServer, open_console: Opening
) -> None:
    """The warning is asked for; a third foul waits for the referee, who may say no or yes."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", rails=["1", "2", "3", "4"])
    expect(referee.strip).to_contain_text("Bob plays")
    for fouls in (1, 2):
        referee.shot(first="none")
        expect(page.locator("#player-B .pips")).to_have_attribute("data-fouls", str(fouls))
        referee.shot(first="1", rails=["cue"])
        expect(referee.ruling).to_contain_text(re.compile("No foul, nothing down"))
    expect(page.locator("#strip")).to_have_class(re.compile("warn"))
    page.locator("#warned").click()
    expect(page.locator("#strip")).not_to_have_class(re.compile("warn"))
    expect(page.locator("#player-B .notes")).to_contain_text("warned")

    referee.shot(first="none")
    lost = page.locator("#strip-actions button").first
    expect(lost).to_contain_text("lost")
    assert table.state()["rack"]["over"] is False
    lost.click()
    assert table.state()["rack"]["over"] is False, "the first tap only asks"
    lost.click()
    expect(referee.strip).to_contain_text("Anna wins the rack")
    expect(page.locator("#score .figures")).to_have_text("1 : 0")


def test_a_loss_may_be_dismissed(table: TableServer, open_console: Opening) -> None:
    """The referee says no: the rack goes on, the third foul counts as one as any other."""
    referee = open_console(table)
    page = referee.page
    table.post(
        "actions",
        {
            "id": "loss-state",
            "type": "set_state",
            "phase": "normal",
            "balls_on_table": ["7", "8", "10"],
            "at_table": "A",
            "cue_ball_in_hand": None,
            "fouls": {"A": 2, "B": 0},
        },
    )
    page.locator("#warned").click()
    referee.shot(first="none")
    expect(page.locator("#strip-actions button").first).to_contain_text("lost")
    page.locator("#strip-actions button").nth(1).click()
    expect(referee.strip).to_contain_text("Bob: cue ball in hand")
    assert table.state()["rack"]["over"] is False


def test_time_that_ran_out_is_confirmed(table: TableServer, open_console: Opening) -> None:
    """Clock for both, one extension, and the foul only when the referee confirms it."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    page.locator("#clock .time").click()
    page.locator("[data-act='speed_up_request-A']").click()
    expect(page.locator("#toasts")).to_contain_text("On record")
    table.post("actions", {"id": "clock-on", "type": "clock_on", "limit_s": 2, "extension_s": 1})
    expect(page.locator("#clock .time")).to_have_text(re.compile(r"^\d"))
    page.locator("#extend").click()
    expect(page.locator("#extend")).to_be_disabled()
    expect(page.locator("#player-A .notes")).to_contain_text("extension used")
    referee.card("6.15").locator("[data-answer='confirm']").click()
    expect(referee.ruling).to_contain_text("6.15")
    expect(referee.strip).to_contain_text("Bob: cue ball in hand")
