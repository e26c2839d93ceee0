"""report.html: self-contained, complete, and safe with any name."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from monitor.report import report_html
from tests.monitor import scenes


class Page(HTMLParser):
    """Gathers text, tags that fetch something, and unbalanced elements."""

    VOID = frozenset(("meta", "img", "circle", "rect", "line", "polyline", "path"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.fetches: list[str] = []
        self.open: list[str] = []
        self.unbalanced: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href") and not (value or "").startswith(("data:", "#")):
                self.fetches.append(f"{tag} {value}")
        if tag in ("script", "link", "iframe"):
            self.fetches.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        """All text with single spaces."""
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(report_html(scenes.reviewed()))


def test_the_page_fetches_nothing(page: Page) -> None:
    assert page.fetches == []
    assert "@import" not in report_html(scenes.reviewed())
    assert "url(" not in report_html(scenes.reviewed())


def test_every_element_is_closed(page: Page) -> None:
    assert page.unbalanced == []
    assert page.open == []


def test_each_shot_has_a_card_with_its_ruling_and_events(page: Page) -> None:
    for text in (
        "Shot 1: A pocketed the 1 in the called pocket & continues.",
        "Shot 2: provisional, first contact is to be confirmed.",
        "The cue ball hits the 1",
        "1.600 s ± 4 ms",
        "(64%, else the 2 35%)",
        "The 1 falls into the foot left pocket",
        "Was the 2 hit first? (look at 5.40 to 5.80 s)",
        "Foul by A (6.2): the 7 was hit first, the 2 was on.",
    ):
        assert text in page.text
    assert len(re.findall("<svg", report_html(scenes.reviewed()))) == 2


def test_the_quality_of_the_data_stands_before_the_first_shot(page: Page) -> None:
    head, _, rest = page.text.partition("Shot At Ruling")
    assert rest
    for text in ("1.3 mm rms", "LEFT 1.6", "right of the picture (rack)", "25.00 a second"):
        assert text in head
    assert "Assumed: A is at the table" in head


def test_names_are_escaped(page: Page) -> None:
    html = report_html(scenes.reviewed(Path("<b>&.mp4")))
    assert "<b>&.mp4" not in html
    assert "&lt;b&gt;&amp;.mp4" in html
    assert "Anna <A> (A) and Bořek (B)" in page.text


def test_a_cut_off_file_and_unknown_balls_are_said_in_front() -> None:
    known = scenes.reviewed()
    seen = replace(
        known.observation,
        ended_early="club.mp4 can be read up to 8.00 s.",
        events=tuple(
            replace(e, balls={**e.balls, "u1": (0.0, 0.0)}) if e.kind == "shot_started" else e  # type: ignore[attr-defined,call-arg,type-var]
            for e in known.observation.events
        ),
    )
    text = Page(report_html(replace(known, observation=seen))).text
    assert "club.mp4 can be read up to 8.00 s." in text
    assert "Balls without a name u1" in text


def test_a_video_without_shots_says_so() -> None:
    known = scenes.reviewed()
    empty = replace(known, observation=replace(known.observation, events=()), rulings=[])
    assert "No shot was seen in this video." in Page(report_html(empty)).text


def test_evidence_pictures_are_inside_the_page_at_their_shot(tmp_path: Path) -> None:
    picture = tmp_path / "shot002_first_contact.jpg"
    picture.write_bytes(b"\xff\xd8jpeg")
    html = report_html(replace(scenes.reviewed(), evidence=[picture]))
    first, second = html.split('id="shot2"')
    assert "data:image/jpeg;base64,/9hqcGVn" in second
    assert "data:image" not in first
    assert "First contact: before, at and after" in second


def test_the_page_knows_dark_and_paper() -> None:
    html = report_html(scenes.reviewed())
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html
