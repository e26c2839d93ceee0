"""The set-up page: a set of balls is learned from a row of them, looked at, and taken."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opening
from tests.browser.serving import TableServer
from tests.vision.painted_tables import Place, camera_picture, straight_above, table_view

NAMES: Final = ("cue", *(str(n) for n in range(1, 11)))
_WAIT_MS: Final = 120_000
_FRAMES: Final = 12


def film_of(folder: Path, names: tuple[str, ...]) -> TableServer:
    """A table with balls in a row before its camera."""
    top = straight_above()
    row: list[Place] = [(name, -0.4 + 0.08 * i, 0.1) for i, name in enumerate(names)]
    picture = camera_picture(top, table_view(top, row))
    folder.mkdir(parents=True, exist_ok=True)
    top.camera.save(folder / "row.json")
    with av.open(str(folder / "row.mp4"), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"crf": "12"})
        stream.height, stream.width = picture.shape[:2]
        stream.pix_fmt = "yuv444p"
        for index in range(_FRAMES):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = index, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    arguments = (str(folder / "row.mp4"), "--camera", str(folder / "row.json"))
    return TableServer(folder / "data", *arguments)


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    """The cue ball and 1 to 10 in a row."""
    server = film_of(tmp_path_factory.mktemp("row"), NAMES)
    yield server
    server.stop()


def setup_page(server: TableServer, open_console: Opening) -> Page:
    """The set-up page of a referee, once the camera gives a picture."""
    page = open_console(server).page
    page.goto(f"{server.url}/setup?lang=en")
    while page.locator("#enroll").is_disabled():
        page.wait_for_timeout(200)
        page.locator("#check-again").click()
    return page


def learn(page: Page, name: str) -> None:
    """Type a name and learn the balls."""
    page.locator("#set-name").fill(name)
    page.locator("#enroll").click()


def test_a_set_is_learned_looked_at_and_taken(row: TableServer, open_console: Opening) -> None:
    """Its picture is shown, it is in use, it can be left and taken again."""
    page = setup_page(row, open_console)
    result = page.locator("#balls .result")
    learn(page, "club-1")
    expect(result).to_contain_text("Learned 11 balls", timeout=_WAIT_MS)
    shown = page.locator("#balls .enrolled img")
    expect(shown).to_be_visible()
    page.wait_for_function("document.querySelector('#balls .enrolled img').naturalWidth > 100")
    expect(page.locator("[data-check='balls']")).to_contain_text("club-1")
    expect(page.locator("#balls [data-value='club-1']")).to_have_attribute("aria-pressed", "true")
    page.locator("#balls [data-value='tv']").click()
    expect(page.locator("[data-check='balls']")).to_contain_text("Ball set: tv")
    page.locator("#balls [data-value='club-1']").click()
    expect(page.locator("[data-check='balls']")).to_contain_text("Ball set: club-1")
    assert (row.folder / "ballsets" / "club-1.json").is_file()


def test_a_name_that_cannot_be_is_said_at_once(row: TableServer, open_console: Opening) -> None:
    """Letters, digits, - and _; the built-in sets stay what they are."""
    page = setup_page(row, open_console)
    learn(page, "my balls/..")
    expect(page.locator("#toasts")).to_contain_text("letters without accents")
    learn(page, "tv")
    expect(page.locator("#balls .result")).to_contain_text("built-in set", timeout=_WAIT_MS)


def test_what_arrives_under_a_finger_waits_for_it(row: TableServer, open_console: Opening) -> None:
    """A button that is pressed while the page draws itself anew is pressed all the same."""
    page = setup_page(row, open_console)
    page.wait_for_load_state("networkidle")
    page.locator("#set-name").fill("my balls/..")
    page.locator("#enroll").hover()
    page.mouse.down()
    with page.expect_response("**/api/v1/setup"):
        page.evaluate("document.querySelector('#check-again').click()")
    page.wait_for_timeout(100)
    page.mouse.up()
    expect(page.locator("#toasts")).to_contain_text("letters without accents")


def test_too_few_balls_are_said_in_one_sentence(folder: Path, open_console: Opening) -> None:
    """What is missing, and nothing is kept."""
    server = film_of(folder, NAMES[:4])
    try:
        page = setup_page(server, open_console)
        learn(page, "few")
        expect(page.locator("#balls .result")).to_contain_text("Only 4 balls", timeout=_WAIT_MS)
        assert not (server.folder / "ballsets" / "few.json").exists()
        page.locator("#language").click()
        learn(page, "few")
        expect(page.locator("#balls .result")).to_contain_text("do jedné řady", timeout=_WAIT_MS)
        expect(page.locator("#balls [data-value='few']")).to_have_count(0)
    finally:
        server.stop()
