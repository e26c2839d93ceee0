"""report.html in a real browser: it fits a phone, reads in the dark, and fetches nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from monitor.reporting.page import report_html
from tests.browser.conftest import PHONE, TABLET
from tests.monitor import scenes

# Text and background of every element that shows text itself, with the least contrast (WCAG 2.2).
LEAST_CONTRAST = """() => {
  const light = c => { const v = c.map(x => x / 255).map(
      x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const parts = text => text.match(/[\\d.]+/g).map(Number);
  const ground = e => { for (; e; e = e.parentElement) {
    const c = parts(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; }
    return [255, 255, 255]; };
  let least = 99;
  for (const e of document.querySelectorAll('main *:not(svg):not(svg *)')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own) continue;
    const a = light(parts(getComputedStyle(e).color)), b = light(ground(e));
    least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return least;
}"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of two shots that were made by hand."""
    file = tmp_path_factory.mktemp("report") / "report.html"
    picture = file.with_name("shot002_first_contact.jpg")
    cv2.imwrite(str(picture), np.full((360, 1092, 3), 90, np.uint8))
    reviewed = replace(scenes.reviewed(), evidence=[picture])
    file.write_text(report_html(reviewed), encoding="utf-8")
    return file


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_it_fits_can_be_read_and_fetches_nothing(
    browser: Browser, report: Path, size: tuple[int, int], dark: bool
) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
    )
    page = context.new_page()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.goto(report.as_uri())
    assert [url for url in fetched if not url.startswith("data:")] == [report.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.evaluate(LEAST_CONTRAST) >= 4.5
    assert _drawing_fits(page)
    # Also far below the window, where a printer needs it.
    assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
    context.close()


def _drawing_fits(page: Page) -> bool:
    boxes = [svg.bounding_box() for svg in page.locator("svg.table").all()]
    # To scale: a 9-foot bed with 12 cm of rail is 2.78 x 1.51 m.
    return all(box and abs(box["width"] / box["height"] - 2.78 / 1.51) < 0.01 for box in boxes)
