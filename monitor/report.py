"""report.html: one self-contained page, a card a shot, readable on paper and in the dark."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from pathlib import Path

from monitor.diagram import Shot, numbered, shot_svg
from monitor.reviewed import Reviewed, RulingRow, objects, texts
from monitor.wording import doubt_words, event_words, time_words
from table.events import ShotEvent


def report_html(reviewed: Reviewed) -> str:
    """The whole page; pictures, style and drawings are inside, nothing is fetched."""
    style = files("monitor").joinpath("assets", "report.css").read_text(encoding="utf-8")
    name = escape(reviewed.video.name)
    body = "\n".join(_body(reviewed))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name} - table-monitor</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _body(reviewed: Reviewed) -> Iterator[str]:
    count = len(reviewed.shots)
    yield f"<h1>{escape(reviewed.video.name)}</h1>"
    yield (
        f'<p class="faint">{count} shot{"" if count == 1 else "s"} in '
        f"{reviewed.duration_s:.1f} s of video · players {_players(reviewed)}</p>"
    )
    yield from _quality(reviewed)
    if count:
        yield from _score_sheet(reviewed)
    else:
        yield '<p class="verdict open">No shot was seen in this video.</p>'
    for shot in reviewed.shots:
        yield from _card(reviewed, shot)
    yield (
        "<footer>Made by table-monitor from shots.jsonl and rulings.jsonl beside this file. "
        "Numbers in the drawings are those of the event lists; the head end lies on the left. "
        "Pale balls show where a ball stood, white rings where it came to rest.</footer>"
    )


def _players(reviewed: Reviewed) -> str:
    return " and ".join(
        escape(name) if name == letter else f"{escape(name)} ({letter})"
        for name, letter in zip(reviewed.players, "AB", strict=True)
    )


def _quality(reviewed: Reviewed) -> Iterator[str]:
    """How far the figures can be trusted, before the figures."""
    seen, camera = reviewed.observation, reviewed.camera
    error = camera.error_mm.get("rms")
    rails = ", ".join(f"{k} {v:.1f}" for k, v in camera.error_mm.items() if k != "rms")
    fps = f"{seen.source.fps:.2f} a second" if seen.source.fps else "unknown rate"
    unknown = ", ".join(reviewed.unknown_balls) or "none"
    rows = (
        ("Calibration error", "unknown" if error is None else f"{error:.1f} mm rms"),
        ("By rail (mm)", rails or "not given"),
        ("Camera", f"{camera.height_m:.2f} m above the cloth, tilted {camera.tilt_deg:.1f}°"),
        ("Table", f"{camera.table.length_m:.3f} x {camera.table.width_m:.3f} m"),
        ("Head end", f"{camera.head} of the picture ({camera.head_from})"),
        ("Frames", f"{len(seen.states)}, {fps}"),
        ("Ball set", seen.source.ball_set or "not known"),
        ("Balls without a name", unknown),
    )
    yield '<section class="quality"><h2>Quality of the data</h2><dl>'
    for term, text in rows:
        yield f"<div><dt>{term}</dt><dd>{escape(text)}</dd></div>"
    yield "</dl>"
    notes = [*([seen.ended_early] if seen.ended_early else []), *seen.notes]
    notes += _assumptions(reviewed)
    if notes:
        yield "<ul>" + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>"
    yield "</section>"


def _assumptions(reviewed: Reviewed) -> list[str]:
    found = {text: None for row in reviewed.rulings for text in texts(row, "assumptions")}
    return [f"Assumed: {'; '.join(found)}."] if found else []


def _score_sheet(reviewed: Reviewed) -> Iterator[str]:
    yield '<table class="score"><thead><tr><th>Shot</th><th>At</th><th>Ruling</th></tr></thead>'
    yield "<tbody>"
    for shot in reviewed.shots:
        row = reviewed.ruling_of(shot.number)
        when = shot.started.t_s if shot.started else None
        at = "before the clip" if when is None else f"{when:.2f} s"
        yield (
            f'<tr><td><a href="#shot{shot.number}">{shot.number}</a></td><td>{at}</td>'
            f"<td>{_chips(row)} {escape(_sentence(row))}</td></tr>"
        )
    yield "</tbody></table>"


def _card(reviewed: Reviewed, shot: Shot) -> Iterator[str]:
    row = reviewed.ruling_of(shot.number)
    yield f'<section class="card" id="shot{shot.number}">'
    yield f"<header><h2>Shot {shot.number}</h2><span>{_chips(row)}</span></header>"
    yield f'<p class="{_tone(row)}">{escape(_sentence(row))}</p>'
    yield from _after(reviewed, shot)
    yield from _findings(row)
    yield from _questions(row)
    yield f'<div class="both"><div>{shot_svg(shot)}</div><div>'
    yield from _event_list(shot)
    yield "</div></div>"
    yield from _evidence(reviewed, shot)
    yield "</section>"


def _after(reviewed: Reviewed, shot: Shot) -> Iterator[str]:
    """Rulings that declarations made after this shot."""
    for row in reviewed.rulings:
        if row.get("shot") is None and row.get("after_shot") == shot.number:
            yield f'<p class="{_tone(row)}">{escape(_sentence(row))}</p>'


def _findings(row: RulingRow | None) -> Iterator[str]:
    """The fouls with their articles and how clear they were."""
    found = objects(row, "findings")
    if not found:
        return
    yield '<h3>Fouls found</h3><ul class="questions">'
    for finding in found:
        words = [str(finding.get("title") or "")]
        if finding.get("ball"):
            words.append(f"ball {finding['ball']}")
        if finding.get("margin") is not None:
            words.append(f"margin {finding['margin']}")
        if finding.get("called"):
            words.append("called by a person")
        yield f'<li><span class="chip foul">{escape(str(finding.get("article", "")))}</span>'
        yield f"{escape(' · '.join(word for word in words if word))}</li>"
    yield "</ul>"


def _questions(row: RulingRow | None) -> Iterator[str]:
    asked = objects(row, "questions")
    if not asked:
        return
    yield '<h3>Questions for a person</h3><ul class="questions">'
    for question in asked:
        clip = question.get("clip")
        span = ""
        if isinstance(clip, (list, tuple)) and len(clip) == 2:
            span = f" (look at {float(clip[0]):.2f} to {float(clip[1]):.2f} s)"
        text = f"{question.get('ask', '')}{span}"
        yield f'<li><span class="chip ask">{escape(str(question.get("article", "")))}</span>'
        yield f"{escape(text)}</li>"
    yield "</ul>"


def _event_list(shot: Shot) -> Iterator[str]:
    numbers = {id(event): number for number, event in numbered(shot.events)}
    yield '<h3>Events</h3><ol class="events">'
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
    yield '<h3>Deciding moments</h3><div class="evidence">'
    for picture in pictures:
        yield (
            f'<figure><img alt="" loading="lazy" src="{_embedded(picture)}">'
            f"<figcaption>{escape(_caption(picture))}</figcaption></figure>"
        )
    yield "</div>"


def _caption(picture: Path) -> str:
    words = picture.stem.split("_", 1)[1].replace("_", " ")
    return words[:1].upper() + words[1:] + ": before, at and after"


def _embedded(picture: Path) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(picture.read_bytes()).decode("ascii")


def _sentence(row: RulingRow | None) -> str:
    return str(row.get("sentence") or "") if row else "No ruling."


def _tone(row: RulingRow | None) -> str:
    if texts(row, "fouls"):
        return "verdict foul"
    if row is None or row.get("legal") is None or row.get("provisional"):
        return "verdict open"
    return "verdict"


def _chips(row: RulingRow | None) -> str:
    """The ruling in a word or two."""
    fouls = texts(row, "fouls")
    chips = "".join(f'<span class="chip foul">foul {escape(article)}</span>' for article in fouls)
    if row is not None and row.get("provisional"):
        chips += '<span class="chip ask">provisional</span>'
    elif row is not None and row.get("legal") is True:
        chips += '<span class="chip good">no foul</span>'
    return chips
