"""What the pages look like to hands and eyes: sizes, names, contrast, nothing that jumps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, TABLET, Opening
from tests.browser.serving import TableServer

LEAST_TARGET_PX: Final = 44
LEAST_CONTRAST: Final = 4.5

LEAST_SHIFT: Final = 0.001
"""A label that grows within its button shifts less; a panel that jumps by 10 px more."""
PROBES: Final = (Path(__file__).parent / "probes.js").read_text(encoding="utf-8")


def probe(page: Page, call: str) -> Any:
    """The answer of one probe."""
    return page.evaluate(f"(() => {{ const probes = {PROBES}; return probes.{call}; }})()")


def poor_contrast(page: Page) -> list[list[str]]:
    """Texts with less contrast than WCAG AA wants, and how much they have."""
    found: list[list[str]] = probe(page, f"poorContrast({LEAST_CONTRAST})")
    return found


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_console_fits_and_every_target_is_named_and_large(
    table: TableServer, open_console: Opening, size: tuple[int, int]
) -> None:
    """No sideways scrolling, targets of at least 44 px, a name for each, contrast of 4.5."""
    referee = open_console(table, size)
    page = referee.page
    referee.shot(first="1", fell=[("1", "FL")])
    referee.shot(first="3", rails=["cue"])
    assert probe(page, "wide()") is False
    for opened in (None, "#act-foul", "#act-more", "#act-shot", "#act-frozen"):
        if opened:
            page.locator(opened).click()
        targets = probe(page, "targets()")
        assert [target for target in targets if not target["name"]] == []
        small = [
            target
            for target in targets
            if min(target["width"], target["height"]) < LEAST_TARGET_PX
            and target["id"] != "pocket"  # A tap beside a pocket counts for the nearest.
        ]
        assert small == []
        assert poor_contrast(page) == []
        if opened:
            page.keyboard.press("Escape")
            expect(page.locator("dialog")).to_have_count(0)


def test_nothing_jumps_when_things_arrive(table: TableServer, open_console: Opening) -> None:
    """Rulings, prompts, options and cards come into places that were kept for them."""
    referee = open_console(table)
    page = referee.page
    probe(page, f"watchShifts({LEAST_SHIFT})")
    table.post("shots", _hand("1", [("2", "FL")], "a"))
    expect(page.locator("#push-out")).to_be_visible()
    table.post("actions", {"id": "jump-b", "type": "push_out"})
    table.post("shots", _hand("5", [], "c"))
    expect(page.locator("[data-option='hand_back']")).to_be_visible()
    table.post("shots", _hand("1", [("1", "FR")], "d"))
    expect(referee.card("9.5")).to_be_visible()
    table.post("shots", _hand(None, [], "e"))
    expect(referee.strip).to_contain_text("cue ball in hand")
    page.wait_for_timeout(200)
    assert page.evaluate("window.shifts") == []


def _hand(first: str | None, fell: list[tuple[str, str]], name: str) -> dict[str, object]:
    facts = {
        "first_contact": first,
        "rails_after_contact": [],
        "pocketed": [{"ball": ball, "pocket": pocket} for ball, pocket in fell],
    }
    return {"id": f"jump-{name}", "facts": facts}


def test_keyboard_alone(table: TableServer, open_console: Opening) -> None:
    """A call, a safety, a foul and an undo without a pointer; Escape closes; focus comes back."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    page.keyboard.press("1")
    page.keyboard.press("e")
    expect(referee.called).to_contain_text("Called: the 1, foot left")
    page.keyboard.press("y")
    expect(referee.called).to_contain_text("Safety")
    page.keyboard.press("u")
    expect(referee.called).to_contain_text("Called: the 1, foot left")
    page.locator("#act-foul").focus()
    page.keyboard.press("f")
    expect(page.locator("dialog.foul")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.id") == "act-foul"
    page.keyboard.press("?")
    expect(page.locator("dialog.keys")).to_contain_text("undo")


@pytest.mark.parametrize("path", ["/", "/setup"])
@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_other_pages_fit(
    table: TableServer, open_console: Opening, path: str, size: tuple[int, int]
) -> None:
    """The spectators' and the set-up page: no sideways scrolling, readable contrast."""
    page = open_console(table, size).page
    page.goto(f"{table.url}{path}?lang=en")
    page.wait_for_load_state("networkidle")
    assert probe(page, "wide()") is False
    assert poor_contrast(page) == []
    small = [t for t in probe(page, "targets()") if min(t["width"], t["height"]) < LEAST_TARGET_PX]
    assert small == []


def test_balls_are_drawn_large_but_never_over_each_other(
    table: TableServer, open_console: Opening
) -> None:
    """Half as large again where there is room; balls that touch are drawn touching."""
    page = open_console(table).page
    sizes = page.evaluate(
        """import("/static/js/table_view.js").then(({ readableSizes }) => readableSizes(
             { cue: [0, 0], 1: [0.05715, 0], 2: [1, 0], 3: [1.06858, 0], 4: [-1, 0] }, 0.05715))"""
    )
    assert {ball: round(size, 2) for ball, size in sizes.items()} == {
        "cue": 1.0,
        "1": 1.0,
        "2": 1.2,
        "3": 1.2,
        "4": 1.5,
    }


def test_a_ball_on_the_lip_counts_down(table: TableServer, open_console: Opening) -> None:
    """As the eyes would tell it: the strip counts, and the ruling is marked provisional."""
    referee = open_console(table)
    page = referee.page
    referee.shot(first="1", fell=[("2", "FL")])
    expect(page.locator("#ruling .chip")).to_have_count(0)
    page.evaluate(
        """() => {
             const link = window.tableLink;
             const tell = (message) => link.socket.onmessage({ data: JSON.stringify(message) });
             tell({ type: "frame", t_s: 100, balls: {}, moving: [], hidden: [] });
             const lip = { phase: "settling", on_lip: ["4"], provisional_until_s: 104.5 };
             const shot = { ...link.state.shot, ...lip };
             const rulings = link.state.rulings.map((one) => ({ ...one, provisional: true }));
             tell({ type: "delta", seq: link.seq + 1, changes: { shot, rulings } });
           }"""
    )
    expect(referee.strip).to_contain_text(re.compile(r"Ball on the lip \(4\): wait [34]\.\d"))
    expect(page.locator("#ruling .chip")).to_have_text("provisional")
    expect(referee.strip).to_contain_text(re.compile(r"wait [0-2]\.\d"))
