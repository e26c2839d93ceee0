"""The overlay of a stream: nothing but its parts, as the address asks for them."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.serving import TableServer

Contexts = Callable[..., BrowserContext]


def overlay(contexts: Contexts, table: TableServer, query: str = "") -> Page:
    """The page in a browser source of 1280 x 720."""
    page = contexts((1280, 720)).new_page()
    page.goto(f"{table.url}/overlay?{query}")
    expect(page.locator("#bar")).to_be_visible()
    return page


def shot(page: Page, path: Path) -> np.ndarray:
    """(h, w, 4) as a stream's mixer gets it."""
    page.screenshot(path=path, omit_background=True)
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_UNCHANGED))


def test_score_ball_and_the_ruling_are_shown_on_nothing(
    contexts: Contexts, table: TableServer, tmp_path: Path
) -> None:
    page = overlay(contexts, table, "hold=0")
    expect(page.locator("#score")).to_contain_text("Anna")
    expect(page.locator("#clock")).to_be_hidden()
    table.post(
        "shots", {"id": "o1", "facts": {"first_contact": "1", "rails_after_contact": list("1234")}}
    )
    expect(page.locator("#ruling")).to_contain_text("Bob")
    expect(page.locator("#score .B.acts")).to_be_visible()
    expect(page.locator("#ball svg")).to_be_visible()
    picture = shot(page, tmp_path / "overlay.png")
    # Only the parts are painted: the upper half of the picture is fully transparent.
    assert picture.shape[2] == 4 and (picture[:360, :, 3] == 0).all()
    assert (picture[360:, :, 3] > 0).mean() > 0.02
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_address_chooses_parts_size_and_place(contexts: Contexts, table: TableServer) -> None:
    page = overlay(contexts, table, "parts=score&size=200&at=top&lang=cs")
    expect(page.locator("#score")).to_be_visible()
    for part in ("ball", "clock", "ruling"):
        expect(page.locator(f"#{part}")).to_be_hidden()
    large = page.locator("#score").bounding_box()
    small = overlay(contexts, table, "parts=score").locator("#score").bounding_box()
    assert large is not None and small is not None
    assert large["y"] < 100 and small["y"] > 500
    assert 1.8 < large["height"] / small["height"] < 2.2


def test_the_clock_runs_and_goes(contexts: Contexts, table: TableServer) -> None:
    page = overlay(contexts, table)
    table.post("actions", {"id": "oc", "type": "clock_on"})
    expect(page.locator("#clock")).to_be_visible()
    first = page.locator("#clock").inner_text()
    expect(page.locator("#clock")).not_to_have_text(first)
    assert float(page.locator("#clock").inner_text()) < float(first)
    table.post("actions", {"id": "oc2", "type": "clock_off"})
    expect(page.locator("#clock")).to_be_hidden()


def test_a_lost_link_shows_nothing(contexts: Contexts, tmp_path: Path) -> None:
    """An old score is worse than none."""
    server = TableServer(tmp_path)
    try:
        page = overlay(contexts, server)
        server.kill()
        expect(page.locator("#bar")).to_be_hidden()
        server.start()
        expect(page.locator("#bar")).to_be_visible()
    finally:
        server.stop()


def test_the_same_as_an_object(table: TableServer) -> None:
    with urllib.request.urlopen(f"{table.url}/api/v1/overlay", timeout=30) as answer:
        told = json.load(answer)
    assert told["players"] == {"A": "Anna", "B": "Bob"} and told["ball_on"] == "1"
    assert told["score"] == {"A": 0, "B": 0} and told["clock"]["on"] is False
