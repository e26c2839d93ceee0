"""One shot: the ruling with its article, the drawing, the events, the pictures."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape
from pathlib import Path

import cv2
import numpy as np

from monitor.diagram import Shot, numbered, shot_svg
from monitor.reporting.played_shots import PlayedShot
from monitor.reporting.question_list import span_words
from monitor.reporting.ruling_words import chip, chips, sentence, tone
from monitor.reporting.score_sheet import motion_words
from monitor.reviewed import Reviewed, RulingRow, objects
from monitor.wording import doubt_words, event_words, time_words
from table.events import ShotEvent

WIDEST_PX = 800
QUALITY = 76
"""JPEG quality of the pictures inside the page; evidence/ holds them as they were."""


def shot_card(reviewed: Reviewed, shot: Shot, played: PlayedShot | None) -> Iterator[str]:
    """The card of a shot as lines of HTML."""
    row = reviewed.ruling_of(shot.number)
    yield f'<section class="card" id="shot{shot.number}">'
    yield f"<header><h3>Shot {shot.number}{_by(reviewed, played)}</h3><span>{chips(row)}</span>"
    yield f'</header><p class="{tone(row)}">{escape(sentence(row))}</p>'
    yield from _after(reviewed, shot)
    yield from _findings(row)
    yield from _questions(row)
    yield f'<div class="both"><div>{shot_svg(shot)}</div><div>'
    yield from _event_list(shot)
    yield "</div></div>"
    yield from _evidence(reviewed, shot)
    yield "</section>"


def _by(reviewed: Reviewed, played: PlayedShot | None) -> str:
    if played is None:
        return ""
    name = dict(zip("AB", reviewed.players, strict=True)).get(played.by or "")
    kind = "break" if played.is_break else played.kind.replace("_", " ")
    words = [name or "", "" if kind == "normal" else kind]
    moved = motion_words(played)
    words.append("" if moved == "-" else f"cue ball {moved}")
    return escape("".join(f" · {word}" for word in words if word))


def _after(reviewed: Reviewed, shot: Shot) -> Iterator[str]:
    """Rulings that declarations made after this shot."""
    for row in reviewed.rulings:
        if row.get("shot") is None and row.get("after_shot") == shot.number:
            yield f'<p class="{tone(row)}">{escape(sentence(row))}</p>'


def _findings(row: RulingRow | None) -> Iterator[str]:
    """The fouls with their articles and how clear they were."""
    found = objects(row, "findings")
    if not found:
        return
    yield '<h4>Fouls found</h4><ul class="questions">'
    for finding in found:
        words = [str(finding.get("title") or "")]
        if finding.get("ball"):
            words.append(f"ball {finding['ball']}")
        if finding.get("margin") is not None:
            words.append(f"margin {finding['margin']}")
        if finding.get("called"):
            words.append("called by a person")
        yield f"<li>{chip('foul', str(finding.get('article', '')))}"
        yield f"{escape(' · '.join(word for word in words if word))}</li>"
    yield "</ul>"


def _questions(row: RulingRow | None) -> Iterator[str]:
    asked = objects(row, "questions")
    if not asked:
        return
    yield '<h4>Questions for a person</h4><ul class="questions">'
    for question in asked:
        text = f"{question.get('ask', '')}{span_words(question)}"
        yield f"<li>{chip('ask', str(question.get('article', '')))}{escape(text)}</li>"
    yield "</ul>"


def _event_list(shot: Shot) -> Iterator[str]:
    numbers = {id(event): number for number, event in numbered(shot.events)}
    yield '<h4>Events</h4><ol class="events">'
    for event in shot.events:
        yield _event_item(event, numbers.get(id(event)))
    yield "</ol>"


def _event_item(event: ShotEvent, number: int | None) -> str:
    badge = f'<span class="n">{number}</span>' if number else "<span></span>"
    doubt = doubt_words(event)
    more = f' <span class="doubt">({escape(doubt)})</span>' if doubt else ""
    return (
        f"<li>{badge}<span>{escape(event_words(event))}{more} "
        f'<span class="when">{escape(time_words(event))}</span></span></li>'
    )


def _evidence(reviewed: Reviewed, shot: Shot) -> Iterator[str]:
    pictures = [p for p in reviewed.evidence if p.name.startswith(f"shot{shot.number:03d}_")]
    if not pictures:
        return
    yield '<h4>Deciding moments</h4><div class="evidence">'
    for picture in pictures:
        caption = escape(_caption(picture))
        yield (
            f'<figure><img alt="{caption}" decoding="async" src="{_embedded(picture)}">'
            f"<figcaption>{caption}</figcaption></figure>"
        )
    yield "</div>"


def _caption(picture: Path) -> str:
    words = picture.stem.split("_", 1)[1].replace("_", " ")
    return words[:1].upper() + words[1:] + ": before, at and after"


def _embedded(picture: Path) -> str:
    """The picture as a data URL, made small enough for a match of hundreds of them."""
    coded = picture.read_bytes()
    shown = cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR)
    if shown is not None and shown.shape[1] > WIDEST_PX:
        height = round(shown.shape[0] * WIDEST_PX / shown.shape[1])
        small = cv2.resize(shown, (WIDEST_PX, height), interpolation=cv2.INTER_AREA)
        done, smaller = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        coded = smaller.tobytes() if done else coded
    return "data:image/jpeg;base64," + base64.b64encode(coded).decode("ascii")
