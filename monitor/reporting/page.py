"""The whole page, in the order in which an analyst reads it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from monitor.reporting.figures_section import figures_section
from monitor.reporting.quality import quality_section
from monitor.reporting.question_list import question_section
from monitor.reporting.racks import racks_of
from monitor.reporting.ruling_words import clock
from monitor.reporting.score_sheet import rack_sheet, score_sheet
from monitor.reporting.shot_card import shot_card
from monitor.reviewed import Reviewed


def report_html(reviewed: Reviewed) -> str:
    """The whole page; pictures, style and drawings are inside, nothing is fetched."""
    return "\n".join(report_lines(reviewed)) + "\n"


def report_lines(reviewed: Reviewed) -> Iterator[str]:
    """The page line by line, so that a long match need not lie in memory as one text."""
    style = files("monitor").joinpath("assets", "report.css").read_text(encoding="utf-8")
    name = escape(reviewed.video.name)
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{name} - table-monitor</title>\n<style>\n{style}</style>\n</head>"
    yield "<body>\n<main>"
    yield from _body(reviewed)
    yield "</main>\n</body>\n</html>"


def _body(reviewed: Reviewed) -> Iterator[str]:
    count = len(reviewed.shots)
    yield f"<h1>{escape(reviewed.video.name)}</h1>"
    yield (
        f'<p class="faint">{count} shot{"" if count == 1 else "s"} in '
        f"{clock(reviewed.duration_s)} of video · players {_players(reviewed)}</p>"
    )
    yield from quality_section(reviewed)
    if count:
        yield from _shots(reviewed)
    else:
        yield '<p class="verdict open">No shot was seen in this video.</p>'
    yield (
        "<footer>Made by table-monitor from shots.jsonl and rulings.jsonl beside this file. "
        "In the drawings the head end lies on the left; numbers are those of the event lists, "
        "with the seconds since the stroke below them. Pale balls show where a ball stood, white "
        "rings where it came to rest, dashed rings the striking ball at the moment of a contact "
        "(the ghost ball).</footer>"
    )


def _shots(reviewed: Reviewed) -> Iterator[str]:
    racks = racks_of(reviewed.played)
    cards = {shot.number: shot for shot in reviewed.shots}
    yield from question_section(reviewed)
    yield from score_sheet(reviewed, racks)
    yield from figures_section(reviewed, racks)
    for rack in racks:
        yield from rack_sheet(reviewed, rack)
        for played in rack.shots:
            if played.number in cards:
                yield from shot_card(reviewed, cards.pop(played.number), played)
    for shot in cards.values():
        yield from shot_card(reviewed, shot, None)


def _players(reviewed: Reviewed) -> str:
    return " and ".join(
        escape(name) if name == letter else f"{escape(name)} ({letter})"
        for name, letter in zip(reviewed.players, "AB", strict=True)
    )
