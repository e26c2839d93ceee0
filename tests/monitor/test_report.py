"""report.html: self-contained, complete, and safe with any name."""

import base64
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import cv2
import numpy as np
import pytest

from monitor.reporting.page import report_html
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
    assert len(re.findall("<svg", report_html(scenes.reviewed()))) == 4


def test_the_quality_of_the_data_stands_before_the_first_shot(page: Page) -> None:
    head, _, rest = page.text.partition("Score sheet")
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


def test_what_is_open_is_asked_in_front_with_the_lines_that_answer_it() -> None:
    rows = scenes.rulings()[:2]
    text = Page(report_html(replace(scenes.reviewed(), rulings=rows))).text
    head, _, _ = text.partition("Score sheet")
    assert "To be decided: 1" in head
    assert '{"v": 1, "shot": 2, "type": "confirm", "rule": "6.2"}' in head
    assert '{"v": 1, "shot": 2, "type": "dismiss", "rule": "6.2"}' in head


def test_a_question_that_was_answered_is_asked_no_more(page: Page) -> None:
    assert "To be decided" not in page.text


def test_the_score_sheet_and_the_players_figures_are_on_the_page(page: Page) -> None:
    for text in (
        "Rack 1: its end is not in the video",
        "Pots, of attempts 1 of 2 (50%)",
        "Shots with a foul 1 (6.2)",
        "Runs (balls a visit) 1",
        "Anna <A>: balls down without a foul, by pocket (1)",
        "Anna <A>: where the cue ball came to rest (2 shots)",
    ):
        assert text in page.text


def test_pictures_are_made_small_enough_for_a_match(tmp_path: Path) -> None:
    picture = tmp_path / "shot002_first_contact.jpg"
    noise = np.random.default_rng(1).integers(0, 255, (360, 1092, 3), dtype=np.uint8)
    cv2.imwrite(str(picture), noise)
    html = report_html(replace(scenes.reviewed(), evidence=[picture]))
    coded = re.search('data:image/jpeg;base64,([^"]+)', html)
    assert coded is not None
    shown = cv2.imdecode(np.frombuffer(base64.b64decode(coded[1]), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape[1] == 800
