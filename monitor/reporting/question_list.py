"""All open questions in one place, each with the line that answers it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from monitor.obvious import ASSUMED
from monitor.reporting.ruling_words import chip, clock
from monitor.reviewed import Reviewed, RulingRow, objects

CALL: Final = "9.5"
"""The article whose questions are answered by saying what was called."""


def question_section(reviewed: Reviewed) -> Iterator[str]:
    """The section as lines of HTML; nothing when nothing is open."""
    rows = [(row, asked) for row in reviewed.standing if row for asked in objects(row, "questions")]
    if not rows:
        return
    yield f'<section class="asked" id="questions"><h2>To be decided: {len(rows)}</h2>'
    yield (
        "<p>Each ruling stands as if the foul in question had not happened. To decide, put the "
        "line of your answer into a text file and run the same command again with "
        "<code>--declarations FILE</code>: the report is made anew.</p><ol>"
    )
    for row, asked in rows:
        yield f"<li>{_question(reviewed, row, asked)}</li>"
    yield "</ol>"
    yield from _assumed_calls(reviewed)
    yield "</section>"


def _assumed_calls(reviewed: Reviewed) -> Iterator[str]:
    """The calls that were assumed, as lines to be kept: with a file nothing is assumed."""
    lines = [
        {**call, "v": 1, "shot": row.get("shot")}
        for row in reviewed.rulings
        for call in objects(row, "declared")
        if call.get("by") == ASSUMED
    ]
    if lines:
        yield (
            "<p>Without a file of declarations the plain pots count as called. With one nothing "
            'is assumed, so put these lines into it as well:</p><p class="lines">'
        )
        yield "<br>".join(f"<code>{escape(json.dumps(line))}</code>" for line in lines)
        yield "</p>"


def _question(reviewed: Reviewed, row: RulingRow, asked: Mapping[str, object]) -> str:
    shot = _shot(row)
    lines = "".join(
        f"<div><dt>{escape(word)}</dt><dd><code>{escape(json.dumps(line))}</code></dd></div>"
        for word, line in answers(reviewed, shot, asked)
    )
    return (
        f'<p><a href="#shot{shot}">Shot {shot}</a> {chip("ask", str(asked.get("article", "")))} '
        f"{escape(str(asked.get('ask', '')))}{escape(span_words(asked))}</p>"
        f'<dl class="answers">{lines}</dl>'
    )


def span_words(asked: Mapping[str, object]) -> str:
    """Which seconds of the video to look at."""
    clip = asked.get("clip")
    if not isinstance(clip, (list, tuple)) or len(clip) != 2:
        return ""
    start_s, end_s = float(clip[0]), float(clip[1])
    where = "" if start_s < 60.0 else f", at {clock(start_s)}"
    return f" (look at {start_s:.2f} to {end_s:.2f} s{where})"


def answers(
    reviewed: Reviewed, shot: int, asked: Mapping[str, object]
) -> list[tuple[str, dict[str, object]]]:
    """The declarations that answer a question, each with a word for it (docs/formats.md)."""
    article = str(asked.get("article", ""))
    said: dict[str, object] = {"v": 1, "shot": shot}
    if article == CALL:
        pockets = dict(reviewed.motion_of(shot).dropped)
        ball = asked.get("ball") or next(iter(pockets), None)
        pocket = pockets.get(str(ball))
        if ball is not None and pocket is not None:
            called = {**said, "type": "obvious_call", "ball": ball, "pocket": pocket.value}
            return [("called", called), ("not called", {**said, "type": "dismiss", "rule": CALL})]
    if article.startswith("6."):
        return [
            ("yes", {**said, "type": "confirm", "rule": article}),
            ("no", {**said, "type": "dismiss", "rule": article}),
        ]
    player = next((one.by for one in reviewed.played if one.number == shot and one.by), "A")
    return [
        ("as it stands", {**said, "type": "dismiss", "rule": article}),
        ("a foul, say which", {**said, "type": "foul", "rule": "6.2", "by": player}),
    ]


def _shot(row: RulingRow) -> int:
    number = row.get("shot") or row.get("after_shot") or 0
    return number if isinstance(number, int) else 0
