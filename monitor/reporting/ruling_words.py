"""A ruling row in HTML: its sentence, its chips and its tone."""

from __future__ import annotations

from html import escape

from monitor.reviewed import RulingRow, texts


def sentence(row: RulingRow | None) -> str:
    """What a referee would say; not escaped."""
    return str(row.get("sentence") or "") if row else "No ruling."


def tone(row: RulingRow | None) -> str:
    """The class of a ruling's box: foul, open or plain."""
    if texts(row, "fouls"):
        return "verdict foul"
    if row is None or row.get("legal") is None or row.get("provisional"):
        return "verdict open"
    return "verdict"


def chips(row: RulingRow | None) -> str:
    """The ruling in a word or two."""
    made = "".join(chip("foul", f"foul {article}") for article in texts(row, "fouls"))
    if row is not None and row.get("provisional"):
        made += chip("ask", "provisional")
    elif row is not None and row.get("legal") is True:
        made += chip("good", "no foul")
    return made


def chip(kind: str, text: str) -> str:
    """One chip; `kind` is foul, ask or good."""
    return f'<span class="chip {kind}">{escape(text)}</span>'


def clock(t_s: float | None) -> str:
    """A time of the video: "36.9 s", "4:05", "1:02:07"."""
    if t_s is None:
        return "before the clip"
    if t_s < 60.0:
        return f"{t_s:.1f} s"
    minutes, seconds = divmod(int(t_s), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
