"""Undo, correction of a fact, answers to questions, and several people at one table."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opening
from tests.browser.serving import TableServer


def test_undo_of_a_call_and_of_a_stroke(table: TableServer, open_console: Opening) -> None:
    """The button says what it takes back; the rack follows."""
    referee = open_console(table)
    undo = referee.page.locator("#act-undo")
    expect(undo).to_be_disabled()
    referee.shot(first="1", fell=[("2", "FL")])
    referee.call("1", "FR")
    expect(undo).to_contain_text("call: 1, foot right")
    undo.click()
    expect(referee.called.locator(".called")).to_have_count(0)
    expect(undo).to_contain_text("shot")
    undo.click()
    expect(referee.strip).to_contain_text("Anna breaks")
    assert table.state()["rack"]["balls"] == [str(n) for n in range(1, 11)]


def test_correction_of_a_fact_changes_the_ruling(table: TableServer, open_console: Opening) -> None:
    """ "The 1 was first": not the verdict is changed but the fact, and the verdict follows."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    referee.shot(first="3", rails=["cue"])
    expect(referee.ruling).to_contain_text("Foul on Anna, 6.2")
    page.locator("#correct").click()
    page.locator("[data-fact='first_contact'] [data-value='1']").click()
    page.locator("[data-change='first_contact']").click()
    expect(referee.ruling).to_contain_text("No foul, nothing down")
    expect(page.locator("#player-A .pips")).to_have_attribute("data-fouls", "0")
    expect(referee.strip).to_contain_text("Bob plays")


def test_a_closed_shot_is_changed_only_when_the_referee_insists(
    table: TableServer, open_console: Opening
) -> None:
    """After the next stroke a shot is locked; the console asks once more."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    referee.shot(first="3", rails=["cue"])
    referee.shot(first="1", rails=["1"])
    page.locator("#journal li button", has_text="6.2").click()
    expect(page.locator("dialog h2")).to_contain_text("shot 2")
    page.locator("#why-correct").click()
    page.locator("[data-fact='first_contact'] [data-value='1']").click()
    page.locator("[data-change='first_contact']").click()
    page.locator("#ask-yes").click()
    expect(page.locator("#player-A .pips")).to_have_attribute("data-fouls", "0")
    assert [ruling["fouls"] for ruling in table.state()["rulings"]][:2] == [[], []]


def test_question_whether_a_shot_was_obvious(table: TableServer, open_console: Opening) -> None:
    """No call, one ball down: nobody decides but the referee, with one tap."""
    referee = open_console(table)
    referee.shot(first="1", fell=[("2", "FL")])
    referee.shot(first="1", fell=[("1", "FR")])
    card = referee.card("9.5")
    expect(card).to_be_visible()
    card.locator("[data-answer='obvious-1']").click()
    expect(card).to_have_count(0)
    expect(referee.strip).to_contain_text("Anna plays")
    referee.shot(first="3", fell=[("3", "FR")])
    referee.card("9.5").locator("[data-answer='dismiss']").click()
    expect(referee.strip).to_contain_text("Bob")
    expect(referee.page.locator("[data-option='hand_back']")).to_be_visible()


def test_called_foul_confirmed_and_dismissed(table: TableServer, open_console: Opening) -> None:
    """A person calls a touched ball against the player; then it is taken back."""
    referee = open_console(table)
    referee.shot(first="1", fell=[("2", "FL")])
    referee.foul("6.6", "A")
    expect(referee.ruling).to_contain_text("6.6")
    expect(referee.strip).to_contain_text("Bob: cue ball in hand")
    referee.page.locator("#act-undo").click()
    expect(referee.strip).to_contain_text("Anna plays")


def test_two_referees_see_each_other(table: TableServer, open_console: Opening) -> None:
    """What one taps, the other sees; and a spectator too, who can do nothing."""
    first, second = open_console(table), open_console(table, language="cs")
    first.shot(first="1", fell=[("2", "FL")])
    expect(second.strip).to_contain_text("Hraje Anna")
    second.call("1", "FL")
    expect(first.called).to_contain_text("Called: the 1, foot left")
    watcher = first.page.context.browser.new_page()  # type: ignore[union-attr]
    watcher.goto(table.url + "/?lang=en")
    expect(watcher.locator("#now")).to_contain_text("1 → foot left")
    first.page.locator("#call-clear").click()
    expect(second.called.locator(".called")).to_have_count(0)
    expect(watcher.locator("#now")).to_have_text("Anna plays")
    assert watcher.locator("#now ~ button").count() == 0
    watcher.close()


def test_czech(table: TableServer, open_console: Opening) -> None:
    """The language changes where one is, and everything said by the rules with it."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    page.locator("#language").click()
    expect(referee.strip).to_contain_text("Hraje Anna")
    expect(referee.ruling).to_contain_text("Platný rozstřel")
    expect(page.locator("html")).to_have_attribute("lang", "cs")
    expect(page.locator("#act-foul")).to_contain_text("Faul")
    page.locator("#act-foul").click()
    expect(page.locator("dialog")).to_contain_text("Dotyk koule")
    page.keyboard.press("Escape")
    page.reload()
    page.goto(f"{table.url}/referee")
    expect(referee.strip).to_contain_text(re.compile("Hraje Anna"))
